/*
 * drophook.h
 *
 * Notices when a continuous query is dropped with its view.
 */
#ifndef AW_DROPHOOK_H
#define AW_DROPHOOK_H

extern void aw_drophook_init(void);

#endif							/* AW_DROPHOOK_H */
