/*
 * Communication records of PyTorch: the arguments of an event as a call.
 *
 * PyTorch writes the call of a collective into the event of its kernel
 * (pytorch/pytorch torch/csrc/distributed/c10d/ParamCommsUtils.hpp, since 2.2):
 * "Collective name", "In msg nelems", "Out msg nelems", "Group size", "dtype",
 * "Process Group Ranks", for a send and a receive "Src Rank" and "Dst Rank".
 * Element counts are of one rank; long lists of ranks end in "...", and the groups of
 * "distributedInfo" ("pg_config") have all of them.
 */
#ifndef CS_SCENARIOS_TRACE_KINETO_RECORD_H
#define CS_SCENARIOS_TRACE_KINETO_RECORD_H

#include "scenarios/trace/trace.h"

struct cs_kineto_record {
    char collective[48]; /* "": no record */
    char dtype[24];
    char ranks[512]; /* "[0, 1, 2, ...]", cut where longer */
    char group[32];  /* name of the process group; "": none */
    char in_split[64];
    double in_elements, out_elements, group_size; /* NAN: missing */
    double rank, source, destination;
};

void cs_kineto_record_clear(struct cs_kineto_record *record);

/* The call of a record, with its group added to the trace.  Returns the reason for
 * leaving out the record, CS_LEFT_REASONS for a record that is kept. */
enum cs_trace_reason cs_kineto_record_call(const struct cs_kineto_record *record,
                                           struct cs_trace *trace, struct cs_trace_call *call);

#endif
