#include "sim/fold/fold.h"

#include "tests/fixture.h"

struct folding {
    struct machine machine;
    struct cs_program program;
    struct cs_call call;
    struct cs_fold *fold;
    uint32_t group; /* of ranks; 0: none */
    uint32_t over;  /* elements, above blocks of 1024 */
    const char *why;
};

static void folding_free(struct folding *folding)
{
    machine_close(&folding->machine);
}

static struct cs_fold *find(const struct cs_program *program, struct machine *machine,
                            const char **why)
{
    const struct cs_fold_request request = {.program = program, .net = &machine->net, .seed = 1};
    struct cs_fold *fold;

    assert_int_equal(cs_fold_find(&request, &machine->arena, &fold, why, NULL), 0);
    return fold;
}

static int run(struct folding *folding, const char *model, struct cs_exec_result *result)
{
    const struct cs_fold_run how = {.model = cs_link_model_find(model)};

    return cs_fold_run(folding->fold, &how, &folding->machine.arena, result, NULL);
}

static void fold_open(struct folding *folding, const char *spec, const char *algo, uint32_t ranks)
{
    folding->call = (struct cs_call){.ranks = ranks,
                                     .elements = 1024 * (uint64_t)ranks + folding->over,
                                     .element_bytes = 4,
                                     .group = folding->group};
    folding->program = fixture_program(algo, "allreduce", &folding->call);
    machine_open(&folding->machine, spec, ranks, folding->program.agents);
    folding->fold = find(&folding->program, &folding->machine, &folding->why);
}

/* Folds into so many orbits, and runs folded as in full. */
static void expect_orbits(struct folding *folding, uint32_t orbits)
{
    struct cs_exec_result whole, folded;

    assert_non_null(folding->fold);
    assert_int_equal(folding->fold->group.orbits, orbits);
    assert_int_equal(run(folding, "fifo", &folded), 0);
    whole = machine_run(&folding->machine, &folding->program, "fifo");
    assert_int_equal(whole.time_ps, folded.time_ps);
    assert_int_equal(whole.messages, folded.messages);
    assert_int_equal(whole.bytes_sent, folded.bytes_sent);
    assert_int_equal(whole.bytes_sent_max, folded.bytes_sent_max);
    assert_int_equal(whole.extra_bytes_max, folded.extra_bytes_max);
}

#define FOLDING_TEST(name) TEST_OF(struct folding, folding, folding_free, name)

FOLDING_TEST(a_ring_is_one_rank_that_goes_round)
{
    fold_open(folding, "switch:latency=1us,bandwidth=10GB/s", "ring", 12);
    assert_non_null(folding->fold);
    assert_int_equal(folding->fold->group.orbits, 1);
    assert_false(folding->fold->group.is_xor);
    assert_int_equal(folding->fold->checked, folding->fold->rounds);
    assert_int_equal(folding->fold->net.link_count, 2);
}

FOLDING_TEST(recursive_doubling_is_one_rank_under_xor)
{
    fold_open(folding, "switch:latency=1us,bandwidth=10GB/s", "recursive-doubling", 16);
    assert_non_null(folding->fold);
    assert_int_equal(folding->fold->group.orbits, 1);
    assert_true(folding->fold->group.is_xor);
}

FOLDING_TEST(a_hierarchy_is_one_node)
{
    fold_open(folding, "ib-2xdgx", "ring", 16);
    expect_orbits(folding, 8);
}

/* 4 nodes of 8: ranks go round in their nodes, and nodes go round. */
TEST(a_hierarchy_is_one_rank_that_goes_round_both_routes)
{
    CS_AT_END(folding_free) struct folding folding = {.group = 8};

    fold_open(&folding, "cluster:node=hgx-h200,nodes=4,fabric=rail", "hierarchical", 32);
    expect_orbits(&folding, 1);
    assert_int_equal(folding.fold->group.columns, 8);
    assert_int_equal(folding.fold->group.rows, 4);
}

/* NVLinks of a hybrid cube mesh are the same after half a turn, not after less. */
TEST(of_a_cube_mesh_only_the_halves_are_identical)
{
    CS_AT_END(folding_free) struct folding folding = {.group = 8};

    fold_open(&folding, "cluster:node=dgx-1,nodes=4", "hierarchical", 32);
    assert_non_null(folding.fold);
    assert_int_equal(folding.fold->group.columns, 2);
    assert_int_equal(folding.fold->group.orbits, 4);
}

