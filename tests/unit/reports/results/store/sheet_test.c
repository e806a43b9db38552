/* Sheets in the results database: equal requests are replaced, other tables kept. */
#include "reports/results/store/sheet.h"

#include "reports/results/store/database.h"
#include "reports/results/store/store.h"
#include "tests/unit/reports/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct cs_sheet_column columns[] = {
    {"name", "name", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, CS_BY_CELL},
    {"step_s", "step", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"fits", "fits", NULL, CS_SHEET_BOOL, CS_BY_CELL},
};

/* `rows` rows of the first `count` columns. */
static int put(const char *path, const char *request, int rows, size_t count, struct cs_err *err)
{
    struct cs_sheet sheet = {0};
    int code;

    cs_sheet_begin(&sheet, "training", columns, count);
    for (int r = 0; r < rows; r++) {
        cs_sheet_text(&sheet, "it's \"one\"");
        cs_sheet_u64(&sheet, 8);
        cs_sheet_none(&sheet);
        if (count > 3)
            cs_sheet_bool(&sheet, true);
    }
    code = cs_store_put_sheet(path, NULL, &sheet, request, "1.0", err);
    cs_sheet_free(&sheet);
    return code;
}

static int64_t number_of(const char *path, const char *sql)
{
    struct cs_database database = {.path = path};
    struct cs_err err = {0};
    int64_t number = -1;

    assert_int_equal(cs_database_open(&database, CS_DATABASE_EXISTING), 0);
    if (cs_database_number(&database, sql, &number, &err))
        fail_msg("%s", err.text);
    cs_database_close(&database);
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

static void rows_of_an_equal_request_are_replaced(void **state)
{
    const char *path = ((struct place *)*state)->path;
    struct cs_err err = {0};

    assert_int_equal(put(path, "--model a", 3, 4, &err), 0);
    assert_int_equal(put(path, "--model a", 2, 4, &err), 0);
    assert_int_equal(put(path, "--model b", 1, 4, &err), 0);
    assert_int_equal(number_of(path, "SELECT count(*) FROM training"), 3);
    assert_int_equal(number_of(path, "SELECT count(*) FROM training WHERE "
                                     "step_s IS NULL AND ranks = 8 AND fits"),
                     3);
}

static void runs_share_the_file(void **state)
{
    const char *path = ((struct place *)*state)->path;
    struct cs_record record = sample_ring();
    struct cs_store *store;
    struct cs_err err = {0};

    assert_int_equal(put(path, "--model a", 1, 4, &err), 0);
    assert_int_equal(cs_store_open(path, CS_STORE_CREATE, &store, &err), 0);
    record.seed = 1;
    assert_int_equal(cs_store_put(store, &record, &err), 0);
    cs_store_close(store);
    assert_int_equal(put(path, "--model b", 1, 4, &err), 0);
    assert_int_equal(number_of(path, "SELECT count(*) FROM runs"), 1);
}

static void a_table_with_other_columns_is_unchanged(void **state)
{
    const char *path = ((struct place *)*state)->path;
    struct cs_err err = {0};

    assert_int_equal(put(path, "--model a", 1, 4, &err), 0);
    assert_int_equal(put(path, "--model a", 2, 3, &err), CS_EINPUT);
    assert_non_null(strstr(err.text, "table 'training' of another version"));
    assert_int_equal(number_of(path, "SELECT count(*) FROM training"), 1);
}

static void rows_are_read_back(void **state)
{
    const char *path = ((struct place *)*state)->path;
    struct cs_sheet sheet = {0};
    struct cs_store *store;
    struct cs_err err = {0};

    assert_int_equal(put(path, "--model a", 2, 4, &err), 0);
    assert_int_equal(cs_store_open(path, CS_STORE_EXISTING, &store, &err), 0);
    assert_int_equal(cs_store_read_sheet(store, "training", columns, 4, &sheet, &err), 0);
    assert_int_equal(sheet.cell_count, 8);
    assert_string_equal(sheet.cells[4].is.text, "it's \"one\"");
    assert_int_equal(sheet.cells[5].is.u64, 8);
    assert_false(sheet.cells[6].known);
    assert_true(sheet.cells[7].is.boolean);
    cs_sheet_free(&sheet);
    assert_int_equal(cs_store_read_sheet(store, "cases", columns, 4, &sheet, &err), 0);
    assert_int_equal(sheet.cell_count, 0);
    cs_sheet_free(&sheet);
    cs_store_close(store);
}

static void a_missing_column_is_refused(void **state)
{
    const char *path = ((struct place *)*state)->path;
    struct cs_sheet sheet = {0};
    struct cs_store *store;
    struct cs_err err = {0};

    assert_int_equal(put(path, "--model a", 1, 3, &err), 0);
    assert_int_equal(cs_store_open(path, CS_STORE_EXISTING, &store, &err), 0);
    assert_int_equal(cs_store_read_sheet(store, "training", columns, 4, &sheet, &err), CS_EINPUT);
    assert_non_null(strstr(err.text, "another version"));
    cs_sheet_free(&sheet);
    cs_store_close(store);
}

#define OF_FILE(test) cmocka_unit_test_setup_teardown(test, place_open, place_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        OF_FILE(rows_of_an_equal_request_are_replaced),
        OF_FILE(runs_share_the_file),
        OF_FILE(a_table_with_other_columns_is_unchanged),
        OF_FILE(rows_are_read_back),
        OF_FILE(a_missing_column_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
