/*
 * All-reduces over nodes, grids, butterflies, servers and switches: time, bytes
 * and refused calls.
 */
#include "algorithms/shared/butterfly.h"

#include "tests/trial.h"

static const struct cs_algo *algo_of(const char *name)
{
    return trial_algo("allreduce", name);
}

static void expect_exact(const char *name, struct cs_call call)
{
    trial_sizes("allreduce", name, call, trial_check_exact);
}

/* Bytes of all ranks and of the busiest, in units of V. */
static void expect_traffic(const char *name, struct cs_call call, double all, double most)
{
    struct trial trial;
    double volume = 5040. * 4 * call.ranks;

    call.elements = 5040 * (uint64_t)call.ranks;
    call.element_bytes = 4;
    trial = trial_of("allreduce", name, call);
    assert_within((double)trial.result.bytes_sent / volume, all, 1e-9);
    assert_within((double)trial.result.bytes_sent_max / volume, most, 1e-9);
}

static void expect_refusal(const char *name, struct cs_call call, const char *sentence)
{
    call.element_bytes = 4;
    trial_refused("allreduce", name, call, sentence);
}

static const uint32_t many[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
                                25, 26, 27, 28, 29, 30, 31, 32, 33, 64, 70, 100};

/* ---- nodes and grids ---- */

TEST(hierarchies_take_the_time_of_the_closed_forms)
{
    for (int i = 0; i < COUNT(many); i++)
        for (uint32_t group = 1; group <= many[i]; group++) {
            struct cs_call call = {.ranks = many[i], .group = group};

            if (many[i] % group || (many[i] > 33 && group > 10))
                continue;
            expect_exact("hierarchical", call);
            expect_exact("hierarchical-leader", call);
        }
}

TEST(leaders_of_any_number_of_chunks_are_exact)
{
    for (uint32_t chunks = 1; chunks < 20; chunks += 3) {
        expect_exact("hierarchical-leader",
                     (struct cs_call){.ranks = 12, .group = 4, .chunks = chunks});
        expect_exact("hierarchical-leader",
                     (struct cs_call){.ranks = 7, .group = 7, .chunks = chunks});
    }
}

TEST(grids_take_the_time_of_the_closed_forms)
{
    const uint32_t cube[] = {2, 3, 4};
    const uint32_t long_grid[] = {4, 1, 3, 2};

    for (int i = 0; i < COUNT(many); i++)
        expect_exact("bucket", (struct cs_call){.ranks = many[i]});
    expect_exact("bucket", (struct cs_call){.ranks = 24, .dims = cube, .dim_count = 3});
    expect_exact("bucket", (struct cs_call){.ranks = 24, .dims = long_grid, .dim_count = 4});
}

/* The most square grid, or the grid of nodes and ranks on a machine with
 * nodes. */
TEST(an_open_grid_is_chosen)
{
    const uint32_t ranks[] = {12, 16, 7, 8};
    const uint32_t groups[] = {0, 0, 0, 2};
    const uint32_t chosen[] = {4, 4, 7, 2};

    for (int i = 0; i < 4; i++) {
        struct cs_call call = {.ranks = ranks[i], .group = groups[i]};

        cs_algo_resolve(algo_of("bucket"), &call, &textbooks[0].hockney);
        assert_int_equal(call.group, chosen[i]);
    }
}

/* A given number stays; the best number is at least as good as the
 * neighbours. */
TEST(leaders_choose_the_best_number_of_chunks)
{
    const struct cs_algo *algo = algo_of("hierarchical-leader");
    struct cs_call call = {
        .ranks = 32, .group = 8, .elements = 10000000, .element_bytes = 4, .chunks = 17};
    const struct cs_hockney *hockney = &textbooks[0].hockney;
    double best_s;

    cs_algo_resolve(algo, &call, hockney);
    assert_int_equal(call.chunks, 17);
    call.chunks = 0;
    cs_algo_resolve(algo, &call, hockney);
    best_s = cs_algo_closed_form_s(algo, &call, hockney);
    call.chunks -= 8;
    assert_true(cs_algo_closed_form_s(algo, &call, hockney) >= best_s);
    call.chunks += 16;
    assert_true(cs_algo_closed_form_s(algo, &call, hockney) >= best_s);
}

