#include "reports/results/json.h"
#include "reports/results/store/store.h"
#include "tests/store_check.h"
#include "tests/test.h"
#include "tests/unit/reports/sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A directory of its own for each test, and a database path in it. */
struct place {
    char dir[64];
    char path[96];
};

static int make_place(void **state)
{
    struct place *place = calloc(1, sizeof *place);

    *state = place;
    if (!place || sample_dir_make(place->dir) != 0)
        return -1;
    (void)snprintf(place->path, sizeof place->path, "%s/runs.db", place->dir);
    return 0;
}

static int remove_place(void **state)
{
    struct place *place = *state;

    sample_dir_remove(place->dir);
    free(place);
    return 0;
}

static struct cs_store *open_new(const struct place *place)
{
    struct cs_store *store = NULL;
    struct cs_err err = {0};
    int rc = cs_store_open(place->path, CS_STORE_CREATE, &store, &err);

    if (rc)
        fail_msg("%s", err.text);
    return store;
}

static void close_store(struct cs_store **store)
{
    cs_store_close(*store);
}

static void put(struct cs_store *store, const struct cs_record *record)
{
    struct cs_err err = {0};

    assert_ok(cs_store_put(store, record, &err), &err);
}

static void make_database(const char *path)
{
    struct cs_record record = sample_ring();
    struct cs_store *store = NULL;

    assert_int_equal(cs_store_open(path, CS_STORE_CREATE, &store, NULL), 0);
    put(store, &record);
    cs_store_close(store);
}

static void load(struct cs_store *store, enum cs_store_pick pick, struct cs_records *records)
{
    struct cs_err err = {0};

    assert_ok(cs_store_load(store, pick, records, &err), &err);
}

/* Every field that is exported, links and all. */
static void assert_same(const struct cs_record *a, const struct cs_record *b)
{
    CS_AT_END(cs_text_free) struct cs_text first = {0};
    CS_AT_END(cs_text_free) struct cs_text second = {0};

    cs_json_records(a, 1, &first);
    cs_json_records(b, 1, &second);
    assert_string_equal(first.data, second.data);
}

TEST_BETWEEN(make_place, remove_place, a_record_put_is_read_back_the_same)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(*state);
    struct cs_record record = sample_ring();
    CS_AT_END(cs_records_free) struct cs_records back = {0};

    record.agents = 1;
    record.agent_kind = "switch";
    put(store, &record);
    cs_store_close(store);
    store = open_new(*state);
    load(store, CS_STORE_ALL, &back);
    assert_int_equal(back.count, 1);
    assert_same(&record, &back.items[0]);
}

TEST_BETWEEN(make_place, remove_place, a_run_without_links_or_formula_is_read_back)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(*state);
    struct cs_record record = sample_ring();
    CS_AT_END(cs_records_free) struct cs_records back = {0};

    record.links = NULL;
    record.link_count = 0;
    record.closed_form_s = NAN;
    record.lower_bound_s = INFINITY;
    record.verified = CS_VERIFIED_NOT;
    record.bottleneck = "";
    put(store, &record);
    load(store, CS_STORE_LATEST, &back);
    assert_int_equal(back.items[0].link_count, 0);
    assert_true(isnan(back.items[0].closed_form_s));
    assert_true(isinf(back.items[0].lower_bound_s));
    assert_int_equal(back.items[0].verified, CS_VERIFIED_NOT);
    assert_string_equal(back.items[0].bottleneck, "");
}

TEST_BETWEEN(make_place, remove_place, the_times_of_all_runs_are_kept)
{
    const double times[] = {0.0071, 0.0072, 0.0072, 0.0091};
    CS_AT_END(close_store) struct cs_store *store = open_new(*state);
    struct cs_record record = sample_ring();
    CS_AT_END(cs_records_free) struct cs_records back = {0};

    record.spread.runs = 4;
    record.spread.times = times;
    put(store, &record);
    record = sample_ring(); /* one without noise behind it */
    put(store, &record);
    cs_store_close(store);
    store = open_new(*state);
    load(store, CS_STORE_ALL, &back);
    assert_int_equal(back.count, 2);
    assert_int_equal(back.items[0].spread.runs, 4);
    assert_memory_equal(back.items[0].spread.times, times, sizeof times);
    assert_null(back.items[1].spread.times);
}

