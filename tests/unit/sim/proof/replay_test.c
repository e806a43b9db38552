#include "sim/proof/replay.h"

#include "tests/fixture.h"

/* Values are numbers: rank r comes with 10^r in every block. */
static uint64_t power_of_ten(const void *ctx, uint32_t rank, uint32_t block)
{
    uint64_t value = 1;

    (void)ctx;
    (void)block;
    for (uint32_t i = 0; i < rank; i++)
        value *= 10;
    return value;
}

/* Adds, but refuses to come to `*ctx`. */
static bool add_below(const void *ctx, uint64_t a, uint64_t b, uint64_t *sum)
{
    const uint64_t *forbidden = ctx;

    *sum = a + b;
    return !forbidden || *sum != *forbidden;
}

static const struct cs_algebra decimal = {
    .initial = power_of_ten, .add = add_below, .order_part = 1};

static struct cs_replay_window all_of(const struct cs_program *program)
{
    return (struct cs_replay_window){0, program->blocks};
}

static struct cs_replay *replay(const struct cs_program *program)
{
    struct cs_replay *result;

    assert_done(cs_replay_run(program, &decimal, all_of(program), &result, &err));
    return result;
}

static void expect_refusal(const struct cs_program *program, const char *text)
{
    struct cs_replay *result;

    assert_refused(cs_replay_run(program, &decimal, all_of(program), &result, &err), CS_EANSWER,
                   text);
    cs_replay_free(result);
    assert_int_equal(cs_replay_run(program, &decimal, all_of(program), &result, NULL), CS_EANSWER);
    cs_replay_free(result);
}

/* ---- what is kept ---- */

TEST(messages_carry_what_their_sender_holds)
{
    struct cs_program program =
        SCRIPT(3, 10, step_at(0, 0, send_to(1, 0)), step_at(1, 0, reduce_from(0, 0)),
               step_at(1, 1, send_to(2, 0)), step_at(2, 0, reduce_from(1, 0)),
               step_at(2, 1, send_input_to(0, 1)), step_at(0, 1, recv_from(2, 1)));
    struct cs_replay *result;

    program.blocks = 2;
    result = replay(&program);
    assert_int_equal(cs_replay_value(result, 0, 0), 1);
    assert_int_equal(cs_replay_value(result, 1, 0), 11);
    assert_int_equal(cs_replay_value(result, 2, 0), 111);
    assert_int_equal(cs_replay_value(result, 0, 1), 100);
    assert_int_equal(cs_replay_value(result, 1, 1), 10);
    assert_int_equal(cs_replay_messages(result), 3);
    cs_replay_free(result);
}

TEST(the_input_never_changes)
{
    struct cs_program program =
        SCRIPT(2, 10, step_at(0, 0, send_to(1, 0)), step_at(1, 0, reduce_from(0, 0)),
               step_at(1, 1, send_input_to(0, 0)), step_at(0, 1, recv_from(1, 0)));
    struct cs_replay *result;

    result = replay(&program);
    assert_int_equal(cs_replay_value(result, 0, 0), 10);
    assert_int_equal(cs_replay_value(result, 1, 0), 11);
    cs_replay_free(result);
}

TEST(it_is_known_in_which_round_a_block_was_received)
{
    struct cs_program program = SCRIPT(2, 10, MESSAGE(0, 1, 0, 0), step_at(0, 1, send_to(1, 1)),
                                       step_at(1, 4, recv_from(0, 1)));
    struct cs_replay *result;

    program.blocks = 3;
    result = replay(&program);
    assert_int_equal(cs_replay_written(result, 1, 0), 0);
    assert_int_equal(cs_replay_written(result, 1, 1), 4);
    assert_int_equal(cs_replay_written(result, 1, 2), CS_NEVER_WRITTEN);
    assert_int_equal(cs_replay_written(result, 0, 0), CS_NEVER_WRITTEN);
    cs_replay_free(result);
}

TEST(resources_come_with_nothing)
{
    struct cs_program program =
        SCRIPT(1, 10, step_at(0, 0, send_to(1, 0)), step_at(1, 0, reduce_from(0, 0)));
    struct cs_replay *result;

    program.agents = 1;
    result = replay(&program);
    assert_int_equal(cs_replay_value(result, 1, 0), 1);
    cs_replay_free(result);
}

