/*
 * flinkdatabase.c
 *
 * Databases of Flink, which are schemas: USE, CREATE DATABASE, DROP DATABASE, and what
 * default_database is.
 *
 * The current database is the schema where CREATE puts a table.  As long as no USE was
 * given it is default_database, too, whose name is left out then.  USE changes the search
 * path, and keeps the one that was there in a setting, until USE default_database puts it
 * back: so a session knows its default database, from one source to the next.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/varlena.h"

#include "flinkconnector.h"
#include "flinkcreate.h"
#include "flinkdatabase.h"
#include "flinkquery.h"

#define DEFAULT_PATH "apply_watermark.default_path"

static char *path_text(const char *search_path);
static char *pass_name(AwFlinkParser *parser);
static bool is_default_name(const AwFlinkToken *token, const char *name);
static const char *first_schema(const char *search_path);
static bool exists(const AwFlinkParser *parser, const char *name);
static List *without(List *names, const char *name);
static void refuse_used(const AwFlinkParser *parser, const char *name);
static void use_default(AwFlinkParser *parser);

/* Forgets what the source does to databases: the session has done it. */
void
aw_flinkdatabase_refresh(AwFlinkParser *parser)
{
	const char *path = GetConfigOption(DEFAULT_PATH, true, false);

	parser->default_path = path == NULL || *path == '\0' ? NULL : pstrdup(path);
	parser->search_path = NULL;
	parser->database = NULL;
	parser->databases = NIL;
	parser->dropped_databases = NIL;
}

/* Where CREATE puts a table that has no database; NULL if that is nowhere.  Not quoted. */
const char *
aw_flinkdatabase_current(const AwFlinkParser *parser)
{
	List	   *path;

	if (parser->database != NULL)
		return parser->database;
	path = fetch_search_path(false);
	return path == NIL ? NULL : get_namespace_name(linitial_oid(path));
}

/* The schema that default_database is; NULL if it is the current one, and is left out. */
const char *
aw_flinkdatabase_default(const AwFlinkParser *parser)
{
	const char *schema;

	if (parser->default_path == NULL)
		return NULL;
	schema = first_schema(parser->default_path);
	if (schema == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_SCHEMA),
				 errmsg("default_database is no schema"),
				 errdetail("No schema of the search path before USE exists: %s.",
						   parser->default_path)));
	return schema;
}

/* May what the catalog has of a schema be believed?  Not if the source drops it. */
bool
aw_flinkdatabase_is_in_catalog(const AwFlinkParser *parser, const char *name)
{
	ListCell   *cell;

	foreach(cell, parser->dropped_databases)
	{
		if (strcmp(lfirst(cell), name) == 0)
			return false;
	}
	return true;
}

/* Passes the name of a database; returns it as a constant, NULL for the current one. */
char *
aw_flinkdatabase_constant(AwFlinkParser *parser)
{
	const char *name = pass_name(parser);

	if (name == NULL)
		name = aw_flinkdatabase_default(parser);
	return name == NULL ? "NULL" : quote_literal_cstr(name);
}

/* CREATE DATABASE [IF NOT EXISTS] d [COMMENT 'c'] [WITH (options)], behind DATABASE */
void
aw_flinkdatabase_create(AwFlinkParser *parser)
{
	bool		if_not_exists = aw_flinkparser_accept(parser, "IF NOT EXISTS");
	AwFlinkParser start = *parser;
	const char *name = pass_name(parser);
	const char *comment = NULL;

	if (aw_flinkparser_accept(parser, "COMMENT"))
		comment = aw_flinkparser_string(parser);
	if (aw_flinkparser_accept(parser, "WITH"))
	{
		aw_flinkconnector_options(parser);
		ereport(NOTICE,
				(errmsg("options of database \"%s\" are ignored",
						name == NULL ? "default_database" : name)));
	}
	if (name == NULL && !if_not_exists)
		aw_flinkparser_error(&start, "database \"default_database\" already exists");
	if (name == NULL)
		return;
	aw_flinkparser_emit(parser, psprintf("CREATE SCHEMA %s%s", if_not_exists ? "IF NOT EXISTS " : "",
										 quote_identifier(name)));
	aw_flinkparser_end_statement(parser);
	if (comment != NULL && !(if_not_exists && exists(parser, name)))
		aw_flinkcreate_comment(parser, psprintf("SCHEMA %s", quote_identifier(name)), comment);
	parser->databases = lappend(parser->databases, unconstify(char *, name));
}

/* DROP DATABASE [IF EXISTS] d [RESTRICT | CASCADE], behind DATABASE */
void
aw_flinkdatabase_drop(AwFlinkParser *parser)
{
	bool		if_exists = aw_flinkparser_accept(parser, "IF EXISTS");
	AwFlinkParser start = *parser;
	char	   *name = pass_name(parser);

	refuse_used(&start, name);
	aw_flinkparser_emit(parser, psprintf("DROP SCHEMA %s%s", if_exists ? "IF EXISTS " : "",
										 quote_identifier(name)));
	if (aw_flinkparser_at(parser, "CASCADE"))
		aw_flinkparser_copy(parser, "CASCADE");
	else
		aw_flinkparser_accept(parser, "RESTRICT");
	aw_flinkparser_end_statement(parser);
	parser->databases = without(parser->databases, name);
	parser->dropped_databases = lappend(parser->dropped_databases, name);
}

