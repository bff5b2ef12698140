\echo Use "CREATE EXTENSION apply_watermark" to load this file. \quit

-- Functions that users call are in the schema that CREATE EXTENSION was given;
-- their inner parts are in the schema "watermark".  The inner parts have no
-- contract: the planner puts them where a user's call stood.

CREATE SCHEMA watermark;

COMMENT ON SCHEMA watermark IS 'continuous queries, and inner parts of apply_watermark';

GRANT USAGE ON SCHEMA watermark TO PUBLIC;

--
-- Support functions: what the planner is shown
--

CREATE FUNCTION watermark.descriptor_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_descriptor_support';

CREATE FUNCTION watermark.apply_watermark_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_apply_watermark_support';

CREATE FUNCTION watermark.watermark_for_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_watermark_for_support';

CREATE FUNCTION watermark.tumble_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_tumble_support';

CREATE FUNCTION watermark.hop_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_hop_support';

CREATE FUNCTION watermark.cumulate_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_cumulate_support';

CREATE FUNCTION watermark.hop_rows_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_hop_rows_support';

CREATE FUNCTION watermark.cumulate_rows_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_cumulate_rows_support';

CREATE FUNCTION watermark.group_tumble_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_group_tumble_support';

CREATE FUNCTION watermark.group_hop_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_group_hop_support';

CREATE FUNCTION watermark.session_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_session_support';

CREATE FUNCTION watermark.group_session_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_group_session_support';

CREATE FUNCTION watermark.tumble_part_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_tumble_part_support';

CREATE FUNCTION watermark.hop_part_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_hop_part_support';

CREATE FUNCTION watermark.session_part_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_session_part_support';

--
-- Rowtime and watermark
--

CREATE FUNCTION @extschema@.descriptor(column_name anyelement)
RETURNS anyelement
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.descriptor_support
AS 'MODULE_PATHNAME', 'aw_sql_descriptor';

COMMENT ON FUNCTION @extschema@.descriptor(anyelement) IS
'names the time column of a table function';

-- What stands for APPLY_WATERMARK in a plan: a column of this window function
-- over the input, and an expression on it, or nothing.

CREATE FUNCTION watermark.watermark_before(strategy timestamp)
RETURNS timestamp
LANGUAGE c IMMUTABLE WINDOW PARALLEL RESTRICTED
AS 'MODULE_PATHNAME', 'aw_sql_watermark_before';

CREATE FUNCTION watermark.watermark_columns(
	rowtime timestamp, before timestamp, OUT watermark timestamp, OUT is_behind boolean)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT before, coalesce(rowtime <= before, false);
END;

CREATE FUNCTION watermark.watermark_unread(
	nothing timestamp, OUT watermark timestamp, OUT is_behind boolean)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT nothing, NULL::boolean;
END;

CREATE FUNCTION watermark.watermark_before(strategy timestamptz)
RETURNS timestamptz
LANGUAGE c IMMUTABLE WINDOW PARALLEL RESTRICTED
AS 'MODULE_PATHNAME', 'aw_sql_watermark_before';

CREATE FUNCTION watermark.watermark_columns(
	rowtime timestamptz, before timestamptz, OUT watermark timestamptz, OUT is_behind boolean)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT before, coalesce(rowtime <= before, false);
END;

CREATE FUNCTION watermark.watermark_unread(
	nothing timestamptz, OUT watermark timestamptz, OUT is_behind boolean)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT nothing, NULL::boolean;
END;

CREATE FUNCTION @extschema@.apply_watermark(
	input anyelement, rowtime timestamp, strategy timestamp,
	OUT watermark timestamp, OUT is_behind boolean)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL RESTRICTED ROWS 1
SUPPORT watermark.apply_watermark_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.apply_watermark(anyelement, timestamp, timestamp) IS
'declares the watermark of an item of FROM; gives the watermark before each row, and whether the row is behind it';

CREATE FUNCTION @extschema@.apply_watermark(
	input anyelement, rowtime timestamptz, strategy timestamptz,
	OUT watermark timestamptz, OUT is_behind boolean)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL RESTRICTED ROWS 1
SUPPORT watermark.apply_watermark_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.apply_watermark(anyelement, timestamptz, timestamptz) IS
'declares the watermark of an item of FROM; gives the watermark before each row, and whether the row is behind it';

CREATE FUNCTION @extschema@.apply_watermark(
	input "any", rowtime "any", strategy "any",
	OUT watermark timestamptz, OUT is_behind boolean)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL RESTRICTED ROWS 1
SUPPORT watermark.apply_watermark_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.apply_watermark("any", "any", "any") IS
'raises an error that names the argument of a wrong type';

CREATE FUNCTION @extschema@.watermark_for(rowtime timestamp, strategy timestamp)
RETURNS boolean
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.watermark_for_support
AS 'MODULE_PATHNAME', 'aw_sql_watermark_for';

COMMENT ON FUNCTION @extschema@.watermark_for(timestamp, timestamp) IS
'marks the watermark of a table in CHECK, of a view or query in WHERE; always true';

CREATE FUNCTION @extschema@.watermark_for(rowtime timestamptz, strategy timestamptz)
RETURNS boolean
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.watermark_for_support
AS 'MODULE_PATHNAME', 'aw_sql_watermark_for';

COMMENT ON FUNCTION @extschema@.watermark_for(timestamptz, timestamptz) IS
'marks the watermark of a table in CHECK, of a view or query in WHERE; always true';

-- An implicit cast would hide a date.
CREATE FUNCTION @extschema@.watermark_for(rowtime date, strategy date)
RETURNS boolean
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.watermark_for_support
AS 'MODULE_PATHNAME', 'aw_sql_watermark_for';

COMMENT ON FUNCTION @extschema@.watermark_for(date, date) IS
'raises an error that names the argument of a wrong type';

CREATE FUNCTION @extschema@.watermark_for(rowtime date, strategy timestamp)
RETURNS boolean
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.watermark_for_support
AS 'MODULE_PATHNAME', 'aw_sql_watermark_for';