TEST(hierarchies_send_no_more_than_a_ring)
{
    expect_traffic("hierarchical", (struct cs_call){.ranks = 12, .group = 4}, 22, 22. / 12);
    expect_traffic("bucket", (struct cs_call){.ranks = 12}, 22, 22. / 12);
    /* The leader: 2(n-1)/n V to the next leader and V into the node. */
    expect_traffic("hierarchical-leader", (struct cs_call){.ranks = 12, .group = 4}, 22,
                   4. / 3 + 1);
}

/* Bytes out of the adapters of a machine of two nodes. */
struct adapters {
    uint64_t least_bytes, most_bytes, all_bytes;
    uint32_t count;
};

static struct adapters adapters_of(const char *name, uint64_t elements)
{
    const struct cs_algo *algo = algo_of(name);
    struct cs_call call = {.ranks = 16, .group = 8, .elements = elements, .element_bytes = 4};
    struct adapters adapters = {.least_bytes = UINT64_MAX};
    struct cs_program program;
    struct cs_exec_result result;
    CS_AT_END(machine_close) struct machine machine;

    cs_algo_resolve(algo, &call, &textbooks[0].hockney);
    program = cs_algo_program(algo, &call);
    machine_open(&machine, "ib-2xdgx", 16, 0);
    result = machine_run(&machine, &program, "fifo");
    for (uint32_t i = 0; i < machine.net.link_count; i++) {
        const struct cs_device *devices = machine.graph.devices;
        const struct cs_net_link *link = &machine.net.links[i];
        uint64_t bytes = result.use[i].bytes;

        if (devices[link->from].kind != CS_DEVICE_NIC || devices[link->to].host != CS_NO_HOST)
            continue;
        adapters.count++;
        adapters.all_bytes += bytes;
        if (bytes < adapters.least_bytes)
            adapters.least_bytes = bytes;
        if (bytes > adapters.most_bytes)
            adapters.most_bytes = bytes;
    }
    return adapters;
}

/* n = 2 nodes of g = 8: 2(n-1)/(n g) V through each, and with leaders
 * 2(n-1)/n V through one. */
TEST(rails_share_the_bytes_out_of_a_node)
{
    uint64_t elements = 1 << 20;
    uint64_t volume = 4 * elements;
    struct adapters rails = adapters_of("hierarchical", elements);
    struct adapters leaders = adapters_of("hierarchical-leader", elements);

    assert_int_equal(rails.count, 16);
    assert_int_equal(rails.least_bytes, volume / 8);
    assert_int_equal(rails.most_bytes, volume / 8);
    assert_int_equal(leaders.most_bytes, volume);
    assert_int_equal(leaders.all_bytes, 2 * volume);
}

TEST(nodes_and_grids_that_do_not_fit_are_refused)
{
    const uint32_t dims[] = {5, 2};
    const uint32_t huge[] = {1 << 20, 1 << 20, 1 << 20, 1 << 20};

    expect_refusal(
        "hierarchical", (struct cs_call){.ranks = 12},
        "hierarchical needs nodes of several ranks, equally many in each; --group says how many");
    expect_refusal(
        "hierarchical-leader", (struct cs_call){.ranks = 12, .group = 5},
        "hierarchical-leader needs nodes that are full: 12 ranks are not a multiple of --group 5");
    expect_refusal("bucket", (struct cs_call){.ranks = 12, .dims = dims, .dim_count = 2},
                   "--dims has to multiply to 12, the number of ranks");
    expect_refusal("bucket", (struct cs_call){.ranks = 12, .dims = huge, .dim_count = 4},
                   "--dims has to multiply to 12, the number of ranks");
}

/* ---- butterflies ---- */

TEST(butterflies_take_the_time_of_the_closed_forms)
{
    for (uint32_t p = 1; p <= 128; p *= 2) {
        expect_exact("swing", (struct cs_call){.ranks = p});
        expect_exact("bine", (struct cs_call){.ranks = p});
    }
    expect_traffic("swing", (struct cs_call){.ranks = 16}, 30, 30. / 16);
}

TEST(butterfly_peers_are_mutual_at_jacobsthal_distances)
{
    const uint32_t away[] = {1, 1, 3, 5, 11, 21, 43};

    for (uint32_t p = 2, log = 1; p <= 128; p *= 2, log++)
        for (uint32_t s = 0; s < log; s++)
            for (uint32_t rank = 0; rank < p; rank++) {
                uint32_t peer = cs_butterfly_peer(p, rank, s);
                uint32_t ahead = (peer + p - rank) % p;

                assert_int_equal(cs_butterfly_peer(p, peer, s), rank);
                assert_true(ahead == away[s] % p || ahead == (p - away[s]) % p);
            }
}

