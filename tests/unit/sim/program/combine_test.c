#include "sim/program/combine.h"

#include "tests/fixture.h"

/* On the parties of the first job. */
static struct cs_program combine(const struct cs_job *jobs, uint32_t count, struct cs_arena *arena)
{
    struct cs_combine_parties parties = {jobs[0].program->ranks, jobs[0].program->agents};

    return cs_combine(parties, jobs, count, arena);
}

static const uint32_t low[] = {0, 1, 2, 3};
static const uint32_t high[] = {4, 5, 6, 7};
static const uint32_t other[] = {3, 1, 0, 2};

struct job {
    struct cs_call call;
    struct cs_program program;
};

static void job_open(struct job *job, const char *algo, uint32_t ranks, uint64_t elements)
{
    job->call = (struct cs_call){.ranks = ranks, .elements = elements, .element_bytes = 4};
    job->program = fixture_program(algo, "allreduce", &job->call);
}

static uint64_t job_done_ps(const struct cs_exec_result *result, const struct cs_program *program,
                            const struct cs_job *jobs, uint32_t number)
{
    uint32_t from = cs_combine_lane(jobs, number);
    uint64_t done_ps = 0;

    for (uint32_t party = 0; party < cs_program_parties(program); party++)
        for (uint32_t l = 0; l < jobs[number].program->lanes; l++) {
            uint64_t at_ps = result->lane_done_ps[(size_t)party * program->lanes + from + l];

            if (at_ps > done_ps)
                done_ps = at_ps;
        }
    return done_ps;
}

#define SWITCH "switch:latency=1us,bandwidth=10GB/s,gamma=100GB/s"

static uint64_t alone_in(const char *model, const char *algo, uint32_t ranks, uint64_t elements)
{
    CS_AT_END(machine_close) struct machine machine;
    struct job job;

    job_open(&job, algo, ranks, elements);
    machine_open(&machine, SWITCH, ranks, 0);
    return machine_run(&machine, &job.program, model).time_ps;
}

static uint64_t alone_ps(const char *algo, uint32_t ranks, uint64_t elements)
{
    return alone_in("fifo", algo, ranks, elements);
}

/* A job of all eight ranks that does nothing. */
static uint64_t no_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    (void)ctx;
    return 0;
}

MACHINE_TEST(jobs_on_other_ranks_do_not_meet)
{
    struct job idle, ring, direct;
    struct cs_job jobs[3] = {{&idle.program, NULL, 0, 1},
                             {&ring.program, low, 0, 1},
                             {&direct.program, high, 5000000, 1}};
    struct cs_program program;
    struct cs_exec_result result;

    job_open(&idle, "ring", 8, 8);
    idle.program.rounds = no_rounds;
    job_open(&ring, "ring", 4, 40000);
    job_open(&direct, "direct", 4, 70001);
    machine_open(machine, SWITCH, 8, 0);
    program = combine(jobs, 3, &machine->arena);
    result = machine_run(machine, &program, "fifo");
    assert_int_equal(job_done_ps(&result, &program, jobs, 1), alone_ps("ring", 4, 40000));
    assert_int_equal(job_done_ps(&result, &program, jobs, 2),
                     5000000 + alone_ps("direct", 4, 70001));
    assert_int_equal(result.time_ps, 0); /* of the first job */
}

/* Whoever comes second waits for every chunk of the other. */
MACHINE_TEST(jobs_on_the_same_ranks_share_the_wires)
{
    struct job one, two;
    struct cs_job jobs[2] = {{&one.program, NULL, 0, 1}, {&two.program, NULL, 0, 1}};
    struct cs_program program;
    struct cs_exec_result result;
    uint64_t time_ps = alone_ps("ring", 4, 4000000);

    job_open(&one, "ring", 4, 4000000);
    job_open(&two, "ring", 4, 4000000);
    machine_open(machine, SWITCH, 4, 0);
    program = combine(jobs, 2, &machine->arena);
    result = machine_run(machine, &program, "fifo");
    /* It reduces while the other sends. */
    assert_in_range(job_done_ps(&result, &program, jobs, 1), time_ps * 18 / 10, 2 * time_ps);
    assert_int_equal(result.time_ps, job_done_ps(&result, &program, jobs, 0));
    /* All that is sent arrives. */
    assert_int_equal(result.bytes_sent, 2ULL * 2 * 3 * 16000000);
}