/* The run, folded and whole, with `over` blocks of one element more. */
static void expect_whole(const char *spec, uint32_t ranks, uint32_t orbits, uint32_t over)
{
    CS_AT_END(folding_free) struct folding folding = {.over = over};

    fold_open(&folding, spec, "ring", ranks);
    expect_orbits(&folding, orbits);
}

/* Channels start at each rank of a node in turn: a permutation of the ranks of all
 * nodes exchanges the channels, too. */
TEST(trees_over_nodes_are_one_rank_of_each_node)
{
    CS_AT_END(folding_free) struct folding folding = {.group = 8};

    fold_open(&folding, "cluster:node=dgx-h100,nodes=5,fabric=rail", "double-tree", 40);
    expect_orbits(&folding, 5);
    assert_non_null(folding.fold->order);
    assert_int_equal(folding.fold->group.copies, 8);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(cs_fold_representative(folding.fold, i), 8 * i);
}

/* Of an even number of nodes the second tree is the mirror image of the first. */
TEST(trees_over_even_nodes_are_one_rank_of_half_of_them)
{
    CS_AT_END(folding_free) struct folding folding = {.group = 8};

    fold_open(&folding, "cluster:node=dgx-h100,nodes=16,fabric=rail", "double-tree", 128);
    expect_orbits(&folding, 8);
    assert_int_equal(folding.fold->group.copies, 16);
}

/* Bruck's messages round a ring go 1, 2, 4 .. links: rotated by less, a message would
 * queue behind its own images.  A ring of 5 has no rotation by more than 1; in one of 4
 * those of pat go two links at most. */
TEST(a_message_never_crosses_two_links_of_one_class)
{
    static const struct {
        const char *algo, *spec;
        uint32_t ranks, replicas_from, orbits;
    } rings[] = {
        {"pat", "ring:latency=1us,bandwidth=10GB/s", 4, 0, 2},
        {"bruck", "ring:latency=1us,bandwidth=10GB/s", 5, 0, 0},
        {"bruck", "ring:latency=1us,bandwidth=10GB/s", 8, 0, 4},
        {"bruck", "torus:dims=5", 5, 1, 0},
        {"bruck", "torus:dims=8", 8, 1, 4},
        /* Routes of 256 links, of 600 classes, of which some end in equal bits. */
        {"bruck", "ring:latency=1us,bandwidth=10GB/s", 600, 0, 300},
        {"bruck", "ring:latency=1us,bandwidth=10GB/s", 601, 0, 0},
    };

    for (size_t i = 0; i < sizeof(rings) / sizeof(*rings); i++) {
        uint32_t n = rings[i].ranks;
        struct cs_topo_request request = {rings[i].spec, n,
                                          .replicas_from = rings[i].replicas_from};
        CS_AT_END(folding_free)
        struct folding folding = {
            .call = {.ranks = n, .elements = UINT64_C(1024) * n, .element_bytes = 4}};
        struct cs_exec_result whole, folded;

        assert_int_equal(
            cs_topo_open(&request, &folding.machine.graph, &folding.machine.arena, NULL), 0);
        cs_lower(&folding.machine.graph, &folding.machine.net, &folding.machine.arena);
        assert_int_equal(folding.machine.net.links == NULL, rings[i].replicas_from);
        folding.program = fixture_program(rings[i].algo, "allgather", &folding.call);
        folding.fold = find(&folding.program, &folding.machine, &folding.why);
        if (rings[i].orbits == 0) {
            assert_null(folding.fold);
        } else {
            assert_non_null(folding.fold);
            assert_int_equal(folding.fold->group.orbits, rings[i].orbits);
            assert_int_equal(run(&folding, "fifo", &folded), 0);
        }
        if (rings[i].orbits && !rings[i].replicas_from) {
            whole = machine_run(&folding.machine, &folding.program, "fifo");
            assert_int_equal(whole.time_ps, folded.time_ps);
        }
    }
}

TEST(trees_of_unequal_chunks_are_refused)
{
    CS_AT_END(folding_free) struct folding folding = {.group = 8, .over = 1};

    fold_open(&folding, "cluster:node=dgx-h100,nodes=5,fabric=rail", "double-tree", 40);
    assert_null(folding.fold);
    assert_string_equal(folding.why, "its blocks are unequal");
}

TEST(a_ring_of_unequal_blocks_is_one_rank)
{
    expect_whole("switch:latency=1us,bandwidth=10GB/s", 11, 1, 1);
    expect_whole("switch:latency=1us,bandwidth=10GB/s", 11, 1, 6);
    expect_whole("switch:latency=1us,bandwidth=10GB/s,gamma=5GB/s", 11, 1, 10);
}

