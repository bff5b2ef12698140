/*
 * tablehook.h
 *
 * Keeps the rows of streams in the WAL.
 */
#ifndef AW_TABLEHOOK_H
#define AW_TABLEHOOK_H

extern void aw_tablehook_init(void);

#endif							/* AW_TABLEHOOK_H */
