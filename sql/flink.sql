
--
-- Flink's functions
--
-- What Flink SQL has and PostgreSQL lacks, or means otherwise, has a schema of its
-- own: no query changes its meaning where the extension is installed.
--

CREATE SCHEMA flink;

COMMENT ON SCHEMA flink IS 'functions of Flink SQL, with the meaning that Flink gives them';

GRANT USAGE ON SCHEMA flink TO PUBLIC;

--
-- Aggregates that keep the type of their input
--

CREATE FUNCTION watermark.flink_smallint_sum(bigint[])
RETURNS smallint
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_smallint_sum';

CREATE FUNCTION watermark.flink_integer_sum(bigint[])
RETURNS integer
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_integer_sum';

CREATE FUNCTION watermark.flink_bigint_sum(internal)
RETURNS bigint
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_bigint_sum';

CREATE FUNCTION watermark.flink_smallint_avg(bigint[])
RETURNS smallint
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_smallint_avg';

CREATE FUNCTION watermark.flink_integer_avg(bigint[])
RETURNS integer
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_integer_avg';

CREATE FUNCTION watermark.flink_bigint_avg(internal)
RETURNS bigint
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_bigint_avg';

CREATE FUNCTION watermark.flink_numeric_avg(internal)
RETURNS numeric
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_numeric_avg';

CREATE FUNCTION watermark.flink_real_avg(double precision[])
RETURNS real
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_real_avg';

