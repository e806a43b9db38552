/*
 * Traces in Chakra's format (MLCommons), a file per rank.
 *
 * The file has durations and dependencies, seldom starts.  Without starts the
 * measured step is the schedule of the measured durations: a node starts after
 * its dependencies and after the previous node of the stream, in the order of
 * ids.  Nodes of the host take no time, and pass dependencies on.  A collective
 * joins the machine's ranks: Chakra has no list of ranks.
 * comm_size is taken as the size in nccl-tests.
 */
#include "scenarios/trace/chakra_nodes.h"
#include "sim/base/collections/heap.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The nodes in an order by dependencies, the least id first. */
struct chakra_schedule {
    const struct cs_chakra_nodes *nodes;
    struct cs_trace *trace;
    uint32_t *by_id;              /* indices of nodes, sorted by id */
    uint32_t *waiting;            /* unfinished dependencies of a node */
    uint32_t *users, *first_user; /* nodes that depend on a node */
    uint64_t *order;              /* of a node, from 1; 0: not placed */
    double *end_s;
    struct cs_heap ready;
    bool has_starts;
};

/* ---- ids ---- */

struct chakra_id {
    uint64_t id;
    uint32_t node;
};

static int chakra_compare_ids(const void *a, const void *b)
{
    const struct chakra_id *x = a, *y = b;

    return CS_ORDER({x->id, y->id}, {x->node, y->node});
}

static int chakra_sort(struct chakra_schedule *schedule, const char *path, struct cs_err *err)
{
    const struct cs_chakra_nodes *nodes = schedule->nodes;
    struct chakra_id *ids = cs_grow(NULL, nodes->count, sizeof(*ids));
    int code = 0;

    for (uint32_t n = 0; n < nodes->count; n++)
        ids[n] = (struct chakra_id){nodes->nodes[n].id, n};
    qsort(ids, nodes->count, sizeof(*ids), chakra_compare_ids);
    for (uint32_t n = 0; n < nodes->count; n++) {
        schedule->by_id[n] = ids[n].node;
        if (n && ids[n].id == ids[n - 1].id && !code)
            code = cs_err_at(err, CS_EINPUT, path, 0, "two nodes with id %llu",
                             (unsigned long long)ids[n].id);
    }
    free(ids);
    return code;
}

