/*
 * databasehook.h
 *
 * Commands on databases that take nobody being connected.
 */
#ifndef AW_DATABASEHOOK_H
#define AW_DATABASEHOOK_H

/* Only while the library is being preloaded. */
extern void aw_databasehook_init(void);

#endif							/* AW_DATABASEHOOK_H */