CREATE AGGREGATE flink.sum(smallint) (
	SFUNC = pg_catalog.int2_sum,
	STYPE = bigint,
	FINALFUNC = pg_catalog.int2,
	COMBINEFUNC = pg_catalog.int8pl,
	MSFUNC = pg_catalog.int2_avg_accum,
	MINVFUNC = pg_catalog.int2_avg_accum_inv,
	MSTYPE = bigint[],
	MFINALFUNC = watermark.flink_smallint_sum,
	MINITCOND = '{0,0}',
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.sum(smallint) IS
'sum of the values that are not NULL, as smallint; an error if it does not fit';

CREATE AGGREGATE flink.sum(integer) (
	SFUNC = pg_catalog.int4_sum,
	STYPE = bigint,
	FINALFUNC = pg_catalog.int4,
	COMBINEFUNC = pg_catalog.int8pl,
	MSFUNC = pg_catalog.int4_avg_accum,
	MINVFUNC = pg_catalog.int4_avg_accum_inv,
	MSTYPE = bigint[],
	MFINALFUNC = watermark.flink_integer_sum,
	MINITCOND = '{0,0}',
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.sum(integer) IS
'sum of the values that are not NULL, as integer; an error if it does not fit';

CREATE AGGREGATE flink.sum(bigint) (
	FINALFUNC = watermark.flink_bigint_sum,
	MFINALFUNC = watermark.flink_bigint_sum,
	SFUNC = pg_catalog.int8_avg_accum,
	STYPE = internal,
	SSPACE = 48,
	COMBINEFUNC = pg_catalog.int8_avg_combine,
	SERIALFUNC = pg_catalog.int8_avg_serialize,
	DESERIALFUNC = pg_catalog.int8_avg_deserialize,
	MSFUNC = pg_catalog.int8_avg_accum,
	MINVFUNC = pg_catalog.int8_avg_accum_inv,
	MSTYPE = internal,
	MSSPACE = 48,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.sum(bigint) IS
'sum of the values that are not NULL, as bigint; an error if it does not fit';

CREATE AGGREGATE flink.sum(numeric) (
	FINALFUNC = pg_catalog.numeric_sum,
	MFINALFUNC = pg_catalog.numeric_sum,
	SFUNC = pg_catalog.numeric_avg_accum,
	STYPE = internal,
	SSPACE = 128,
	COMBINEFUNC = pg_catalog.numeric_avg_combine,
	SERIALFUNC = pg_catalog.numeric_avg_serialize,
	DESERIALFUNC = pg_catalog.numeric_avg_deserialize,
	MSFUNC = pg_catalog.numeric_avg_accum,
	MINVFUNC = pg_catalog.numeric_accum_inv,
	MSTYPE = internal,
	MSSPACE = 128,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.sum(numeric) IS
'sum of the values that are not NULL, with their scale';

CREATE AGGREGATE flink.sum(real) (
	SFUNC = pg_catalog.float4pl,
	STYPE = real,
	COMBINEFUNC = pg_catalog.float4pl,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.sum(real) IS
'sum of the values that are not NULL, as real';

CREATE AGGREGATE flink.sum(double precision) (
	SFUNC = pg_catalog.float8pl,
	STYPE = double precision,
	COMBINEFUNC = pg_catalog.float8pl,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.sum(double precision) IS
'sum of the values that are not NULL';

CREATE AGGREGATE flink.avg(smallint) (
	SFUNC = pg_catalog.int2_avg_accum,
	STYPE = bigint[],
	FINALFUNC = watermark.flink_smallint_avg,
	COMBINEFUNC = pg_catalog.int4_avg_combine,
	INITCOND = '{0,0}',
	MSFUNC = pg_catalog.int2_avg_accum,
	MINVFUNC = pg_catalog.int2_avg_accum_inv,
	MSTYPE = bigint[],
	MFINALFUNC = watermark.flink_smallint_avg,
	MINITCOND = '{0,0}',
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.avg(smallint) IS
'average of the values that are not NULL, as smallint, cut towards zero';

CREATE AGGREGATE flink.avg(integer) (
	SFUNC = pg_catalog.int4_avg_accum,
	STYPE = bigint[],
	FINALFUNC = watermark.flink_integer_avg,
	COMBINEFUNC = pg_catalog.int4_avg_combine,
	INITCOND = '{0,0}',
	MSFUNC = pg_catalog.int4_avg_accum,
	MINVFUNC = pg_catalog.int4_avg_accum_inv,
	MSTYPE = bigint[],
	MFINALFUNC = watermark.flink_integer_avg,
	MINITCOND = '{0,0}',
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.avg(integer) IS
'average of the values that are not NULL, as integer, cut towards zero';

CREATE AGGREGATE flink.avg(bigint) (
	FINALFUNC = watermark.flink_bigint_avg,
	MFINALFUNC = watermark.flink_bigint_avg,
	SFUNC = pg_catalog.int8_avg_accum,
	STYPE = internal,
	SSPACE = 48,
	COMBINEFUNC = pg_catalog.int8_avg_combine,
	SERIALFUNC = pg_catalog.int8_avg_serialize,
	DESERIALFUNC = pg_catalog.int8_avg_deserialize,
	MSFUNC = pg_catalog.int8_avg_accum,
	MINVFUNC = pg_catalog.int8_avg_accum_inv,
	MSTYPE = internal,
	MSSPACE = 48,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.avg(bigint) IS
'average of the values that are not NULL, as bigint, cut towards zero';

CREATE AGGREGATE flink.avg(numeric) (
	FINALFUNC = watermark.flink_numeric_avg,
	MFINALFUNC = watermark.flink_numeric_avg,
	SFUNC = pg_catalog.numeric_avg_accum,
	STYPE = internal,
	SSPACE = 128,
	COMBINEFUNC = pg_catalog.numeric_avg_combine,
	SERIALFUNC = pg_catalog.numeric_avg_serialize,
	DESERIALFUNC = pg_catalog.numeric_avg_deserialize,
	MSFUNC = pg_catalog.numeric_avg_accum,
	MINVFUNC = pg_catalog.numeric_accum_inv,
	MSTYPE = internal,
	MSSPACE = 128,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.avg(numeric) IS
'average of the values that are not NULL, rounded to their scale, at least 6 places';

CREATE AGGREGATE flink.avg(real) (
	SFUNC = pg_catalog.float4_accum,
	STYPE = double precision[],
	FINALFUNC = watermark.flink_real_avg,
	COMBINEFUNC = pg_catalog.float8_combine,
	INITCOND = '{0,0,0}',
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.avg(real) IS
'average of the values that are not NULL, as real';

CREATE AGGREGATE flink.avg(double precision) (
	SFUNC = pg_catalog.float8_accum,
	STYPE = double precision[],
	FINALFUNC = pg_catalog.float8_avg,
	COMBINEFUNC = pg_catalog.float8_combine,
	INITCOND = '{0,0,0}',
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.avg(double precision) IS
'average of the values that are not NULL';

-- The first and the last value depend on the order of arrival: no partial results.

CREATE FUNCTION watermark.flink_first(state anyelement, value anyelement)
RETURNS anyelement
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_first';

CREATE AGGREGATE flink.first_value(anyelement) (
	SFUNC = watermark.flink_first,
	STYPE = anyelement,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.first_value(anyelement) IS
'first value in the order of arrival that is not NULL';

CREATE FUNCTION watermark.flink_last(state anyelement, value anyelement)
RETURNS anyelement
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_last';

CREATE AGGREGATE flink.last_value(anyelement) (
	SFUNC = watermark.flink_last,
	STYPE = anyelement,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.last_value(anyelement) IS
'last value in the order of arrival that is not NULL';

-- PostgreSQL has no min and max of booleans: in the schema of the user, and the
-- same as bool_and and bool_or.

CREATE AGGREGATE @extschema@.min(boolean) (
	SFUNC = pg_catalog.booland_statefunc,
	STYPE = boolean,
	COMBINEFUNC = pg_catalog.booland_statefunc,
	MSFUNC = pg_catalog.bool_accum,
	MINVFUNC = pg_catalog.bool_accum_inv,
	MSTYPE = internal,
	MFINALFUNC = pg_catalog.bool_alltrue,
	MSSPACE = 16,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.min(boolean) IS
'false if any value is false, else true; NULL values are skipped';

CREATE AGGREGATE @extschema@.max(boolean) (
	SFUNC = pg_catalog.boolor_statefunc,
	STYPE = boolean,
	COMBINEFUNC = pg_catalog.boolor_statefunc,
	MSFUNC = pg_catalog.bool_accum,
	MINVFUNC = pg_catalog.bool_accum_inv,
	MSTYPE = internal,
	MFINALFUNC = pg_catalog.bool_anytrue,
	MSSPACE = 16,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.max(boolean) IS
'true if any value is true, else false; NULL values are skipped';

--
-- Casts, where PostgreSQL means something else
--

-- CAST(x AS STRING).  A time shows the digits that its type declares.

CREATE FUNCTION flink.to_string(value text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.to_string(text) IS
'value as text, as CAST(… AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value smallint)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::pg_catalog.text;

COMMENT ON FUNCTION flink.to_string(smallint) IS
'value as text, as CAST(… AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value integer)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::pg_catalog.text;

COMMENT ON FUNCTION flink.to_string(integer) IS
'value as text, as CAST(… AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value bigint)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::pg_catalog.text;

COMMENT ON FUNCTION flink.to_string(bigint) IS
'value as text, as CAST(… AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value numeric)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::pg_catalog.text;

COMMENT ON FUNCTION flink.to_string(numeric) IS
'value as text, as CAST(… AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value boolean)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(boolean) IS
'value as text, as CAST(… AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value real)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(real) IS
'value as text, as CAST(… AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value double precision)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(double precision) IS
'value as text, as CAST(… AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value date)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(date) IS
'value as text, as CAST(… AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value time)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(time) IS
'value as text, as CAST(… AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value timestamp)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(timestamp) IS
'value as text, as CAST(… AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value timestamptz)
RETURNS text
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(timestamptz) IS
'value as text, as CAST(… AS STRING) in Flink; on the clock of the session';

CREATE FUNCTION flink.to_string(value interval)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(interval) IS
'value as text, as CAST(… AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value bytea)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(bytea) IS
'value as text, as CAST(… AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value anyelement)
RETURNS text
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(anyelement) IS
'value as text, as CAST(… AS STRING) in Flink';

-- CAST(x AS SMALLINT), INT and BIGINT cut a fraction, which PostgreSQL rounds.

CREATE FUNCTION flink.to_smallint(value smallint)
RETURNS smallint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.to_smallint(smallint) IS
'value as smallint';

CREATE FUNCTION flink.to_smallint(value integer)
RETURNS smallint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::smallint;

COMMENT ON FUNCTION flink.to_smallint(integer) IS
'value as smallint';

CREATE FUNCTION flink.to_smallint(value bigint)
RETURNS smallint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::smallint;

COMMENT ON FUNCTION flink.to_smallint(bigint) IS
'value as smallint';

CREATE FUNCTION flink.to_smallint(value real)
RETURNS smallint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value::double precision)::smallint;

COMMENT ON FUNCTION flink.to_smallint(real) IS
'value as smallint, its fraction cut';

CREATE FUNCTION flink.to_smallint(value double precision)
RETURNS smallint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value)::smallint;

COMMENT ON FUNCTION flink.to_smallint(double precision) IS
'value as smallint, its fraction cut';

CREATE FUNCTION flink.to_smallint(value numeric)
RETURNS smallint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value)::smallint;

COMMENT ON FUNCTION flink.to_smallint(numeric) IS
'value as smallint, its fraction cut';

CREATE FUNCTION flink.to_smallint(value boolean)
RETURNS smallint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE value WHEN true THEN 1::smallint WHEN false THEN 0::smallint END;

COMMENT ON FUNCTION flink.to_smallint(boolean) IS
'1 for true, 0 for false';

CREATE FUNCTION flink.to_smallint(value text)
RETURNS smallint
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_smallint';

COMMENT ON FUNCTION flink.to_smallint(text) IS
'value as smallint, its fraction cut; an error if it is no number';

CREATE FUNCTION flink.to_integer(value smallint)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::integer;

COMMENT ON FUNCTION flink.to_integer(smallint) IS
'value as integer';

CREATE FUNCTION flink.to_integer(value integer)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.to_integer(integer) IS
'value as integer';

CREATE FUNCTION flink.to_integer(value bigint)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::integer;

COMMENT ON FUNCTION flink.to_integer(bigint) IS
'value as integer';

CREATE FUNCTION flink.to_integer(value real)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value::double precision)::integer;

COMMENT ON FUNCTION flink.to_integer(real) IS
'value as integer, its fraction cut';

CREATE FUNCTION flink.to_integer(value double precision)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value)::integer;

COMMENT ON FUNCTION flink.to_integer(double precision) IS
'value as integer, its fraction cut';

CREATE FUNCTION flink.to_integer(value numeric)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value)::integer;

COMMENT ON FUNCTION flink.to_integer(numeric) IS
'value as integer, its fraction cut';

CREATE FUNCTION flink.to_integer(value boolean)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE value WHEN true THEN 1::integer WHEN false THEN 0::integer END;

COMMENT ON FUNCTION flink.to_integer(boolean) IS
'1 for true, 0 for false';

CREATE FUNCTION flink.to_integer(value text)
RETURNS integer
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_integer';

COMMENT ON FUNCTION flink.to_integer(text) IS
'value as integer, its fraction cut; an error if it is no number';

CREATE FUNCTION flink.to_bigint(value smallint)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::bigint;

COMMENT ON FUNCTION flink.to_bigint(smallint) IS
'value as bigint';

CREATE FUNCTION flink.to_bigint(value integer)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::bigint;

COMMENT ON FUNCTION flink.to_bigint(integer) IS
'value as bigint';

CREATE FUNCTION flink.to_bigint(value bigint)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.to_bigint(bigint) IS
'value as bigint';

CREATE FUNCTION flink.to_bigint(value real)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value::double precision)::bigint;

COMMENT ON FUNCTION flink.to_bigint(real) IS
'value as bigint, its fraction cut';

CREATE FUNCTION flink.to_bigint(value double precision)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value)::bigint;

COMMENT ON FUNCTION flink.to_bigint(double precision) IS
'value as bigint, its fraction cut';

CREATE FUNCTION flink.to_bigint(value numeric)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value)::bigint;

COMMENT ON FUNCTION flink.to_bigint(numeric) IS
'value as bigint, its fraction cut';

CREATE FUNCTION flink.to_bigint(value boolean)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE value WHEN true THEN 1::bigint WHEN false THEN 0::bigint END;

COMMENT ON FUNCTION flink.to_bigint(boolean) IS
'1 for true, 0 for false';

CREATE FUNCTION flink.to_bigint(value text)
RETURNS bigint
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_bigint';

COMMENT ON FUNCTION flink.to_bigint(text) IS
'value as bigint, its fraction cut; an error if it is no number';

-- CAST(x AS TIMESTAMP(p)) cuts the fraction of the second, which PostgreSQL rounds.

CREATE FUNCTION flink.trunc(ts timestamp, "precision" integer)
RETURNS timestamp
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_trunc';

COMMENT ON FUNCTION flink.trunc(timestamp, integer) IS
'the time, with so many digits of its second';

CREATE FUNCTION flink.trunc(ts timestamptz, "precision" integer)
RETURNS timestamptz
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_trunc';

COMMENT ON FUNCTION flink.trunc(timestamptz, integer) IS
'the time, with so many digits of its second';

CREATE FUNCTION flink.trunc(ts date, "precision" integer)
RETURNS timestamp
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ts::timestamp;

COMMENT ON FUNCTION flink.trunc(date, integer) IS
'the beginning of the day';

CREATE FUNCTION flink.trunc(ts text, "precision" integer)
RETURNS timestamp
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_trunc_text';

COMMENT ON FUNCTION flink.trunc(text, integer) IS
'the time that a text says, with so many digits of its second; an error if it says none';

-- Not in parallel plans: PostgreSQL 15 catches errors in subtransactions alone.

CREATE FUNCTION flink.try_cast(value text, "like" anyelement)
RETURNS anyelement
LANGUAGE c STABLE PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_try_cast';

COMMENT ON FUNCTION flink.try_cast(text, anyelement) IS
'value in the type of the second argument, NULL if it is no such value';
