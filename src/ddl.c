/*
 * ddl.c
 *
 * Relations as Flink's CREATE TABLE and CREATE VIEW, laid out as Flink's SHOW CREATE
 * lays them out.
 *
 * Columns, keys and watermarks come from the catalog, so they follow what ALTER does.
 * What PostgreSQL has no place for is the last part of the relation's comment: of a
 * table, WITH ('key' = 'value', ...); of a view, AS and its query as it was given, as
 * relationcomment.c lays them down.  A table made otherwise is one that Flink reads by
 * its connector jdbc.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "commands/comment.h"
#include "commands/dbcommands.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat.h"
#include "ddl.h"
#include "definition.h"
#include "expressiontext.h"
#include "flinktoken.h"
#include "metadata.h"
#include "primarykey.h"
#include "relationcomment.h"
#include "typetext.h"
#include "viewtable.h"

static bool is_view(Relation rel);
static char *relation_comment(Relation rel);
static const char *after_word(const char *text, const char *word);
static const char *after_blank(const char *text);
static bool stands_for_table(Relation rel, const List *options);
static char *view_text(Relation rel, const char *comment, const char *query);
static char *table_text(Relation rel, const char *comment, List *options);
static void append_columns(StringInfo text, Relation rel);
static void append_column(StringInfo text, Relation rel, AttrNumber attno);
static Node *generation_expression(TupleDesc columns, AttrNumber attno);
static char *watermark_text(Relation rel);
static void append_key(StringInfo text, Relation rel);
static char *quoted_name(Relation rel);
static List *cut_options(char *comment);
static char *cut_query(char *comment);
static bool is_one_query(const char *text);
static List *parse_options(const char *text);
static char *parse_literal(const char **text);
static List *jdbc_options(Relation rel);
static List *add_option(List *options, char *key, char *value);
static int	compare_keys(const ListCell *a, const ListCell *b);

/* Is a relation a table to Flink, although it may be a view? */
bool
aw_ddl_is_table(Relation rel)
{
	char	   *comment = relation_comment(rel);

	return !is_view(rel) || stands_for_table(rel, comment == NULL ? NIL : cut_options(comment));
}

/* CREATE TABLE for a table, or for a view that stands for one; else an error. */
char *
aw_ddl_table(Relation rel)
{
	char	   *comment = relation_comment(rel);
	List	   *options = comment == NULL ? NIL : cut_options(comment);

	switch (rel->rd_rel->relkind)
	{
		case RELKIND_RELATION:
		case RELKIND_PARTITIONED_TABLE:
		case RELKIND_FOREIGN_TABLE:
		case RELKIND_VIEW:
		case RELKIND_MATVIEW:
			break;
		default:
			ereport(ERROR,
					(errcode(ERRCODE_WRONG_OBJECT_TYPE),
					 errmsg("\"%s\" is not a table", RelationGetRelationName(rel))));
	}
	if (is_view(rel) && !stands_for_table(rel, options))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is a view", RelationGetRelationName(rel)),
				 errhint("Use SHOW CREATE VIEW, or the function flink.show_create_view().")));
	return table_text(rel, comment, options);
}

/* CREATE VIEW for a view that was made from Flink SQL; else an error. */
char *
aw_ddl_view(Relation rel)
{
	char	   *comment = relation_comment(rel);
	char	   *query;

	if (aw_ddl_is_table(rel))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a view", RelationGetRelationName(rel)),
				 errhint("Use SHOW CREATE TABLE, or the function flink.show_create_table().")));
	query = comment == NULL ? NULL : cut_query(comment);
	if (query == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("view \"%s\" was not made from Flink SQL", RelationGetRelationName(rel)),
				 errhint("Use pg_get_viewdef() for its query in PostgreSQL's SQL.")));
	return view_text(rel, comment, query);
}

/*
 * What a comment holds besides the options of a table, or the query of a view: NULL if
 * there is nothing.  Sets the options, AwDdlOption.
 */
char *
aw_ddl_comment(Relation rel, List **options)
{
	char	   *comment = relation_comment(rel);

	*options = NIL;
	if (comment == NULL)
		return NULL;
	*options = cut_options(comment);
	if (*options == NIL && is_view(rel))
		(void) cut_query(comment);
	return *comment == '\0' ? NULL : comment;
}

