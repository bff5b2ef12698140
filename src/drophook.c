/*
 * drophook.c
 *
 * A hook on objects that are dropped: where one of them may be the view of a continuous
 * query, the worker looks when the transaction has committed.
 *
 * A view goes with what it reads where that is dropped with CASCADE, with what its
 * owner has, or by DROP VIEW.  A query without rows to come would not notice.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_class.h"
#include "utils/lsyscache.h"

#include "drophook.h"
#include "worker.h"

static object_access_hook_type previous_access_hook = NULL;

static void note_access(ObjectAccessType access, Oid class, Oid object, int subobject, void *arg);

void
aw_drophook_init(void)
{
	previous_access_hook = object_access_hook;
	object_access_hook = note_access;
}

static void
note_access(ObjectAccessType access, Oid class, Oid object, int subobject, void *arg)
{
	if (previous_access_hook)
		previous_access_hook(access, class, object, subobject, arg);
	if (access == OAT_DROP && class == RelationRelationId && subobject == 0 &&
		get_rel_relkind(object) == RELKIND_VIEW &&
		get_rel_namespace(object) == get_namespace_oid("watermark", true))
		aw_worker_request();
}
