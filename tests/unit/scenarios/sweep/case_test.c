/* Cases of a sweep: what a file may contain, records, and workers. */
#include "scenarios/sweep/case.h"

#include "reports/results/store/sweep.h"
#include "scenarios/sweep/options.h"
#include "tests/unit/reports/sample.h"

struct sweeping {
    struct cs_arena arena;
    struct cs_sweep sweep;
    struct cs_err err;
    char dir[64], path[96], db[96];
};

static int begin(void **state)
{
    static struct sweeping sweeping;

    memset(&sweeping, 0, sizeof(sweeping));
    *state = &sweeping;
    return sample_dir_make(sweeping.dir);
}

static int end(void **state)
{
    struct sweeping *sweeping = *state;

    cs_arena_free(&sweeping->arena);
    sample_dir_remove(sweeping->dir);
    return 0;
}

static int read_text(struct sweeping *sweeping, const char *text)
{
    int code;

    (void)snprintf(sweeping->path, sizeof(sweeping->path), "%s/s.yaml", sweeping->dir);
    assert_int_equal(sample_write(sweeping->path, text), 0);
    sweeping->err = (struct cs_err){0};
    code = cs_sweep_read(sweeping->path, &sweeping->arena, &sweeping->sweep, &sweeping->err);
    return code ? code : cs_sweep_check(&sweeping->sweep, &sweeping->err);
}

static void check(struct sweeping *sweeping, int code)
{
    if (code)
        fail_msg("%s", sweeping->err.text);
}

TEST_BETWEEN(begin, end, bad_options_name_their_place)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"topo: dgx\naxes:\n  algoo: [ring]\n", "s.yaml:3"},
        {"topo: dgx\naxes:\n  size: [1KiB, 5x]\n", "s.yaml:3"},
        {"topo: dgx\ndb: x.db\naxes:\n  algo: [ring]\n", "'db'"},
        {"topo: dgx\naxes:\n  algo: [ring, rnig]\n", "did you mean 'ring'"},
        {"topo: dgx\nalgo: bruck\naxes:\n  size: [1KiB]\n", "s.yaml:2"},
        {"topo: dgx\naxes:\n  algo: [ring, all]\n", "several algorithms"},
        {"topo: dgx\naxes:\n  algo: [ring]\n  collective: [allredce]\n",
         "did you mean 'all-reduce'"},
    };
    struct sweeping *sweeping = *state;

    for (size_t b = 0; b < sizeof(bad) / sizeof(*bad); ++b) {
        assert_int_equal(read_text(sweeping, bad[b].text), CS_EINPUT);
        assert_non_null(strstr(sweeping->err.text, bad[b].message));
    }
}

/* One that a collective of the sweep has, an engine, the name of a schedule. */
TEST_BETWEEN(begin, end, algorithms_of_some_cases_are_taken)
{
    static const char *const good[] = {
        "topo: dgx\naxes:\n  algo: [ring, bruck]\n"
        "  collective: [allreduce, allgather]\n",
        "topo: dgx\nlibrary: nccl\naxes:\n  algo: [ring, nvls]\n",
        "topo: dgx\naxes:\n  algo: [ring, 'msccl:absent.xml']\n",
    };
    struct sweeping *sweeping = *state;

    for (size_t g = 0; g < sizeof(good) / sizeof(*good); ++g)
        check(sweeping, read_text(sweeping, good[g]));
}

/* The time of each case, of which `count` are expected. */
static void compute_all(struct sweeping *sweeping, const char *text, uint64_t count,
                        uint64_t *times)
{
    CS_AT_END(cs_sweep_worker_free) struct cs_sweep_worker worker = {0};
    struct cs_record record;

    check(sweeping, read_text(sweeping, text));
    assert_int_equal(sweeping->sweep.cases, count);
    for (uint64_t c = 0; c < count; ++c) {
        check(sweeping, cs_sweep_compute(&worker, &sweeping->sweep, c, &sweeping->arena, &record,
                                         &sweeping->err));
        times[c] = record.time_ps;
    }
}

