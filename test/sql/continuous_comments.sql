\i test/setup.psql
BEGIN;
SELECT plan(4);

-- What a user may call or read says what it is.
CREATE VIEW member AS
SELECT classid, objid
FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
	AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'apply_watermark');

SELECT is_empty($$
	SELECT objid::regclass
	FROM member JOIN pg_class ON oid = objid
	WHERE classid = 'pg_class'::regclass AND relkind IN ('r', 'v') AND obj_description(objid, 'pg_class') IS NULL$$,
	'every table and view has a comment');

SELECT is_empty($$
	SELECT objid::regclass, attname
	FROM member JOIN pg_class AS c ON oid = objid JOIN pg_attribute ON attrelid = objid
	WHERE classid = 'pg_class'::regclass AND relkind = 'v' AND relnamespace = 'watermark'::regnamespace AND attnum > 0
		AND col_description(objid, attnum) IS NULL$$,
	'every column of a view of the schema watermark has a comment');

SELECT is_empty($$
	SELECT objid::regprocedure
	FROM member JOIN pg_proc AS p ON oid = objid
	WHERE classid = 'pg_proc'::regclass AND pronamespace <> 'watermark'::regnamespace AND proname !~ '_support$'
		AND obj_description(objid, 'pg_proc') IS NULL$$,
	'every function outside of it has a comment, but those for the planner');

SELECT is((
	SELECT array_agg(proname::text ORDER BY proname COLLATE "C")
	FROM member JOIN pg_proc AS p ON oid = objid
	WHERE classid = 'pg_proc'::regclass AND pronamespace = 'watermark'::regnamespace AND obj_description(objid, 'pg_proc') IS NOT NULL),
	ARRAY['advance', 'audit', 'create_query', 'drain_query', 'drop_query', 'explain_query', 'pause_query', 'resume_query', 'time_text', 'track', 'untrack', 'worker'],
	'in it, those for users have one, and no others');

SELECT * FROM finish();
ROLLBACK;
