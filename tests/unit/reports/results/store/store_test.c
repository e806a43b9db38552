#include "reports/results/record.h"
#include "reports/results/store/store.h"
#include "tests/store_check.h"
#include "tests/unit/reports/sample.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* For each test a directory of its own, a database path in it, and a run. */
struct place {
    char dir[64];
    char path[96];
    struct cs_record record;
    struct cs_records back;
    struct cs_err err;
};

static int make_place(void **state)
{
    struct place *place = calloc(1, sizeof *place);

    *state = place;
    if (!place || sample_dir_make(place->dir) != 0)
        return -1;
    (void)snprintf(place->path, sizeof place->path, "%s/runs.db", place->dir);
    place->record = sample_ring();
    return 0;
}

static int remove_place(void **state)
{
    struct place *place = *state;

    sample_dir_remove(place->dir);
    cs_records_free(&place->back);
    free(place);
    return 0;
}

#define PLACE_TEST(name)                         \
    static void name##_in(struct place *place);  \
    TEST_BETWEEN(make_place, remove_place, name) \
    {                                            \
        name##_in(*state);                       \
    }                                            \
    static void name##_in(struct place *place)

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
    assert_done(cs_store_put(store, record, &err));
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
    assert_done(cs_store_load(store, pick, records, &err));
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

PLACE_TEST(a_record_put_is_read_back_the_same)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(place);

    place->record.agents = 1;
    place->record.agent_kind = "switch";
    put(store, &place->record);
    cs_store_close(store);
    store = open_new(place);
    load(store, CS_STORE_ALL, &place->back);
    assert_int_equal(place->back.count, 1);
    assert_same(&place->record, &place->back.items[0]);
}

PLACE_TEST(a_run_without_links_or_formula_is_read_back)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(place);

    place->record.links = NULL;
    place->record.link_count = 0;
    place->record.closed_form_s = NAN;
    place->record.lower_bound_s = INFINITY;
    place->record.verified = CS_VERIFIED_NOT;
    place->record.bottleneck = "";
    put(store, &place->record);
    load(store, CS_STORE_LATEST, &place->back);
    assert_int_equal(place->back.items[0].link_count, 0);
    assert_true(isnan(place->back.items[0].closed_form_s));
    assert_true(isinf(place->back.items[0].lower_bound_s));
    assert_int_equal(place->back.items[0].verified, CS_VERIFIED_NOT);
    assert_string_equal(place->back.items[0].bottleneck, "");
}

PLACE_TEST(the_times_of_all_runs_are_kept)
{
    const double times[] = {0.0071, 0.0072, 0.0072, 0.0091};
    CS_AT_END(close_store) struct cs_store *store = open_new(place);

    place->record.spread.runs = 4;
    place->record.spread.times = times;
    put(store, &place->record);
    place->record = sample_ring(); /* one without noise behind it */
    put(store, &place->record);
    cs_store_close(store);
    store = open_new(place);
    load(store, CS_STORE_ALL, &place->back);
    assert_int_equal(place->back.count, 2);
    assert_int_equal(place->back.items[0].spread.runs, 4);
    assert_memory_equal(place->back.items[0].spread.times, times, sizeof times);
    assert_null(place->back.items[1].spread.times);
}

PLACE_TEST(parameters_and_jobs_of_a_run_are_kept)
{
    const struct cs_record_job jobs[] = {{"ring of 1 MiB", 0, 5, 4}, {"tree of 2 MiB", 7, 9, 9}};
    CS_AT_END(close_store) struct cs_store *store = open_new(place);
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    sample_set_parameters(&place->record, "colocated ~chunks=31 fault=a b", &arena);
    place->record.jobs = jobs;
    place->record.job_count = 2;
    put(store, &place->record);
    cs_store_close(store);
    store = open_new(place);
    load(store, CS_STORE_ALL, &place->back);
    assert_string_equal(place->back.items[0].parameters, place->record.parameters);
    assert_string_equal(cs_record_parameter(&place->back.items[0], "chunks"), "31");
    assert_string_equal(place->back.items[0].parameter[1].chosen_by, "algorithm");
    assert_null(cs_record_parameter(&place->back.items[0], "root"));
    assert_int_equal(place->back.items[0].job_count, 2);
    assert_string_equal(place->back.items[0].jobs[1].name, jobs[1].name);
    assert_int_equal(place->back.items[0].jobs[1].start_ps, 7);
    assert_int_equal(place->back.items[0].jobs[0].alone_ps, 4);
}

