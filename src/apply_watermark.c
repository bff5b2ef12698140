/*
 * apply_watermark.c
 *
 * Entry of the library, and the map of its layers.  A file includes headers of
 * its own layer or of a lower one; test/check_layers.pl enforces it.
 *
 *	 0 pure       window.c, watermark.c
 *	              arithmetic on small values; no memory, error, clock, setting
 *	 1 values     timevalue.c, csv.c, aggstate.c, aggtransition.c, aggown.c (states of
 *	              aggregates), distinctset.c, grouptable.c, ranklist.c
 *	              Datums and bytes to values and back; no SPI, no windows
 *	 2 windows    slicestore.c, slicespill.c, sliceportion.c, slicesize.c, windowop.c,
 *	              windowkeys.c (a query by hand), openslices.c, windowsums.c, state.c,
 *	              timeline.c (a continuous one), grouprecord.c
 *	              groups of rows by slices of time, merged into windows; no SPI
 *	 3 database   windowspec.c, windowplace.c, rowtime.c (arguments), rangetable.c, itemwrap.c,
 *	              tablefunction.c, groupwindow.c, groupform.c, prune.c,
 *	              windowrange.c, rowlimit.c, statement.c (query trees),
 *	              slicepath.c, slicequery.c, sliceoutput.c, groupterm.c, ranklimit.c,
 *	              slicecost.c (planning of the slice node), sliceplan.c, slicescan.c,
 *	              slicetime.c, slicechoice.c, sliceinput.c, slicerow.c,
 *	              sliceexplain.c (its execution), definition.c, deparse.c,
 *	              alteration.c (watermark definitions), source_csv.c (files)
 *	   Queries    query.c from queryview.c: queryanalysis.c by querytree.c (analysed),
 *	              queryclass.c with queryrole.c, querysource.c, querycheck.c
 *	              (classified, or refused), querycut.c, querystream.c,
 *	              querywindow.c (cut);
 *	              queryplan.c (planned); sink.c (published)
 *	   Engine     capture.c, arrival.c, timetravel.c (decoding), input.c, history.c,
 *	              seen.c (what a query takes in), continuous.c (a query at work),
 *	              catalog.c, identity.c, checkpoint.c, latejournal.c (what is written)
 *	   Flink SQL  flinktoken.c to flinkstatement.c: a text to tokens, tokens to
 *	              statements, one construct a file; flinktable.c knows tables,
 *	              flinkfunction.c functions; expressiontext.c, functiontext.c,
 *	              constanttext.c, relationcomment.c, ddl.c: back to Flink SQL;
 *	              datagen.c, option.c, rowtext.c (connectors)
 *	 4 process    engine.c, shmem.c, delay.c, launcher.c, worker.c, databasehook.c,
 *	              drophook.c, tablehook.c
 *	              who runs when; no arithmetic, no SQL text
 *	 5 surface    sql_window.c, sql_session.c, sql_watermark.c,
 *	              sql_definition.c, sql_csv.c, sql_flink*.c, sql_connector.c,
 *	              guc.c, this file
 *	              SQL-callable functions; arguments in, values out
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "databasehook.h"
#include "drophook.h"
#include "guc.h"
#include "launcher.h"
#include "shmem.h"
#include "slicepath.h"
#include "statement.h"
#include "tablefunction.h"
#include "tablehook.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

void
_PG_init(void)
{
	aw_guc_init();
	aw_tablefunction_init();
	aw_statement_init();
	aw_slicepath_init(&aw_guc_enable_slice_node, &aw_guc_max_windows_per_row);
	if (process_shared_preload_libraries_in_progress)
	{
		aw_shmem_init();
		aw_databasehook_init();
		aw_drophook_init();
		aw_tablehook_init();
		aw_launcher_init();
	}
}
