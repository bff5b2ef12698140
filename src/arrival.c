/*
 * arrival.c
 *
 * Decoded changes into the tuplestores of a batch.
 *
 * A decoded row has the layout that its table had when it was written; the rows of
 * a batch have the one that the table has now, by attribute number, so that a
 * statement prepared against the table can read them.  What a row lacks is what
 * the table would show for it, NULL or the column's default of then; a column
 * dropped since is NULL, and so is one that had another type, which is noted.  Rows of partitions are rows of each source above them.
 *
 * A route tells for one table which sources take its rows, and how.  It is made at
 * the table's first change and holds until an invalidation, which decoding replays
 * in the order of the WAL.  The descriptors are refreshed between batches, under a
 * lock: a change of layout that has been decoded is then one that is seen.  Where
 * somebody else holds the table, the source keeps its last descriptor and is marked.
 *
 * An error while decoding would come again at the same position for ever, so all
 * that touches rows copies by number and raises nothing but want of memory or disk.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/xact.h"
#include "catalog/partition.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "storage/latch.h"
#include "storage/lmgr.h"
#include "utils/guc.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/resowner.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "arrival.h"
#include "compat.h"

/* Routes kept; tables come and go. */
#define MAX_ROUTES 10000

/* How long somebody is waited for who keeps a source: the first time, and from then on. */
#define FIRST_WAIT_MS 1000
#define NEXT_WAIT_MS 10

#define NO_VALUE (-1)

/* A source as it is now. */
typedef struct Source
{
	Oid			relid;
	TupleDesc	table;			/* with missing values; NULL: it was never there */
	bool		is_settled;		/* no layout has been decoded that is not that one */
	TupleDesc	columns;		/* the table's and the ordinal */
	Datum	   *values;			/* room for one row */
	bool	   *nulls;
} Source;

/* How rows of a table get into a source. */
typedef struct Target
{
	int			source;
	bool		fits;
	bool		is_plain;		/* the row's columns are the first ones of the source */
	AttrNumber *attnos;			/* for each column of the source, the row's; 0: it has none,
								 * NO_VALUE: it has one of another type */
	Bitmapset  *misfits;		/* columns of the source with NO_VALUE */
} Target;

typedef struct Route
{
	Oid			relid;			/* hash key */
	bool		is_valid;
	int			n_targets;
	Target	   *targets;
} Route;

struct AwArrivals
{
	MemoryContext cxt;			/* lives as long as this */
	MemoryContext source_cxt;	/* sources and their descriptors */
	MemoryContext route_cxt;	/* routes */
	MemoryContext row_cxt;		/* reset after each row that needed it */
	ResourceOwner owner;		/* of tuplestores, which outlive transactions */

	Source	   *sources;
	int			n_sources;
	HTAB	   *routes;
	Datum	   *values;			/* room for one decoded row of any layout */
	bool	   *nulls;

	MemoryContext batch_cxt;
	AwBatch    *batch;
	int			max_transactions;
	int64		n_bytes;
	int64		max_bytes;
	bool		is_touched;		/* the transaction has changes of a source */
	int64		first_ordinal;	/* of the transaction */
};

/* One at a time: callbacks of invalidations cannot be taken back. */
static AwArrivals *current = NULL;

static void invalidate_routes(Datum arg, Oid relid);
static void reset_routes(AwArrivals *arrivals);
static bool is_same_sources(const AwArrivals *arrivals, const Oid *relids, int n_relids);
static bool refresh_source(AwArrivals *arrivals, Source *source);
static bool lock_source(const Source *source);
static Route *route_of(AwArrivals *arrivals, Relation rel);
static void make_route(AwArrivals *arrivals, Route *route, Relation rel);
static void add_target(AwArrivals *arrivals, Route *route, int source, Relation rel, Oid rootid);
static void map_columns(Target *target, const Source *source, TupleDesc row, TupleDesc root);
static AttrNumber find_column(TupleDesc columns, const char *name);
static AwBatchSource *touch(AwArrivals *arrivals, int source);
static void note_misfits(AwArrivals *arrivals, const Target *target, AwBatchSource *source);
static void store_row(AwArrivals *arrivals, const Target *target, TupleDesc row, HeapTuple tuple);
static void move_columns(AwArrivals *arrivals, const Target *target, TupleDesc row,
						 HeapTuple tuple);
