/*
 * Links that go down and come up again while collectives run: every rank ends,
 * what is lost is sent again, and every device passes on what it gets.
 */
#include "topo/placement/fault.h"

#include "tests/fixture.h"

enum {
    TRIALS = 60,
    FAULTS = 3,
    TIMES_MAX = 2 * FAULTS,
    CHOICES = 4, /* of each of these: */
};

static const char *const machines[CHOICES] = {"dgx-1", "pcie-4gpu", "ndv2", "mi300x"};
static const char *const algos[CHOICES] = {"ring", "direct", "recursive-doubling", "multi-ring"};
static const char *const models[CHOICES] = {"fifo", "postal", "fluid", "packet"};

struct trial {
    struct cs_arena arena;
    struct cs_random *random;
    const char *machine, *model;
    uint32_t number;
    struct machine healthy;
    struct cs_call call;
    struct cs_program program;
    struct cs_fault faults[TIMES_MAX];
    struct cs_net nets[TIMES_MAX];
    struct cs_net_change changes[TIMES_MAX];
    uint32_t count;
    uint64_t failover_ps;
};

static void expect(const struct trial *trial, bool holds, const char *what)
{
    if (!holds)
        fail_msg("COLLSIM_SEED=%" PRIu64 ", trial %u (%s, %s): %s", fixture_seed(), trial->number,
                 trial->machine, trial->model, what);
}

static const char *one_of(struct trial *trial, const char *const *names)
{
    return names[cs_random_below(trial->random, CHOICES)];
}

static void open_trial(struct trial *trial, struct cs_random *random, uint32_t number)
{
    *trial = (struct trial){.random = random, .number = number};
    trial->machine = one_of(trial, machines);
    trial->model = one_of(trial, models);
    machine_open(&trial->healthy, trial->machine, 0, 0);
    trial->call = (struct cs_call){.ranks = trial->healthy.graph.rank_count,
                                   .elements = 1 + cs_random_below(random, 200000),
                                   .element_bytes = 4};
    trial->program = fixture_program(one_of(trial, algos), "allreduce", &trial->call);
}

static void close_trial(struct trial *trial)
{
    machine_close(&trial->healthy);
    cs_arena_free(&trial->arena);
}

static struct cs_exec_result run(struct trial *trial)
{
    struct cs_exec_request request = {.program = &trial->program,
                                      .net = &trial->healthy.net,
                                      .model = cs_link_model_find(trial->model),
                                      .changes = trial->changes,
                                      .change_count = trial->count,
                                      .failover_ps = trial->failover_ps};
    struct cs_exec_result result;
    struct cs_err err = {0};

    cs_net_forget_ahead(&trial->healthy.net);
    if (cs_exec_run_watched(&request, &trial->arena, &result, &err))
        expect(trial, false, err.text);
    return result;
}

/* Some wire is down for some of the time; the later ones may overlap. */
static void draw_faults(struct trial *trial, uint64_t time_ps)
{
    const struct cs_graph *graph = &trial->healthy.graph;

    for (size_t i = 0; i < FAULTS; i++) {
        const struct cs_wire *wire =
            &graph->wires[cs_random_below(trial->random, graph->wire_count)];
        const char *where = cs_arena_printf(&trial->arena, "%s-%s", graph->devices[wire->a].name,
                                            graph->devices[wire->b].name);
        uint64_t at_ps = 1 + cs_random_below(trial->random, time_ps);

        trial->faults[2 * i] = (struct cs_fault){.text = where, .where = where, .at_ps = at_ps};
        trial->faults[2 * i + 1] =
            (struct cs_fault){.text = where,
                              .where = where,
                              .rate = 1,
                              .at_ps = at_ps + 1 + cs_random_below(trial->random, time_ps)};
    }
    trial->failover_ps =
        cs_random_below(trial->random, 2) * cs_random_below(trial->random, time_ps);
}

