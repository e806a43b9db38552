/*
 * Traces of the PyTorch profiler (Kineto): Chrome's trace event JSON.
 *
 * Kept are complete events ("ph": "X") of the categories kernel, gpu_memcpy and
 * gpu_memset, and waits between streams ("cuda_sync", written with
 * enable_cuda_sync_events).  Steps are the host's ranges "ProfilerStep#12".
 * pytorch/kineto libkineto/src/output_json.cpp; times are microseconds.
 */
#include "scenarios/trace/kineto_record.h"
#include "scenarios/trace/trace.h"
#include "sim/base/text.h"
#include "topo/formats/signature.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KINETO_RANKS = 1 << 20, /* of a group */
    KINETO_GROUPS = 4096,
};

struct kineto_reader {
    struct cs_json_reader *json;
    struct cs_trace *trace;
    struct cs_kineto_event event;
    uint64_t last_step;
    uint32_t steps;
    bool has_events; /* "traceEvents", or a list */
};

/* ---- events ---- */

static uint32_t kineto_channel(double stream)
{
    return stream >= 0 && stream < (double)CS_TRACE_NONE ? (uint32_t)stream : 0;
}

static uint64_t kineto_order(double correlation)
{
    return correlation >= 1 && correlation < 9e15 ? (uint64_t)correlation : 0;
}

static void kineto_leave_out(struct cs_trace *trace, enum cs_trace_reason reason)
{
    trace->gaps.left_out[reason]++;
    trace->gaps.records++;
}

/* ncclDevKernel_AllReduce_Sum_f32_RING_LL, ncclKernel_..., and of RCCL the
 * same or ncclDevKernel_Generic. */
static bool kineto_is_nccl(const struct cs_kineto_event *event)
{
    return !strncmp(event->name, "ncclDevKernel", strlen("ncclDevKernel")) ||
           !strncmp(event->name, "ncclKernel", strlen("ncclKernel")) ||
           !strncmp(event->name, "ncclSymk", strlen("ncclSymk"));
}

/* The kind of a kernel: computing, a call, or a call that is left out. */
static void kineto_classify(struct kineto_reader *reader, struct cs_trace_event *kept)
{
    const struct cs_kineto_event *event = &reader->event;
    struct cs_trace *trace = reader->trace;
    struct cs_trace_call call;
    enum cs_trace_reason reason;

    if (event->category == CS_KINETO_COPY) {
        kept->kind = CS_TRACE_COPY;
        return;
    }
    if (!event->record.collective[0] && !kineto_is_nccl(event))
        return;
    reason = event->record.collective[0] ? cs_kineto_record_call(&event->record, trace, &call)
                                         : CS_LEFT_NO_RECORD;
    if (reason != CS_LEFT_REASONS) {
        kept->kind = CS_TRACE_FIXED;
        kineto_leave_out(trace, reason);
        return;
    }
    kept->kind = CS_TRACE_COLLECTIVE;
    kept->call = cs_trace_add_call(trace, call);
    trace->gaps.records++;
}

static void kineto_keep(struct kineto_reader *reader)
{
    const struct cs_kineto_event *event = &reader->event;
    struct cs_trace_event *kept;

    if (!(event->ts_us >= 0 && event->dur_us >= 0 && event->ts_us < 1e18 && event->dur_us < 1e15)) {
        if (event->record.collective[0] || kineto_is_nccl(event))
            kineto_leave_out(reader->trace, CS_LEFT_INCOMPLETE);
        return;
    }
    kept = cs_trace_add_event(reader->trace);
    kept->start_s = event->ts_us / 1e6;
    kept->duration_s = event->dur_us / 1e6;
    kept->order = kineto_order(event->correlation);
    kept->channel = kineto_channel(isnan(event->stream) ? event->tid : event->stream);
    kineto_classify(reader, kept);
}

static void kineto_keep_wait(struct kineto_reader *reader)
{
    const struct cs_kineto_event *event = &reader->event;

    if (!cs_same(event->name, "Stream Wait Event") ||
        !(event->wait_stream >= 0 && event->wait_correlation >= 0 && event->stream >= 0))
        return;
    cs_trace_add_wait(reader->trace,
                      (struct cs_trace_wait){.order = kineto_order(event->correlation),
                                             .on_order = kineto_order(event->wait_correlation),
                                             .stream = kineto_channel(event->stream),
                                             .on_stream = kineto_channel(event->wait_stream)});
}

/* Several threads write the range of a step, one after the other. */
static void kineto_count_step(struct kineto_reader *reader)
{
    static const char prefix[] = "ProfilerStep#";
    const char *number = reader->event.name + strlen(prefix);
    uint64_t step;

    if (strncmp(reader->event.name, prefix, strlen(prefix)) != 0)
        return;
    step = strtoull(number, NULL, 10);
    if (reader->steps && step == reader->last_step)
        return;
    reader->steps++;
    reader->last_step = step;
}