/* The current database is not dropped, nor default_database, whose name is NULL. */
static void
refuse_used(const AwFlinkParser *parser, const char *name)
{
	const char *current = aw_flinkdatabase_current(parser);
	const char *first = parser->default_path == NULL ? NULL : first_schema(parser->default_path);

	if (name == NULL || (first != NULL && strcmp(first, name) == 0))
		aw_flinkparser_unsupported(parser, "DROP DATABASE default_database", NULL);
	if (current != NULL && strcmp(current, name) == 0)
		aw_flinkparser_error(parser, "cannot drop a database that is in use");
}

/* USE d, USE CATALOG default_catalog.  The extension stays in sight. */
void
aw_flinkdatabase_use(AwFlinkParser *parser)
{
	AwFlinkParser start;
	const char *name;

	aw_flinkparser_expect(parser, "USE");
	if (aw_flinkparser_at(parser, "MODULES"))
		aw_flinkparser_unsupported(parser, "USE MODULES", NULL);
	start = *parser;
	if (aw_flinkparser_accept(parser, "CATALOG"))
	{
		if (!is_default_name(aw_flinkparser_next(parser), "default_catalog"))
			aw_flinkparser_unsupported(&start, "a catalog", "A database of Flink is a schema here.");
		return;
	}
	name = pass_name(parser);
	if (name == NULL)
	{
		use_default(parser);
		return;
	}
	if (!exists(parser, name))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_SCHEMA),
				 errmsg("database \"%s\" does not exist", name),
				 errhint("A database is a schema: CREATE DATABASE makes one."),
				 internalerrquery(start.source),
				 internalerrposition(aw_flinktoken_position(start.source,
															aw_flinkparser_peek(&start, 0)->start))));
	if (parser->default_path == NULL)
	{
		const char *path = parser->search_path != NULL ? parser->search_path :
			namespace_search_path;

		parser->default_path = *path == '\0' ? "\"\"" : pstrdup(path);
		aw_flinkparser_emit(parser, psprintf("SET " DEFAULT_PATH " = %s",
											 quote_literal_cstr(parser->default_path)));
		aw_flinkparser_end_statement(parser);
	}
	parser->database = name;
	aw_flinkparser_emit(parser, psprintf("SET search_path = %s, %s", quote_identifier(name),
										 quote_identifier(get_namespace_name(parser->schema))));
	aw_flinkparser_end_statement(parser);
}

/* Puts the search path back that was there before the first USE. */
static void
use_default(AwFlinkParser *parser)
{
	if (parser->default_path == NULL)
		return;
	parser->database = first_schema(parser->default_path);
	aw_flinkparser_emit(parser, psprintf("SET search_path = %s", path_text(parser->default_path)));
	aw_flinkparser_end_statement(parser);
	aw_flinkparser_emit(parser, "RESET " DEFAULT_PATH);
	aw_flinkparser_end_statement(parser);
	parser->search_path = parser->default_path;
	parser->default_path = NULL;
}

/* A search path as SET takes it: a setting is anybody's text. */
static char *
path_text(const char *search_path)
{
	StringInfoData text;
	List	   *names;
	ListCell   *cell;

	if (!SplitIdentifierString(pstrdup(search_path), ',', &names))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("setting \"%s\" is not a search path", DEFAULT_PATH)));
	initStringInfo(&text);
	foreach(cell, names)
		appendStringInfo(&text, "%s%s", text.len > 0 ? ", " : "",
						 *(char *) lfirst(cell) == '\0' ? "''" : quote_identifier(lfirst(cell)));
	return text.len > 0 ? text.data : pstrdup("''");
}

/* Passes [default_catalog.] d; NULL for default_database. */
static char *
pass_name(AwFlinkParser *parser)
{
	const AwFlinkToken *token;
	char	   *name;

	if (is_default_name(aw_flinkparser_peek(parser, 0), "default_catalog") &&
		aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 1), "."))
		parser->at += 2;
	token = aw_flinkparser_peek(parser, 0);
	name = aw_flinkparser_name(parser);
	if (aw_flinkparser_at_symbol(parser, "."))
		aw_flinkparser_unsupported(parser, "a catalog", "A database of Flink is a schema here.");
	return is_default_name(token, "default_database") ? NULL : name;
}

static bool
is_default_name(const AwFlinkToken *token, const char *name)
{
	return aw_flinktoken_is_name(token) && strcmp(aw_flinktoken_name(token), name) == 0;
}

/* The first schema of a search path that exists; NULL if none does. */
static const char *
first_schema(const char *search_path)
{
	List	   *names;
	ListCell   *cell;

	if (!SplitIdentifierString(pstrdup(search_path), ',', &names))
		return NULL;
	foreach(cell, names)
	{
		const char *name = lfirst(cell);

		if (strcmp(name, "$user") == 0)
			name = GetUserNameFromId(GetUserId(), false);
		if (OidIsValid(get_namespace_oid(name, true)))
			return name;
	}
	return NULL;
}

static bool
exists(const AwFlinkParser *parser, const char *name)
{
	ListCell   *cell;

	foreach(cell, parser->databases)
	{
		if (strcmp(lfirst(cell), name) == 0)
			return true;
	}
	return aw_flinkdatabase_is_in_catalog(parser, name) &&
		OidIsValid(get_namespace_oid(name, true));
}

static List *
without(List *names, const char *name)
{
	ListCell   *cell;

	foreach(cell, names)
	{
		if (strcmp(lfirst(cell), name) == 0)
			names = foreach_delete_current(names, cell);
	}
	return names;
}
