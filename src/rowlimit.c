/*
 * rowlimit.c
 *
 * From "window_start < c" to "ts <= limit": no row of a window that the comparison
 * lets through may be out of the limit.  With S the start and E the end of a window,
 * S <= row < E, hence
 *
 *	 S >= c		row >= c					E <= c		row < c
 *	 S <= c		row < the end of the last	E >= c		row >= the start of the first
 *				window that starts by c					window that ends from c on
 *
 * the latter computed by first_row() and last_row() of the schema "watermark", which
 * see to offsets, changes of clocks and the ends of time.  On timestamp they are
 * folded to constants; on timestamptz they run when the plan does, for plans outlive
 * time zones.
 *
 * Some limits say all that the comparison does, see aw_rowlimit_is_exact().
 *
 * Limits are added where the window stands in FROM, as its own filter of NULL times,
 * or in WHERE for a group window.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "compat.h"
#include "rangetable.h"
#include "rowlimit.h"
#include "rowtime.h"
#include "windowspec.h"

static Node *rowtime_column(Node *arg, Oid type);
static bool add_limit(Query *query, const AwWindowColumn *column, const AwComparison *comparison,
					  bool is_first);
static bool condition_walker(Node *node, Node *condition);
static Node *direct_limit(const AwWindowColumn *column, const AwComparison *comparison,
						  int64 shift_us, bool is_first);
static Node *limit_call(const AwWindowColumn *column, const AwComparison *comparison,
						int64 shift_us, bool is_first);

/*
 * Adds what follows from a comparison of a window column to the conditions of the
 * query that has the window; false if that is nothing new.
 */
bool
aw_rowlimit_add(Query *query, const AwWindowColumn *column, const AwComparison *comparison)
{
	AwWindowColumn ready = *column;
	AwWindow	window;
	bool		is_extended = false;

	ready.rowtime = rowtime_column(column->rowtime, comparison->type);
	ready.step = eval_const_expressions(NULL, column->step);
	ready.size = eval_const_expressions(NULL, column->size);
	ready.offset = column->offset ? eval_const_expressions(NULL, column->offset) :
		(Node *) makeConst(INTERVALOID, -1, InvalidOid, sizeof(Interval),
						   IntervalPGetDatum(palloc0(sizeof(Interval))), false, false);
	if (ready.rowtime == NULL ||
		!aw_windowspec_constants(&window, ready.kind, ready.size, ready.step, ready.offset))
		return false;

	if (comparison->strategy >= BTEqualStrategyNumber)
		is_extended |= add_limit(query, &ready, comparison, true);
	if (comparison->strategy <= BTEqualStrategyNumber)
		is_extended |= add_limit(query, &ready, comparison, false);
	return is_extended;
}

/*
 * Does the limit let through just what the comparison does?  So it is for windows of
 * TUMBLE whose borders a constant is one of: row and window are on the same side.  Not
 * for equality, which gives two limits.
 */
bool
aw_rowlimit_is_exact(const AwWindowColumn *column, const AwComparison *comparison)
{
	Node	   *size = eval_const_expressions(NULL, column->size);
	Node	   *offset = column->offset ? eval_const_expressions(NULL, column->offset) : NULL;
	Const	   *bound = (Const *) eval_const_expressions(NULL, comparison->bound);
	AwWindow	window;
	Timestamp	ts;
	int64		border;

	if (column->kind != AW_KIND_TUMBLE || column->part > AW_PART_END ||
		comparison->type != TIMESTAMPOID || comparison->shift_us != 0 ||
		comparison->strategy == BTEqualStrategyNumber ||
		!IsA(bound, Const) || bound->constisnull ||
		!aw_windowspec_constants(&window, AW_KIND_TUMBLE, size, NULL, offset))
		return false;

	/* Far from the ends of time, limits are no infinities. */
	ts = DatumGetTimestamp(bound->constvalue);
	return !TIMESTAMP_NOT_FINITE(ts) &&
		aw_window_slice_start(&window, ts, &border) && border == ts &&
		ts - MIN_TIMESTAMP > 2 * window.size_us && END_TIMESTAMP - ts > 2 * window.size_us;
}

/* A constant of timestamp or timestamptz. */
Node *
aw_rowlimit_constant(Oid type, Timestamp ts)
{
	return (Node *) makeConst(type, -1, InvalidOid, sizeof(Timestamp), TimestampGetDatum(ts),
							  false, FLOAT8PASSBYVAL);
}