TEST_BETWEEN(begin, end, auto_is_the_fastest_of_its_algorithms)
{
    struct sweeping *sweeping = *state;
    uint64_t chosen[2], each[6];

    compute_all(sweeping, "topo: dgx\naxes:\n  size: [1KiB, 64MiB]\n  algo: [any]\n", 2, chosen);
    compute_all(sweeping,
                "topo: dgx\naxes:\n  size: [1KiB, 64MiB]\n"
                "  algo: [ring, direct, recursive-doubling]\n",
                6, each);
    for (uint32_t i = 0; i < 6; i++)
        assert_true(chosen[i / 3] <= each[i]);
    assert_true(chosen[0] < each[0] && chosen[1] < each[5]);
}

TEST_BETWEEN(begin, end, an_estimate_of_auto_is_the_least)
{
    struct sweeping *sweeping = *state;
    CS_AT_END(cs_sweep_worker_free) struct cs_sweep_worker worker = {0};
    struct cs_estimate one, least;

    check(sweeping, read_text(sweeping, "topo: dgx\naxes:\n  algo: [ring, auto]\n"));
    check(sweeping,
          cs_sweep_estimate(&worker, &sweeping->sweep, 0, &sweeping->arena, &one, &sweeping->err));
    check(sweeping, cs_sweep_estimate(&worker, &sweeping->sweep, 1, &sweeping->arena, &least,
                                      &sweeping->err));
    assert_true(!(least.closed_form_s > one.closed_form_s));
}

/* A case has the same record from a worker that has computed others. */
TEST_BETWEEN(begin, end, records_do_not_depend_on_the_order)
{
    struct sweeping *sweeping = *state;
    CS_AT_END(cs_sweep_worker_free) struct cs_sweep_worker kept = {0};
    uint64_t times[6];

    check(sweeping, read_text(sweeping, "topo: dgx\naxes:\n"
                                        "  ranks: [4, 8]\n"
                                        "  algo: [ring, naive, direct]\n"));
    assert_int_equal(sweeping->sweep.cases, 6);
    for (uint64_t c = 0; c < 6; ++c) {
        CS_AT_END(cs_sweep_worker_free) struct cs_sweep_worker fresh = {0};
        struct cs_record record;

        check(sweeping, cs_sweep_compute(&fresh, &sweeping->sweep, c, &sweeping->arena, &record,
                                         &sweeping->err));
        times[c] = record.time_ps;
        assert_int_equal(record.ranks, c < 3 ? 4 : 8);
    }
    for (uint64_t c = 6; c-- > 0;) {
        struct cs_record record;

        check(sweeping, cs_sweep_compute(&kept, &sweeping->sweep, c, &sweeping->arena, &record,
                                         &sweeping->err));
        assert_int_equal(record.time_ps, times[c]);
    }
}

TEST_BETWEEN(begin, end, an_estimate_is_the_closed_form)
{
    struct sweeping *sweeping = *state;
    CS_AT_END(cs_sweep_worker_free) struct cs_sweep_worker worker = {0};
    struct cs_estimate estimate;
    struct cs_record record;

    check(sweeping, read_text(sweeping, "topo: dgx\naxes:\n  algo: [ring, tree]\n"));
    check(sweeping, cs_sweep_compute(&worker, &sweeping->sweep, 0, &sweeping->arena, &record,
                                     &sweeping->err));
    check(sweeping, cs_sweep_estimate(&worker, &sweeping->sweep, 0, &sweeping->arena, &estimate,
                                      &sweeping->err));
    assert_true(estimate.closed_form_s > 0.9 * record.closed_form_s &&
                estimate.closed_form_s < 1.1 * record.closed_form_s);
}