/* Short blocks pass the slow wires too: the time is between those of blocks all
 * short and all long. */
TEST(behind_slow_adapters_unequal_blocks_are_counted)
{
    expect_whole("cluster:node=dgx-h100,nodes=3", 24, 8, 5);
    expect_whole("cluster:node=dgx-h100,nodes=5", 40, 8, 39);
}

/* One longer block in 65,536 would hardly be met by chance. */
TEST(a_single_longer_block_sets_the_time)
{
    CS_AT_END(folding_free) struct folding equal = {0};
    CS_AT_END(folding_free) struct folding unequal = {.over = 1};
    struct cs_exec_result of_equal, of_unequal;

    fold_open(&equal, "switch:latency=1us,bandwidth=10GB/s", "ring", 65536);
    fold_open(&unequal, "switch:latency=1us,bandwidth=10GB/s", "ring", 65536);
    assert_int_equal(run(&equal, "fifo", &of_equal), 0);
    assert_int_equal(run(&unequal, "fifo", &of_unequal), 0);
    assert_int_equal(of_unequal.time_ps - of_equal.time_ps,
                     2ULL * 65535 * 400); /* 4 B at 10 GB/s */
    assert_int_equal(of_unequal.bytes_sent - of_equal.bytes_sent, 2ULL * 65535 * 4);
}

static bool stop_at_once(void *ctx, const struct cs_progress *progress)
{
    (void)ctx;
    (void)progress;
    return false;
}

FOLDING_TEST(the_search_is_stopped_by_its_monitor)
{
    const struct cs_monitor monitor = {stop_at_once, NULL};
    struct cs_fold_request request = {.seed = 1, .monitor = &monitor};
    struct cs_fold *fold;

    fold_open(folding, "switch:latency=1us,bandwidth=10GB/s", "ring", 4096);
    request.program = &folding->program;
    request.net = &folding->machine.net;
    assert_int_equal(cs_fold_find(&request, &folding->machine.arena, &fold, &folding->why, NULL),
                     CS_ESTOPPED);
    assert_null(fold);
}

/* ---- a monitor, asked within rounds of many operations ---- */

static uint64_t contended_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    (void)ctx;
    return 1;
}

/* As many copies as CS_MONITOR_STEPS; *ctx counts the rounds. */
static void contended_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    (void)at;
    uint32_t *rounds = *(uint32_t *const *)ctx;

    (*rounds)++;
    for (uint32_t i = 0; i < CS_MONITOR_STEPS; i++)
        cs_ops_push(ops, (struct cs_op){.kind = CS_OP_COPY});
}

MACHINE_TEST(a_search_in_long_rounds_is_stopped_within_a_few_rounds)
{
    uint32_t rounds = 0;
    uint32_t *counter = &rounds;
    const struct cs_monitor monitor = {stop_at_once, NULL};
    struct cs_program program = {.ctx = &counter,
                                 .ranks = 1024,
                                 .lanes = 1,
                                 .blocks = 1,
                                 .elements = 1,
                                 .element_bytes = 4,
                                 .rounds = contended_rounds,
                                 .round = contended_round};
    struct cs_fold_request request = {.program = &program, .seed = 1, .monitor = &monitor};
    struct cs_fold *fold;
    const char *why;

    machine_open(machine, "switch:ranks=1024", 1024, 0);
    request.net = &machine->net;
    assert_int_equal(cs_fold_find(&request, &machine->arena, &fold, &why, NULL), CS_ESTOPPED);
    assert_in_range(rounds, 1, 3);
}

/* A program, and how many of its rounds were asked for. */
struct counted {
    const struct cs_program *of;
    uint64_t *asked;
};

static uint64_t counted_rounds(const void *ctx, struct cs_at at)
{
    const struct counted *counted = ctx;

    return cs_program_rounds(counted->of, at.party, at.lane);
}

static void counted_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct counted *counted = ctx;

    ++*counted->asked;
    counted->of->round(counted->of->ctx, (struct cs_at){at.party, at.lane, at.round}, ops);
}

/* Rotations in two directions take no blocks of two lengths: none of the many
 * divisors of 1260 nodes is worth a look at every rank. */