/* Bytes over the busiest link in one round of all ranks. */
static uint64_t round_load(struct machine *machine, const struct cs_program *program, uint64_t k)
{
    struct cs_cut cut = cs_cut_of(program);
    uint64_t load_bytes[64] = {0};
    uint64_t most_bytes = 0;
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    uint32_t links[16];

    for (uint32_t rank = 0; rank < program->ranks; rank++) {
        const struct cs_net *net = &machine->net;
        uint32_t hops;
        cs_program_read(program, (struct cs_at){rank, 0, k}, &ops);
        hops = net->route(net->route_ctx, rank, ops.op[0].peer, links);
        for (uint32_t i = 0; i < hops; i++)
            load_bytes[links[i]] += cs_cut_bytes(&cut, ops.op[0].blocks);
    }
    for (int i = 0; i < 64; i++)
        if (load_bytes[i] > most_bytes)
            most_bytes = load_bytes[i];
    return most_bytes;
}

/* Swing's paper: V sum_s ceil(|rho(s)|/2) / 2^(s+1) over the busiest links of
 * a ring of 16 in each half, where recursive halving has 2 V. */
MACHINE_TEST(swing_loads_a_ring_as_in_the_paper)
{
    struct cs_call call = {.ranks = 16, .elements = 1 << 16, .element_bytes = 4};
    struct cs_program program = cs_algo_program(algo_of("swing"), &call);
    uint64_t sum_bytes = 0;

    machine_open(machine, "ring:", 16, 0);
    for (uint64_t k = 0; k < 8; k++)
        sum_bytes += round_load(machine, &program, k);
    assert_int_equal(sum_bytes, 2 * 1.1875 * (4 << 16));
}

TEST(butterflies_need_a_power_of_two)
{
    expect_refusal("swing", (struct cs_call){.ranks = 6},
                   "swing needs a power of two of ranks, not 6");
    expect_refusal("bine", (struct cs_call){.ranks = 12},
                   "bine needs a power of two of ranks, not 12");
}

/* Powers of two of ranks on which all but the latency is the same. */
TEST(closed_forms_equal_the_known_times)
{
    const uint32_t cube[] = {2, 2, 2};
    struct cs_call eight = {.ranks = 8, .elements = 8000000, .element_bytes = 1};
    struct cs_call grid = eight;
    struct cs_call nodes = eight;

    grid.dims = cube;
    grid.dim_count = 3;
    nodes.group = 4;
    trial_vector("allreduce", "swing", eight, 1500);
    trial_vector("allreduce", "bine", eight, 1500);
    trial_vector("allreduce", "bucket", grid, 1500);
    /* 2(4-1 + 2-1) alpha instead of 6. */
    trial_vector("allreduce", "hierarchical", nodes, 1510);
}

/* ---- servers ---- */

TEST(sharded_servers_take_the_time_of_the_closed_form)
{
    for (int i = 0; i < COUNT(many); i++) {
        uint32_t p = many[i];

        for (uint32_t shards = 2; shards <= p && shards <= 7; shards++)
            expect_exact("ps", (struct cs_call){.ranks = p, .shards = shards});
        if (p > 33)
            continue;
        expect_exact("ps", (struct cs_call){.ranks = p, .shards = p});
        expect_exact("ps",
                     (struct cs_call){.ranks = p, .shards = p, .server = CS_SERVER_COLOCATED});
    }
}

TEST(servers_share_the_load)
{
    for (uint32_t shards = 1; shards <= 8; shards *= 2)
        expect_traffic("ps", (struct cs_call){.ranks = 8, .shards = shards}, 16, 1);
    expect_traffic("ps", (struct cs_call){.ranks = 8, .shards = 8, .server = CS_SERVER_COLOCATED},
                   14, 14. / 8);
}

TEST(servers_without_work_are_refused)
{
    expect_refusal(
        "ps", (struct cs_call){.ranks = 4, .shards = 8, .elements = 9},
        "4 ranks do not keep 8 parameter servers busy; --shards is at most the number of ranks");
    expect_refusal("ps", (struct cs_call){.ranks = 4, .shards = 3, .elements = 2},
                   "2 elements do not make 3 shards");
    expect_refusal(
        "ps",
        (struct cs_call){.ranks = 4, .shards = 3, .elements = 9, .server = CS_SERVER_COLOCATED},
        "colocated servers are rank 0 or every rank: --shards is 1 or 4, not 3");
}