static bool flatten_row(AwArrivals *arrivals, const Source *source);
static Tuplestorestate *begin_rows(AwArrivals *arrivals);

AwArrivals *
aw_arrival_create(MemoryContext parent)
{
	static bool is_registered = false;
	MemoryContext cxt = AllocSetContextCreate(parent, "apply_watermark arrivals",
											  ALLOCSET_DEFAULT_SIZES);
	AwArrivals *arrivals = MemoryContextAllocZero(cxt, sizeof(AwArrivals));

	arrivals->cxt = cxt;
	arrivals->source_cxt = AllocSetContextCreate(cxt, "apply_watermark sources",
												 ALLOCSET_SMALL_SIZES);
	arrivals->route_cxt = AllocSetContextCreate(cxt, "apply_watermark routes",
												ALLOCSET_DEFAULT_SIZES);
	arrivals->row_cxt = AllocSetContextCreate(cxt, "apply_watermark row", ALLOCSET_DEFAULT_SIZES);
	arrivals->owner = ResourceOwnerCreate(NULL, "apply_watermark arrivals");
	arrivals->values = MemoryContextAlloc(cxt, MaxTupleAttributeNumber * sizeof(Datum));
	arrivals->nulls = MemoryContextAlloc(cxt, MaxTupleAttributeNumber * sizeof(bool));
	current = arrivals;
	if (!is_registered)
		CacheRegisterRelcacheCallback(invalidate_routes, (Datum) 0);
	is_registered = true;
	return arrivals;
}

/* Batches must be gone. */
void
aw_arrival_destroy(AwArrivals *arrivals)
{
	current = NULL;
	ResourceOwnerDelete(arrivals->owner);
	MemoryContextDelete(arrivals->cxt);
}

/* From the next batch on, the rows of these tables arrive. */
void
aw_arrival_set_sources(AwArrivals *arrivals, const Oid *relids, int n_relids)
{
	if (arrivals->routes != NULL && is_same_sources(arrivals, relids, n_relids))
		return;
	MemoryContextReset(arrivals->source_cxt);
	arrivals->sources = MemoryContextAllocZero(arrivals->source_cxt,
											   Max(n_relids, 1) * sizeof(Source));
	arrivals->n_sources = n_relids;
	for (int i = 0; i < n_relids; i++)
	{
		arrivals->sources[i].relid = relids[i];
		arrivals->sources[i].is_settled = true;
	}
	reset_routes(arrivals);
}

/* What is read next may be older than what was read last. */
void
aw_arrival_forget_routes(AwArrivals *arrivals)
{
	if (arrivals->routes != NULL)
		reset_routes(arrivals);
}

/*
 * Brings the sources' descriptors up to date, in a transaction of its own.
 *
 * Each table is locked for the moment, and only one at a time: who alters a table
 * holds its lock until the change can be seen.  So no batch that ends where the WAL
 * ended before the call has rows of a layout that the call did not see.  Who holds a
 * table for long must not hold up those who read others, so the wait has an end.
 */
void
aw_arrival_refresh(AwArrivals *arrivals)
{
	bool		is_changed = false;

	if (arrivals->n_sources == 0)
		return;
	StartTransactionCommand();
	for (int i = 0; i < arrivals->n_sources; i++)
		is_changed |= refresh_source(arrivals, &arrivals->sources[i]);
	CommitTransactionCommand();
	if (is_changed || hash_get_num_entries(arrivals->routes) > MAX_ROUTES)
		reset_routes(arrivals);
}

/* The columns of a table's rows in a batch: all of them, and the int8 "ordinal". */
TupleDesc
aw_arrival_columns(TupleDesc table)
{
	TupleDesc	columns = CreateTemplateTupleDesc(table->natts + 1);

	for (AttrNumber attno = 1; attno <= table->natts; attno++)
		TupleDescCopyEntry(columns, attno, table, attno);
	TupleDescInitBuiltinEntry(columns, table->natts + 1, "ordinal", INT8OID, -1, 0);
	return columns;
}

