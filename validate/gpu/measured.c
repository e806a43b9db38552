#include "validate/gpu/measured.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/documents/yaml.h"
#include "validate/cuda/op_table.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The kinds that keep a field. */
enum owner {
    ALL,
    RUN,
    PART,
};

/* The limits of a count are those of collsim-cuda (op_table.h, request.c). */
#define FIELD(name, kind, of, member)                         \
    {                                                         \
        .key = (name), .type = CS_LINE_##kind, .owner = (of), \
        .offset = offsetof(struct cs_measured, member)        \
    }
#define LIMITED(name, of, member, low, high)                                           \
    {                                                                                  \
        .key = (name), .type = CS_LINE_COUNT, .owner = (of),                           \
        .offset = offsetof(struct cs_measured, member), .least = (low), .most = (high) \
    }

static const struct cs_line_field fields[] = {
    FIELD("gpu", TEXT, ALL, gpu),
    FIELD("uuid", TEXT, ALL, uuid),
    FIELD("time_mean_s", REAL, ALL, spread.mean_s),
    FIELD("l2_bytes", COUNT, ALL, work.l2_bytes),
    FIELD("algorithm", TEXT, RUN, run.algorithm),
    FIELD("transport", TEXT, ALL, work.transport),
    FIELD("servers", TEXT, RUN, run.servers),
    FIELD("dtype", TEXT, ALL, work.dtype),
    FIELD("skipped", TEXT, ALL, skipped),
    FIELD("failed", TEXT, ALL, failed),
    LIMITED("ranks", ALL, work.ranks, 1, CS_OP_TABLE_PARTIES_MAX),
    LIMITED("agents", RUN, run.agents, 0, CS_OP_TABLE_PARTIES_MAX),
    LIMITED("gpus_used", ALL, work.gpus_used, 0, 64),
    LIMITED("bytes", ALL, work.bytes, 1, (uint64_t)1 << 40),
    LIMITED("channels", RUN, run.channels, 0, 1024),
    LIMITED("slice_bytes", ALL, work.slice_bytes, 0, 1 << 24),
    LIMITED("depth", ALL, work.depth, 0, 64),
    LIMITED("threads", ALL, work.threads, 0, 1024),
    FIELD("runs", COUNT, ALL, work.runs),
    FIELD("wrong", COUNT, RUN, run.wrong),
    FIELD("setup", TEXT, PART, part.setup),
    FIELD("role", TEXT, PART, part.role),
    FIELD("slots", TEXT, PART, part.slots),
    FIELD("vectors", TEXT, PART, part.vectors),
    FIELD("blocks", COUNT, PART, part.blocks),
    FIELD("vector_bytes", COUNT, PART, part.vector_bytes),
    FIELD("time_s", REAL, ALL, time_s),
    FIELD("time_p10_s", REAL, ALL, spread.p10_s),
    FIELD("time_p90_s", REAL, ALL, spread.p90_s),
    FIELD("event_s", REAL, ALL, event_s),
    FIELD("table", TEXT, RUN, run.table.hash),
    LIMITED("chunks", RUN, run.table.chunks, 0, CS_OP_TABLE_BLOCKS_MAX),
    LIMITED("shards", RUN, run.table.shards, 0, CS_OP_TABLE_PARTIES_MAX),
    LIMITED("slices", RUN, run.table.slices, 0, CS_OP_TABLE_BLOCKS_MAX),
    FIELD("copies", COUNT, PART, part.copies),
    FIELD("rounds", COUNT, PART, part.rounds),
    FIELD("date", TEXT, ALL, date),
    FIELD("commit", TEXT, ALL, commit),
    FIELD("calibration", TEXT, ALL, calibration),
    FIELD("failed_parts", COUNT, PART, part.failed_parts),
    FIELD("time_middle_s", REAL, ALL, spread.middle_s),
    FIELD("inputs", TEXT, RUN, run.inputs),
    FIELD("unknown", TEXT, RUN, run.unknown),
    FIELD("ends_s", TEXT, RUN, run.ends_s),
    FIELD("delay_rank", COUNT, RUN, run.delay_rank),
    FIELD("delay_s", REAL, RUN, run.delay_s),
};

