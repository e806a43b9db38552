#include "scenarios/trace/on_machine.h"

#include "algorithms/libraries/profile.h"
#include "scenarios/train/stages/group.h"

#include <math.h>
#include <stdlib.h>

/* Ranks of the measured job: as recorded, or the most that groups show. */
static uint32_t trace_world(const struct cs_trace *trace)
{
    uint32_t world = trace->origin.world;

    for (uint32_t g = 0; g < trace->group_count && !trace->origin.world; g++) {
        const struct cs_trace_group *group = &trace->groups[g];

        for (uint32_t r = 0; r < group->size; r++)
            if (group->ranks[r] >= world && group->ranks[r] < CS_TRACE_NONE)
                world = group->ranks[r] + 1;
    }
    return world;
}

/* ---- groups ---- */

static uint32_t group_distance(const struct cs_trace_group *group)
{
    return group->size > 1 && group->ranks[1] > group->ranks[0] ? group->ranks[1] - group->ranks[0]
                                                                : 1;
}

/* The size of a group on a machine of `ranks`; 0 with an error. */
static uint32_t group_size_on(const struct cs_trace *trace, const struct cs_trace_group *group,
                              uint32_t ranks, struct cs_err *err)
{
    uint32_t world = trace_world(trace), distance = group_distance(group);
    uint64_t reach = (uint64_t)distance * (group->size - 1) + 1;

    if (!group->size)
        return ranks;
    if (world != ranks && (uint64_t)distance * group->size == world) {
        if (ranks % distance == 0 && ranks > distance)
            return ranks / distance;
        cs_err_set(err, CS_EINPUT,
                   "the trace has groups of ranks %u apart, which do not divide %u ranks; expected "
                   "a multiple of %u",
                   distance, ranks, distance);
        return 0;
    }
    if (reach <= ranks)
        return group->size;
    cs_err_set(err, CS_EINPUT,
               "a group of the trace has %u ranks, %u apart, and the machine %u; give a machine of "
               "%u ranks",
               group->size, distance, ranks, world);
    return 0;
}

/* A pair or a group that crosses a node's border meets over adapters, where the
 * machine has as many nodes. */
static struct cs_site group_site_on(const struct cs_trace_machine *machine,
                                    const struct cs_trace_group *group, uint32_t size)
{
    uint32_t node = machine->site->node_ranks ? machine->site->node_ranks : 1;
    uint32_t distance = group_distance(group);
    uint32_t widest = machine->site->ranks / size;
    bool crosses = size == group->size && group->ranks[0] / node != group->ranks[size - 1] / node;

    if (crosses && (uint64_t)distance * size <= node)
        distance = widest < node ? widest : node;
    return cs_train_group_site(machine->site, (struct cs_train_group){distance, size});
}

/* ---- rows ---- */

static int row_find(const struct cs_trace_rows *rows, const struct cs_trace_row *wanted)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct cs_trace_row *row = &rows->rows[i];

        if (row->collective == wanted->collective && row->bytes == wanted->bytes &&
            row->group == wanted->group)
            return (int)i;
    }
    return -1;
}

/* By the engine of the machine, or else by the library's choice. */
static bool row_time(const struct cs_trace_machine *machine, struct cs_library_request *request,
                     struct cs_trace_rows *rows, struct cs_library_time *time)
{
    request->engine = machine->engine;
    if (machine->engine && !machine->library->time(request, time, &rows->refusal)) {
        rows->forced++;
        return true;
    }
    request->engine = NULL;
    return !machine->library->time(request, time, &rows->refusal);
}

/* The time of one call of the row; measured where the library refuses. */
static int row_predict(const struct cs_trace *trace, const struct cs_trace_machine *machine,
                       struct cs_trace_rows *rows, struct cs_trace_row *row, struct cs_err *err)
{
    const struct cs_trace_group *group = &trace->groups[row->group];
    double scale = machine->size_scale > 0 ? machine->size_scale : 1;
    struct cs_library_time time;
    struct cs_library_request request = {
        .collective = row->collective,
        .bytes = (uint64_t)ceil((double)row->bytes * scale),
        .version = machine->version,
        .device_buffers = machine->site->maker != CS_MAKER_HOST,
        .effects = CS_EFFECTS_ALL,
    };
    struct cs_site site;