/* The node of an id, or CS_TRACE_NONE. */
static uint32_t chakra_find(const struct chakra_schedule *schedule, uint64_t id)
{
    uint32_t low = 0, high = schedule->nodes->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (schedule->nodes->nodes[schedule->by_id[middle]].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < schedule->nodes->count && schedule->nodes->nodes[schedule->by_id[low]].id == id
               ? schedule->by_id[low]
               : CS_TRACE_NONE;
}

/* ---- dependencies ---- */

/* The node of a dependency; CS_TRACE_NONE: not used. */
static uint32_t chakra_on(const struct chakra_schedule *schedule, uint32_t dep, bool with_control)
{
    const struct cs_chakra_dep *on = &schedule->nodes->deps[dep];

    return on->is_control && !with_control ? CS_TRACE_NONE : chakra_find(schedule, on->id);
}

/* Counts, and then lists, the users of each node. */
static void chakra_link(struct chakra_schedule *schedule, bool with_control)
{
    const struct cs_chakra_nodes *nodes = schedule->nodes;
    uint32_t *next = cs_grow(NULL, (size_t)nodes->count + 1, sizeof(*next));

    memset(schedule->waiting, 0, nodes->count * sizeof(uint32_t));
    memset(schedule->first_user, 0, ((size_t)nodes->count + 1) * sizeof(uint32_t));
    for (uint32_t n = 0; n < nodes->count; n++)
        for (uint32_t d = 0; d < nodes->nodes[n].deps; d++) {
            uint32_t on = chakra_on(schedule, nodes->nodes[n].first + d, with_control);

            if (on == CS_TRACE_NONE)
                continue;
            schedule->first_user[on + 1]++;
            schedule->waiting[n]++;
        }
    for (uint32_t n = 0; n < nodes->count; n++)
        schedule->first_user[n + 1] += schedule->first_user[n];
    memcpy(next, schedule->first_user, nodes->count * sizeof(*next));
    for (uint32_t n = 0; n < nodes->count; n++)
        for (uint32_t d = 0; d < nodes->nodes[n].deps; d++) {
            uint32_t on = chakra_on(schedule, nodes->nodes[n].first + d, with_control);

            if (on != CS_TRACE_NONE)
                schedule->users[next[on]++] = n;
        }
    free(next);
}

/* Nodes in cycles of dependencies, or behind cycles. */
static uint32_t chakra_cyclic(const struct chakra_schedule *schedule)
{
    uint32_t count = schedule->nodes->count, placed = 0, ready = 0;
    uint32_t *waiting = cs_grow(NULL, count, sizeof(*waiting));
    uint32_t *queue = cs_grow(NULL, count, sizeof(*queue));

    memcpy(waiting, schedule->waiting, count * sizeof(*waiting));
    for (uint32_t n = 0; n < count; n++)
        if (!waiting[n])
            queue[ready++] = n;
    while (placed < ready) {
        uint32_t n = queue[placed++];

        for (uint32_t u = schedule->first_user[n]; u < schedule->first_user[n + 1]; u++)
            if (--waiting[schedule->users[u]] == 0)
                queue[ready++] = schedule->users[u];
    }
    free(waiting);
    free(queue);
    return count - placed;
}

/* Counts missing nodes.  Control dependencies that close cycles are not used, as
 * Chakra's own feeder. */
static int chakra_depend(struct chakra_schedule *schedule, const char *path, struct cs_err *err)
{
    uint32_t cyclic;

    chakra_link(schedule, true);
    cyclic = chakra_cyclic(schedule);
    schedule->trace->gaps.control_dropped = cyclic > 0;
    if (cyclic) {
        chakra_link(schedule, false);
        cyclic = chakra_cyclic(schedule);
    }
    for (uint32_t d = 0; d < schedule->nodes->dep_count; d++)
        schedule->trace->gaps.dangling +=
            (!schedule->nodes->deps[d].is_control || !schedule->trace->gaps.control_dropped) &&
            chakra_on(schedule, d, true) == CS_TRACE_NONE;
    return cyclic ? cs_err_at(err, CS_EINPUT, path, 0, "%u nodes depend on each other in a cycle",
                              cyclic)
                  : 0;
}

/* ---- calls ---- */

static const struct cs_collective *chakra_collective(uint64_t comm_type)
{
    static const char *const names[] = {
        "all-reduce", "reduce",     "all-gather",     "gather",         "scatter",
        "broadcast",  "all-to-all", "reduce-scatter", "reduce-scatter", "all-reduce",
    };

    return comm_type < sizeof(names) / sizeof(*names) ? cs_collective_find(names[comm_type]) : NULL;
}

static bool chakra_is_pair(const struct cs_chakra_node *node)
{
    return node->type == CS_CHAKRA_SEND || node->type == CS_CHAKRA_RECEIVE;
}

static bool chakra_communicates(const struct cs_chakra_node *node)
{
    return node->type == CS_CHAKRA_COLLECTIVE || chakra_is_pair(node);
}

/* A group of size 0 has the machine's ranks. */
static enum cs_trace_reason chakra_call(const struct chakra_schedule *schedule,
                                        const struct cs_chakra_node *node,
                                        struct cs_trace_call *call)
{
    uint32_t rank = schedule->trace->origin.rank;
    uint32_t pair[2] = {rank, (uint32_t)node->peer};

    if (node->is_host)
        return CS_LEFT_HOST;
    if (node->comm_type == CS_TRACE_NONE)
        return CS_LEFT_NO_RECORD;
    call->collective = chakra_is_pair(node) ? cs_collective_find("send-receive")
                                            : chakra_collective(node->comm_type);
    if (!call->collective)
        return CS_LEFT_UNKNOWN;
    if (!node->comm_bytes)
        return CS_LEFT_EMPTY;
    if (chakra_is_pair(node) && (node->peer == CS_TRACE_NONE || node->peer == rank))
        return CS_LEFT_INCOMPLETE;
    if (pair[1] < pair[0]) {
        pair[0] = pair[1];
        pair[1] = rank;
    }
    call->bytes = node->comm_bytes;
    call->group = cs_trace_group_of(schedule->trace, pair, chakra_is_pair(node) ? 2 : 0);
    return CS_LEFT_REASONS;
}

/* ---- events ---- */

static enum cs_trace_kind chakra_kind(struct chakra_schedule *schedule,
                                      const struct cs_chakra_node *node,
                                      struct cs_trace_event *event)
{
    struct cs_trace *trace = schedule->trace;
    struct cs_trace_call call;
    enum cs_trace_reason reason;

    if (!chakra_communicates(node))
        return node->is_host ? CS_TRACE_HOST : CS_TRACE_COMPUTE;
    trace->gaps.records++;
    reason = chakra_call(schedule, node, &call);
    if (reason == CS_LEFT_REASONS) {
        event->call = cs_trace_add_call(trace, call);
        return CS_TRACE_COLLECTIVE;
    }
    trace->gaps.left_out[reason]++;
    return node->is_host ? CS_TRACE_HOST : CS_TRACE_FIXED;
}

/* The end of the last event of each stream.  Numbers of streams are arbitrary and
 * few, hence a search. */
struct chakra_streams {
    uint32_t *numbers;
    double *end_s;
    uint32_t count;
};

static double *chakra_stream(struct chakra_streams *streams, uint32_t number)
{
    uint32_t s = 0;

    while (s < streams->count && streams->numbers[s] != number)
        s++;
    if (s == streams->count) {
        streams->numbers = cs_grow(streams->numbers, s + 1, sizeof(*streams->numbers));
        streams->end_s = cs_grow(streams->end_s, s + 1, sizeof(double));
        streams->numbers[s] = number;
        streams->end_s[s] = 0;
        streams->count++;
    }
    return &streams->end_s[s];
}

/* Without a stream in the file: a stream each for kernels, collectives, sends
 * and receives. */
static uint32_t chakra_channel(const struct cs_chakra_node *node)
{
    if (node->stream != CS_TRACE_NONE)
        return node->stream;
    return node->type >= CS_CHAKRA_SEND && node->type <= CS_CHAKRA_COLLECTIVE ? (uint32_t)node->type
                                                                              : 0;
}

static void chakra_place(struct chakra_schedule *schedule, struct chakra_streams *streams,
                         uint32_t n, uint64_t order)
{
    const struct cs_chakra_node *node = &schedule->nodes->nodes[n];
    struct cs_trace_event *event = cs_trace_add_event(schedule->trace);
    double *stream_s = node->is_host ? NULL : chakra_stream(streams, chakra_channel(node));

    event->order = schedule->order[n] = order;
    event->channel = chakra_channel(node);
    event->kind = chakra_kind(schedule, node, event);
    event->duration_s = node->is_host ? 0 : (double)node->duration_us / 1e6;
    event->start_s = schedule->end_s[n]; /* of the dependencies */
    if (stream_s)
        event->start_s = fmax(event->start_s, *stream_s);
    if (schedule->has_starts && !node->is_host)
        event->start_s = (double)node->start_us / 1e6;
    schedule->end_s[n] = event->start_s + event->duration_s;
    if (stream_s)
        *stream_s = schedule->end_s[n];
}

static void chakra_release(struct chakra_schedule *schedule, uint32_t n)
{
    for (uint32_t u = schedule->first_user[n]; u < schedule->first_user[n + 1]; u++) {
        uint32_t user = schedule->users[u];

        schedule->end_s[user] = fmax(schedule->end_s[user], schedule->end_s[n]);
        cs_trace_add_dependency(schedule->trace, user, n);
        if (--schedule->waiting[user] == 0)
            cs_heap_add(
                &schedule->ready,
                (struct cs_heap_item){.key = schedule->nodes->nodes[user].id, .number = user});
    }
}

static void chakra_run(struct chakra_schedule *schedule)
{
    const struct cs_chakra_nodes *nodes = schedule->nodes;
    struct chakra_streams streams = {0};
    uint32_t placed = 0;

    for (uint32_t n = 0; n < nodes->count; n++)
        if (!schedule->waiting[n])
            cs_heap_add(&schedule->ready,
                        (struct cs_heap_item){.key = nodes->nodes[n].id, .number = n});
    while (schedule->ready.count) {
        uint32_t n = schedule->ready.items[0].number;

        cs_heap_remove(&schedule->ready, 0);
        chakra_place(schedule, &streams, n, ++placed);
        chakra_release(schedule, n);
    }
    free(streams.numbers);
    free(streams.end_s);
    for (uint32_t d = 0; d < schedule->trace->dependency_count; d++) {
        struct cs_trace_dependency *pair = &schedule->trace->dependencies[d];

        pair->order = schedule->order[pair->order];
        pair->after = schedule->order[pair->after];
    }
}

/* ---- the trace ---- */

static void chakra_open(struct chakra_schedule *schedule, struct cs_arena *arena)
{
    uint32_t count = schedule->nodes->count;
    bool has_times = false;

    schedule->by_id = cs_arena_alloc(arena, count, sizeof(uint32_t));
    schedule->waiting = cs_arena_alloc(arena, count, sizeof(uint32_t));
    schedule->first_user = cs_arena_alloc(arena, count + 1, sizeof(uint32_t));
    schedule->users = cs_arena_alloc(arena, schedule->nodes->dep_count, sizeof(uint32_t));
    schedule->order = cs_arena_alloc(arena, count, sizeof(uint64_t));
    schedule->end_s = cs_arena_alloc(arena, count, sizeof(double));
    schedule->ready.items = cs_arena_alloc(arena, count, sizeof(struct cs_heap_item));
    for (uint32_t n = 0; n < count; n++) {
        const struct cs_chakra_node *node = &schedule->nodes->nodes[n];

        has_times |= !node->is_host && node->duration_us > 0;
        schedule->has_starts |= !node->is_host && node->start_us > 0;
    }
    schedule->trace->gaps.scheduled = !schedule->has_starts;
    schedule->trace->gaps.untimed = !has_times;
}

/* "trace.3.et" is rank 3; "et3" states none. */
static void chakra_rank(const char *path, struct cs_trace_origin *origin)
{
    const char *end = strrchr(path, '.');
    const char *from = end;

    while (from && from > path && from[-1] >= '0' && from[-1] <= '9')
        from--;
    origin->is_ranked = from && from < end && from > path && from[-1] == '.';
    if (origin->is_ranked)
        origin->rank = (uint32_t)strtoul(from, NULL, 10);
}

static int chakra_schedule(const struct cs_trace_file *file, const struct cs_chakra_nodes *nodes,
                           struct cs_trace *trace, struct cs_err *err)
{
    struct chakra_schedule schedule = {.nodes = nodes, .trace = trace};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    int code;

    trace->gaps.truncated = nodes->truncated;
    trace->bytes = nodes->bytes;
    trace->file_events = nodes->count;
    chakra_rank(file->path, &trace->origin);
    if (!nodes->count)
        return cs_err_at(err, CS_EINPUT, file->path, 0, "no nodes in the execution trace");
    chakra_open(&schedule, &arena);
    code = chakra_sort(&schedule, file->path, err);
    if (!code)
        code = chakra_depend(&schedule, file->path, err);
    if (!code)
        chakra_run(&schedule);
    return code;
}

static int chakra_read(const struct cs_trace_file *file, struct cs_trace *trace, struct cs_err *err)
{
    CS_AT_END(cs_chakra_nodes_free) struct cs_chakra_nodes nodes;
    int code = cs_chakra_nodes_read(file, &nodes, err);

    return code ? code : chakra_schedule(file, &nodes, trace, err);
}

/* A short first message with a version, or attributes, as the first member. */
static bool chakra_recognises(const char *start, size_t length)
{
    size_t i = 0;

    while (i < length && i < 3 && (unsigned char)start[i] & 0x80)
        i++;
    return i + 1 < length && (unsigned char)start[i] < 0x80 &&
           (start[i + 1] == 0x0a || start[i + 1] == 0x12) && (unsigned char)start[0] != 0x1f;
}

const struct cs_trace_format cs_trace_chakra = {
    .name = "chakra",
    .about = "a Chakra execution trace of MLCommons, one rank (.et)",
    .recognises = chakra_recognises,
    .read = chakra_read,
};
