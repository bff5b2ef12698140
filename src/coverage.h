/*
 * coverage.h
 *
 * Snapshots that see all that a capture has read.
 */
#ifndef AW_COVERAGE_H
#define AW_COVERAGE_H

#include "capture.h"

extern Snapshot aw_coverage_snapshot(const AwCapture *capture);

#endif							/* AW_COVERAGE_H */