static bool
is_view(Relation rel)
{
	return rel->rd_rel->relkind == RELKIND_VIEW || rel->rd_rel->relkind == RELKIND_MATVIEW;
}

static char *
relation_comment(Relation rel)
{
	return GetComment(RelationGetRelid(rel), RelationRelationId, 0);
}

/* Where a text goes on after a word that it begins with; NULL if it does not. */
static const char *
after_word(const char *text, const char *word)
{
	size_t		length = strlen(word);

	if (pg_strncasecmp(text, word, length) != 0 || !isspace((unsigned char) text[length]))
		return NULL;
	return after_blank(text + length);
}

/* Where a text goes on after spaces and comments. */
static const char *
after_blank(const char *text)
{
	const char *end;

	for (;;)
	{
		while (isspace((unsigned char) *text))
			text++;
		if (strncmp(text, "--", 2) == 0)
			text += strcspn(text, "\n");
		else if (strncmp(text, "/*", 2) == 0 && (end = strstr(text + 2, "*/")) != NULL)
			text = end + 2;
		else
			return text;
	}
}

/* Was a view made by CREATE TABLE?  What is below it, or its options, tell. */
static bool
stands_for_table(Relation rel, const List *options)
{
	AwViewTable table;

	return aw_viewtable_find(rel, &table) && (table.is_ours || options != NIL);
}

/* CREATE VIEW with the columns that the view has now. */
static char *
view_text(Relation rel, const char *comment, const char *query)
{
	bool		is_temporary = (rel->rd_rel->relpersistence == RELPERSISTENCE_TEMP);
	const char *separator = "";
	char	   *watermark = watermark_text(rel);
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfo(&text, "CREATE %sVIEW %s (", is_temporary ? "TEMPORARY " : "",
					 quoted_name(rel));
	for (AttrNumber attno = 1; attno <= RelationGetNumberOfAttributes(rel); attno++)
	{
		Form_pg_attribute attribute = TupleDescAttr(RelationGetDescr(rel), attno - 1);

		appendStringInfo(&text, "%s%s", separator, aw_typetext_quoted(NameStr(attribute->attname)));
		separator = ", ";
	}
	appendStringInfoChar(&text, ')');
	if (*comment != '\0')
		appendStringInfo(&text, "\nCOMMENT %s", aw_expressiontext_literal(comment));
	if (watermark != NULL)
		appendStringInfo(&text, "\n%s", watermark);
	appendStringInfo(&text, "\nAS %s", query);
	return text.data;
}

/* CREATE TABLE from the catalog, with a comment of its own and options. */
static char *
table_text(Relation rel, const char *comment, List *options)
{
	bool		is_temporary = (rel->rd_rel->relpersistence == RELPERSISTENCE_TEMP);
	const char *separator = "";
	char	   *watermark = watermark_text(rel);
	StringInfoData text;
	ListCell   *lc;

	initStringInfo(&text);
	appendStringInfo(&text, "CREATE %sTABLE %s (", is_temporary ? "TEMPORARY " : "",
					 quoted_name(rel));
	append_columns(&text, rel);
	if (watermark != NULL)
		appendStringInfo(&text, ",\n  %s", watermark);
	append_key(&text, rel);
	appendStringInfoString(&text, "\n)");
	if (comment != NULL && *comment != '\0')
		appendStringInfo(&text, "\nCOMMENT %s", aw_expressiontext_literal(comment));

	if (options == NIL)
		options = jdbc_options(rel);
	list_sort(options, compare_keys);
	appendStringInfoString(&text, "\nWITH (");
	foreach(lc, options)
	{
		AwDdlOption *option = lfirst(lc);

		appendStringInfo(&text, "%s\n  %s = %s", separator,
						 aw_expressiontext_literal(option->key),
						 aw_expressiontext_literal(option->value));
		separator = ",";
	}
	appendStringInfoString(&text, "\n)");
	return text.data;
}

