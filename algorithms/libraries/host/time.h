/*
 * Host time: the time of a call of a library on hosts, in its parts, and its
 * interval of 90 %.
 *
 * The latency is the time of the steps of messages without bytes; the rest of the
 * steps is transfer.
 */
#pragma once

#include "algorithms/libraries/host/cost.h"
#include "algorithms/libraries/library.h"

struct cs_host_model {
    /* Costs of the call by values; errors as of cs_host_cost_of. */
    int (*host_of)(const void *call, const double *values, struct cs_host_cost *host,
                   struct cs_err *err);
    /* Seconds of the steps by costs, without the call's own. */
    double (*steps_s)(const void *call, const struct cs_host_cost *host);
};

/* Sets launch, latency, transfer and total; the total alone, NAN, where the call has
 * no costs. */
void cs_host_time_by(const struct cs_host_model *model, const void *call, const double *values,
                     struct cs_library_time *time);

/* Sets the interval of a time by the same values.  Each parameter is moved up by its
 * spread alone; the changes of ln time and the residual spread, which parameters do not
 * explain, are added in squares, and the interval reaches 1.645 roots to either side. */
void cs_host_time_spread(const struct cs_host_model *model, const void *call, const double *values,
                         struct cs_library_time *time);

/* The same for a request, by whose parameters the time is, and carries the time where they
 * were fitted to other calls (carried.h). */
void cs_host_time_end(const struct cs_host_model *model, const void *call,
                      const struct cs_library_request *request, struct cs_library_time *time);
