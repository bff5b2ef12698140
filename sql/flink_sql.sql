
--
-- Flink SQL as text
--
