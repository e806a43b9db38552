/* Sweeps in the results database: cases, refusals, parts that are joined. */
#include "reports/results/store/sweep.h"

#include "tests/store_check.h"
#include "tests/unit/reports/sample.h"

enum {
    CASES = 4,
};

struct sweeping {
    char dir[64], path[3][96];
    struct cs_store *store;
    uint64_t base;
    struct cs_err err;
};

static int begin(void **state)
{
    static struct sweeping sweeping;
    char dir[sizeof(sweeping.dir)];

    sweeping = (struct sweeping){.store = NULL};
    *state = &sweeping;
    if (sample_dir_make(dir))
        return -1;
    memcpy(sweeping.dir, dir, sizeof(dir));
    for (int p = 0; p < 3; ++p)
        (void)snprintf(sweeping.path[p], sizeof(sweeping.path[p]), "%s/%d.db", dir, p);
    return 0;
}

static int end(void **state)
{
    struct sweeping *sweeping = *state;

    cs_store_close(sweeping->store);
    sample_dir_remove(sweeping->dir);
    return 0;
}

/* A test of sweeps in three files. */
#define SWEEP_TEST(name)                              \
    static void name##_in(struct sweeping *sweeping); \
    TEST_BETWEEN(begin, end, name)                    \
    {                                                 \
        name##_in(*state);                            \
    }                                                 \
    static void name##_in(struct sweeping *sweeping)

static void check(struct sweeping *sweeping, int code)
{
    if (code)
        fail_msg("%s", sweeping->err.text);
}

/* Opens file `p`, with a sweep of CASES cases and the hash. */
static void open_sweep(struct sweeping *sweeping, int p, uint64_t hash)
{
    cs_store_close(sweeping->store);
    check(sweeping, cs_store_sweep_open(sweeping->path[p], NULL, &sweeping->store, &sweeping->err));
    check(sweeping, cs_store_sweep_begin(sweeping->store, hash, CASES, "a sweep", &sweeping->base,
                                         &sweeping->err));
}

static void put(struct sweeping *sweeping, uint64_t number, uint64_t bytes)
{
    struct cs_record record = sample_ring();

    record.bytes = bytes;
    check(sweeping,
          cs_store_sweep_put(sweeping->store, sweeping->base, number, &record, &sweeping->err));
}

static void refuse(struct sweeping *sweeping, uint64_t number, const char *reason)
{
    check(sweeping,
          cs_store_sweep_refuse(sweeping->store, sweeping->base, number, reason, &sweeping->err));
}

/* The cases with a result, as bits. */
static unsigned done_of(struct sweeping *sweeping)
{
    bool done[CASES] = {false};
    uint64_t count;
    unsigned bits = 0, ones = 0;

    check(sweeping, cs_store_sweep_done(sweeping->store, sweeping->base, CASES, done, &count,
                                        &sweeping->err));
    for (int c = 0; c < CASES; ++c) {
        bits |= (unsigned)done[c] << c;
        ones += done[c];
    }
    assert_int_equal(count, ones);
    return bits;
}

SWEEP_TEST(a_sweep_is_known_by_its_hash)
{
    open_sweep(sweeping, 0, 7);
    assert_int_equal(sweeping->base, 0);
    put(sweeping, 3, 64);
    open_sweep(sweeping, 0, 8);
    assert_int_equal(sweeping->base, CASES);
    assert_int_equal(done_of(sweeping), 0);
    open_sweep(sweeping, 0, 7);
    assert_int_equal(sweeping->base, 0);
    assert_int_equal(done_of(sweeping), 8);
}

SWEEP_TEST(runs_and_refusals_are_done)
{
    CS_AT_END(cs_text_free) struct cs_text reasons = {0};

    open_sweep(sweeping, 0, 7);
    put(sweeping, 0, 64);
    refuse(sweeping, 1, "needs 2^k ranks");
    refuse(sweeping, 3, "needs 2^k ranks");
    assert_int_equal(done_of(sweeping), 1 | 2 | 8);
    check(sweeping,
          cs_store_sweep_reasons(sweeping->store, sweeping->base, CASES, &reasons, &sweeping->err));
    assert_string_equal(reasons.data, "  2 x needs 2^k ranks\n");
}

