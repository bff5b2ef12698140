-- The busiest pages of each two seconds, out of CSV files, as Flink SQL: in one query, and
-- through a view whose AS is forgotten.
\i test/setup.psql
BEGIN;
\i test/csv.psql
SELECT plan(9);

-- 2018-03-05 06:07:08 is 1520230028.  A directory is read as the files in it, by name.
SELECT pg_temp.make_directory('visits'),
	pg_temp.write_file('visits/part-0.csv',
'501,21,3,view,1520230028
502,21,3,view,1520230028
503,22,3,view,1520230029
504,21,3,order,1520230029
505,22,3,view,1520230029
506,22,3,view,1520230029
'),
	pg_temp.write_file('visits/part-1.csv',
'507,23,4,view,1520230031
508,21,3,view,1520230030
509,22,3,view,1520230028
501,23,4,view,1520230031
') \g /dev/null

CREATE FUNCTION pg_temp.visits_ddl(name text, path text) RETURNS text LANGUAGE sql AS $f$
	SELECT format($$
        CREATE TABLE %s (
         visitor_id BIGINT
         ,page_id BIGINT
         ,section_id INT
         ,deed VARCHAR(11)
         ,deed_time BIGINT
         ,ts as TO_TIMESTAMP(FROM_UNIXTIME(deed_time, 'yyyy-MM-dd HH:mm:ss'))
         ,WATERMARK FOR ts as ts - INTERVAL '1' SECOND
        ) WITH (
         'connector' = 'filesystem'
         ,'path' = '%s'
         ,'format' = 'csv'
        )
	$$, name, path)
$f$;

CALL flink_execute(pg_temp.visits_ddl('visits', pg_temp.file_path('visits')));
CALL flink_execute(pg_temp.visits_ddl('visits_of_one_file', 'file://' || pg_temp.file_path('visits/part-1.csv')));

SELECT results_eq(flink_sql('DESCRIBE visits'), $$ VALUES
	('visitor_id', 'BIGINT', true, NULL::text, NULL::text, NULL::text),
	('page_id', 'BIGINT', true, NULL, NULL, NULL),
	('section_id', 'INT', true, NULL, NULL, NULL),
	('deed', 'VARCHAR(11)', true, NULL, NULL, NULL),
	('deed_time', 'BIGINT', true, NULL, NULL, NULL),
	('ts', 'TIMESTAMP(3) *ROWTIME*', true, NULL,
	 'AS TO_TIMESTAMP(FROM_UNIXTIME(`deed_time`, ''yyyy-MM-dd HH:mm:ss''))',
	 'flink.to_timestamp(flink.from_unixtime(deed_time, ''yyyy-MM-dd HH:mm:ss''::text))::timestamp(3) without time zone'
	 ' - ''00:00:01''::interval second')
$$, 'a table of files has the types of its DDL, and a computed rowtime');

SELECT results_eq(flink_sql('SELECT visitor_id, page_id, section_id, deed, ts FROM visits'), $$ VALUES
	(501::bigint, 21::bigint, 3, 'view'::varchar, timestamp '2018-03-05 06:07:08'),
	(502, 21, 3, 'view', '2018-03-05 06:07:08'),
	(503, 22, 3, 'view', '2018-03-05 06:07:09'),
	(504, 21, 3, 'order', '2018-03-05 06:07:09'),
	(505, 22, 3, 'view', '2018-03-05 06:07:09'),
	(506, 22, 3, 'view', '2018-03-05 06:07:09'),
	(507, 23, 4, 'view', '2018-03-05 06:07:11'),
	(508, 21, 3, 'view', '2018-03-05 06:07:10'),
	(509, 22, 3, 'view', '2018-03-05 06:07:08'),
	(501, 23, 4, 'view', '2018-03-05 06:07:11')
$$, 'the files of a directory are one table');

SELECT results_eq(flink_sql('SELECT visitor_id FROM visits_of_one_file'),
	'VALUES (507::bigint), (508), (509), (501)', 'a path may be a URI of one file');

-- Of pages 21 and 22 in the windows that end at :09 and :10, and 21 and 23, none are equal.
CREATE TEMP TABLE busiest (page_id bigint, window_end timestamp, cnt bigint, row_num bigint);
INSERT INTO busiest VALUES
	(21, '2018-03-05 06:07:09', 2, 1), (22, '2018-03-05 06:07:09', 1, 2),
	(22, '2018-03-05 06:07:10', 4, 1), (21, '2018-03-05 06:07:10', 2, 2),
	(22, '2018-03-05 06:07:11', 3, 1), (21, '2018-03-05 06:07:11', 1, 2),
	(23, '2018-03-05 06:07:12', 2, 1), (21, '2018-03-05 06:07:12', 1, 2),
	(23, '2018-03-05 06:07:13', 2, 1);

SELECT bag_eq(flink_sql($$
        select *
        from (
         select *
           ,row_number() over (partition by windowEnd order by cnt desc) as row_num
         from (
           SELECT page_id
             ,HOP_END(ts, INTERVAL '1' SECONDS, INTERVAL '2' SECONDS) windowEnd
               ,COUNT(page_id) as cnt
           FROM visits
           WHERE deed = 'view'
           GROUP BY
               page_id
               , HOP(ts, INTERVAL '1' SECONDS, INTERVAL '2' SECONDS)
           ) AS tmp_agg)
        where row_num <= 10
$$), 'TABLE busiest', 'one query ranks the pages of each two seconds');

SELECT bag_eq(flink_sql($$
        select *
        from (
         select *
           ,row_number() over (partition by windowEnd order by cnt desc) as row_num
         from (
           SELECT page_id
             ,HOP_END(ts, INTERVAL '1' SECONDS, INTERVAL '2' SECONDS) windowEnd
               ,COUNT(page_id) as cnt
           FROM visits
           WHERE deed = 'view'
           GROUP BY
               page_id
               , HOP(ts, INTERVAL '1' SECONDS, INTERVAL '2' SECONDS)
           ) AS tmp_agg)
        where row_num <= 1
$$), 'SELECT * FROM busiest WHERE row_num = 1', 'and takes the first of them');

CALL flink_execute($$
        CREATE VIEW page_counts
        SELECT page_id
          ,HOP_END(ts, INTERVAL '1' SECONDS, INTERVAL '2' SECONDS) windowEnd
          ,COUNT(page_id) as cnt
        FROM visits
        WHERE deed = 'view'
        GROUP BY
           page_id
           , HOP(ts, INTERVAL '1' SECONDS, INTERVAL '2' SECONDS)

$$);

SELECT bag_eq(flink_sql('SELECT page_id, windowEnd, cnt FROM page_counts'),
	'SELECT page_id, window_end, cnt FROM busiest', 'a view without AS counts the same');

SELECT bag_eq(flink_sql($$
        select *
        from (
         select *
           ,row_number() over (partition by windowEnd order by cnt desc) as row_num
         from page_counts)
        where row_num <= 10
$$), 'TABLE busiest', 'and is ranked the same');

-- As printed, the parenthesis is not closed.
SELECT throws_ok($$ SELECT flink_sql('select * from (
         select *
           ,row_number() over (partition by windowEnd order by cnt desc) as row_num
         from page_counts
        where row_num <= 10') $$,
	'42601', 'expected ")", found the end of the text in Flink SQL', 'a parenthesis must be closed');

-- A path of another system is taken as it stands.
CALL flink_execute(pg_temp.visits_ddl('elsewhere', 'D:\\data\\visits'));
SELECT throws_ok(flink_sql('SELECT * FROM elsewhere'), '58P01', NULL, 'a file is looked for when it is read');

SELECT pg_temp.remove_files() \g /dev/null
SELECT * FROM finish();
ROLLBACK;
