#include "validate/gpu/measured.h"

#include "sim/base/file.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/yaml.h"
#include "validate/cuda/op_table.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_BYTES_MAX = 64 << 20,
    LINES_MAX = 1000000,
};

enum type {
    TEXT,
    COUNT,
    SECONDS,
};

struct field {
    const char *key;
    enum type type;
    size_t offset;
};

#define FIELD(name, type)                               \
    {                                                   \
#        name, type, offsetof(struct cs_measured, name) \
    }

#define LIMIT(name, least, most)                               \
    {                                                          \
#        name, offsetof(struct cs_measured, name), least, most \
    }

static const struct field fields[] = {
    FIELD(gpu, TEXT),           FIELD(uuid, TEXT),
    FIELD(processors, COUNT),   FIELD(time_mean_s, SECONDS),
    FIELD(l2_bytes, COUNT),     FIELD(algorithm, TEXT),
    FIELD(transport, TEXT),     FIELD(servers, TEXT),
    FIELD(dtype, TEXT),         FIELD(skipped, TEXT),
    FIELD(failed, TEXT),        FIELD(ranks, COUNT),
    FIELD(agents, COUNT),       FIELD(gpus_used, COUNT),
    FIELD(bytes, COUNT),        FIELD(channels, COUNT),
    FIELD(lanes, COUNT),        FIELD(slice_bytes, COUNT),
    FIELD(depth, COUNT),        FIELD(threads, COUNT),
    FIELD(runs, COUNT),         FIELD(wrong, COUNT),
    FIELD(setup, TEXT),         FIELD(role, TEXT),
    FIELD(slots, TEXT),         FIELD(vectors, TEXT),
    FIELD(blocks, COUNT),       FIELD(vector_bytes, COUNT),
    FIELD(time_s, SECONDS),     FIELD(time_least_s, SECONDS),
    FIELD(time_p10_s, SECONDS), FIELD(time_p90_s, SECONDS),
    FIELD(event_s, SECONDS),    FIELD(table, TEXT),
    FIELD(table_blocks, COUNT), FIELD(table_parts, COUNT),
    FIELD(chunks, COUNT),       FIELD(shards, COUNT),
    FIELD(slices, COUNT),       FIELD(copies, COUNT),
    FIELD(rounds, COUNT),       FIELD(date, TEXT),
    FIELD(commit, TEXT),        FIELD(calibration, TEXT),
    FIELD(failed_parts, COUNT), FIELD(time_middle_s, SECONDS),
    FIELD(inputs, TEXT),        FIELD(unknown, TEXT),
    FIELD(command, TEXT),       FIELD(ends_s, TEXT),
    FIELD(delay_rank, COUNT),   FIELD(delay_s, SECONDS),
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

/* ---- values ---- */

static int read_seconds(const struct measured_reader *reader, const struct field *field,
                        const char *text, double *value)
{
    char *end;

    *value = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*value) && *value >= 0)
        return 0;
    return COMPLAIN(reader, "\"%s\": '%.40s' is not a time in seconds", field->key, text);
}

static int read_field(const struct measured_reader *reader, const struct field *field,
                      const char *text, struct cs_measured *measured)
{
    char *at = (char *)measured + field->offset;
    uint64_t count = 0;
    double seconds = 0;
    int code = 0;

    switch (field->type) {
    case TEXT:
        memcpy(at, &text, sizeof(text));
        break;
    case COUNT:
        if (cs_units_count(text, 0, (uint64_t)1 << 62, &count, NULL))
            return COMPLAIN(reader, "\"%s\": '%.40s' is not a whole number", field->key, text);
        memcpy(at, &count, sizeof(count));
        break;
    default:
        code = read_seconds(reader, field, text, &seconds);
        memcpy(at, &seconds, sizeof(seconds));
    }
    return code;
}

static int read_fields(const struct measured_reader *reader, struct cs_measured *measured)
{
    size_t i;
    int code = 0;

    for (i = 0; i < sizeof(fields) / sizeof(*fields) && !code; i++) {
        uint32_t node = cs_doc_get(reader->doc, 0, fields[i].key);
        const char *text = "";

        if (node != CS_DOC_NONE)
            text = reader->doc->nodes[node].text;
        if (!text)
            return COMPLAIN(reader, "\"%s\" is not a single value", fields[i].key);
        if (node != CS_DOC_NONE || fields[i].type == TEXT)
            code = read_field(reader, &fields[i], text, measured);
    }
    return code;
}

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