    row->measured_ranks = group->size;
    row->ranks = group_size_on(trace, group, machine->site->ranks, err);
    if (!row->ranks)
        return err->code;
    site = group_site_on(machine, group, row->ranks);
    request.site = &site;
    cs_profile_apply(machine->profile, &request);
    if (!row_time(machine, &request, rows, &time))
        return 0;
    row->engine = time.engine;
    row->predicted_s = time.total_s;
    return 0;
}

static struct cs_trace_row *row_add(struct cs_trace_rows *rows, const struct cs_trace_row *row)
{
    rows->rows = cs_trace_room(rows->rows, rows->count, sizeof(*rows->rows));
    rows->rows[rows->count] = *row;
    return &rows->rows[rows->count++];
}

/* While calls are added, predicted_s is of one call; the sum is made at the
 * end. */
static int rows_add_event(const struct cs_trace *trace, const struct cs_trace_machine *machine,
                          struct cs_trace_rows *rows, uint32_t event, double *call_s,
                          struct cs_err *err)
{
    uint32_t c = trace->events[event].call;
    const struct cs_trace_call *call = &trace->calls[c];
    struct cs_trace_row wanted = {
        .collective = call->collective, .bytes = call->bytes, .group = call->group};
    int at = row_find(rows, &wanted);
    struct cs_trace_row *row;

    if (at < 0 && row_predict(trace, machine, rows, &wanted, err))
        return err->code;
    row = at < 0 ? row_add(rows, &wanted) : &rows->rows[at];
    row->count++;
    row->measured_s += trace->events[event].duration_s;
    rows->refused += !row->engine;
    call_s[c] = row->engine ? row->predicted_s : trace->events[event].duration_s;
    return 0;
}

static int row_compare(const void *a, const void *b)
{
    const struct cs_trace_row *x = a, *y = b;

    if (x->measured_s != y->measured_s)
        return x->measured_s > y->measured_s ? -1 : 1;
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

/* Groups of equal size and reach differ in ranks only: one row for people. */
static void rows_merge(struct cs_trace_rows *rows)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < rows->count; i++) {
        const struct cs_trace_row *row = &rows->rows[i];
        uint32_t k = 0;

        while (k < kept &&
               !(rows->rows[k].collective == row->collective && rows->rows[k].bytes == row->bytes &&
                 rows->rows[k].ranks == row->ranks && rows->rows[k].engine == row->engine))
            k++;
        if (k == kept) {
            rows->rows[kept++] = *row;
            continue;
        }
        rows->rows[k].count += row->count;
        rows->rows[k].measured_s += row->measured_s;
        rows->rows[k].predicted_s += row->predicted_s;
    }
    rows->count = kept;
}

int cs_trace_predict(const struct cs_trace *trace, const struct cs_trace_machine *machine,
                     double *call_s, struct cs_trace_rows *rows, struct cs_err *err)
{
    uint64_t calls = 0;
    int code = 0;

    *rows = (struct cs_trace_rows){0};
    for (uint32_t e = 0; e < trace->event_count && !code; e++) {
        if (trace->events[e].kind != CS_TRACE_COLLECTIVE)
            continue;
        code = rows_add_event(trace, machine, rows, e, call_s, err);
        calls++;
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        struct cs_trace_row *row = &rows->rows[i];

        row->predicted_s = row->engine ? row->predicted_s * (double)row->count : row->measured_s;
    }
    if (!code && calls && (rows->refused == calls || (machine->engine && !rows->forced)))
        code = cs_err_set(err, CS_EINPUT, "%s", rows->refusal.text);
    rows_merge(rows);
    if (rows->count)
        qsort(rows->rows, rows->count, sizeof(*rows->rows), row_compare);
    return code;
}

void cs_trace_rows_free(struct cs_trace_rows *rows)
{
    free(rows->rows);
    *rows = (struct cs_trace_rows){0};
}
