/*
 * timetravel.h
 *
 * One relation cache for two times: that of the rows being decoded, and now.
 */
#ifndef AW_TIMETRAVEL_H
#define AW_TIMETRAVEL_H

#include "access/xlogdefs.h"

extern void aw_timetravel_init(void);
extern void aw_timetravel_distrust(void);
extern void aw_timetravel_enter(void);
extern void aw_timetravel_leave(XLogRecPtr read_lsn);

#endif							/* AW_TIMETRAVEL_H */
