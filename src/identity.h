/*
 * identity.h
 *
 * Runs our own statements in a user's session as the owner of our tables.
 */
#ifndef AW_IDENTITY_H
#define AW_IDENTITY_H

/* What was there before; restored by the end of a transaction that fails, too. */
typedef struct AwIdentity
{
	Oid			role;
	int			security;
	int			settings_level;
} AwIdentity;

extern void aw_identity_assume(AwIdentity *before, Oid role);
extern void aw_identity_restore(const AwIdentity *before);

#endif							/* AW_IDENTITY_H */
