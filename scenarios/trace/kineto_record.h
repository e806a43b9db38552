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
#pragma once

#include "scenarios/trace/trace.h"
#include "topo/documents/json_tokens.h"

struct cs_kineto_record {
    char collective[48]; /* "": no record */
    char dtype[24];
    char ranks[512]; /* "[0, 1, 2, ...]", cut where longer */
    char group[32];  /* name of the process group; "": none */
    char in_split[64];
    double in_elements, out_elements, group_size; /* NAN: missing */
    double rank, source, destination;
};

/* The call of a record, with its group added to the trace.  Returns the reason for
 * leaving out the record, CS_LEFT_REASONS for a record that is kept. */
enum cs_trace_reason cs_kineto_record_call(const struct cs_kineto_record *record,
                                           struct cs_trace *trace, struct cs_trace_call *call);

/* ---- events ---- */

enum cs_kineto_category {
    CS_KINETO_UNKNOWN, /* not read yet */
    CS_KINETO_KERNEL,
    CS_KINETO_COPY,
    CS_KINETO_SYNC,
    CS_KINETO_HOST,       /* operators: may have communication records */
    CS_KINETO_ANNOTATION, /* ranges of the user, on the host */
    CS_KINETO_RANGE,      /* ranges of the user, on the device */
    CS_KINETO_OTHER,
};

/* Numbers are NAN where missing. */
struct cs_kineto_event {
    enum cs_kineto_category category;
    char name[48];         /* cut */
    bool is_complete_kind; /* "ph": "X" */
    double ts_us, dur_us;
    double stream, tid, correlation;
    double wait_stream, wait_correlation;
    struct cs_kineto_record record;
};

/* Copies the start of a text that fits. */
void cs_kineto_copy(char *to, size_t room, const char *from);

/* The last token as a number, also where a string has the digits; NAN for
 * others. */
double cs_kineto_number(const struct cs_json_reader *json, enum cs_json_token token);

/* Reads an event behind the '{', up to the '}' or a stop. */
enum cs_json_token cs_kineto_event_read(struct cs_json_reader *json, struct cs_kineto_event *event);