COMMENT ON FUNCTION @extschema@.watermark_for(date, timestamp) IS
'raises an error that names the argument of a wrong type';

CREATE FUNCTION @extschema@.watermark_for(rowtime date, strategy timestamptz)
RETURNS boolean
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.watermark_for_support
AS 'MODULE_PATHNAME', 'aw_sql_watermark_for';

COMMENT ON FUNCTION @extschema@.watermark_for(date, timestamptz) IS
'raises an error that names the argument of a wrong type';

CREATE FUNCTION @extschema@.watermark_for(rowtime timestamp, strategy date)
RETURNS boolean
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.watermark_for_support
AS 'MODULE_PATHNAME', 'aw_sql_watermark_for';

COMMENT ON FUNCTION @extschema@.watermark_for(timestamp, date) IS
'raises an error that names the argument of a wrong type';

CREATE FUNCTION @extschema@.watermark_for(rowtime timestamptz, strategy date)
RETURNS boolean
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.watermark_for_support
AS 'MODULE_PATHNAME', 'aw_sql_watermark_for';

COMMENT ON FUNCTION @extschema@.watermark_for(timestamptz, date) IS
'raises an error that names the argument of a wrong type';

CREATE FUNCTION @extschema@.watermark_for(rowtime "any", strategy "any")
RETURNS boolean
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.watermark_for_support
AS 'MODULE_PATHNAME', 'aw_sql_watermark_for';

COMMENT ON FUNCTION @extschema@.watermark_for("any", "any") IS
'raises an error that names the argument of a wrong type';

--
-- Windows as table functions
--

CREATE FUNCTION watermark.window_slice(
	timecol timestamp, step interval, size interval, "offset" interval,
	OUT slice_start timestamp, OUT slice_end timestamp)
RETURNS record
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_window_slice';

