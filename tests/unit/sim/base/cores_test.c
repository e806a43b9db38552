#include "sim/base/cores.h"

#include "sim/base/err.h"
#include "tests/test.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static int square(void *ctx, uint64_t number, void *result)
{
    (void)ctx;
    *(uint64_t *)result = number * number;
    return 0;
}

static int fail_at_7(void *ctx, uint64_t number, void *result)
{
    return number == 7 ? CS_EINPUT : square(ctx, number, result);
}

static int die_at_7(void *ctx, uint64_t number, void *result)
{
    if (number == 7)
        raise(SIGKILL);
    return square(ctx, number, result);
}

static bool stop(void *ctx, uint64_t finished)
{
    (void)ctx;
    (void)finished;
    return false;
}

static int pause_item(void *ctx, uint64_t number, void *result)
{
    pause();
    return square(ctx, number, result);
}

TEST(results_are_the_same_for_any_number_of_workers)
{
    for (uint32_t workers = 0; workers < 6; ++workers) {
        uint64_t results[100];
        struct cs_cores cores = {
            .workers = workers, .count = 100, .size = sizeof(*results), .item = square};

        assert_int_equal(cs_cores_run(&cores, results), 0);
        for (uint64_t i = 0; i < 100; ++i)
            assert_int_equal(results[i], i * i);
    }
}

TEST(failure_and_death_of_a_worker_are_reported)
{
    uint64_t results[100];
    struct cs_cores cores = {
        .workers = 2, .count = 100, .size = sizeof(*results), .item = fail_at_7};

    assert_int_equal(cs_cores_run(&cores, results), CS_ECANNOT);
    cores.item = die_at_7;
    assert_int_equal(cs_cores_run(&cores, results), CS_ECANNOT);
}

TEST(stop_ends_workers_at_once)
{
    uint64_t results[4];
    struct cs_cores cores = {
        .workers = 2, .count = 4, .size = sizeof(*results), .item = pause_item, .look = stop};

    assert_int_equal(cs_cores_run(&cores, results), CS_ESTOPPED);
}

/* What a worker prepares; each has a copy. */
struct prepared {
    uint32_t worker;
    uint64_t items;
    int ends; /* of a pipe */
    int deaths;
};

static int prepare(void *ctx, uint32_t worker)
{
    struct prepared *prepared = ctx;

    prepared->worker = worker + 1;
    return 0;
}

static int refuse(void *ctx, uint32_t worker)
{
    (void)ctx;
    (void)worker;
    return CS_EINPUT;
}

static int use(void *ctx, uint64_t number, void *result)
{
    struct prepared *prepared = ctx;

    ++prepared->items;
    *(uint64_t *)result = prepared->worker;
    return number < 100 ? 0 : CS_EINPUT;
}

static void finish(void *ctx)
{
    struct prepared *prepared = ctx;

    assert_int_equal(write(prepared->ends, &prepared->items, sizeof(prepared->items)),
                     (int)sizeof(prepared->items));
}

TEST(workers_begin_and_end_once)
{
    uint64_t results[100], items, sum = 0;
    struct prepared prepared = {0};
    struct cs_cores cores = {.workers = 3,
                             .count = 100,
                             .size = sizeof(*results),
                             .begin = prepare,
                             .item = use,
                             .end = finish,
                             .ctx = &prepared};
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    prepared.ends = ends[1];
    assert_int_equal(cs_cores_run(&cores, results), 0);
    for (int i = 0; i < 100; ++i)
        assert_true(results[i] >= 1 && results[i] <= 3);
    for (int w = 0; w < 3; ++w) {
        assert_int_equal(read(ends[0], &items, sizeof(items)), (int)sizeof(items));
        sum += items;
    }
    assert_int_equal(sum, 100);
    assert_int_equal(prepared.items, 0);
    cores.begin = refuse;
    assert_int_equal(cs_cores_run(&cores, results), CS_ECANNOT);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void count_death(void *ctx, uint32_t worker, int number)
{
    struct prepared *prepared = ctx;

    (void)worker;
    assert_int_equal(number, SIGKILL);
    ++prepared->deaths;
}

/* All but the item of the worker that died. */
TEST(others_go_on_after_a_death)
{
    uint64_t results[100];
    struct prepared prepared = {0};
    struct cs_cores cores = {.workers = 2,
                             .count = 100,
                             .size = sizeof(*results),
                             .item = die_at_7,
                             .died = count_death,
                             .ctx = &prepared};

    assert_int_equal(cs_cores_run(&cores, results), CS_ECANNOT);
    assert_int_equal(prepared.deaths, 1);
    for (uint64_t i = 0; i < 100; ++i)
        assert_int_equal(results[i], i == 7 ? 0 : i * i);
}

/* With 0 workers items may change the memory of this process, and a failure or a stop ends
 * them, too. */
TEST(without_workers_this_process_computes)
{
    uint64_t results[100] = {0};
    struct cs_cores cores = {.count = 100, .size = sizeof(*results), .item = fail_at_7};

    assert_int_equal(cs_cores_run(&cores, results), CS_ECANNOT);
    assert_int_equal(results[6], 36);
    assert_int_equal(results[7], 0);
    cores.look = stop;
    assert_int_equal(cs_cores_run(&cores, results), CS_ESTOPPED);
}

/* What a simulation gave back is no part of the next one. */
TEST(memory_is_counted_while_it_is_held)
{
    size_t size = (size_t)64 << 20;
    double before = cs_process_bytes(), held;
    unsigned char *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(memory != MAP_FAILED);
    memset(memory, 1, size);
    held = cs_process_bytes();
    assert_int_equal(munmap(memory, size), 0);
    assert_true(held - before > 0.9 * (double)size);
    assert_true(held - cs_process_bytes() > 0.9 * (double)size);
}
