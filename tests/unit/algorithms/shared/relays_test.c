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

static const struct cs_relays *open_relays(struct machine *machine, const char *spec,
                                           enum cs_relays_kind kind)
{
    machine_open(machine, spec, 0, 0);
    return cs_relays_of_machine(&machine->net, machine->graph.rank_count, kind, &machine->arena);
}

TEST(a_relay_has_a_wire_to_both_ranks_of_the_pair)
{
    const char *const specs[] = {"dgx-1", "ndv2", "dgx-1-p100", "mi250x"};

    for (int m = 0; m < 4; m++) {
        CS_AT_END(machine_close) struct machine machine;
        const struct cs_relays *relays = open_relays(&machine, specs[m], CS_RELAYS_ONE);
        uint32_t relayed = 0;

        assert_non_null(relays);
        assert_int_equal(relays->levels, 2);
        for (uint32_t i = 0; i < relays->hop_count; i++) {
            const struct cs_relay_hop *hop = &relays->hops[i];

            if (hop->from == hop->source && hop->to == hop->destination)
                continue;
            assert_true(hop->from == hop->source || hop->to == hop->destination);
            assert_true(is_wire(&machine, hop->from, hop->to));
            relayed++;
        }
        assert_true(relayed > 0);
    }
}

/* Where a share is from, hop after hop; in the lists of receivers. */
MACHINE_TEST(the_shares_of_every_block_follow_their_paths_from_source_to_destination)
{
    const struct cs_relays *relays =
        open_relays(machine, "tests/system/synthesizers/mi250x1.yaml", CS_RELAYS_ANY);
    uint32_t p = relays->ranks, arrived = 0;
    uint32_t at[16][16][32] = {{{0}}};

    assert_true(p == 16 && relays->split == 32 && relays->levels > 2);
    for (uint32_t source = 0; source < p; source++)
        for (uint32_t to = 0; to < p; to++)
            for (uint32_t i = 0; i < relays->split; i++)
                at[source][to][i] = source;
    for (uint32_t list = 0; list < relays->levels * p; list++)
        for (uint32_t n = relays->first[list]; n < relays->first[list + 1]; n++) {
            const struct cs_relay_hop *hop = &relays->hops[relays->listed[n]];

            assert_true(hop->from == list % p || hop->to == list % p);
            assert_true(hop->to_slot == CS_RELAYS_NO_SLOT ||
                        hop->to_slot + hop->count <= relays->slots);
            for (uint32_t i = hop->first; hop->to == list % p && i < hop->first + hop->count; i++) {
                assert_int_equal(at[hop->source][hop->destination][i], hop->from);
                at[hop->source][hop->destination][i] = hop->to;
                arrived += hop->to == hop->destination;
            }
        }
    assert_int_equal(arrived, p * (p - 1) * relays->split);
}

/* The bound of an all-to-all is the time of the best routing, with any number of
 * relays in sequence. */
TEST(the_busiest_resource_is_next_to_the_best_routing)
{
    const struct {
        const char *spec;
        enum cs_relays_kind kind;
        double most;
    } cases[] = {{"dgx-1", CS_RELAYS_ONE, 1.03},
                 {"ndv2", CS_RELAYS_ONE, 1.03},
                 {"dgx-1-p100", CS_RELAYS_ONE, 1.03},
                 {"mi250x", CS_RELAYS_ONE, 1.2},
                 {"dgx-1", CS_RELAYS_ANY, 1.02},
                 {"mi250x", CS_RELAYS_ANY, 1.04},
                 {"torus:dims=4x4", CS_RELAYS_ANY, 1.02},
                 {"torus:dims=2x8", CS_RELAYS_ANY, 1.02},
                 {"dragonfly:ranks=36", CS_RELAYS_ANY, 1.04},
                 {"tests/system/synthesizers/mi250x1.yaml", CS_RELAYS_ANY, 1.02},
                 {"cluster:node=dgx-1,nodes=4,fabric=rail-only", CS_RELAYS_ANY, 1.02},
                 {"cluster:node=dgx-h100,nodes=8", CS_RELAYS_ANY, 1.01}};

    for (size_t m = 0; m < sizeof(cases) / sizeof(*cases); m++) {
        CS_AT_END(machine_close) struct machine machine;
        const struct cs_relays *relays = open_relays(&machine, cases[m].spec, cases[m].kind);
        struct cs_bound_request request = {.collective = cs_collective_find("alltoall"),
                                           .vector_bytes = 1e9 * relays->ranks,
                                           .element_bytes = 4};
        struct cs_bound bound = cs_bound_of(&machine.graph, &machine.net, &request, &machine.arena);
        double busy_s = relays->busiest_s_per_byte * 1e9;

        assert_true(busy_s >= bound.time_s * (1 - 1e-5));
        assert_true(busy_s <= bound.time_s * cases[m].most);
        assert_true(relays->least_s_per_byte <= relays->busiest_s_per_byte * (1 + 1e-9));
    }
}

