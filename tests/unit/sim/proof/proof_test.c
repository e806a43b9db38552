#include "sim/proof/proof.h"

#include "sim/proof/races.h"
#include "tests/fixture.h"

static struct cs_proof prove(const struct cs_program *program, uint64_t seed, size_t budget_bytes)
{
    struct cs_proof_options options = {.seed = seed, .budget_bytes = budget_bytes};
    struct cs_proof proof;
    struct cs_err err = {0};

    assert_ok(cs_proof_run(program, &options, &proof, &err), &err);
    assert_int_equal(err.code, 0);
    return proof;
}

static void expect_refusal(const struct cs_program *program, const char *text)
{
    struct cs_proof_options options = {.seed = 5};
    struct cs_proof proof;

    assert_refused(cs_proof_run(program, &options, &proof, &err), CS_EANSWER, text);
    assert_int_equal(cs_proof_run(program, &options, &proof, NULL), CS_EANSWER);
}

/* ---- what holds ---- */

TEST(up_to_64_ranks_are_proven_with_sets)
{
    for (uint32_t p = 63; p <= 66; p++) {
        struct cs_call call = {.ranks = p, .elements = 100, .element_bytes = 4};
        struct cs_program program = fixture_program("ring", "allreduce", &call);
        struct cs_proof proof = prove(&program, 1, 0);

        assert_int_equal(proof.exact, p <= 64);
        assert_int_equal(proof.messages, 2 * p * (p - 1));
        assert_int_equal(proof.windows, 1);
    }
}

TEST(any_seed_and_any_window_proves_the_same)
{
    struct cs_call call = {.ranks = 70, .elements = 701, .element_bytes = 4};
    struct cs_program program = fixture_program("ring", "allreduce", &call);
    struct cs_proof whole = prove(&program, 1, 0);

    for (uint64_t seed = 0; seed < 3; seed++) {
        struct cs_proof parts = prove(&program, seed, (size_t)70 * 8 * 9);
        struct cs_proof singles = prove(&program, seed, 1);

        assert_int_equal(parts.windows, 8); /* 70 blocks, 9 at a time */
        assert_int_equal(singles.windows, 70);
        assert_int_equal(parts.messages, whole.messages);
        assert_int_equal(parts.redundant_bytes, whole.redundant_bytes);
        assert_int_equal(singles.redundant_bytes, whole.redundant_bytes);
        assert_int_equal(parts.redundant_after_scatter_bytes, whole.redundant_after_scatter_bytes);
        assert_int_equal(singles.redundant_after_scatter_bytes,
                         whole.redundant_after_scatter_bytes);
    }
}

TEST(one_rank_has_proven_everything)
{
    struct cs_call call = {.ranks = 1, .elements = 10, .element_bytes = 4};

    for (size_t i = 0; i < cs_algo_count; i++) {
        struct cs_call settled = call;
        struct cs_hockney hockney = {1e-6, 1e9, 0};
        struct cs_program program;

        if (cs_algo_check(cs_algos[i], &call, NULL))
            continue;
        cs_algo_resolve(cs_algos[i], &settled, &hockney);
        program = cs_algo_program(cs_algos[i], &settled);
        assert_int_equal(prove(&program, 1, 0).redundant_bytes, 0);
    }
}

TEST(redundancy_is_what_is_held_less_the_result)
{
    struct cs_call call = {.ranks = 6, .elements = 100, .element_bytes = 4};
    struct cs_program ring = fixture_program("ring", "allreduce", &call);
    struct cs_program tree = fixture_program("tree", "allreduce", &call);
    struct cs_proof proof = prove(&ring, 1, 0);

    assert_true(proof.has_reduce_scatter);
    assert_int_equal(proof.redundant_after_scatter_bytes, 5 * 400);
    assert_int_equal(proof.redundant_bytes, 5 * 400);
    proof = prove(&tree, 1, 0);
    assert_false(proof.has_reduce_scatter);
    assert_int_equal(proof.redundant_after_scatter_bytes, 0);
    assert_int_equal(proof.redundant_bytes, 5 * 400);
}

