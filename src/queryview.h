/*
 * queryview.h
 *
 * The view that a continuous query is kept as.
 */
#ifndef AW_QUERYVIEW_H
#define AW_QUERYVIEW_H

extern Oid	aw_queryview_create(const char *name, const char *text, Oid schema, Oid schema_owner);
extern void aw_queryview_drop(Oid view);

#endif							/* AW_QUERYVIEW_H */
