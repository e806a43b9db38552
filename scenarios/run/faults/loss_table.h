/*
 * Table of losses: the output of `--what-if`.
 */
#ifndef CS_SCENARIOS_RUN_FAULTS_LOSS_TABLE_H
#define CS_SCENARIOS_RUN_FAULTS_LOSS_TABLE_H

#include "scenarios/options/command.h"
#include "scenarios/run/faults/losses.h"

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

#endif
