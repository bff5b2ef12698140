\echo Use "CREATE EXTENSION apply_watermark" to load this file. \quit

-- Functions that users call are in the schema that CREATE EXTENSION was given;
-- their inner parts are in the schema "watermark".

CREATE SCHEMA watermark;

COMMENT ON SCHEMA watermark IS 'inner parts of apply_watermark';

GRANT USAGE ON SCHEMA watermark TO PUBLIC;