/* The machine as it is from that time on. */
static void add_change(struct trial *trial, uint64_t at_ps)
{
    struct cs_topo_request request = {.spec = trial->machine};
    struct cs_net *net = &trial->nets[trial->count];
    struct cs_graph graph;
    struct cs_err err = {0};

    if (cs_topo_open(&request, &graph, &trial->arena, &err) ||
        cs_faults_apply(trial->faults, TIMES_MAX, at_ps, &graph, &err))
        expect(trial, false, err.text);
    cs_lower(&graph, net, &trial->arena);
    cs_net_forget_ahead(net);
    expect(trial, net->max_hops == trial->healthy.net.max_hops, "hops");
    trial->changes[trial->count++] = (struct cs_net_change){at_ps, net};
}

static void add_changes(struct trial *trial)
{
    uint64_t after_ps = 0;
    uint64_t next_ps = 0;

    while (next_ps != UINT64_MAX) {
        next_ps = UINT64_MAX;
        for (uint32_t i = 0; i < TIMES_MAX; i++)
            if (trial->faults[i].at_ps > after_ps && trial->faults[i].at_ps < next_ps)
                next_ps = trial->faults[i].at_ps;
        if (next_ps != UINT64_MAX)
            add_change(trial, next_ps);
        after_ps = next_ps;
    }
}

/* What comes into a device that only passes on goes out of it. */
static void check_conservation(const struct trial *trial, const struct cs_exec_result *result)
{
    const struct cs_net *net = &trial->healthy.net;
    uint64_t in[64] = {0};
    uint64_t out[64] = {0};
    uint64_t sent = 0;

    expect(trial, net->node_count <= 64, "room for nodes");
    for (uint32_t i = 0; i < net->link_count; i++) {
        out[net->links[i].from] += result->use[i].bytes;
        in[net->links[i].to] += result->use[i].bytes;
    }
    for (uint32_t node = 0; node < net->node_count; node++) {
        bool is_party = false;

        for (uint32_t i = 0; i < net->party_count; i++)
            is_party = is_party || net->parties[i].node == node;
        expect(trial, is_party || in[node] == out[node], "bytes of a device");
        sent += is_party ? out[node] : 0;
    }
    expect(trial, sent == result->bytes_sent, "bytes that ranks sent");
}

TEST(whatever_is_lost_every_rank_ends)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("faults");
    uint64_t resent = 0;

    for (uint32_t i = 0; i < TRIALS; i++) {
        CS_AT_END(close_trial) struct trial trial;
        struct cs_exec_result result, again;

        open_trial(&trial, random, i);
        draw_faults(&trial, run(&trial).time_ps);
        add_changes(&trial);
        result = run(&trial);
        again = run(&trial);
        check_conservation(&trial, &result);
        expect(&trial, cs_path_ps(&result.path) == result.time_ps, "the path");
        expect(&trial,
               again.time_ps == result.time_ps && again.events == result.events &&
                   again.resent == result.resent,
               "twice the same");
        resent += result.resent;
    }
    assert_true(resent > TRIALS); /* it is no test of nothing */
}

/* The net that comes is the one that is there. */
TEST(a_change_of_nothing_changes_nothing)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("no faults");

    for (uint32_t i = 0; i < TRIALS / 2; i++) {
        CS_AT_END(close_trial) struct trial trial;
        uint64_t time_ps, other_ps;

        open_trial(&trial, random, i);
        time_ps = run(&trial).time_ps;
        trial.changes[0] =
            (struct cs_net_change){1 + cs_random_below(random, time_ps), &trial.healthy.net};
        trial.count = 1;
        other_ps = run(&trial).time_ps;
        /* Ends of flows are rounded once more, and one shifts others. */
        expect(&trial,
               strcmp(trial.model, "fluid") == 0
                   ? other_ps < time_ps + 1000 && time_ps < other_ps + 1000
                   : other_ps == time_ps,
               "the time");
    }
}
