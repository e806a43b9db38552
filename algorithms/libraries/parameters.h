/*
 * Parameters of a library's cost model: numbers that published tables and logs
 * estimate.
 *
 * A set has a definition file with a line per parameter,
 *
 *     PARAMETER(identifier, value, prior, spread, "unit", "cause")
 *
 * The prior is a figure of a source that the cause names; the value is an
 * estimate from published tables, drawn to the prior (validate/published,
 * written by `make estimates`); the spread is the standard deviation of
 * ln(value), 0 of a constant that estimates leave as it is.  A value equal to its
 * prior was not moved by any table.
 *
 *     MACHINE(identifier, value, spread, "unit", "cause")
 *
 * is a property of a machine that its description states otherwise, or not at all:
 * a constant of the estimate, and the first unknown of a fit, with the spread of
 * ln(value) between machines.
 */
#pragma once

#include <stdint.h>

enum {
    CS_PARAMETERS_MAX = 96, /* of a set */
};

struct cs_parameter {
    const char *name;
    double value, prior, spread;
    const char *unit, *cause; /* "us"; "1" of a share */
    double machine_spread;    /* of ln(value) between machines, of MACHINE; else 0 */
};

struct cs_parameters {
    const char *libraries; /* "NCCL and RCCL" */
    const char *file;      /* "nccl_parameters.def" */
    const struct cs_parameter *items;
    uint32_t count;
    /* Standard deviation of ln(value) between machines, in spreads: a fit to one
     * machine moves values as far as the estimate (validate/published). */
    double between_machines;
};

/* Standard deviation of ln(value) between machines: 0 of constants. */
static inline double cs_parameters_spread(const struct cs_parameters *set, uint32_t k)
{
    const struct cs_parameter *is = &set->items[k];

    return is->machine_spread > 0 ? is->machine_spread : set->between_machines * is->spread;
}

/* Writes the program's values in the order of the set. */
static inline void cs_parameters_values(const struct cs_parameters *set, double *values)
{
    for (uint32_t k = 0; k < set->count; k++)
        values[k] = set->items[k].value;
}

/* The same of the priors. */
static inline void cs_parameters_priors(const struct cs_parameters *set, double *values)
{
    for (uint32_t k = 0; k < set->count; k++)
        values[k] = set->items[k].prior;
}
