/*
 * typetext.h
 *
 * PostgreSQL's types in Flink's words.
 */
#ifndef AW_TYPETEXT_H
#define AW_TYPETEXT_H

extern char *aw_typetext(Oid type, int32 typmod);
extern char *aw_typetext_quoted(const char *name);

#endif							/* AW_TYPETEXT_H */
