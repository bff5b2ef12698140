-- The statements of APPLY_WATERMARK's description, as Flink SQL.
\i test/setup.psql
BEGIN;
SELECT plan(16);

CALL flink_execute($$
	CREATE TABLE Parcels (
	  parcel_id BIGINT,
	  left_at TIMESTAMP(3)
	);
	INSERT INTO Parcels VALUES
		(1, TIMESTAMP '2024-06-03 09:00:05'), (2, TIMESTAMP '2024-06-03 09:00:40'),
		(3, TIMESTAMP '2024-06-03 09:00:20'), (4, TIMESTAMP '2024-06-03 09:01:10'),
		(5, TIMESTAMP '2024-06-03 09:00:59.999'), (6, TIMESTAMP '2024-06-03 09:01:00'),
		(7, CAST(NULL AS TIMESTAMP(3))), (8, TIMESTAMP '2024-06-03 09:03:00');
$$);

PREPARE stamped AS SELECT parcel_id, left_at FROM parcels WHERE parcel_id <> 7;

SELECT results_eq(flink_sql($$
	SELECT
	  parcel_id,
	  left_at
	FROM APPLY_WATERMARK(
	  (
	    SELECT
	      parcel_id,
	      left_at
	    FROM Parcels
	    WHERE left_at IS NOT NULL
	  ),
	  DESCRIPTOR(left_at),
	  left_at - INTERVAL '8' SECOND
	);
$$), 'stamped', 'a subquery with a watermark passes its rows through, in their order');

CALL flink_execute('DELETE FROM Parcels WHERE parcel_id = 7');

SELECT results_eq(flink_sql($$
	SELECT
	  parcel_id,
	  left_at
	FROM APPLY_WATERMARK(
	  TABLE Parcels,
	  DESCRIPTOR(left_at),
	  left_at - INTERVAL '8' SECOND
	);
$$), 'stamped', 'a table with a watermark passes its rows through');

SELECT results_eq(flink_sql($$
	SELECT *
	FROM APPLY_WATERMARK(
	  strategy => left_at - INTERVAL '8' SECOND,
	  rowtime => DESCRIPTOR(left_at),
	  input => TABLE Parcels
	);
$$), 'stamped', 'named arguments come in any order, and the watermark is no column');

-- The window function over a view.
CALL flink_execute($$
	CREATE TEMPORARY VIEW WatermarkedParcels AS
	SELECT
	  parcel_id,
	  left_at
	FROM APPLY_WATERMARK(
	  TABLE Parcels,
	  DESCRIPTOR(left_at),
	  left_at - INTERVAL '8' SECOND
	);
$$);

SELECT results_eq(flink_sql('DESCRIBE WatermarkedParcels'), $$ VALUES
	('parcel_id', 'BIGINT', true, NULL::text, NULL::text, NULL::text),
	('left_at', 'TIMESTAMP(3) *ROWTIME*', true, NULL, NULL, 'parcels.left_at - ''00:00:08''::interval second')
$$, 'a view on APPLY_WATERMARK has its watermark');

SELECT bag_eq(flink_sql($$
	SELECT
	  window_start,
	  window_end,
	  COUNT(*) AS parcel_count
	FROM TABLE(
	  TUMBLE(
	    TABLE WatermarkedParcels,
	    DESCRIPTOR(left_at),
	    INTERVAL '1' MINUTE
	  )
	)
	GROUP BY window_start, window_end;
$$), $$ VALUES
	(timestamp '2024-06-03 09:00', timestamp '2024-06-03 09:01', 4),
	('2024-06-03 09:01', '2024-06-03 09:02', 2),
	('2024-06-03 09:03', '2024-06-03 09:04', 1)
$$, 'the view is windowed like a table');

-- A watermark in the place of another.
CALL flink_execute($$
	CREATE TABLE ParcelsWithWatermark (
	  parcel_id BIGINT,
	  left_at TIMESTAMP(3),
	  WATERMARK FOR left_at AS left_at - INTERVAL '20' SECOND
	);
	INSERT INTO ParcelsWithWatermark SELECT * FROM Parcels;
$$);

