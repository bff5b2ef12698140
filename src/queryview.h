/*
 * queryview.h
 *
 * The view that a continuous query is kept as.
 */
#ifndef AW_QUERYVIEW_H
#define AW_QUERYVIEW_H

extern Oid	aw_queryview_create(const char *name, const char *text, Oid schema, Oid schema_owner);
extern void aw_queryview_drop_with(Oid view, Oid relation);
extern void aw_queryview_drop(Oid view);
extern void aw_queryview_drop_left_over(const char *name, Oid schema);

#endif							/* AW_QUERYVIEW_H */
