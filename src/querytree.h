/*
 * querytree.h
 *
 * The query of a view as one tree that can be taken apart: analysed, rewritten, CTEs
 * and columns of joins written out.
 */
#ifndef AW_QUERYTREE_H
#define AW_QUERYTREE_H

#include "nodes/parsenodes.h"
#include "utils/relcache.h"

extern char *aw_querytree_text(Relation view);
extern RawStmt *aw_querytree_parse(const char *text);
extern Query *aw_querytree_analyse(RawStmt *statement, const char *text);
extern void aw_querytree_check_stable(Node *node);

#endif							/* AW_QUERYTREE_H */
