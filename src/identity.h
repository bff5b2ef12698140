/*
 * identity.h
 *
 * Runs statements as somebody else, with settings that do not change.
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

extern void aw_identity_assume_owner(AwIdentity *before, Oid role, const char *time_zone);
extern void aw_identity_assume_catalog(AwIdentity *before, Oid role);
extern void aw_identity_restore(const AwIdentity *before);

#endif							/* AW_IDENTITY_H */