static void kineto_use(struct kineto_reader *reader)
{
    const struct cs_kineto_event *event = &reader->event;
    bool has_record = event->record.collective[0] != '\0';

    if (!event->is_complete_kind)
        return;
    reader->trace->file_events++;
    switch (event->category) {
    case CS_KINETO_KERNEL:
    case CS_KINETO_COPY:
        kineto_keep(reader);
        break;
    case CS_KINETO_SYNC:
        kineto_keep_wait(reader);
        break;
    case CS_KINETO_ANNOTATION:
        kineto_count_step(reader);
        break;
    default:
        break;
    }
    if (has_record && event->category == CS_KINETO_HOST)
        kineto_leave_out(reader->trace, CS_LEFT_HOST);
    else if (has_record && event->category != CS_KINETO_KERNEL && event->category != CS_KINETO_COPY)
        kineto_leave_out(reader->trace, CS_LEFT_ANNOTATION);
}

/* The elements of "traceEvents", whose '[' was read. */
static enum cs_json_token kineto_read_events(struct kineto_reader *reader)
{
    enum cs_json_token token;

    reader->has_events = true;
    while ((token = cs_json_reader_next(reader->json)) > CS_JSON_STOPS &&
           token != CS_JSON_LIST_END) {
        if (token == CS_JSON_OBJECT) {
            token = cs_kineto_event_read(reader->json, &reader->event);
            if (token > CS_JSON_STOPS)
                kineto_use(reader);
        } else
            token = cs_json_reader_skip(reader->json);
        if (token <= CS_JSON_STOPS)
            return token;
    }
    return token;
}

/* ---- the document ---- */

/* A list of numbers; those beyond KINETO_RANKS are left out. */
static enum cs_json_token kineto_read_ranks(struct cs_json_reader *json, uint32_t **ranks,
                                            uint32_t *size)
{
    uint32_t outside = cs_json_reader_depth(json) - 1, room = 0;
    enum cs_json_token token;

    while ((token = cs_json_reader_next(json)) > CS_JSON_STOPS &&
           cs_json_reader_depth(json) > outside) {
        if (token != CS_JSON_NUMBER || *size == KINETO_RANKS)
            continue;
        if (*size == room) {
            room = room ? 2 * room : 64;
            *ranks = cs_grow(*ranks, room, sizeof(**ranks));
        }
        (*ranks)[(*size)++] = kineto_channel(cs_kineto_number(json, token));
    }
    return token;
}

/* {"pg_name": "0", "ranks": [0, 1, ...]} */
static enum cs_json_token kineto_read_config(struct kineto_reader *reader)
{
    struct cs_json_reader *json = reader->json;
    enum cs_json_token token;
    char key[32], name[32] = "";
    uint32_t *ranks = NULL, size = 0;

    while ((token = cs_json_reader_next(json)) == CS_JSON_KEY) {
        cs_kineto_copy(key, sizeof(key), cs_json_reader_text(json));
        token = cs_json_reader_next(json);
        if (token == CS_JSON_LIST && cs_same(key, "ranks") && !size)
            token = kineto_read_ranks(json, &ranks, &size);
        else if (token == CS_JSON_OBJECT || token == CS_JSON_LIST)
            token = cs_json_reader_skip(json);
        else if (token == CS_JSON_STRING && cs_same(key, "pg_name"))
            cs_kineto_copy(name, sizeof(name), cs_json_reader_text(json));
        if (token <= CS_JSON_STOPS)
            break;
    }
    if (name[0] && size && reader->trace->named_count < KINETO_GROUPS)
        cs_trace_name_group(reader->trace, name, ranks, size);
    free(ranks);
    return token;
}

/* "pg_config": a list of groups. */
static enum cs_json_token kineto_read_configs(struct kineto_reader *reader)
{
    enum cs_json_token token;

    while ((token = cs_json_reader_next(reader->json)) > CS_JSON_STOPS &&
           token != CS_JSON_LIST_END) {
        if (token == CS_JSON_OBJECT)
            token = kineto_read_config(reader);
        else
            token = cs_json_reader_skip(reader->json);
        if (token <= CS_JSON_STOPS)
            break;
    }
    return token;
}

/* "distributedInfo": {"rank": 0, "world_size": 8, "nccl_version": "2.21.5"} */
static enum cs_json_token kineto_read_distributed(struct kineto_reader *reader)
{
    struct cs_trace *trace = reader->trace;
    struct cs_json_reader *json = reader->json;
    enum cs_json_token token = cs_json_reader_next(json);
    char key[32];

