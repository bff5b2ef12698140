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

#include "guc.h"

int			aw_guc_max_windows_per_row = 100000;
bool		aw_guc_enable_slice_node = true;

static char *default_path;		/* read by its name */

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

	DefineCustomBoolVariable("apply_watermark.enable_slice_node",
							 "Lets the planner group by windows with the slice node.",
							 "It adds up each row once, and merges slices of time into windows.",
							 &aw_guc_enable_slice_node,
							 true,
							 PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);

	DefineCustomStringVariable("apply_watermark.default_path",
							   "The search path before USE of Flink SQL.",
							   "USE sets it, and USE default_database takes it back; "
							   "empty as long as no other database is used.",
							   &default_path,
							   "",
							   PGC_USERSET, GUC_NO_SHOW_ALL | GUC_NOT_IN_SAMPLE,
							   NULL, NULL, NULL);

	MarkGUCPrefixReserved("apply_watermark");
}
