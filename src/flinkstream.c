/*
 * flinkstream.c
 *
 * Whether a relation is a stream: whether rows come into a table with a watermark,
 * which it is or shows.
 *
 * Rows that are generated or read from files are no stream, for they do not come in,
 * though their table may have a watermark.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/rel.h"

#include "definition.h"
#include "flinkstream.h"
#include "flinktable.h"

/* What the query of a view reads. */
typedef struct Reading
{
	Oid			view;			/* stands in its own range table before version 16 */
	bool		has_table;
	bool		has_stream;
} Reading;

static bool read_node(Node *node, Reading *reading);
static void read_relation(Oid relid, Reading *reading);

bool
aw_flinkstream_is(Relation rel)
{
	bool		has_watermark = aw_definition_of_relation(rel)->own != NULL;
	Reading		reading = {.view = RelationGetRelid(rel)};

	check_stack_depth();
	if (rel->rd_rel->relkind != RELKIND_VIEW)
		return has_watermark && (rel->rd_rel->relkind == RELKIND_RELATION ||
								 rel->rd_rel->relkind == RELKIND_PARTITIONED_TABLE);
	(void) read_node((Node *) aw_definition_view_query(rel), &reading);
	return reading.has_stream || (has_watermark && reading.has_table);
}

/*
 * Notes that the query that is being translated reads a relation.  One that is not known
 * is a name of WITH, or an error when the query runs.
 */
void
aw_flinkstream_note(AwFlinkParser *parser, const AwFlinkPath *path)
{
	const AwFlinkTable *table = aw_flinktable_find(parser, path);

	if (table == NULL || table->below == RELKIND_COMPOSITE_TYPE)
		return;
	parser->reads_table = true;
	parser->reads_stream |= table->is_stream;
}

/* Looks at the relations of a query, those of its subqueries too; stops at a stream. */
static bool
read_node(Node *node, Reading *reading)
{
	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
	{
		const RangeTblEntry *rte = (RangeTblEntry *) node;

		if (rte->rtekind == RTE_RELATION && rte->relid != reading->view)
			read_relation(rte->relid, reading);
		return reading->has_stream;
	}
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, read_node, reading, QTW_EXAMINE_RTES_BEFORE);
	return expression_tree_walker(node, read_node, reading);
}

static void
read_relation(Oid relid, Reading *reading)
{
	Relation	rel = try_relation_open(relid, AccessShareLock);

	if (rel == NULL)
		return;
	reading->has_table |= rel->rd_rel->relkind == RELKIND_RELATION ||
		rel->rd_rel->relkind == RELKIND_PARTITIONED_TABLE;
	reading->has_stream |= aw_flinkstream_is(rel);
	relation_close(rel, AccessShareLock);
}
