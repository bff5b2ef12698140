/*
 * compat.h
 *
 * The only file that looks at the server's version.  Wrappers take the newest
 * signature, so that a caller reads as if there were one version.
 */
#ifndef AW_COMPAT_H
#define AW_COMPAT_H

#if PG_VERSION_NUM < 150000
#error "apply_watermark needs PostgreSQL 15 or newer"
#endif

#endif							/* AW_COMPAT_H */