TEST_BETWEEN(make_place, remove_place, parameters_and_jobs_of_a_run_are_kept)
{
    const struct cs_record_job jobs[] = {{"ring of 1 MiB", 0, 5, 4}, {"tree of 2 MiB", 7, 9, 9}};
    CS_AT_END(close_store) struct cs_store *store = open_new(*state);
    struct cs_record record = sample_ring();
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    CS_AT_END(cs_records_free) struct cs_records back = {0};

    sample_set_parameters(&record, "colocated ~chunks=31 fault=a b", &arena);
    record.jobs = jobs;
    record.job_count = 2;
    put(store, &record);
    cs_store_close(store);
    store = open_new(*state);
    load(store, CS_STORE_ALL, &back);
    assert_string_equal(back.items[0].parameters, record.parameters);
    assert_string_equal(cs_record_parameter(&back.items[0], "chunks"), "31");
    assert_string_equal(back.items[0].parameter[1].chosen_by, "algorithm");
    assert_null(cs_record_parameter(&back.items[0], "root"));
    assert_int_equal(back.items[0].job_count, 2);
    assert_string_equal(back.items[0].jobs[1].name, jobs[1].name);
    assert_int_equal(back.items[0].jobs[1].start_ps, 7);
    assert_int_equal(back.items[0].jobs[0].alone_ps, 4);
}

TEST_BETWEEN(make_place, remove_place, runs_that_differ_in_a_parameter_are_two_requests)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(*state);
    struct cs_record record = sample_ring();
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    CS_AT_END(cs_records_free) struct cs_records back = {0};
    struct cs_err err = {0};

    record.fingerprint = 5;
    sample_set_parameters(&record, "chunks=2", &arena);
    put(store, &record);
    sample_set_parameters(&record, "chunks=3", &arena);
    assert_int_equal(cs_store_find(store, &record, &back, &err), 0);
    assert_int_equal(back.count, 0);
    put(store, &record);
    load(store, CS_STORE_LATEST, &back);
    assert_int_equal(back.count, 2);
}

TEST_BETWEEN(make_place, remove_place, the_latest_run_of_a_request_is_loaded)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(*state);
    struct cs_record first = sample_ring();
    struct cs_record other = sample_ring();
    CS_AT_END(cs_records_free) struct cs_records back = {0};

    other.algorithm = "tree";
    put(store, &first);
    put(store, &other);
    first.time_ps++;
    put(store, &first);
    load(store, CS_STORE_LATEST, &back);
    assert_int_equal(back.count, 2);
    assert_string_equal(back.items[0].algorithm, "tree");
    assert_string_equal(back.items[1].algorithm, "ring");
    assert_int_equal(back.items[1].time_ps, first.time_ps);
    load(store, CS_STORE_ALL, &back);
    assert_int_equal(back.count, 5);
}

static size_t found(struct cs_store *store, const struct cs_record *query)
{
    CS_AT_END(cs_records_free) struct cs_records records = {0};
    struct cs_err err = {0};
    size_t count;

    assert_ok(cs_store_find(store, query, &records, &err), &err);
    count = records.count;
    if (count)
        assert_int_equal(records.items[0].fingerprint, query->fingerprint);
    return count;
}

TEST_BETWEEN(make_place, remove_place, a_run_is_found_by_its_query_and_fingerprint)
{
    const struct place *place = *state;
    CS_AT_END(close_store) struct cs_store *store = open_new(place);
    struct cs_record record = sample_ring();

    put(store, &record); /* of unknown fingerprint */
    assert_int_equal(found(store, &record), 0);
    record.fingerprint = UINT64_MAX;
    assert_int_equal(found(store, &record), 0);
    put(store, &record);
    put(store, &record);
    assert_int_equal(found(store, &record), 1);
    record.bytes++;
    assert_int_equal(found(store, &record), 0);
    record.bytes--;
    record.fingerprint--;
    assert_int_equal(found(store, &record), 0);
}