/* Contributions that may come twice are looked for in sets, 64 ranks at a time. */
TEST(barriers_are_proven_64_ranks_at_a_time)
{
    for (uint32_t p = 2; p <= 200; p = p * 3 / 2) {
        struct cs_call call = {.ranks = p, .elements = 0, .element_bytes = 1};
        struct cs_program program = fixture_program("dissemination", "barrier", &call);
        struct cs_proof proof = prove(&program, 1, 0);

        assert_true(proof.exact);
        assert_int_equal(proof.windows, (p + 63) / 64);
    }
}

/* ---- what does not ---- */

TEST(a_contribution_added_twice_is_found_where_it_happens)
{
    struct cs_program program =
        SCRIPT(2, 10, step_at(0, 0, send_input_to(1, 0)), step_at(1, 0, reduce_from(0, 0)),
               step_at(0, 1, send_input_to(1, 0)), step_at(1, 3, reduce_from(0, 0)),
               step_at(1, 4, send_to(0, 0)), step_at(0, 2, recv_from(1, 0)));

    expect_refusal(&program, "rank 1, round 3: adds to chunk 0 what it holds already");
}

TEST(a_contribution_that_is_missing_is_named)
{
    struct cs_program program = SCRIPT(3, 10, step_at(0, 0, send_to(1, 0)),
                                       step_at(1, 0, reduce_from(0, 0)), MESSAGE(1, 0, 1, 0));

    expect_refusal(
        &program, "rank 0 ends without rank 2's contribution to chunk 0, last received in round 1");
}

TEST(a_chunk_that_is_never_received_is_named)
{
    const struct script script = {NULL, 0};
    struct cs_program program = script_program(&script, 2, 10);

    expect_refusal(&program,
                   "rank 0 ends without rank 1's contribution to chunk 0, which it never receives");
}

TEST(a_foreign_block_in_an_all_gather_is_found)
{
    struct cs_program program =
        SCRIPT(2, 10, MESSAGE(0, 1, 0, 0), MESSAGE(1, 0, 0, 1), step_at(0, 1, send_to(1, 1)),
               step_at(1, 1, reduce_from(0, 1)));

    program.blocks = 2;
    program.before = CS_OWN_BLOCK;
    expect_refusal(&program, "rank 1, round 1: adds to chunk 1 what it holds already");
}

/* Blocks may move, and the sets of an all-reduce look the same in all of them:
 * only the sums see that two were exchanged. */
TEST(blocks_in_the_wrong_place_are_found)
{
    struct cs_program program =
        SCRIPT(2, 10, step_at(0, 0, send_input_to(1, 0)), step_at(1, 0, reduce_from(0, 1)),
               step_at(1, 0, send_input_to(0, 0)), step_at(0, 0, reduce_from(1, 1)),
               step_at(0, 1, send_input_to(1, 1)), step_at(1, 1, reduce_from(0, 0)),
               step_at(1, 1, send_input_to(0, 1)), step_at(0, 1, reduce_from(1, 0)));

    program.blocks = 2;
    program.moves_blocks = true;
    expect_refusal(&program,
                   "rank 0 ends with another chunk's result in chunk 0, last received in round 1");
}

/* ---- more ranks than a set holds ---- */

enum fault {
    FAULT_LOST,     /* in its round 3 rank 66 overwrites instead of adding */
    FAULT_TWICE,    /* the all-gather adds in its second round at rank 67 */
    FAULT_RESOURCE, /* the server's second vector replaces the first */
};

struct faulty {
    struct cs_program program;
    enum fault fault;
};

static uint64_t faulty_rounds(const void *ctx, struct cs_at at)
{
    const struct faulty *faulty = ctx;

    return cs_program_rounds(&faulty->program, at.party, at.lane);
}