    if (token != CS_JSON_OBJECT)
        return cs_json_reader_skip(json);
    while ((token = cs_json_reader_next(json)) == CS_JSON_KEY) {
        cs_kineto_copy(key, sizeof(key), cs_json_reader_text(json));
        token = cs_json_reader_next(json);
        if (token == CS_JSON_LIST && cs_same(key, "pg_config"))
            token = kineto_read_configs(reader);
        else if (token == CS_JSON_OBJECT || token == CS_JSON_LIST)
            token = cs_json_reader_skip(json);
        else if (cs_same(key, "nccl_version") && token == CS_JSON_STRING)
            cs_kineto_copy(trace->origin.library, sizeof(trace->origin.library),
                           cs_json_reader_text(json));
        else if (cs_same(key, "rank") && token > CS_JSON_STOPS) {
            trace->origin.rank = kineto_channel(cs_kineto_number(json, token));
            trace->origin.is_ranked = true;
        } else if (cs_same(key, "world_size") && token > CS_JSON_STOPS)
            trace->origin.world = kineto_channel(cs_kineto_number(json, token));
        if (token <= CS_JSON_STOPS)
            return token;
    }
    return token;
}

/* "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", ...}] */
static enum cs_json_token kineto_read_devices(struct kineto_reader *reader)
{
    struct cs_json_reader *json = reader->json;
    uint32_t outside = cs_json_reader_depth(json);
    enum cs_json_token token = cs_json_reader_next(json);
    bool is_name;

    while (token > CS_JSON_STOPS && cs_json_reader_depth(json) > outside) {
        is_name = token == CS_JSON_KEY && cs_same(cs_json_reader_text(json), "name");
        token = cs_json_reader_next(json);
        if (is_name && token == CS_JSON_STRING && !reader->trace->origin.device[0])
            cs_kineto_copy(reader->trace->origin.device, sizeof(reader->trace->origin.device),
                           cs_json_reader_text(json));
    }
    return token;
}

static enum cs_json_token kineto_read_object(struct kineto_reader *reader)
{
    struct cs_json_reader *json = reader->json;
    enum cs_json_token token;

    while ((token = cs_json_reader_next(json)) == CS_JSON_KEY) {
        if (cs_same(cs_json_reader_text(json), "traceEvents")) {
            token = cs_json_reader_next(json);
            token = token == CS_JSON_LIST ? kineto_read_events(reader) : cs_json_reader_skip(json);
        } else if (cs_same(cs_json_reader_text(json), "distributedInfo"))
            token = kineto_read_distributed(reader);
        else if (cs_same(cs_json_reader_text(json), "deviceProperties"))
            token = kineto_read_devices(reader);
        else
            token = cs_json_reader_skip(json);
        if (token <= CS_JSON_STOPS)
            return token;
    }
    return token > CS_JSON_STOPS ? cs_json_reader_next(json) : token;
}

static enum cs_json_token kineto_read_document(struct kineto_reader *reader)
{
    enum cs_json_token token = cs_json_reader_next(reader->json);

    if (token == CS_JSON_OBJECT)
        return kineto_read_object(reader);
    if (token != CS_JSON_LIST)
        return token;
    token = kineto_read_events(reader);
    return token > CS_JSON_STOPS ? cs_json_reader_next(reader->json) : token;
}

static void kineto_finish(struct kineto_reader *reader, enum cs_json_token token)
{
    struct cs_trace *trace = reader->trace;

    trace->bytes = cs_json_reader_byte(reader->json);
    trace->gaps.truncated = token == CS_JSON_TRUNCATED;
    trace->gaps.truncated_line = cs_json_reader_line(reader->json);
    trace->steps_recorded = reader->steps > 0;
    trace->steps = reader->steps ? reader->steps : 1;
}

static int kineto_read(const struct cs_trace_file *file, struct cs_trace *trace, struct cs_err *err)
{
    struct kineto_reader reader = {.trace = trace};
    enum cs_json_token token;
    int code;

    reader.json = cs_json_reader_open(
        (struct cs_json_source){file->start, file->length, file->file}, file->path);
    token = kineto_read_document(&reader);
    kineto_finish(&reader, token);
    code = cs_json_reader_problem(reader.json, err);
    if (!code && !reader.has_events) {
        code = cs_err_at(err, CS_EINPUT, file->path, 0,
                         "no \"traceEvents\" in the file; expected JSON of the PyTorch profiler, "
                         "or Chakra's .et");
        cs_signature_explain((struct cs_doc_text){file->path, file->start, file->length}, "a trace",
                             "--replay FILE", err);
    }
    if (!code && !trace->event_count)
        code =
            cs_err_at(err, CS_EINPUT, file->path, 0,
                      "no kernels of a device among %llu events; record ProfilerActivity.CUDA, too",
                      (unsigned long long)trace->file_events);
    cs_json_reader_close(reader.json);
    return code;
}

static bool kineto_recognises(const char *start, size_t length)
{
    size_t i = 0;

    while (i < length && isspace((unsigned char)start[i]))
        i++;
    return i < length && (start[i] == '{' || start[i] == '[');
}

const struct cs_trace_format cs_trace_kineto = {
    .name = "kineto",
    .about = "JSON of the PyTorch profiler, one rank",
    .recognises = kineto_recognises,
    .read = kineto_read,
};
