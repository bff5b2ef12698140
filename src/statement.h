/*
 * statement.h
 *
 * What is done to a statement before it is planned.
 */
#ifndef AW_STATEMENT_H
#define AW_STATEMENT_H

extern void aw_statement_init(void);

#endif							/* AW_STATEMENT_H */
