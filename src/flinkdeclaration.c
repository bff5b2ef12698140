/*
 * flinkdeclaration.c
 *
 * Reads CREATE TABLE: columns, keys, watermark, options, LIKE.  Nothing is written;
 * expressions are passed over, and stay as their tokens.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "flinkdatabase.h"
#include "flinkdeclaration.h"
#include "flinkexpression.h"
#include "flinktable.h"

static void parse_elements(AwFlinkParser *parser, AwFlinkCreate *create);
static void parse_element(AwFlinkParser *parser, AwFlinkCreate *create);
static void parse_watermark(AwFlinkParser *parser, AwFlinkCreate *create);
static void parse_key(AwFlinkParser *parser, AwFlinkCreate *create);
static void check_key(const AwFlinkParser *parser, const AwFlinkCreate *create);
static bool is_known(const AwFlinkCreate *create, const char *name);
static bool is_physical(const AwFlinkCreate *create, const char *name);
static void refuse_second_key(const AwFlinkParser *parser, const AwFlinkCreate *create);
static void parse_not_enforced(AwFlinkParser *parser);
static void parse_physical(AwFlinkParser *parser, AwFlinkCreate *create, AwFlinkColumn *column);
static void parse_metadata(AwFlinkParser *parser, AwFlinkColumn *column);
static void parse_trailer(AwFlinkParser *parser, AwFlinkCreate *create);
static void parse_like(AwFlinkParser *parser, AwFlinkCreate *create);
static void merge_options(const AwFlinkParser *parser, AwFlinkCreate *create,
						  const AwFlinkTable *table);
static void parse_like_option(AwFlinkParser *parser, AwFlinkCreate *create);

/*
 * The name of what is created; an error if it is temporary and in a database.  What a
 * temporary relation hides has its schema before its name.
 */
AwFlinkPath *
aw_flinkdeclaration_path(AwFlinkParser *parser, bool is_temporary)
{
	int			start = parser->at;
	AwFlinkPath *path = aw_flinkquery_path(parser);

	if (is_temporary && path->schema != NULL)
	{
		parser->at = start;
		aw_flinkparser_unsupported(parser, "a temporary table or view in a database",
								   "Leave out TEMPORARY, or the database.");
	}
	if (!is_temporary && path->schema == NULL &&
		aw_flinktable_exists(parser, path, true) && aw_flinkdatabase_current(parser) != NULL)
	{
		path->schema = aw_flinkdatabase_current(parser);
		path->sql = quote_qualified_identifier(path->schema, path->name);
	}
	return path;
}

/* What stands behind CREATE [TEMPORARY] TABLE; is_temporary is set. */
void
aw_flinkdeclaration_table(AwFlinkParser *parser, AwFlinkCreate *create)
{
	create->if_not_exists = aw_flinkparser_accept(parser, "IF NOT EXISTS");
	create->path_at = parser->at;
	create->path = aw_flinkdeclaration_path(parser, create->is_temporary);
	parser->row_schema = create->is_temporary ? "pg_temp" : create->path->schema;
	if (aw_flinkparser_accept_symbol(parser, "("))
		parse_elements(parser, create);
	parse_trailer(parser, create);
	check_key(parser, create);
}

static void
parse_elements(AwFlinkParser *parser, AwFlinkCreate *create)
{
	do
		parse_element(parser, create);
	while (aw_flinkparser_accept_symbol(parser, ","));
	aw_flinkparser_expect_symbol(parser, ")");
}

static void
parse_element(AwFlinkParser *parser, AwFlinkCreate *create)
{
	if (aw_flinkparser_at(parser, "WATERMARK FOR"))
		parse_watermark(parser, create);
	else if (aw_flinkparser_at(parser, "CONSTRAINT") || aw_flinkparser_at(parser, "PRIMARY KEY"))
		parse_key(parser, create);
	else if (aw_flinkparser_at(parser, "UNIQUE"))
		aw_flinkparser_unsupported(parser, "UNIQUE", NULL);
	else
		aw_flinkdeclaration_column(parser, create);
}