PLACE_TEST(runs_that_differ_in_a_parameter_are_two_requests)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(place);
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    place->record.fingerprint = 5;
    sample_set_parameters(&place->record, "chunks=2", &arena);
    put(store, &place->record);
    sample_set_parameters(&place->record, "chunks=3", &arena);
    assert_int_equal(cs_store_find(store, &place->record, &place->back, &place->err), 0);
    assert_int_equal(place->back.count, 0);
    put(store, &place->record);
    load(store, CS_STORE_LATEST, &place->back);
    assert_int_equal(place->back.count, 2);
}

PLACE_TEST(the_latest_run_of_a_request_is_loaded)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(place);
    struct cs_record first = sample_ring();
    struct cs_record other = sample_ring();

    other.algorithm = "tree";
    put(store, &first);
    put(store, &other);
    first.time_ps++;
    put(store, &first);
    load(store, CS_STORE_LATEST, &place->back);
    assert_int_equal(place->back.count, 2);
    assert_string_equal(place->back.items[0].algorithm, "tree");
    assert_string_equal(place->back.items[1].algorithm, "ring");
    assert_int_equal(place->back.items[1].time_ps, first.time_ps);
    load(store, CS_STORE_ALL, &place->back);
    assert_int_equal(place->back.count, 5);
}

static size_t found(struct cs_store *store, const struct cs_record *query)
{
    CS_AT_END(cs_records_free) struct cs_records records = {0};
    size_t count;

    assert_done(cs_store_find(store, query, &records, &err));
    count = records.count;
    if (count)
        assert_int_equal(records.items[0].fingerprint, query->fingerprint);
    return count;
}

PLACE_TEST(a_run_is_found_by_its_query_and_fingerprint)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(place);

    put(store, &place->record); /* of unknown fingerprint */
    assert_int_equal(found(store, &place->record), 0);
    place->record.fingerprint = UINT64_MAX;
    assert_int_equal(found(store, &place->record), 0);
    put(store, &place->record);
    put(store, &place->record);
    assert_int_equal(found(store, &place->record), 1);
    place->record.bytes++;
    assert_int_equal(found(store, &place->record), 0);
    place->record.bytes--;
    place->record.fingerprint--;
    assert_int_equal(found(store, &place->record), 0);
}

PLACE_TEST(runs_that_differ_in_the_seed_are_two_requests)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(place);

    put(store, &place->record);
    place->record.seed--;
    put(store, &place->record);
    load(store, CS_STORE_LATEST, &place->back);
    assert_int_equal(place->back.count, 2);
    assert_true(place->back.items[1].seed == UINT64_MAX - 1);
}

PLACE_TEST(a_run_with_a_quantity_above_2_63_is_refused)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(place);
    struct cs_record_link links[2] = {sample_links[0], sample_links[1]};

    place->record.bytes_sent_total = (uint64_t)1 << 63;
    assert_refused(cs_store_put(store, &place->record, &err), CS_EINPUT,
                   "bytes_sent_total 9223372036854775808 does not fit into the "
                   "results database; at most 9223372036854775807");
    place->err = (struct cs_err){0};
    place->record = sample_ring();
    links[1].bytes = UINT64_MAX;
    place->record.links = links;
    assert_int_equal(cs_store_put(store, &place->record, &place->err), CS_EINPUT);
    load(store, CS_STORE_ALL, &place->back);
    assert_int_equal(place->back.count, 0);
    place->record = sample_ring();
    place->record.bytes_sent_total = INT64_MAX;
    put(store, &place->record);
    load(store, CS_STORE_ALL, &place->back);
    assert_int_equal(place->back.items[0].bytes_sent_total, INT64_MAX);
}

PLACE_TEST(a_file_that_is_no_database_is_left_as_it_is)
{
    const char *text = "This is a letter, and a rather long one, to a friend who likes to get "
                       "letters that are not databases.\n";
    struct cs_store *store = NULL;
    char back[200] = "";
    FILE *file;

    assert_int_equal(sample_write(place->path, text), 0);
    assert_int_equal(cs_store_open(place->path, CS_STORE_CREATE, &store, &place->err), CS_EINPUT);
    assert_null(store);
    assert_non_null(strstr(place->err.text, "is not a results database"));
    file = fopen(place->path, "rb");
    assert_non_null(file);
    (void)fgets(back, sizeof back, file);
    (void)fclose(file);
    assert_string_equal(back, text);
}

PLACE_TEST(a_missing_database_is_not_made_when_it_must_exist)
{
    struct cs_store *store = NULL;

    assert_int_equal(cs_store_open(place->path, CS_STORE_EXISTING, &store, &place->err), CS_EINPUT);
    assert_null(store);
    assert_non_null(strstr(place->err.text, "' does not exist"));
    assert_int_equal(access(place->path, F_OK), -1);
}

