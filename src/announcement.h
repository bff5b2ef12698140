/*
 * announcement.h
 *
 * Lets clients that LISTEN know of windows that are published.
 */
#ifndef AW_ANNOUNCEMENT_H
#define AW_ANNOUNCEMENT_H

#include "window.h"

/* What a transaction has published of a query; all zeroes is nothing. */
typedef struct AwAnnouncement
{
	int64		n_windows;
	int64		n_rows;			/* of results */
	AwSpan		last;			/* the window with the latest end */
} AwAnnouncement;

extern void aw_announcement_send(AwAnnouncement *published, const char *query, bool is_zoned,
								 const char *time_zone);

#endif							/* AW_ANNOUNCEMENT_H */
