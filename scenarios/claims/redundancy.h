/*
 * Redundancy against traffic: for every algorithm that reduces or replicates, the
 * bytes that ranks send and the redundant bytes that they leave, measured by the
 * proof on a switch of 8 ranks, in units of the vector.
 */
#ifndef CS_SCENARIOS_CLAIMS_REDUNDANCY_H
#define CS_SCENARIOS_CLAIMS_REDUNDANCY_H

#include "scenarios/options/command.h"

/* Prints the table; as text with a title. */
int cs_redundancy_print(const struct cs_cli *cli, enum cs_format format, struct cs_err *err);

#endif
