#include "topo/placement/placement.h"

#include "sim/base/collections/name_index.h"
#include "sim/base/file.h"
#include "sim/base/text.h"

#include <string.h>

enum {
    FILE_BYTES_MAX = 64 << 20, /* 2^20 names of 64 letters */
};

static uint32_t placement_host_of(const struct cs_graph *graph, uint32_t rank)
{
    uint32_t host = graph->devices[graph->rank_device[rank]].host;

    return host == CS_NO_HOST ? 0 : host + 1;
}

/* A stable counting sort of the ranks by index within the host. */
void cs_placement_round_robin(const struct cs_graph *graph, uint32_t *order)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    uint32_t ranks = graph->rank_count, hosts = 0;
    uint32_t *taken, *turn, *start;

    for (uint32_t r = 0; r < ranks; r++)
        hosts = placement_host_of(graph, r) >= hosts ? placement_host_of(graph, r) + 1 : hosts;
    taken = cs_arena_alloc(&scratch, hosts, sizeof(*taken));
    turn = cs_arena_alloc(&scratch, ranks, sizeof(*turn));
    start = cs_arena_alloc(&scratch, (size_t)ranks + 1, sizeof(*start));
    for (uint32_t r = 0; r < ranks; r++) {
        turn[r] = taken[placement_host_of(graph, r)]++;
        start[turn[r] + 1]++;
    }
    for (uint32_t i = 0; i < ranks; i++)
        start[i + 1] += start[i];
    for (uint32_t r = 0; r < ranks; r++)
        order[start[turn[r]]++] = r;
}

/* The state of reading a placement file. */
struct placement_reader {
    const struct cs_graph *graph;
    const char *path;
    struct cs_names names; /* device name -> rank */
    uint32_t *order;
    uint32_t *line; /* rank -> line of the device; 0: not read yet */
    uint32_t count; /* devices read */
};

static int placement_take(struct placement_reader *reader, const char *name, uint32_t line,
                          struct cs_err *err)
{
    uint32_t rank = cs_names_find(&reader->names, name);

    if (rank == CS_NO_NAME)
        return cs_err_at(err, CS_EINPUT, reader->path, line,
                         "'%.60s' is not a device of a rank of '%s'; expected names such as '%s'",
                         name, reader->graph->name,
                         reader->graph->devices[reader->graph->rank_device[0]].name);
    if (reader->line[rank])
        return cs_err_at(err, CS_EINPUT, reader->path, line, "'%s' is a duplicate of line %u", name,
                         reader->line[rank]);
    reader->line[rank] = line;
    reader->order[reader->count++] = rank;
    return 0;
}

/* Modifies the text: lines, comments and trailing spaces are cut with NULs. */
static int take_lines(struct placement_reader *reader, char *text, struct cs_err *err)
{
    uint32_t line = 0;
    int code = 0;

    while (*text && !code) {
        size_t length = strcspn(text, "\n");
        char *next = text + length + (text[length] == '\n');

        text[length] = '\0';
        text[strcspn(text, "#")] = '\0';
        text += strspn(text, " \t\r");
        for (length = strlen(text); length > 0 && strchr(" \t\r", text[length - 1]); length--)
            text[length - 1] = '\0';
        line++;
        if (*text)
            code = placement_take(reader, text, line, err);
        text = next;
    }
    return code;
}

static int placement_read_slots(struct placement_reader *reader, struct cs_arena *scratch,
                                struct cs_err *err)
{
    const struct cs_graph *graph = reader->graph;
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = cs_file_read(reader->path, FILE_BYTES_MAX, &text, err);

    cs_names_init(&reader->names, scratch, graph->rank_count);
    for (uint32_t r = 0; r < graph->rank_count; r++)
        (void)cs_names_add(&reader->names, graph->devices[graph->rank_device[r]].name, r);
    reader->line = cs_arena_alloc(scratch, graph->rank_count, sizeof(*reader->line));
    if (!code && strlen(cs_text_str(&text)) != text.length)
        code = cs_err_at(err, CS_EINPUT, reader->path, 0, "a zero byte; expected names of devices");
    if (!code)
        code = take_lines(reader, text.data ? text.data : (char[]){'\0'}, err);
    if (!code && reader->count < graph->rank_count)
        code = cs_err_at(err, CS_EINPUT, reader->path, 0, "%u devices for %u ranks", reader->count,
                         graph->rank_count);
    return code;
}

int cs_placement_read(const char *path, const struct cs_graph *graph, uint32_t *order,
                      struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct placement_reader reader = {.graph = graph, .path = path};
    int code;

    reader.order = order;
    code = placement_read_slots(&reader, &scratch, err);

    return code;
}
