/*
 * guc.h
 *
 * The settings of the extension.  Read them, never write them.
 */
#ifndef AW_GUC_H
#define AW_GUC_H

/* most windows that one row may be put into where rows are exploded */
extern int	aw_guc_max_windows_per_row;
extern bool aw_guc_enable_slice_node;

extern void aw_guc_init(void);

#endif							/* AW_GUC_H */
