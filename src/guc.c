/*
 * guc.c
 *
 * Defines the settings of the extension, all below "apply_watermark.".
 *
 * They exist once the library is loaded, which the first function of a session
 * does; before that PostgreSQL keeps what SET gives as a placeholder.
 */
#include "postgres.h"

#include <limits.h>

#include "utils/guc.h"

#include "attempt.h"
#include "capture.h"
#include "crash.h"
#include "guc.h"
#include "retention.h"
#include "worker.h"

/* in MB */
#define MIN_RETAINED_WAL_MB	64

int			aw_guc_max_windows_per_row = 100000;
bool		aw_guc_enable_slice_node = true;

static const struct config_enum_entry runtime_modes[] = {
	{"batch", 0, false},
	{"streaming", 1, false},
	{"automatic", 0, true},
	{NULL, 0, false}
};

/* Read by their names. */
static char *default_path;
static int	runtime_mode;
static char *pipeline_name;
static char *idle_timeout;

static void define_worker_settings(void);
static void define_flink_settings(void);
static void define_retention_settings(void);
static bool check_max_retained_wal(int *value, void **extra, GucSource source);

void
aw_guc_init(void)
{
	DefineCustomIntVariable("apply_watermark.max_windows_per_row",
							"Most windows that one row may be put into.",
							"A row of HOP or CUMULATE belongs to many windows; "
							"more than this many raise an error.",
							&aw_guc_max_windows_per_row,
							100000, 1, INT_MAX,
							PGC_USERSET, 0,
							NULL, NULL, NULL);
	define_worker_settings();

	DefineCustomBoolVariable("apply_watermark.enable_slice_node",
							 "Lets the planner group by windows with the slice node.",
							 "It adds up each row once, and merges slices of time into windows.",
							 &aw_guc_enable_slice_node,
							 true,
							 PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);

	define_flink_settings();

	MarkGUCPrefixReserved("apply_watermark");
}

/* How the workers of continuous queries go about it. */
static void
define_worker_settings(void)
{
	DefineCustomIntVariable("apply_watermark.poll_interval",
							"Time after which a worker looks for commits that have not woken it.",
							"Those with synchronous_commit = off are found so.",
							&aw_worker_poll_interval_ms,
							200, 10, 60000,
							PGC_SIGHUP, GUC_UNIT_MS,
							NULL, NULL, NULL);
	DefineCustomIntVariable("apply_watermark.coalesce_delay",
							"Time from one look of a worker at new commits to the next, at least.",
							"More costs latency under load, and saves CPU.",
							&aw_worker_coalesce_delay_ms,
							3, 0, 10000,
							PGC_SIGHUP, GUC_UNIT_MS,
							NULL, NULL, NULL);
	DefineCustomIntVariable("apply_watermark.batch_size",
							"Rows that a worker processes at a time.",
							"A batch ends with the transaction that passes this size.",
							&aw_worker_batch_size_kb,
							16 * 1024, 64, MAX_KILOBYTES,
							PGC_SIGHUP, GUC_UNIT_KB,
							NULL, NULL, NULL);
	DefineCustomIntVariable("apply_watermark.decode_memory",
							"Memory of a worker for transactions whose commit it has not read.",
							"What does not fit goes to disk, which costs five times the CPU.",
							&aw_capture_decode_memory_kb,
							256 * 1024, 64, MAX_KILOBYTES,
							PGC_SIGHUP, GUC_UNIT_KB,
							NULL, NULL, NULL);
	DefineCustomIntVariable("apply_watermark.query_timeout",
							"Time that a continuous query may work at a stretch.",
							"One that takes longer, but on its history, fails, so that "
							"others do not wait for it; zero turns this off.",
							&aw_attempt_timeout_ms,
							5 * 60 * 1000, 0, INT_MAX,
							PGC_SIGHUP, GUC_UNIT_MS,
							NULL, NULL, NULL);
	define_retention_settings();
	DefineCustomStringVariable("apply_watermark.crash_at",
							   "Step at which a worker ends without warning, to test recovery.",
							   "One of: decode, publish, commit, confirm.",
							   &aw_crash_step,
							   "",
							   PGC_SUSET, GUC_NOT_IN_SAMPLE | GUC_NO_SHOW_ALL,
							   NULL, NULL, NULL);
}

/* What SET and USE of Flink SQL leave to the statements behind them. */
static void
define_flink_settings(void)
{
	DefineCustomStringVariable("apply_watermark.default_path",
							   "The search path before USE of Flink SQL.",
							   "USE sets it, and USE default_database takes it back; "
							   "empty as long as no other database is used.",
							   &default_path,
							   "",
							   PGC_USERSET, GUC_NO_SHOW_ALL | GUC_NOT_IN_SAMPLE,
							   NULL, NULL, NULL);
	DefineCustomEnumVariable("apply_watermark.runtime_mode",
							 "Whether INSERT of Flink SQL starts a continuous query.",
							 "In the mode streaming one that reads a stream does; "
							 "in the mode batch each runs once.",
							 &runtime_mode,
							 0, runtime_modes,
							 PGC_USERSET, 0,
							 NULL, NULL, NULL);
	DefineCustomStringVariable("apply_watermark.pipeline_name",
							   "Name of the next continuous query that INSERT of Flink SQL starts.",
							   "Empty for one made of the name of its table.",
							   &pipeline_name,
							   "",
							   PGC_USERSET, 0,
							   NULL, NULL, NULL);
	DefineCustomStringVariable("apply_watermark.idle_timeout",
							   "Argument idle_timeout of continuous queries that INSERT starts.",
							   "An interval; empty for none.",
							   &idle_timeout,
							   "",
							   PGC_USERSET, 0,
							   NULL, NULL, NULL);
}

/* What the server keeps for continuous queries that do not get on. */
static void
define_retention_settings(void)
{
	DefineCustomIntVariable("apply_watermark.max_retained_wal",
							"WAL that is kept for a query that is paused or has failed, at most.",
							"Past that the query fails, and goes on from its tables when it is "
							"resumed; -1 is no limit.",
							&aw_retention_max_wal_mb,
							64 * 1024, -1, MAX_KILOBYTES,
							PGC_SIGHUP, GUC_UNIT_MB,
							check_max_retained_wal, NULL, NULL);
	DefineCustomIntVariable("apply_watermark.max_catalog_age",
							"Transactions for which a query that is paused or has failed holds "
							"back VACUUM of system catalogs, at most.",
							"Past that the query fails, and goes on from its tables when it is "
							"resumed; -1 is no limit.",
							&aw_retention_max_catalog_age,
							200000000, -1, 2000000000,
							PGC_SIGHUP, 0,
							NULL, NULL, NULL);
}

/* A query that runs is behind in what is written of it by a few segments of WAL. */
static bool
check_max_retained_wal(int *value, void **extra, GucSource source)
{
	(void) extra;
	(void) source;
	if (*value != -1 && *value < MIN_RETAINED_WAL_MB)
	{
		GUC_check_errdetail("It must be -1, or at least %d MB.", MIN_RETAINED_WAL_MB);
		return false;
	}
	return true;
}
