/*
 * nccl-tests -J FILE: an object with args, nccl_version, devices and results, a
 * result with size, count, type, redop, root, out_of_place and in_place.
 * Source: NVIDIA/nccl-tests src/util.cu (2.16 and later).
 */
#include "sim/base/text.h"
#include "validate/logs/builder.h"
#include "validate/logs/json_scan.h"

#include <math.h>

enum {
    RESULT = 3, /* {"results": [{...}]}: the level of a result */
};

struct nccl_json {
    struct cs_json_scan scan;
    struct cs_log_builder *builder;
    struct cs_log_line row;
    struct cs_log_number time, busbw;
    bool has_time, has_busbw;
    bool is_closed; /* the average follows the results */
};

static void nccl_json_clear(struct nccl_json *json)
{
    json->row = (struct cs_log_line){.row = {.in_place_s = NAN}};
    json->has_time = json->has_busbw = false;
}

/* ---- a result ---- */

static void nccl_json_part(struct nccl_json *json, const char *text)
{
    const struct cs_json_scan *scan = &json->scan;
    struct cs_log_number number;
    uint64_t whole;

    if (!cs_log_number(text, &number))
        return;
    if (cs_json_scan_at(scan, RESULT, "in_place")) {
        if (cs_json_scan_at(scan, RESULT + 1, "time"))
            json->row.row.in_place_s = number.value * 1e-6;
        return;
    }
    if (!cs_json_scan_at(scan, RESULT, "out_of_place"))
        return;
    if (cs_json_scan_at(scan, RESULT + 1, "time")) {
        json->time = number;
        json->has_time = true;
    } else if (cs_json_scan_at(scan, RESULT + 1, "bus_bw")) {
        json->busbw = number;
        json->has_busbw = true;
    } else if (cs_json_scan_at(scan, RESULT + 1, "nwrong") && cs_log_whole(text, &whole)) {
        json->row.row.wrong = whole;
    }
}

static void nccl_json_column(struct nccl_json *json, const char *text)
{
    const struct cs_json_scan *scan = &json->scan;
    struct cs_log_line *row = &json->row;

    if (cs_json_scan_at(scan, RESULT, "size"))
        cs_log_whole(text, &row->row.bytes);
    else if (cs_json_scan_at(scan, RESULT, "count"))
        cs_log_whole(text, &row->count);
    else if (cs_json_scan_at(scan, RESULT, "type"))
        row->element_bytes = cs_log_type_bytes(text);
    else if (cs_json_scan_at(scan, RESULT, "redop"))
        row->reduces = !cs_same(text, "none") && *text;
    else if (cs_json_scan_at(scan, RESULT, "root"))
        row->has_root = *text != '-' && *text;
}

static void nccl_json_result(struct nccl_json *json)
{
    struct cs_log_line *row = &json->row;

    if (!json->has_time) {
        cs_log_add_broken(json->builder);
        nccl_json_clear(json);
        return;
    }
    row->row.line = json->builder->line;
    cs_log_set_times(row, &json->time, 1e-6, json->has_busbw ? &json->busbw : NULL);
    cs_log_add_row(json->builder, row);
    nccl_json_clear(json);
}

/* ---- the document ---- */

static void nccl_json_value(void *context, const struct cs_json_scan *scan, const char *text)
{
    struct nccl_json *json = context;
    struct cs_log_facts *facts = &json->builder->log->facts;
    const struct cs_collective *named;
    uint64_t number;

    if (cs_json_scan_at(scan, 1, "results")) {
        if (scan->depth == RESULT)
            nccl_json_column(json, text);
        else if (scan->depth == RESULT + 1)
            nccl_json_part(json, text);
    } else if (cs_json_scan_at(scan, 1, "nccl_version")) {
        if (cs_log_whole(text, &number) && number < 1000000) {
            facts->version = (uint32_t)number;
            facts->library = "nccl";
        }
    } else if (cs_json_scan_at(scan, 1, "devices")) {
        if (cs_json_scan_at(scan, 3, "device_info") && !json->builder->next.device)
            json->builder->next.device = cs_arena_printf(json->builder->arena, "%.80s", text);
    } else if (cs_json_scan_at(scan, 1, "args")) {
        named = cs_log_collective_of(text);
        if (named)
            json->builder->next_collective = named;
    } else if (cs_json_scan_at(scan, 1, "average_bus_bandwidth")) {
        json->is_closed = true;
    }
}

static void nccl_json_end(void *context, const struct cs_json_scan *scan, const char *text)
{
    struct nccl_json *json = context;
    struct cs_log_builder *builder = json->builder;

    (void)text;
    if (scan->depth == RESULT && cs_json_scan_at(scan, 1, "results"))
        nccl_json_result(json);
    else if (scan->depth == RESULT && cs_json_scan_at(scan, 1, "devices"))
        builder->next.devices++;
    if (scan->depth != 1)
        return;
    cs_log_close_table(builder);
    cs_log_end_table(builder);
    cs_log_begin_run(builder);
}

static void *nccl_json_open(struct cs_log_builder *builder)
{
    struct nccl_json *json = cs_arena_alloc(builder->arena, 1, sizeof(*json));

    *json = (struct nccl_json){
        .scan = {.value = nccl_json_value, .end = nccl_json_end, .context = json},
        .builder = builder};
    nccl_json_clear(json);
    return json;
}

/* A result that is open at the end is not whole. */
static void nccl_json_close(struct cs_log_builder *builder, void *context)
{
    const struct nccl_json *json = context;

    if (json->scan.depth >= RESULT && cs_json_scan_at(&json->scan, 1, "results"))
        cs_log_add_broken(builder);
    else if (json->scan.depth && json->is_closed)
        cs_log_close_table(builder);
}

const struct cs_log_format cs_log_format_nccl_tests_json = {
    .name = "nccl-tests-json",
    .claims = cs_json_scan_claims,
    .open = nccl_json_open,
    .line = cs_json_scan_line,
    .close = nccl_json_close,
};
