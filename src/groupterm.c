/*
 * groupterm.c
 *
 * What the slice node and continuous queries ask of grouping keys and aggregates:
 * can they be kept in slices, and how.
 *
 * An aggregate is kept as its transition state, so it needs a combine function and,
 * where the state is a structure in memory, functions that write and read it.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "groupterm.h"

/*
 * Fills in how a key of a type is hashed and compared; column and collation are the
 * caller's.  Types whose default equality is that of bits or bytes need no calls.
 */
void
aw_groupterm_init_key(AwKeyColumn *key, Oid type, Oid operator)
{
	Oid			base = getBaseType(type);
	Oid			other_hash;

	get_typlenbyval(type, &key->len, &key->is_by_value);
	key->equal_function = get_opcode(operator);
	if (!get_op_hash_functions(operator, &key->hash_function, &other_hash))
		elog(ERROR, "could not find hash function for hash operator %u", operator);

	key->is_plain = key->is_by_value &&
		(base == INT2OID || base == INT4OID || base == INT8OID || base == OIDOID ||
		 base == DATEOID || base == TIMESTAMPOID || base == TIMESTAMPTZOID || base == BOOLOID) &&
		operator == lookup_type_cache(base, TYPECACHE_EQ_OPR)->eq_opr;
	key->is_bytes = key->equal_function == F_TEXTEQ && OidIsValid(key->collation) &&
		get_collation_isdeterministic(key->collation);
}

/* Can values of a type be told apart by this operator in a hash table? */
bool
aw_groupterm_is_hashable(Oid operator, Oid type)
{
	Oid			left_hash;
	Oid			right_hash;

	return OidIsValid(operator) && op_hashjoinable(operator, type) &&
		get_op_hash_functions(operator, &left_hash, &right_hash);
}

/* Has an aggregate of the query's own level states that slices can hold? */
bool
aw_groupterm_is_mergeable(const Aggref *aggref)
{
	HeapTuple	tuple;
	Form_pg_aggregate form;
	bool		is_fine;

	if (aggref->agglevelsup != 0 || aggref->aggorder != NIL ||
		(aggref->aggdistinct != NIL && !aw_aggstate_is_distinct_count(aggref)) ||
		aggref->aggkind != AGGKIND_NORMAL || aggref->aggdirectargs != NIL ||
		contain_volatile_functions((Node *) aggref->args) ||
		contain_volatile_functions((Node *) aggref->aggfilter))
		return false;

	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggref->aggfnoid));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggref->aggfnoid);
	form = (Form_pg_aggregate) GETSTRUCT(tuple);
	is_fine = OidIsValid(form->aggcombinefn) &&
		(form->aggtranstype != INTERNALOID ||
		 (OidIsValid(form->aggserialfn) && OidIsValid(form->aggdeserialfn)));
	ReleaseSysCache(tuple);
	return is_fine;
}

/* An argument is not evaluated for rows that FILTER leaves out. */
Node *
aw_groupterm_guard_argument(Node *arg, Expr *filter)
{
	CaseExpr   *guarded;
	CaseWhen   *when;

	if (filter == NULL || IsA(arg, Var) || IsA(arg, Const))
		return arg;

	when = makeNode(CaseWhen);
	when->expr = filter;
	when->result = (Expr *) arg;
	when->location = -1;
	guarded = makeNode(CaseExpr);
	guarded->casetype = exprType(arg);
	guarded->casecollid = exprCollation(arg);
	guarded->args = list_make1(when);
	guarded->defresult = (Expr *) makeNullConst(exprType(arg), exprTypmod(arg),
												exprCollation(arg));
	guarded->location = -1;
	return (Node *) guarded;
}
