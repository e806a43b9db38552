/*
 * Lines of NCCL_DEBUG=INFO and of banners: version, ranks, channels, network,
 * paths, and the choice per call.
 *
 * Subsystems (NCCL_DEBUG_SUBSYS): INIT has the version, the communicator and
 * the channels, GRAPH the graphs, TUNING the choice per call, NET the adapters.
 * Formats differ by version; what a line does not have stays unset.
 */
#ifndef CS_VALIDATE_LOGS_NCCL_DEBUG_H
#define CS_VALIDATE_LOGS_NCCL_DEBUG_H

#include "validate/logs/builder.h"

/* Reads a line, and cuts a message of NCCL off behind the text that it
 * interrupts.  Returns whether the line has a message. */
bool cs_nccl_debug_line(struct cs_log_builder *builder, char *line);

#endif