SELECT results_eq(flink_sql('DESC ParcelsWithWatermark'), $$ VALUES
	('parcel_id', 'BIGINT', true, NULL::text, NULL::text, NULL::text),
	('left_at', 'TIMESTAMP(3) *ROWTIME*', true, NULL, NULL, '(left_at - ''00:00:20''::interval second)')
$$, 'a table has the watermark of its DDL');

SELECT results_eq(flink_sql($$
	SELECT
	  parcel_id,
	  left_at
	FROM APPLY_WATERMARK(
	  TABLE ParcelsWithWatermark,
	  DESCRIPTOR(left_at),
	  left_at - INTERVAL '8' SECOND
	);
$$), 'stamped', 'a table that has a watermark passes its rows through another');

SELECT results_eq(flink_sql($$
	SELECT
	  parcel_id,
	  left_at
	FROM APPLY_WATERMARK(
	  (
	    SELECT
	      parcel_id,
	      left_at
	    FROM APPLY_WATERMARK(
	      TABLE Parcels,
	      DESCRIPTOR(left_at),
	      left_at - INTERVAL '20' SECOND
	    )
	  ),
	  DESCRIPTOR(left_at),
	  left_at - INTERVAL '8' SECOND
	);
$$), 'stamped', 'a cascade of watermarks passes its rows through');

CALL flink_execute($$
	CREATE TEMPORARY VIEW Redefined AS SELECT left_at FROM APPLY_WATERMARK(
	  TABLE ParcelsWithWatermark, DESCRIPTOR(left_at), left_at - INTERVAL '8' SECOND);
	CREATE TEMPORARY VIEW Shortened AS SELECT left_at FROM APPLY_WATERMARK(
	  (SELECT * FROM APPLY_WATERMARK(TABLE Parcels, DESCRIPTOR(left_at), left_at - INTERVAL '20' SECOND)),
	  DESCRIPTOR(left_at), left_at - INTERVAL '8' SECOND);
	CREATE TEMPORARY VIEW Lengthened AS SELECT left_at FROM APPLY_WATERMARK(
	  TABLE WatermarkedParcels, DESCRIPTOR(left_at), left_at - INTERVAL '20' SECOND);
	CREATE TEMPORARY VIEW Inherited AS SELECT left_at FROM ParcelsWithWatermark WHERE parcel_id > 2;
$$);

SELECT results_eq(flink_sql('DESC ' || name), format($$ VALUES
	('left_at', 'TIMESTAMP(3) *ROWTIME*', true, NULL::text, NULL::text, %L) $$, watermark), label)
FROM (VALUES
	('Redefined', 'parcelswithwatermark.left_at - ''00:00:08''::interval second', 'APPLY_WATERMARK redefines the watermark of a table'),
	('Shortened', 'input.left_at - ''00:00:08''::interval second', 'the outermost watermark acts, also when it waits less'),
	('Lengthened', 'watermarkedparcels.left_at - ''00:00:20''::interval second', 'the outermost watermark acts, also when it waits longer'),
	('Inherited', 'that of parcelswithwatermark', 'a view without a watermark has that of its table')
) AS c(name, watermark, label);

-- Through EXECUTE, as a driver does it.
SELECT lives_ok($$ SELECT flink_prepare('later', 'SELECT parcel_id FROM APPLY_WATERMARK(
	TABLE Parcels, DESCRIPTOR(left_at), left_at - INTERVAL ''8'' SECOND) WHERE left_at >= ?') $$,
	'a query with a watermark may be prepared');
SELECT results_eq($$ EXECUTE later('2024-06-03 09:01') $$, 'VALUES (4::bigint), (6), (8)', 'and executed');

-- What its description excludes.
SELECT throws_ok(flink_sql($$ SELECT * FROM APPLY_WATERMARK(TABLE Parcels, DESCRIPTOR(parcel_id), left_at) $$),
	'42804', 'column "parcel_id" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)', 'the rowtime is a timestamp');
SELECT throws_ok($$ SELECT flink_sql('SELECT * FROM APPLY_WATERMARK(TABLE Parcels, DESCRIPTOR(left_at, parcel_id), left_at)') $$,
	'42601', 'DESCRIPTOR takes one column here', 'and one column');

SELECT * FROM finish();
ROLLBACK;
