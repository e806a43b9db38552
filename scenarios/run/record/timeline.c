#include "scenarios/run/record/timeline.h"

#include "reports/results/runs_table.h"
#include "reports/timeline/timeline.h"
#include "scenarios/run/record/record.h"
#include "sim/base/divisor.h"
#include "sim/base/units.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    PARTIES_MAX = 1 << 14, /* ranks with threads */
    THREADS_MAX = 3 * PARTIES_MAX,
    POINTS_MAX = 1 << 16, /* of all links together: 6 MB of output */
    POINTS_MIN = 16,      /* of a link */
};

/* ---- the command line ---- */

int cs_run_timeline_check(const struct cs_scenario *scenario, struct cs_err *err)
{
    if (!scenario->trace)
        return 0;
    if (cs_case_count(scenario) > 1 || scenario->what_if)
        return cs_err_set(
            err, CS_EINPUT,
            "--trace draws a single run; give one algorithm, one size and one number of ranks");
    if (scenario->fold == CS_FOLD_ON)
        return cs_err_set(err, CS_EINPUT, "--trace requires every rank; leave --fold out");
    return cs_chrome_trace_check(scenario->trace, scenario->force, err);
}

/* ---- threads ---- */

static bool has_jobs(const struct cs_run *run)
{
    return run->which->scenario->other_jobs.count > 0;
}

static const struct cs_net *timeline_net(const struct cs_run *run)
{
    return has_jobs(run) ? &run->all_net : &run->net;
}

static uint32_t timeline_ranks(const struct cs_run *run)
{
    return has_jobs(run) ? run->all_ranks : run->program.ranks;
}

/* "rank 3 (n0.gpu3)", "server 0 (n0.cpu0)" */
static const char *party_name(const struct cs_run *run, uint32_t party)
{
    const struct cs_net *net = timeline_net(run);
    uint32_t node = cs_net_party_at(net, party).node;
    uint32_t ranks = timeline_ranks(run);
    const char *device =
        node < run->graph.device_count ? cs_graph_name(&run->graph, node, run->arena) : "";

    return cs_arena_printf(run->arena, "%s %u%s%s%s", party < ranks ? "rank" : "agent",
                           party < ranks ? party : party - ranks, *device ? " (" : "", device,
                           *device ? ")" : "");
}

/* The process of a party: its node, or the machine. */
static uint32_t party_process(struct cs_timeline *timeline, const struct cs_run *run,
                              uint32_t party, uint32_t *of_host, uint32_t *of_none)
{
    uint32_t node = cs_net_party_at(timeline_net(run), party).node;
    uint32_t host =
        node < run->graph.device_count ? cs_graph_device(&run->graph, node).host : CS_NO_HOST;
    uint32_t *process = host < run->graph.device_count ? &of_host[host] : of_none;

    if (*process == UINT32_MAX) {
        char name[32];

        (void)snprintf(name, sizeof(name), "node %u", host);
        *process = cs_timeline_process(timeline, process == of_none ? run->graph.name : name);
    }
    return *process;
}

static void add_threads(struct cs_run_timeline *timeline, const struct cs_run *run, uint32_t party,
                        uint32_t process)
{
    const char *name = party_name(run, party);
    struct cs_timeline *lines = &timeline->timeline;
    static const char *const kinds[] = {"sends", "receives"};

    for (size_t k = 0; k < 2; k++)
        for (uint32_t l = 0; l < timeline->lanes; l++)
            (void)cs_timeline_thread(
                lines, process,
                timeline->lanes > 1
                    ? cs_arena_printf(run->arena, "%s %s, lane %u", name, kinds[k], l)
                    : cs_arena_printf(run->arena, "%s %s", name, kinds[k]));
    (void)cs_timeline_thread(lines, process, cs_arena_printf(run->arena, "%s computes", name));
}

/* The names of all parties, behind one another. */
static uint32_t add_names(struct cs_run_timeline *timeline, const struct cs_run *run,
                          const char *category, const char *before)
{
    uint32_t first = (uint32_t)timeline->timeline.count.names;

    for (uint32_t p = 0; p < timeline->parties; p++)
        (void)cs_timeline_name(&timeline->timeline, category,
                               cs_arena_printf(run->arena, "%s %s", before, party_name(run, p)));
    return first;
}

