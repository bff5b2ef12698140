/*
 * functiontext.h
 *
 * Flink's forms of calls.
 */
#ifndef AW_FUNCTIONTEXT_H
#define AW_FUNCTIONTEXT_H

#include "nodes/primnodes.h"

extern const char *aw_functiontext_template(const FuncExpr *call);
extern bool aw_functiontext_is_comparison(const FuncExpr *call);
extern bool aw_functiontext_is_other(const FuncExpr *call);

#endif							/* AW_FUNCTIONTEXT_H */
