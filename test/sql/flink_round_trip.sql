-- What SHOW CREATE prints makes the same object again.  Flink 2.3.0 accepts all that is printed here, but for
-- the watermarks of views, which are of FLINK-39062.
\i test/setup.psql
BEGIN;
SELECT plan(34);

CREATE TABLE statements (id int GENERATED ALWAYS AS IDENTITY, kind text, name text, statement text);
INSERT INTO statements (kind, name, statement) VALUES
	('table', 'plain', 'CREATE TABLE plain (a INT NOT NULL, b STRING, c DECIMAL(10, 2), d TIMESTAMP(3), e TIMESTAMP_LTZ(3), f DOUBLE, g FLOAT, h BOOLEAN, i DATE, j TIME(0), k BYTES, l VARCHAR(5), m CHAR(2), n SMALLINT, o BIGINT, p ARRAY<INT>) WITH (''connector'' = ''kafka'', ''topic'' = ''it''''s'')'),
	('table', 'marked', 'CREATE TABLE marked (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL ''5'' SECOND)'),
	('table', 'versioned', 'CREATE TABLE versioned (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts, PRIMARY KEY (a) NOT ENFORCED)'),
	('table', 'keyed', 'CREATE TABLE keyed (a INT, b STRING, PRIMARY KEY (a, b) NOT ENFORCED)'),
	('table', 'commented', 'CREATE TABLE commented (a INT COMMENT ''one''''s'') COMMENT ''two''''s'' WITH (''connector'' = ''blackhole'')'),
	('table', 'computed', 'CREATE TABLE computed (ms BIGINT, ts AS TO_TIMESTAMP_LTZ(ms, 3), s AS CAST(ms AS STRING), WATERMARK FOR ts AS ts - INTERVAL ''5'' SECOND)'),
	('table', 'clocked', 'CREATE TABLE clocked (a INT, p AS PROCTIME(), n AS NOW(), l AS LOCALTIMESTAMP)'),
	('table', 'generated', 'CREATE TABLE generated (a INT, ts TIMESTAMP(3), twice AS a * 2, WATERMARK FOR ts AS ts - INTERVAL ''1'' MINUTE) WITH (''connector'' = ''datagen'', ''number-of-rows'' = ''5'')'),
	('table', 'filed', 'CREATE TABLE filed (a INT) WITH (''connector'' = ''filesystem'', ''path'' = ''/srv/a.csv'', ''format'' = ''csv'')'),
	('table', 'choosy', 'CREATE TABLE choosy (k STRING, ts TIMESTAMP(3), o TIMESTAMP(3), WATERMARK FOR ts AS CASE WHEN k IN (''a'', ''b'') THEN FLOOR(ts TO MINUTE) WHEN k = ''c'' THEN LEAST(ts, o) ELSE TIMESTAMPADD(SECOND, 3, ts) END)'),
	('table', 'constant', 'CREATE TABLE constant (ts TIMESTAMP(3), WATERMARK FOR ts AS COALESCE(CAST(NULL AS TIMESTAMP(3)), TIMESTAMP ''2024-05-06 08:00:09.999''))'),
	('view', 'simple', 'CREATE VIEW simple AS SELECT a, COUNT(*) FROM plain GROUP BY a'),
	('view', 'windowed', 'CREATE VIEW windowed (wt, n) COMMENT ''it''''s'' WATERMARK FOR wt AS wt - INTERVAL ''1'' SECOND AS SELECT window_time, COUNT(*) FROM TABLE(TUMBLE(TABLE marked, DESCRIPTOR(ts), INTERVAL ''10'' MINUTES)) GROUP BY window_start, window_end, window_time'),
	('view', 'laid', 'CREATE VIEW laid AS
SELECT a, -- a comment
	b FROM plain');

CREATE FUNCTION pg_temp.shown(statements) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	text text;
BEGIN
	EXECUTE format('SELECT flink.show_create_%s(%L)', $1.kind, $1.name) INTO text;
	RETURN text;
END
$$;

CREATE TABLE shown (id int, first text, second text);
DO $$
DECLARE
	s statements;
BEGIN
	FOR s IN SELECT * FROM statements ORDER BY id LOOP
		CALL flink_execute(s.statement);
	END LOOP;
	INSERT INTO shown (id, first) SELECT st.id, pg_temp.shown(st) FROM statements AS st;
	FOR s IN SELECT * FROM statements ORDER BY id DESC LOOP
		CALL flink_execute(format('DROP %s %s', s.kind, s.name));
	END LOOP;
	FOR s IN SELECT st.id, kind, name, first FROM statements AS st JOIN shown USING (id) ORDER BY st.id LOOP
		CALL flink_execute(s.statement);
	END LOOP;
	UPDATE shown SET second = pg_temp.shown(st) FROM statements AS st WHERE st.id = shown.id;
END
$$;

SELECT is(second, first, name || ' is made again') FROM shown JOIN statements USING (id) ORDER BY id;
SELECT matches(first, '^CREATE ' || upper(kind) || ' `' || name || '` \(', name || ' is shown') FROM shown JOIN statements USING (id) ORDER BY id;

-- The objects themselves.
SELECT results_eq($$SELECT a, twice FROM generated LIMIT 0$$, $$SELECT 1, 2 LIMIT 0$$, 'a generator is a view again');
SELECT results_eq($$SELECT relation::text, rowtime::text FROM watermarks WHERE relation::text IN ('marked', 'versioned', 'computed', 'generated', 'choosy', 'windowed') ORDER BY 1$$,
	$$VALUES ('choosy', 'ts'), ('computed', 'ts'), ('generated', 'ts'), ('marked', 'ts'), ('versioned', 'ts'), ('windowed', 'wt')$$,
	'watermarks are there again');
SELECT col_is_pk('keyed', ARRAY['a', 'b'], 'a key is one again');
INSERT INTO commented VALUES (1);
SELECT is_empty('SELECT * FROM commented', 'a sink that keeps nothing keeps nothing again');
SELECT is(col_description('commented'::regclass, 1), 'one''s', 'comments are there again');
SELECT is(pg_temp.shown(s), E'CREATE VIEW `laid` (`a`, `b`)\nAS SELECT a, -- a comment\n\tb FROM plain', 'a query keeps its lines and comments')
FROM statements AS s WHERE name = 'laid';

SELECT * FROM finish();
ROLLBACK;
