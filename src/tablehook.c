/*
 * tablehook.c
 *
 * A ProcessUtility hook that refuses to make the table of a stream unlogged, and to give
 * it a partition that is unlogged or foreign: continuous queries would miss the rows, and
 * not know of it.
 *
 * The statement is looked at before it runs, and without a lock: who creates a query at
 * the same moment gets by.  So queries look for such partitions, too, when they run.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "nodes/parsenodes.h"
#include "tcop/utility.h"
#include "utils/lsyscache.h"

#include "catalog.h"
#include "compat.h"
#include "identity.h"
#include "tablehook.h"

static ProcessUtility_hook_type previous_utility_hook = NULL;

static void run_utility(PlannedStmt *statement, const char *query_string, bool is_read_only_tree,
						ProcessUtilityContext context, ParamListInfo params,
						QueryEnvironment *environment, DestReceiver *receiver,
						QueryCompletion *completion);
static void check_statement(Node *statement);
static void check_alteration(const AlterTableStmt *statement);
static bool is_written_elsewhere(Oid table);
static void refuse_for_stream(Oid table, const char *name);
static void refuse_if_read(Oid table, const char *name);

void
aw_tablehook_init(void)
{
	previous_utility_hook = ProcessUtility_hook;
	ProcessUtility_hook = run_utility;
}

static void
run_utility(PlannedStmt *statement, const char *query_string, bool is_read_only_tree,
			ProcessUtilityContext context, ParamListInfo params, QueryEnvironment *environment,
			DestReceiver *receiver, QueryCompletion *completion)
{
	check_statement(statement->utilityStmt);
	(previous_utility_hook ? previous_utility_hook : standard_ProcessUtility)
		(statement, query_string, is_read_only_tree, context, params, environment, receiver,
		 completion);
}

/* Raises an error if rows of a stream would not be in the WAL after a statement. */
static void
check_statement(Node *statement)
{
	const CreateStmt *create = NULL;

	if (IsA(statement, AlterTableStmt))
		check_alteration((AlterTableStmt *) statement);
	else if (IsA(statement, CreateForeignTableStmt))
		create = &((CreateForeignTableStmt *) statement)->base;
	else if (IsA(statement, CreateStmt) &&
			 ((CreateStmt *) statement)->relation->relpersistence == RELPERSISTENCE_UNLOGGED)
		create = (CreateStmt *) statement;
	if (create != NULL && create->partbound != NULL)
		refuse_for_stream(RangeVarGetRelid(linitial_node(RangeVar, create->inhRelations), NoLock,
										   true), create->relation->relname);
}

static void
check_alteration(const AlterTableStmt *statement)
{
	ListCell   *lc;

	foreach(lc, statement->cmds)
	{
		const AlterTableCmd *command = lfirst_node(AlterTableCmd, lc);
		const RangeVar *added;

		if (command->subtype == AT_SetUnLogged)
			refuse_for_stream(RangeVarGetRelid(statement->relation, NoLock, true),
							  statement->relation->relname);
		if (command->subtype != AT_AttachPartition)
			continue;
		added = ((PartitionCmd *) command->def)->name;
		if (is_written_elsewhere(RangeVarGetRelid(added, NoLock, true)))
			refuse_for_stream(RangeVarGetRelid(statement->relation, NoLock, true),
							  added->relname);
	}
}

/* Is a table, or a partition of it, unlogged or foreign? */
static bool
is_written_elsewhere(Oid table)
{
	ListCell   *lc;

	if (!OidIsValid(table))
		return false;
	foreach(lc, find_all_inheritors(table, NoLock, NULL))
	{
		Oid			relid = lfirst_oid(lc);

		if (get_rel_name(relid) != NULL &&
			(get_rel_relkind(relid) == RELKIND_FOREIGN_TABLE ||
			 get_rel_persistence(relid) == RELPERSISTENCE_UNLOGGED))
			return true;
	}
	return false;
}

/* Refuses a change of what is called so if a table, or one above it, is a stream. */
static void
refuse_for_stream(Oid table, const char *name)
{
	ListCell   *lc;

	if (!OidIsValid(table) || !OidIsValid(aw_catalog_schema(true)))
		return;
	refuse_if_read(table, name);
	if (!get_rel_relispartition(table))
		return;
	foreach(lc, get_partition_ancestors(table))
		refuse_if_read(lfirst_oid(lc), name);
}

static void
refuse_if_read(Oid table, const char *name)
{
	AwIdentity	before;
	const char *query;

	aw_identity_assume(&before, aw_catalog_owner());
	query = aw_catalog_reader(table);
	aw_identity_restore(&before);
	if (query != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("rows of \"%s\" would not be in the write-ahead log", name),
				 errdetail("Continuous query \"%s\" reads table \"%s\".", query,
						   get_rel_name(table)),
				 errhint("Drop the query first.")));
}