PLACE_TEST(a_path_that_cannot_be_written_is_named)
{
    struct cs_store *store = NULL;
    char path[128];

    (void)snprintf(path, sizeof path, "%s/no/such/x.db", place->dir);
    assert_refused_with(cs_store_open(path, CS_STORE_CREATE, &store, &err), CS_EINPUT, path);
    assert_refused_with(cs_store_open(path, CS_STORE_CREATE, &store, &err), CS_EINPUT,
                        "No such file or directory");
    assert_refused_with(cs_store_open(place->dir, CS_STORE_CREATE, &store, &err), CS_EINPUT,
                        place->dir);
    assert_int_equal(cs_store_open("", CS_STORE_CREATE, &store, NULL), CS_EINPUT);
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

PLACE_TEST(a_database_that_cannot_be_written_is_read)
{
    struct cs_store *store;

    (void)snprintf(place->path, sizeof place->path, "%s/50%%20?#.db", place->dir);
    store = open_new(place);
    put(store, &place->record);
    put(store, &place->record);
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

PLACE_TEST(a_database_with_other_tables_is_refused_with_advice)
{
    make_database(place->path);
    patch_header(place->path, 60, 10); /* user_version */
    is_refused_unchanged(place, "has the tables of another version of collsim and is unchanged; "
                                "name a new file, or remove this one and run again");
}

PLACE_TEST(a_database_of_another_program_is_refused)
{
    struct cs_store *store = NULL;

    make_database(place->path);
    patch_header(place->path, 68, 7); /* application_id */
    assert_refused_with(cs_store_open(place->path, CS_STORE_EXISTING, &store, &err), CS_EINPUT,
                        "is a database of another program");
    patch_header(place->path, 68, 0); /* tables of no program */
    place->err = (struct cs_err){0};
    assert_int_equal(cs_store_open(place->path, CS_STORE_EXISTING, &store, &place->err), CS_EINPUT);
}

PLACE_TEST(a_damaged_database_fails_its_check)
{
    struct cs_store *store = open_new(place);

    for (int i = 0; i < 50; i++) {
        place->record.bytes = (uint64_t)i;
        put(store, &place->record);
    }
    assert_int_equal(cs_store_check(store, &place->err), 0);
    cs_store_close(store);
    for (long at = 4096 + 8; at < 5 * 4096L; at += 4)
        patch_header(place->path, at, 0x5a5a5a5a);
    if (cs_store_open(place->path, CS_STORE_EXISTING, &store, &place->err) == 0) {
        assert_int_not_equal(cs_store_check(store, &place->err), 0);
        cs_store_close(store);
    }
    assert_non_null(strstr(place->err.text, "damaged"));
}

static int stop_at_second(void *ctx, const struct cs_record *record)
{
    (void)record;
    return ++*(int *)ctx == 2 ? 77 : 0;
}

PLACE_TEST(a_walk_ends_when_the_callback_says_so)
{
    CS_AT_END(close_store) struct cs_store *store = open_new(place);
    int seen = 0;

    for (int i = 0; i < 4; i++)
        put(store, &place->record);
    assert_int_equal(cs_store_each(store, CS_STORE_ALL, stop_at_second, &seen, NULL), 77);
    assert_int_equal(seen, 2);
    put(store, &place->record); /* the walk holds no lock any more */
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

PLACE_TEST(processes_that_write_at_once_wait_for_each_other)
{
    enum {
        WRITERS = 4,
        RUNS = 25
    };
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
    load(store, CS_STORE_ALL, &place->back);
    assert_int_equal(place->back.count, WRITERS * RUNS);
    assert_int_equal(cs_store_check(store, NULL), 0);
}

PLACE_TEST(a_path_is_a_path_even_if_it_looks_special)
{
    char before[4096];

    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(place->dir), 0);
    make_database(":memory:");
    make_database("file:x?mode=ro");
    assert_int_equal(access(":memory:", F_OK), 0);
    assert_int_equal(access("file:x?mode=ro", F_OK), 0);
    assert_int_equal(chdir(before), 0);
}

PLACE_TEST(a_database_without_runs_is_not_made)
{
    struct cs_store *store = open_new(place);

    assert_int_equal(cs_store_find(store, &place->record, &place->back, &place->err), 0);
    load(store, CS_STORE_ALL, &place->back);
    assert_int_equal(place->back.count, 0);
    assert_int_equal(cs_store_check(store, &place->err), 0);
    place->record.bytes_sent_total = UINT64_MAX;
    assert_int_equal(cs_store_put(store, &place->record, &place->err), CS_EINPUT);
    assert_int_equal(access(place->path, F_OK), -1);
    place->record.bytes_sent_total = 1;
    put(store, &place->record);
    cs_store_close(store);
    assert_int_equal(access(place->path, F_OK), 0);
}
