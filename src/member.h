/*
 * member.h
 *
 * A continuous query in the engine, or a stream that is tracked.
 *
 * All functions are called outside a transaction, and raise no error of the query.
 */
#ifndef AW_MEMBER_H
#define AW_MEMBER_H

#include "capture.h"
#include "catalog.h"

typedef struct AwMember AwMember;

/* What members find in the engine, and want of it. */
typedef struct AwMembership
{
	const AwCapture *capture;	/* NULL: there is none yet */
	XLogRecPtr	reread_lsn;		/* where reading must begin again; invalid: it goes on */
	bool		must_read_catalog;
} AwMembership;

/* What a pass has for its queries. */
typedef struct AwPass
{
	AwBatch    *batch;
	XLogRecPtr	read_lsn;
	bool		must_save;		/* write whatever is not written */
	TimestampTz now;
} AwPass;

extern AwMember *aw_member_create(const AwEntry *entry, AwMembership *membership);
extern void aw_member_update(AwMember *member, const AwEntry *entry);
extern bool aw_member_is_of(const AwMember *member, const AwEntry *entry);
extern void aw_member_drop(AwMember *member);

extern bool aw_member_needs_slot(const AwMember *member);
extern bool aw_member_is_lost(const AwMember *member);
extern const Oid *aw_member_sources(const AwMember *member, int *n_sources);
extern XLogRecPtr aw_member_position(const AwMember *member);
extern XLogRecPtr aw_member_held_lsn(const AwMember *member);
extern bool aw_member_is_waiting(const AwMember *member);

extern void aw_member_follow(AwMember *member);
extern void aw_member_pass(AwMember *member, const AwPass *pass);
extern void aw_member_save(AwMember *member);
extern bool aw_member_give_up_excess(AwMember *member);

#endif							/* AW_MEMBER_H */
