/*
 * statement.h
 *
 * What is done to a statement before it is planned.
 */
#ifndef AW_STATEMENT_H
#define AW_STATEMENT_H

extern void aw_statement_init(void);
extern bool aw_statement_is_rewriting(void);

#endif							/* AW_STATEMENT_H */