TEST(wrapped_runs_of_blocks_are_put_in_their_places)
{
    struct step steps[] = {step_at(0, 0, send_to(1, 3)), step_at(1, 0, reduce_from(0, 3))};
    const struct script script = SCRIPT_OF(steps);
    struct cs_program program = script_program(&script, 2, 10);
    struct cs_replay *result;

    program.blocks = 4;
    steps[0].op.blocks.count = steps[1].op.blocks.count = 3;
    result = replay(&program);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(cs_replay_value(result, 1, i), i == 2 ? 10 : 11);
    cs_replay_free(result);
}

/* Each window of a ring has the values that the whole has. */
TEST(a_window_shows_what_the_whole_shows)
{
    struct cs_call call = {.ranks = 7, .elements = 70, .element_bytes = 4};
    const struct cs_algo *ring = cs_algo_find("ring", cs_collective_find("reduce-scatter"));
    struct cs_program program = cs_algo_program(ring, &call);
    struct cs_replay *whole = replay(&program);

    for (uint32_t first = 0; first < 7; first++)
        for (uint32_t count = 1; first + count <= 7; count++) {
            struct cs_replay_window window = {first, count};
            struct cs_replay *part;

            assert_int_equal(cs_replay_run(&program, &decimal, window, &part, NULL), 0);
            for (uint32_t rank = 0; rank < 7; rank++)
                for (uint32_t i = first; i < first + count; i++)
                    assert_int_equal(cs_replay_value(part, rank, i),
                                     cs_replay_value(whole, rank, i));
            cs_replay_free(part);
        }
    cs_replay_free(whole);
}

struct watched {
    uint32_t ranks;
    uint64_t sum;
};

static void on_scattered(void *watcher, const struct cs_replay *replay, uint32_t rank)
{
    struct watched *watched = watcher;

    watched->ranks++;
    watched->sum += cs_replay_value(replay, rank, rank);
}

TEST(the_watcher_sees_every_rank_after_its_scatter)
{
    struct cs_call call = {.ranks = 5, .elements = 70, .element_bytes = 4};
    const struct cs_algo *ring = cs_algo_find("ring", cs_collective_find("allreduce"));
    struct cs_program program = cs_algo_program(ring, &call);
    struct watched watched = {0};
    struct cs_algebra algebra = decimal;
    struct cs_replay *result;

    algebra.scattered = on_scattered;
    algebra.watcher = &watched;
    assert_int_equal(cs_replay_run(&program, &algebra, all_of(&program), &result, NULL), 0);
    assert_int_equal(watched.ranks, 5);
    assert_int_equal(watched.sum, 5 * 11111);
    cs_replay_free(result);
}

TEST(a_copy_of_the_input_lands_where_it_is_sent)
{
    struct step steps[] = {MESSAGE(0, 1, 0, 0), step_at(1, 1, op_of(CS_OP_COPY, 0, 1)),
                           step_at(1, 2, op_of(CS_OP_REDUCE, 0, 1))};
    const struct script script = SCRIPT_OF(steps);
    struct cs_program program = script_program(&script, 2, 10);
    struct cs_replay *result;

    program.blocks = 2;
    steps[2].op.source_buffer = CS_OUTPUT; /* block 0, received */
    steps[3].op.source_buffer = CS_INPUT;  /* block 0, rank 1's own */
    result = replay(&program);
    assert_int_equal(cs_replay_value(result, 1, 1), 11);
    assert_int_equal(cs_replay_value(result, 0, 1), 1);
    cs_replay_free(result);
}

/* ---- what is refused ---- */

TEST(a_receive_of_other_blocks_is_refused)
{
    struct cs_program program =
        SCRIPT(2, 10, step_at(0, 0, send_to(1, 0)), step_at(1, 2, recv_from(0, 1)));

    program.blocks = 2;
    expect_refusal(
        &program,
        "rank 1, round 2: expects chunk 1 from rank 0, which sent chunk 0 in its round 0");
}

TEST(a_receive_that_waits_for_ever_is_refused)
{
    struct cs_program program = SCRIPT(2, 10, step_at(2, 3, recv_from(0, 1)));

    program.blocks = 2;
    program.agents = 1;
    expect_refusal(&program,
                   "server 0, round 3: waits for chunk 1 from rank 0, which never sends it");
}

TEST(a_message_without_its_receive_is_refused)
{
    struct cs_program program = SCRIPT(2, 10, step_at(0, 1, send_to(1, 1)));

    program.blocks = 2;
    expect_refusal(&program, "rank 0, round 1: sends chunk 1 to rank 1, which never receives it");
}