static const char *const kinds[CS_MEASURED_KINDS] = {
    "machine", "run",  "stream", "memcpy",     "pingpong",  "launch",
    "timer",   "nccl", "graph",  "calibrated", "predicted",
};

struct measured_reader {
    const struct cs_measured_line *line;
    const struct cs_doc *doc;
    struct cs_err *err;
};

#define COMPLAIN(reader, ...) \
    cs_err_at((reader)->err, CS_EINPUT, (reader)->line->file, (reader)->line->line, __VA_ARGS__)

static bool is_kept(const struct cs_line_field *field, const void *object)
{
    const struct cs_measured *measured = object;

    return field->owner == ALL || (field->owner == RUN) == cs_measured_is_run(measured->kind);
}

static const struct cs_line_form measured_form = {fields, sizeof(fields) / sizeof(*fields),
                                                  "a time in seconds", is_kept};

static int measured_read_kind(const struct measured_reader *reader, struct cs_measured *measured)
{
    uint32_t version = cs_doc_get(reader->doc, 0, "collsim_cuda");
    uint32_t node = cs_doc_get(reader->doc, 0, "kind");
    const char *text = NULL;
    int kind = 0;

    if (version == CS_DOC_NONE)
        return COMPLAIN(reader, "not a measurement: \"collsim_cuda\" is missing");
    text = reader->doc->nodes[version].text;
    if (!text || !cs_same(text, "1"))
        return COMPLAIN(reader, "unknown \"collsim_cuda\"; this program reads version 1");
    if (node != CS_DOC_NONE)
        text = reader->doc->nodes[node].text;
    if (node == CS_DOC_NONE || !text)
        return COMPLAIN(reader, "not a measurement: \"kind\" is missing");
    while (kind < CS_MEASURED_KINDS && !cs_same(kinds[kind], text))
        kind++;
    if (kind == CS_MEASURED_KINDS)
        return COMPLAIN(reader, "unknown kind of measurement '%.40s'", text);
    measured->kind = (enum cs_measured_kind)kind;
    return 0;
}

bool cs_measured_ends(const struct cs_measured *measured, double *ends_s)
{
    const char *at = measured->run.ends_s;
    uint64_t rank;
    char *end;

    for (rank = 0; rank < measured->work.ranks && *at; rank++) {
        ends_s[rank] = strtod(at, &end);
        if (end == at || !isfinite(ends_s[rank]) || ends_s[rank] < 0 ||
            *end != (rank + 1 < measured->work.ranks ? ',' : '\0'))
            return false;
        at = end + (*end == ',');
    }
    return rank > 0 && rank == measured->work.ranks;
}

/* A late rank is one of the ranks, and each rank has an end. */
static int check_ends(const struct measured_reader *reader, const struct cs_measured *m)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    double *ends_s = cs_arena_alloc(&arena, m->work.ranks, sizeof(*ends_s));
    bool good = !m->run.ends_s[0] || cs_measured_ends(m, ends_s);

    if (m->run.delay_rank >= m->work.ranks)
        return COMPLAIN(reader, "\"delay_rank\": %llu of %llu ranks",
                        (unsigned long long)m->run.delay_rank, (unsigned long long)m->work.ranks);
    return good ? 0 : COMPLAIN(reader, "\"ends_s\" is not a time for each rank");
}

static int check_limits(const struct measured_reader *reader, const struct cs_measured *m)
{
    for (size_t i = 0; i < measured_form.count; i++) {
        const struct cs_line_field *field = &fields[i];
        uint64_t value;

        if (!field->most || !is_kept(field, m))
            continue;
        memcpy(&value, (const char *)m + field->offset, sizeof(value));
        if (value < field->least || value > field->most)
            return COMPLAIN(reader, "\"%s\": %llu; expected %llu to %llu", field->key,
                            (unsigned long long)value, (unsigned long long)field->least,
                            (unsigned long long)field->most);
    }
    return cs_measured_is_run(m->kind) ? check_ends(reader, m) : 0;
}