static void faulty_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct faulty *faulty = ctx;
    uint32_t ranks = faulty->program.ranks;

    faulty->program.round(faulty->program.ctx, (struct cs_at){at.party, at.lane, at.round}, ops);
    if (faulty->fault == FAULT_LOST && at.party == 66 && at.round == 3)
        ops->op[1].kind = CS_OP_RECV;
    if (faulty->fault == FAULT_TWICE && at.party == 67 && at.round == ranks)
        ops->op[1].kind = CS_OP_RECV_REDUCE;
    if (faulty->fault == FAULT_RESOURCE && at.party == ranks && at.round == 1)
        ops->op[0].kind = CS_OP_RECV;
}

static void expect_fault(enum fault fault, const char *name, const char *text)
{
    struct cs_call call = {.ranks = 70, .elements = 700, .element_bytes = 4, .shards = 1};
    struct faulty faulty = {fixture_program(name, "allreduce", &call), fault};
    struct cs_program program = faulty.program;

    program.ctx = &faulty;
    program.rounds = faulty_rounds;
    program.round = faulty_round;
    program.scatters = 0;
    expect_refusal(&program, text);
}

TEST(faults_among_more_than_64_ranks_get_a_name)
{
    expect_fault(
        FAULT_LOST, "ring",
        "rank 0 ends without rank 66's contribution to chunk 61, last received in round 77");
    expect_fault(FAULT_TWICE, "ring", "rank 67, round 70: adds to chunk 65 what it holds already");
    expect_fault(FAULT_RESOURCE, "ps",
                 "rank 0 ends without rank 0's contribution to chunk 0, last received in round 1");
}

TEST(a_doubled_contribution_is_harmless_where_the_program_says_so)
{
    struct cs_program program =
        SCRIPT(2, 10, step_at(0, 0, send_input_to(1, 0)), step_at(1, 0, reduce_from(0, 0)),
               step_at(1, 1, send_to(0, 0)), step_at(0, 1, reduce_from(1, 0)));

    expect_refusal(&program, "rank 0, round 1: adds to chunk 0 what it holds already");
    program.idempotent = true;
    assert_true(prove(&program, 1, 0).exact);
    program.ranks = 3;
    expect_refusal(
        &program, "rank 0 ends without rank 2's contribution to chunk 0, last received in round 1");
}

/* ---- more lanes than one replay can order ---- */

static uint64_t ten_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    (void)ctx;
    return 10;
}

/* In two lanes of the last rank, and with a wait between the two or without. */
TEST(races_of_many_lanes_are_found_a_few_ranks_at_a_time)
{
    struct step steps[] = {
        step_in_lane(3, 5, 2, op_of(CS_OP_COPY, 0, 0)),
        step_in_lane(3, 7, 3, (struct cs_op){.kind = CS_OP_WAIT, .peer = 5, .source = 2}),
        step_in_lane(3, 7, 4, op_of(CS_OP_COPY, 0, 0))};
    const struct script script = SCRIPT_OF(steps);
    struct cs_program program = script_program(&script, 4, 10);

    program.lanes = 600;
    program.blocks = 2;
    program.rounds = ten_rounds;
    program.after = CS_NOTHING;
    steps[0].op.source_buffer = steps[2].op.source_buffer = CS_INPUT;
    assert_int_equal(cs_races_parts(&program, NULL), 4);
    assert_false(prove(&program, 1, 0).one_order);
    steps[1].op.source = 1;
    expect_refusal(&program, "rank 3, round 4: races for a chunk with lane 5 (rank 3, round 2): "
                             "nothing says which is first (chunk 0)");
}

/* Of each party, all lanes add to one block. */
static void add_input(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    (void)ctx;
    if (at.round == 0 && at.lane > 0)
        cs_ops_push(ops, (struct cs_op){.kind = CS_OP_REDUCE,
                                        .buffer = CS_OUTPUT,
                                        .source_buffer = CS_INPUT,
                                        .blocks = {0, 1}});
}