-- Between which times the rows of the windows are that a condition on
-- window_start or window_end lets through
CREATE FUNCTION watermark.first_row(
	"limit" timestamp, shift_us bigint, by_end boolean, kind integer, step interval, size interval, "offset" interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_first_row';

CREATE FUNCTION watermark.last_row(
	"limit" timestamp, shift_us bigint, by_end boolean, kind integer, step interval, size interval, "offset" interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_last_row';

CREATE FUNCTION watermark.first_row(
	"limit" timestamptz, shift_us bigint, by_end boolean, kind integer, step interval, size interval, "offset" interval)
RETURNS timestamptz
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_first_row';

CREATE FUNCTION watermark.last_row(
	"limit" timestamptz, shift_us bigint, by_end boolean, kind integer, step interval, size interval, "offset" interval)
RETURNS timestamptz
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_last_row';

-- TUMBLE of a timestamp with constant arguments, and NULLs filtered out before
CREATE FUNCTION watermark.tumble_bin(
	timecol timestamp, size interval, origin timestamp,
	OUT window_start timestamp, OUT window_end timestamp, OUT window_time timestamp)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT
		date_bin(size, timecol, origin),
		date_bin(size, timecol, origin) + size,
		date_bin(size, timecol, origin) + size - INTERVAL '1 millisecond';
END;

CREATE FUNCTION watermark.tumble_start(timecol timestamp, size interval, "offset" interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_tumble_start';

CREATE FUNCTION watermark.tumble_end(timecol timestamp, size interval, "offset" interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_tumble_end';

-- TUMBLE in general, with NULLs filtered out before
CREATE FUNCTION watermark.tumble_flat(
	timecol timestamp, size interval, "offset" interval,
	OUT window_start timestamp, OUT window_end timestamp, OUT window_time timestamp)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT
		watermark.tumble_start(timecol, size, "offset"),
		watermark.tumble_end(timecol, size, "offset"),
		watermark.tumble_end(timecol, size, "offset") - INTERVAL '1 millisecond';
END;

-- TUMBLE that filters NULLs itself
CREATE FUNCTION watermark.tumble_rows(
	timecol timestamp, size interval, "offset" interval,
	OUT window_start timestamp, OUT window_end timestamp, OUT window_time timestamp)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT
		watermark.tumble_start(timecol, size, "offset"),
		watermark.tumble_end(timecol, size, "offset"),
		watermark.tumble_end(timecol, size, "offset") - INTERVAL '1 millisecond'
	WHERE timecol IS NOT NULL;
END;

CREATE FUNCTION watermark.hop_rows(
	timecol timestamp, slide interval, size interval, "offset" interval,
	OUT window_start timestamp, OUT window_end timestamp, OUT window_time timestamp)
RETURNS SETOF record
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.hop_rows_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_rows';

CREATE FUNCTION watermark.cumulate_rows(
	timecol timestamp, step interval, size interval, "offset" interval,
	OUT window_start timestamp, OUT window_end timestamp, OUT window_time timestamp)
RETURNS SETOF record
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.cumulate_rows_support
AS 'MODULE_PATHNAME', 'aw_sql_cumulate_rows';

CREATE FUNCTION watermark.tumble_start(timecol timestamptz, size interval, "offset" interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_tumble_start';

CREATE FUNCTION watermark.tumble_end(timecol timestamptz, size interval, "offset" interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_tumble_end';

-- TUMBLE in general, with NULLs filtered out before
CREATE FUNCTION watermark.tumble_flat(
	timecol timestamptz, size interval, "offset" interval,
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT
		watermark.tumble_start(timecol, size, "offset"),
		watermark.tumble_end(timecol, size, "offset"),
		watermark.tumble_end(timecol, size, "offset") - INTERVAL '1 millisecond';
END;

-- TUMBLE that filters NULLs itself
CREATE FUNCTION watermark.tumble_rows(
	timecol timestamptz, size interval, "offset" interval,
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT
		watermark.tumble_start(timecol, size, "offset"),
		watermark.tumble_end(timecol, size, "offset"),
		watermark.tumble_end(timecol, size, "offset") - INTERVAL '1 millisecond'
	WHERE timecol IS NOT NULL;
END;

CREATE FUNCTION watermark.hop_rows(
	timecol timestamptz, slide interval, size interval, "offset" interval,
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.hop_rows_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_rows';

CREATE FUNCTION watermark.cumulate_rows(
	timecol timestamptz, step interval, size interval, "offset" interval,
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.cumulate_rows_support
AS 'MODULE_PATHNAME', 'aw_sql_cumulate_rows';

CREATE FUNCTION @extschema@.tumble(
	data anyelement, timecol timestamp, size interval, "offset" interval DEFAULT '0',
	OUT window_start timestamp, OUT window_end timestamp, OUT window_time timestamp)
RETURNS SETOF record
LANGUAGE c IMMUTABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.tumble_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.tumble(anyelement, timestamp, interval, interval) IS
'windows of one size, each row in one';

CREATE FUNCTION @extschema@.tumble(
	data anyelement, timecol timestamptz, size interval, "offset" interval DEFAULT '0',
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.tumble_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.tumble(anyelement, timestamptz, interval, interval) IS
'windows of one size, each row in one';

CREATE FUNCTION @extschema@.tumble(
	data "any", timecol "any", size interval, "offset" interval DEFAULT '0',
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.tumble_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.tumble("any", "any", interval, interval) IS
'raises an error that names the time column of a wrong type';

CREATE FUNCTION @extschema@.hop(
	data anyelement, timecol timestamp, slide interval, size interval, "offset" interval DEFAULT '0',
	OUT window_start timestamp, OUT window_end timestamp, OUT window_time timestamp)
RETURNS SETOF record
LANGUAGE c IMMUTABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.hop_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.hop(anyelement, timestamp, interval, interval, interval) IS
'windows of one size that start a slide apart';

CREATE FUNCTION @extschema@.hop(
	data anyelement, timecol timestamptz, slide interval, size interval, "offset" interval DEFAULT '0',
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.hop_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.hop(anyelement, timestamptz, interval, interval, interval) IS
'windows of one size that start a slide apart';

CREATE FUNCTION @extschema@.hop(
	data "any", timecol "any", slide interval, size interval, "offset" interval DEFAULT '0',
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.hop_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.hop("any", "any", interval, interval, interval) IS
'raises an error that names the time column of a wrong type';

CREATE FUNCTION @extschema@.cumulate(
	data anyelement, timecol timestamp, step interval, size interval, "offset" interval DEFAULT '0',
	OUT window_start timestamp, OUT window_end timestamp, OUT window_time timestamp)
RETURNS SETOF record
LANGUAGE c IMMUTABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.cumulate_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.cumulate(anyelement, timestamp, interval, interval, interval) IS
'windows that share a start and grow by a step up to a size';

CREATE FUNCTION @extschema@.cumulate(
	data anyelement, timecol timestamptz, step interval, size interval, "offset" interval DEFAULT '0',
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.cumulate_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.cumulate(anyelement, timestamptz, interval, interval, interval) IS
'windows that share a start and grow by a step up to a size';

CREATE FUNCTION @extschema@.cumulate(
	data "any", timecol "any", step interval, size interval, "offset" interval DEFAULT '0',
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.cumulate_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.cumulate("any", "any", interval, interval, interval) IS
'raises an error that names the time column of a wrong type';

-- SESSION: columns of these window functions over the input, PARTITION BY the
-- keys and ORDER BY the time; and what stands for the call, with NULLs filtered
-- out before or not.

CREATE FUNCTION watermark.session_start(timecol timestamp, gap interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_session_start';

CREATE FUNCTION watermark.session_end(timecol timestamp, gap interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_session_end';

CREATE FUNCTION watermark.session_end_after(last_row timestamp, gap interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_session_end_after';

CREATE FUNCTION watermark.session_flat(
	session_start timestamp, session_end timestamp,
	OUT window_start timestamp, OUT window_end timestamp, OUT window_time timestamp)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT session_start, session_end, session_end - INTERVAL '1 millisecond';
END;

CREATE FUNCTION watermark.session_rows(
	session_start timestamp, session_end timestamp,
	OUT window_start timestamp, OUT window_end timestamp, OUT window_time timestamp)
RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT session_start, session_end, session_end - INTERVAL '1 millisecond'
	WHERE session_start IS NOT NULL;
END;

CREATE FUNCTION watermark.session_start(timecol timestamptz, gap interval)
RETURNS timestamptz
LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_session_start';

CREATE FUNCTION watermark.session_end(timecol timestamptz, gap interval)
RETURNS timestamptz
LANGUAGE c IMMUTABLE WINDOW PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_session_end';

CREATE FUNCTION watermark.session_end_after(last_row timestamptz, gap interval)
RETURNS timestamptz
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_session_end_after';

CREATE FUNCTION watermark.session_flat(
	session_start timestamptz, session_end timestamptz,
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT session_start, session_end, session_end - INTERVAL '1 millisecond';
END;

CREATE FUNCTION watermark.session_rows(
	session_start timestamptz, session_end timestamptz,
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT session_start, session_end, session_end - INTERVAL '1 millisecond'
	WHERE session_start IS NOT NULL;
END;

CREATE FUNCTION @extschema@.session(
	data anyelement, timecol timestamp, gap interval,
	OUT window_start timestamp, OUT window_end timestamp, OUT window_time timestamp)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.session_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.session(anyelement, timestamp, interval) IS
'windows of rows that follow each other within a gap';

CREATE FUNCTION @extschema@.session(
	data anyelement, timecol timestamptz, gap interval,
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.session_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.session(anyelement, timestamptz, interval) IS
'windows of rows that follow each other within a gap';

CREATE FUNCTION @extschema@.session(
	data "any", timecol "any", gap interval,
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.session_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.session("any", "any", interval) IS
'raises an error that names the time column of a wrong type';

CREATE FUNCTION @extschema@.session(
	data anyelement, timecol timestamp, gap interval, VARIADIC keys "any",
	OUT window_start timestamp, OUT window_end timestamp, OUT window_time timestamp)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.session_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.session(anyelement, timestamp, interval, VARIADIC "any") IS
'windows of rows that follow each other within a gap, for each value of the keys';

CREATE FUNCTION @extschema@.session(
	data anyelement, timecol timestamptz, gap interval, VARIADIC keys "any",
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.session_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.session(anyelement, timestamptz, interval, VARIADIC "any") IS
'windows of rows that follow each other within a gap, for each value of the keys';

CREATE FUNCTION @extschema@.session(
	data "any", timecol "any", gap interval, VARIADIC keys "any",
	OUT window_start timestamptz, OUT window_end timestamptz, OUT window_time timestamptz)
RETURNS SETOF record
LANGUAGE c STABLE PARALLEL SAFE ROWS 1
SUPPORT watermark.session_support
AS 'MODULE_PATHNAME', 'aw_sql_table_function';

COMMENT ON FUNCTION @extschema@.session("any", "any", interval, VARIADIC "any") IS
'raises an error that names the time column of a wrong type';

--
-- Group windows: GROUP BY TUMBLE(...), HOP(...), SESSION(...), and their parts
--

-- TUMBLE is stable, lest a constant take the place of the grouping key.
CREATE TYPE watermark.group_window AS (
	window_start timestamp,
	window_end timestamp
);

CREATE FUNCTION @extschema@.tumble(time_attr timestamp, window_interval interval)
RETURNS timestamp
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.group_tumble_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble';

COMMENT ON FUNCTION @extschema@.tumble(timestamp, interval) IS
'group window for GROUP BY: the start of the window';

CREATE FUNCTION @extschema@.hop(time_attr timestamp, slide_interval interval, window_interval interval)
RETURNS SETOF watermark.group_window
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.group_hop_support
AS 'MODULE_PATHNAME', 'aw_sql_hop';

COMMENT ON FUNCTION @extschema@.hop(timestamp, interval, interval) IS
'group window for GROUP BY: the windows that slide over the row';

CREATE FUNCTION @extschema@.session(time_attr timestamp, gap_interval interval)
RETURNS watermark.group_window
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.group_session_support
AS 'MODULE_PATHNAME', 'aw_sql_session';

COMMENT ON FUNCTION @extschema@.session(timestamp, interval) IS
'group window for GROUP BY: the rows of a group that follow each other within a gap';

CREATE FUNCTION @extschema@.tumble(
	time_attr timestamp, window_interval interval, period_interval interval, lateness_interval interval)
RETURNS timestamp
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.group_tumble_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble';

COMMENT ON FUNCTION @extschema@.tumble(timestamp, interval, interval, interval) IS
'group window for GROUP BY that in a continuous query publishes early and late results; by hand, tumble of the first two arguments';

CREATE TYPE watermark.group_windowtz AS (
	window_start timestamptz,
	window_end timestamptz
);

CREATE FUNCTION @extschema@.tumble(time_attr timestamptz, window_interval interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.group_tumble_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble';

COMMENT ON FUNCTION @extschema@.tumble(timestamptz, interval) IS
'group window for GROUP BY: the start of the window';

CREATE FUNCTION @extschema@.hop(time_attr timestamptz, slide_interval interval, window_interval interval)
RETURNS SETOF watermark.group_windowtz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.group_hop_support
AS 'MODULE_PATHNAME', 'aw_sql_hop';

COMMENT ON FUNCTION @extschema@.hop(timestamptz, interval, interval) IS
'group window for GROUP BY: the windows that slide over the row';

CREATE FUNCTION @extschema@.session(time_attr timestamptz, gap_interval interval)
RETURNS watermark.group_windowtz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.group_session_support
AS 'MODULE_PATHNAME', 'aw_sql_session';

COMMENT ON FUNCTION @extschema@.session(timestamptz, interval) IS
'group window for GROUP BY: the rows of a group that follow each other within a gap';

CREATE FUNCTION @extschema@.tumble(
	time_attr timestamptz, window_interval interval, period_interval interval, lateness_interval interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.group_tumble_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble';

COMMENT ON FUNCTION @extschema@.tumble(timestamptz, interval, interval, interval) IS
'group window for GROUP BY that in a continuous query publishes early and late results; by hand, tumble of the first two arguments';

CREATE FUNCTION @extschema@.tumble(time_attr "any", window_interval interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.group_tumble_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble';

COMMENT ON FUNCTION @extschema@.tumble("any", interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION @extschema@.hop(time_attr "any", slide_interval interval, window_interval interval)
RETURNS SETOF watermark.group_windowtz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.group_hop_support
AS 'MODULE_PATHNAME', 'aw_sql_hop';

COMMENT ON FUNCTION @extschema@.hop("any", interval, interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION @extschema@.session(time_attr "any", gap_interval interval)
RETURNS watermark.group_windowtz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.group_session_support
AS 'MODULE_PATHNAME', 'aw_sql_session';

COMMENT ON FUNCTION @extschema@.session("any", interval) IS
'raises an error that names the time attribute of a wrong type';

-- An implicit cast would hide a date.
CREATE FUNCTION @extschema@.tumble(time_attr date, window_interval interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.group_tumble_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble';

COMMENT ON FUNCTION @extschema@.tumble(date, interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION @extschema@.hop(time_attr date, slide_interval interval, window_interval interval)
RETURNS SETOF watermark.group_windowtz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.group_hop_support
AS 'MODULE_PATHNAME', 'aw_sql_hop';

COMMENT ON FUNCTION @extschema@.hop(date, interval, interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION @extschema@.session(time_attr date, gap_interval interval)
RETURNS watermark.group_windowtz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.group_session_support
AS 'MODULE_PATHNAME', 'aw_sql_session';

COMMENT ON FUNCTION @extschema@.session(date, interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION @extschema@.tumble(
	time_attr date, window_interval interval, period_interval interval, lateness_interval interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.group_tumble_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble';

COMMENT ON FUNCTION @extschema@.tumble(date, interval, interval, interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION watermark.window_part_combine(timestamp, timestamp)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_window_part_combine';

CREATE FUNCTION watermark.window_part_combine(timestamptz, timestamptz)
RETURNS timestamptz
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_window_part_combine';

CREATE FUNCTION watermark.part_proctime(window_start timestamp)
RETURNS timestamptz
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN date_trunc('milliseconds', clock_timestamp());

CREATE FUNCTION watermark.part_proctime(window_start timestamptz)
RETURNS timestamptz
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN date_trunc('milliseconds', clock_timestamp());

CREATE FUNCTION watermark.tumble_start_transition(timestamp, timestamp, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_start_transition';

CREATE AGGREGATE @extschema@.tumble_start(
	time_attr timestamp, window_interval interval) (
	SFUNC = watermark.tumble_start_transition,
	STYPE = timestamp,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_start(timestamp, interval) IS
'start of the window in GROUP BY TUMBLE';

CREATE FUNCTION watermark.tumble_start_transition(timestamptz, timestamptz, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_start_transition';

CREATE AGGREGATE @extschema@.tumble_start(
	time_attr timestamptz, window_interval interval) (
	SFUNC = watermark.tumble_start_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_start(timestamptz, interval) IS
'start of the window in GROUP BY TUMBLE';

CREATE FUNCTION watermark.tumble_start_transition(timestamptz, "any", interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_start_transition';

CREATE AGGREGATE @extschema@.tumble_start(
	time_attr "any", window_interval interval) (
	SFUNC = watermark.tumble_start_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_start("any", interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION watermark.tumble_end_transition(timestamp, timestamp, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_end_transition';

CREATE AGGREGATE @extschema@.tumble_end(
	time_attr timestamp, window_interval interval) (
	SFUNC = watermark.tumble_end_transition,
	STYPE = timestamp,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_end(timestamp, interval) IS
'exclusive end of the window in GROUP BY TUMBLE';

CREATE FUNCTION watermark.tumble_end_transition(timestamptz, timestamptz, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_end_transition';

CREATE AGGREGATE @extschema@.tumble_end(
	time_attr timestamptz, window_interval interval) (
	SFUNC = watermark.tumble_end_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_end(timestamptz, interval) IS
'exclusive end of the window in GROUP BY TUMBLE';

CREATE FUNCTION watermark.tumble_end_transition(timestamptz, "any", interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_end_transition';

CREATE AGGREGATE @extschema@.tumble_end(
	time_attr "any", window_interval interval) (
	SFUNC = watermark.tumble_end_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_end("any", interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION watermark.tumble_rowtime_transition(timestamp, timestamp, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_rowtime_transition';

CREATE AGGREGATE @extschema@.tumble_rowtime(
	time_attr timestamp, window_interval interval) (
	SFUNC = watermark.tumble_rowtime_transition,
	STYPE = timestamp,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_rowtime(timestamp, interval) IS
'rowtime, its end less 1 millisecond, of the window in GROUP BY TUMBLE';

CREATE FUNCTION watermark.tumble_rowtime_transition(timestamptz, timestamptz, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_rowtime_transition';

CREATE AGGREGATE @extschema@.tumble_rowtime(
	time_attr timestamptz, window_interval interval) (
	SFUNC = watermark.tumble_rowtime_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_rowtime(timestamptz, interval) IS
'rowtime, its end less 1 millisecond, of the window in GROUP BY TUMBLE';

CREATE FUNCTION watermark.tumble_rowtime_transition(timestamptz, "any", interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_rowtime_transition';

CREATE AGGREGATE @extschema@.tumble_rowtime(
	time_attr "any", window_interval interval) (
	SFUNC = watermark.tumble_rowtime_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_rowtime("any", interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION watermark.tumble_proctime_transition(timestamp, timestamp, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_proctime_transition';

CREATE AGGREGATE @extschema@.tumble_proctime(
	time_attr timestamp, window_interval interval) (
	SFUNC = watermark.tumble_proctime_transition,
	STYPE = timestamp,
	FINALFUNC = watermark.part_proctime,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_proctime(timestamp, interval) IS
'clock when the result of the window in GROUP BY TUMBLE is computed';

CREATE FUNCTION watermark.tumble_proctime_transition(timestamptz, timestamptz, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_proctime_transition';

CREATE AGGREGATE @extschema@.tumble_proctime(
	time_attr timestamptz, window_interval interval) (
	SFUNC = watermark.tumble_proctime_transition,
	STYPE = timestamptz,
	FINALFUNC = watermark.part_proctime,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_proctime(timestamptz, interval) IS
'clock when the result of the window in GROUP BY TUMBLE is computed';

CREATE FUNCTION watermark.tumble_proctime_transition(timestamptz, "any", interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_proctime_transition';

CREATE AGGREGATE @extschema@.tumble_proctime(
	time_attr "any", window_interval interval) (
	SFUNC = watermark.tumble_proctime_transition,
	STYPE = timestamptz,
	FINALFUNC = watermark.part_proctime,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_proctime("any", interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION watermark.tumble_start_transition(timestamp, timestamp, interval, interval, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_start_transition';

CREATE AGGREGATE @extschema@.tumble_start(
	time_attr timestamp, window_interval interval, period_interval interval, lateness_interval interval) (
	SFUNC = watermark.tumble_start_transition,
	STYPE = timestamp,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_start(timestamp, interval, interval, interval) IS
'start of the window in GROUP BY TUMBLE';

CREATE FUNCTION watermark.tumble_start_transition(timestamptz, timestamptz, interval, interval, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_start_transition';

CREATE AGGREGATE @extschema@.tumble_start(
	time_attr timestamptz, window_interval interval, period_interval interval, lateness_interval interval) (
	SFUNC = watermark.tumble_start_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_start(timestamptz, interval, interval, interval) IS
'start of the window in GROUP BY TUMBLE';

CREATE FUNCTION watermark.tumble_end_transition(timestamp, timestamp, interval, interval, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_end_transition';

CREATE AGGREGATE @extschema@.tumble_end(
	time_attr timestamp, window_interval interval, period_interval interval, lateness_interval interval) (
	SFUNC = watermark.tumble_end_transition,
	STYPE = timestamp,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_end(timestamp, interval, interval, interval) IS
'exclusive end of the window in GROUP BY TUMBLE';

CREATE FUNCTION watermark.tumble_end_transition(timestamptz, timestamptz, interval, interval, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_end_transition';

CREATE AGGREGATE @extschema@.tumble_end(
	time_attr timestamptz, window_interval interval, period_interval interval, lateness_interval interval) (
	SFUNC = watermark.tumble_end_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_end(timestamptz, interval, interval, interval) IS
'exclusive end of the window in GROUP BY TUMBLE';

CREATE FUNCTION watermark.tumble_rowtime_transition(timestamp, timestamp, interval, interval, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_rowtime_transition';

CREATE AGGREGATE @extschema@.tumble_rowtime(
	time_attr timestamp, window_interval interval, period_interval interval, lateness_interval interval) (
	SFUNC = watermark.tumble_rowtime_transition,
	STYPE = timestamp,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_rowtime(timestamp, interval, interval, interval) IS
'rowtime, its end less 1 millisecond, of the window in GROUP BY TUMBLE';

CREATE FUNCTION watermark.tumble_rowtime_transition(timestamptz, timestamptz, interval, interval, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_rowtime_transition';

CREATE AGGREGATE @extschema@.tumble_rowtime(
	time_attr timestamptz, window_interval interval, period_interval interval, lateness_interval interval) (
	SFUNC = watermark.tumble_rowtime_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_rowtime(timestamptz, interval, interval, interval) IS
'rowtime, its end less 1 millisecond, of the window in GROUP BY TUMBLE';

CREATE FUNCTION watermark.tumble_proctime_transition(timestamp, timestamp, interval, interval, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_proctime_transition';

CREATE AGGREGATE @extschema@.tumble_proctime(
	time_attr timestamp, window_interval interval, period_interval interval, lateness_interval interval) (
	SFUNC = watermark.tumble_proctime_transition,
	STYPE = timestamp,
	FINALFUNC = watermark.part_proctime,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_proctime(timestamp, interval, interval, interval) IS
'clock when the result of the window in GROUP BY TUMBLE is computed';

CREATE FUNCTION watermark.tumble_proctime_transition(timestamptz, timestamptz, interval, interval, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.tumble_part_support
AS 'MODULE_PATHNAME', 'aw_sql_tumble_proctime_transition';

CREATE AGGREGATE @extschema@.tumble_proctime(
	time_attr timestamptz, window_interval interval, period_interval interval, lateness_interval interval) (
	SFUNC = watermark.tumble_proctime_transition,
	STYPE = timestamptz,
	FINALFUNC = watermark.part_proctime,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.tumble_proctime(timestamptz, interval, interval, interval) IS
'clock when the result of the window in GROUP BY TUMBLE is computed';

CREATE FUNCTION watermark.hop_start_transition(timestamp, timestamp, interval, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.hop_part_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_start_transition';

CREATE AGGREGATE @extschema@.hop_start(
	time_attr timestamp, slide_interval interval, window_interval interval) (
	SFUNC = watermark.hop_start_transition,
	STYPE = timestamp,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.hop_start(timestamp, interval, interval) IS
'start of the window in GROUP BY HOP';

CREATE FUNCTION watermark.hop_start_transition(timestamptz, timestamptz, interval, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.hop_part_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_start_transition';

CREATE AGGREGATE @extschema@.hop_start(
	time_attr timestamptz, slide_interval interval, window_interval interval) (
	SFUNC = watermark.hop_start_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.hop_start(timestamptz, interval, interval) IS
'start of the window in GROUP BY HOP';

CREATE FUNCTION watermark.hop_start_transition(timestamptz, "any", interval, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.hop_part_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_start_transition';

CREATE AGGREGATE @extschema@.hop_start(
	time_attr "any", slide_interval interval, window_interval interval) (
	SFUNC = watermark.hop_start_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.hop_start("any", interval, interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION watermark.hop_end_transition(timestamp, timestamp, interval, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.hop_part_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_end_transition';

CREATE AGGREGATE @extschema@.hop_end(
	time_attr timestamp, slide_interval interval, window_interval interval) (
	SFUNC = watermark.hop_end_transition,
	STYPE = timestamp,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.hop_end(timestamp, interval, interval) IS
'exclusive end of the window in GROUP BY HOP';

CREATE FUNCTION watermark.hop_end_transition(timestamptz, timestamptz, interval, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.hop_part_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_end_transition';

CREATE AGGREGATE @extschema@.hop_end(
	time_attr timestamptz, slide_interval interval, window_interval interval) (
	SFUNC = watermark.hop_end_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.hop_end(timestamptz, interval, interval) IS
'exclusive end of the window in GROUP BY HOP';

CREATE FUNCTION watermark.hop_end_transition(timestamptz, "any", interval, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.hop_part_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_end_transition';

CREATE AGGREGATE @extschema@.hop_end(
	time_attr "any", slide_interval interval, window_interval interval) (
	SFUNC = watermark.hop_end_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.hop_end("any", interval, interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION watermark.hop_rowtime_transition(timestamp, timestamp, interval, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.hop_part_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_rowtime_transition';

CREATE AGGREGATE @extschema@.hop_rowtime(
	time_attr timestamp, slide_interval interval, window_interval interval) (
	SFUNC = watermark.hop_rowtime_transition,
	STYPE = timestamp,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.hop_rowtime(timestamp, interval, interval) IS
'rowtime, its end less 1 millisecond, of the window in GROUP BY HOP';

CREATE FUNCTION watermark.hop_rowtime_transition(timestamptz, timestamptz, interval, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.hop_part_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_rowtime_transition';

CREATE AGGREGATE @extschema@.hop_rowtime(
	time_attr timestamptz, slide_interval interval, window_interval interval) (
	SFUNC = watermark.hop_rowtime_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.hop_rowtime(timestamptz, interval, interval) IS
'rowtime, its end less 1 millisecond, of the window in GROUP BY HOP';

CREATE FUNCTION watermark.hop_rowtime_transition(timestamptz, "any", interval, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.hop_part_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_rowtime_transition';

CREATE AGGREGATE @extschema@.hop_rowtime(
	time_attr "any", slide_interval interval, window_interval interval) (
	SFUNC = watermark.hop_rowtime_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.hop_rowtime("any", interval, interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION watermark.hop_proctime_transition(timestamp, timestamp, interval, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.hop_part_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_proctime_transition';

CREATE AGGREGATE @extschema@.hop_proctime(
	time_attr timestamp, slide_interval interval, window_interval interval) (
	SFUNC = watermark.hop_proctime_transition,
	STYPE = timestamp,
	FINALFUNC = watermark.part_proctime,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.hop_proctime(timestamp, interval, interval) IS
'clock when the result of the window in GROUP BY HOP is computed';

CREATE FUNCTION watermark.hop_proctime_transition(timestamptz, timestamptz, interval, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.hop_part_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_proctime_transition';

CREATE AGGREGATE @extschema@.hop_proctime(
	time_attr timestamptz, slide_interval interval, window_interval interval) (
	SFUNC = watermark.hop_proctime_transition,
	STYPE = timestamptz,
	FINALFUNC = watermark.part_proctime,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.hop_proctime(timestamptz, interval, interval) IS
'clock when the result of the window in GROUP BY HOP is computed';

CREATE FUNCTION watermark.hop_proctime_transition(timestamptz, "any", interval, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.hop_part_support
AS 'MODULE_PATHNAME', 'aw_sql_hop_proctime_transition';

CREATE AGGREGATE @extschema@.hop_proctime(
	time_attr "any", slide_interval interval, window_interval interval) (
	SFUNC = watermark.hop_proctime_transition,
	STYPE = timestamptz,
	FINALFUNC = watermark.part_proctime,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.hop_proctime("any", interval, interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION watermark.session_start_transition(timestamp, timestamp, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.session_part_support
AS 'MODULE_PATHNAME', 'aw_sql_session_start_transition';

CREATE AGGREGATE @extschema@.session_start(
	time_attr timestamp, gap_interval interval) (
	SFUNC = watermark.session_start_transition,
	STYPE = timestamp,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.session_start(timestamp, interval) IS
'start of the window in GROUP BY SESSION';

CREATE FUNCTION watermark.session_start_transition(timestamptz, timestamptz, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.session_part_support
AS 'MODULE_PATHNAME', 'aw_sql_session_start_transition';

CREATE AGGREGATE @extschema@.session_start(
	time_attr timestamptz, gap_interval interval) (
	SFUNC = watermark.session_start_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.session_start(timestamptz, interval) IS
'start of the window in GROUP BY SESSION';

CREATE FUNCTION watermark.session_start_transition(timestamptz, "any", interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.session_part_support
AS 'MODULE_PATHNAME', 'aw_sql_session_start_transition';

CREATE AGGREGATE @extschema@.session_start(
	time_attr "any", gap_interval interval) (
	SFUNC = watermark.session_start_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.session_start("any", interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION watermark.session_end_transition(timestamp, timestamp, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.session_part_support
AS 'MODULE_PATHNAME', 'aw_sql_session_end_transition';

CREATE AGGREGATE @extschema@.session_end(
	time_attr timestamp, gap_interval interval) (
	SFUNC = watermark.session_end_transition,
	STYPE = timestamp,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.session_end(timestamp, interval) IS
'exclusive end of the window in GROUP BY SESSION';

CREATE FUNCTION watermark.session_end_transition(timestamptz, timestamptz, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.session_part_support
AS 'MODULE_PATHNAME', 'aw_sql_session_end_transition';

CREATE AGGREGATE @extschema@.session_end(
	time_attr timestamptz, gap_interval interval) (
	SFUNC = watermark.session_end_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.session_end(timestamptz, interval) IS
'exclusive end of the window in GROUP BY SESSION';

CREATE FUNCTION watermark.session_end_transition(timestamptz, "any", interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.session_part_support
AS 'MODULE_PATHNAME', 'aw_sql_session_end_transition';

CREATE AGGREGATE @extschema@.session_end(
	time_attr "any", gap_interval interval) (
	SFUNC = watermark.session_end_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.session_end("any", interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION watermark.session_rowtime_transition(timestamp, timestamp, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.session_part_support
AS 'MODULE_PATHNAME', 'aw_sql_session_rowtime_transition';

CREATE AGGREGATE @extschema@.session_rowtime(
	time_attr timestamp, gap_interval interval) (
	SFUNC = watermark.session_rowtime_transition,
	STYPE = timestamp,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.session_rowtime(timestamp, interval) IS
'rowtime, its end less 1 millisecond, of the window in GROUP BY SESSION';

CREATE FUNCTION watermark.session_rowtime_transition(timestamptz, timestamptz, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.session_part_support
AS 'MODULE_PATHNAME', 'aw_sql_session_rowtime_transition';

CREATE AGGREGATE @extschema@.session_rowtime(
	time_attr timestamptz, gap_interval interval) (
	SFUNC = watermark.session_rowtime_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.session_rowtime(timestamptz, interval) IS
'rowtime, its end less 1 millisecond, of the window in GROUP BY SESSION';

CREATE FUNCTION watermark.session_rowtime_transition(timestamptz, "any", interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.session_part_support
AS 'MODULE_PATHNAME', 'aw_sql_session_rowtime_transition';

CREATE AGGREGATE @extschema@.session_rowtime(
	time_attr "any", gap_interval interval) (
	SFUNC = watermark.session_rowtime_transition,
	STYPE = timestamptz,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.session_rowtime("any", interval) IS
'raises an error that names the time attribute of a wrong type';

CREATE FUNCTION watermark.session_proctime_transition(timestamp, timestamp, interval)
RETURNS timestamp
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT watermark.session_part_support
AS 'MODULE_PATHNAME', 'aw_sql_session_proctime_transition';

CREATE AGGREGATE @extschema@.session_proctime(
	time_attr timestamp, gap_interval interval) (
	SFUNC = watermark.session_proctime_transition,
	STYPE = timestamp,
	FINALFUNC = watermark.part_proctime,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.session_proctime(timestamp, interval) IS
'clock when the result of the window in GROUP BY SESSION is computed';

CREATE FUNCTION watermark.session_proctime_transition(timestamptz, timestamptz, interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.session_part_support
AS 'MODULE_PATHNAME', 'aw_sql_session_proctime_transition';

CREATE AGGREGATE @extschema@.session_proctime(
	time_attr timestamptz, gap_interval interval) (
	SFUNC = watermark.session_proctime_transition,
	STYPE = timestamptz,
	FINALFUNC = watermark.part_proctime,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.session_proctime(timestamptz, interval) IS
'clock when the result of the window in GROUP BY SESSION is computed';

CREATE FUNCTION watermark.session_proctime_transition(timestamptz, "any", interval)
RETURNS timestamptz
LANGUAGE c STABLE PARALLEL SAFE
SUPPORT watermark.session_part_support
AS 'MODULE_PATHNAME', 'aw_sql_session_proctime_transition';

CREATE AGGREGATE @extschema@.session_proctime(
	time_attr "any", gap_interval interval) (
	SFUNC = watermark.session_proctime_transition,
	STYPE = timestamptz,
	FINALFUNC = watermark.part_proctime,
	COMBINEFUNC = watermark.window_part_combine,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.session_proctime("any", interval) IS
'raises an error that names the time attribute of a wrong type';

--
-- Time
--

CREATE FUNCTION @extschema@.proctime()
RETURNS timestamptz
LANGUAGE c VOLATILE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_proctime';

COMMENT ON FUNCTION @extschema@.proctime() IS
'processing time: the clock when the row is read, in milliseconds';

CREATE FUNCTION @extschema@.to_timestamp_ltz(epoch bigint, "precision" integer)
RETURNS timestamptz
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_to_timestamp_ltz';

COMMENT ON FUNCTION @extschema@.to_timestamp_ltz(bigint, integer) IS
'timestamptz of seconds (precision 0) or milliseconds (precision 3) since 1970';

--
-- Watermark definitions
--

CREATE FUNCTION @extschema@.set_watermark(rel regclass, rowtime name, strategy text)
RETURNS void
LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_set_watermark';

COMMENT ON FUNCTION @extschema@.set_watermark(regclass, name, text) IS
'gives a table or view a watermark, in the place of the one that it has';

CREATE FUNCTION @extschema@.drop_watermark(rel regclass)
RETURNS void
LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_drop_watermark';

COMMENT ON FUNCTION @extschema@.drop_watermark(regclass) IS
'takes the watermark that a table or view has itself';

CREATE FUNCTION @extschema@.describe(
	rel regclass, OUT name text, OUT type text, OUT "null" boolean, OUT key text, OUT extras text,
	OUT watermark text)
RETURNS SETOF record
LANGUAGE c STABLE STRICT PARALLEL SAFE ROWS 10
AS 'MODULE_PATHNAME', 'aw_sql_describe';

COMMENT ON FUNCTION @extschema@.describe(regclass) IS
'columns of a table or view with Flink''s names of types, rowtimes and watermarks';

CREATE FUNCTION watermark.definition_of(
	rel oid, OUT rowtime text, OUT strategy text, OUT problem text)
RETURNS SETOF record
LANGUAGE c STABLE STRICT PARALLEL SAFE ROWS 1
AS 'MODULE_PATHNAME', 'aw_sql_definition_of';

CREATE VIEW @extschema@.watermarks AS
SELECT c.oid::regclass AS relation, d.rowtime, d.strategy, d.problem
FROM (
	SELECT coalesce(r.ev_class, k.conrelid)
	FROM pg_catalog.pg_depend AS p
		LEFT JOIN pg_catalog.pg_rewrite AS r
			ON p.classid = 'pg_catalog.pg_rewrite'::regclass AND r.oid = p.objid
		LEFT JOIN pg_catalog.pg_constraint AS k
			ON p.classid = 'pg_catalog.pg_constraint'::regclass AND k.oid = p.objid
	WHERE p.refclassid = 'pg_catalog.pg_proc'::regclass
		AND p.refobjid IN (
			'@extschema@.watermark_for(timestamp, timestamp)'::regprocedure,
			'@extschema@.watermark_for(timestamptz, timestamptz)'::regprocedure,
			'@extschema@.watermark_for(date, date)'::regprocedure,
			'@extschema@.watermark_for(date, timestamp)'::regprocedure,
			'@extschema@.watermark_for(date, timestamptz)'::regprocedure,
			'@extschema@.watermark_for(timestamp, date)'::regprocedure,
			'@extschema@.watermark_for(timestamptz, date)'::regprocedure,
			'@extschema@.watermark_for("any", "any")'::regprocedure,
			'@extschema@.apply_watermark(anyelement, timestamp, timestamp)'::regprocedure,
			'@extschema@.apply_watermark(anyelement, timestamptz, timestamptz)'::regprocedure,
			'@extschema@.apply_watermark("any", "any", "any")'::regprocedure)
	GROUP BY 1
	) AS used(relid)
	JOIN pg_catalog.pg_class AS c ON c.oid = used.relid,
	LATERAL watermark.definition_of(c.oid) AS d
WHERE pg_catalog.pg_has_role(c.relowner, 'USAGE')
	OR pg_catalog.has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE')
	OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE');

COMMENT ON VIEW @extschema@.watermarks IS
'tables and views of this database that have a watermark definition of their own';

GRANT SELECT ON @extschema@.watermarks TO PUBLIC;

--
-- CSV files
--

CREATE FUNCTION @extschema@.read_csv(
	rel anyelement, path text, header boolean DEFAULT false, delimiter text DEFAULT ',')
RETURNS SETOF anyelement
LANGUAGE c VOLATILE PARALLEL RESTRICTED COST 10000 ROWS 100000
AS 'MODULE_PATHNAME', 'aw_sql_read_csv';

COMMENT ON FUNCTION @extschema@.read_csv(anyelement, text, boolean, text) IS
'rows of a CSV file of the server, or of the files of a directory, as the row type of rel';
