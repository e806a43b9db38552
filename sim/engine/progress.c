#include "sim/engine/progress.h"

bool cs_monitor_count(const struct cs_monitor *monitor, uint64_t done, uint64_t all)
{
    const struct cs_progress progress = {.rounds_begun = done, .rounds = all};

    return !monitor || monitor->update(monitor->ctx, &progress);
}

bool cs_monitor_ask(void *ctx, const struct cs_progress *progress)
{
    const struct cs_monitor *const *whole = ctx;

    (void)progress;
    return cs_monitor_count(*whole, 0, 0);
}

bool cs_monitor_part_update(void *ctx, const struct cs_progress *progress)
{
    struct cs_monitor_part *part = ctx;
    struct cs_progress whole = *progress;

    if (progress->events < part->events) /* the next part has begun */
        part->events_before += part->events;
    part->events = progress->events;
    whole.events += part->events_before;
    whole.rounds *= part->parts;
    whole.rounds_begun *= 1 + part->longer;
    whole.rounds_begun += part->part * progress->rounds;
    return part->whole->update(part->whole->ctx, &whole);
}