TEST(unequal_blocks_that_do_not_fold_are_refused_soon)
{
    CS_AT_END(folding_free) struct folding folding = {.group = 8, .over = 5000};
    uint64_t asked = 0;
    const struct counted counted = {&folding.program, &asked};
    struct cs_program program;

    fold_open(&folding, "cluster:node=dgx-h100,nodes=1260,fabric=rail", "hierarchical", 10080);
    assert_null(folding.fold);
    assert_string_equal(folding.why, "its blocks are unequal");
    program = folding.program;
    program.ctx = &counted;
    program.rounds = counted_rounds;
    program.round = counted_round;
    assert_null(find(&program, &folding.machine, &folding.why));
    assert_in_range(asked, 1, 40 * 10080);
}

/* Every group sees the same pairs of ranks: the search ends at the first group
 * that has too many. */
FOLDING_TEST(too_many_pairs_of_ranks_end_the_search)
{
    uint64_t asked = 0;
    const struct counted counted = {&folding->program, &asked};
    struct cs_program program;

    fold_open(folding, "switch:latency=1us,bandwidth=10GB/s", "direct", 32768);
    assert_null(folding->fold);
    assert_string_equal(folding->why, "too many pairs of ranks exchange messages");
    program = folding->program;
    program.ctx = &counted;
    program.rounds = counted_rounds;
    program.round = counted_round;
    assert_null(find(&program, &folding->machine, &folding->why));
    assert_in_range(asked, 1, 3 * CS_FOLD_ROUNDS);
}

TEST(what_has_no_equal_does_not_fold)
{
    static const char *const rows[][3] = {
        {"switch:latency=1us", "tree", "no two ranks do the same"},
        {"switch:latency=1us", "ps", "agents have no equals"},
        {"bus:latency=1us", "ring", "ranks share a link"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CS_AT_END(folding_free) struct folding folding = {0};

        fold_open(&folding, rows[i][0], rows[i][1], 8);
        assert_null(folding.fold);
        assert_string_equal(folding.why, rows[i][2]);
    }
}

/* Packets wait.  Model postal reserves a port in the order of sending, at one time by rank;
 * and of both directions of a ring of wires, the two messages of one round that meet at a
 * wire come from ranks of different copies. */
TEST(waits_and_ties_that_ranks_decide_are_reported)
{
    static const struct {
        const char *spec, *algo, *model;
        int code;
    } rows[] = {
        {"switch:latency=1us,gamma=1GB/s", "oneshot", "packet", CS_FOLD_WAITED},
        {"switch:latency=1us,gamma=1GB/s", "oneshot", "postal", CS_FOLD_TIED},
        {"ring:latency=1us,bandwidth=5GB/s", "bidirectional-ring", "fifo", CS_FOLD_TIED},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CS_AT_END(folding_free) struct folding folding = {0};
        struct cs_exec_result result;

        fold_open(&folding, rows[i].spec, rows[i].algo, 8);
        assert_non_null(folding.fold);
        assert_int_equal(run(&folding, rows[i].model, &result), rows[i].code);
    }
}

FOLDING_TEST(queues_at_a_receiver_fold)
{
    struct cs_exec_result result, whole;

    fold_open(folding, "switch:latency=1us,gamma=1GB/s", "oneshot", 8);
    assert_non_null(folding->fold);
    assert_int_equal(run(folding, "fifo", &result), 0);
    assert_true(result.waits > 0);
    whole = machine_run(&folding->machine, &folding->program, "fifo");
    assert_int_equal(result.time_ps, whole.time_ps);
}

/* Messages from all ranks of a node meet at the adapter of one of them. */
TEST(ranks_that_meet_at_a_link_keep_their_order_in_a_smaller_group)
{
    CS_AT_END(folding_free)
    struct folding folding = {
        .call = {.ranks = 32, .elements = 32768, .element_bytes = 4, .group = 8}};
    struct cs_fold_request request = {
        .program = &folding.program, .net = &folding.machine.net, .seed = 1};
    struct cs_exec_result folded, whole;

    machine_open(&folding.machine, "cluster:node=mi300x,nodes=4,fabric=rail", 32, 0);
    folding.program = fixture_program("direct", "allgather", &folding.call);
    folding.fold = find(&folding.program, &folding.machine, &folding.why);
    assert_non_null(folding.fold);
    assert_int_equal(folding.fold->group.copies, 32);
    assert_int_equal(run(&folding, "fifo", &folded), CS_FOLD_TIED);
    for (int code = CS_FOLD_TIED; code; code = run(&folding, "fifo", &folded)) {
        assert_int_equal(code, CS_FOLD_TIED);
        request.below = folding.fold->group.copies;
        assert_int_equal(
            cs_fold_find(&request, &folding.machine.arena, &folding.fold, &folding.why, NULL), 0);
        assert_non_null(folding.fold);
        assert_true(folding.fold->group.copies < request.below);
    }
    assert_int_equal(folding.fold->group.copies, 4);
    whole = machine_run(&folding.machine, &folding.program, "fifo");
    assert_int_equal(folded.time_ps, whole.time_ps);
    assert_int_equal(folded.messages, whole.messages);
}

/* A ring of 4 in which rank 3 differs in one field of its send. */
struct odd_ring {
    struct cs_op mine, of_3;
};

static uint64_t odd_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    (void)ctx;
    return 1;
}