static void
parse_watermark(AwFlinkParser *parser, AwFlinkCreate *create)
{
	if (create->rowtime != NULL)
		aw_flinkparser_error(parser, psprintf("table \"%s\" already has a watermark definition",
											 create->path->name));
	aw_flinkparser_expect(parser, "WATERMARK FOR");
	create->watermark = parser->at;
	create->rowtime = aw_flinkparser_name(parser);
	if (aw_flinkparser_at_symbol(parser, "."))
		aw_flinkparser_unsupported(parser, "a watermark for a field of a row",
								   "Compute a column from the field.");
	aw_flinkparser_expect(parser, "AS");
	aw_flinkexpression_skip(parser);
}

static void
parse_key(AwFlinkParser *parser, AwFlinkCreate *create)
{
	if (aw_flinkparser_accept(parser, "CONSTRAINT"))
		create->key_name = aw_flinkparser_name(parser);
	refuse_second_key(parser, create);
	aw_flinkparser_expect(parser, "PRIMARY KEY");
	aw_flinkparser_expect_symbol(parser, "(");
	do
	{
		create->key_at = lappend_int(create->key_at, parser->at);
		create->key = lappend(create->key, aw_flinkparser_name(parser));
	} while (aw_flinkparser_accept_symbol(parser, ","));
	aw_flinkparser_expect_symbol(parser, ")");
	parse_not_enforced(parser);
}

/* A key is made of columns that hold values of the row itself. */
static void
check_key(const AwFlinkParser *parser, const AwFlinkCreate *create)
{
	AwFlinkParser key = *parser;
	ListCell   *cell;
	ListCell   *place;

	forboth(cell, create->key, place, create->key_at)
	{
		const char *name = lfirst(cell);

		key.at = lfirst_int(place);
		if (!is_known(create, name))
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_COLUMN),
					 errmsg("column \"%s\" named in key does not exist", name),
					 internalerrquery(key.source),
					 internalerrposition(aw_flinktoken_position(key.source,
																aw_flinkparser_peek(&key, 0)->start))));
		if (!is_physical(create, name))
			aw_flinkparser_error(&key, psprintf("column \"%s\" of the primary key is computed or metadata",
											   name));
	}
}

/* May the table have a column?  What a query or a table that is not known brings is PostgreSQL's. */
static bool
is_known(const AwFlinkCreate *create, const char *name)
{
	ListCell   *cell;

	foreach(cell, create->columns)
	{
		if (strcmp(((AwFlinkColumn *) lfirst(cell))->name, name) == 0)
			return true;
	}
	if (create->like_table != NULL && create->like_table->has_columns)
		return aw_flinktable_is_named(create->like_table->columns, name);
	return create->like != NULL || create->has_query;
}

/* One that is not known is left to PostgreSQL. */
static bool
is_physical(const AwFlinkCreate *create, const char *name)
{
	ListCell   *cell;

	foreach(cell, create->columns)
	{
		AwFlinkColumn *column = lfirst(cell);

		if (strcmp(column->name, name) == 0)
			return column->type != NULL && !column->is_metadata;
	}
	return create->like_table == NULL ||
		!aw_flinktable_is_named(create->like_table->columns, name) ||
		aw_flinktable_is_named(create->like_table->insertable, name);
}

static void
refuse_second_key(const AwFlinkParser *parser, const AwFlinkCreate *create)
{
	if (create->key != NIL)
		aw_flinkparser_error(parser, psprintf("table \"%s\" already has a primary key",
											 create->path->name));
}

/* Flink does not own the rows: it takes no other keys. */
static void
parse_not_enforced(AwFlinkParser *parser)
{
	if (!aw_flinkparser_accept(parser, "NOT ENFORCED"))
		aw_flinkparser_unsupported(parser, "PRIMARY KEY without NOT ENFORCED",
								   "Write NOT ENFORCED behind it.");
}