/* ---- reductions in switches ---- */

/* Models with a shared link for simultaneous sends, except sends in order. */
static const char *const sharing[] = {"fifo", "fluid", "packet"};

static uint64_t switch_ps(const char *name, struct cs_call call, const char *model)
{
    const struct textbook book = {"switch:bandwidth=25GB/s,latency=1us", {2e-6, 25e9, 0}};
    struct trial trial = {.algo = algo_of(name), .call = call, .textbook = &book};
    struct cs_err err;

    assert_true(trial_settle(&trial, &err));
    trial_run(&trial, model);
    return trial.result.time_ps;
}

TEST(chunks_for_the_switch_go_in_order_in_every_model)
{
    const char *const names[] = {"sharp", "nvls"};

    for (int i = 0; i < 2 * COUNT(sharing); i++)
        for (uint32_t p = 2; p < 12; p++) {
            struct cs_call call = {.ranks = p, .elements = UINT64_C(40000) * p, .element_bytes = 4};
            const char *name = names[i % 2];

            /* The rounding up to whole packets. */
            assert_in_range(switch_ps(name, call, sharing[i / 2]), switch_ps(name, call, "fifo"),
                            switch_ps(name, call, "fifo") + 2000);
        }
}

TEST(sums_in_the_switch_take_the_time_of_the_closed_form)
{
    for (int i = 0; i < COUNT(many); i++) {
        expect_exact("sharp", (struct cs_call){.ranks = many[i], .chunks = many[i] % 9});
        expect_exact("sharp", (struct cs_call){.ranks = many[i], .chunks = 3});
    }
}

/* Without latency, and chunks of one size; where the last part goes alone it
 * takes one chunk's time more. */
TEST(multicasts_take_the_time_of_the_closed_form)
{
    const struct textbook book = {"switch:latency=0us,bandwidth=10GB/s", {0, 10e9, 0}};

    for (uint32_t p = 2; p < 18; p++)
        for (uint32_t parts = 1; parts < 8; parts++) {
            struct cs_call call = {.ranks = p,
                                   .elements = (uint64_t)1000 * p * parts,
                                   .element_bytes = 4,
                                   .chunks = p * parts};
            struct trial trial = trial_on("allreduce", "nvls", call, &book);

            if (parts > 3 && parts % 3 == 1)
                trial.closed_ps += 4000 / 10e-3;
            trial_check_exact(&trial);
        }
}

/* Chunks that take two latencies hide them, up to a chunk's time; for shorter
 * ones nothing is claimed. */
TEST(multicasts_have_a_closed_form_only_where_latency_is_hidden)
{
    const uint32_t ranks[] = {2, 5, 8, 16, 33};
    uint32_t with = 0;

    for (int i = 0; i < 5; i++)
        for (uint32_t parts = 1; parts < 200; parts += parts) {
            struct cs_call call = {.ranks = ranks[i],
                                   .elements = UINT64_C(20160) * 33 * 5,
                                   .element_bytes = 4,
                                   .chunks = ranks[i] * parts};
            const struct textbook *book = &textbooks[parts % COUNT(textbooks)];
            struct trial trial = trial_on("allreduce", "nvls", call, book);
            double chunk_s = (double)call.elements * 4 / call.chunks / book->hockney.beta_Bps;
            double time_ps = (double)trial.result.time_ps;

            assert_true(time_ps >= trial.bound_ps);
            assert_int_equal(isnan(trial.closed_ps),
                             chunk_s < book->hockney.alpha_s); /* of two links */
            if (isnan(trial.closed_ps))
                continue;
            with++;
            assert_within(time_ps, trial.closed_ps, 1.001e12 * chunk_s);
        }
    assert_in_range(with, 5, 35);
}

