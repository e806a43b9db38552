/*
 * Relays: shares of a pair without a wire of its own go through ranks with
 * wires to both, so that no resource is busier than need be.
 */
#include "algorithms/shared/relays.h"

#include "tests/trial.h"

static bool is_wire(const struct machine *machine, uint32_t from, uint32_t to)
{
    uint32_t links[64];
    uint32_t hops = machine->net.route(machine->net.route_ctx, from, to, links);
    uint32_t wires = 0;

    assert_true(hops <= 64);
    for (uint32_t i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(&machine->net, links[i]);

        wires += link.from != link.to;
    }
    return wires == 1;
}

static const struct cs_relays *open_relays(struct machine *machine, const char *spec)
{
    machine_open(machine, spec, 0, 0);
    return cs_relays_of_machine(&machine->net, machine->graph.rank_count, &machine->arena);
}

TEST(a_relay_has_a_wire_to_both_ranks_of_the_pair)
{
    const char *const specs[] = {"dgx-1", "ndv2", "dgx-1-p100", "mi250x"};

    for (int m = 0; m < 4; m++) {
        CS_AT_END(machine_close) struct machine machine;
        const struct cs_relays *relays = open_relays(&machine, specs[m]);
        uint32_t relayed = 0;

        assert_non_null(relays);
        for (uint32_t from = 0; from < relays->ranks; from++)
            for (uint32_t to = 0; to < relays->ranks; to++) {
                size_t at = ((size_t)from * relays->ranks + to) * relays->split;

                for (uint32_t i = 0; from != to && i < relays->split;) {
                    struct cs_relay_run run = cs_relay_run_at(relays, from, to, i);

                    assert_int_equal(run.first, i);
                    /* All shares of a relay are in its message. */
                    assert_true(i == 0 || run.via > relays->via[at + i - 1]);
                    i += run.count;
                    if (run.via == to)
                        continue;
                    assert_true(is_wire(&machine, from, run.via));
                    assert_true(is_wire(&machine, run.via, to));
                    assert_true(run.slot + run.count <= relays->slots);
                    relayed++;
                }
            }
        assert_true(relayed > 0);
    }
}

/* The bound of an all-to-all is the time of the best routing, with any number of
 * relays in sequence. */
TEST(the_busiest_resource_is_within_a_tenth_of_the_best_routing)
{
    const struct {
        const char *spec;
        double most;
    } cases[] = {{"dgx-1", 1.1}, {"ndv2", 1.1}, {"dgx-1-p100", 1.1}, {"mi250x", 1.2}};

    for (int m = 0; m < 4; m++) {
        CS_AT_END(machine_close) struct machine machine;
        const struct cs_relays *relays = open_relays(&machine, cases[m].spec);
        struct cs_bound_request request = {
            .collective = cs_collective_find("alltoall"), .vector_bytes = 8e9, .element_bytes = 4};
        struct cs_bound bound = cs_bound_of(&machine.graph, &machine.net, &request, &machine.arena);
        double busy_s = relays->busiest_s_per_byte * 1e9;

        assert_true(busy_s >= bound.time_s * (1 - 1e-5));
        assert_true(busy_s <= bound.time_s * cases[m].most);
    }
}

TEST(machines_where_no_share_gains_have_no_relays)
{
    const char *const specs[] = {"mi300x", "dgx-h100", "switch:ranks=5", "nvlink-pair",
                                 "cluster:node=dgx-1,nodes=4"};

    for (int m = 0; m < 5; m++) {
        CS_AT_END(machine_close) struct machine machine;

        assert_null(open_relays(&machine, specs[m]));
    }
}

/* For every number of GPUs of a DGX-1 in use. */
TEST(every_block_arrives_at_its_destination)
{
    const struct cs_hockney hockney = {1e-6, 25e9, 0};
    uint32_t taken = 0;

    for (uint32_t p = 3; p <= 8; p++)
        for (uint32_t chunks = 0; chunks <= 3; chunks++) {
            CS_AT_END(machine_close) struct machine machine;
            struct cs_call call = {
                .ranks = p, .chunks = chunks, .elements = (uint64_t)p * 48 * 5, .element_bytes = 4};
            struct trial trial = {.algo = trial_algo("alltoall", "relay"), .textbook = textbooks};
            struct cs_proof_options options = {.seed = fixture_seed()};
            struct cs_program program;
            struct cs_err err = {0};

            machine_open(&machine, "dgx-1", p, 0);
            call.relays = cs_relays_of_machine(&machine.net, p, &machine.arena);
            cs_algo_resolve(trial.algo, &call, &hockney);
            trial.call = call;
            if (cs_algo_check(trial.algo, &trial.call, &err) == 0) {
                program = cs_algo_program(trial.algo, &trial.call);
                if (cs_proof_run(&program, &options, &trial.proof, &err))
                    trial_fail(&trial, err.text);
                trial.result = machine_run(&machine, &program, "fifo");
                trial.bound_ps = 1e12 * machine_bound(&machine, trial.algo, &call).time_s;
                if ((double)trial.result.time_ps < trial.bound_ps)
                    trial_fail(&trial, "it beats the lower bound");
                taken++;
            }
        }
    assert_true(taken >= 12);
}

TEST(a_call_without_relays_is_refused)
{
    trial_refused("alltoall", "relay", (struct cs_call){.ranks = 4, .elements = 64},
                  "relay needs pairs without a wire of their own that gain by a third rank with "
                  "wires to both, among at most 64 ranks");
}
