/*
 * flinkrowtype.c
 *
 * The types that CREATE TABLE makes of ROW.
 *
 * They are called after their table and column, and those within them after them, with a
 * number where that name is taken: so they change their names and go with the column, or
 * with the table.  Which type a column has, the catalog tells; the name says that it was
 * made for it.  A type that a copy of the table has, too, is left when the table goes.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "dependency.h"
#include "flinkrowtype.h"

static char *choose_name(const AwFlinkParser *parser, const char *schema,
						 const AwFlinkRowType *place, const List *row_types);
static char *numbered_name(const AwFlinkRowType *place, int number);
static bool is_taken(const AwFlinkParser *parser, const char *schema, const char *name,
					 const AwFlinkRowType *place, const List *row_types);
static bool ends_with(const char *name, const char *ending);
static void add_types(Oid relid, AwFlinkRowType *outer, List **types);
static bool is_called_after(const char *name, const AwFlinkRowType *place);
static AwFlinkRowType *of_column(AwFlinkRowType *type);
static bool is_used_elsewhere(const AwFlinkTable *table, const AwFlinkRowType *type);
static void note(AwFlinkParser *parser, const char *schema, const char *name);
static void rename_type(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkRowType *type);

/* A type for a column or field, under a name that is free; row_types: of the statement. */
AwFlinkRowType *
aw_flinkrowtype_create(const AwFlinkParser *parser, const AwFlinkRowType *place,
					   const List *row_types)
{
	AwFlinkRowType *type = palloc0(sizeof(AwFlinkRowType));

	type->outer = place->outer;
	type->field = place->field;
	type->name = choose_name(parser, parser->row_schema, place, row_types);
	type->sql = quote_qualified_identifier(parser->row_schema, type->name);
	return type;
}

/* Those of a relation's columns that were made for a table; the outer ones come first. */
List *
aw_flinkrowtype_find(Oid relid, const char *table)
{
	AwFlinkRowType *root = palloc0(sizeof(AwFlinkRowType));
	List	   *types = NIL;

	root->name = pstrdup(table);
	add_types(relid, root, &types);
	return types;
}

/* Notes types that the source creates, the inner ones first. */
void
aw_flinkrowtype_remember(AwFlinkParser *parser, AwFlinkTable *table, const List *row_types)
{
	const ListCell *cell;

	foreach(cell, row_types)
	{
		AwFlinkRowType *type = lfirst(cell);

		table->row_types = lcons(type, table->row_types);
		note(parser, parser->row_schema, type->name);
	}
}

/* Drops the types of a column, which is dropped; of all, if it is NULL. */
void
aw_flinkrowtype_drop(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table,
					 const char *column)
{
	List	   *kept = NIL;
	ListCell   *cell;

	foreach(cell, table->row_types)
	{
		AwFlinkRowType *type = lfirst(cell);
		AwFlinkPath name = {.schema = path->schema, .name = type->name};

		if (column != NULL && strcmp(of_column(type)->field, column) != 0)
		{
			kept = lappend(kept, type);
			continue;
		}
		type->is_left = type->outer->is_left || parser->copies_rows ||
			is_used_elsewhere(table, type);
		if (type->is_left)
			continue;
		aw_flinkparser_emit(parser, psprintf("DROP TYPE %s",
											 quote_qualified_identifier(name.schema, name.name)));
		aw_flinkparser_end_statement(parser);
		aw_flinktable_drop(parser, &name);
	}
	table->row_types = kept;
}

/* The table is called otherwise from here on. */
void
aw_flinkrowtype_rename(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table,
					   const char *new)
{
	ListCell   *cell;

	foreach(cell, table->row_types)
	{
		of_column(lfirst(cell))->outer->name = new;
		rename_type(parser, path, lfirst(cell));
	}
}

/* A column is. */
void
aw_flinkrowtype_rename_column(AwFlinkParser *parser, const AwFlinkPath *path,
							  AwFlinkTable *table, const char *column, const char *new)
{
	ListCell   *cell;

	foreach(cell, table->row_types)
	{
		AwFlinkRowType *type = lfirst(cell);

		if (type == of_column(type) && strcmp(type->field, column) == 0)
			type->field = new;
		if (strcmp(of_column(type)->field, new) == 0)
			rename_type(parser, path, type);
	}
}

/*
 * The type of a column that is a row or an array of rows, as SQL; NULL if it is neither,
 * or not known.  What the source has made counts more than the catalog.
 */
const char *
aw_flinkrowtype_of_column(const AwFlinkPath *path, const AwFlinkTable *table, const char *column)
{
	Oid			type;
	Oid			element;
	ListCell   *cell;

	foreach(cell, table->row_types)
	{
		AwFlinkRowType *row = lfirst(cell);

		if (row == of_column(row) && strcmp(row->field, column) == 0)
			return psprintf("%s%s", quote_qualified_identifier(path->schema, row->name),
							row->is_array ? "[]" : "");
	}
	type = aw_flinktable_column_type(table, column);
	element = get_element_type(type);
	return type_is_rowtype(OidIsValid(element) ? element : type) ? format_type_be_qualified(type) : NULL;
}

/*
 * The name of its place, with a number if another has it.  Where rows are nested so deep
 * that their names are cut they share one: there the search starts at the depth.
 */