/* Begins a batch, in cxt, that is full at the end of the transaction that passes max_bytes. */
void
aw_arrival_begin_batch(AwArrivals *arrivals, MemoryContext cxt, int64 max_bytes)
{
	MemoryContext old_cxt = MemoryContextSwitchTo(cxt);
	AwBatch    *batch = palloc0(sizeof(AwBatch));

	batch->n_sources = arrivals->n_sources;
	batch->sources = palloc0(Max(batch->n_sources, 1) * sizeof(AwBatchSource));
	for (int i = 0; i < batch->n_sources; i++)
	{
		batch->sources[i].relid = arrivals->sources[i].relid;
		batch->sources[i].is_settled = arrivals->sources[i].is_settled;
	}
	MemoryContextSwitchTo(old_cxt);

	arrivals->batch = batch;
	arrivals->batch_cxt = cxt;
	arrivals->max_transactions = 0;
	arrivals->n_bytes = 0;
	arrivals->max_bytes = max_bytes;
	arrivals->is_touched = false;
	arrivals->first_ordinal = 0;
}

bool
aw_arrival_is_full(const AwArrivals *arrivals)
{
	return arrivals->n_bytes >= arrivals->max_bytes && !arrivals->is_touched;
}

/* The batch, or NULL if no transaction has changes of the sources. */
AwBatch *
aw_arrival_end_batch(AwArrivals *arrivals, XLogRecPtr end_lsn)
{
	AwBatch    *batch = arrivals->batch;
	MemoryContext old_cxt;

	Assert(!arrivals->is_touched);
	arrivals->batch = NULL;
	if (batch->n_transactions == 0)
		return NULL;
	old_cxt = MemoryContextSwitchTo(arrivals->batch_cxt);
	for (int i = 0; i < batch->n_sources; i++)
	{
		if (arrivals->sources[i].columns == NULL)
			continue;
		batch->sources[i].columns = CreateTupleDescCopy(arrivals->sources[i].columns);
		if (batch->sources[i].rows == NULL)
			batch->sources[i].rows = begin_rows(arrivals);
	}
	MemoryContextSwitchTo(old_cxt);
	batch->end_lsn = end_lsn;
	return batch;
}

void
aw_arrival_insert(AwArrivals *arrivals, Relation rel, HeapTuple tuple)
{
	Route	   *route = route_of(arrivals, rel);

	for (int i = 0; i < route->n_targets; i++)
	{
		Target	   *target = &route->targets[i];
		AwBatchSource *source = touch(arrivals, target->source);

		if (target->fits)
		{
			if (target->misfits != NULL)
				note_misfits(arrivals, target, source);
			store_row(arrivals, target, RelationGetDescr(rel), tuple);
		}
		else
			source->is_misfit = true;
	}
}

void
aw_arrival_count_update(AwArrivals *arrivals, Relation rel)
{
	Route	   *route = route_of(arrivals, rel);

	for (int i = 0; i < route->n_targets; i++)
		touch(arrivals, route->targets[i].source)->n_updates++;
}

void
aw_arrival_count_delete(AwArrivals *arrivals, Relation rel)
{
	Route	   *route = route_of(arrivals, rel);

	for (int i = 0; i < route->n_targets; i++)
		touch(arrivals, route->targets[i].source)->n_deletes++;
}

/* One TRUNCATE; it counts once for a source, however many partitions it has. */
void
aw_arrival_count_truncate(AwArrivals *arrivals, Relation *rels, int n_rels)
{
	Bitmapset  *seen = NULL;
	MemoryContext old_cxt = MemoryContextSwitchTo(arrivals->row_cxt);

	for (int i = 0; i < n_rels; i++)
	{
		Route	   *route = route_of(arrivals, rels[i]);

		for (int j = 0; j < route->n_targets; j++)
			seen = bms_add_member(seen, route->targets[j].source);
	}
	for (int source = -1; (source = bms_next_member(seen, source)) >= 0;)
		touch(arrivals, source)->n_truncates++;
	MemoryContextSwitchTo(old_cxt);
	MemoryContextReset(arrivals->row_cxt);
}

