/*
 * Parameters of a generated machine: the text after the ':'.
 *
 *     ranks=64,bandwidth=25GB/s,latency=0.5us
 *
 * A generator has a table of parameters; a parameter occurs at most once.  A
 * value in brackets may have commas: node=[node:gpu=l4,gpus=4].  Brackets nest.
 */
#pragma once

#include "sim/base/mem.h"
#include "topo/documents/values.h"

struct cs_parameter_table {
    const char *owner; /* "switch", for messages */
    const struct cs_value *known;
    size_t count;
    struct cs_arena *arena; /* of the values' texts */
};

/* Reads all parameters.  CS_EINPUT for an unknown name, with the nearest name;
 * "switch:ranks=: " precedes the message of a value. */
int cs_parameters_read(const struct cs_parameter_table *table, const char *text, void *target,
                       struct cs_err *err);

/* Letters of the text up to `stop` outside of brackets, or up to the end. */
size_t cs_parameters_span(const char *text, char stop);

/* The value without the brackets around the whole of it; cuts it in place. */
char *cs_parameters_bare(char *value);
