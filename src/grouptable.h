/*
 * grouptable.h
 *
 * Hash tables of groups: many small ones, whose groups have keys and states alike.
 */
#ifndef AW_GROUPTABLE_H
#define AW_GROUPTABLE_H

#include "fmgr.h"

/* more keys than this are not supported */
#define AW_SLICE_MAX_KEYS	30

/* How a grouping key is hashed and compared. */
typedef struct AwKeyColumn
{
	int			column;			/* in the row */
	int16		len;
	bool		is_by_value;
	bool		is_plain;		/* by value, and equal if its bits are */
	bool		is_bytes;		/* a varlena, and equal if its bytes are */
	Oid			collation;
	Oid			hash_function;
	Oid			equal_function;
} AwKeyColumn;

/* Where groups are allocated, one after the other. */
typedef struct AwArena
{
	MemoryContext cxt;
	char	   *next;
	Size		n_left;
	Size		chunk_size;		/* of the next one */
	Size		most_chunk_size;	/* 0 for the usual one */
} AwArena;

/* A group; its states follow the keys. */
typedef struct AwGroup
{
	uint32		hash;
	uint32		null_keys;		/* a bit for each */
	struct AwGroup *owner;		/* for the reader */
	struct AwGroup *next;		/* for the reader */
	Datum		keys[FLEXIBLE_ARRAY_MEMBER];
} AwGroup;

typedef struct AwBucket
{
	uint64		tag;			/* the key itself if it is one plain value, else its hash */
	AwGroup    *group;			/* NULL if the bucket is empty */
} AwBucket;

/* A hash table of groups. */
typedef struct AwTable
{
	AwArena    *arena;
	AwBucket   *buckets;
	uint32		mask;			/* buckets, a power of two, less one */
	uint32		n_groups;		/* in buckets */
	AwGroup    *lone;			/* the group that needs no bucket: no keys, or one that is NULL */
	AwGroup    *spare;			/* removed groups, to be used again */
	Size		extra_size;		/* behind the states of each group */
	bool		borrows_keys;	/* keys stay where they are, and outlive their groups */
} AwTable;

/* The form of the groups of some tables. */
typedef struct AwGroupForm
{
	int			n_keys;
	AwKeyColumn *keys;
	FmgrInfo   *hash_functions;
	FmgrInfo   *equal_functions;
	bool		is_single_plain;	/* one key, which is its own tag */
	bool		has_functions;	/* keys whose functions may leave garbage */
	Size		states_offset;
	Size		size;			/* with states */
	MemoryContext scratch;		/* for those functions */
} AwGroupForm;

extern void aw_grouptable_init_form(AwGroupForm *form, const AwKeyColumn *keys, int n_keys,
									Size states_size);
extern void aw_grouptable_reset_arena(AwArena *arena, Size chunk_size);
extern AwGroup *aw_grouptable_enter_row(AwGroupForm *form, AwTable *table, const Datum *values,
										const bool *nulls, bool *is_new);
extern AwGroup *aw_grouptable_enter(AwGroupForm *form, AwTable *table, const Datum *keys,
									uint32 null_keys, uint32 hash, bool *is_new);
extern void aw_grouptable_remove(const AwGroupForm *form, AwTable *table, AwGroup *group);
extern AwGroup *aw_grouptable_next(const AwTable *table, uint32 *cursor);

static inline char *
aw_grouptable_states(const AwGroupForm *form, const AwGroup *group)
{
	return (char *) group + form->states_offset;
}

/* What a table has asked for behind the states. */
static inline char *
aw_grouptable_extra(const AwGroupForm *form, const AwGroup *group)
{
	return (char *) group + form->size;
}

#endif							/* AW_GROUPTABLE_H */
