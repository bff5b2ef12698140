/*
 * identity.c
 *
 * Statements of our own in a session of somebody who has no rights on our tables, and
 * who may have put anything into the search path.  Nothing of the user's is called
 * meanwhile.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/guc.h"

#include "identity.h"

/* Becomes a role, with nothing but the system's objects in sight. */
void
aw_identity_assume(AwIdentity *before, Oid role)
{
	GetUserIdAndSecContext(&before->role, &before->security);
	before->settings_level = NewGUCNestLevel();
	SetUserIdAndSecContext(role, before->security | SECURITY_LOCAL_USERID_CHANGE);
	(void) set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
}

/* Becomes what the session was before. */
void
aw_identity_restore(const AwIdentity *before)
{
	AtEOXact_GUC(true, before->settings_level);
	SetUserIdAndSecContext(before->role, before->security);
}
