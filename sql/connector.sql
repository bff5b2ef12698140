
--
-- Connectors: the sources and sinks of Flink's CREATE TABLE
--
