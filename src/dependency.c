/*
 * dependency.c
 *
 * What depends on a type, by the catalog pg_depend.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/pg_class.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_type.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "dependency.h"

static bool has_other_user(Relation depend, Oid type, Oid array, const List *relids);
static bool belongs_to(Relation depend, Oid class, Oid object, const List *relids);

/*
 * Does anything use a type, or an array of it, besides some relations and what belongs to
 * them: their rules, defaults and constraints?
 */
bool
aw_dependency_is_used(Oid type, const List *relids)
{
	Relation	depend = table_open(DependRelationId, AccessShareLock);
	Oid			array = get_array_type(type);
	bool		is_used = has_other_user(depend, type, array, relids) ||
		(OidIsValid(array) && has_other_user(depend, array, array, relids));

	table_close(depend, AccessShareLock);
	return is_used;
}

/* The array of the type is none. */
static bool
has_other_user(Relation depend, Oid type, Oid array, const List *relids)
{
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		is_found = false;

	ScanKeyInit(&keys[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(TypeRelationId));
	ScanKeyInit(&keys[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(type));
	scan = systable_beginscan(depend, DependReferenceIndexId, true, NULL, 2, keys);
	while (!is_found && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend user = (Form_pg_depend) GETSTRUCT(tuple);

		if (user->classid == RelationRelationId)
			is_found = !list_member_oid(relids, user->objid);
		else if (user->classid != TypeRelationId || user->objid != array)
			is_found = !belongs_to(depend, user->classid, user->objid, relids);
	}
	systable_endscan(scan);
	return is_found;
}

/* Does an object go with one of the relations? */
static bool
belongs_to(Relation depend, Oid class, Oid object, const List *relids)
{
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		is_found = false;

	ScanKeyInit(&keys[0], Anum_pg_depend_classid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(class));
	ScanKeyInit(&keys[1], Anum_pg_depend_objid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(object));
	scan = systable_beginscan(depend, DependDependerIndexId, true, NULL, 2, keys);
	while (!is_found && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend owner = (Form_pg_depend) GETSTRUCT(tuple);

		is_found = owner->refclassid == RelationRelationId &&
			(owner->deptype == DEPENDENCY_INTERNAL || owner->deptype == DEPENDENCY_AUTO) &&
			list_member_oid(relids, owner->refobjid);
	}
	systable_endscan(scan);
	return is_found;
}