TEST(machines_where_no_share_gains_have_no_relays)
{
    const char *const specs[] = {"mi300x", "dgx-h100", "switch:ranks=5", "nvlink-pair",
                                 "cluster:node=dgx-1,nodes=4"};

    for (int m = 0; m < 5; m++) {
        CS_AT_END(machine_close) struct machine machine;

        assert_null(open_relays(&machine, specs[m], CS_RELAYS_ONE));
    }
}

MACHINE_TEST(blocks_take_their_own_routes_where_these_are_the_best)
{
    const struct cs_relays *relays = open_relays(machine, "dgx-h100", CS_RELAYS_ANY);

    assert_int_equal(relays->levels, 1);
    assert_int_equal(relays->hop_count, 56);
}

/* ---- the all-to-alls ---- */

static void relays_prove(struct trial *trial, struct machine *machine, enum cs_relays_kind kind)
{
    const struct cs_hockney hockney = {1e-6, 25e9, 0};
    struct cs_proof_options options = {.seed = fixture_seed()};
    struct cs_program program;
    struct cs_err err = {0};

    trial->algo = trial_algo("alltoall", kind == CS_RELAYS_ONE ? "relay" : "multipath");
    trial->textbook = textbooks;
    trial->call.relays =
        cs_relays_of_machine(&machine->net, trial->call.ranks, kind, &machine->arena);
    if (!trial->call.relays && kind == CS_RELAYS_ONE)
        return;
    cs_algo_resolve(trial->algo, &trial->call, &hockney);
    if (cs_algo_check(trial->algo, &trial->call, &err))
        trial_fail(trial, err.text);
    program = cs_algo_program(trial->algo, &trial->call);
    if (cs_proof_run(&program, &options, &trial->proof, &err))
        trial_fail(trial, err.text);
    trial->result = machine_run(machine, &program, "fifo");
    trial->bound_ps = 1e12 * machine_bound(machine, trial->algo, &trial->call).time_s;
    if ((double)trial->result.time_ps < trial->bound_ps)
        trial_fail(trial, "it beats the lower bound");
}

TEST(every_block_arrives_at_its_destination)
{
    const char *const specs[] = {"dgx-1",
                                 "mi250x",
                                 "torus:dims=3x5",
                                 "ring:ranks=7",
                                 "ascend910",
                                 "hypercube:ranks=8",
                                 "dragonfly:ranks=12",
                                 "tests/system/synthesizers/mi250x1.yaml"};
    struct cs_random *random = cs_random_open(fixture_seed(), "relays");

    for (uint32_t i = fixture_trials(60); i > 0; i--) {
        CS_AT_END(machine_close) struct machine machine;
        struct trial trial = {.call = {.element_bytes = 4}};
        const char *spec = specs[cs_random_below(random, 8)];
        bool takes_ranks = strcmp(spec, "dgx-1") == 0 || strcmp(spec, "mi250x") == 0;

        machine_open(&machine, spec, takes_ranks ? 3 + (uint32_t)cs_random_below(random, 6) : 0, 0);
        trial.call.ranks = machine.graph.rank_count;
        trial.call.chunks = (uint32_t)cs_random_below(random, 6);
        trial.call.elements = UINT64_C(64) * 480 * 3 * trial.call.ranks;
        relays_prove(&trial, &machine, cs_random_below(random, 2) ? CS_RELAYS_ANY : CS_RELAYS_ONE);
    }
    cs_random_close(random);
}

/* Two streams: with one the busiest link would wait for a sixth of the time. */
TEST(a_pipeline_of_chunks_keeps_the_busiest_resource_busy)
{
    const char *const specs[] = {"dgx-1", "mi250x", "ascend910", "dragonfly:ranks=16"};

    for (int m = 0; m < 4; m++) {
        CS_AT_END(machine_close) struct machine machine;
        struct trial trial = {.call = {.chunks = 32, .element_bytes = 4}};
        double busy_ps;

        machine_open(&machine, specs[m], 0, 0);
        trial.call.ranks = machine.graph.rank_count;
        trial.call.elements = trial.call.ranks * (UINT64_C(1) << 25);
        relays_prove(&trial, &machine, CS_RELAYS_ANY);
        busy_ps = trial.call.relays->busiest_s_per_byte * 1e12 * (double)(UINT64_C(1) << 27);
        assert_true((double)trial.result.time_ps < 1.06 * busy_ps);
    }
}

TEST(a_call_without_relays_is_refused)
{
    trial_refused("alltoall", "relay", (struct cs_call){.ranks = 4, .elements = 64},
                  "relay needs pairs without a wire of their own that gain by a third rank with "
                  "wires to both, among at most 64 ranks");
}

TEST(two_ranks_have_no_other_paths)
{
    trial_refused("alltoall", "multipath", (struct cs_call){.ranks = 2, .elements = 64},
                  "multipath takes 3 to 128 ranks of a machine with routes");
}
