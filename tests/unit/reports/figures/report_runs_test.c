#include "reports/figures/report.h"
#include "tests/unit/reports/figures_sample.h"
#include "tests/unit/reports/sample.h"

enum {
    SIZES = 3,
    SEEDS = 40,
};

struct database {
    char dir[64];
    struct cs_store *store;
    struct cs_report_runs runs;
    struct cs_err err;
};

static void put(const struct database *database, const struct cs_record *run)
{
    if (cs_store_put(database->store, run, NULL))
        fail_msg("the run is not stored");
}

static int open_database(void **state)
{
    static struct database database;
    char path[96];

    memset(&database, 0, sizeof database);
    assert_int_equal(sample_dir_make(database.dir), 0);
    (void)snprintf(path, sizeof path, "%s/runs.db", database.dir);
    *state = &database;
    return cs_store_open(path, CS_STORE_CREATE, &database.store, NULL);
}

static int close_database(void **state)
{
    struct database *database = *state;

    cs_report_runs_free(&database->runs);
    cs_store_close(database->store);
    sample_dir_remove(database->dir);
    return 0;
}

static void fill_seeds(const struct database *database)
{
    struct cs_record run = sample_ring();

    run.slowdown = (double)NAN;
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (uint64_t size = 1; size <= SIZES; size++) {
            run.seed = seed;
            run.bytes = size << 20;
            run.time_ps = seed * 1000000 + size;
            put(database, &run);
        }
}

TEST_BETWEEN(open_database, close_database, seeds_leave_the_first_and_the_last_run_of_a_point)
{
    struct database *database = *state;
    const struct cs_report_runs *runs = &database->runs;

    fill_seeds(database);
    assert_int_equal(cs_report_runs_read(database->store, NULL, &database->runs, NULL), 0);
    assert_int_equal(runs->count, SEEDS * SIZES);
    assert_int_equal(runs->row_count, SEEDS * SIZES);
    assert_int_equal(runs->drawn_count, 2 * SIZES);
    for (size_t i = 0; i < SIZES; i++) {
        assert_int_equal(runs->drawn[i].seed, 1);
        assert_int_equal(runs->drawn[SIZES + i].seed, SEEDS);
        assert_int_equal(runs->drawn[i].bytes, (i + 1) << 20);
        assert_ptr_equal(runs->drawn[i].topology, runs->drawn[0].topology);
    }
}

TEST_BETWEEN(open_database, close_database, parameters_and_times_belong_to_their_run)
{
    static const struct cs_record_parameter three[] = {{"chunks", "3", "user"},
                                                       {"root", "1", "algorithm"}};
    static const double times[] = {1e-6, 2e-6, 4e-6};
    struct database *database = *state;
    struct cs_record run = sample_ring();
    const struct cs_record *read;

    run.slowdown = (double)NAN;
    run.parameter_count = 0;
    put(database, &run);
    run.parameter = three;
    run.parameter_count = 2;
    put(database, &run);
    run.spread.runs = 3;
    run.spread.times = times;
    put(database, &run);
    run.spread.times = NULL;
    run.spread.runs = 0;
    run.parameter_count = 1;
    put(database, &run);
    assert_int_equal(cs_report_runs_read(database->store, NULL, &database->runs, NULL), 0);
    read = database->runs.rows;
    assert_int_equal(database->runs.row_count, 3); /* one request twice */
    assert_string_equal(read[0].parameters, "");
    assert_string_equal(read[1].parameters, "chunks=3 root=1");
    assert_string_equal(read[1].parameter[1].chosen_by, "algorithm");
    assert_string_equal(read[2].parameters, "chunks=3");
    assert_memory_equal(read[1].spread.times, times, sizeof times);
    assert_null(read[2].spread.times);
}

TEST_BETWEEN(open_database, close_database, a_condition_without_a_run_names_the_nearest_value)
{
    struct database *database = *state;
    struct cs_where where = {.count = 0};

    fill_seeds(database);
    assert_int_equal(cs_where_add(&where, "algorithm=rin", NULL), 0);
    assert_refused_with(cs_report_runs_read(database->store, &where, &database->runs, &err),
                        CS_EINPUT, "did you mean 'ring'");
}

TEST_BETWEEN(open_database, close_database, conditions_choose_the_runs)
{
    struct database *database = *state;
    struct cs_where where = {.count = 0};

    fill_seeds(database);
    assert_int_equal(cs_where_add(&where, "seed=7", NULL), 0);
    assert_int_equal(cs_where_add(&where, "seed=9", NULL), 0);
    assert_int_equal(cs_report_runs_read(database->store, &where, &database->runs, NULL), 0);
    assert_int_equal(database->runs.count, 2 * SIZES);
    assert_int_equal(database->runs.rows[0].seed, 7);
}

TEST_BETWEEN(open_database, close_database, a_database_without_runs_is_refused)
{
    struct database *database = *state;

    assert_refused(cs_report_runs_read(database->store, NULL, &database->runs, &err), CS_EINPUT,
                   "the results database has no runs");
}