static void
append_columns(StringInfo text, Relation rel)
{
	const char *separator = "";

	for (AttrNumber attno = 1; attno <= RelationGetNumberOfAttributes(rel); attno++)
	{
		if (TupleDescAttr(RelationGetDescr(rel), attno - 1)->attisdropped)
			continue;
		appendStringInfo(text, "%s\n  ", separator);
		append_column(text, rel, attno);
		separator = ",";
	}
}

/* A type that Flink lacks is STRING: so its connectors read it. */
static void
append_column(StringInfo text, Relation rel, AttrNumber attno)
{
	Form_pg_attribute attribute = TupleDescAttr(RelationGetDescr(rel), attno - 1);
	char	   *comment = GetComment(RelationGetRelid(rel), RelationRelationId, attno);
	char	   *type = aw_typetext(attribute->atttypid, attribute->atttypmod);
	char	   *metadata = aw_metadata_text(rel, attno);
	AwViewTable table;
	Node	   *computed = NULL;

	if (aw_viewtable_find(rel, &table))
		computed = aw_viewtable_computed(&table, attno);
	appendStringInfo(text, "%s ", aw_typetext_quoted(NameStr(attribute->attname)));
	if (computed != NULL)
		appendStringInfo(text, "AS %s", aw_expressiontext(computed, table.columns_of));
	else if (attribute->attgenerated != '\0')
		appendStringInfo(text, "AS %s",
						 aw_expressiontext(generation_expression(RelationGetDescr(rel), attno),
										   RelationGetRelid(rel)));
	else
		appendStringInfo(text, "%s%s%s%s", type ? type : "STRING",
						 aw_primarykey_is_not_null(rel, attno) ? " NOT NULL" : "",
						 metadata == NULL ? "" : " ", metadata == NULL ? "" : metadata);
	if (comment != NULL)
		appendStringInfo(text, " COMMENT %s", aw_expressiontext_literal(comment));
}

static Node *
generation_expression(TupleDesc columns, AttrNumber attno)
{
	for (int i = 0; i < columns->constr->num_defval; i++)
	{
		if (columns->constr->defval[i].adnum == attno)
			return stringToNode(columns->constr->defval[i].adbin);
	}
	elog(ERROR, "generated column %d has no expression", attno);
}

/* WATERMARK FOR; NULL if the relation has no definition of its own. */
static char *
watermark_text(Relation rel)
{
	AwTimes    *times = aw_definition_of_relation(rel);
	Node	   *strategy;

	aw_definition_check(times, rel);
	if (times->own == NULL)
		return NULL;

	strategy = times->own->strategy;
	if (is_view(rel))
		strategy = aw_viewtable_over_columns(times->own->level, strategy);
	if (times->own->attno == 0 || strategy == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("rowtime or strategy of \"%s\" is not made of its columns",
						RelationGetRelationName(rel)),
				 errdetail("Flink has watermarks for columns only.")));
	return psprintf("WATERMARK FOR %s AS %s",
					aw_typetext_quoted(get_attname(RelationGetRelid(rel), times->own->attno, false)),
					aw_expressiontext(strategy, RelationGetRelid(rel)));
}

static void
append_key(StringInfo text, Relation rel)
{
	char	   *constraint = NULL;
	List	   *columns;
	const char *separator = "";
	ListCell   *lc;

	columns = aw_primarykey_columns(rel, &constraint);
	if (columns == NIL)
		return;
	appendStringInfo(text, ",\n  CONSTRAINT %s PRIMARY KEY (", aw_typetext_quoted(constraint));
	foreach(lc, columns)
	{
		Form_pg_attribute attribute = TupleDescAttr(RelationGetDescr(rel), lfirst_int(lc) - 1);

		appendStringInfo(text, "%s%s", separator, aw_typetext_quoted(NameStr(attribute->attname)));
		separator = ", ";
	}
	appendStringInfoString(text, ") NOT ENFORCED");
}

/* The name, after that of the schema where it would not be found without. */
static char *
quoted_name(Relation rel)
{
	char	   *name = aw_typetext_quoted(RelationGetRelationName(rel));

	if (RelationIsVisible(RelationGetRelid(rel)))
		return name;
	return psprintf("%s.%s", aw_typetext_quoted(get_namespace_name(RelationGetNamespace(rel))),
					name);
}