/* Six thousand lanes are too many, unless few of them share a block. */
TEST(lanes_that_share_nothing_need_no_order)
{
    struct step steps[] = {step_in_lane(3, 5, 2, op_of(CS_OP_COPY, 0, 0)),
                           step_in_lane(3, 7, 4, op_of(CS_OP_COPY, 0, 1))};
    const struct script script = SCRIPT_OF(steps);
    struct cs_program program = script_program(&script, 4, 10);

    program.lanes = 6000;
    program.blocks = 2;
    program.rounds = ten_rounds;
    program.after = CS_NOTHING;
    steps[0].op.source_buffer = steps[1].op.source_buffer = CS_INPUT;
    assert_int_equal(cs_races_parts(&program, NULL), 0);
    assert_false(prove(&program, 1, 0).one_order);
    steps[1].op.blocks.first = 0;
    expect_refusal(&program, "rank 3, round 4: races for a chunk with lane 5 (rank 3, round 2): "
                             "nothing says which is first (chunk 0)");
    program.round = add_input;
    program.idempotent = true;
    assert_true(prove(&program, 1, 0).one_order);
}

static struct cs_proof_work estimate(const char *name, uint32_t ranks, size_t budget)
{
    const struct cs_proof_options options = {.budget_bytes = budget};
    struct cs_call call = {.ranks = ranks, .elements = 1 << 20, .element_bytes = 4};
    struct cs_program program = fixture_program(name, "allreduce", &call);

    return cs_proof_estimate(&program, &options);
}

/* p ranks send and receive one of p blocks in each of 2(p - 1) rounds. */
TEST(the_work_of_a_proof_is_rounds_times_blocks)
{
    uint64_t ring_ops = UINT64_C(4) * 128 * 127;
    /* log2 p rounds in each direction, of p/2, p/4, ... blocks, and the same
     * back. */
    uint64_t halving_ops = UINT64_C(4) * 128 * 7;
    uint64_t halving_blocks = UINT64_C(4) * 128 * 127;
    uint64_t ends = UINT64_C(3) * 128 * 128;

    assert_int_equal(estimate("ring", 128, 0).ops, ring_ops);
    assert_int_equal(estimate("ring", 128, 0).visits,
                     ring_ops + ends + ring_ops * CS_PROOF_OP_VISITS);
    assert_int_equal(estimate("rabenseifner", 128, 0).ops, halving_ops);
    assert_int_equal(estimate("rabenseifner", 128, 0).visits,
                     halving_blocks + ends + halving_ops * CS_PROOF_OP_VISITS);
}

/* A replay for each: the ops are looked at in all of them, blocks in one. */
TEST(windows_take_their_ops_again)
{
    uint64_t once = estimate("ring", 128, 0).visits;
    uint64_t ops = estimate("ring", 128, 0).ops;

    assert_int_equal(estimate("ring", 128, (size_t)8 * 128 * 32).visits,
                     once + 3 * ops * CS_PROOF_OP_VISITS);
}

TEST(a_sample_stands_for_rounds_that_are_identical)
{
    assert_int_equal(estimate("ring", 4096, 0).ops, UINT64_C(4) * 4096 * 4095);
}

/* 2^19 copies; *ctx counts the rounds. */
static void contended_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    (void)at;
    uint32_t *looks = *(uint32_t *const *)ctx;

    (*looks)++;
    for (uint32_t i = 0; i < 1 << 19; i++)
        cs_ops_push(ops, (struct cs_op){.kind = CS_OP_COPY});
}

TEST(an_estimate_looks_at_few_rounds_of_many_operations)
{
    uint32_t looks = 0;
    uint32_t *counter = &looks;
    const struct cs_proof_options options = {0};
    struct cs_program program = {.ctx = &counter,
                                 .ranks = 1 << 10,
                                 .lanes = 1,
                                 .blocks = 1 << 10,
                                 .rounds = ten_rounds,
                                 .round = contended_round};

    assert_int_equal(cs_proof_estimate(&program, &options).ops, UINT64_C(10) << (10 + 19));
    assert_in_range(looks, 8, 16);
}
