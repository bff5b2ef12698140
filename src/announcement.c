/*
 * announcement.c
 *
 * A NOTIFY on the channel "watermark" for each transaction that publishes windows of a
 * query.  It is sent when the transaction commits, so who has heard of a window finds
 * it in the sink.  Who listens is not known: any role may, so that the payload has no
 * values of rows.
 *
 * A session that listens and does not get on fills the server's queue, and at last
 * each transaction with a NOTIFY fails.  The results matter more: where the queue
 * is half full, which the server warns of, nothing is sent.
 */
#include "postgres.h"

#include "commands/async.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/fmgrprotos.h"
#include "utils/json.h"

#include "announcement.h"

#define CHANNEL			"watermark"
#define MAX_QUEUE_USAGE	0.5

static char *payload_of(const AwAnnouncement *published, const char *query, bool is_zoned,
						const char *time_zone);
static void append_time(StringInfo payload, const char *name, int64 time_us, bool is_zoned,
						const char *time_zone);

/* Tells of what was published, if that is anything, and forgets it. */
void
aw_announcement_send(AwAnnouncement *published, const char *query, bool is_zoned,
					 const char *time_zone)
{
	if (published->n_windows == 0)
		return;
	if (DatumGetFloat8(DirectFunctionCall1(pg_notification_queue_usage, (Datum) 0)) <= MAX_QUEUE_USAGE)
		Async_Notify(CHANNEL, payload_of(published, query, is_zoned, time_zone));
	memset(published, 0, sizeof(*published));
}

static char *
payload_of(const AwAnnouncement *published, const char *query, bool is_zoned,
		   const char *time_zone)
{
	StringInfoData payload;

	initStringInfo(&payload);
	appendStringInfoString(&payload, "{\"query\": ");
	escape_json(&payload, query);
	append_time(&payload, "window_start", published->last.start_us, is_zoned, time_zone);
	append_time(&payload, "window_end", published->last.end_us, is_zoned, time_zone);
	appendStringInfo(&payload, ", \"windows\": " INT64_FORMAT ", \"rows\": " INT64_FORMAT "}",
					 published->n_windows, published->n_rows);
	return payload.data;
}

/* A time as the views show it, in ISO form whatever DateStyle is. */
static void
append_time(StringInfo payload, const char *name, int64 time_us, bool is_zoned,
			const char *time_zone)
{
	Timestamp	wall = time_us;
	struct pg_tm tm;
	fsec_t		fraction;
	char		text[MAXDATELEN + 1];

	if (is_zoned)
		wall = DatumGetTimestamp(DirectFunctionCall2(timestamptz_zone,
													 CStringGetTextDatum(time_zone),
													 TimestampTzGetDatum(time_us)));
	if (timestamp2tm(wall, NULL, &tm, &fraction, NULL, NULL) != 0)
		elog(ERROR, "timestamp out of range");
	EncodeDateTime(&tm, fraction, false, 0, NULL, USE_ISO_DATES, text);
	appendStringInfo(payload, ", \"%s\": ", name);
	escape_json(payload, is_zoned ? psprintf("%s %s", text, time_zone) : text);
}