/* Both send first and receive later: one of them has to buffer. */
TEST(sends_do_not_wait_for_their_receives)
{
    const struct cs_proof_options options = {.seed = 1};
    struct cs_proof proof;
    struct cs_program program =
        SCRIPT(2, 10, step_at(0, 0, send_to(1, 0)), step_at(0, 1, recv_from(1, 0)),
               step_at(1, 0, send_to(0, 0)), step_at(1, 1, recv_from(0, 0)));

    program.after = CS_NOTHING;
    assert_done(cs_proof_run(&program, &options, &proof, &err));
}

TEST(a_sum_that_the_algebra_refuses_is_refused)
{
    struct cs_program program =
        SCRIPT(2, 10, step_at(0, 0, send_to(1, 0)), step_at(1, 5, reduce_from(0, 0)));
    const uint64_t forbidden = 11;
    struct cs_algebra algebra = decimal;
    struct cs_replay *result;

    algebra.ctx = &forbidden;
    assert_refused(cs_replay_run(&program, &algebra, all_of(&program), &result, &err), CS_EANSWER,
                   "rank 1, round 5: adds to chunk 0 what it holds already");
    cs_replay_free(result);
}

/* Two ops of one round of rank 1, which is enough to be refused. */
static void expect_refused_round(struct cs_op one, struct cs_op two, const char *text)
{
    struct cs_program program = SCRIPT(3, 10, step_at(1, 0, one), step_at(1, 0, two));

    program.blocks = 2;
    expect_refusal(&program, text);
}

TEST(ops_of_a_round_that_disturb_each_other_are_refused)
{
    const char *text =
        "rank 1, round 0: uses a chunk that another op of the round writes (chunk 1)";

    expect_refused_round(send_to(0, 1), recv_from(2, 1), text);
    expect_refused_round(recv_from(0, 1), send_to(2, 1), text);
    expect_refused_round(recv_from(0, 1), recv_from(2, 1), text);
    expect_refused_round(recv_from(0, 1), reduce_from(2, 1), text);
    expect_refused_round(reduce_from(0, 1), recv_from(2, 1), text);
}

TEST(ops_that_make_no_sense_are_refused)
{
    struct cs_op into_input = recv_from(0, 1);
    struct cs_op too_many = send_to(0, 1);

    into_input.buffer = CS_INPUT;
    too_many.blocks.count = 3;
    expect_refused_round(send_to(3, 0), send_to(0, 0),
                         "rank 1, round 0: has a peer that does not exist (chunk 0)");
    expect_refused_round(send_to(1, 0), send_to(0, 0),
                         "rank 1, round 0: is its own peer (chunk 0)");
    expect_refused_round(send_to(0, 2), send_to(0, 0),
                         "rank 1, round 0: names chunks that do not exist (chunk 2)");
    expect_refused_round(too_many, send_to(0, 0),
                         "rank 1, round 0: names chunks that do not exist (chunks 1 +3)");
    expect_refused_round(into_input, send_to(0, 0),
                         "rank 1, round 0: writes into its input (chunk 1)");
}

/* Readers of one block, and sums into one block, may stand side by side. */
TEST(ops_that_do_no_harm_to_each_other_are_allowed)
{
    struct cs_program program =
        SCRIPT(3, 10, step_at(1, 0, send_to(0, 0)), step_at(1, 0, send_to(2, 0)),
               step_at(0, 0, reduce_from(1, 0)), step_at(2, 0, reduce_from(1, 0)),
               step_at(0, 1, send_input_to(1, 1)), step_at(2, 1, send_input_to(1, 1)),
               step_at(1, 1, reduce_from(0, 1)), step_at(1, 1, reduce_from(2, 1)),
               step_at(1, 1, send_input_to(0, 1)), step_at(0, 2, reduce_from(1, 1)));
    struct cs_replay *result;

    program.blocks = 2;
    result = replay(&program);
    assert_int_equal(cs_replay_value(result, 1, 1), 111);
    assert_int_equal(cs_replay_value(result, 0, 1), 11);
    cs_replay_free(result);
}

/* In whichever order the ops are written down, and whoever comes first. */
TEST(ranks_may_exchange_what_they_have_and_add_it_up)
{
    struct cs_program program =
        SCRIPT(2, 10, step_at(0, 0, send_to(1, 0)), step_at(0, 0, reduce_from(1, 0)),
               step_at(1, 0, reduce_from(0, 0)), step_at(1, 0, send_to(0, 0)));
    struct cs_replay *result = replay(&program);

    assert_int_equal(cs_replay_value(result, 0, 0), 11);
    assert_int_equal(cs_replay_value(result, 1, 0), 11);
    cs_replay_free(result);
    program.lanes = 2;
    result = replay(&program);
    assert_int_equal(cs_replay_value(result, 0, 0), 11);
    cs_replay_free(result);
}

