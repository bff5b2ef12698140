/*
 * horizon.h
 *
 * How far in the future the rows of an input may be.
 */
#ifndef AW_HORIZON_H
#define AW_HORIZON_H

#include "datatype/timestamp.h"

struct AwInput;

typedef struct AwHorizon AwHorizon;

extern AwHorizon *aw_horizon_create(const struct AwInput *input, int64 max_future_us,
									bool is_zoned);
extern bool aw_horizon_is_passed(AwHorizon *horizon, int64 ordinal, Timestamp rowtime);

#endif							/* AW_HORIZON_H */