SWEEP_TEST(padded_cases_are_counted)
{
    struct cs_record record = sample_ring();
    uint64_t padded;

    open_sweep(sweeping, 0, 7);
    put(sweeping, 0, 64);
    check(sweeping,
          cs_store_sweep_padded(sweeping->store, sweeping->base, CASES, &padded, &sweeping->err));
    assert_int_equal(padded, 0);
    record.padded_bytes = 8;
    check(sweeping,
          cs_store_sweep_put(sweeping->store, sweeping->base, 2, &record, &sweeping->err));
    check(sweeping,
          cs_store_sweep_padded(sweeping->store, sweeping->base, CASES, &padded, &sweeping->err));
    assert_int_equal(padded, 1);
}

SWEEP_TEST(missing_cases_are_counted)
{
    char line[256] = "";
    FILE *messages = tmpfile();

    assert_non_null(messages);
    open_sweep(sweeping, 0, 7);
    put(sweeping, 0, 64);
    check(sweeping, cs_store_sweep_missing(sweeping->store, messages, &sweeping->err));
    rewind(messages);
    assert_non_null(fgets(line, sizeof(line), messages));
    assert_non_null(strstr(line, "4 cases, 3 missing"));
    assert_int_equal(fclose(messages), 0);
}

/* Parts 0 and 1 with a case in common, into file 2. */
static void make_parts(struct sweeping *sweeping, uint64_t common_bytes)
{
    open_sweep(sweeping, 0, 7);
    put(sweeping, 0, 64);
    put(sweeping, 1, 128);
    open_sweep(sweeping, 1, 7);
    put(sweeping, 1, common_bytes);
    refuse(sweeping, 2, "no");
    cs_store_close(sweeping->store);
    sweeping->store = NULL;
    check(sweeping, cs_store_sweep_open(sweeping->path[2], NULL, &sweeping->store, &sweeping->err));
    check(sweeping, cs_store_sweep_merge(sweeping->store, sweeping->path[0], &sweeping->err));
}

SWEEP_TEST(parts_join_and_join_again)
{
    make_parts(sweeping, 128);
    for (int again = 0; again < 2; ++again)
        for (int p = 0; p < 2; ++p)
            check(sweeping,
                  cs_store_sweep_merge(sweeping->store, sweeping->path[p], &sweeping->err));
    assert_int_equal(done_of(sweeping), 1 | 2 | 4);
    check(sweeping, cs_store_check(sweeping->store, &sweeping->err));
}

SWEEP_TEST(different_cases_do_not_join)
{
    make_parts(sweeping, 256);
    assert_refused_with(cs_store_sweep_merge(sweeping->store, sweeping->path[1], &err), CS_EANSWER,
                        "case 1 of");
    assert_int_equal(done_of(sweeping), 1 | 2);
}

SWEEP_TEST(a_run_and_a_refusal_do_not_join)
{
    make_parts(sweeping, 128);
    open_sweep(sweeping, 1, 7);
    refuse(sweeping, 0, "no");
    open_sweep(sweeping, 2, 7);
    assert_refused_with(cs_store_sweep_merge(sweeping->store, sweeping->path[1], &err), CS_EANSWER,
                        "a refusal");
}

SWEEP_TEST(parts_of_other_sweeps_are_refused)
{
    make_parts(sweeping, 128);
    cs_store_close(sweeping->store);
    sample_dir_remove(sweeping->path[1]);
    sweeping->store = NULL;
    open_sweep(sweeping, 1, 9);
    open_sweep(sweeping, 2, 7);
    check(sweeping, cs_store_sweep_merge(sweeping->store, sweeping->path[0], &sweeping->err));
    assert_refused_with(cs_store_sweep_merge(sweeping->store, sweeping->path[1], &err), CS_EINPUT,
                        "another sweep");
}

/* Of file `p`. */
static void put_run(struct sweeping *sweeping, int p)
{
    struct cs_record record = sample_ring();

    cs_store_close(sweeping->store);
    check(sweeping,
          cs_store_open(sweeping->path[p], CS_STORE_CREATE, &sweeping->store, &sweeping->err));
    check(sweeping, cs_store_put(sweeping->store, &record, &sweeping->err));
}