TEST(a_local_sum_may_not_read_what_is_added_to)
{
    struct cs_op sum = op_of(CS_OP_REDUCE, 0, 0);

    sum.source_buffer = CS_OUTPUT;
    sum.source = 1;
    expect_refused_round(
        reduce_from(0, 1), sum,
        "rank 1, round 0: uses a chunk that another op of the round writes (chunk 0)");
    expect_refused_round(
        sum, reduce_from(0, 1),
        "rank 1, round 0: uses a chunk that another op of the round writes (chunk 1)");
}

/* Lane 0 of rank 1 receives block 0, lane 1 sends it on; with a WAIT in front
 * that is an order, without it a race. */
TEST(lanes_that_race_for_a_block_are_refused)
{
    struct step steps[] = {step_in_lane(1, 0, 0, recv_from(0, 0)),
                           step_in_lane(1, 1, 0, (struct cs_op){.kind = CS_OP_WAIT}),
                           step_in_lane(1, 1, 1, send_to(2, 0)),
                           step_in_lane(2, 1, 0, recv_from(1, 0)),
                           step_in_lane(0, 0, 0, recv_from(2, 1)),
                           step_in_lane(0, 0, 1, send_to(1, 0)),
                           step_in_lane(2, 0, 0, send_to(0, 1))};
    const struct script script = SCRIPT_OF(steps);
    struct cs_program program = script_program(&script, 3, 10);
    struct cs_replay *result;

    program.blocks = 2;
    program.lanes = 2;
    result = replay(&program);
    assert_int_equal(cs_replay_value(result, 2, 0), 1);
    cs_replay_free(result);
    steps[1].op = send_to(2, 0);
    steps[2].op = send_to(2, 1);
    expect_refusal(&program, "rank 1, round 0: races for a chunk with lane 1 (rank 1, round 0): "
                             "nothing says which is first (chunk 0)");
}

/* Rank 1 receives block 0 in lane 0 and sends it on in lane 1, once rank 0's
 * second message has come: which is after the first one in the replay, but
 * does not have to be.  `token` is the lane of rank 1 that permits rank 0 to send
 * the second one, if it is permitted at all. */
static struct cs_program lucky_order(struct script *script, struct step steps[], uint32_t token)
{
    struct cs_program program;
    uint32_t requests = token < 2 ? token : 0;

    steps[0] = step_in_lane(0, 0, 0, send_to(1, 0));
    steps[1] = step_in_lane(1, 0, 0, recv_from(0, 0));
    steps[2] = step_in_lane(0, 1, 1, send_to(1, 1));
    steps[3] = step_in_lane(1, 1, 1, recv_from(0, 1));
    steps[4] = step_in_lane(1, 1, 2, send_to(2, 0));
    steps[5] = step_in_lane(2, 1, 0, recv_from(1, 0));
    steps[6] = step_in_lane(1, requests, requests ? 0 : 1, send_to(0, 2));
    steps[7] = step_in_lane(0, token < 2 ? 1 : 0, token < 2 ? 0 : 1, recv_from(1, 2));
    steps[6].op.channel = steps[7].op.channel = 1;
    *script = (struct script){steps, 8};
    program = script_program(script, 3, 10);
    program.blocks = 3;
    program.lanes = 2;
    return program;
}

TEST(an_order_that_is_luck_is_refused)
{
    struct step steps[8];
    struct script script;
    struct cs_program program = lucky_order(&script, steps, 2);
    const char *text = "rank 1, round 2: races for a chunk with lane 0 (rank 1, round 0): nothing "
                       "says which is first (chunk 0)";

    expect_refusal(&program, text);
    program = lucky_order(&script, steps, 1);
    expect_refusal(&program, text);
}

TEST(messages_order_lanes)
{
    struct step steps[8];
    struct script script;
    struct cs_program program = lucky_order(&script, steps, 0);
    struct cs_replay *result = replay(&program);

    assert_int_equal(cs_replay_value(result, 2, 0), 1);
    cs_replay_free(result);
}

TEST(lanes_that_wait_for_each_other_are_refused)
{
    struct cs_program program =
        SCRIPT(1, 10, step_in_lane(0, 0, 0, (struct cs_op){.kind = CS_OP_WAIT, .peer = 1}),
               step_in_lane(0, 1, 0, (struct cs_op){.kind = CS_OP_WAIT, .peer = 0}));

    program.lanes = 2;
    expect_refusal(&program,
                   "rank 0, round 0: lane 0 waits for round 0 of lane 1, which never ends");
}
