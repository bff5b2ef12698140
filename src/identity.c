/*
 * identity.c
 *
 * Who runs a statement, and with which settings: the owner of a continuous query
 * for all that is the query's, who has no way to become the worker; the owner of our
 * tables for what is ours.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/guc.h"

#include "identity.h"

static void save(AwIdentity *before);
static void set(const char *name, const char *value);

/* The owner of a query, in the time zone in which it was created. */
void
aw_identity_assume_owner(AwIdentity *before, Oid role, const char *time_zone)
{
	save(before);
	SetUserIdAndSecContext(role, before->security | SECURITY_RESTRICTED_OPERATION);
	set("search_path", "pg_catalog, pg_temp");
	set("TimeZone", time_zone);
	set("DateStyle", "ISO, YMD");
	set("IntervalStyle", "postgres");
	set("extra_float_digits", "1");
	set("row_security", "on");
}

/* The owner of our tables. */
void
aw_identity_assume_catalog(AwIdentity *before, Oid role)
{
	save(before);
	SetUserIdAndSecContext(role, before->security | SECURITY_LOCAL_USERID_CHANGE);
	set("search_path", "pg_catalog, pg_temp");
}

void
aw_identity_restore(const AwIdentity *before)
{
	AtEOXact_GUC(true, before->settings_level);
	SetUserIdAndSecContext(before->role, before->security);
}

static void
save(AwIdentity *before)
{
	GetUserIdAndSecContext(&before->role, &before->security);
	before->settings_level = NewGUCNestLevel();
}

static void
set(const char *name, const char *value)
{
	(void) set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE,
							 true, 0, false);
}