void cs_run_timeline_open(struct cs_run_timeline *timeline, const struct cs_run *run)
{
    const struct cs_net *net = timeline_net(run);
    uint32_t *of_host = cs_arena_alloc(run->arena, run->graph.device_count, sizeof(*of_host));
    uint32_t of_none = UINT32_MAX;

    for (uint32_t d = 0; d < run->graph.device_count; d++)
        of_host[d] = UINT32_MAX;
    timeline->parties = net->party_count < PARTIES_MAX ? net->party_count : PARTIES_MAX;
    timeline->lanes = 1;
    if (!has_jobs(run) && (uint64_t)timeline->parties * run->program.lanes * 2 < THREADS_MAX)
        timeline->lanes = run->program.lanes;
    for (uint32_t p = 0; p < timeline->parties; p++)
        add_threads(timeline, run, p,
                    party_process(&timeline->timeline, run, p, of_host, &of_none));
    timeline->send_names = add_names(timeline, run, "send", "to");
    timeline->receive_names = add_names(timeline, run, "receive", "from");
    timeline->work_name =
        cs_timeline_name(&timeline->timeline, "compute", "reduce, copy or compute");
    cs_link_curve_open(&timeline->links, net->link_count, run->arena);
    if (timeline->parties < net->party_count)
        cs_timeline_note(
            &timeline->timeline,
            "ranks %u to %u are left out, with their messages; counters of links have all messages",
            timeline->parties, net->party_count - 1);
}

/* ---- the watch ---- */

static uint32_t thread_of(const struct cs_run_timeline *timeline, uint32_t party, uint32_t kind,
                          uint32_t lane)
{
    uint32_t lanes = timeline->lanes;

    return party * (2 * lanes + 1) + kind * lanes + (lanes > 1 ? lane : 0);
}

static void timeline_delivered(void *ctx, const struct cs_message *message, uint64_t at_ps)
{
    struct cs_run_timeline *timeline = ctx;
    uint64_t from_ps = message->sent_ps + message->wait_ps;
    uint64_t to_ps = at_ps - message->latency_ps;
    struct cs_timeline_span send = {
        .from_ps = message->sent_ps,
        .to_ps = at_ps,
        .bytes = message->bytes,
        .wait_ps = message->wait_ps,
    };
    struct cs_timeline_span receive = {
        /* The transfer, which ends with the last byte. */
        .from_ps = from_ps < to_ps ? from_ps + (at_ps - to_ps) : at_ps,
        .to_ps = at_ps,
        .bytes = message->bytes,
    };

    if (message->src >= timeline->parties || message->dst >= timeline->parties)
        return;
    send.thread = thread_of(timeline, message->src, 0, message->lane);
    send.name = timeline->send_names + message->dst;
    receive.thread = thread_of(timeline, message->dst, 1, message->lane);
    receive.name = timeline->receive_names + message->src;
    cs_timeline_message(&timeline->timeline, &send, &receive);
}

static void timeline_worked(void *ctx, uint32_t party, uint64_t from_ps, uint64_t to_ps)
{
    struct cs_run_timeline *timeline = ctx;

    if (party < timeline->parties && from_ps < to_ps)
        cs_timeline_span(&timeline->timeline,
                         &(struct cs_timeline_span){.from_ps = from_ps,
                                                    .to_ps = to_ps,
                                                    .thread = thread_of(timeline, party, 2, 0),
                                                    .name = timeline->work_name});
}

static void timeline_carried(void *ctx, const struct cs_message *message, const uint32_t *route,
                             const struct cs_service *services, uint64_t at_ps)
{
    struct cs_run_timeline *timeline = ctx;

    cs_link_curve_carried(&timeline->links, message, route, services, at_ps);
}

static void timeline_held(void *ctx, uint32_t party, uint64_t bytes, uint64_t at_ps)
{
    struct cs_run_timeline *timeline = ctx;

    cs_memory_curve_held(timeline->memory, party, bytes, at_ps);
}

