#include "sim/proof/steps.h"

#include "tests/fixture.h"

struct lesson {
    struct cs_arena arena;
    struct cs_call call;
    struct cs_program program;
    struct cs_steps steps;
    const struct cs_steps_memory *memory;
};

/* False where the algorithm does not take so many ranks, or has too many steps
 * to be drawn. */
static bool lesson_open(struct lesson *lesson, const struct cs_algo *algo, uint32_t ranks)
{
    const struct cs_hockney hockney = {1e-6, 1e10, 0};
    struct cs_err err = {0};

    *lesson = (struct lesson){.call = {.ranks = ranks,
                                       .elements = 5040 * (uint64_t)ranks,
                                       .element_bytes = 1,
                                       .chunks = 4,
                                       .group = ranks % 2 ? 0 : ranks / 2}};
    cs_algo_resolve(algo, &lesson->call, &hockney);
    if (cs_algo_check(algo, &lesson->call, NULL))
        return false;
    lesson->program = cs_algo_program(algo, &lesson->call);
    if (cs_steps_of(&lesson->program, &lesson->arena, &lesson->steps, &err)) {
        cs_arena_free(&lesson->arena);
        return false;
    }
    lesson->memory = cs_steps_memory_of(&lesson->steps, &lesson->arena);
    return true;
}

static const struct cs_algo *algo_of(const char *collective, const char *name)
{
    return cs_algo_find(name, cs_collective_find(collective));
}

static uint64_t redundant(const struct cs_steps_memory *memory)
{
    return memory->copies + memory->stale;
}

/* THEORY of volume-optimal phases: a block sent is a stale sum or a copy. */
TEST(in_a_phase_of_least_volume_redundancy_is_what_was_sent)
{
    const struct {
        const char *collective;
        const char *algo;
    } phases[] = {{"reduce-scatter", "ring"},      {"reduce-scatter", "halving"},
                  {"reduce-scatter", "circulant"}, {"all-gather", "ring"},
                  {"all-gather", "doubling"},      {"all-gather", "circulant"}};

    for (size_t i = 0; i < sizeof(phases) / sizeof(*phases); i++) {
        struct lesson lesson;

        assert_true(lesson_open(&lesson, algo_of(phases[i].collective, phases[i].algo), 8));
        for (uint32_t s = 0; s < lesson.steps.count; s++)
            assert_int_equal(redundant(&lesson.memory[s + 1]), lesson.steps.steps[s].bytes);
        cs_arena_free(&lesson.arena);
    }
}

TEST(two_phases_send_twice_what_is_redundant)
{
    struct lesson lesson;
    uint32_t last;

    assert_true(lesson_open(&lesson, algo_of("allreduce", "ring"), 4));
    last = lesson.steps.count;
    assert_int_equal(lesson.steps.steps[last - 1].bytes, 2 * redundant(&lesson.memory[last]));
    assert_int_equal(lesson.memory[last].stale, 0);
    /* After the reduce-scatter all of it is stale sums. */
    assert_int_equal(lesson.memory[last / 2].copies, 0);
    assert_int_equal(lesson.memory[last / 2].stale, redundant(&lesson.memory[last]));
    cs_arena_free(&lesson.arena);
}

static void check_sums(const struct lesson *lesson, const struct cs_algo *algo)
{
    for (uint32_t i = 0; i <= lesson->steps.count; i++) {
        const struct cs_steps_memory *memory = &lesson->memory[i];

        if (memory->held != memory->result + memory->copies + memory->display + memory->stale ||
            memory->peak > memory->held || memory->peak * lesson->call.ranks < memory->held)
            fail_msg("%s %s, step %u: the kinds do not add up", algo->collective->name, algo->name,
                     i);
    }
    if (lesson->memory[lesson->steps.count].display != 0)
        fail_msg("%s %s: something is still to be read at the end", algo->collective->name,
                 algo->name);
}

/* The prover counts by itself. */
TEST(the_end_is_what_the_prover_counts)
{
    uint32_t compared = 0;

    for (size_t a = 0; a < cs_algo_count; a++)
        for (uint32_t p = 2; p <= 9; p++) {
            struct cs_proof_options options = {.seed = 1};
            struct lesson lesson;
            struct cs_proof proof;

            if (!lesson_open(&lesson, cs_algos[a], p))
                continue;
            check_sums(&lesson, cs_algos[a]);
            assert_int_equal(cs_proof_run(&lesson.program, &options, &proof, NULL), 0);
            if (redundant(&lesson.memory[lesson.steps.count]) != proof.redundant_bytes)
                fail_msg("%s %s, p = %u: %" PRIu64 " and %" PRIu64 " bytes are redundant",
                         cs_algos[a]->collective->name, cs_algos[a]->name, p,
                         redundant(&lesson.memory[lesson.steps.count]), proof.redundant_bytes);
            compared++;
            cs_arena_free(&lesson.arena);
        }
    assert_true(compared > 200);
}
