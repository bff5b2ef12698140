/*
 * grouprecord.c
 *
 * A group as it is on disk and in a checkpoint: its length, hash, NULLs, keys and
 * states.  The hash is that of the server that writes; records do not outlive a change
 * of hash functions.
 */
#include "postgres.h"

#include "utils/datum.h"

#include "grouprecord.h"

/* Sets the buffer to the record of a group. */
void
aw_grouprecord_write(const AwGroupForm *form, AwAggregates *aggregates, const AwGroup *group,
					 StringInfo buffer)
{
	uint32		length = 0;

	resetStringInfo(buffer);
	appendBinaryStringInfo(buffer, (char *) &length, sizeof(length));
	appendBinaryStringInfo(buffer, (const char *) &group->hash, sizeof(uint32));
	appendBinaryStringInfo(buffer, (const char *) &group->null_keys, sizeof(uint32));
	for (int i = 0; i < form->n_keys; i++)
	{
		const AwKeyColumn *key = &form->keys[i];
		bool		isnull = (group->null_keys & ((uint32) 1 << i)) != 0;
		Size		size = datumEstimateSpace(group->keys[i], isnull, key->is_by_value, key->len);
		char	   *end;

		enlargeStringInfo(buffer, size);
		end = buffer->data + buffer->len;
		datumSerialize(group->keys[i], isnull, key->is_by_value, key->len, &end);
		buffer->len = end - buffer->data;
	}
	aw_aggstate_write(aggregates, aw_grouptable_states(form, group), buffer);

	length = buffer->len - sizeof(length);
	memcpy(buffer->data, &length, sizeof(length));
}

/*
 * Merges a record, given without its length, into a table.  Leaves garbage in the
 * current memory context; states has room for those of a group.
 */
void
aw_grouprecord_read(AwGroupForm *form, AwAggregates *aggregates, AwTable *table,
					const char *from, char *states)
{
	Datum		keys[AW_SLICE_MAX_KEYS];
	char	   *place = unconstify(char *, from);
	MemoryContext cxt = table->arena->cxt;
	uint32		hash;
	uint32		null_keys;
	AwGroup    *group;
	bool		is_new;

	memcpy(&hash, place, sizeof(uint32));
	memcpy(&null_keys, place + sizeof(uint32), sizeof(uint32));
	place += 2 * sizeof(uint32);
	for (int i = 0; i < form->n_keys; i++)
	{
		bool		isnull;

		keys[i] = datumRestore(&place, &isnull);
	}
	(void) aw_aggstate_read(aggregates, place, states, CurrentMemoryContext);

	group = aw_grouptable_enter(form, table, keys, null_keys, hash, &is_new);
	if (is_new)
		aw_aggstate_begin(aggregates, aw_grouptable_states(form, group), cxt);
	aw_aggstate_merge(aggregates, aw_grouptable_states(form, group), cxt, states);
}
