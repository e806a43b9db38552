#include "sim/proof/steps.h"
#include "tests/fixture.h"

#include "sim/base/text.h"
#include "sim/proof/replay.h"

/* ---- helpers ---- */

struct lesson {
    struct machine machine;
    struct cs_call call;
    struct cs_program program;
    struct cs_steps steps;
    struct cs_exec_result result;
};

static const struct cs_algo *algo_of(const char *name)
{
    const struct cs_algo *algo = cs_algo_find(name, &cs_collective_allreduce);

    assert_non_null(algo);
    return algo;
}

static void lesson_open(struct lesson *lesson, const char *name, uint32_t ranks)
{
    const struct cs_algo *algo = algo_of(name);
    struct cs_hockney hockney = {1e-6, 1e10, 0};
    char spec[100];

    *lesson = (struct lesson){
        .call = {.ranks = ranks, .elements = 1200, .element_bytes = 4, .chunks = 4}};
    cs_algo_resolve(algo, &lesson->call, &hockney);
    lesson->program = cs_algo_program(algo, &lesson->call);
    snprintf(spec, sizeof(spec), "switch:ranks=%u,bandwidth=10GB/s,latency=1us,gamma=100GB/s",
             ranks);
    machine_open(&lesson->machine, spec, 0, lesson->program.agents);
    assert_done_of(name,
                   cs_steps_of(&lesson->program, &lesson->machine.arena, &lesson->steps, &err));
}

static void lesson_run(struct lesson *lesson)
{
    struct cs_exec_watch watch = {
        .delivered = cs_steps_delivered, .worked = cs_steps_worked, .ctx = &lesson->steps};
    struct cs_exec_request request = {.program = &lesson->program,
                                      .net = &lesson->machine.net,
                                      .model = cs_link_models[0],
                                      .watch = &watch};

    assert_done(cs_exec_run_watched(&request, &lesson->machine.arena, &lesson->result, &err));
    cs_steps_finish(&lesson->steps, lesson->result.time_ps);
}

static void lesson_close(struct lesson *lesson)
{
    machine_close(&lesson->machine);
}

/* "012|02|0" */
static void shows(const struct lesson *lesson, uint32_t after, uint32_t party, const char *picture)
{
    const struct cs_steps *steps = &lesson->steps;
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    uint32_t block, rank;

    for (block = 0; block < steps->blocks; block++) {
        cs_text_add(&text, block ? "|" : "");
        for (rank = 0; rank < steps->ranks; rank++)
            if (cs_steps_holding(steps, after, party, block)->ranks >> rank & 1)
                cs_text_printf(&text, "%u", rank);
    }
    assert_string_equal(cs_text_str(&text), picture);
}

/* ---- steps ---- */

#define LESSON_TEST(name) TEST_OF(struct lesson, lesson, lesson_close, name)

/* The picture in algorithms/shared/patterns/phase.h. */
LESSON_TEST(a_ring_of_3_goes_as_its_picture_says)
{
    static const char *const pictures[][3] = {
        {"0|0|0", "1|1|1", "2|2|2"},
        {"0|02|0", "1|1|01", "12|2|2"},
        {"012|02|0", "1|012|01", "12|2|012"},
        {"012|02|012", "012|012|01", "12|012|012"},
        {"012|012|012", "012|012|012", "012|012|012"},
    };
    uint32_t after, rank;

    lesson_open(lesson, "ring", 3);
    assert_int_equal(lesson->steps.count, 4);
    for (after = 0; after <= 4; after++)
        for (rank = 0; rank < 3; rank++)
            shows(lesson, after, rank, pictures[after][rank]);
}

LESSON_TEST(every_step_of_a_ring_has_a_message_of_each_rank)
{
    lesson_open(lesson, "ring", 5);
    assert_int_equal(lesson->steps.count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        const struct cs_step *step = &lesson->steps.steps[i];

        assert_int_equal(step->count, 5);
        assert_int_equal(step->bytes, (i + 1) * 4800);
        assert_int_equal(lesson->steps.messages[step->first + 2].src, 2);
        assert_int_equal(lesson->steps.messages[step->first + 2].adds, i < 4);
    }
}