/* (p+1) V / (p beta), when what fills and drains the pipeline is left out. */
TEST(multicasts_carry_one_piece_more_than_the_vector)
{
    const uint32_t ranks[] = {8, 6, 7};
    const uint64_t bytes[] = {8000000, 6000000, 1000003};
    const double time_us[] = {900, 700, 114.286057};
    const struct cs_hockney hockney = {0, 10e9, 0};

    for (int i = 0; i < 3; i++) {
        struct cs_call call = {
            .ranks = ranks[i], .elements = bytes[i], .element_bytes = 1, .chunks = ranks[i] << 20};

        assert_within(1e6 * cs_algo_closed_form_s(algo_of("nvls"), &call, &hockney), time_us[i],
                      0.01);
    }
}

TEST(a_switch_spares_the_ranks)
{
    expect_traffic("sharp", (struct cs_call){.ranks = 8}, 16, 1);
    /* Up: p V and V for the sums; down: V and p V. */
    expect_traffic("nvls", (struct cs_call){.ranks = 8, .chunks = 16}, 18, 9. / 8);
}

TEST(sums_in_the_switch_are_proven_for_all_sizes)
{
    expect_exact("sharp", (struct cs_call){.ranks = 70});
    trial_of("allreduce", "nvls",
             (struct cs_call){.ranks = 70, .elements = 7000, .element_bytes = 4});
    for (uint64_t elements = 1; elements < 60; elements += 7)
        for (uint32_t chunks = 0; chunks <= 40; chunks += 40) {
            struct cs_call call = {
                .ranks = 5, .elements = elements, .element_bytes = 2, .chunks = chunks};

            trial_of("allreduce", "nvls", call);
            trial_of("allreduce", "sharp", call);
        }
}

/* Leaves of radix 2g have g ranks each, and wires to g spines; links of 25 GB/s
 * and 1 us. */
static void expect_tree(uint32_t leaves, uint32_t group, uint64_t elements, uint32_t chunks)
{
    char spec[80];
    const struct textbook book = {spec, {1e-6, 25e9, 0}}; /* of one link */
    struct trial trial = {.algo = algo_of("sharp-tree"),
                          .call = {.ranks = leaves * group,
                                   .elements = elements,
                                   .element_bytes = 4,
                                   .group = group,
                                   .chunks = chunks},
                          .textbook = &book};
    struct cs_err err;

    snprintf(spec, sizeof(spec), "fat-tree:radix=%u,tiers=2,bandwidth=25GB/s,latency=1us",
             2 * group);
    assert_true(trial_settle(&trial, &err));
    for (int m = 0; m < COUNT(sharing); m++) {
        trial_run(&trial, sharing[m]);
        /* A picosecond for each message in a row. */
        assert_within((double)trial.result.time_ps, trial.closed_ps, trial.call.chunks + 4);
        assert_true((double)trial.result.time_ps >= trial.bound_ps);
    }
}

TEST(sums_in_a_tree_of_switches_take_as_long_as_their_closed_form)
{
    for (uint32_t group = 2; group <= 5; group++)
        for (uint32_t leaves = 2; leaves <= 4; leaves++) {
            expect_tree(leaves, group, 77777, 7);
            expect_tree(leaves, group, 5040, 1);
            expect_tree(leaves, group, 1 << 18, 0);
            expect_tree(leaves, group, 3, 5);
        }
    /* 4 (1 us + 100 kB / 25 GB/s) + 9 * 4 us */
    assert_within(
        cs_algo_closed_form_s(
            algo_of("sharp-tree"),
            &(struct cs_call){
                .ranks = 8, .group = 4, .elements = 250000, .element_bytes = 4, .chunks = 10},
            &(struct cs_hockney){1e-6, 25e9, 0}),
        56e-6, 1e-15);
}

TEST(switches_have_their_limits)
{
    expect_refusal("sharp-tree", (struct cs_call){.ranks = 8, .group = 2, .chunks = 5000},
                   "sharp-tree takes at most 4096 chunks, a lane for each, not 5000");
    expect_refusal("sharp-tree", (struct cs_call){.ranks = 8, .group = 8},
                   "sharp-tree needs ranks on several switches, and --group 8 puts all on one; "
                   "sharp is for one");
    expect_refusal("sharp-tree", (struct cs_call){.ranks = 8, .group = 3},
                   "sharp-tree needs nodes that are full: 8 ranks are not a multiple of --group 3");
    expect_refusal("nvls", (struct cs_call){.ranks = 577},
                   "nvls needs the ranks of one NVSwitch, at most 576, not 577");
    expect_refusal("sharp", (struct cs_call){.ranks = 8, .chunks = 5000},
                   "sharp takes at most 4096 chunks, a lane for each, not 5000");
}
