/*
 * Options of a command in a YAML file.
 *
 *     about: free text
 *     topo: cluster:node=ndv2,nodes=4
 *     model: resnet50
 *     no-overlap: true
 *
 * A key is the name of an option; true or yes sets a flag, false or no leaves it;
 * `about` is free.  Files of topo, model and replay are sought where the command
 * runs, and then beside the YAML file.
 */
#pragma once

#include "scenarios/options/options.h"

/* Reads the file into the target; memory is in the arena.  CS_EINPUT with file and
 * line. */
int cs_options_read_file(struct cs_option_tables tables, const char *path, struct cs_arena *arena,
                         void *target, struct cs_err *err);
