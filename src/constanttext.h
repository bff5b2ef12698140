/*
 * constanttext.h
 *
 * PostgreSQL's constants in Flink's words.
 */
#ifndef AW_CONSTANTTEXT_H
#define AW_CONSTANTTEXT_H

#include "nodes/primnodes.h"

extern char *aw_constanttext(const Const *constant);
extern bool aw_constanttext_has_digits(const Const *constant, int32 digits);

#endif							/* AW_CONSTANTTEXT_H */