/* A column, added to those of the statement. */
void
aw_flinkdeclaration_column(AwFlinkParser *parser, AwFlinkCreate *create)
{
	AwFlinkColumn *column = palloc0(sizeof(AwFlinkColumn));

	column->at = parser->at;
	column->name = aw_flinkparser_name(parser);
	if (aw_flinkparser_at_symbol(parser, ",") || aw_flinkparser_at_symbol(parser, ")"))
		aw_flinkparser_unsupported(parser, "CREATE TABLE with the order of columns",
								   "Create the table, and insert into it.");
	if (aw_flinkparser_accept(parser, "AS"))
	{
		create->has_computed = true;
		column->start = parser->at;
		column->end = aw_flinkexpression_skip(parser);
	}
	else
		parse_physical(parser, create, column);
	if (aw_flinkparser_accept(parser, "COMMENT"))
		column->comment = aw_flinkparser_string(parser);
	create->columns = lappend(create->columns, column);
}

static void
parse_physical(AwFlinkParser *parser, AwFlinkCreate *create, AwFlinkColumn *column)
{
	AwFlinkRowType *table = palloc0(sizeof(AwFlinkRowType));
	AwFlinkRowType place = {.outer = table, .field = column->name};

	table->name = create->path->name;
	column->type = aw_flinktype_parse(parser, &place, &create->row_types);
	for (;;)
	{
		if (aw_flinkparser_accept(parser, "NOT NULL"))
			column->is_not_null = true;
		else if (aw_flinkparser_at(parser, "METADATA"))
			parse_metadata(parser, column);
		else if (aw_flinkparser_at(parser, "PRIMARY KEY"))
		{
			refuse_second_key(parser, create);
			create->key_at = list_make1_int(column->at);
			aw_flinkparser_expect(parser, "PRIMARY KEY");
			create->key = list_make1(pstrdup(column->name));
			parse_not_enforced(parser);
		}
		else if (!aw_flinkparser_accept(parser, "NULL"))
			return;
	}
}

/* What a connector knows about a row beside its columns. */
static void
parse_metadata(AwFlinkParser *parser, AwFlinkColumn *column)
{
	aw_flinkparser_expect(parser, "METADATA");
	column->is_metadata = true;
	if (aw_flinkparser_accept(parser, "FROM"))
		column->metadata = aw_flinkparser_string(parser);
	column->is_virtual = aw_flinkparser_accept(parser, "VIRTUAL");
}

/* What stands behind the columns. */
static void
parse_trailer(AwFlinkParser *parser, AwFlinkCreate *create)
{
	if (aw_flinkparser_accept(parser, "COMMENT"))
		create->comment = aw_flinkparser_string(parser);
	if (aw_flinkparser_at(parser, "DISTRIBUTED"))
		aw_flinkparser_unsupported(parser, "DISTRIBUTED", NULL);
	if (aw_flinkparser_at(parser, "PARTITIONED BY"))
	{
		int			open;

		create->partition_at = parser->at;
		aw_flinkparser_expect(parser, "PARTITIONED BY");
		open = parser->at;
		aw_flinkparser_expect_symbol(parser, "(");
		parser->at = aw_flinkparser_closing(parser, open) + 1;
	}
	create->options_at = parser->at;
	if (aw_flinkparser_accept(parser, "WITH"))
		create->options = aw_flinkconnector_options(parser);
	if (aw_flinkparser_accept(parser, "LIKE"))
		parse_like(parser, create);
	create->has_query = aw_flinkparser_accept(parser, "AS");
	if (create->columns == NIL && create->like == NULL && !create->has_query)
		aw_flinkparser_error(parser, psprintf("table \"%s\" has no columns", create->path->name));
}

