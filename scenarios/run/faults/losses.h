/*
 * Losses: the links, switches or adapters whose failure would affect a run.
 */
#pragma once

#include "scenarios/options/command.h"
#include "scenarios/run/case/run.h"

struct cs_loss {
    const char *where;      /* as --fault names it */
    double down_s;          /* time when down; NaN: ranks are disconnected */
    double half_s;          /* time at half the rate */
    const char *bottleneck; /* when down */
    bool detours;           /* when down, idle links come into use */
};

struct cs_losses {
    struct cs_loss *items;
    uint32_t count;
};

/* Finds the links that carried messages in the simulated run, or the devices of a
 * kind at the ends of such links, in the order of wires.  CS_EINPUT for a machine
 * without the kind, with the kinds in use. */
int cs_losses_find(const struct cs_run *run, enum cs_what_if what, struct cs_losses *losses,
                   struct cs_arena *arena);

/* ---- table ---- */

struct cs_loss_table {
    const struct cs_cli *cli;
    const struct cs_case *which;
    const struct cs_losses *losses;
    uint32_t tried; /* simulated losses, the first of `losses` */
    double whole_s; /* time without any loss */
};

/* Sorts and prints the simulated losses: disconnecting losses first, then by
 * slowdown.  With an error code JSON includes the error, whose text is then
 * empty. */
void cs_loss_table_print(struct cs_loss_table *table, int code);
