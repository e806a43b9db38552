/*
 * 90 % intervals of NCCL's and RCCL's times, by class of machine and size.
 *
 * The half widths of ln(time) are those of published tables whose publisher was
 * left out of the estimate of the parameters (nccl_intervals.def, written by
 * `collsim validate published --leave-out`): the error of a machine that the
 * estimate has not seen, not the uncertainty of the parameters alone.
 *
 * Pure functions, O(1).
 */
#pragma once

#include "algorithms/libraries/library.h"

/* Classes of machines with a common spread. */
enum cs_nccl_interval_class {
#define INTERVAL(identifier, name, w0, w1, w2, w3) CS_NCCL_INTERVAL_##identifier,
#include "algorithms/libraries/nccl/intervals.def"
#undef INTERVAL
    CS_NCCL_INTERVAL_CLASSES,
};

enum {
    CS_NCCL_INTERVAL_SIZES = 4 /* below 64 KiB, 1 MiB, 64 MiB, and above */
};

/* Half widths of ln(time). */
struct cs_nccl_intervals {
    double half[CS_NCCL_INTERVAL_CLASSES][CS_NCCL_INTERVAL_SIZES];
};

extern const struct cs_nccl_intervals cs_nccl_intervals;

enum cs_nccl_interval_class cs_nccl_interval_class(const struct cs_site *site);
unsigned cs_nccl_interval_size(uint64_t bytes);

/* "links", and "below 64 KiB". */
const char *cs_nccl_interval_class_name(unsigned interval_class);
const char *cs_nccl_interval_size_name(unsigned size);

/* Changes a site that leaves a condition open to the slow end of all such conditions; false:
 * none is open. */
bool cs_nccl_slow_end(const struct cs_library_request *request, struct cs_site *site);

/* Sets low_s and high_s: around all times between total_s and open_s. */
void cs_nccl_set_interval(const struct cs_library_request *request,
                          const struct cs_nccl_intervals *intervals, struct cs_library_time *time);
