/*
 * Losses: links, switches or adapters that a run would miss.
 */
#ifndef CS_SCENARIOS_RUN_LOSSES_H
#define CS_SCENARIOS_RUN_LOSSES_H

#include "scenarios/run/run.h"

enum {
    CS_LOSS_NO_DEVICE = UINT32_MAX
};

struct cs_loss {
    const char *where;      /* as --fault names it */
    double down_s;          /* time when down; NaN: ranks are disconnected */
    double half_s;          /* time at half its rate */
    const char *bottleneck; /* when down */
    bool detours;           /* when down, links that were idle are used */
    uint32_t a, b;          /* devices; b CS_LOSS_NO_DEVICE: a device alone */
    uint32_t like;          /* the loss simulated in its place, or itself */
    const char *like_where; /* name of that loss; "": itself */
};

struct cs_losses {
    struct cs_loss *items;
    uint32_t count;
};

/* Finds the links, or the devices of that kind at their ends, that carried
 * messages in the simulated run, in order of wires; of losses that are equal by
 * symmetry the first stands for all.  CS_EINPUT where the machine has none, with the
 * kinds that it has. */
int cs_losses_find(const struct cs_run *run, enum cs_what_if what,
                   struct cs_losses *losses, struct cs_arena *arena);

#endif
