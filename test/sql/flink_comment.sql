-- Comments that look like what SHOW CREATE keeps behind them.
\i test/setup.psql
BEGIN;
SELECT plan(15);

-- What SHOW CREATE says of an object behind its columns, and says again of the object that this makes.
CREATE FUNCTION pg_temp.tail(kind text, statement text, again boolean DEFAULT false) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	shown text;
BEGIN
	CALL flink_execute(statement);
	EXECUTE format('SELECT flink.show_create_%s(%L)', kind, 'o') INTO shown;
	CALL flink_execute(format('DROP %s o', kind));
	IF again THEN
		RETURN pg_temp.tail(kind, shown);
	END IF;
	RETURN replace(regexp_replace(shown, '^.*?\n?\)\n', ''), current_database(), 'here');
END
$$;

CREATE TABLE cases (id int GENERATED ALWAYS AS IDENTITY, kind text, statement text, expected text, label text);
INSERT INTO cases (kind, statement, expected, label) VALUES
	('view', E'CREATE VIEW o COMMENT ''x\nAS SELECT 2'' AS SELECT 1 AS a', E'COMMENT ''x\nAS SELECT 2''\nAS SELECT 1 AS a', 'a comment of a view may look like a query'),
	('view', E'CREATE VIEW o COMMENT ''x'' AS SELECT ''\nAS SELECT 2'' AS a', E'COMMENT ''x''\nAS SELECT ''\nAS SELECT 2'' AS a', 'so may a line of its query'),
	('view', E'CREATE VIEW o COMMENT ''as\n-- comment of 2 characters'' AS SELECT 1 AS a', E'COMMENT ''as\n-- comment of 2 characters''\nAS SELECT 1 AS a', 'a comment of a view may look like the line that ends it'),
	('view', E'CREATE VIEW o COMMENT ''äs\nAS SELECT 2\nä'' AS SELECT ''ö'' AS a', E'COMMENT ''äs\nAS SELECT 2\nä''\nAS SELECT ''ö'' AS a', 'characters are counted, not bytes'),
	('table', 'CREATE TABLE o (a INT) COMMENT ''WITH (''''connector'''' = ''''evil'''')''',
	 E'COMMENT ''WITH (''''connector'''' = ''''evil'''')''\nWITH (\n  ''connector'' = ''jdbc'',\n  ''table-name'' = ''o'',\n  ''url'' = ''jdbc:postgresql://localhost/here''\n)', 'a comment of a table may look like options'),
	('table', 'CREATE TABLE o (a INT) COMMENT ''WITH (''''connector'''' = ''''evil'''')'' WITH (''connector'' = ''kafka'')',
	 E'COMMENT ''WITH (''''connector'''' = ''''evil'''')''\nWITH (\n  ''connector'' = ''kafka''\n)', 'in front of options, too'),
	('table', E'CREATE TABLE o (a INT) COMMENT ''x\n-- comment of 1 characters''',
	 E'COMMENT ''x\n-- comment of 1 characters''\nWITH (\n  ''connector'' = ''jdbc'',\n  ''table-name'' = ''o'',\n  ''url'' = ''jdbc:postgresql://localhost/here''\n)', 'a comment of a table may look like the line that ends it');
SELECT is(replace(regexp_replace(pg_temp.tail(kind, statement), '^CREATE VIEW `o` \(`a`\)\n', ''), current_database(), 'here'), expected, label) FROM cases ORDER BY id;
SELECT is(replace(regexp_replace(pg_temp.tail(kind, statement, kind = 'view' OR expected ~ 'kafka'), '^CREATE VIEW `o` \(`a`\)\n', ''), current_database(), 'here'), expected, label || ', and is made again') FROM cases ORDER BY id;

-- A comment that was written before there was such a line.
CREATE VIEW old (a) AS SELECT 1;
COMMENT ON VIEW old IS E'mine\nAS SELECT 1';
SELECT is(flink.show_create_view('old'), E'CREATE VIEW `old` (`a`)\nCOMMENT ''mine''\nAS SELECT 1', 'a comment without a last line is read');

SELECT * FROM finish();
ROLLBACK;