static int check_dtype(const struct measured_reader *reader, const struct cs_measured *m)
{
    static const char *const names[] = {"fp32", "fp16"};
    uint32_t each = cs_same(m->work.dtype, "fp16") ? 2 : 4;

    if (!cs_same(m->work.dtype, "fp32") && !cs_same(m->work.dtype, "fp16"))
        return COMPLAIN(reader, "\"dtype\": '%.40s'%s", m->work.dtype,
                        cs_hint(m->work.dtype, names, 2, "expected fp32 or fp16").text);
    if (m->work.bytes % each)
        return COMPLAIN(reader, "\"bytes\": %llu is not a multiple of %u, the size of %s",
                        (unsigned long long)m->work.bytes, each, m->work.dtype);
    return 0;
}

static bool has_no_time(const struct cs_measured *m)
{
    return m->skipped[0] || m->failed[0] || (cs_measured_is_run(m->kind) && m->run.unknown[0]);
}

/* Checks the keys that a kind requires; a line without a time needs fewer. */
static int measured_check(const struct measured_reader *reader, const struct cs_measured *m)
{
    bool none = has_no_time(m);
    bool streams = m->kind == CS_MEASURED_STREAM;
    bool sent = m->kind == CS_MEASURED_RUN || m->kind == CS_MEASURED_PINGPONG ||
                m->kind == CS_MEASURED_PREDICTED;
    int code;

    if (m->kind == CS_MEASURED_MACHINE || m->kind == CS_MEASURED_CALIBRATED)
        return 0;
    if (!none && !(m->time_s > 0))
        return COMPLAIN(reader, "\"time_s\" is missing or 0");
    if (streams && (m->part.blocks == 0 || m->work.bytes == 0 || m->work.slice_bytes == 0))
        return COMPLAIN(reader, "\"blocks\", \"bytes\" or \"slice_bytes\" is missing");
    if (m->kind == CS_MEASURED_GRAPH && m->part.copies == 0)
        return COMPLAIN(reader, "\"copies\" is missing or 0");
    if (sent && (m->work.ranks == 0 || m->work.bytes == 0))
        return COMPLAIN(reader, "\"ranks\" or \"bytes\" is missing");
    if (m->kind == CS_MEASURED_RUN && !none &&
        (m->run.channels == 0 || !m->run.algorithm[0] || !m->work.dtype[0]))
        return COMPLAIN(reader, "\"algorithm\", \"dtype\" or \"channels\" is missing");
    code = sent ? check_limits(reader, m) : 0;
    if (!code && m->kind == CS_MEASURED_RUN && !none)
        code = check_dtype(reader, m);
    return code;
}

/* JSON is read as the YAML that it is; a killed program leaves half a line. */
static int measured_refuse_syntax(const struct measured_reader *reader, struct cs_doc_text line,
                                  const struct cs_err *why)
{
    static const char yaml[] = "not YAML: ";
    const char *text = why->text;
    size_t length = line.length;

    while (length > 0 && strchr(" \t\r\n", line.text[length - 1]))
        length--;
    if (length > 0 && line.text[0] == '{' && line.text[length - 1] != '}')
        return COMPLAIN(reader,
                        "the line is cut off: a measurement is a JSON object, from '{' to '}'");
    if (strncmp(text, yaml, sizeof(yaml) - 1) == 0)
        text += sizeof(yaml) - 1;
    return COMPLAIN(reader, "not JSON: %s", text);
}

