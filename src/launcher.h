/*
 * launcher.h
 *
 * The process that starts the worker of each database.
 */
#ifndef AW_LAUNCHER_H
#define AW_LAUNCHER_H

/* Only while the library is being preloaded. */
extern void aw_launcher_init(void);

#endif							/* AW_LAUNCHER_H */
