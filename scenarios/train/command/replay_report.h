/*
 * Report of a replayed trace: as text, as JSON of step and collectives, or as CSV
 * of the collectives.
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_REPLAY_REPORT_H
#define CS_SCENARIOS_TRAIN_COMMAND_REPLAY_REPORT_H

#include "scenarios/options/command.h"
#include "scenarios/trace/on_machine.h"
#include "scenarios/trace/replay.h"
#include "scenarios/train/command/setup.h"

struct cs_replay_result {
    const struct cs_train_options *given;
    const struct cs_trace *trace;
    const struct cs_site *site;
    const struct cs_library *library;
    const struct cs_trace_rows *rows;
    struct cs_trace_replay_time measured, replayed; /* of all steps */
    double most_s;                                  /* no added second of a collective hides */
    uint64_t waits_used;
};

void cs_replay_report(const struct cs_cli *cli, const struct cs_replay_result *result);

#endif