static void odd_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct odd_ring *ring = ctx;
    struct cs_op op = at.party == 3 ? ring->of_3 : ring->mine;

    op.peer = (at.party + 1) % 4;
    cs_ops_push(ops, op);
    cs_ops_recv(ops, (at.party + 3) % 4, op.blocks);
}

static struct cs_fold *fold_odd(struct machine *machine, struct cs_op of_3)
{
    const struct odd_ring ring = {
        .mine = {.kind = CS_OP_SEND, .buffer = CS_OUTPUT, .blocks = {0, 1}}, .of_3 = of_3};
    const struct cs_program program = {.ranks = 4,
                                       .lanes = 1,
                                       .blocks = 4,
                                       .elements = 4096,
                                       .element_bytes = 4,
                                       .ctx = &ring,
                                       .rounds = odd_rounds,
                                       .round = odd_round};
    const char *why;

    return find(&program, machine, &why);
}

MACHINE_TEST(ranks_fold_only_if_every_field_of_their_ops_is_identical)
{
    const struct cs_op op = {.kind = CS_OP_SEND, .buffer = CS_OUTPUT, .blocks = {0, 1}};
    struct cs_op others[4] = {op, op, op, op};

    machine_open(machine, "switch:latency=1us,bandwidth=10GB/s", 4, 0);
    assert_non_null(fold_odd(machine, op));
    others[0].leaves = CS_LEAVES_MET;
    others[1].buffer = CS_SCRATCH;
    others[2].source_buffer = CS_SCRATCH;
    others[3].blocks = (struct cs_blocks){0, 2};
    for (size_t i = 0; i < 4; i++)
        assert_null(fold_odd(machine, others[i]));
}

/* 2 x 65,535 rounds of 65,536 ranks: some are drawn. */
FOLDING_TEST(very_many_ranks_are_checked_at_random)
{
    struct cs_exec_result result;

    fold_open(folding, "switch:latency=1us,bandwidth=10GB/s", "ring", 65536);
    assert_non_null(folding->fold);
    assert_int_equal(folding->fold->checked, CS_FOLD_DRAWN);
    assert_int_equal(run(folding, "fifo", &result), 0);
    assert_int_equal(result.messages, 2ULL * 65536 * 65535);
}

/* 4,608 rounds, of 9,214 ops each: fewer are drawn than there are. */
FOLDING_TEST(rounds_of_many_ops_are_checked_at_random)
{
    fold_open(folding, "switch:latency=1us,bandwidth=10GB/s", "oneshot", 4608);
    assert_non_null(folding->fold);
    assert_int_equal(folding->fold->rounds, 4608);
    assert_int_equal(folding->fold->checked, 1024);
}

static bool count_update(void *ctx, const struct cs_progress *progress)
{
    (void)progress;
    ++*(uint32_t *)ctx;
    return true;
}

/* The first and last rounds of a tree are identical, and 100,000 has many divisors. */
MACHINE_TEST(a_search_without_a_group_is_short)
{
    uint32_t updates = 0;
    const struct cs_monitor monitor = {count_update, &updates};
    struct cs_call call = {.ranks = 100000, .elements = 100000, .element_bytes = 4};
    struct cs_program program = fixture_program("tree", "allreduce", &call);
    struct cs_fold *fold;
    const char *why;

    machine_open(machine, "switch:bandwidth=10GB/s", call.ranks, 0);
    assert_int_equal(cs_fold_find(&(struct cs_fold_request){.program = &program,
                                                            .net = &machine->net,
                                                            .seed = 1,
                                                            .monitor = &monitor},
                                  &machine->arena, &fold, &why, NULL),
                     0);
    assert_null(fold);
    assert_true(updates < 1000);
}