struct cs_exec_watch cs_run_timeline_watch(struct cs_run_timeline *timeline)
{
    return (struct cs_exec_watch){
        .delivered = timeline_delivered,
        .carried = timeline_carried,
        .worked = timeline_worked,
        .held = timeline->memory ? timeline_held : NULL,
        .ctx = timeline,
    };
}

/* ---- counters ---- */

struct used_link {
    uint64_t bytes;
    uint32_t link;
};

static int compare_used(const void *left, const void *right)
{
    const struct used_link *a = left;
    const struct used_link *b = right;

    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? 1 : -1;
    return (a->link > b->link) - (a->link < b->link);
}

static int compare_links(const void *left, const void *right)
{
    const struct used_link *a = left;
    const struct used_link *b = right;

    return (a->link > b->link) - (a->link < b->link);
}

/* The links with messages: at most POINTS_MAX / POINTS_MIN, the busiest, in the
 * order of the machine. */
static uint32_t find_used(struct cs_run_timeline *timeline, const struct cs_run *run,
                          struct used_link *used)
{
    uint32_t count = 0;

    for (uint32_t l = 0; l < timeline->links.link_count; l++)
        if (timeline->links.bytes[l])
            used[count++] = (struct used_link){run->result.use[l].bytes, l};
    if (count <= POINTS_MAX / POINTS_MIN)
        return count;
    qsort(used, count, sizeof(*used), compare_used);
    cs_timeline_note(&timeline->timeline, "counters of the %d busiest of %u links with messages",
                     POINTS_MAX / POINTS_MIN, count);
    count = POINTS_MAX / POINTS_MIN;
    qsort(used, count, sizeof(*used), compare_links);
    return count;
}

/* The rates of a link in GB/s, `merged` points of the curve as one. */
static void add_gauge(struct cs_run_timeline *timeline, const struct cs_run *run, uint32_t link,
                      uint32_t merged, uint32_t process)
{
    const struct cs_link_curve *curve = &timeline->links;
    uint32_t points = (uint32_t)cs_divide_up(curve->points, merged);
    double *values = cs_arena_alloc(run->arena, points, sizeof(*values));
    double interval_s = (double)(curve->interval_ps * merged) * 1e-12;

    for (uint32_t p = 0; p < curve->points; p++)
        values[p / merged] += curve->bytes[link][p] / interval_s / 1e9;
    cs_timeline_gauge(&timeline->timeline,
                      &(struct cs_timeline_gauge){.name = cs_run_link_name(run, link),
                                                  .unit = "GB/s",
                                                  .values = values,
                                                  .interval_ps = curve->interval_ps * merged,
                                                  .process = process,
                                                  .points = points});
}

void cs_run_timeline_close(struct cs_run_timeline *timeline, const struct cs_run *run)
{
    struct used_link *used = cs_arena_alloc(run->arena, timeline->links.link_count, sizeof(*used));
    uint32_t count, merged = 1, process;

    cs_link_curve_close(&timeline->links, run->result.time_ps);
    count = find_used(timeline, run, used);
    process = cs_timeline_process(&timeline->timeline, "links");
    while (count * (CS_LINK_POINTS / merged) > POINTS_MAX)
        merged *= 2;
    for (uint32_t u = 0; u < count; u++)
        add_gauge(timeline, run, used[u].link, merged, process);
    if (run->machine->transport.launch_ps) {
        cs_timeline_note(&timeline->timeline, "the launch, %s, precedes time 0",
                         cs_show_time(run->machine->transport.launch_ps).text);
    }
}

/* ---- the file ---- */

int cs_run_timeline_write(const struct cs_scenario *scenario, const struct cs_record *record,
                          struct cs_run_timeline *timeline, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text title = {0};

    cs_runs_table_title(record, 1, &title);
    cs_text_printf(&title, ", %s", record->algorithm);
    timeline->timeline.title = cs_text_str(&title);
    return cs_chrome_trace_save(&timeline->timeline, scenario->trace, err);
}

void cs_run_timeline_free(struct cs_run_timeline *timeline)
{
    cs_timeline_free(&timeline->timeline);
}
