/*
 * Values of a YAML file: texts and numbers that a reader converts to the same
 * value.
 *
 * A decimal text with a unit is not exact for every number.  The functions read
 * the text back, and fall back to a smaller unit when the values differ.
 */
#ifndef CS_TOPO_FORMATS_YAML_WRITE_VALUES_H
#define CS_TOPO_FORMATS_YAML_WRITE_VALUES_H

#include "sim/base/text.h"

#include <stdint.h>

/* A text in quotes; a name without quotes where YAML allows. */
void cs_yaml_add_quoted(struct cs_text *out, const char *text);
void cs_yaml_add_name(struct cs_text *out, const char *name);

/* In GB/s if exact, otherwise in b/s. */
void cs_yaml_add_rate(struct cs_text *out, double rate_Bps);

/* In us if exact, otherwise in ps. */
void cs_yaml_add_time(struct cs_text *out, uint64_t time_ps);

/* With 15 digits. */
void cs_yaml_add_fraction(struct cs_text *out, double fraction);

#endif
