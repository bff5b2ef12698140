/*
 * option.h
 *
 * Options of a connector, by key: values read as numbers, times and words.
 */
#ifndef AW_OPTION_H
#define AW_OPTION_H

#include "datatype/timestamp.h"
#include "lib/stringinfo.h"

/* An option of the connector, as written. */
typedef struct AwOption
{
	const char *key;
	const char *value;
	bool		is_known;		/* somebody has asked for it */
} AwOption;

/* All options of one connector, and the keys that have been asked for. */
typedef struct AwOptions
{
	AwOption   *options;
	int			n_options;
	StringInfoData known;
} AwOptions;

extern const AwOption *aw_option_find(AwOptions *options, const char *path, const char *name);
extern int64 aw_option_integer(const AwOption *option, int64 min, int64 max);
extern double aw_option_number(const AwOption *option, double min, double max);
extern bool aw_option_either(const AwOption *option, const char *yes, const char *no);
extern int64 aw_option_duration(const AwOption *option);
extern Timestamp aw_option_timestamp(const AwOption *option);
extern void aw_option_check_known(const AwOptions *options, const char *connector);

#endif							/* AW_OPTION_H */