TEST_BETWEEN(make_place, remove_place, runs_that_differ_in_the_seed_are_two_requests)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(*state);
    struct cs_record record = sample_ring();
    CS_AT_END(cs_records_free) struct cs_records back = {0};

    put(store, &record);
    record.seed--;
    put(store, &record);
    load(store, CS_STORE_LATEST, &back);
    assert_int_equal(back.count, 2);
    assert_true(back.items[1].seed == UINT64_MAX - 1);
}

TEST_BETWEEN(make_place, remove_place, a_run_with_a_quantity_above_2_63_is_refused)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(*state);
    struct cs_record record = sample_ring();
    struct cs_record_link links[2] = {sample_links[0], sample_links[1]};
    CS_AT_END(cs_records_free) struct cs_records back = {0};
    struct cs_err err = {0};

    record.bytes_sent_total = (uint64_t)1 << 63;
    assert_int_equal(cs_store_put(store, &record, &err), CS_EINPUT);
    assert_string_equal(err.text, "bytes_sent_total 9223372036854775808 does not fit into the "
                                  "results database; at most 9223372036854775807");
    err = (struct cs_err){0};
    record = sample_ring();
    links[1].bytes = UINT64_MAX;
    record.links = links;
    assert_int_equal(cs_store_put(store, &record, &err), CS_EINPUT);
    load(store, CS_STORE_ALL, &back);
    assert_int_equal(back.count, 0);
    record = sample_ring();
    record.bytes_sent_total = INT64_MAX;
    put(store, &record);
    load(store, CS_STORE_ALL, &back);
    assert_int_equal(back.items[0].bytes_sent_total, INT64_MAX);
}

TEST_BETWEEN(make_place, remove_place, a_file_that_is_no_database_is_left_as_it_is)
{
    const struct place *place = *state;
    const char *text = "This is a letter, and a rather long one, to a friend who likes to get "
                       "letters that are not databases.\n";
    struct cs_store *store = NULL;
    struct cs_err err = {0};
    char back[200] = "";
    FILE *file;

    assert_int_equal(sample_write(place->path, text), 0);
    assert_int_equal(cs_store_open(place->path, CS_STORE_CREATE, &store, &err), CS_EINPUT);
    assert_null(store);
    assert_non_null(strstr(err.text, "is not a results database"));
    file = fopen(place->path, "rb");
    assert_non_null(file);
    (void)fgets(back, sizeof back, file);
    (void)fclose(file);
    assert_string_equal(back, text);
}

TEST_BETWEEN(make_place, remove_place, a_missing_database_is_not_made_when_it_must_exist)
{
    const struct place *place = *state;
    struct cs_store *store = NULL;
    struct cs_err err = {0};

    assert_int_equal(cs_store_open(place->path, CS_STORE_EXISTING, &store, &err), CS_EINPUT);
    assert_null(store);
    assert_non_null(strstr(err.text, "' does not exist"));
    assert_int_equal(access(place->path, F_OK), -1);
}

TEST_BETWEEN(make_place, remove_place, a_path_that_cannot_be_written_is_named)
{
    const struct place *place = *state;
    struct cs_store *store = NULL;
    struct cs_err err = {0};
    char path[128];

    (void)snprintf(path, sizeof path, "%s/no/such/x.db", place->dir);
    assert_int_equal(cs_store_open(path, CS_STORE_CREATE, &store, &err), CS_EINPUT);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, "No such file or directory"));
    err = (struct cs_err){0};
    assert_int_equal(cs_store_open(place->dir, CS_STORE_CREATE, &store, &err), CS_EINPUT);
    assert_non_null(strstr(err.text, place->dir));
    err = (struct cs_err){0};
    assert_int_equal(cs_store_open("", CS_STORE_CREATE, &store, &err), CS_EINPUT);
}

