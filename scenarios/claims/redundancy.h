/*
 * Redundancy against traffic: for every algorithm that reduces or replicates, the
 * bytes that ranks send and the redundant bytes that they leave, measured by the
 * proof on a switch of 8 ranks, in units of the vector.
 */
#pragma once

#include "scenarios/options/command.h"

/* Prints the table; as text with a title. */
int cs_redundancy_print(const struct cs_cli *cli, enum cs_format format, struct cs_err *err);