static char *
choose_name(const AwFlinkParser *parser, const char *schema, const AwFlinkRowType *place,
			const List *row_types)
{
	int			number = 0;
	char	   *name = numbered_name(place, number);

	if (strlen(name) == NAMEDATALEN - 1 &&
		is_taken(parser, schema, name, place, row_types))
	{
		for (const AwFlinkRowType *outer = place->outer; outer != NULL; outer = outer->outer)
			number++;
		name = numbered_name(place, number);
	}
	while (is_taken(parser, schema, name, place, row_types))
		name = numbered_name(place, ++number);
	return name;
}

/* The name of a type at a place; 0: without a number.  It is cut to what a name can be. */
static char *
numbered_name(const AwFlinkRowType *place, int number)
{
	char	   *name = psprintf("%s__%s", place->outer->name, place->field);
	char	   *suffix = number == 0 ? "" : psprintf("_%d", number);

	return psprintf("%.*s%s", pg_mbcliplen(name, strlen(name), NAMEDATALEN - 1 - strlen(suffix)),
					name, suffix);
}

/*
 * Has another relation the name, or gets it by the statement?  What a table stands on may
 * be called like it with __source or __row behind.
 */
static bool
is_taken(const AwFlinkParser *parser, const char *schema, const char *name,
		 const AwFlinkRowType *place, const List *row_types)
{
	AwFlinkPath path = {.schema = schema, .name = name};
	const ListCell *cell;

	foreach(cell, row_types)
	{
		if (strcmp(((AwFlinkRowType *) lfirst(cell))->name, name) == 0)
			return true;
	}
	for (const AwFlinkRowType *outer = place->outer; outer != NULL; outer = outer->outer)
	{
		if (strcmp(outer->name, name) == 0)
			return true;
	}
	if (place->outer->field == NULL && (ends_with(name, "__source") || ends_with(name, "__row")))
		return true;
	return aw_flinktable_exists(parser, &path, false);
}

static bool
ends_with(const char *name, const char *ending)
{
	size_t		length = strlen(name);
	size_t		end_length = strlen(ending);

	return length >= end_length && strcmp(name + length - end_length, ending) == 0;
}

/* Types of the columns of a relation, and within them. */
static void
add_types(Oid relid, AwFlinkRowType *outer, List **types)
{
	Relation	rel = relation_open(relid, AccessShareLock);
	TupleDesc	columns = RelationGetDescr(rel);

	for (int i = 0; i < columns->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(columns, i);
		Oid			element = attribute->attisdropped ? InvalidOid :
			get_base_element_type(attribute->atttypid);
		Oid			row = attribute->attisdropped ? InvalidOid :
			get_typ_typrelid(OidIsValid(element) ? element : attribute->atttypid);
		AwFlinkRowType *type;

		if (!OidIsValid(row) || get_rel_relkind(row) != RELKIND_COMPOSITE_TYPE ||
			get_rel_namespace(row) != get_rel_namespace(relid))
			continue;
		type = palloc0(sizeof(AwFlinkRowType));
		type->name = get_rel_name(row);
		type->field = pstrdup(NameStr(attribute->attname));
		type->outer = outer;
		type->relid = row;
		type->is_array = OidIsValid(element);
		if (!is_called_after(type->name, type))
			continue;
		*types = lappend(*types, type);
		add_types(row, type, types);
	}
	relation_close(rel, AccessShareLock);
}

static bool
is_called_after(const char *name, const AwFlinkRowType *place)
{
	const char *number = strrchr(name, '_');

	return strcmp(name, numbered_name(place, 0)) == 0 ||
		(number != NULL && strcmp(name, numbered_name(place, atoi(number + 1))) == 0);
}

/* The type of the table's column that a type stands in. */
static AwFlinkRowType *
of_column(AwFlinkRowType *type)
{
	while (type->outer->field != NULL)
		type = type->outer;
	return type;
}

/* Has something else a type than the table and its types? */
static bool
is_used_elsewhere(const AwFlinkTable *table, const AwFlinkRowType *type)
{
	List	   *own = list_make2_oid(table->relid, table->below_relid);
	ListCell   *cell;

	if (!OidIsValid(type->relid))
		return false;
	foreach(cell, table->row_types)
		own = lappend_oid(own, ((AwFlinkRowType *) lfirst(cell))->relid);
	return aw_dependency_is_used(get_rel_type_id(type->relid), own);
}

/* A type is a relation, too: its name is taken. */
static void
note(AwFlinkParser *parser, const char *schema, const char *name)
{
	AwFlinkTable *type = palloc0(sizeof(AwFlinkTable));
	AwFlinkPath path = {.schema = schema, .name = name};

	type->is_table = true;
	aw_flinktable_remember(parser, &path, false, type);
}

/* Calls a type after its place, which has changed. */
static void
rename_type(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkRowType *type)
{
	AwFlinkPath old = {.schema = path->schema, .name = type->name};

	type->name = choose_name(parser, path->schema, type, NIL);
	aw_flinkparser_emit(parser, psprintf("ALTER TYPE %s RENAME TO %s",
										 quote_qualified_identifier(old.schema, old.name),
										 quote_identifier(type->name)));
	aw_flinkparser_end_statement(parser);
	aw_flinktable_drop(parser, &old);
	note(parser, path->schema, type->name);
}