/* What fn says as a user who may not write; root may write everywhere. */
static int as_another(int (*fn)(const struct place *), const struct place *at)
{
    int status = 0;
    pid_t child = fork();

    assert_int_not_equal(child, -1);
    if (child == 0) {
        if (getuid() == 0 && setuid(65534) != 0)
            _exit(99);
        _exit(fn(at));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

static int count_runs(const struct place *place)
{
    struct cs_store *store = NULL;
    CS_AT_END(cs_records_free) struct cs_records records = {0};
    int count;

    if (cs_store_open(place->path, CS_STORE_EXISTING, &store, NULL) ||
        cs_store_load(store, CS_STORE_ALL, &records, NULL))
        return 97;
    count = (int)records.count;
    cs_store_close(store);
    return count;
}

static int makes_no_file(const struct place *place)
{
    struct cs_store *store = NULL;
    struct cs_err err = {0};
    char path[128];

    (void)snprintf(path, sizeof path, "%s/new.db", place->dir);
    if (cs_store_open(path, CS_STORE_CREATE, &store, &err) != CS_EINPUT)
        return 97;
    return strstr(err.text, "Permission denied") ? 0 : 96;
}

static int adds_no_run(const struct place *place)
{
    struct cs_store *store = NULL;
    struct cs_err err = {0};

    if (cs_store_open(place->path, CS_STORE_CREATE, &store, &err) != CS_EINPUT)
        return 97;
    return strstr(err.text, "cannot be written") ? 0 : 96;
}

TEST_BETWEEN(make_place, remove_place, a_database_that_cannot_be_written_is_read)
{
    struct place *place = *state;
    struct cs_store *store;
    struct cs_record record = sample_ring();

    (void)snprintf(place->path, sizeof place->path, "%s/50%%20?#.db", place->dir);
    store = open_new(place);
    put(store, &record);
    put(store, &record);
    cs_store_close(store);
    assert_int_equal(chmod(place->path, 0444), 0);
    assert_int_equal(chmod(place->dir, 0555), 0);
    assert_int_equal(as_another(count_runs, place), 2);
    assert_int_equal(as_another(makes_no_file, place), 0);
    assert_int_equal(as_another(adds_no_run, place), 0);
    assert_int_equal(chmod(place->dir, 0755), 0);
    assert_int_equal(as_another(count_runs, place), 2);
}

/* Writes `value` over 4 bytes of SQLite's header (sqlite.org/fileformat2). */
static void patch_header(const char *path, long offset, uint32_t value)
{
    FILE *file = fopen(path, "r+b");

    assert_non_null(file);
    assert_int_equal(fseek(file, offset, SEEK_SET), 0);
    for (int shift = 24; shift >= 0; shift -= 8)
        assert_int_not_equal(fputc((int)(value >> shift & 0xFF), file), EOF);
    (void)fclose(file);
}

static void is_refused_unchanged(const struct place *place, const char *why)
{
    struct cs_store *store = NULL;
    struct cs_err err = {0};

    assert_int_equal(cs_store_open(place->path, CS_STORE_CREATE, &store, &err), CS_EINPUT);
    assert_null(store);
    assert_non_null(strstr(err.text, why));
    err = (struct cs_err){0};
    assert_int_equal(cs_store_open(place->path, CS_STORE_EXISTING, &store, &err), CS_EINPUT);
    assert_non_null(strstr(err.text, why));
}

TEST_BETWEEN(make_place, remove_place, a_database_with_other_tables_is_refused_with_advice)
{
    const struct place *place = *state;

    make_database(place->path);
    patch_header(place->path, 60, 10); /* user_version */
    is_refused_unchanged(place, "has the tables of another version of collsim and is unchanged; "
                                "name a new file, or remove this one and run again");
}

TEST_BETWEEN(make_place, remove_place, a_database_of_another_program_is_refused)
{
    const struct place *place = *state;
    struct cs_store *store = NULL;
    struct cs_err err = {0};

    make_database(place->path);
    patch_header(place->path, 68, 7); /* application_id */
    assert_int_equal(cs_store_open(place->path, CS_STORE_EXISTING, &store, &err), CS_EINPUT);
    assert_non_null(strstr(err.text, "is a database of another program"));
    patch_header(place->path, 68, 0); /* tables of no program */
    err = (struct cs_err){0};
    assert_int_equal(cs_store_open(place->path, CS_STORE_EXISTING, &store, &err), CS_EINPUT);
}

TEST_BETWEEN(make_place, remove_place, a_damaged_database_fails_its_check)
{
    const struct place *place = *state;
    struct cs_store *store = open_new(place);
    struct cs_record record = sample_ring();
    struct cs_err err = {0};

    for (int i = 0; i < 50; i++) {
        record.bytes = (uint64_t)i;
        put(store, &record);
    }
    assert_int_equal(cs_store_check(store, &err), 0);
    cs_store_close(store);
    for (long at = 4096 + 8; at < 5 * 4096L; at += 4)
        patch_header(place->path, at, 0x5a5a5a5a);
    if (cs_store_open(place->path, CS_STORE_EXISTING, &store, &err) == 0) {
        assert_int_not_equal(cs_store_check(store, &err), 0);
        cs_store_close(store);
    }
    assert_non_null(strstr(err.text, "damaged"));
}

static int stop_at_second(void *ctx, const struct cs_record *record)
{
    (void)record;
    return ++*(int *)ctx == 2 ? 77 : 0;
}

TEST_BETWEEN(make_place, remove_place, a_walk_ends_when_the_callback_says_so)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(*state);
    struct cs_record record = sample_ring();
    int seen = 0;

    for (int i = 0; i < 4; i++)
        put(store, &record);
    assert_int_equal(cs_store_each(store, CS_STORE_ALL, stop_at_second, &seen, NULL), 77);
    assert_int_equal(seen, 2);
    put(store, &record); /* the walk holds no lock any more */
}

/* Opens the database, which may be new, and puts runs beside others. */
static int write_many(const char *path, uint32_t writer, uint32_t count)
{
    struct cs_record record = sample_ring();
    struct cs_store *store = NULL;
    int rc = cs_store_open(path, CS_STORE_CREATE, &store, NULL);

    record.ranks = writer;
    for (uint32_t i = 0; !rc && i < count; i++) {
        record.bytes = i;
        rc = cs_store_put(store, &record, NULL);
    }
    cs_store_close(store);
    return rc;
}

TEST_BETWEEN(make_place, remove_place, processes_that_write_at_once_wait_for_each_other)
{
    enum {
        WRITERS = 4,
        RUNS = 25
    };
    const struct place *place = *state;
    CS_AT_END(cs_records_free) struct cs_records back = {0};
    CS_AT_END(close_store) struct cs_store *store = NULL;
    pid_t children[WRITERS];

    for (uint32_t i = 0; i < WRITERS; i++) {
        children[i] = fork();
        assert_int_not_equal(children[i], -1);
        if (children[i] == 0)
            _exit(write_many(place->path, i, RUNS) == 0 ? 0 : 1);
    }
    for (uint32_t i = 0; i < WRITERS; i++) {
        int status = -1;

        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    store = open_new(place);
    load(store, CS_STORE_ALL, &back);
    assert_int_equal(back.count, WRITERS * RUNS);
    assert_int_equal(cs_store_check(store, NULL), 0);
}

TEST_BETWEEN(make_place, remove_place, a_path_is_a_path_even_if_it_looks_special)
{
    const struct place *place = *state;
    char before[4096];

    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(place->dir), 0);
    make_database(":memory:");
    make_database("file:x?mode=ro");
    assert_int_equal(access(":memory:", F_OK), 0);
    assert_int_equal(access("file:x?mode=ro", F_OK), 0);
    assert_int_equal(chdir(before), 0);
}

TEST_BETWEEN(make_place, remove_place, a_database_without_runs_is_not_made)
{
    const struct place *place = *state;
    struct cs_store *store = open_new(place);
    struct cs_record record = sample_ring();
    struct cs_records back = {0};
    struct cs_err err = {0};

    assert_int_equal(cs_store_find(store, &record, &back, &err), 0);
    load(store, CS_STORE_ALL, &back);
    assert_int_equal(back.count, 0);
    assert_int_equal(cs_store_check(store, &err), 0);
    record.bytes_sent_total = UINT64_MAX;
    assert_int_equal(cs_store_put(store, &record, &err), CS_EINPUT);
    assert_int_equal(access(place->path, F_OK), -1);
    record.bytes_sent_total = 1;
    put(store, &record);
    cs_store_close(store);
    assert_int_equal(access(place->path, F_OK), 0);
}
