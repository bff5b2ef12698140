/*
 * preview.h
 *
 * The open windows of a continuous query as they are now, looked at from a session.
 */
#ifndef AW_PREVIEW_H
#define AW_PREVIEW_H

#include "catalog.h"
#include "window.h"

/* Windows that come out together: one, or those that are joined. */
typedef struct AwPreviewWindow
{
	bool		has_start;		/* they start together, too */
	AwSpan		span;
	int64		n_rows;			/* that are in them */
} AwPreviewWindow;

/* A result of such a window, as jsonb. */
typedef void (*AwPreviewResult) (void *arg, const AwPreviewWindow *window, Datum result);

extern void aw_preview_run(const AwEntry *entry, AwPreviewResult receive, void *arg);
extern bool aw_preview_first(const AwEntry *entry, AwSpan *window, int64 *closes_at_us);

#endif							/* AW_PREVIEW_H */
