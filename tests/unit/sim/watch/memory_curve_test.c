#include "sim/watch/memory_curve.h"

#include "tests/fixture.h"

enum {
    RANKS = 5,
    CHANGES = 400
};

/* What happened, to look at again. */
struct change {
    uint64_t at_ps;
    uint32_t rank;
    uint64_t bytes;
};

static struct change *draw_changes(struct cs_arena *arena, uint64_t seed)
{
    struct change *changes = cs_arena_alloc(arena, CHANGES, sizeof(*changes));
    uint64_t at_ps = 0;

    for (uint32_t i = 0; i < CHANGES; i++) {
        uint64_t draw = cs_mix64(seed * CHANGES + i);

        at_ps += draw % 7 ? draw % 100 : draw % 5000;
        changes[i] = (struct change){at_ps, (uint32_t)(draw >> 20) % RANKS, (draw >> 40) % 1000};
    }
    return changes;
}

/* The most at any moment from `begin` up to before `end`, the slow method. */
static struct cs_memory_point most_between(const struct change *changes, uint64_t begin,
                                           uint64_t end)
{
    uint64_t held[RANKS] = {0};
    struct cs_memory_point most = {0};

    for (uint32_t i = 0; i <= CHANGES; i++) {
        uint64_t since = i ? changes[i - 1].at_ps : 0;
        uint64_t until = i < CHANGES ? changes[i].at_ps : end;
        struct cs_memory_point now = {0};

        if (i)
            held[changes[i - 1].rank] = changes[i - 1].bytes;
        for (uint32_t r = 0; r < RANKS; r++) {
            now.all_bytes += held[r];
            if (held[r] > now.peak_bytes)
                now.peak_bytes = held[r];
        }
        if (since >= end || until < begin)
            continue;
        if (now.all_bytes > most.all_bytes)
            most.all_bytes = now.all_bytes;
        if (now.peak_bytes > most.peak_bytes)
            most.peak_bytes = now.peak_bytes;
    }
    return most;
}

TEST(every_point_is_the_most_of_its_interval)
{
    uint64_t seed;

    for (seed = 1; seed <= 20; seed++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct change *changes = draw_changes(&arena, seed);
        uint64_t end_ps = changes[CHANGES - 1].at_ps + 1;
        struct cs_memory_curve curve;
        uint32_t i;

        cs_memory_curve_open(&curve, RANKS, &arena);
        for (i = 0; i < CHANGES; i++)
            cs_memory_curve_held(&curve, changes[i].rank, changes[i].bytes, changes[i].at_ps);
        cs_memory_curve_close(&curve, end_ps);
        assert_int_equal(curve.count, end_ps / curve.interval_ps + 1);
        assert_in_range(curve.count, CS_MEMORY_POINTS / 2, CS_MEMORY_POINTS);
        for (i = 0; i < curve.count; i++) {
            struct cs_memory_point most =
                most_between(changes, i * curve.interval_ps, (i + 1) * curve.interval_ps);

            if (most.all_bytes != curve.points[i].all_bytes ||
                most.peak_bytes != curve.points[i].peak_bytes)
                fail_msg("seed %d, point %d", (int)seed, (int)i);
        }
    }
}

ARENA_TEST(parties_beside_the_ranks_are_not_counted)
{
    struct cs_memory_curve curve;

    cs_memory_curve_open(&curve, 2, arena);
    cs_memory_curve_held(&curve, 2, 1000, 5);
    cs_memory_curve_close(&curve, 10);
    assert_int_equal(curve.now.all_bytes, 0);
}

/* ---- of runs ---- */

enum {
    RUN_RANKS = 4,
    RUN_BYTES = 4000000
};

struct run {
    const char *collective, *algo, *topo, *model;
};

/* The most of the whole curve; what happens is as without a watch. */
static struct cs_memory_point most_of_run(const struct run *run)
{
    struct cs_call call = {.ranks = RUN_RANKS, .elements = RUN_BYTES, .element_bytes = 1};
    struct cs_program program = fixture_program(run->algo, run->collective, &call);
    CS_AT_END(machine_close) struct machine machine = {0};
    struct cs_memory_curve curve;
    struct cs_exec_watch watch = {.held = cs_memory_curve_held, .ctx = &curve};
    struct cs_exec_request request = {
        .program = &program, .model = cs_link_model_find(run->model), .watch = &watch};
    struct cs_exec_result watched;
    struct cs_exec_result alone;
    struct cs_memory_point most = {0};

