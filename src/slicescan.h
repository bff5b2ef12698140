/*
 * slicescan.h
 *
 * The slice node in the executor.
 */
#ifndef AW_SLICESCAN_H
#define AW_SLICESCAN_H

#include "nodes/extensible.h"

extern const CustomScanMethods aw_slicescan_methods;

extern void aw_slicescan_init(const int *max_windows_per_row);

#endif							/* AW_SLICESCAN_H */