LESSON_TEST(a_tree_keeps_its_levels_in_step)
{
    static const uint32_t counts[] = {3, 1, 1, 1, 1, 3};

    lesson_open(lesson, "tree", 6); /* 4 -> 0 belongs to the third level */
    assert_int_equal(lesson->steps.count, 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(lesson->steps.steps[i].count, counts[i]);
    shows(lesson, 2, 0, "0123");
    shows(lesson, 3, 0, "012345");
}

/* What a block may have after step `i`: its content before, and what the senders of the
 * step's messages to it had before. */
static uint32_t sent_content(const struct cs_steps *steps, uint32_t i, uint32_t party,
                             uint32_t block)
{
    uint32_t ranks = cs_steps_holding(steps, i, party, block)->ranks;
    uint32_t first = steps->steps[i].first;

    for (uint32_t m = first; m < first + steps->steps[i].count; m++) {
        const struct cs_step_message *message = &steps->messages[m];
        uint32_t k = block - message->to.first;

        if (message->dst == party && k < message->to.count)
            ranks |= cs_steps_holding(steps, i, message->src, message->from.first + k)->ranks;
    }
    return ranks;
}

/* Lanes that wait for each other: a tree's lane down sends what its lane up has. */
TEST(a_message_carries_what_its_sender_had_before_the_step)
{
    static const char *const names[] = {"tree", "double-tree", "ring"};
    struct lesson lesson;

    for (uint32_t n = 0; n < 3 * 6; n++) {
        const struct cs_steps *steps = &lesson.steps;

        lesson_open(&lesson, names[n % 3], 3 + n / 3);
        for (uint32_t i = 0; i < steps->count; i++)
            for (uint32_t party = 0; party < steps->parties; party++)
                for (uint32_t b = 0; b < steps->blocks; b++)
                    if (cs_steps_holding(steps, i + 1, party, b)->ranks &
                        ~sent_content(steps, i, party, b))
                        fail_msg("%s of %u: block %u of rank %u after step %u", names[n % 3],
                                 steps->ranks, b, party, i + 1);
        lesson_close(&lesson);
    }
}

LESSON_TEST(a_resource_is_pushed_to_and_pulled_from_in_two_steps)
{
    lesson_open(lesson, "ps", 4);
    assert_int_equal(lesson->steps.count, 2);
    shows(lesson, 0, 4, "");
    shows(lesson, 1, 4, "0123");
    shows(lesson, 1, 0, "0");
    shows(lesson, 2, 0, "0123");
}

LESSON_TEST(only_what_is_owed_is_complete)
{
    lesson_open(lesson, "ring", 3);
    assert_false(cs_steps_holding(&lesson->steps, 1, 0, 0)->complete);
    assert_true(cs_steps_holding(&lesson->steps, 2, 0, 0)->complete);
    assert_false(cs_steps_holding(&lesson->steps, 2, 1, 0)->complete);
}

/* More ranks than a value has bits for beside the original block. */
LESSON_TEST(sixty_four_ranks_have_all_steps)
{
    lesson_open(lesson, "ring", 64);
    assert_int_equal(lesson->steps.count, 126);
    for (uint32_t rank = 0; rank < 64; rank++) {
        const struct cs_holding *half = cs_steps_holding(&lesson->steps, 63, rank, rank);

        assert_true(half->ranks == UINT64_MAX && half->complete);
        assert_false(cs_steps_holding(&lesson->steps, 62, rank, rank)->complete);
        assert_true(cs_steps_holding(&lesson->steps, 126, rank, rank)->complete);
    }
}

ARENA_TEST(what_cannot_be_drawn_is_refused)
{
    const struct cs_algo *ring = algo_of("ring");
    struct cs_call call = {.ranks = 65, .elements = 65, .element_bytes = 4};
    struct cs_hockney hockney = {1e-6, 1e10, 0};
    struct cs_program program;
    struct cs_steps steps;

    cs_algo_resolve(ring, &call, &hockney);
    program = cs_algo_program(ring, &call);
    assert_refused(cs_steps_of(&program, arena, &steps, &err), CS_EINPUT,
                   "steps are drawn for up to 64 ranks, not 65");
}

/* ---- times ---- */

LESSON_TEST(each_message_gets_its_times_from_the_simulation)
{
    lesson_open(lesson, "ring", 4);
    lesson_run(lesson);
    assert_int_equal(lesson->steps.message_count, lesson->result.messages);
    for (uint32_t i = 0; i < lesson->steps.message_count; i++) {
        const struct cs_step_message *message = &lesson->steps.messages[i];

        /* alpha is 2 hops of 1 us at most; 1200 B at 10 GB/s are 120 ns. */
        assert_true(message->arrived_ps > message->sent_ps + 120000);
        assert_true(message->arrived_ps <= lesson->result.time_ps);
        assert_int_equal(message->wait_ps, 0);
    }
    assert_int_equal(lesson->steps.steps[5].time_ps, lesson->result.time_ps);
    assert_true(lesson->steps.steps[0].time_ps < lesson->steps.steps[1].time_ps);
}

LESSON_TEST(a_message_that_waits_for_a_port_says_so)
{
    lesson_open(lesson, "ps", 3);
    lesson_run(lesson);
    assert_int_equal(lesson->steps.messages[0].wait_ps, 0);
    assert_true(lesson->steps.messages[1].wait_ps > 0);
}

LESSON_TEST(watching_changes_nothing)
{
    struct cs_exec_result alone;

    lesson_open(lesson, "tree", 7);
    lesson_run(lesson);
    assert_done(cs_exec_run(&lesson->program, &lesson->machine.net, cs_link_models[0],
                            &lesson->machine.arena, &alone, &err));
    assert_int_equal(alone.time_ps, lesson->result.time_ps);
    assert_int_equal(alone.events, lesson->result.events);
}

/* ---- the replay's moves ---- */

struct moves {
    uint32_t count;
    uint32_t adds;
    uint64_t last;
};

static uint64_t one_bit(const void *ctx, uint32_t rank, uint32_t block)
{
    (void)ctx;
    (void)block;
    return (uint64_t)1 << rank;
}

static bool both(const void *ctx, uint64_t a, uint64_t b, uint64_t *sum)
{
    (void)ctx;
    *sum = a | b;
    return true;
}

static void count_move(void *watcher, const struct cs_replay_move *move)
{
    struct moves *moves = watcher;

    moves->count++;
    moves->adds += move->adds;
    moves->last = move->values[0];
    assert_int_equal(move->from.at.party == move->to.at.party, false);
}

LESSON_TEST(a_replay_reports_of_every_message_and_what_it_carried)
{
    struct moves moves = {0};
    struct cs_algebra algebra = {
        .initial = one_bit, .add = both, .moved = count_move, .watcher = &moves};
    struct cs_replay *replay;

    lesson_open(lesson, "tree", 4);
    assert_done(cs_replay_run(&lesson->program, &algebra,
                              (struct cs_replay_window){0, lesson->program.blocks}, &replay, &err));
    assert_int_equal(moves.count, 6);
    assert_int_equal(moves.adds, 3);
    assert_int_equal(moves.last, 0xf);
    cs_replay_free(replay);
}

/* 1600 B at 100 GB/s take 16 ns; a rank adds a block in each of two rounds, as
 * soon as its message is there. */
LESSON_TEST(each_sum_gets_its_times_from_the_simulation)
{
    uint32_t by_party[3] = {0, 0, 0};

    lesson_open(lesson, "ring", 3);
    lesson_run(lesson);
    assert_int_equal(lesson->steps.work_count, 6);
    for (uint32_t i = 0; i < lesson->steps.work_count; i++) {
        const struct cs_step_work *work = &lesson->steps.works[i];
        bool arrived = false;

        assert_true(work->party < 3);
        by_party[work->party]++;
        assert_int_equal(work->to_ps - work->from_ps, 16000);
        for (uint32_t m = 0; m < lesson->steps.message_count; m++)
            arrived |= lesson->steps.messages[m].dst == work->party &&
                       lesson->steps.messages[m].adds &&
                       lesson->steps.messages[m].arrived_ps == work->from_ps;
        assert_true(arrived);
    }
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(by_party[i], 2);
}
