/*
 * Parameters: what stands after the ':' of a generated machine.
 *
 *     ranks=64,bandwidth=25GB/s,latency=0.5us
 *
 * Each generator has a table of those it knows.  Each may be given once.
 */
#ifndef CS_TOPO_GENERATORS_PARAMETERS_H
#define CS_TOPO_GENERATORS_PARAMETERS_H

#include "sim/base/err.h"

#include <stddef.h>

struct cs_parameter {
    const char *name;
    /* Takes the value into `target`.  The text is gone afterwards. */
    int (*read)(const char *text, void *target, struct cs_err *err);
};

struct cs_parameters {
    const char *owner; /* "switch", for messages */
    const struct cs_parameter *known;
    size_t count; /* at most 32 */
};

/* Reads them all; CS_EINPUT with the nearest name for an unknown one, and with
 * "switch:ranks=: ..." before what `read` says. */
int cs_parameters_read(const struct cs_parameters *parameters, const char *text,
                       void *target, struct cs_err *err);

#endif
