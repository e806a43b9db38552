/*
 * Jumps over rounds that repeat never change a result: every algorithm, random
 * machines with and without symmetry, jumps from the first round on and none.
 */
#include "sim/program/lanes.h"
#include "tests/fixture.h"

static const char *const machines[] = {
    "switch:latency=0.5us,bandwidth=25GB/s",
    "switch:latency=1us,bandwidth=10GB/s,gamma=7GB/s,overhead=1us",
    "switch:latency=1us,bandwidth=10GB/s,duplex=half",
    "mesh:latency=1us,bandwidth=5GB/s",
    "ring:latency=1us,bandwidth=5GB/s",
    "bus:latency=1us,bandwidth=5GB/s",
    "cluster:node=dgx-h100,fabric=rail,nodes=3",
    "cluster:node=dgx-1,fabric=fat-tree,nodes=4",
    "cluster:node=hgx-a100-4,rails=2,nodes=5",
    "cluster:node=dgx-a100,nodes=2",
};

enum {
    SWITCHES = 6, /* of any number of ranks; then clusters */
    TRIALS = 1200,
};

struct tally {
    uint32_t runs, jumps;
};

static uint64_t draw(uint64_t *state, uint64_t below)
{
    return cs_mix64((*state)++) % below;
}

/* One link in four of some machines is slower, so that no two ranks are equal. */
static void slow_links(struct machine *machine, uint64_t *state)
{
    for (uint32_t i = 0; i < machine->net.link_count; i++)
        if (draw(state, 4) == 0) {
            machine->net.links[i].rate_Bps /= 1 + (double)draw(state, 3);
            machine->net.links[i].latency_ps += draw(state, 1000000);
        }
    cs_net_finish(&machine->net);
}

static void expect_same(const struct cs_algo *algo, const char *machine, const struct cs_call *call,
                        const struct cs_exec_result *whole, const struct cs_exec_result *jumped)
{
    if (whole->time_ps != jumped->time_ps || whole->messages != jumped->messages ||
        whole->bytes_sent != jumped->bytes_sent ||
        whole->bytes_sent_max != jumped->bytes_sent_max ||
        whole->extra_bytes_max != jumped->extra_bytes_max || whole->waits != jumped->waits ||
        whole->events != jumped->events ||
        memcmp(&whole->path, &jumped->path, sizeof(whole->path)) != 0)
        fail_msg("%s %s, p = %u, %" PRIu64 " elements, %s: %" PRIu64 " ps whole, %" PRIu64
                 " ps with %" PRIu64 " messages counted",
                 algo->collective->name, algo->name, call->ranks, call->elements, machine,
                 whole->time_ps, jumped->time_ps, jumped->jumped);
}

static struct cs_exec_result run(struct machine *machine, const struct cs_program *program,
                                 const char *model, uint64_t jumps_from)
{
    const struct cs_exec_request request = {.program = program,
                                            .net = &machine->net,
                                            .model = cs_link_model_find(model),
                                            .params = &machine->params,
                                            .eager = machine->eager,
                                            .jumps_from = jumps_from};
    struct cs_exec_result result;

    assert_done(cs_exec_run_watched(&request, &machine->arena, &result, &err));
    return result;
}

static void compare(const struct cs_algo *algo, const char *spec, struct machine *machine,
                    const struct cs_call *call, const char *model, struct tally *tally)
{
    struct cs_program program = cs_algo_program(algo, call);
    struct cs_exec_result whole = run(machine, &program, model, 0);
    struct cs_exec_result jumped = run(machine, &program, model, 1);
    uint32_t lanes = cs_lane_count(&program);

    expect_same(algo, spec, call, &whole, &jumped);
    for (uint32_t i = 0; i < machine->net.link_count; i++)
        assert_memory_equal(&whole.use[i], &jumped.use[i], sizeof(whole.use[i]));
    assert_memory_equal(whole.lane_done_ps, jumped.lane_done_ps,
                        lanes * sizeof(*whole.lane_done_ps));
    tally->runs++;
    tally->jumps += jumped.jumped > 0;
}

static void draw_trial(uint64_t *state, struct tally *tally)
{
    static const uint32_t each[] = {48, 4800, 100000};
    const struct cs_hockney hockney = {1e-6, 10e9, 0};
    const struct cs_algo *algo = cs_algos[draw(state, cs_algo_count)];
    uint32_t number = (uint32_t)draw(state, COUNT(machines));
    const char *spec = machines[number];
    CS_AT_END(machine_close) struct machine machine;
    struct cs_call call = {.element_bytes = 4,
                           .slices = draw(state, 4) == 0 ? 2 : 0,
                           .channels = (uint32_t)draw(state, 4)};

    machine_open(&machine, spec, number < SWITCHES ? 2 + (uint32_t)draw(state, 40) : 0, 0);
    machine.eager = draw(state, 2);
    if (draw(state, 2))
        slow_links(&machine, state);
    call.ranks = machine.graph.rank_count;
    call.group = number < SWITCHES ? 0 : 4;
    call.elements = each[draw(state, 3)] * (uint64_t)call.ranks +
                    (draw(state, 3) ? 0 : draw(state, call.ranks));
    cs_algo_resolve(algo, &call, &hockney);
    if (cs_algo_check(algo, &call, NULL) == 0 && cs_algo_program(algo, &call).agents == 0)
        compare(algo, spec, &machine, &call, draw(state, 4) ? "fifo" : "postal", tally);
}

TEST(jumps_never_change_a_result)
{
    uint64_t random = cs_mix64(fixture_seed());
    struct tally tally = {0};

    for (uint32_t i = 0; i < TRIALS; i++)
        draw_trial(&random, &tally);
    print_message("%u runs, %u with jumps\n", tally.runs, tally.jumps);
    assert_true(tally.jumps >= 25);
}
