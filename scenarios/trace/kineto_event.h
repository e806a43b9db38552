/*
 * Events of the PyTorch profiler: the members of an event, in any order.
 */
#ifndef CS_SCENARIOS_TRACE_KINETO_EVENT_H
#define CS_SCENARIOS_TRACE_KINETO_EVENT_H

#include "scenarios/trace/kineto_record.h"
#include "topo/documents/json_tokens.h"

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

#endif
