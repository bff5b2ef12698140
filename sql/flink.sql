
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

-- Statistics of integers are integers, those of numerics have six places.

CREATE FUNCTION watermark.flink_smallint_var_pop(internal)
RETURNS smallint
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_var_pop';

CREATE AGGREGATE flink.var_pop(smallint) (
	SFUNC = pg_catalog.int2_accum,
	STYPE = internal,
	SSPACE = 48,
	FINALFUNC = watermark.flink_smallint_var_pop,
	COMBINEFUNC = pg_catalog.numeric_poly_combine,
	SERIALFUNC = pg_catalog.numeric_poly_serialize,
	DESERIALFUNC = pg_catalog.numeric_poly_deserialize,
	MSFUNC = pg_catalog.int2_accum,
	MINVFUNC = pg_catalog.int2_accum_inv,
	MSTYPE = internal,
	MSSPACE = 48,
	MFINALFUNC = watermark.flink_smallint_var_pop,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.var_pop(smallint) IS
'variance of all values, as smallint, cut towards zero; an error if it does not fit';

CREATE FUNCTION watermark.flink_integer_var_pop(internal)
RETURNS integer
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_var_pop';

CREATE AGGREGATE flink.var_pop(integer) (
	SFUNC = pg_catalog.int4_accum,
	STYPE = internal,
	SSPACE = 48,
	FINALFUNC = watermark.flink_integer_var_pop,
	COMBINEFUNC = pg_catalog.numeric_poly_combine,
	SERIALFUNC = pg_catalog.numeric_poly_serialize,
	DESERIALFUNC = pg_catalog.numeric_poly_deserialize,
	MSFUNC = pg_catalog.int4_accum,
	MINVFUNC = pg_catalog.int4_accum_inv,
	MSTYPE = internal,
	MSSPACE = 48,
	MFINALFUNC = watermark.flink_integer_var_pop,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.var_pop(integer) IS
'variance of all values, as integer, cut towards zero; an error if it does not fit';

CREATE FUNCTION watermark.flink_bigint_var_pop(internal)
RETURNS bigint
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_var_pop';

CREATE AGGREGATE flink.var_pop(bigint) (
	SFUNC = pg_catalog.int8_accum,
	STYPE = internal,
	SSPACE = 128,
	FINALFUNC = watermark.flink_bigint_var_pop,
	COMBINEFUNC = pg_catalog.numeric_combine,
	SERIALFUNC = pg_catalog.numeric_serialize,
	DESERIALFUNC = pg_catalog.numeric_deserialize,
	MSFUNC = pg_catalog.int8_accum,
	MINVFUNC = pg_catalog.int8_accum_inv,
	MSTYPE = internal,
	MSSPACE = 128,
	MFINALFUNC = watermark.flink_bigint_var_pop,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.var_pop(bigint) IS
'variance of all values, as bigint, cut towards zero; an error if it does not fit';

CREATE FUNCTION watermark.flink_numeric_var_pop(internal)
RETURNS numeric
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_var_pop';

CREATE AGGREGATE flink.var_pop(numeric) (
	SFUNC = pg_catalog.numeric_accum,
	STYPE = internal,
	SSPACE = 128,
	FINALFUNC = watermark.flink_numeric_var_pop,
	COMBINEFUNC = pg_catalog.numeric_combine,
	SERIALFUNC = pg_catalog.numeric_serialize,
	DESERIALFUNC = pg_catalog.numeric_deserialize,
	MSFUNC = pg_catalog.numeric_accum,
	MINVFUNC = pg_catalog.numeric_accum_inv,
	MSTYPE = internal,
	MSSPACE = 128,
	MFINALFUNC = watermark.flink_numeric_var_pop,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.var_pop(numeric) IS
'variance of all values, as numeric of six places';

CREATE AGGREGATE flink.var_pop(double precision) (
	SFUNC = pg_catalog.float8_accum,
	STYPE = double precision[],
	INITCOND = '{0,0,0}',
	FINALFUNC = pg_catalog.float8_var_pop,
	COMBINEFUNC = pg_catalog.float8_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.var_pop(double precision) IS
'variance of all values';

CREATE FUNCTION watermark.flink_smallint_var_samp(internal)
RETURNS smallint
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_var_samp';

CREATE AGGREGATE flink.var_samp(smallint) (
	SFUNC = pg_catalog.int2_accum,
	STYPE = internal,
	SSPACE = 48,
	FINALFUNC = watermark.flink_smallint_var_samp,
	COMBINEFUNC = pg_catalog.numeric_poly_combine,
	SERIALFUNC = pg_catalog.numeric_poly_serialize,
	DESERIALFUNC = pg_catalog.numeric_poly_deserialize,
	MSFUNC = pg_catalog.int2_accum,
	MINVFUNC = pg_catalog.int2_accum_inv,
	MSTYPE = internal,
	MSSPACE = 48,
	MFINALFUNC = watermark.flink_smallint_var_samp,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.var_samp(smallint) IS
'variance, the values being a sample, as smallint, cut towards zero; an error if it does not fit';

CREATE FUNCTION watermark.flink_integer_var_samp(internal)
RETURNS integer
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_var_samp';

CREATE AGGREGATE flink.var_samp(integer) (
	SFUNC = pg_catalog.int4_accum,
	STYPE = internal,
	SSPACE = 48,
	FINALFUNC = watermark.flink_integer_var_samp,
	COMBINEFUNC = pg_catalog.numeric_poly_combine,
	SERIALFUNC = pg_catalog.numeric_poly_serialize,
	DESERIALFUNC = pg_catalog.numeric_poly_deserialize,
	MSFUNC = pg_catalog.int4_accum,
	MINVFUNC = pg_catalog.int4_accum_inv,
	MSTYPE = internal,
	MSSPACE = 48,
	MFINALFUNC = watermark.flink_integer_var_samp,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.var_samp(integer) IS
'variance, the values being a sample, as integer, cut towards zero; an error if it does not fit';

CREATE FUNCTION watermark.flink_bigint_var_samp(internal)
RETURNS bigint
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_var_samp';

CREATE AGGREGATE flink.var_samp(bigint) (
	SFUNC = pg_catalog.int8_accum,
	STYPE = internal,
	SSPACE = 128,
	FINALFUNC = watermark.flink_bigint_var_samp,
	COMBINEFUNC = pg_catalog.numeric_combine,
	SERIALFUNC = pg_catalog.numeric_serialize,
	DESERIALFUNC = pg_catalog.numeric_deserialize,
	MSFUNC = pg_catalog.int8_accum,
	MINVFUNC = pg_catalog.int8_accum_inv,
	MSTYPE = internal,
	MSSPACE = 128,
	MFINALFUNC = watermark.flink_bigint_var_samp,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.var_samp(bigint) IS
'variance, the values being a sample, as bigint, cut towards zero; an error if it does not fit';

CREATE FUNCTION watermark.flink_numeric_var_samp(internal)
RETURNS numeric
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_var_samp';

CREATE AGGREGATE flink.var_samp(numeric) (
	SFUNC = pg_catalog.numeric_accum,
	STYPE = internal,
	SSPACE = 128,
	FINALFUNC = watermark.flink_numeric_var_samp,
	COMBINEFUNC = pg_catalog.numeric_combine,
	SERIALFUNC = pg_catalog.numeric_serialize,
	DESERIALFUNC = pg_catalog.numeric_deserialize,
	MSFUNC = pg_catalog.numeric_accum,
	MINVFUNC = pg_catalog.numeric_accum_inv,
	MSTYPE = internal,
	MSSPACE = 128,
	MFINALFUNC = watermark.flink_numeric_var_samp,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.var_samp(numeric) IS
'variance, the values being a sample, as numeric of six places';

CREATE AGGREGATE flink.var_samp(double precision) (
	SFUNC = pg_catalog.float8_accum,
	STYPE = double precision[],
	INITCOND = '{0,0,0}',
	FINALFUNC = pg_catalog.float8_var_samp,
	COMBINEFUNC = pg_catalog.float8_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.var_samp(double precision) IS
'variance, the values being a sample';

CREATE FUNCTION watermark.flink_smallint_stddev_pop(internal)
RETURNS smallint
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_stddev_pop';

CREATE AGGREGATE flink.stddev_pop(smallint) (
	SFUNC = pg_catalog.int2_accum,
	STYPE = internal,
	SSPACE = 48,
	FINALFUNC = watermark.flink_smallint_stddev_pop,
	COMBINEFUNC = pg_catalog.numeric_poly_combine,
	SERIALFUNC = pg_catalog.numeric_poly_serialize,
	DESERIALFUNC = pg_catalog.numeric_poly_deserialize,
	MSFUNC = pg_catalog.int2_accum,
	MINVFUNC = pg_catalog.int2_accum_inv,
	MSTYPE = internal,
	MSSPACE = 48,
	MFINALFUNC = watermark.flink_smallint_stddev_pop,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.stddev_pop(smallint) IS
'standard deviation of all values, as smallint, cut towards zero; an error if it does not fit';

CREATE FUNCTION watermark.flink_integer_stddev_pop(internal)
RETURNS integer
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_stddev_pop';

CREATE AGGREGATE flink.stddev_pop(integer) (
	SFUNC = pg_catalog.int4_accum,
	STYPE = internal,
	SSPACE = 48,
	FINALFUNC = watermark.flink_integer_stddev_pop,
	COMBINEFUNC = pg_catalog.numeric_poly_combine,
	SERIALFUNC = pg_catalog.numeric_poly_serialize,
	DESERIALFUNC = pg_catalog.numeric_poly_deserialize,
	MSFUNC = pg_catalog.int4_accum,
	MINVFUNC = pg_catalog.int4_accum_inv,
	MSTYPE = internal,
	MSSPACE = 48,
	MFINALFUNC = watermark.flink_integer_stddev_pop,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.stddev_pop(integer) IS
'standard deviation of all values, as integer, cut towards zero; an error if it does not fit';

CREATE FUNCTION watermark.flink_bigint_stddev_pop(internal)
RETURNS bigint
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_stddev_pop';

CREATE AGGREGATE flink.stddev_pop(bigint) (
	SFUNC = pg_catalog.int8_accum,
	STYPE = internal,
	SSPACE = 128,
	FINALFUNC = watermark.flink_bigint_stddev_pop,
	COMBINEFUNC = pg_catalog.numeric_combine,
	SERIALFUNC = pg_catalog.numeric_serialize,
	DESERIALFUNC = pg_catalog.numeric_deserialize,
	MSFUNC = pg_catalog.int8_accum,
	MINVFUNC = pg_catalog.int8_accum_inv,
	MSTYPE = internal,
	MSSPACE = 128,
	MFINALFUNC = watermark.flink_bigint_stddev_pop,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.stddev_pop(bigint) IS
'standard deviation of all values, as bigint, cut towards zero; an error if it does not fit';

CREATE FUNCTION watermark.flink_numeric_stddev_pop(internal)
RETURNS numeric
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_stddev_pop';

CREATE AGGREGATE flink.stddev_pop(numeric) (
	SFUNC = pg_catalog.numeric_accum,
	STYPE = internal,
	SSPACE = 128,
	FINALFUNC = watermark.flink_numeric_stddev_pop,
	COMBINEFUNC = pg_catalog.numeric_combine,
	SERIALFUNC = pg_catalog.numeric_serialize,
	DESERIALFUNC = pg_catalog.numeric_deserialize,
	MSFUNC = pg_catalog.numeric_accum,
	MINVFUNC = pg_catalog.numeric_accum_inv,
	MSTYPE = internal,
	MSSPACE = 128,
	MFINALFUNC = watermark.flink_numeric_stddev_pop,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.stddev_pop(numeric) IS
'standard deviation of all values, as numeric of six places';

CREATE AGGREGATE flink.stddev_pop(double precision) (
	SFUNC = pg_catalog.float8_accum,
	STYPE = double precision[],
	INITCOND = '{0,0,0}',
	FINALFUNC = pg_catalog.float8_stddev_pop,
	COMBINEFUNC = pg_catalog.float8_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.stddev_pop(double precision) IS
'standard deviation of all values';

CREATE FUNCTION watermark.flink_smallint_stddev_samp(internal)
RETURNS smallint
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_stddev_samp';

CREATE AGGREGATE flink.stddev_samp(smallint) (
	SFUNC = pg_catalog.int2_accum,
	STYPE = internal,
	SSPACE = 48,
	FINALFUNC = watermark.flink_smallint_stddev_samp,
	COMBINEFUNC = pg_catalog.numeric_poly_combine,
	SERIALFUNC = pg_catalog.numeric_poly_serialize,
	DESERIALFUNC = pg_catalog.numeric_poly_deserialize,
	MSFUNC = pg_catalog.int2_accum,
	MINVFUNC = pg_catalog.int2_accum_inv,
	MSTYPE = internal,
	MSSPACE = 48,
	MFINALFUNC = watermark.flink_smallint_stddev_samp,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.stddev_samp(smallint) IS
'standard deviation, the values being a sample, as smallint, cut towards zero; an error if it does not fit';

CREATE FUNCTION watermark.flink_integer_stddev_samp(internal)
RETURNS integer
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_stddev_samp';

CREATE AGGREGATE flink.stddev_samp(integer) (
	SFUNC = pg_catalog.int4_accum,
	STYPE = internal,
	SSPACE = 48,
	FINALFUNC = watermark.flink_integer_stddev_samp,
	COMBINEFUNC = pg_catalog.numeric_poly_combine,
	SERIALFUNC = pg_catalog.numeric_poly_serialize,
	DESERIALFUNC = pg_catalog.numeric_poly_deserialize,
	MSFUNC = pg_catalog.int4_accum,
	MINVFUNC = pg_catalog.int4_accum_inv,
	MSTYPE = internal,
	MSSPACE = 48,
	MFINALFUNC = watermark.flink_integer_stddev_samp,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.stddev_samp(integer) IS
'standard deviation, the values being a sample, as integer, cut towards zero; an error if it does not fit';

CREATE FUNCTION watermark.flink_bigint_stddev_samp(internal)
RETURNS bigint
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_stddev_samp';

CREATE AGGREGATE flink.stddev_samp(bigint) (
	SFUNC = pg_catalog.int8_accum,
	STYPE = internal,
	SSPACE = 128,
	FINALFUNC = watermark.flink_bigint_stddev_samp,
	COMBINEFUNC = pg_catalog.numeric_combine,
	SERIALFUNC = pg_catalog.numeric_serialize,
	DESERIALFUNC = pg_catalog.numeric_deserialize,
	MSFUNC = pg_catalog.int8_accum,
	MINVFUNC = pg_catalog.int8_accum_inv,
	MSTYPE = internal,
	MSSPACE = 128,
	MFINALFUNC = watermark.flink_bigint_stddev_samp,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.stddev_samp(bigint) IS
'standard deviation, the values being a sample, as bigint, cut towards zero; an error if it does not fit';

CREATE FUNCTION watermark.flink_numeric_stddev_samp(internal)
RETURNS numeric
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_stddev_samp';

CREATE AGGREGATE flink.stddev_samp(numeric) (
	SFUNC = pg_catalog.numeric_accum,
	STYPE = internal,
	SSPACE = 128,
	FINALFUNC = watermark.flink_numeric_stddev_samp,
	COMBINEFUNC = pg_catalog.numeric_combine,
	SERIALFUNC = pg_catalog.numeric_serialize,
	DESERIALFUNC = pg_catalog.numeric_deserialize,
	MSFUNC = pg_catalog.numeric_accum,
	MINVFUNC = pg_catalog.numeric_accum_inv,
	MSTYPE = internal,
	MSSPACE = 128,
	MFINALFUNC = watermark.flink_numeric_stddev_samp,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.stddev_samp(numeric) IS
'standard deviation, the values being a sample, as numeric of six places';

CREATE AGGREGATE flink.stddev_samp(double precision) (
	SFUNC = pg_catalog.float8_accum,
	STYPE = double precision[],
	INITCOND = '{0,0,0}',
	FINALFUNC = pg_catalog.float8_stddev_samp,
	COMBINEFUNC = pg_catalog.float8_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE flink.stddev_samp(double precision) IS
'standard deviation, the values being a sample';

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
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value smallint)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::pg_catalog.text;

COMMENT ON FUNCTION flink.to_string(smallint) IS
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value integer)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::pg_catalog.text;

COMMENT ON FUNCTION flink.to_string(integer) IS
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value bigint)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::pg_catalog.text;

COMMENT ON FUNCTION flink.to_string(bigint) IS
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value numeric)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value::pg_catalog.text;

COMMENT ON FUNCTION flink.to_string(numeric) IS
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value boolean)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(boolean) IS
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value real)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(real) IS
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value double precision)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(double precision) IS
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value date)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(date) IS
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value time)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(time) IS
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value timestamp)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(timestamp) IS
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value timestamptz)
RETURNS text
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(timestamptz) IS
'value as text, as CAST(... AS STRING) in Flink; on the clock of the session';

CREATE FUNCTION flink.to_string(value interval)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(interval) IS
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value character)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(character) IS
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value bytea)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(bytea) IS
'value as text, as CAST(... AS STRING) in Flink';

CREATE FUNCTION flink.to_string(value anyelement)
RETURNS text
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_string';

COMMENT ON FUNCTION flink.to_string(anyelement) IS
'value as text, as CAST(... AS STRING) in Flink';

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
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE value WHEN true THEN 1::smallint WHEN false THEN 0::smallint END;

COMMENT ON FUNCTION flink.to_smallint(boolean) IS
'1 for true, 0 for false';

CREATE FUNCTION flink.to_smallint(value text)
RETURNS smallint
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_smallint';

COMMENT ON FUNCTION flink.to_smallint(text) IS
'value as smallint, its fraction cut; an error if it is no number';

CREATE FUNCTION flink.to_smallint(value jsonb)
RETURNS smallint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.to_smallint(value OPERATOR(pg_catalog.#>>) '{}');

COMMENT ON FUNCTION flink.to_smallint(jsonb) IS
'value of a map as smallint; an error if it is none';

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
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE value WHEN true THEN 1::integer WHEN false THEN 0::integer END;

COMMENT ON FUNCTION flink.to_integer(boolean) IS
'1 for true, 0 for false';

CREATE FUNCTION flink.to_integer(value text)
RETURNS integer
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_integer';

COMMENT ON FUNCTION flink.to_integer(text) IS
'value as integer, its fraction cut; an error if it is no number';

CREATE FUNCTION flink.to_integer(value jsonb)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.to_integer(value OPERATOR(pg_catalog.#>>) '{}');

COMMENT ON FUNCTION flink.to_integer(jsonb) IS
'value of a map as integer; an error if it is none';

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
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE value WHEN true THEN 1::bigint WHEN false THEN 0::bigint END;

COMMENT ON FUNCTION flink.to_bigint(boolean) IS
'1 for true, 0 for false';

CREATE FUNCTION flink.to_bigint(value text)
RETURNS bigint
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_bigint';

COMMENT ON FUNCTION flink.to_bigint(text) IS
'value as bigint, its fraction cut; an error if it is no number';

CREATE FUNCTION flink.to_bigint(value jsonb)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.to_bigint(value OPERATOR(pg_catalog.#>>) '{}');

COMMENT ON FUNCTION flink.to_bigint(jsonb) IS
'value of a map as bigint; an error if it is none';

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

CREATE FUNCTION flink.trunc(ts time, "precision" integer)
RETURNS timestamp
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.trunc('epoch'::timestamp OPERATOR(pg_catalog.+) ts, "precision");

COMMENT ON FUNCTION flink.trunc(time, integer) IS
'the time of the day 1970-01-01, with so many digits of its second';

-- CAST(x AS TIME(p)) cuts too, and reads nothing but a time.

CREATE FUNCTION flink.to_time(value text, "precision" integer)
RETURNS time
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_time';

COMMENT ON FUNCTION flink.to_time(text, integer) IS
'the time of day that a text says, with so many digits of its second; an error if it says none';

CREATE FUNCTION flink.to_time(ts timestamp, "precision" integer)
RETURNS time
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.trunc(ts, "precision")::time;

COMMENT ON FUNCTION flink.to_time(timestamp, integer) IS
'the time of day, with so many digits of its second';

CREATE FUNCTION flink.to_time(ts timestamptz, "precision" integer)
RETURNS time
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.trunc(ts, "precision")::time;

COMMENT ON FUNCTION flink.to_time(timestamptz, integer) IS
'the time of day in the zone of the session, with so many digits of its second';

CREATE FUNCTION flink.to_time(ts time, "precision" integer)
RETURNS time
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.trunc(ts, "precision")::time;

COMMENT ON FUNCTION flink.to_time(time, integer) IS
'the time of day, with so many digits of its second';

-- CAST(x AS BOOLEAN) takes fewer words than PostgreSQL, and more numbers.

CREATE FUNCTION flink.to_boolean(value text)
RETURNS boolean
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_boolean';

COMMENT ON FUNCTION flink.to_boolean(text) IS
'value as boolean: true, t, yes, y or 1, false, f, no, n or 0; an error if it is none of them';

CREATE FUNCTION flink.to_boolean(value jsonb)
RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.to_boolean(value OPERATOR(pg_catalog.#>>) '{}');

COMMENT ON FUNCTION flink.to_boolean(jsonb) IS
'value of a map as boolean; an error if it is none';

CREATE FUNCTION flink.to_boolean(value boolean)
RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.to_boolean(boolean) IS
'value';

CREATE FUNCTION flink.to_boolean(value bigint)
RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value OPERATOR(pg_catalog.<>) 0::bigint;

COMMENT ON FUNCTION flink.to_boolean(bigint) IS
'whether a number is other than 0';

CREATE FUNCTION flink.to_boolean(value numeric)
RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value OPERATOR(pg_catalog.<>) 0::numeric;

COMMENT ON FUNCTION flink.to_boolean(numeric) IS
'whether a number is other than 0';

CREATE FUNCTION flink.to_boolean(value double precision)
RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value OPERATOR(pg_catalog.<>) 0::double precision;

COMMENT ON FUNCTION flink.to_boolean(double precision) IS
'whether a number is other than 0';

-- CAST(x AS BYTES): a text is its bytes, backslashes included.

CREATE FUNCTION flink.to_bytes(value text)
RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.convert_to(value, 'UTF8');

COMMENT ON FUNCTION flink.to_bytes(text) IS
'bytes of a text in UTF-8';

CREATE FUNCTION flink.to_bytes(value bytea)
RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.to_bytes(bytea) IS
'value';

CREATE FUNCTION flink.to_bytes(value bytea, length integer)
RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.substring(value, 1, length);

COMMENT ON FUNCTION flink.to_bytes(bytea, integer) IS
'value, its bytes past so many cut';

CREATE FUNCTION flink.to_bytes(value text, length integer)
RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.to_bytes(pg_catalog.convert_to(value, 'UTF8'), length);

COMMENT ON FUNCTION flink.to_bytes(text, integer) IS
'bytes of a text in UTF-8, those past so many cut';

CREATE FUNCTION flink.to_binary(value bytea, length integer)
RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.substring(value OPERATOR(pg_catalog.||)
	pg_catalog.decode(pg_catalog.repeat('00', length), 'hex'), 1, length);

COMMENT ON FUNCTION flink.to_binary(bytea, integer) IS
'value, cut or filled with zeros to so many bytes';

CREATE FUNCTION flink.to_binary(value text, length integer)
RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.to_binary(pg_catalog.convert_to(value, 'UTF8'), length);

COMMENT ON FUNCTION flink.to_binary(text, integer) IS
'bytes of a text in UTF-8, cut or filled with zeros to so many';

-- Not in parallel plans: PostgreSQL 15 catches errors in subtransactions alone.

CREATE FUNCTION flink.try_cast(value text, "like" anyelement)
RETURNS anyelement
LANGUAGE c STABLE PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_try_cast';

COMMENT ON FUNCTION flink.try_cast(text, anyelement) IS
'value in the type of the second argument, NULL if it is no such value';

CREATE FUNCTION flink.try_cast(value character, "like" anyelement)
RETURNS anyelement
LANGUAGE c STABLE PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_try_cast';

COMMENT ON FUNCTION flink.try_cast(character, anyelement) IS
'value in the type of the second argument, NULL if it is no such value';

CREATE FUNCTION flink.try_cast(value "any", "like" anyelement)
RETURNS anyelement
LANGUAGE c STABLE PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_try_cast';

COMMENT ON FUNCTION flink.try_cast("any", anyelement) IS
'value in the type of the second argument, NULL if it is no such value';

--
-- Time
--

-- Text by the patterns of Java.  The zone of the session is TimeZone.

CREATE FUNCTION flink.to_timestamp(value text)
RETURNS timestamp
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_timestamp';

COMMENT ON FUNCTION flink.to_timestamp(text) IS
'time of a text as 2024-12-31 23:59:59.999, NULL if it is none';

CREATE FUNCTION flink.to_timestamp(value text, format text)
RETURNS timestamp
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_timestamp_format';

COMMENT ON FUNCTION flink.to_timestamp(text, text) IS
'time of a text by a pattern, NULL if it does not fit';

CREATE FUNCTION flink.to_timestamp_ltz(value bigint, "precision" integer)
RETURNS timestamptz
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_timestamp_ltz';

COMMENT ON FUNCTION flink.to_timestamp_ltz(bigint, integer) IS
'point in time from 10^-precision seconds since 1970';

CREATE FUNCTION flink.to_timestamp_ltz(value integer, "precision" integer)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.to_timestamp_ltz(value::bigint, "precision");

COMMENT ON FUNCTION flink.to_timestamp_ltz(integer, integer) IS
'point in time from 10^-precision seconds since 1970';

CREATE FUNCTION flink.to_timestamp_ltz(value numeric, "precision" integer)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.to_timestamp_ltz(pg_catalog.trunc(value)::bigint, "precision");

COMMENT ON FUNCTION flink.to_timestamp_ltz(numeric, integer) IS
'point in time from whole 10^-precision seconds since 1970';

CREATE FUNCTION flink.to_timestamp_ltz(value double precision, "precision" integer)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.to_timestamp_ltz(pg_catalog.floor(value OPERATOR(pg_catalog.*) pg_catalog.power(10, 3 OPERATOR(pg_catalog.-) "precision"))::bigint, 3);

COMMENT ON FUNCTION flink.to_timestamp_ltz(double precision, integer) IS
'point in time from 10^-precision seconds since 1970, with milliseconds';

CREATE FUNCTION flink.to_timestamp_ltz(value bigint)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.to_timestamp_ltz(value, 3);

COMMENT ON FUNCTION flink.to_timestamp_ltz(bigint) IS
'point in time from milliseconds since 1970';

CREATE FUNCTION flink.to_timestamp_ltz(value text)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.timezone('UTC', flink.to_timestamp(value));

COMMENT ON FUNCTION flink.to_timestamp_ltz(text) IS
'point in time of a text in UTC, NULL if it is none';

CREATE FUNCTION flink.to_timestamp_ltz(value text, format text)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.timezone('UTC', flink.to_timestamp(value, format));

COMMENT ON FUNCTION flink.to_timestamp_ltz(text, text) IS
'point in time of a text in UTC by a pattern, NULL if it does not fit';

CREATE FUNCTION flink.to_timestamp_ltz(value text, format text, zone text)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.timezone(zone, flink.to_timestamp(value, format));

COMMENT ON FUNCTION flink.to_timestamp_ltz(text, text, text) IS
'point in time of a text in a time zone by a pattern, NULL if it does not fit';

CREATE FUNCTION flink.to_date(value text)
RETURNS date
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_date';

COMMENT ON FUNCTION flink.to_date(text) IS
'day of a text as 2024-12-31, NULL if it is none';

CREATE FUNCTION flink.to_date(value text, format text)
RETURNS date
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_date_format';

COMMENT ON FUNCTION flink.to_date(text, text) IS
'day of a text by a pattern, NULL if it does not fit';

CREATE FUNCTION flink.from_unixtime(seconds bigint, format text)
RETURNS text
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_from_unixtime';

COMMENT ON FUNCTION flink.from_unixtime(bigint, text) IS
'seconds since 1970 as text by a pattern, on the clock of the session';

CREATE FUNCTION flink.from_unixtime(seconds bigint)
RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.from_unixtime(seconds, 'yyyy-MM-dd HH:mm:ss');

COMMENT ON FUNCTION flink.from_unixtime(bigint) IS
'seconds since 1970 as text, on the clock of the session';

CREATE FUNCTION flink.unix_timestamp(value text, format text)
RETURNS bigint
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_unix_timestamp';

COMMENT ON FUNCTION flink.unix_timestamp(text, text) IS
'seconds since 1970 of a text by a pattern, on the clock of the session; the least bigint if it does not fit';

CREATE FUNCTION flink.unix_timestamp(value text)
RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.unix_timestamp(value, 'yyyy-MM-dd HH:mm:ss');

COMMENT ON FUNCTION flink.unix_timestamp(text) IS
'seconds since 1970 of a text, on the clock of the session; the least bigint if it is no time';

CREATE FUNCTION flink.unix_timestamp()
RETURNS bigint
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN pg_catalog.floor(pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()))::bigint;

COMMENT ON FUNCTION flink.unix_timestamp() IS
'seconds since 1970 of the present';

CREATE FUNCTION flink.date_format(ts timestamp, format text)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_date_format';

COMMENT ON FUNCTION flink.date_format(timestamp, text) IS
'time as text by a pattern';

CREATE FUNCTION flink.date_format(ts timestamptz, format text)
RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.date_format(ts::timestamp, format);

COMMENT ON FUNCTION flink.date_format(timestamptz, text) IS
'time on the clock of the session as text by a pattern';

CREATE FUNCTION flink.date_format(value text, format text)
RETURNS text
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_date_format_text';

COMMENT ON FUNCTION flink.date_format(text, text) IS
'time of a text as text by a pattern, NULL if it is no time';

CREATE FUNCTION flink.convert_tz(value text, from_zone text, to_zone text)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_convert_tz';

COMMENT ON FUNCTION flink.convert_tz(text, text, text) IS
'time on the clock of one zone as that on the clock of another, NULL if it is no time';

-- Arithmetic by units: SECOND, MINUTE, HOUR, DAY, WEEK, MONTH, QUARTER, YEAR, and others.

CREATE FUNCTION flink.timestampdiff(unit text, from_ts timestamp, to_ts timestamp)
RETURNS integer
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_timestampdiff';

COMMENT ON FUNCTION flink.timestampdiff(text, timestamp, timestamp) IS
'whole units from one time to another';

CREATE FUNCTION flink.timestampdiff(unit text, from_ts timestamptz, to_ts timestamptz)
RETURNS integer
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_timestampdiff_ltz';

COMMENT ON FUNCTION flink.timestampdiff(text, timestamptz, timestamptz) IS
'whole units from one point in time to another';

CREATE FUNCTION flink.timestampdiff(unit text, from_ts date, to_ts date)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.timestampdiff(unit, from_ts::timestamp, to_ts::timestamp);

COMMENT ON FUNCTION flink.timestampdiff(text, date, date) IS
'whole units from one day to another';

CREATE FUNCTION flink.timestampadd(unit text, count bigint, ts timestamp)
RETURNS timestamp
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_timestampadd';

COMMENT ON FUNCTION flink.timestampadd(text, bigint, timestamp) IS
'time so many units later';

CREATE FUNCTION flink.timestampadd(unit text, count bigint, ts timestamptz)
RETURNS timestamptz
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_timestampadd_ltz';

COMMENT ON FUNCTION flink.timestampadd(text, bigint, timestamptz) IS
'point in time so many units later';

CREATE FUNCTION flink.timestampadd(unit text, count bigint, ts date)
RETURNS date
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_timestampadd_date';

COMMENT ON FUNCTION flink.timestampadd(text, bigint, date) IS
'day so many units later';

CREATE FUNCTION flink.timestampadd(unit text, count bigint, ts time)
RETURNS time
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.timestampadd(unit, count, 'epoch'::timestamp OPERATOR(pg_catalog.+) ts)::time;

COMMENT ON FUNCTION flink.timestampadd(text, bigint, time) IS
'time of day and so many units, past midnight from the beginning';

-- A date and an interval are a date; the part of a day in the interval is dropped.

CREATE FUNCTION flink.date_plus(day date, span interval)
RETURNS date
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (day OPERATOR(pg_catalog.+) pg_catalog.date_trunc('month', span))::date OPERATOR(pg_catalog.+)
	pg_catalog.trunc(EXTRACT(epoch FROM span OPERATOR(pg_catalog.-) pg_catalog.date_trunc('month', span))
		OPERATOR(pg_catalog./) 86400)::integer;

COMMENT ON FUNCTION flink.date_plus(date, interval) IS
'the date an interval later';

CREATE FUNCTION flink.date_minus(day date, span interval)
RETURNS date
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.date_plus(day, OPERATOR(pg_catalog.-) span);

COMMENT ON FUNCTION flink.date_minus(date, interval) IS
'the date an interval earlier';

CREATE FUNCTION flink.floor(ts timestamp, unit text)
RETURNS timestamp
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_floor';

COMMENT ON FUNCTION flink.floor(timestamp, text) IS
'beginning of the unit that holds the time';

CREATE FUNCTION flink.floor(ts timestamptz, unit text)
RETURNS timestamptz
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_floor_ltz';

COMMENT ON FUNCTION flink.floor(timestamptz, text) IS
'beginning of the unit that holds the time, on the clock of the session';

CREATE FUNCTION flink.floor(ts date, unit text)
RETURNS date
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.floor(ts::timestamp, unit)::date;

COMMENT ON FUNCTION flink.floor(date, text) IS
'beginning of the unit that holds the time';

CREATE FUNCTION flink.floor(ts time, unit text)
RETURNS time
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.floor('epoch'::timestamp OPERATOR(pg_catalog.+) ts, unit)::time;

COMMENT ON FUNCTION flink.floor(time, text) IS
'beginning of the unit that a time of day is in';

CREATE FUNCTION flink.ceil(ts timestamp, unit text)
RETURNS timestamp
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_ceil';

COMMENT ON FUNCTION flink.ceil(timestamp, text) IS
'beginning of the first unit not before the time';

CREATE FUNCTION flink.ceil(ts timestamptz, unit text)
RETURNS timestamptz
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_ceil_ltz';

COMMENT ON FUNCTION flink.ceil(timestamptz, text) IS
'beginning of the first unit not before the time, on the clock of the session';

CREATE FUNCTION flink.ceil(ts date, unit text)
RETURNS date
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.ceil(ts::timestamp, unit)::date;

COMMENT ON FUNCTION flink.ceil(date, text) IS
'beginning of the first unit not before the time';

CREATE FUNCTION flink.extract(unit text, ts timestamp)
RETURNS bigint
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_extract';

COMMENT ON FUNCTION flink.extract(text, timestamp) IS
'field of a time, as a whole number';

CREATE FUNCTION flink.extract(unit text, ts timestamptz)
RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.extract(unit, ts::timestamp);

COMMENT ON FUNCTION flink.extract(text, timestamptz) IS
'field of a time on the clock of the session, as a whole number';

CREATE FUNCTION flink.extract(unit text, ts date)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract(unit, ts::timestamp);

COMMENT ON FUNCTION flink.extract(text, date) IS
'field of a day, as a whole number';

CREATE FUNCTION flink.extract(unit text, ts time)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract(unit, '1970-01-01'::date OPERATOR(pg_catalog.+) ts);

COMMENT ON FUNCTION flink.extract(text, time) IS
'field of a time of day, as a whole number';

CREATE FUNCTION flink.extract(unit text, value interval)
RETURNS bigint
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_extract_interval';

COMMENT ON FUNCTION flink.extract(text, interval) IS
'field of an interval, as a whole number';

CREATE FUNCTION flink.year(ts timestamp)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('YEAR', ts);

COMMENT ON FUNCTION flink.year(timestamp) IS
'year';

CREATE FUNCTION flink.year(ts timestamptz)
RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.extract('YEAR', ts);

COMMENT ON FUNCTION flink.year(timestamptz) IS
'year, on the clock of the session';

CREATE FUNCTION flink.year(ts date)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('YEAR', ts);

COMMENT ON FUNCTION flink.year(date) IS
'year';

CREATE FUNCTION flink.quarter(ts timestamp)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('QUARTER', ts);

COMMENT ON FUNCTION flink.quarter(timestamp) IS
'quarter of the year';

CREATE FUNCTION flink.quarter(ts timestamptz)
RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.extract('QUARTER', ts);

COMMENT ON FUNCTION flink.quarter(timestamptz) IS
'quarter of the year, on the clock of the session';

CREATE FUNCTION flink.quarter(ts date)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('QUARTER', ts);

COMMENT ON FUNCTION flink.quarter(date) IS
'quarter of the year';

CREATE FUNCTION flink.month(ts timestamp)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('MONTH', ts);

COMMENT ON FUNCTION flink.month(timestamp) IS
'month of the year';

CREATE FUNCTION flink.month(ts timestamptz)
RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.extract('MONTH', ts);

COMMENT ON FUNCTION flink.month(timestamptz) IS
'month of the year, on the clock of the session';

CREATE FUNCTION flink.month(ts date)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('MONTH', ts);

COMMENT ON FUNCTION flink.month(date) IS
'month of the year';

CREATE FUNCTION flink.week(ts timestamp)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('WEEK', ts);

COMMENT ON FUNCTION flink.week(timestamp) IS
'ISO week of the year';

CREATE FUNCTION flink.week(ts timestamptz)
RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.extract('WEEK', ts);

COMMENT ON FUNCTION flink.week(timestamptz) IS
'ISO week of the year, on the clock of the session';

CREATE FUNCTION flink.week(ts date)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('WEEK', ts);

COMMENT ON FUNCTION flink.week(date) IS
'ISO week of the year';

CREATE FUNCTION flink.dayofyear(ts timestamp)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('DOY', ts);

COMMENT ON FUNCTION flink.dayofyear(timestamp) IS
'day of the year';

CREATE FUNCTION flink.dayofyear(ts timestamptz)
RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.extract('DOY', ts);

COMMENT ON FUNCTION flink.dayofyear(timestamptz) IS
'day of the year, on the clock of the session';

CREATE FUNCTION flink.dayofyear(ts date)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('DOY', ts);

COMMENT ON FUNCTION flink.dayofyear(date) IS
'day of the year';

CREATE FUNCTION flink.dayofmonth(ts timestamp)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('DAY', ts);

COMMENT ON FUNCTION flink.dayofmonth(timestamp) IS
'day of the month';

CREATE FUNCTION flink.dayofmonth(ts timestamptz)
RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.extract('DAY', ts);

COMMENT ON FUNCTION flink.dayofmonth(timestamptz) IS
'day of the month, on the clock of the session';

CREATE FUNCTION flink.dayofmonth(ts date)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('DAY', ts);

COMMENT ON FUNCTION flink.dayofmonth(date) IS
'day of the month';

CREATE FUNCTION flink.dayofweek(ts timestamp)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('DOW', ts);

COMMENT ON FUNCTION flink.dayofweek(timestamp) IS
'day of the week, Sunday being 1';

CREATE FUNCTION flink.dayofweek(ts timestamptz)
RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.extract('DOW', ts);

COMMENT ON FUNCTION flink.dayofweek(timestamptz) IS
'day of the week, Sunday being 1, on the clock of the session';

CREATE FUNCTION flink.dayofweek(ts date)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('DOW', ts);

COMMENT ON FUNCTION flink.dayofweek(date) IS
'day of the week, Sunday being 1';

CREATE FUNCTION flink.hour(ts timestamp)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('HOUR', ts);

COMMENT ON FUNCTION flink.hour(timestamp) IS
'hour of the day';

CREATE FUNCTION flink.hour(ts timestamptz)
RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.extract('HOUR', ts);

COMMENT ON FUNCTION flink.hour(timestamptz) IS
'hour of the day, on the clock of the session';

CREATE FUNCTION flink.hour(ts time)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('HOUR', ts);

COMMENT ON FUNCTION flink.hour(time) IS
'hour of the day';

CREATE FUNCTION flink.minute(ts timestamp)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('MINUTE', ts);

COMMENT ON FUNCTION flink.minute(timestamp) IS
'minute of the hour';

CREATE FUNCTION flink.minute(ts timestamptz)
RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.extract('MINUTE', ts);

COMMENT ON FUNCTION flink.minute(timestamptz) IS
'minute of the hour, on the clock of the session';

CREATE FUNCTION flink.minute(ts time)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('MINUTE', ts);

COMMENT ON FUNCTION flink.minute(time) IS
'minute of the hour';

CREATE FUNCTION flink.second(ts timestamp)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('SECOND', ts);

COMMENT ON FUNCTION flink.second(timestamp) IS
'second of the minute';

CREATE FUNCTION flink.second(ts timestamptz)
RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN flink.extract('SECOND', ts);

COMMENT ON FUNCTION flink.second(timestamptz) IS
'second of the minute, on the clock of the session';

CREATE FUNCTION flink.second(ts time)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.extract('SECOND', ts);

COMMENT ON FUNCTION flink.second(time) IS
'second of the minute';

-- The present.  A statement is what Flink calls a query of a batch: its time stands still.

CREATE FUNCTION flink.now()
RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
RETURN pg_catalog.date_trunc('milliseconds', pg_catalog.statement_timestamp());

COMMENT ON FUNCTION flink.now() IS
'time at which the statement began, in milliseconds';

CREATE FUNCTION flink."localtimestamp"()
RETURNS timestamp
LANGUAGE sql STABLE PARALLEL SAFE
RETURN flink.now()::timestamp;

COMMENT ON FUNCTION flink."localtimestamp"() IS
'time at which the statement began, in milliseconds on the clock of the session';

CREATE FUNCTION flink.current_row_timestamp()
RETURNS timestamptz
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN pg_catalog.date_trunc('milliseconds', pg_catalog.clock_timestamp());

COMMENT ON FUNCTION flink.current_row_timestamp() IS
'the present, in milliseconds, for each row';

CREATE FUNCTION flink.current_watermark(rowtime timestamp)
RETURNS timestamp
LANGUAGE sql STABLE PARALLEL SAFE
RETURN NULL::timestamp;

COMMENT ON FUNCTION flink.current_watermark(timestamp) IS
'watermark at a row; NULL where there is none, as in a query by hand';

CREATE FUNCTION flink.current_watermark(rowtime timestamptz)
RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
RETURN NULL::timestamptz;

COMMENT ON FUNCTION flink.current_watermark(timestamptz) IS
'watermark at a row; NULL where there is none, as in a query by hand';

--
-- Conditions and collections
--

CREATE FUNCTION flink.least(VARIADIC "values" anycompatiblearray)
RETURNS anycompatible
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_least';

COMMENT ON FUNCTION flink.least(VARIADIC anycompatiblearray) IS
'least of the values, NULL if any of them is';

CREATE FUNCTION flink.greatest(VARIADIC "values" anycompatiblearray)
RETURNS anycompatible
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_greatest';

COMMENT ON FUNCTION flink.greatest(VARIADIC anycompatiblearray) IS
'greatest of the values, NULL if any of them is';

--
-- Text
--

CREATE FUNCTION flink.concat(VARIADIC parts text[])
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_concat';

COMMENT ON FUNCTION flink.concat(VARIADIC text[]) IS
'the parts one after the other, NULL if any of them is';

CREATE FUNCTION flink.concat_ws(separator text, VARIADIC parts text[])
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_concat_ws';

COMMENT ON FUNCTION flink.concat_ws(text, VARIADIC text[]) IS
'the parts that are not NULL, with a separator between them';

CREATE FUNCTION flink.split_index(value text, separator text, index integer)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN index OPERATOR(pg_catalog.>=) 0 AND value OPERATOR(pg_catalog.<>) '' THEN (pg_catalog.string_to_array(value, separator))[index OPERATOR(pg_catalog.+) 1] END;

COMMENT ON FUNCTION flink.split_index(text, text, integer) IS
'part of a text between separators, counted from 0; NULL if there is none';

CREATE FUNCTION flink.split_index(value text, separator integer, index integer)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.split_index(value, pg_catalog.chr(separator), index);

COMMENT ON FUNCTION flink.split_index(text, integer, integer) IS
'part of a text between characters of a code, counted from 0; NULL if there is none';

CREATE FUNCTION flink.regexp_replace(value text, regex text, replacement text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.regexp_replace(value, regex, pg_catalog.replace(replacement, '\', '\\'), 'g');

COMMENT ON FUNCTION flink.regexp_replace(text, text, text) IS
'value, each match replaced by a text';

CREATE FUNCTION flink.regexp_extract(value text, regex text, "group" integer)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN "group" OPERATOR(pg_catalog.>=) 0 THEN pg_catalog.regexp_substr(value, regex, 1, 1, '', "group") END;

COMMENT ON FUNCTION flink.regexp_extract(text, text, integer) IS
'part of the first match, 0 being all of it; NULL if there is none';

CREATE FUNCTION flink.regexp_extract(value text, regex text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.regexp_extract(value, regex, 0);

COMMENT ON FUNCTION flink.regexp_extract(text, text) IS
'first match, NULL if there is none';

CREATE FUNCTION flink.regexp(value text, regex text)
RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value OPERATOR(pg_catalog.~) regex AND regex OPERATOR(pg_catalog.<>) '';

COMMENT ON FUNCTION flink.regexp(text, text) IS
'whether a text has a match; none of an empty expression';

CREATE FUNCTION flink.locate(part text, value text)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.strpos(value, part);

COMMENT ON FUNCTION flink.locate(text, text) IS
'where the part begins first, counted from 1; 0 if nowhere';

CREATE FUNCTION flink.locate(part text, value text, start integer)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN start OPERATOR(pg_catalog.<=) 1 THEN pg_catalog.strpos(value, part) WHEN pg_catalog.strpos(pg_catalog.substr(value, start), part) OPERATOR(pg_catalog.>) 0 THEN pg_catalog.strpos(pg_catalog.substr(value, start), part) OPERATOR(pg_catalog.+) start OPERATOR(pg_catalog.-) 1 ELSE 0 END;

COMMENT ON FUNCTION flink.locate(text, text, integer) IS
'where the part begins first from a position on, counted from 1; 0 if nowhere';

CREATE FUNCTION flink.instr(value text, part text)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.strpos(value, part);

COMMENT ON FUNCTION flink.instr(text, text) IS
'where the part begins first, counted from 1; 0 if nowhere';

CREATE FUNCTION flink.instr(value text, part text, start integer)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.locate(part, value, start);

COMMENT ON FUNCTION flink.instr(text, text, integer) IS
'where the part begins first from a position on, counted from 1; 0 if nowhere';

CREATE FUNCTION flink.substring(value text, start integer)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN start OPERATOR(pg_catalog.>) 0 THEN pg_catalog.substr(value, start) WHEN start OPERATOR(pg_catalog.=) 0 THEN value WHEN start OPERATOR(pg_catalog.+) pg_catalog.length(value) OPERATOR(pg_catalog.<) 0 THEN '' ELSE pg_catalog.substr(value, start OPERATOR(pg_catalog.+) pg_catalog.length(value) OPERATOR(pg_catalog.+) 1) END;

COMMENT ON FUNCTION flink.substring(text, integer) IS
'rest of a text; a negative start counts from its end';

CREATE FUNCTION flink.substring(value text, start integer, length integer)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN length OPERATOR(pg_catalog.>=) 0 THEN pg_catalog.substr(flink.substring(value, start), 1, length) END;

COMMENT ON FUNCTION flink.substring(text, integer, integer) IS
'part of a text; a negative start counts from its end';

CREATE FUNCTION flink.substr(value text, start integer)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN start OPERATOR(pg_catalog.>) 0 THEN pg_catalog.substr(value, start) WHEN start OPERATOR(pg_catalog.=) 0 THEN value WHEN start OPERATOR(pg_catalog.+) pg_catalog.length(value) OPERATOR(pg_catalog.<) 0 THEN '' ELSE pg_catalog.substr(value, start OPERATOR(pg_catalog.+) pg_catalog.length(value) OPERATOR(pg_catalog.+) 1) END;

COMMENT ON FUNCTION flink.substr(text, integer) IS
'rest of a text; a negative start counts from its end';

CREATE FUNCTION flink.substr(value text, start integer, length integer)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN length OPERATOR(pg_catalog.>=) 0 THEN pg_catalog.substr(flink.substr(value, start), 1, length) END;

COMMENT ON FUNCTION flink.substr(text, integer, integer) IS
'part of a text; a negative start counts from its end';

CREATE FUNCTION flink.left(value text, length integer)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.left(value, CASE WHEN length OPERATOR(pg_catalog.>) 0 THEN length ELSE 0 END);

COMMENT ON FUNCTION flink.left(text, integer) IS
'beginning of a text; none of a negative length';

CREATE FUNCTION flink.right(value text, length integer)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.right(value, CASE WHEN length OPERATOR(pg_catalog.>) 0 THEN length ELSE 0 END);

COMMENT ON FUNCTION flink.right(text, integer) IS
'end of a text; none of a negative length';

CREATE FUNCTION flink.lpad(value text, length integer, pad text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN length OPERATOR(pg_catalog.>=) 0 AND pad OPERATOR(pg_catalog.<>) '' THEN pg_catalog.lpad(value, length, pad) END;

COMMENT ON FUNCTION flink.lpad(text, integer, text) IS
'value brought to a length by a pad before it; NULL if the length is negative or the pad empty';

CREATE FUNCTION flink.rpad(value text, length integer, pad text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN length OPERATOR(pg_catalog.>=) 0 AND pad OPERATOR(pg_catalog.<>) '' THEN pg_catalog.rpad(value, length, pad) END;

COMMENT ON FUNCTION flink.rpad(text, integer, text) IS
'value brought to a length by a pad behind it; NULL if the length is negative or the pad empty';

CREATE FUNCTION flink.endswith(value text, part text)
RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.right(value, pg_catalog.length(part)) OPERATOR(pg_catalog.=) part;

COMMENT ON FUNCTION flink.endswith(text, text) IS
'whether a text ends with another';

CREATE FUNCTION flink.ascii(value text)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE value
	WHEN '' THEN 0
	ELSE (pg_catalog.get_byte(pg_catalog.convert_to(value, 'UTF8'), 0) OPERATOR(pg_catalog.+) 128) OPERATOR(pg_catalog.%) 256 OPERATOR(pg_catalog.-) 128
END;

COMMENT ON FUNCTION flink.ascii(text) IS
'first byte of a text in UTF-8, from -128 to 127; 0 for the empty text';

CREATE FUNCTION flink.chr(code bigint)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE
	WHEN code OPERATOR(pg_catalog.<) 0 THEN ''
	ELSE pg_catalog.chr((code OPERATOR(pg_catalog.%) 256)::integer)
END;

COMMENT ON FUNCTION flink.chr(bigint) IS
'character of a code modulo 256; the empty text for a negative one';

CREATE FUNCTION flink.replace(value text, part text, replacement text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE part
	WHEN '' THEN pg_catalog.regexp_replace(value, '', pg_catalog.replace(replacement, E'\\', E'\\\\'), 'g')
	ELSE pg_catalog.replace(value, part, replacement)
END;

COMMENT ON FUNCTION flink.replace(text, text, text) IS
'text with every part replaced; the empty part is between all characters';

CREATE FUNCTION flink.overlay(value text, replacement text, start integer, length integer)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE
	WHEN start OPERATOR(pg_catalog.<=) 0 OR start OPERATOR(pg_catalog.>) pg_catalog.length(value) THEN value
	WHEN length OPERATOR(pg_catalog.<=) 0 THEN pg_catalog.substr(value, 1, start OPERATOR(pg_catalog.-) 1) OPERATOR(pg_catalog.||) replacement
	ELSE pg_catalog.overlay(value, replacement, start, length)
END;

COMMENT ON FUNCTION flink.overlay(text, text, integer, integer) IS
'text with a number of characters from a position replaced; the rest of it if the number is not positive, nothing outside of the text';

CREATE FUNCTION flink.overlay(value text, replacement text, start integer)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.overlay(value, replacement, start, pg_catalog.length(replacement));

COMMENT ON FUNCTION flink.overlay(text, text, integer) IS
'text with as many characters from a position replaced as the replacement has';

CREATE FUNCTION flink.unhex(value text)
RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE
	WHEN value OPERATOR(pg_catalog.!~) '^[0-9A-Fa-f]*$' THEN NULL
	WHEN pg_catalog.length(value) OPERATOR(pg_catalog.%) 2 OPERATOR(pg_catalog.=) 0 THEN pg_catalog.decode(value, 'hex')
	ELSE pg_catalog.decode('00' OPERATOR(pg_catalog.||) pg_catalog.substr(value, 2), 'hex')
END;

COMMENT ON FUNCTION flink.unhex(text) IS
'bytes of a text in hexadecimal, NULL if it is none; the first digit of an odd number is taken for 00';

CREATE FUNCTION flink.encode(value text, encoding text)
RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.convert_to(value, encoding::name);

COMMENT ON FUNCTION flink.encode(text, text) IS
'bytes of a text in an encoding';

CREATE FUNCTION flink.decode(value bytea, encoding text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.convert_from(value, encoding::name);

COMMENT ON FUNCTION flink.decode(bytea, text) IS
'text of bytes in an encoding';

CREATE FUNCTION flink.elt(index integer, VARIADIC parts text[])
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN parts[index];

COMMENT ON FUNCTION flink.elt(integer, VARIADIC text[]) IS
'part of an index, counted from 1; NULL if there is none';

CREATE FUNCTION flink.is_alpha(value text)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN COALESCE(value OPERATOR(pg_catalog.~) '^[[:alpha:]]+$', false);

COMMENT ON FUNCTION flink.is_alpha(text) IS
'whether a text is letters alone; false for NULL';

CREATE FUNCTION flink.is_digit(value text)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN COALESCE(value OPERATOR(pg_catalog.~) '^[0-9]+$', false);

COMMENT ON FUNCTION flink.is_digit(text) IS
'whether a text is digits alone; false for NULL';

CREATE FUNCTION flink.is_decimal(value text)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN COALESCE(value OPERATOR(pg_catalog.~) '^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$', false);

COMMENT ON FUNCTION flink.is_decimal(text) IS
'whether a text is a number; false for NULL';

--
-- Numbers
--

CREATE FUNCTION flink.truncate(value numeric, places integer)
RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value, places);

COMMENT ON FUNCTION flink.truncate(numeric, integer) IS
'number cut to decimal places';

CREATE FUNCTION flink.truncate(value numeric)
RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value);

COMMENT ON FUNCTION flink.truncate(numeric) IS
'number cut to a whole one';

CREATE FUNCTION flink.truncate(value double precision, places integer)
RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value::numeric, places)::double precision;

COMMENT ON FUNCTION flink.truncate(double precision, integer) IS
'number cut to decimal places';

CREATE FUNCTION flink.truncate(value double precision)
RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value::double precision)::double precision;

COMMENT ON FUNCTION flink.truncate(double precision) IS
'number cut to a whole one';

CREATE FUNCTION flink.round(value double precision, places integer)
RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.round(value::numeric, places)::double precision;

COMMENT ON FUNCTION flink.round(double precision, integer) IS
'number rounded to decimal places, halves away from zero';

CREATE FUNCTION flink.round(value double precision)
RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.round(value::numeric)::double precision;

COMMENT ON FUNCTION flink.round(double precision) IS
'number rounded to a whole one, halves away from zero';

CREATE FUNCTION flink.truncate(value real, places integer)
RETURNS real
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value::numeric, places)::real;

COMMENT ON FUNCTION flink.truncate(real, integer) IS
'number cut to decimal places';

CREATE FUNCTION flink.truncate(value real)
RETURNS real
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value::double precision)::real;

COMMENT ON FUNCTION flink.truncate(real) IS
'number cut to a whole one';

CREATE FUNCTION flink.round(value real, places integer)
RETURNS real
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.round(value::numeric, places)::real;

COMMENT ON FUNCTION flink.round(real, integer) IS
'number rounded to decimal places, halves away from zero';

CREATE FUNCTION flink.round(value real)
RETURNS real
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.round(value::numeric)::real;

COMMENT ON FUNCTION flink.round(real) IS
'number rounded to a whole one, halves away from zero';

CREATE FUNCTION flink.truncate(value integer, places integer)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value::numeric, places)::integer;

COMMENT ON FUNCTION flink.truncate(integer, integer) IS
'number cut to a power of ten';

CREATE FUNCTION flink.truncate(value integer)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.truncate(integer) IS
'the number';

CREATE FUNCTION flink.round(value integer, places integer)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.round(value::numeric, places)::integer;

COMMENT ON FUNCTION flink.round(integer, integer) IS
'number rounded, halves away from zero, to a power of ten';

CREATE FUNCTION flink.round(value integer)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.round(integer) IS
'the number';

CREATE FUNCTION flink.truncate(value bigint, places integer)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.trunc(value::numeric, places)::bigint;

COMMENT ON FUNCTION flink.truncate(bigint, integer) IS
'number cut to a power of ten';

CREATE FUNCTION flink.truncate(value bigint)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.truncate(bigint) IS
'the number';

CREATE FUNCTION flink.round(value bigint, places integer)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.round(value::numeric, places)::bigint;

COMMENT ON FUNCTION flink.round(bigint, integer) IS
'number rounded, halves away from zero, to a power of ten';

CREATE FUNCTION flink.round(value bigint)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.round(bigint) IS
'the number';

CREATE FUNCTION flink.round(value numeric, places integer)
RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.round(value, places);

COMMENT ON FUNCTION flink.round(numeric, integer) IS
'number rounded to decimal places';

CREATE FUNCTION flink.round(value numeric)
RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.round(value);

COMMENT ON FUNCTION flink.round(numeric) IS
'number rounded to a whole one';

CREATE FUNCTION flink.floor(value smallint)
RETURNS smallint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.floor(smallint) IS
'the number';

CREATE FUNCTION flink.ceil(value smallint)
RETURNS smallint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.ceil(smallint) IS
'the number';

CREATE FUNCTION flink.sign(value smallint)
RETURNS smallint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.sign(value::double precision)::smallint;

COMMENT ON FUNCTION flink.sign(smallint) IS
'-1, 0 or 1';

CREATE FUNCTION flink.floor(value integer)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.floor(integer) IS
'the number';

CREATE FUNCTION flink.ceil(value integer)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.ceil(integer) IS
'the number';

CREATE FUNCTION flink.sign(value integer)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.sign(value::double precision)::integer;

COMMENT ON FUNCTION flink.sign(integer) IS
'-1, 0 or 1';

CREATE FUNCTION flink.floor(value bigint)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.floor(bigint) IS
'the number';

CREATE FUNCTION flink.ceil(value bigint)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value;

COMMENT ON FUNCTION flink.ceil(bigint) IS
'the number';

CREATE FUNCTION flink.sign(value bigint)
RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.sign(value::double precision)::bigint;

COMMENT ON FUNCTION flink.sign(bigint) IS
'-1, 0 or 1';

CREATE FUNCTION flink.floor(value real)
RETURNS real
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.floor(value::double precision)::real;

COMMENT ON FUNCTION flink.floor(real) IS
'greatest whole number that is not greater';

CREATE FUNCTION flink.ceil(value real)
RETURNS real
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.ceil(value::double precision)::real;

COMMENT ON FUNCTION flink.ceil(real) IS
'least whole number that is not less';

CREATE FUNCTION flink.sign(value real)
RETURNS real
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.sign(value::double precision)::real;

COMMENT ON FUNCTION flink.sign(real) IS
'-1, 0 or 1';

CREATE FUNCTION flink.floor(value double precision)
RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.floor(value);

COMMENT ON FUNCTION flink.floor(double precision) IS
'greatest whole number that is not greater';

CREATE FUNCTION flink.ceil(value double precision)
RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.ceil(value);

COMMENT ON FUNCTION flink.ceil(double precision) IS
'least whole number that is not less';

CREATE FUNCTION flink.sign(value double precision)
RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.sign(value);

COMMENT ON FUNCTION flink.sign(double precision) IS
'-1, 0 or 1';

CREATE FUNCTION flink.floor(value numeric)
RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.floor(value);

COMMENT ON FUNCTION flink.floor(numeric) IS
'greatest whole number that is not greater';

CREATE FUNCTION flink.ceil(value numeric)
RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.ceil(value);

COMMENT ON FUNCTION flink.ceil(numeric) IS
'least whole number that is not less';

CREATE FUNCTION flink.sign(value numeric)
RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.sign(value);

COMMENT ON FUNCTION flink.sign(numeric) IS
'-1, 0 or 1';

CREATE FUNCTION flink.log(value double precision)
RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.ln(value);

COMMENT ON FUNCTION flink.log(double precision) IS
'natural logarithm';

CREATE FUNCTION flink.log(base double precision, value double precision)
RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.ln(value) OPERATOR(pg_catalog./) pg_catalog.ln(base);

COMMENT ON FUNCTION flink.log(double precision, double precision) IS
'logarithm to a base';

CREATE FUNCTION flink.log2(value double precision)
RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.ln(value) OPERATOR(pg_catalog./) pg_catalog.ln(2::double precision);

COMMENT ON FUNCTION flink.log2(double precision) IS
'logarithm to the base 2';

CREATE FUNCTION flink.e()
RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN pg_catalog.exp(1::double precision);

COMMENT ON FUNCTION flink.e() IS
'the base of natural logarithms';

CREATE FUNCTION flink.bin(value bigint)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE value WHEN 0 THEN '0' ELSE pg_catalog.ltrim(value::bit(64)::text, '0') END;

COMMENT ON FUNCTION flink.bin(bigint) IS
'number in binary';

CREATE FUNCTION flink.hex(value bigint)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.upper(pg_catalog.to_hex(value));

COMMENT ON FUNCTION flink.hex(bigint) IS
'number in hexadecimal';

CREATE FUNCTION flink.hex(value text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.upper(pg_catalog.encode(pg_catalog.convert_to(value, 'UTF8'), 'hex'));

COMMENT ON FUNCTION flink.hex(text) IS
'bytes of a text in UTF-8, in hexadecimal';

--
-- Arrays
--

CREATE FUNCTION flink.array_contains("array" anycompatiblearray, element anycompatible)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS 'SELECT CASE WHEN "array" IS NOT NULL THEN pg_catalog.array_position("array", element) IS NOT NULL END';

COMMENT ON FUNCTION flink.array_contains(anycompatiblearray, anycompatible) IS
'whether an array has an element, which may be NULL';

CREATE FUNCTION flink.array_position("array" anycompatiblearray, element anycompatible)
RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS 'SELECT COALESCE(pg_catalog.array_position("array", element), 0)';

COMMENT ON FUNCTION flink.array_position(anycompatiblearray, anycompatible) IS
'position of an element in an array from 1, 0 if it has none such';

-- A seed has the numbers of Java, each call in a statement from the beginning.

CREATE FUNCTION flink.rand(seed integer)
RETURNS double precision
LANGUAGE c VOLATILE STRICT PARALLEL RESTRICTED
AS 'MODULE_PATHNAME', 'aw_sql_flink_rand';

COMMENT ON FUNCTION flink.rand(integer) IS
'next random number from 0 to below 1 of a seed';

CREATE FUNCTION flink.rand()
RETURNS double precision
LANGUAGE sql VOLATILE PARALLEL RESTRICTED
RETURN pg_catalog.random();

COMMENT ON FUNCTION flink.rand() IS
'random number from 0 to below 1';

CREATE FUNCTION flink.rand_integer(seed integer, bound integer)
RETURNS integer
LANGUAGE c VOLATILE STRICT PARALLEL RESTRICTED
AS 'MODULE_PATHNAME', 'aw_sql_flink_rand_integer';

COMMENT ON FUNCTION flink.rand_integer(integer, integer) IS
'next random number from 0 to below a bound of a seed';

CREATE FUNCTION flink.rand_integer(bound integer)
RETURNS integer
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED
RETURN pg_catalog.floor(pg_catalog.random() OPERATOR(pg_catalog.*) bound)::integer;

COMMENT ON FUNCTION flink.rand_integer(integer) IS
'random number from 0 to below a bound';

CREATE FUNCTION flink.uuid()
RETURNS text
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN pg_catalog.gen_random_uuid()::text;

COMMENT ON FUNCTION flink.uuid() IS
'random UUID';

--
-- Bytes and hashes
--

-- Text counts as its bytes in UTF-8.

CREATE FUNCTION flink.to_base64(value bytea)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.replace(pg_catalog.encode(value, 'base64'), E'\n', '');

COMMENT ON FUNCTION flink.to_base64(bytea) IS
'bytes in base64, without line ends';

CREATE FUNCTION flink.to_base64(value text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN flink.to_base64(pg_catalog.convert_to(value, 'UTF8'));

COMMENT ON FUNCTION flink.to_base64(text) IS
'text in base64, without line ends';

CREATE FUNCTION flink.from_base64(value text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.convert_from(pg_catalog.decode(value, 'base64'), 'UTF8');

COMMENT ON FUNCTION flink.from_base64(text) IS
'text of base64';

CREATE FUNCTION watermark.flink_sha1(value bytea)
RETURNS bytea
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_sha1';

CREATE FUNCTION flink.md5(value text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.md5(pg_catalog.convert_to(value, 'UTF8'));

COMMENT ON FUNCTION flink.md5(text) IS
'MD5 of a text, in hexadecimal';

CREATE FUNCTION flink.sha1(value text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.encode(watermark.flink_sha1(pg_catalog.convert_to(value, 'UTF8')), 'hex');

COMMENT ON FUNCTION flink.sha1(text) IS
'SHA-1 of a text, in hexadecimal';

CREATE FUNCTION flink.sha224(value text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.encode(pg_catalog.sha224(pg_catalog.convert_to(value, 'UTF8')), 'hex');

COMMENT ON FUNCTION flink.sha224(text) IS
'SHA-224 of a text, in hexadecimal';

CREATE FUNCTION flink.sha256(value text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(value, 'UTF8')), 'hex');

COMMENT ON FUNCTION flink.sha256(text) IS
'SHA-256 of a text, in hexadecimal';

CREATE FUNCTION flink.sha384(value text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.encode(pg_catalog.sha384(pg_catalog.convert_to(value, 'UTF8')), 'hex');

COMMENT ON FUNCTION flink.sha384(text) IS
'SHA-384 of a text, in hexadecimal';

CREATE FUNCTION flink.sha512(value text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.encode(pg_catalog.sha512(pg_catalog.convert_to(value, 'UTF8')), 'hex');

COMMENT ON FUNCTION flink.sha512(text) IS
'SHA-512 of a text, in hexadecimal';

CREATE FUNCTION flink.sha2(value text, bits integer)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE bits WHEN 224 THEN flink.sha224(value) WHEN 256 THEN flink.sha256(value) WHEN 384 THEN flink.sha384(value) WHEN 512 THEN flink.sha512(value) END;

COMMENT ON FUNCTION flink.sha2(text, integer) IS
'SHA-2 of 224, 256, 384 or 512 bits of a text, in hexadecimal; NULL for others';

--
-- JSON
--

-- A path is always read strictly, so that no array is unwrapped; malformed JSON is NULL.

CREATE FUNCTION watermark.flink_json(value text)
RETURNS jsonb
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_json';

CREATE FUNCTION watermark.flink_json_text(value jsonb)
RETURNS text
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_json_text';

CREATE FUNCTION watermark.flink_json_path(path text)
RETURNS jsonpath
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ('strict ' OPERATOR(pg_catalog.||) pg_catalog.regexp_replace(pg_catalog.regexp_replace(pg_catalog.regexp_replace(pg_catalog.regexp_replace(path, '^\s*(lax|strict)\s+', ''),
	'\[\s*(?:''([^'']*)''|"([^"]*)")\s*\]', '."\1\2"', 'g'), '\.\.', '.**.', 'g'),
	'\[\s*-(\d+)\s*\]', '[last + 1 - \1]', 'g'))::pg_catalog.jsonpath;

CREATE FUNCTION watermark.flink_json_found(value text, path text)
RETURNS jsonb
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN pg_catalog.jsonb_path_query_array(
	watermark.flink_json(value), watermark.flink_json_path(path), '{}', true);

CREATE FUNCTION watermark.flink_json_scalar(found jsonb)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN pg_catalog.jsonb_array_length(found) OPERATOR(pg_catalog.=) 1
	AND pg_catalog.jsonb_typeof(found OPERATOR(pg_catalog.->) 0) NOT IN ('object', 'array') THEN found OPERATOR(pg_catalog.->>) 0 END;

CREATE FUNCTION watermark.flink_json_whole(found jsonb)
RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN pg_catalog.jsonb_array_length(found) OPERATOR(pg_catalog.>) 1 THEN found
	WHEN pg_catalog.jsonb_typeof(found OPERATOR(pg_catalog.->) 0) IN ('object', 'array') THEN found OPERATOR(pg_catalog.->) 0 END;

CREATE FUNCTION flink.json_value(value text, path text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN watermark.flink_json_scalar(watermark.flink_json_found(value, path));

COMMENT ON FUNCTION flink.json_value(text, text) IS
'scalar at a path of JSON, NULL if there is none';

CREATE FUNCTION flink.json_query(value text, path text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN watermark.flink_json_text(watermark.flink_json_whole(watermark.flink_json_found(value, path)));

COMMENT ON FUNCTION flink.json_query(text, text) IS
'object or array at a path of JSON, NULL if there is none';

CREATE FUNCTION flink.json_exists(value text, path text)
RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN COALESCE(watermark.flink_json_found(value, path) NOT IN ('[]', '[null]'), false);

COMMENT ON FUNCTION flink.json_exists(text, text) IS
'whether JSON has something other than null at a path';

CREATE FUNCTION flink.is_json(value text)
RETURNS boolean
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_is_json';

COMMENT ON FUNCTION flink.is_json(text) IS
'whether a text is JSON; false for NULL';

CREATE FUNCTION flink.is_json(value text, kind text)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN COALESCE(CASE pg_catalog.upper(kind) WHEN 'VALUE' THEN flink.is_json(value)
	WHEN 'OBJECT' THEN pg_catalog.jsonb_typeof(watermark.flink_json(value)) IN ('object')
	WHEN 'ARRAY' THEN pg_catalog.jsonb_typeof(watermark.flink_json(value)) IN ('array')
	ELSE pg_catalog.jsonb_typeof(watermark.flink_json(value)) NOT IN ('object', 'array') END, false);

COMMENT ON FUNCTION flink.is_json(text, text) IS
'whether a text is JSON of a kind: VALUE, OBJECT, ARRAY or SCALAR; false for NULL';

CREATE FUNCTION watermark.flink_json_escape(code integer)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE
	WHEN code OPERATOR(pg_catalog.<) 65536
	THEN '\u' OPERATOR(pg_catalog.||) pg_catalog.lpad(pg_catalog.to_hex(code), 4, '0')
	ELSE '\u' OPERATOR(pg_catalog.||) pg_catalog.to_hex(55232 OPERATOR(pg_catalog.+) (code OPERATOR(pg_catalog./) 1024))
		OPERATOR(pg_catalog.||) '\u' OPERATOR(pg_catalog.||) pg_catalog.to_hex(56320 OPERATOR(pg_catalog.+) (code OPERATOR(pg_catalog.%) 1024))
END;

CREATE FUNCTION flink.json_quote(value text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (SELECT pg_catalog.string_agg(CASE WHEN pg_catalog.ascii(character) OPERATOR(pg_catalog.<) 128 THEN character
		ELSE watermark.flink_json_escape(pg_catalog.ascii(character)) END, '' ORDER BY ordinality)
	FROM pg_catalog.regexp_split_to_table(pg_catalog.to_json(value)::pg_catalog.text, '') WITH ORDINALITY AS c(character, ordinality));

COMMENT ON FUNCTION flink.json_quote(text) IS
'text as a string of JSON';

--
-- Rows
--

CREATE FUNCTION flink.to_row(value "any", type anyelement)
RETURNS anyelement
LANGUAGE c STABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_to_row';

COMMENT ON FUNCTION flink.to_row("any", anyelement) IS
'a row, or an array of rows, as a value of the type of the second argument';