/* Ends a transaction; its ordinals are filled in here. */
void
aw_arrival_commit(AwArrivals *arrivals, const AwBatchTransaction *transaction)
{
	AwBatch    *batch = arrivals->batch;
	AwBatchTransaction *added;

	if (!arrivals->is_touched)
		return;
	if (batch->n_transactions == arrivals->max_transactions)
	{
		Size		size;

		arrivals->max_transactions = Max(16, arrivals->max_transactions * 2);
		size = mul_size(arrivals->max_transactions, sizeof(AwBatchTransaction));
		batch->transactions = batch->transactions == NULL ?
			MemoryContextAllocHuge(arrivals->batch_cxt, size) :
			repalloc_huge(batch->transactions, size);
	}
	added = &batch->transactions[batch->n_transactions++];
	*added = *transaction;
	added->first_ordinal = arrivals->first_ordinal;
	added->end_ordinal = batch->n_rows;
	arrivals->first_ordinal = batch->n_rows;
	arrivals->is_touched = false;
}

/* Callback of the relation cache; relid is InvalidOid for all of them. */
static void
invalidate_routes(Datum arg, Oid relid)
{
	HASH_SEQ_STATUS scan;
	Route	   *route;

	(void) arg;
	if (current == NULL || current->routes == NULL)
		return;
	if (OidIsValid(relid))
	{
		route = hash_search(current->routes, &relid, HASH_FIND, NULL);
		if (route != NULL)
			route->is_valid = false;
		return;
	}
	hash_seq_init(&scan, current->routes);
	while ((route = hash_seq_search(&scan)) != NULL)
		route->is_valid = false;
}

