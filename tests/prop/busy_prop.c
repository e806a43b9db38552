/*
 * A link is never busy longer than the run takes, in any model whose links have
 * no more than their rate: neither with what is sent again in vain when every rank
 * has all, nor with shares of a rate.  Links of one server together are not
 * either.
 */
#include "tests/fixture.h"

enum {
    TRIALS = 3000
};

static const char *const machines[] = {
    "gbe-4",
    "pcie-4gpu",
    "dgx-1",
    "switch:ranks=5",
    "ring:ranks=4",
    "fat-tree:radix=4",
    "switch:ranks=5,latency=0s,bandwidth=43.6GB/s",
};

static const struct {
    const char *collective, *algo;
} algos[] = {
    {"allreduce", "ring"},    {"allreduce", "direct"}, {"gather", "flat"},
    {"alltoall", "pairwise"}, {"broadcast", "chain"},  {"allgather", "direct"},
};

static const enum cs_packet_loss losses[] = {CS_PACKET_CREDITS, CS_PACKET_PFC, CS_PACKET_DROP};

struct trial {
    struct machine machine;
    struct cs_program program;
    struct cs_call call;
    const char *spec, *algo;
    uint32_t number;
};

/* Some link is a hundred times as slow: it is busy nearly all of the time. */
static void open_trial(struct trial *trial, struct cs_random *random, uint32_t number)
{
    size_t algo = cs_random_below(random, COUNT(algos));
    struct cs_net *net = &trial->machine.net;

    *trial = (struct trial){.spec = machines[cs_random_below(random, COUNT(machines))],
                            .algo = algos[algo].algo,
                            .number = number,
                            .call = {.ranks = 4, .element_bytes = 1}};
    trial->call.elements = 4 * (1 + cs_random_below(random, 50000));
    machine_open(&trial->machine, trial->spec, 4, 0);
    trial->program = fixture_program(trial->algo, algos[algo].collective, &trial->call);
    net->links[cs_random_below(random, net->link_count)].rate_Bps /= 100;
    trial->machine.params.packet.loss = losses[cs_random_below(random, COUNT(losses))];
    trial->machine.params.packet.buffer_bytes =
        cs_random_below(random, 2) * (20000 + cs_random_below(random, 100000));
    trial->machine.params.packet.timeout_ps = 1000000 * (1 + cs_random_below(random, 1000));
    cs_net_finish(net);
}

static void check_model(struct trial *trial, const struct cs_link_model *model)
{
    const struct cs_net *net = &trial->machine.net;
    const struct cs_exec_request request = {
        .program = &trial->program, .net = net, .model = model, .params = &trial->machine.params};
    struct cs_exec_result result;
    uint64_t *busy_ps = cs_grow(NULL, net->resource_count, sizeof(*busy_ps));

    memset(busy_ps, 0, net->resource_count * sizeof(*busy_ps));
    assert_done(cs_exec_run_watched(&request, &trial->machine.arena, &result, &err));
    for (uint32_t i = 0; i < net->link_count; i++)
        busy_ps[net->links[i].resource] += result.use[i].busy_ps;
    for (uint32_t i = 0; i < net->resource_count; i++)
        if (busy_ps[i] > result.time_ps)
            fail_msg("COLLSIM_SEED=%" PRIu64
                     ", trial %u (%s, %s, %s): server %u is busy for %" PRIu64 " ps of %" PRIu64,
                     fixture_seed(), trial->number, trial->spec, trial->algo, model->name, i,
                     busy_ps[i], result.time_ps);
    free(busy_ps);
}

TEST(no_link_is_busy_longer_than_the_run)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("busy");
    struct trial trial;

    for (uint32_t i = 0; i < TRIALS; i++) {
        open_trial(&trial, random, i);
        for (size_t m = 0; m < cs_link_model_count; m++)
            if (!cs_link_models[m]->is_compat && !cs_link_models[m]->ports_only)
                check_model(&trial, cs_link_models[m]);
        machine_close(&trial.machine);
    }
}
