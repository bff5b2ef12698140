/*
 * alteration.h
 *
 * Sets and drops watermark definitions of tables and views.
 *
 * Both need the owner and take the locks of the ALTER TABLE or CREATE OR REPLACE
 * VIEW that they amount to.  Errors: ERRCODE_UNDEFINED_COLUMN, DATATYPE_MISMATCH,
 * SYNTAX_ERROR and the like for the strategy, with a position in its text,
 * WRONG_OBJECT_TYPE, UNDEFINED_OBJECT for a definition that is not there.
 */
#ifndef AW_ALTERATION_H
#define AW_ALTERATION_H

/* marker_schema is where watermark_for() is. */
extern void aw_alteration_set(Oid relid, const char *rowtime, const char *strategy,
							  Oid marker_schema);
extern void aw_alteration_drop(Oid relid);

#endif							/* AW_ALTERATION_H */