/* The limits of collsim-cuda (op_table.h, request.c). */
static const struct {
    const char *key;
    size_t offset;
    uint64_t least, most;
} limits[] = {
    LIMIT(ranks, 1, CS_OP_TABLE_PARTIES_MAX),
    LIMIT(agents, 0, CS_OP_TABLE_PARTIES_MAX),
    LIMIT(lanes, 0, CS_OP_TABLE_LANES_MAX),
    LIMIT(gpus_used, 0, 64),
    LIMIT(channels, 0, 1024),
    LIMIT(table_blocks, 0, CS_OP_TABLE_BLOCKS_MAX),
    LIMIT(table_parts, 0, CS_OP_TABLE_BLOCKS_MAX),
    LIMIT(chunks, 0, CS_OP_TABLE_BLOCKS_MAX),
    LIMIT(shards, 0, CS_OP_TABLE_PARTIES_MAX),
    LIMIT(slices, 0, CS_OP_TABLE_BLOCKS_MAX),
    LIMIT(slice_bytes, 0, 1 << 24),
    LIMIT(threads, 0, 1024),
    LIMIT(depth, 0, 64),
    LIMIT(bytes, 1, (uint64_t)1 << 40),
};

bool cs_measured_ends(const struct cs_measured *measured, double *ends_s)
{
    const char *at = measured->ends_s;
    uint64_t rank;
    char *end;

    for (rank = 0; rank < measured->ranks && *at; rank++) {
        ends_s[rank] = strtod(at, &end);
        if (end == at || !isfinite(ends_s[rank]) || ends_s[rank] < 0 ||
            *end != (rank + 1 < measured->ranks ? ',' : '\0'))
            return false;
        at = end + (*end == ',');
    }
    return rank > 0 && rank == measured->ranks;
}

/* A late rank is one of the ranks, and each rank has an end. */
static int check_ends(const struct measured_reader *reader, const struct cs_measured *m)
{
    struct cs_arena arena = {0};
    double *ends_s = cs_arena_alloc(&arena, m->ranks, sizeof(*ends_s));
    bool good = !m->ends_s[0] || cs_measured_ends(m, ends_s);

    cs_arena_free(&arena);
    if (m->delay_rank >= m->ranks)
        return COMPLAIN(reader, "\"delay_rank\": %llu of %llu ranks",
                        (unsigned long long)m->delay_rank, (unsigned long long)m->ranks);
    return good ? 0 : COMPLAIN(reader, "\"ends_s\" is not a time for each rank");
}

static int check_limits(const struct measured_reader *reader, const struct cs_measured *m)
{
    size_t i;

    for (i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
        uint64_t value;

        memcpy(&value, (const char *)m + limits[i].offset, sizeof(value));
        if (value < limits[i].least || value > limits[i].most)
            return COMPLAIN(reader, "\"%s\": %llu; expected %llu to %llu", limits[i].key,
                            (unsigned long long)value, (unsigned long long)limits[i].least,
                            (unsigned long long)limits[i].most);
    }
    return check_ends(reader, m);
}

static int check_dtype(const struct measured_reader *reader, const struct cs_measured *m)
{
    static const char *const names[] = {"fp32", "fp16"};
    uint32_t each = cs_same(m->dtype, "fp16") ? 2 : 4;

    if (!cs_same(m->dtype, "fp32") && !cs_same(m->dtype, "fp16"))
        return COMPLAIN(reader, "\"dtype\": '%.40s'%s", m->dtype,
                        cs_hint(m->dtype, names, 2, "expected fp32 or fp16").text);
    if (m->bytes % each)
        return COMPLAIN(reader, "\"bytes\": %llu is not a multiple of %u, the size of %s",
                        (unsigned long long)m->bytes, each, m->dtype);
    return 0;
}

/* Checks the keys that a kind requires; a line without a time needs fewer. */
static int measured_check(const struct measured_reader *reader, const struct cs_measured *m)
{
    bool none = m->skipped[0] || m->failed[0] || m->unknown[0];
    bool streams = m->kind == CS_MEASURED_STREAM;
    bool sent = m->kind == CS_MEASURED_RUN || m->kind == CS_MEASURED_PINGPONG ||
                m->kind == CS_MEASURED_PREDICTED;
    int code;

    if (m->kind == CS_MEASURED_MACHINE || m->kind == CS_MEASURED_CALIBRATED)
        return 0;
    if (!none && !(m->time_s > 0))
        return COMPLAIN(reader, "\"time_s\" is missing or 0");
    if (streams && (m->blocks == 0 || m->bytes == 0 || m->slice_bytes == 0))
        return COMPLAIN(reader, "\"blocks\", \"bytes\" or \"slice_bytes\" is missing");
    if (m->kind == CS_MEASURED_GRAPH && m->copies == 0)
        return COMPLAIN(reader, "\"copies\" is missing or 0");
    if (sent && (m->ranks == 0 || m->bytes == 0))
        return COMPLAIN(reader, "\"ranks\" or \"bytes\" is missing");
    if (m->kind == CS_MEASURED_RUN && !none &&
        (m->channels == 0 || !m->algorithm[0] || !m->dtype[0]))
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

    *measured = (struct cs_measured){.file = line.file,
                                     .line = line.line,
                                     .algorithm = "",
                                     .dtype = "",
                                     .skipped = "",
                                     .failed = "",
                                     .date = "",
                                     .commit = "",
                                     .calibration = "",
                                     .inputs = "",
                                     .unknown = "",
                                     .ends_s = "",
                                     .hash = cs_op_table_hash(line.text, line.length),
                                     .table = ""};
    code = cs_yaml_read_text(text, &doc, arena, &why);
    if (code)
        return measured_refuse_syntax(&reader, text, &why);
    if (doc.nodes[0].kind != CS_DOC_MAP)
        return COMPLAIN(&reader, "not a measurement: expected a JSON object");
    code = measured_read_kind(&reader, measured);
    if (!code)
        code = read_fields(&reader, measured);
    return code ? code : measured_check(&reader, measured);
}

