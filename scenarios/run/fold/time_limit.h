/*
 * Time limit: the least time that a simulation in progress will take, and its end
 * beyond a limit.
 *
 * At simulated time t, a link with n bytes still to serve is done at
 * t + n / rate at the earliest.  The bytes of a link are known before the run: the
 * sum over the sends of the program whose routes use the link.  Sends of a sample
 * of the ranks suffice, since fewer bytes only make the least time shorter; ranks
 * of a node are sampled together, so that the links of the node have all their
 * outgoing bytes.
 *
 * The rounds of a lane follow one another, and each takes as long as its longest
 * send on an idle machine, or longer: the sum over the rounds of a sampled lane is a
 * least time, too.
 *
 * A link has that rate in models that queue messages; with other models the least
 * time is the simulated time.
 *
 * Cost: a sixteenth of the program, up to 2^20 sends, at the start, and the CS_LIMIT_LINKS
 * links with most to serve at each update.
 */
#pragma once

#include "scenarios/run/case/run.h"

enum {
    CS_LIMIT_LINKS = 256
};

/* A link and the bytes of all sampled sends over the link. */
struct cs_limit_load {
    uint32_t link;
    uint64_t bytes;
    double ps_per_byte;
};

struct cs_time_limit {
    uint64_t limit_ps;
    uint64_t least_ps;              /* grows with the simulation */
    bool passed;                    /* least_ps exceeds the limit */
    const struct cs_monitor *inner; /* also updated; or NULL */
    struct cs_limit_load *loads;    /* in the arena; longest first */
    uint32_t load_count;
};

/* The limit of the run's case, or NULL: the case has none, or the run is one of
 * several that are compared, with noise, concurrent jobs, or faults that are late or
 * compared.  The run is open. */
struct cs_time_limit *cs_time_limit_of(const struct cs_run *run);

/* The limit of the run of run->fold, which counts the links of the fold; NULL:
 * run->limit is NULL, or a fold of unequal blocks, whose run says nothing before
 * the end. */
struct cs_time_limit *cs_time_limit_of_fold(const struct cs_run *run);

/* The `update` of a struct cs_monitor; ctx is a struct cs_time_limit.  False
 * behind the limit, or where the inner monitor requests a stop. */
bool cs_time_limit_update(void *ctx, const struct cs_progress *progress);
