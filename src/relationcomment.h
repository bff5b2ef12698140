/*
 * relationcomment.h
 *
 * Comments of relations, and what SHOW CREATE keeps behind them.
 */
#ifndef AW_RELATIONCOMMENT_H
#define AW_RELATIONCOMMENT_H

extern char *aw_relationcomment_join(const char *own, const char *kept);
extern char *aw_relationcomment_split(char *comment);

#endif							/* AW_RELATIONCOMMENT_H */
