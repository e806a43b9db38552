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

void cs_placement_round_robin(const struct cs_graph *graph, uint32_t *order)
{
    struct cs_arena scratch = {0};
    uint32_t ranks = graph->rank_count;
    uint32_t hosts = 0;
    uint32_t *taken, *turn, *start;

    for (uint32_t r = 0; r < ranks; r++)
        hosts = placement_host_of(graph, r) >= hosts
                    ? placement_host_of(graph, r) + 1
                    : hosts;
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
    cs_arena_free(&scratch);
}

/* Who sits on each device. */
struct seating {
    const struct cs_graph *graph;
    const char *path;
    struct cs_names names; /* of the ranks' devices: the rank */
    uint32_t *order;
    uint32_t *line; /* rank: where it was named, 0: not yet */
    uint32_t count; /* named so far */
};

static int placement_take(struct seating *seating, const char *name,
                          uint32_t line, struct cs_err *err)
{
    uint32_t rank = cs_names_find(&seating->names, name);

    if (rank == CS_NO_NAME)
        return cs_err_at(
            err, CS_EINPUT, seating->path, line,
            "'%.60s' is no device of a rank of '%s', as '%s' is", name,
            seating->graph->name,
            seating->graph->devices[seating->graph->rank_device[0]].name);
    if (seating->line[rank])
        return cs_err_at(err, CS_EINPUT, seating->path, line,
                         "'%s' is a duplicate of line %u", name,
                         seating->line[rank]);
    seating->line[rank] = line;
    seating->order[seating->count++] = rank;
    return 0;
}

/* The text is cut up. */
static int take_lines(struct seating *seating, char *text, struct cs_err *err)
{
    uint32_t line = 0;
    int code = 0;

    while (*text && !code) {
        size_t length = strcspn(text, "\n");
        char *next = text + length + (text[length] == '\n');

        text[length] = '\0';
        text[strcspn(text, "#")] = '\0';
        text += strspn(text, " \t\r");
        for (length = strlen(text);
             length > 0 && strchr(" \t\r", text[length - 1]); length--)
            text[length - 1] = '\0';
        line++;
        if (*text)
            code = placement_take(seating, text, line, err);
        text = next;
    }
    return code;
}

static int placement_read_slots(struct seating *seating,
                                struct cs_arena *scratch, struct cs_err *err)
{
    const struct cs_graph *graph = seating->graph;
    struct cs_text text = {0};
    int code = cs_file_read(seating->path, FILE_BYTES_MAX, &text, err);

    cs_names_init(&seating->names, scratch, graph->rank_count);
    for (uint32_t r = 0; r < graph->rank_count; r++)
        (void)cs_names_add(&seating->names,
                           graph->devices[graph->rank_device[r]].name, r);
    seating->line =
        cs_arena_alloc(scratch, graph->rank_count, sizeof(*seating->line));
    if (!code && strlen(cs_text_str(&text)) != text.length)
        code = cs_err_at(err, CS_EINPUT, seating->path, 0,
                         "a zero byte; expected names of devices");
    if (!code)
        code = take_lines(seating, text.data ? text.data : (char[]){'\0'}, err);
    if (!code && seating->count < graph->rank_count)
        code = cs_err_at(err, CS_EINPUT, seating->path, 0,
                         "%u devices for %u ranks", seating->count,
                         graph->rank_count);
    cs_text_free(&text);
    return code;
}

int cs_placement_read(const char *path, const struct cs_graph *graph,
                      uint32_t *order, struct cs_err *err)
{
    struct cs_arena scratch = {0};
    struct seating seating = {.graph = graph, .path = path};
    int code;

    seating.order = order;
    code = placement_read_slots(&seating, &scratch, err);

    cs_arena_free(&scratch);
    return code;
}