/* ---- files ---- */

static bool is_empty(const char *text, size_t length)
{
    while (length > 0 && strchr(" \t\r", *text) && *text) {
        text++;
        length--;
    }
    return length == 0;
}

static int measured_append(struct cs_measured_line line, struct cs_arena *arena,
                           struct cs_measurements *all, struct cs_err *err)
{
    if (is_empty(line.text, line.length))
        return 0;
    if (all->count == LINES_MAX)
        return cs_err_at(err, CS_EINPUT, line.file, line.line, "more than %d measurements",
                         LINES_MAX);
    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 64;
        all->items = cs_grow(all->items, all->capacity, sizeof(*all->items));
    }
    return cs_measured_read_line(line, arena, &all->items[all->count++], err);
}

/* Takes a wrong result or a failure; a line that cannot be read may be cut short
 * by the failed step, so the line is skipped. */
static int append_failed(struct cs_measured_line line, struct cs_arena *arena,
                         struct cs_measurements *all, struct cs_err *err)
{
    struct cs_err why = {0};
    size_t before = all->count;
    int code = measured_append(line, arena, all, &why);
    const struct cs_measured *last = all->count > before ? &all->items[before] : NULL;

    if (code && !last) {
        *err = why;
        return code;
    }
    if (last && (code || last->kind != CS_MEASURED_RUN || !(last->failed[0] || last->wrong > 0)))
        all->count = before;
    return 0;
}

typedef int append_fn(struct cs_measured_line line, struct cs_arena *arena,
                      struct cs_measurements *all, struct cs_err *err);

static int read_lines(const char *path, append_fn *take, struct cs_arena *arena,
                      struct cs_measurements *all, struct cs_err *err)
{
    struct cs_text text = {0};
    struct cs_measured_line line = {.file = cs_arena_text(arena, path)};
    int code = cs_file_read(path, FILE_BYTES_MAX, &text, err);
    const char *at = cs_text_str(&text);
    const char *end = at + text.length;

    while (!code && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));

        line.line++;
        line.text = at;
        line.length = (size_t)((newline ? newline : end) - at);
        code = take(line, arena, all, err);
        at = newline ? newline + 1 : end;
    }
    cs_text_free(&text);
    return code;
}

int cs_measurements_read(const char *path, struct cs_arena *arena, struct cs_measurements *all,
                         struct cs_err *err)
{
    return read_lines(path, measured_append, arena, all, err);
}

int cs_measurements_read_failed(const char *path, struct cs_arena *arena,
                                struct cs_measurements *all, struct cs_err *err)
{
    return read_lines(path, append_failed, arena, all, err);
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
    struct cs_arena arena = {0};
    struct cs_measured **order = cs_arena_alloc(&arena, all->count, sizeof(struct cs_measured *));
    bool *copy = cs_arena_alloc(&arena, all->count, sizeof(*copy));
    size_t kept = 0;
    size_t dropped;
    size_t i;

    for (i = 0; i < all->count; i++)
        order[i] = &all->items[i];
    if (all->count > 0)
        qsort(order, all->count, sizeof(*order), by_hash);
    for (i = 1; i < all->count; i++)
        copy[order[i] - all->items] = order[i]->hash != 0 && order[i]->hash == order[i - 1]->hash;
    for (i = 0; i < all->count; i++)
        if (!copy[i])
            all->items[kept++] = all->items[i];
    dropped = all->count - kept;
    all->count = kept;
    cs_arena_free(&arena);
    return dropped;
}

void cs_measurements_free(struct cs_measurements *all)
{
    free(all->items);
    *all = (struct cs_measurements){0};
}
