/*
 * databasehook.c
 *
 * A ProcessUtility hook that takes the worker of a database out of the way of the
 * commands that want nobody connected to it, or no slot of it in use: DROP DATABASE,
 * CREATE DATABASE from it, ALTER DATABASE RENAME, SET TABLESPACE and ALLOW_CONNECTIONS.
 *
 * The worker is held off until the transaction ends, and comes back then.  Who may not
 * run the command holds nothing.  A database that is dropped takes its slot with it.
 *
 * A database that comes into sight, as a copy does, may have continuous queries that
 * nobody has asked for: the launcher is told.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_database.h"
#include "commands/dbcommands.h"
#include "commands/defrem.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "tcop/utility.h"
#include "utils/syscache.h"

#include "compat.h"
#include "databasehook.h"
#include "shmem.h"

static ProcessUtility_hook_type previous_utility_hook = NULL;

static void run_utility(PlannedStmt *statement, const char *query_string, bool is_read_only_tree,
						ProcessUtilityContext context, ParamListInfo params,
						QueryEnvironment *environment, DestReceiver *receiver,
						QueryCompletion *completion);
static Oid	held_database(Node *statement);
static bool brings_database(Node *statement);
static Oid	owned_database(const char *name);
static Oid	copied_database(List *options);
static bool may_create_databases(void);
static bool is_template(Oid database);
static bool has_option(List *options, const char *name);

void
aw_databasehook_init(void)
{
	previous_utility_hook = ProcessUtility_hook;
	ProcessUtility_hook = run_utility;
}

static void
run_utility(PlannedStmt *statement, const char *query_string, bool is_read_only_tree,
			ProcessUtilityContext context, ParamListInfo params, QueryEnvironment *environment,
			DestReceiver *receiver, QueryCompletion *completion)
{
	Oid			database = held_database(statement->utilityStmt);
	bool		is_bringing = brings_database(statement->utilityStmt);

	if (OidIsValid(database))
		aw_shmem_hold(database);
	(previous_utility_hook ? previous_utility_hook : standard_ProcessUtility)
		(statement, query_string, is_read_only_tree, context, params, environment, receiver,
		 completion);
	if (is_bringing)
		aw_shmem_announce();
}

/* The database whose worker is in the way of a statement; InvalidOid if there is none. */
static Oid
held_database(Node *statement)
{
	if (IsA(statement, DropdbStmt))
		return owned_database(((DropdbStmt *) statement)->dbname);
	if (IsA(statement, CreatedbStmt))
		return copied_database(((CreatedbStmt *) statement)->options);
	if (IsA(statement, RenameStmt) && ((RenameStmt *) statement)->renameType == OBJECT_DATABASE)
		return owned_database(((RenameStmt *) statement)->subname);
	if (IsA(statement, AlterDatabaseStmt))
	{
		AlterDatabaseStmt *alter = (AlterDatabaseStmt *) statement;

		if (has_option(alter->options, "tablespace") ||
			has_option(alter->options, "allow_connections"))
			return owned_database(alter->dbname);
	}
	return InvalidOid;
}

/* May there be one more database with a worker after a statement? */
static bool
brings_database(Node *statement)
{
	List	   *options;

	if (IsA(statement, CreatedbStmt))
		return true;
	if (!IsA(statement, AlterDatabaseStmt))
		return false;
	options = ((AlterDatabaseStmt *) statement)->options;
	return has_option(options, "allow_connections") || has_option(options, "is_template");
}

/* A database if it is the user's own. */
static Oid
owned_database(const char *name)
{
	Oid			database = get_database_oid(name, true);

	return OidIsValid(database) && aw_compat_owns_database(database, GetUserId()) ?
		database : InvalidOid;
}

/* The database that CREATE DATABASE copies, if the user may copy it. */
static Oid
copied_database(List *options)
{
	const char *name = "template1";
	ListCell   *lc;
	Oid			database;

	foreach(lc, options)
	{
		DefElem    *option = lfirst_node(DefElem, lc);

		if (strcmp(option->defname, "template") == 0 && option->arg != NULL)
			name = defGetString(option);
	}
	database = get_database_oid(name, true);
	if (!OidIsValid(database) || !may_create_databases())
		return InvalidOid;
	return is_template(database) ? database : owned_database(name);
}

/* The server has a function for this, but not in all minor versions. */
static bool
may_create_databases(void)
{
	HeapTuple	tuple;
	bool		result;

	if (superuser())
		return true;
	tuple = SearchSysCache1(AUTHOID, ObjectIdGetDatum(GetUserId()));
	if (!HeapTupleIsValid(tuple))
		return false;
	result = ((Form_pg_authid) GETSTRUCT(tuple))->rolcreatedb;
	ReleaseSysCache(tuple);
	return result;
}

static bool
is_template(Oid database)
{
	HeapTuple	tuple = SearchSysCache1(DATABASEOID, ObjectIdGetDatum(database));
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return false;
	result = ((Form_pg_database) GETSTRUCT(tuple))->datistemplate;
	ReleaseSysCache(tuple);
	return result;
}

static bool
has_option(List *options, const char *name)
{
	ListCell   *lc;

	foreach(lc, options)
	{
		if (strcmp(lfirst_node(DefElem, lc)->defname, name) == 0)
			return true;
	}
	return false;
}
