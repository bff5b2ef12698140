/*
 * querysource.h
 *
 * The table whose rows a stream's are.
 */
#ifndef AW_QUERYSOURCE_H
#define AW_QUERYSOURCE_H

#include "queryclass.h"

extern void aw_querysource_follow(AwLevel *level, Node *rowtime);
extern Index aw_querysource_item(const AwLevel *level, Node *rowtime);

#endif							/* AW_QUERYSOURCE_H */
