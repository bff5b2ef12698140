
--
-- Flink's functions
--
-- What Flink SQL has and PostgreSQL lacks, or means otherwise, has a schema of its
-- own: no query changes its meaning where the extension is installed.
--

CREATE SCHEMA flink;

COMMENT ON SCHEMA flink IS 'functions of Flink SQL, with the meaning that Flink gives them';

GRANT USAGE ON SCHEMA flink TO PUBLIC;