static void work_on(struct sweeping *sweeping, uint32_t workers, struct cs_sweep_outcome *outcome)
{
    uint64_t todo[64], base, count;
    bool done[64] = {false};
    struct cs_store *store = NULL;
    struct cs_progress_line display = {.messages = stderr};
    struct cs_sweep_job job = {.sweep = &sweeping->sweep,
                               .db = sweeping->db,
                               .todo = todo,
                               .workers = workers,
                               .display = &display};

    (void)snprintf(sweeping->db, sizeof(sweeping->db), "%s/%u.db", sweeping->dir, workers);
    for (uint64_t c = 0; c < sweeping->sweep.cases; ++c)
        todo[job.count++] = c;
    check(sweeping, cs_store_sweep_open(sweeping->db, NULL, &store, &sweeping->err));
    check(sweeping, cs_store_sweep_begin(store, sweeping->sweep.hash, sweeping->sweep.cases, "",
                                         &base, &sweeping->err));
    cs_store_close(store);
    job.base = base;
    check(sweeping, cs_sweep_work(&job, outcome, &sweeping->err));
    check(sweeping, cs_store_sweep_open(sweeping->db, NULL, &store, &sweeping->err));
    check(sweeping,
          cs_store_sweep_done(store, base, sweeping->sweep.cases, done, &count, &sweeping->err));
    assert_int_equal(count, sweeping->sweep.cases);
    cs_store_close(store);
}

/* Refused cases count as finished: 6 ranks are no power of two. */
TEST_BETWEEN(begin, end, workers_finish_every_case_once)
{
    struct sweeping *sweeping = *state;

    check(sweeping, read_text(sweeping, "topo: dgx\naxes:\n"
                                        "  ranks: [4, 6, 8]\n"
                                        "  algo: [ring, recursive-doubling]\n"
                                        "  size: {from: 1KiB, to: 8KiB, factor: 2}\n"));
    for (uint32_t workers = 0; workers <= 3; workers++) {
        struct cs_sweep_outcome outcome;

        work_on(sweeping, workers, &outcome);
        assert_int_equal(outcome.finished, 24);
        assert_true(outcome.refused <= 4);
    }
}

struct stopping {
    struct cs_progress_host host;
    int asked;
};

/* Is asked at every update. */
static bool stop_third(void *ctx, const char *phase, double share)
{
    struct stopping *stopping = ctx;

    (void)phase;
    (void)share;
    stopping->host.asked_s = -1;
    return ++stopping->asked < 3;
}

/* What was computed before stays, and no case is refused by the stop. */
TEST_BETWEEN(begin, end, a_host_stops_a_sweep_in_its_process)
{
    struct sweeping *sweeping = *state;
    struct stopping stopping = {.host = {.goes_on = stop_third, .ctx = &stopping}};
    struct cs_progress_line display = {.messages = stderr, .host = &stopping.host};
    const uint64_t todo[] = {0, 1};
    struct cs_store *store = NULL;
    struct cs_sweep_outcome outcome;
    struct cs_sweep_job job = {.sweep = &sweeping->sweep,
                               .db = sweeping->db,
                               .todo = todo,
                               .count = 2,
                               .display = &display};

    check(sweeping, read_text(sweeping, "topo: dgx\nlink-model: packet\nsize: 64MiB\naxes:\n"
                                        "  algo: [ring, tree]\n"));
    (void)snprintf(sweeping->db, sizeof(sweeping->db), "%s/stopped.db", sweeping->dir);
    check(sweeping, cs_store_sweep_open(sweeping->db, NULL, &store, &sweeping->err));
    check(sweeping,
          cs_store_sweep_begin(store, sweeping->sweep.hash, 2, "", &job.base, &sweeping->err));
    cs_store_close(store);
    assert_refused(cs_sweep_work(&job, &outcome, &err), CS_ESTOPPED, "stopped");
    assert_int_equal(outcome.finished + outcome.refused, 0);
    assert_int_equal(stopping.asked, 3);
}

TEST_BETWEEN(begin, end, an_unusable_file_ends_the_workers)
{
    struct sweeping *sweeping = *state;
    const uint64_t todo[] = {0, 1};
    struct cs_sweep_outcome outcome;
    struct cs_progress_line display = {.messages = stderr};
    struct cs_sweep_job job = {.sweep = &sweeping->sweep,
                               .db = "/nonexistent/s.db",
                               .todo = todo,
                               .count = 2,
                               .workers = 2,
                               .display = &display};

    check(sweeping, read_text(sweeping, "topo: dgx\naxes:\n  algo: [ring, tree]\n"));
    assert_int_not_equal(cs_sweep_work(&job, &outcome, &sweeping->err), 0);
    assert_non_null(strstr(sweeping->err.text, "/nonexistent/s.db"));
    assert_int_equal(outcome.finished, 0);
}