/* LIKE table [(INCLUDING | EXCLUDING | OVERWRITING what ...)] */
static void
parse_like(AwFlinkParser *parser, AwFlinkCreate *create)
{
	AwFlinkParser start = *parser;
	AwFlinkTable *table;

	create->like_at = parser->at;
	create->like = aw_flinkquery_path(parser);
	create->like_table = table = aw_flinktable_find(parser, create->like);
	if (table != NULL && (table->is_view || table->is_sink || create->has_computed))
		aw_flinkparser_unsupported(&start, "LIKE with computed columns or a connector", NULL);
	if (aw_flinkparser_accept_symbol(parser, "("))
	{
		while (!aw_flinkparser_accept_symbol(parser, ")"))
			parse_like_option(parser, create);
	}
	if (create->like_without_key && table != NULL && table->key != NIL && !table->is_key_enforced)
		aw_flinkparser_unsupported(&start, "EXCLUDING CONSTRAINTS of a versioned table", NULL);
	if (create->like_without_generated && table != NULL &&
		list_length(table->columns) != list_length(table->insertable))
		aw_flinkparser_unsupported(&start, "EXCLUDING GENERATED of a table with columns that take no values", NULL);
	create->like_without_watermark &= table == NULL || table->rowtime != NULL;
	if (table == NULL)
		return;
	if (create->key != NIL && table->key != NIL && !create->like_without_key)
		aw_flinkparser_error(&start, psprintf("table \"%s\" already has a primary key", table->name));
	if (create->rowtime != NULL && table->rowtime != NULL && !create->like_without_watermark &&
		!create->like_replaces_watermark)
		aw_flinkparser_error(&start, psprintf("table \"%s\" already has a watermark definition",
											 table->name));
	if (!create->like_without_options)
		merge_options(&start, create, table);
}

/* Options that the table has itself take the place of the other's. */
static void
merge_options(const AwFlinkParser *parser, AwFlinkCreate *create, const AwFlinkTable *table)
{
	List	   *options = list_copy(create->options);
	ListCell   *cell;

	foreach(cell, table->options)
	{
		AwFlinkOption *option = lfirst(cell);

		if (aw_flinkconnector_option(create->options, option->key) == NULL)
			options = lappend(options, option);
		else if (create->like_adds_options)
			aw_flinkparser_error(parser, psprintf("option '%s' stands twice", option->key));
	}
	create->options = options;
}

/* What is said of one part counts more than what is said of all. */
static void
parse_like_option(AwFlinkParser *parser, AwFlinkCreate *create)
{
	static const char *const parts[] = {
		"ALL", "CONSTRAINTS", "DISTRIBUTION", "GENERATED", "METADATA", "OPTIONS", "PARTITIONS",
		"WATERMARKS"
	};
	size_t		part = 0;
	AwFlinkParser start = *parser;
	bool		is_excluding = aw_flinkparser_accept(parser, "EXCLUDING");
	bool		is_including = !is_excluding && aw_flinkparser_accept(parser, "INCLUDING");

	if (!is_excluding && !is_including && !aw_flinkparser_accept(parser, "OVERWRITING"))
		aw_flinkparser_fail(parser, "expected INCLUDING, EXCLUDING or OVERWRITING");
	while (part < lengthof(parts) && !aw_flinkparser_accept(parser, parts[part]))
		part++;
	if (part == lengthof(parts))
		aw_flinkparser_fail(parser, "expected what LIKE takes over");
	if (strcmp(parts[part], "METADATA") == 0 && is_excluding)
		aw_flinkparser_unsupported(&start, "EXCLUDING METADATA", NULL);
	if (strcmp(parts[part], "GENERATED") == 0 || part == 0)
		create->like_without_generated |= is_excluding;
	if (part == 0 && is_excluding)
	{
		create->like_without_key |= !create->like_says_key;
		create->like_without_watermark |= !create->like_says_watermark;
		create->like_without_options |= !create->like_says_options;
	}
	else if (strcmp(parts[part], "OPTIONS") == 0)
	{
		create->like_says_options = true;
		create->like_without_options = is_excluding;
		create->like_adds_options = is_including;
	}
	else if (strcmp(parts[part], "CONSTRAINTS") == 0)
	{
		create->like_says_key = true;
		create->like_without_key = is_excluding;
	}
	else if (strcmp(parts[part], "WATERMARKS") == 0)
	{
		create->like_says_watermark = true;
		create->like_replaces_watermark = !is_excluding && !is_including;
		create->like_without_watermark = is_excluding;
	}
}
