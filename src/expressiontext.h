/*
 * expressiontext.h
 *
 * PostgreSQL's expressions in Flink's words.
 */
#ifndef AW_EXPRESSIONTEXT_H
#define AW_EXPRESSIONTEXT_H

#include "nodes/primnodes.h"

extern char *aw_expressiontext(Node *expr, Oid relid);
extern char *aw_expressiontext_literal(const char *text);

#endif							/* AW_EXPRESSIONTEXT_H */
