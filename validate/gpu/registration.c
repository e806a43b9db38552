#include "validate/gpu/registration.h"

#include "sim/base/text.h"

#include <math.h>
#include <string.h>

/* A line has nine digits: an equal time differs by less. */
static const double line_digits = 1e-7;

bool cs_registration_same_run(const struct cs_measured *a, const struct cs_measured *b)
{
    return a->work.bytes == b->work.bytes && a->work.ranks == b->work.ranks &&
           (a->run.channels == b->run.channels || !a->run.channels || !b->run.channels) &&
           a->work.slice_bytes == b->work.slice_bytes && a->work.depth == b->work.depth &&
           a->work.threads == b->work.threads && a->work.gpus_used == b->work.gpus_used &&
           a->run.delay_s == b->run.delay_s && a->run.delay_rank == b->run.delay_rank &&
           cs_same(a->work.dtype, b->work.dtype) && cs_same(a->run.table.hash, b->run.table.hash) &&
           cs_same(a->work.transport, b->work.transport) &&
           cs_same(a->run.servers, b->run.servers) && cs_same(a->run.algorithm, b->run.algorithm) &&
           cs_same(cs_measured_card(a), cs_measured_card(b));
}

enum cs_registered cs_registration_find(const struct cs_measurements *all,
                                        const struct cs_measured *run, double time_s,
                                        const struct cs_measured **written)
{
    enum cs_registered registered = CS_REGISTERED_NOT;
    size_t i;

    *written = NULL;
    for (i = 0; i < all->count; i++) {
        const struct cs_measured *line = &all->items[i];

        if (line->kind != CS_MEASURED_PREDICTED || line->run.unknown[0] ||
            !cs_registration_same_run(line, run))
            continue;
        if (fabs(line->time_s - time_s) > line_digits * time_s) {
            if (*written)
                continue;
            registered = CS_REGISTERED_CHANGED;
        } else if (line->date[0] && strcmp(line->date, run->date) <= 0) {
            *written = line;
            return CS_REGISTERED_BEFORE;
        } else {
            registered = CS_REGISTERED_AFTER;
        }
        *written = line;
    }
    return registered;
}

bool cs_registration_is_planned(const struct cs_measurements *all, size_t end,
                                const struct cs_measured *run)
{
    size_t i;

    for (i = 0; i < end; i++)
        if (all->items[i].kind == CS_MEASURED_PREDICTED &&
            cs_registration_same_run(&all->items[i], run))
            return true;
    return false;
}