    machine_open(&machine, run->topo, RUN_RANKS, 0);
    request.net = &machine.net;
    cs_memory_curve_open(&curve, RUN_RANKS, &machine.arena);
    assert_int_equal(cs_exec_run_watched(&request, &machine.arena, &watched, NULL), 0);
    cs_memory_curve_close(&curve, watched.time_ps);
    request.watch = NULL;
    assert_int_equal(cs_exec_run_watched(&request, &machine.arena, &alone, NULL), 0);
    assert_int_equal(watched.time_ps, alone.time_ps);
    assert_int_equal(watched.extra_bytes_max, alone.extra_bytes_max);
    assert_int_equal(curve.now.all_bytes, 0);
    for (uint32_t i = 0; i < curve.count; i++) {
        if (curve.points[i].all_bytes > most.all_bytes)
            most.all_bytes = curve.points[i].all_bytes;
        if (curve.points[i].peak_bytes > most.peak_bytes)
            most.peak_bytes = curve.points[i].peak_bytes;
    }
    return most;
}

/* Though sums take no time: every rank of a ring receives a block of V/p. */
TEST(buffers_fill_while_their_messages_arrive)
{
    static const char *const models[] = {"fifo", "fluid", "packet", "postal"};

    for (size_t m = 0; m < 4; m++) {
        struct run run = {"allreduce", "ring", "switch:bandwidth=1GB/s,latency=1us", models[m]};
        struct cs_memory_point most = most_of_run(&run);

        assert_int_equal(most.peak_bytes, RUN_BYTES / RUN_RANKS);
        assert_int_equal(most.all_bytes, RUN_BYTES);
    }
}

/* One vector from each of the others, over a wire of its own. */
TEST(messages_that_arrive_together_fill_a_buffer_each)
{
    static const char *const models[] = {"fifo", "fluid", "packet"};

    for (size_t m = 0; m < 3; m++) {
        struct run run = {"allreduce", "oneshot", "mesh:bandwidth=1GB/s,latency=1us", models[m]};
        struct cs_memory_point most = most_of_run(&run);

        assert_int_equal(most.peak_bytes, (RUN_RANKS - 1) * RUN_BYTES);
        assert_int_equal(most.all_bytes, RUN_RANKS * (RUN_RANKS - 1) * RUN_BYTES);
    }
}

TEST(what_is_received_into_its_place_fills_no_buffer)
{
    struct run run = {"all-gather", "ring", "switch:bandwidth=1GB/s,latency=1us", "fifo"};

    assert_int_equal(most_of_run(&run).all_bytes, 0);
}

TEST(the_peak_of_a_run_is_on_its_curve)
{
    const char *const algos[] = {"naive", "ring", "tree", "oneshot"};

    for (size_t a = 0; a < 4; a++) {
        struct cs_call call = {.ranks = 6, .elements = 600, .element_bytes = 4};
        struct cs_program program = fixture_program(algos[a], "allreduce", &call);
        CS_AT_END(machine_close) struct machine machine = {0};
        struct cs_memory_curve curve;
        struct cs_exec_watch watch = {.held = cs_memory_curve_held, .ctx = &curve};
        struct cs_exec_request request = {
            .program = &program, .model = cs_link_model_find("fifo"), .watch = &watch};
        struct cs_exec_result result;
        uint64_t peak = 0;
        uint32_t i;

        machine_open(&machine, "switch:latency=1us,gamma=1GB/s", 6, 0);
        request.net = &machine.net;
        cs_memory_curve_open(&curve, 6, &machine.arena);
        assert_int_equal(cs_exec_run_watched(&request, &machine.arena, &result, NULL), 0);
        cs_memory_curve_close(&curve, result.time_ps);
        for (i = 0; i < curve.count; i++)
            if (curve.points[i].peak_bytes > peak)
                peak = curve.points[i].peak_bytes;
        assert_true(peak >= result.extra_bytes_max);
        assert_int_equal(curve.now.all_bytes, 0); /* all is released */
    }
}