static uint64_t runs_of(struct sweeping *sweeping)
{
    CS_AT_END(cs_records_free) struct cs_records records = {0};

    check(sweeping, cs_store_load(sweeping->store, CS_STORE_ALL, &records, &sweeping->err));
    return records.count;
}

SWEEP_TEST(other_runs_have_ids_beyond_a_sweep)
{
    uint64_t last;

    open_sweep(sweeping, 0, 7);
    put_run(sweeping, 0);
    check(sweeping, cs_store_last(sweeping->store, &last, &sweeping->err));
    assert_int_equal(last, CASES + 1);
    open_sweep(sweeping, 0, 7);
    assert_int_equal(done_of(sweeping), 0);
}

SWEEP_TEST(a_case_that_was_put_is_known)
{
    struct cs_record record = sample_ring();

    open_sweep(sweeping, 0, 7);
    put(sweeping, 1, 64);
    refuse(sweeping, 2, "no");
    assert_int_equal(cs_store_sweep_has(sweeping->store, 0, 0, &sweeping->err), 0);
    for (uint64_t known = 1; known <= 2; ++known) {
        assert_int_equal(cs_store_sweep_has(sweeping->store, 0, known, &sweeping->err), 1);
        assert_int_equal(cs_store_sweep_put(sweeping->store, 0, known, &record, &sweeping->err), 1);
        assert_int_equal(cs_store_sweep_refuse(sweeping->store, 0, known, "why", &sweeping->err),
                         1);
    }
    assert_int_equal(runs_of(sweeping), 1);
    assert_int_equal(done_of(sweeping), 2 | 4);
}

/* The target has a run and another sweep before; the part, a run behind. */
SWEEP_TEST(a_part_takes_the_ids_of_the_target)
{
    make_parts(sweeping, 128);
    put_run(sweeping, 0);
    cs_store_close(sweeping->store);
    sweeping->store = NULL;
    sample_dir_remove(sweeping->path[2]);
    put_run(sweeping, 2);
    open_sweep(sweeping, 2, 8);
    put(sweeping, 0, 32);
    for (int again = 0; again < 2; ++again)
        for (int p = 0; p < 2; ++p)
            check(sweeping,
                  cs_store_sweep_merge(sweeping->store, sweeping->path[p], &sweeping->err));
    open_sweep(sweeping, 2, 7);
    assert_int_equal(sweeping->base, 1 + CASES);
    assert_int_equal(done_of(sweeping), 1 | 2 | 4);
    open_sweep(sweeping, 2, 8);
    assert_int_equal(done_of(sweeping), 1);
    assert_in_range(runs_of(sweeping), 4, 5); /* the runs may be of one second */
    check(sweeping, cs_store_check(sweeping->store, &sweeping->err));
}

/* Ends the wait at the second call. */
static bool wait_once(void *ctx, double waited_s)
{
    assert_true(waited_s >= 0);
    return ++*(int *)ctx < 2;
}

SWEEP_TEST(a_wait_for_a_lock_can_be_ended)
{
    struct cs_store *other = NULL;
    int calls = 0;
    const struct cs_database_wait wait = {wait_once, &calls};
    struct cs_record record = sample_ring();

    open_sweep(sweeping, 0, 7);
    check(sweeping, cs_store_sweep_open(sweeping->path[0], &wait, &other, &sweeping->err));
    check(sweeping, cs_database_run(&sweeping->store->database, "BEGIN IMMEDIATE", &sweeping->err));
    assert_int_equal(cs_store_sweep_put(other, 0, 1, &record, &sweeping->err), CS_ESTOPPED);
    assert_int_equal(calls, 2);
    cs_store_close(other);
}

SWEEP_TEST(a_database_without_sweeps_is_no_part)
{
    make_parts(sweeping, 128);
    sample_dir_remove(sweeping->path[1]);
    put_run(sweeping, 1);
    open_sweep(sweeping, 2, 7);
    assert_refused_with(cs_store_sweep_merge(sweeping->store, sweeping->path[1], &err), CS_EINPUT,
                        "has no sweep");
}