/* Takes the options off the end of a comment; NIL if there are none. */
static List *
cut_options(char *comment)
{
	char	   *kept = aw_relationcomment_split(comment);

	if (kept != NULL)
		return after_word(kept, "WITH") == NULL ? NIL : parse_options(after_word(kept, "WITH"));
	for (char *line = comment;; line++)
	{
		List	   *options = NIL;

		if (after_word(line, "WITH") != NULL)
			options = parse_options(after_word(line, "WITH"));
		if (options != NIL)
		{
			while (line > comment && isspace((unsigned char) line[-1]))
				line--;
			*line = '\0';
			return options;
		}
		line = strchr(line, '\n');
		if (line == NULL)
			return NIL;
	}
}

/* Takes the query off the end of a view's comment; NULL if there is none. */
static char *
cut_query(char *comment)
{
	char	   *kept = aw_relationcomment_split(comment);

	if (kept != NULL)
	{
		const char *query = after_word(kept, "AS");

		return query != NULL && is_one_query(query) ? pstrdup(query) : NULL;
	}
	for (char *line = comment; line != NULL; line = strchr(line, '\n'))
	{
		const char *query;

		line += *line == '\n' ? 1 : 0;
		query = after_word(line, "AS");
		if (query != NULL && is_one_query(query))
		{
			char	   *result = pstrdup(query);

			while (line > comment && isspace((unsigned char) line[-1]))
				line--;
			*line = '\0';
			return result;
		}
	}
	return NULL;
}

/* A comment is anybody's text: what SHOW CREATE gives must not end in another statement. */
static bool
is_one_query(const char *text)
{
	static const char *const words[] = {"SELECT", "WITH", "VALUES", "TABLE"};
	bool		is_query = *text == '(';
	AwFlinkToken *tokens;
	int			n_tokens;

	for (size_t i = 0; i < lengthof(words); i++)
		is_query |= after_word(text, words[i]) != NULL;
	if (!is_query)
		return false;
	tokens = aw_flinktoken_scan(text, &n_tokens);
	for (int i = 0; i < n_tokens; i++)
	{
		if (aw_flinktoken_is_symbol(&tokens[i], ";"))
			return false;
	}
	return true;
}

/* ('key' = 'value', ...) and nothing else; NIL for any other text. */
static List *
parse_options(const char *text)
{
	List	   *options = NIL;
	char		next = '(';

	while (*text == next)
	{
		char	   *key;
		char	   *value;

		text = after_blank(text + 1);
		key = parse_literal(&text);
		if (key == NULL || *text != '=')
			return NIL;
		text = after_blank(text + 1);
		value = parse_literal(&text);
		if (value == NULL)
			return NIL;
		options = add_option(options, key, value);
		next = ',';
	}
	if (*text != ')' || *after_blank(text + 1) != '\0')
		return NIL;
	return options;
}

/* The value of a quoted text, palloc'd, and what follows it; NULL if there is none. */
static char *
parse_literal(const char **text)
{
	StringInfoData value;
	const char *c = *text;

	if (*c++ != '\'')
		return NULL;
	initStringInfo(&value);
	for (; *c != '\0'; c++)
	{
		if (*c == '\'' && *++c != '\'')
		{
			*text = after_blank(c);
			return value.data;
		}
		appendStringInfoChar(&value, *c);
	}
	return NULL;
}

/* Where Flink finds the table: in this database. */
static List *
jdbc_options(Relation rel)
{
	char	   *table = RelationGetRelationName(rel);
	List	   *options;

	if (!RelationIsVisible(RelationGetRelid(rel)))
		table = psprintf("%s.%s", get_namespace_name(RelationGetNamespace(rel)), table);
	options = add_option(NIL, "connector", "jdbc");
	options = add_option(options, "table-name", table);
	return add_option(options, "url", psprintf("jdbc:postgresql://localhost/%s",
											   get_database_name(MyDatabaseId)));
}

static List *
add_option(List *options, char *key, char *value)
{
	AwDdlOption *option = palloc(sizeof(AwDdlOption));

	option->key = key;
	option->value = value;
	return lappend(options, option);
}

static int
compare_keys(const ListCell *a, const ListCell *b)
{
	return strcmp(((AwDdlOption *) lfirst(a))->key, ((AwDdlOption *) lfirst(b))->key);
}
