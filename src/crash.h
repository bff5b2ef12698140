/*
 * crash.h
 *
 * Steps at which a worker can be made to end without warning, for tests.
 */
#ifndef AW_CRASH_H
#define AW_CRASH_H

/* The step; "" for none. */
extern char *aw_crash_step;

extern void aw_crash_at(const char *step);

#endif							/* AW_CRASH_H */