static void
reset_routes(AwArrivals *arrivals)
{
	HASHCTL		ctl = {.keysize = sizeof(Oid), .entrysize = sizeof(Route)};

	arrivals->routes = NULL;
	MemoryContextReset(arrivals->route_cxt);
	ctl.hcxt = arrivals->route_cxt;
	arrivals->routes = hash_create("apply_watermark routes", 64, &ctl,
								   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static bool
is_same_sources(const AwArrivals *arrivals, const Oid *relids, int n_relids)
{
	if (arrivals->n_sources != n_relids)
		return false;
	for (int i = 0; i < n_relids; i++)
	{
		if (arrivals->sources[i].relid != relids[i])
			return false;
	}
	return true;
}

/* Takes over the table's descriptor; true if it has changed.  A dropped table keeps its last. */
static bool
refresh_source(AwArrivals *arrivals, Source *source)
{
	MemoryContext old_cxt;
	Relation	rel;
	bool		is_changed;

	source->is_settled = lock_source(source);
	if (!source->is_settled)
		return false;
	rel = try_relation_open(source->relid, NoLock);
	if (rel == NULL)
	{
		UnlockRelationOid(source->relid, AccessShareLock);
		return false;
	}
	is_changed = source->table == NULL || !equalTupleDescs(source->table, RelationGetDescr(rel));
	if (is_changed)
	{
		old_cxt = MemoryContextSwitchTo(arrivals->source_cxt);
		source->table = CreateTupleDescCopyConstr(RelationGetDescr(rel));
		source->columns = aw_arrival_columns(source->table);
		source->values = palloc(source->columns->natts * sizeof(Datum));
		source->nulls = palloc(source->columns->natts * sizeof(bool));
		MemoryContextSwitchTo(old_cxt);
	}
	relation_close(rel, AccessShareLock);
	return is_changed;
}

/*
 * Locks a table; false if somebody else keeps it.  Who commits a change has the lock
 * until shortly after the commit, and is waited for; who has it for long is not.
 */
static bool
lock_source(const Source *source)
{
	TimestampTz end = TimestampTzPlusMilliseconds(GetCurrentTimestamp(),
												  source->is_settled ? FIRST_WAIT_MS : NEXT_WAIT_MS);

	while (!ConditionalLockRelationOid(source->relid, AccessShareLock))
	{
		if (GetCurrentTimestamp() >= end)
			return false;
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, 1,
						 PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
	return true;
}

/* Where the rows of a table go, by the catalog as it was when they were written. */
static Route *
route_of(AwArrivals *arrivals, Relation rel)
{
	Oid			relid = RelationGetRelid(rel);
	bool		is_found;
	Route	   *route = hash_search(arrivals->routes, &relid, HASH_ENTER, &is_found);

	if (!is_found)
	{
		route->is_valid = false;
		route->n_targets = 0;
		route->targets = NULL;
	}
	if (!route->is_valid)
		make_route(arrivals, route, rel);
	return route;
}

static void
make_route(AwArrivals *arrivals, Route *route, Relation rel)
{
	List	   *ancestors = NIL;
	MemoryContext old_cxt = MemoryContextSwitchTo(arrivals->route_cxt);

	for (int i = 0; i < route->n_targets; i++)
	{
		if (route->targets[i].attnos != NULL)
			pfree(route->targets[i].attnos);
		bms_free(route->targets[i].misfits);
	}
	route->n_targets = 0;

	/* Looking at the catalog may invalidate it at once. */
	route->is_valid = true;
	if (rel->rd_rel->relispartition)
		ancestors = get_partition_ancestors(RelationGetRelid(rel));
	for (int i = 0; i < arrivals->n_sources; i++)
	{
		Oid			relid = arrivals->sources[i].relid;

		if (relid == RelationGetRelid(rel) || list_member_oid(ancestors, relid))
			add_target(arrivals, route, i, rel, relid);
	}
	list_free(ancestors);
	MemoryContextSwitchTo(old_cxt);
}

static void
add_target(AwArrivals *arrivals, Route *route, int source, Relation rel, Oid rootid)
{
	const Source *to = &arrivals->sources[source];
	Target	   *target;
	Relation	root;

	if (route->targets == NULL)
		route->targets = palloc(arrivals->n_sources * sizeof(Target));
	target = &route->targets[route->n_targets++];
	target->source = source;
	target->fits = false;
	target->attnos = NULL;
	target->misfits = NULL;
	if (to->table == NULL)
		return;
	if (rootid == RelationGetRelid(rel))
	{
		map_columns(target, to, RelationGetDescr(rel), NULL);
		return;
	}
	root = RelationIdGetRelation(rootid);
	if (root == NULL)
		return;
	map_columns(target, to, RelationGetDescr(rel), RelationGetDescr(root));
	RelationClose(root);
}

/*
 * Says for each column of a source where it is in a row.  root is the descriptor
 * that the source had when the row was written, if the row is one of a partition:
 * columns then go by name to the root's, and by number from there.
 */
static void
map_columns(Target *target, const Source *source, TupleDesc row, TupleDesc root)
{
	TupleDesc	was = root == NULL ? row : root;
	int			natts = source->table->natts;

	target->attnos = palloc0(Max(natts, 1) * sizeof(AttrNumber));
	target->fits = true;
	target->is_plain = row->natts <= natts;
	for (int i = 0; i < natts; i++)
	{
		Form_pg_attribute now = TupleDescAttr(source->table, i);
		Form_pg_attribute then = i < was->natts ? TupleDescAttr(was, i) : NULL;

		if (!now->attisdropped && then != NULL && !then->attisdropped)
		{
			target->attnos[i] = root == NULL ? i + 1 : find_column(row, NameStr(then->attname));
			if (target->attnos[i] == 0)
				target->fits = false;
			if (now->atttypid != then->atttypid)
			{
				target->attnos[i] = NO_VALUE;
				target->misfits = bms_add_member(target->misfits, i + 1);
			}
		}
		else if (root == NULL && now->attisdropped && then != NULL && then->attisdropped)
			continue;			/* NULL in the row as well */
		if (i < row->natts && target->attnos[i] != i + 1)
			target->is_plain = false;
	}
}

static AttrNumber
find_column(TupleDesc columns, const char *name)
{
	for (int i = 0; i < columns->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(columns, i);

		if (!column->attisdropped && strcmp(NameStr(column->attname), name) == 0)
			return i + 1;
	}
	return 0;
}

/* What the batch has for a source, about to be changed by the transaction. */
static AwBatchSource *
touch(AwArrivals *arrivals, int source)
{
	arrivals->is_touched = true;
	return &arrivals->batch->sources[source];
}

/* Notes that the next row has columns of another type, once in a transaction. */
static void
note_misfits(AwArrivals *arrivals, const Target *target, AwBatchSource *source)
{
	AwMisfit   *misfit = source->misfits == NIL ? NULL : llast(source->misfits);
	MemoryContext old_cxt;

	if (misfit != NULL && misfit->ordinal >= arrivals->first_ordinal &&
		bms_is_subset(target->misfits, misfit->columns))
		return;
	old_cxt = MemoryContextSwitchTo(arrivals->batch_cxt);
	misfit = palloc(sizeof(AwMisfit));
	misfit->ordinal = arrivals->batch->n_rows;
	misfit->columns = bms_copy(target->misfits);
	source->misfits = lappend(source->misfits, misfit);
	MemoryContextSwitchTo(old_cxt);
}

static void
store_row(AwArrivals *arrivals, const Target *target, TupleDesc row, HeapTuple tuple)
{
	const Source *source = &arrivals->sources[target->source];
	AwBatchSource *to = &arrivals->batch->sources[target->source];
	int			natts = source->table->natts;

	if (target->is_plain)
	{
		heap_deform_tuple(tuple, row, source->values, source->nulls);
		for (int i = row->natts; i < natts; i++)
			source->values[i] = getmissingattr(source->table, i + 1, &source->nulls[i]);
	}
	else
		move_columns(arrivals, target, row, tuple);

	if (HeapTupleHasExternal(tuple) && !flatten_row(arrivals, source))
	{
		to->is_misfit = true;
		return;
	}
	source->values[natts] = Int64GetDatum(arrivals->batch->n_rows);
	source->nulls[natts] = false;
	if (to->rows == NULL)
	{
		MemoryContext old_cxt = MemoryContextSwitchTo(arrivals->batch_cxt);

		to->rows = begin_rows(arrivals);
		MemoryContextSwitchTo(old_cxt);
	}
	tuplestore_putvalues(to->rows, source->columns, source->values, source->nulls);
	to->n_rows++;
	arrivals->batch->n_rows++;
	arrivals->n_bytes += tuple->t_len;
	if (HeapTupleHasExternal(tuple))
		MemoryContextReset(arrivals->row_cxt);
}

/* The row's values by the columns of the source. */
static void
move_columns(AwArrivals *arrivals, const Target *target, TupleDesc row, HeapTuple tuple)
{
	const Source *source = &arrivals->sources[target->source];

	heap_deform_tuple(tuple, row, arrivals->values, arrivals->nulls);
	for (int i = 0; i < source->table->natts; i++)
	{
		AttrNumber	attno = target->attnos[i];

		if (attno > 0)
		{
			source->values[i] = arrivals->values[attno - 1];
			source->nulls[i] = arrivals->nulls[attno - 1];
		}
		else if (attno == NO_VALUE || TupleDescAttr(source->table, i)->attisdropped)
			source->nulls[i] = true;
		else
			source->values[i] = getmissingattr(source->table, i + 1, &source->nulls[i]);
	}
}

/*
 * Brings values that are kept apart into the row; false if one is not in the WAL.
 * What decoding has put together lies in its own memory.
 */
static bool
flatten_row(AwArrivals *arrivals, const Source *source)
{
	MemoryContext old_cxt = MemoryContextSwitchTo(arrivals->row_cxt);
	bool		is_whole = true;

	for (int i = 0; i < source->table->natts && is_whole; i++)
	{
		struct varlena *value;

		if (source->nulls[i] || TupleDescAttr(source->table, i)->attlen != -1)
			continue;
		value = (struct varlena *) DatumGetPointer(source->values[i]);
		if (VARATT_IS_EXTERNAL_ONDISK(value))
			is_whole = false;
		else if (VARATT_IS_EXTERNAL(value))
			source->values[i] = PointerGetDatum(detoast_external_attr(value));
	}
	MemoryContextSwitchTo(old_cxt);
	return is_whole;
}

/* A tuplestore in the current context; it may be read by any number of statements. */
static Tuplestorestate *
begin_rows(AwArrivals *arrivals)
{
	ResourceOwner old_owner = CurrentResourceOwner;
	int64		max_kb = Max(arrivals->max_bytes / 1024 * 4, work_mem);
	Tuplestorestate *rows;

	CurrentResourceOwner = arrivals->owner;
	rows = tuplestore_begin_heap(false, true, (int) Min(max_kb, MAX_KILOBYTES));
	CurrentResourceOwner = old_owner;
	return rows;
}
