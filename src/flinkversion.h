/*
 * flinkversion.h
 *
 * Views that show the last version of each row.
 */
#ifndef AW_FLINKVERSION_H
#define AW_FLINKVERSION_H

#include "nodes/parsenodes.h"

/* What such a view shows the last of. */
typedef struct AwFlinkVersions
{
	const char *query;			/* all versions, as SQL */
	List	   *key;			/* names of columns of the view */
	const char *rowtime;		/* the column that tells which one is last */
} AwFlinkVersions;

extern AwFlinkVersions *aw_flinkversion_of_view(const Query *view);

#endif							/* AW_FLINKVERSION_H */