int cs_measured_read_line(struct cs_measured_line line, struct cs_arena *arena,
                          struct cs_measured *measured, struct cs_err *err)
{
    struct cs_doc_text text = {"", line.text, line.length};
    struct cs_err why = {0};
    struct cs_doc doc;
    struct measured_reader reader = {&line, &doc, err};
    int code;

    *measured = (struct cs_measured){.kind = CS_MEASURED_KINDS,
                                     .file = line.file,
                                     .line = line.line,
                                     .skipped = "",
                                     .failed = "",
                                     .date = "",
                                     .commit = "",
                                     .calibration = "",
                                     .hash = cs_op_table_hash(line.text, line.length)};
    code = cs_yaml_read_text(text, &doc, arena, &why);
    if (code)
        return measured_refuse_syntax(&reader, text, &why);
    if (doc.nodes[0].kind != CS_DOC_MAP)
        return COMPLAIN(&reader, "not a measurement: expected a JSON object");
    code = measured_read_kind(&reader, measured);
    if (!code)
        code = cs_line_read(&measured_form, &line, &doc, measured, err);
    return code ? code : measured_check(&reader, measured);
}

/* ---- files ---- */

/* Where the lines of a file go. */
struct measured_list {
    struct cs_arena *arena;
    struct cs_measurements *all;
};

static int measured_append(void *ctx, struct cs_measured_line line, struct cs_err *err)
{
    const struct measured_list *list = ctx;
    struct cs_measurements *all = list->all;

    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 64;
        all->items = cs_grow(all->items, all->capacity, sizeof(*all->items));
    }
    return cs_measured_read_line(line, list->arena, &all->items[all->count++], err);
}

/* Takes a wrong result or a failure; a line that cannot be read may be cut short
 * by the failed step, so the line is skipped. */
static int append_failed(void *ctx, struct cs_measured_line line, struct cs_err *err)
{
    struct cs_measurements *all = ((const struct measured_list *)ctx)->all;
    struct cs_err why = {0};
    size_t before = all->count;
    int code = measured_append(ctx, line, &why);
    const struct cs_measured *last = &all->items[before];

    (void)err;
    if (code || last->kind != CS_MEASURED_RUN || !(last->failed[0] || last->run.wrong > 0))
        all->count = before;
    return 0;
}

int cs_measurements_read(const char *path, struct cs_arena *arena, struct cs_measurements *all,
                         struct cs_err *err)
{
    return cs_lines_each(path, measured_append, &(struct measured_list){arena, all}, arena, err);
}

int cs_measurements_read_failed(const char *path, struct cs_arena *arena,
                                struct cs_measurements *all, struct cs_err *err)
{
    return cs_lines_each(path, append_failed, &(struct measured_list){arena, all}, arena, err);
}

/* ---- copies of lines ---- */

static int by_hash(const void *first, const void *second)
{
    const struct cs_measured *a = *(const struct cs_measured *const *)first;
    const struct cs_measured *b = *(const struct cs_measured *const *)second;

    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return (a > b) - (a < b); /* pointers into an array: the first line stays */
}

size_t cs_measurements_drop_copies(struct cs_measurements *all)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_measured **order = cs_arena_alloc(&arena, all->count, sizeof(struct cs_measured *));
    bool *copy = cs_arena_alloc(&arena, all->count, sizeof(*copy));
    size_t kept = 0;
    size_t dropped;

    for (size_t i = 0; i < all->count; i++)
        order[i] = &all->items[i];
    if (all->count > 0)
        qsort(order, all->count, sizeof(*order), by_hash);
    for (size_t i = 1; i < all->count; i++)
        copy[order[i] - all->items] = order[i]->hash != 0 && order[i]->hash == order[i - 1]->hash;
    for (size_t i = 0; i < all->count; i++)
        if (!copy[i])
            all->items[kept++] = all->items[i];
    dropped = all->count - kept;
    all->count = kept;
    return dropped;
}

void cs_measurements_free(struct cs_measurements *all)
{
    free(all->items);
    *all = (struct cs_measurements){0};
}
