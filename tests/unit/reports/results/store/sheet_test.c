/* Sheets in the results database: equal requests are replaced, other tables kept. */

#include "reports/results/store/database.h"
#include "reports/results/store/store.h"
#include "tests/unit/reports/sample.h"

struct row {
    const char *name;
    uint64_t ranks;
    double step_s;
    bool fits;
};

#define AT(member) CS_AT(struct row, member)
static const struct cs_sheet_column columns[] = {
    {"name", "name", NULL, CS_SHEET_TEXT, AT(name)},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, AT(ranks)},
    {"step_s", "step", NULL, CS_SHEET_SECONDS, AT(step_s)},
    {"fits", "fits", NULL, CS_SHEET_BOOL, AT(fits)},
};

/* `rows` rows of the first `count` columns. */
static int put(const char *path, const char *request, int rows, size_t count, struct cs_err *err)
{
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "training", columns, count);
    for (int r = 0; r < rows; r++)
        cs_sheet_row(&sheet, &(struct row){"it's \"one\"", 8, (double)NAN, true});
    return cs_store_put_sheet(path, NULL, &sheet, request, "1.0", err);
}

static int64_t number_of(const char *path, const char *sql)
{
    CS_AT_END(cs_database_close) struct cs_database database = {.path = path};
    int64_t number = -1;

    assert_int_equal(cs_database_open(&database, CS_DATABASE_EXISTING), 0);
    assert_done(cs_database_number(&database, sql, &number, &err));
    return number;
}

struct place {
    char dir[64], path[100];
};

static int place_open(void **state)
{
    static struct place place;

    *state = &place;
    if (sample_dir_make(place.dir))
        return -1;
    (void)snprintf(place.path, sizeof(place.path), "%s/t.db", place.dir);
    return 0;
}

static int place_close(void **state)
{
    sample_dir_remove(((struct place *)*state)->dir);
    return 0;
}

TEST_BETWEEN(place_open, place_close, rows_of_an_equal_request_are_replaced)
{
    const char *path = ((struct place *)*state)->path;

    assert_done(put(path, "--model a", 3, 4, &err));
    assert_done(put(path, "--model a", 2, 4, &err));
    assert_done(put(path, "--model b", 1, 4, &err));
    assert_int_equal(number_of(path, "SELECT count(*) FROM training"), 3);
    assert_int_equal(
        number_of(path,
                  "SELECT count(*) FROM training WHERE step_s IS NULL AND ranks = 8 AND fits"),
        3);
}

TEST_BETWEEN(place_open, place_close, runs_share_the_file)
{
    const char *path = ((struct place *)*state)->path;
    struct cs_record record = sample_ring();
    struct cs_store *store;

    assert_done(put(path, "--model a", 1, 4, &err));
    assert_done(cs_store_open(path, CS_STORE_CREATE, &store, &err));
    record.seed = 1;
    assert_done(cs_store_put(store, &record, &err));
    cs_store_close(store);
    assert_done(put(path, "--model b", 1, 4, &err));
    assert_int_equal(number_of(path, "SELECT count(*) FROM runs"), 1);
}

TEST_BETWEEN(place_open, place_close, a_table_with_other_columns_is_unchanged)
{
    const char *path = ((struct place *)*state)->path;

    assert_done(put(path, "--model a", 1, 4, &err));
    assert_refused_with(put(path, "--model a", 2, 3, &err), CS_EINPUT,
                        "table 'training' of another version");
    assert_int_equal(number_of(path, "SELECT count(*) FROM training"), 1);
}

TEST_BETWEEN(place_open, place_close, rows_are_read_back)
{
    const char *path = ((struct place *)*state)->path;
    const struct row *none = NULL;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_store *store;
    const struct row *rows;
    void *found;
    size_t count;

    assert_done(put(path, "--model a", 2, 4, &err));
    assert_done(cs_store_open(path, CS_STORE_EXISTING, &store, &err));
    assert_done(cs_store_read_rows(store, CS_ROWS("training", columns, none, 0), &arena, &found,
                                   &count, &err));
    rows = found;
    assert_int_equal(count, 2);
    assert_string_equal(rows[1].name, "it's \"one\"");
    assert_int_equal(rows[1].ranks, 8);
    assert_true(isnan(rows[1].step_s));
    assert_true(rows[1].fits);
    assert_done(cs_store_read_rows(store, CS_ROWS("cases", columns, none, 0), &arena, &found,
                                   &count, &err));
    assert_int_equal(count, 0);
    cs_store_close(store);
}

TEST_BETWEEN(place_open, place_close, a_missing_column_is_refused)
{
    const char *path = ((struct place *)*state)->path;
    const struct row *none = NULL;
    struct cs_arena arena = {0};
    struct cs_store *store;
    void *found;
    size_t count;

    assert_done(put(path, "--model a", 1, 3, &err));
    assert_done(cs_store_open(path, CS_STORE_EXISTING, &store, &err));
    assert_refused_with(cs_store_read_rows(store, CS_ROWS("training", columns, none, 0), &arena,
                                           &found, &count, &err),
                        CS_EINPUT, "another version");
    cs_store_close(store);
}
