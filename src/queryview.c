/*
 * queryview.c
 *
 * A continuous query is kept as a view in our schema, so that PostgreSQL follows what
 * is renamed below it, guards what is dropped, and dumps it.  The view belongs to who
 * creates the query, who has no right to create anything in the schema: the relation
 * is made with the rights of the schema's owner, but the query is analysed as the
 * user, and nothing of it is executed.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/pg_class.h"
#include "commands/tablecmds.h"
#include "commands/view.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/analyze.h"
#include "parser/parse_relation.h"
#include "parser/parser.h"
#include "tcop/tcopprot.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "queryview.h"

static Query *analyse(const char *text);
static List *column_definitions(const Query *query);

/* Creates the view of a query in the schema. */
Oid
aw_queryview_create(const char *name, const char *text, Oid schema, Oid schema_owner)
{
	Query	   *query = analyse(text);
	CreateStmt *statement = makeNode(CreateStmt);
	Oid			user;
	int			security;
	Oid			view;

	if (OidIsValid(get_relname_relid(name, schema)))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_TABLE),
				 errmsg("relation \"%s\" already exists", name),
				 errdetail("A query is kept as a view in the schema \"%s\".",
						   get_namespace_name(schema)),
				 errhint("Choose a name that no relation of the schema has.")));
	statement->relation = makeRangeVar(get_namespace_name(schema), pstrdup(name), -1);
	statement->tableElts = column_definitions(query);
	statement->oncommit = ONCOMMIT_NOOP;

	GetUserIdAndSecContext(&user, &security);
	SetUserIdAndSecContext(schema_owner, security | SECURITY_LOCAL_USERID_CHANGE);
	view = DefineRelation(statement, RELKIND_VIEW, user, NULL, NULL).objectId;
	SetUserIdAndSecContext(user, security);

	CommandCounterIncrement();
	StoreViewQuery(view, query, false);
	CommandCounterIncrement();
	return view;
}

/* Lets the view go with a relation that it reads, when that is dropped. */
void
aw_queryview_drop_with(Oid view, Oid relation)
{
	ObjectAddress dependent = {RelationRelationId, view, 0};
	ObjectAddress referenced = {RelationRelationId, relation, 0};

	recordDependencyOn(&dependent, &referenced, DEPENDENCY_AUTO);
}

/* Drops the view; an error if something depends on it. */
void
aw_queryview_drop(Oid view)
{
	ObjectAddress address = {RelationRelationId, view, 0};

	if (get_rel_relkind(view) == RELKIND_VIEW)
		performDeletion(&address, DROP_RESTRICT, 0);
}

/*
 * Drops a view of that name that no query uses, if it is the user's: a dump of the
 * schema alone leaves one.  What belongs to the extension stays.
 */
void
aw_queryview_drop_left_over(const char *name, Oid schema)
{
	Oid			view = get_relname_relid(name, schema);

	if (OidIsValid(view) && aw_compat_owns_relation(view, GetUserId()) &&
		!OidIsValid(getExtensionOfObject(RelationRelationId, view)))
		aw_queryview_drop(view);
}

/* The text as one SELECT. */
static Query *
analyse(const char *text)
{
	List	   *statements = pg_parse_query(text);
	Query	   *query;

	if (list_length(statements) != 1 ||
		!IsA(linitial_node(RawStmt, statements)->stmt, SelectStmt))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a continuous query is one SELECT"),
				 errhint("Give the text of one query; what it gives goes into the sink.")));

	query = parse_analyze_fixedparams(linitial_node(RawStmt, statements), text, NULL, 0, NULL);
	if (query->commandType != CMD_SELECT || query->utilityStmt != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("SELECT INTO is not supported in a continuous query"),
				 errhint("Name the table as the sink.")));
	if (query->hasModifyingCTE)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("data-modifying statements in WITH are not supported in a continuous query"),
				 errhint("Let a trigger of the sink modify data.")));
	if (isQueryUsingTempRelation(query))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("temporary tables and views are not supported in a continuous query"),
				 errhint("It runs in another process; create them as permanent ones.")));
	return query;
}

static List *
column_definitions(const Query *query)
{
	List	   *columns = NIL;
	ListCell   *lc;

	foreach(lc, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);
		Node	   *expr = (Node *) entry->expr;

		if (entry->resjunk)
			continue;
		if (type_is_collatable(exprType(expr)) && !OidIsValid(exprCollation(expr)))
			ereport(ERROR,
					(errcode(ERRCODE_INDETERMINATE_COLLATION),
					 errmsg("could not determine which collation to use for column \"%s\"",
							entry->resname),
					 errhint("Use the COLLATE clause to set the collation explicitly.")));
		columns = lappend(columns, makeColumnDef(entry->resname, exprType(expr),
												 exprTypmod(expr), exprCollation(expr)));
	}
	return columns;
}
