/*
 * Sweeps: a scenario with axes.
 *
 *     about: free text
 *     topo: dgx                       an option of `collsim run`, in every case
 *     axes:                           products, the last axis fastest
 *       algo: [ring, tree]
 *       size: {from: 1KiB, to: 1GiB, factor: 4}
 *       seed: {from: 1, to: 100}      step 1
 *     zip:                            lists of one length, taken together
 *       ranks: [2, 4, 8]
 *       nodes: [1, 1, 2]
 *
 * A key of axes and zip is the name of an option; a value is one value of the
 * option.  `zip` may be a list of such maps; each is an axis, before those of
 * `axes`.  A range of sizes has units, every other range whole numbers.
 *
 * The hash identifies the sweep: options, axes, and the content of the files that
 * values name.
 *
 *     read     O(file + values)
 *     values   O(axes)
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdint.h>

enum {
    CS_SWEEP_FIXED_MAX = 64,
    CS_SWEEP_AXES_MAX = 16,
    CS_SWEEP_NAMES_MAX = 8,        /* options of a zip */
    CS_SWEEP_VALUES_MAX = 1 << 20, /* of an axis */
};

struct cs_sweep_option {
    const char *name, *value; /* NULL: a flag */
};

/* Options that change together: values[i * names + n] is value i of name n. */
struct cs_sweep_axis {
    const char *names[CS_SWEEP_NAMES_MAX];
    uint32_t name_count;
    const char **values;
    uint32_t count;
    unsigned line;
};

struct cs_sweep {
    const char *file, *about;
    struct cs_sweep_option fixed[CS_SWEEP_FIXED_MAX];
    unsigned fixed_lines[CS_SWEEP_FIXED_MAX];
    uint32_t fixed_count;
    struct cs_sweep_axis axes[CS_SWEEP_AXES_MAX];
    uint32_t axis_count;
    uint64_t cases; /* 0 < cases <= 2^40 */
    uint64_t hash;
};

/* Reads the file; memory is in the arena.  CS_EINPUT with file and line. */
int cs_sweep_read(const char *file, struct cs_arena *arena, struct cs_sweep *sweep,
                  struct cs_err *err);

enum {
    CS_SWEEP_OPTIONS_MAX = CS_SWEEP_FIXED_MAX + CS_SWEEP_AXES_MAX * CS_SWEEP_NAMES_MAX
};

/* The options of a case, fixed ones first; returns the count. */
uint32_t cs_sweep_options(const struct cs_sweep *sweep, uint64_t number,
                          struct cs_sweep_option options[CS_SWEEP_OPTIONS_MAX]);

struct cs_text;

/* Appends "algo=ring size=1KiB": the values of the axes in a case. */
void cs_sweep_name(const struct cs_sweep *sweep, uint64_t number, struct cs_text *out);
