/*
 * delay.h
 *
 * Why continuous queries have not come as far as somebody waits for.
 */
#ifndef AW_DELAY_H
#define AW_DELAY_H

#include "access/xlogdefs.h"

typedef struct AwDelay
{
	const char *reason;			/* a sentence, or several */
	const char *remedy;			/* what to do; NULL: nothing is known */
} AwDelay;

extern AwDelay aw_delay_find(XLogRecPtr lsn);

#endif							/* AW_DELAY_H */