/* The column that a time argument is, of a domain as what it is over; NULL if it is none. */
static Node *
rowtime_column(Node *arg, Oid type)
{
	Node	   *column = aw_rowtime_written(arg);

	if (!IsA(column, Var) || ((Var *) column)->varlevelsup > 0 ||
		getBaseType(exprType(column)) != type)
		return NULL;
	if (exprType(column) == type)
		return column;
	return (Node *) makeRelabelType((Expr *) column, type, -1, InvalidOid, COERCE_IMPLICIT_CAST);
}

/*
 * Adds the first, or the last, time that the rows of the windows can have; false if
 * that is known already, or there is no place for it.
 *
 * Limits that a function gives are inclusive, so that those at infinity, which a
 * window at infinity shares with its rows, let them through.
 */
static bool
add_limit(Query *query, const AwWindowColumn *column, const AwComparison *comparison,
		  bool is_first)
{
	Oid			family = lookup_type_cache(comparison->type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	int			strategy = is_first ? BTGreaterEqualStrategyNumber : BTLessEqualStrategyNumber;
	int64		shift_us = comparison->shift_us;
	Node	   *limit;
	Node	   *filter;
	Oid			operator;

	if (column->part == AW_PART_ROWTIME &&
		pg_add_s64_overflow(shift_us, AW_WINDOW_MIN_US, &shift_us))
		return false;

	limit = direct_limit(column, comparison, shift_us, is_first);
	if (limit != NULL)
		strategy = is_first ? Max(comparison->strategy, strategy) : BTLessStrategyNumber;
	else
		limit = limit_call(column, comparison, shift_us, is_first);

	operator = get_opfamily_member(family, comparison->type, comparison->type, strategy);
	filter = (Node *) make_opclause(operator, BOOLOID, false, copyObject((Expr *) column->rowtime),
									(Expr *) limit, InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) filter);
	if (condition_walker((Node *) query->jointree, filter))
		return false;

	if (column->rtindex > 0)
		return aw_rangetable_add_filter(query, column->rtindex, filter);
	aw_rangetable_add_condition(query, filter);
	return true;
}

static bool
condition_walker(Node *node, Node *condition)
{
	if (node == NULL)
		return false;
	return equal(node, condition) || expression_tree_walker(node, condition_walker, condition);
}

/*
 * The bound itself as the limit: no row is before the start of its window, and each
 * is before its end.  NULL where a function finds a nearer one, or the bound may be
 * infinite.
 */
static Node *
direct_limit(const AwWindowColumn *column, const AwComparison *comparison, int64 shift_us,
			 bool is_first)
{
	bool		is_strict = comparison->strategy == BTLessStrategyNumber ||
		comparison->strategy == BTGreaterStrategyNumber;
	bool		is_zoned = comparison->type == TIMESTAMPTZOID;
	Const	   *constant;
	Timestamp	limit;

	if ((column->part == AW_PART_START) != is_first ||
		(!is_zoned && (is_strict || shift_us != 0)))
		return NULL;
	if (is_first && shift_us == 0)
		return copyObject(comparison->bound);

	constant = (Const *) eval_const_expressions(NULL, comparison->bound);
	if (!IsA(constant, Const) || constant->constisnull ||
		TIMESTAMP_NOT_FINITE(DatumGetTimestamp(constant->constvalue)) ||
		pg_add_s64_overflow(DatumGetTimestamp(constant->constvalue), shift_us, &limit) ||
		!IS_VALID_TIMESTAMP(limit))
		return NULL;
	return aw_rowlimit_constant(comparison->type, limit);
}

/* A call that computes the limit, or its value if that is the same in all time zones. */
static Node *
limit_call(const AwWindowColumn *column, const AwComparison *comparison, int64 shift_us,
		   bool is_first)
{
	bool		by_end = column->part != AW_PART_START;
	AwWindowKind kind = (column->kind == AW_KIND_TUMBLE) ? AW_KIND_HOP : column->kind;
	List	   *args = list_make1(copyObject(comparison->bound));

	/* Times are whole microseconds.  What saturates here is beyond all times. */
	if (comparison->strategy == BTGreaterStrategyNumber && shift_us < PG_INT64_MAX)
		shift_us++;
	if (comparison->strategy == BTLessStrategyNumber && shift_us > PG_INT64_MIN)
		shift_us--;

	args = lappend(args, makeConst(INT8OID, -1, InvalidOid, sizeof(int64),
								   Int64GetDatum(shift_us), false, FLOAT8PASSBYVAL));
	args = lappend(args, makeBoolConst(by_end, false));
	args = lappend(args, makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(kind),
								   false, true));
	args = lappend(args, column->step);
	args = lappend(args, column->size);
	args = lappend(args, column->offset);
	return eval_const_expressions(NULL, (Node *)
								  aw_rangetable_inner_call(is_first ? "first_row" : "last_row",
														   args));
}