TEST(a_job_alone_is_what_it_was)
{
    /* In the trees messages of equal time meet: there the placement matters. */
    const struct {
        const char *algo;
        const uint32_t *slot;
    } cases[] = {{"ring", other}, {"direct", other}, {"double-tree", NULL}, {"chain", NULL}};

    for (size_t i = 0; i < 4; i++) {
        struct job job;
        struct cs_job jobs[1] = {{&job.program, cases[i].slot, 0, 1}};
        CS_AT_END(machine_close) struct machine machine;
        struct cs_program program;
        struct cs_exec_result result;

        job_open(&job, cases[i].algo, 4, 12345);
        machine_open(&machine, SWITCH, 4, 0);
        program = combine(jobs, 1, &machine.arena);
        result = machine_run(&machine, &program, "fifo");
        assert_int_equal(result.time_ps, alone_ps(cases[i].algo, 4, 12345));
    }
}

/* In the tree a message leaves when its receiver asks, in the ring at once: of
 * five ranks rank 4 would be early, and share the route with rank 1. */
/* Channels of a tree over nodes take turns, also beside other jobs. */
MACHINE_TEST(lanes_take_their_turns_as_they_do_alone)
{
    struct job tree;
    struct cs_job jobs[1] = {{&tree.program, NULL, 0, 1}};
    struct cs_program program;
    uint64_t alone;

    tree.call = (struct cs_call){.ranks = 12, .group = 4, .elements = 48000, .element_bytes = 4};
    tree.program = fixture_program("double-tree", "allreduce", &tree.call);
    assert_non_null(tree.program.turn);
    machine_open(machine, "cluster:node=hgx-a100-4,nodes=3", 0, 0);
    alone = machine_run(machine, &tree.program, "fifo").time_ps;
    program = combine(jobs, 1, &machine->arena);
    assert_int_equal(machine_run(machine, &program, "fifo").time_ps, alone);
}

TEST(each_job_shakes_hands_as_it_does_alone)
{
    static const uint32_t slots[2][5] = {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}};
    static const char *const cases[][2] = {{"ring", "tree"}, {"tree", "ring"}, {"tree", "tree"}};

    for (size_t i = 0; i < 3; i++) {
        struct job idle, one, two;
        struct cs_job jobs[3] = {{&idle.program, NULL, 0, 1},
                                 {&one.program, slots[0], 0, 1},
                                 {&two.program, slots[1], 3000000, 1}};
        CS_AT_END(machine_close) struct machine machine;
        struct cs_program program;
        struct cs_exec_result result;

        job_open(&idle, cases[i][1], 10, 8);
        idle.program.rounds = no_rounds;
        job_open(&one, cases[i][0], 5, 40000);
        job_open(&two, cases[i][1], 5, 70001);
        machine_open(&machine, SWITCH, 10, 0);
        program = combine(jobs, 3, &machine.arena);
        result = machine_run(&machine, &program, "fluid");
        assert_int_equal(job_done_ps(&result, &program, jobs, 1),
                         alone_in("fluid", cases[i][0], 5, 40000));
        assert_int_equal(job_done_ps(&result, &program, jobs, 2),
                         3000000 + alone_in("fluid", cases[i][1], 5, 70001));
    }
}

MACHINE_TEST(repeats_follow_each_other)
{
    struct job job;
    struct cs_job jobs[1] = {{&job.program, NULL, 0, 3}};
    struct cs_program program;
    struct cs_exec_result result;

    job_open(&job, "ring", 4, 40000);
    machine_open(machine, SWITCH, 4, 0);
    program = combine(jobs, 1, &machine->arena);
    result = machine_run(machine, &program, "fifo");
    assert_int_equal(result.time_ps, 3 * alone_ps("ring", 4, 40000));
}
