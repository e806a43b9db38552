/* Databases: paths, NULL, transactions and errors. */
#include "reports/results/store/handle.h"

#include "tests/unit/reports/sample.h"

#include <errno.h>
#include <unistd.h>

static void run(const struct cs_database *database, const char *sql)
{
    assert_done(cs_database_run(database, sql, &err));
}

static int64_t number(const struct cs_database *database, const char *sql)
{
    int64_t result = -1;

    assert_done(cs_database_number(database, sql, &result, &err));
    return result;
}

TEST(a_name_with_a_meaning_in_sqlite_is_a_path)
{
    struct cs_database database = {.path = ":memory:"};
    char dir[64];
    char *before = getcwd(NULL, 0);

    assert_int_equal(sample_dir_make(dir), 0);
    assert_int_equal(chdir(dir), 0);
    assert_int_equal(cs_database_open(&database, CS_DATABASE_CREATE), 0);
    run(&database, "CREATE TABLE t (a)");
    cs_database_close(&database);
    assert_int_equal(access(":memory:", F_OK), 0);
    assert_int_equal(chdir(before), 0);
    free(before);
    sample_dir_remove(dir);
}

TEST(a_failed_transaction_changes_nothing)
{
    struct cs_database database = {0};
    char dir[64], path[100];

    assert_int_equal(sample_dir_make(dir), 0);
    (void)snprintf(path, sizeof path, "%s/r.db", dir);
    database.path = path;
    assert_int_equal(cs_database_open(&database, CS_DATABASE_CREATE), 0);
    run(&database, "CREATE TABLE t (a)");
    run(&database, "BEGIN; INSERT INTO t VALUES (1)");
    assert_int_equal(cs_database_end(&database, CS_EINPUT, NULL), CS_EINPUT);
    assert_int_equal(number(&database, "SELECT count(*) FROM t"), 0);
    run(&database, "BEGIN; INSERT INTO t VALUES (1)");
    assert_done(cs_database_end(&database, 0, &err));
    assert_int_equal(number(&database, "SELECT count(*) FROM t"), 1);
    cs_database_close(&database);
    sample_dir_remove(dir);
}

TEST(nan_is_stored_as_null_and_read_as_nan)
{
    struct cs_database database = {0};
    struct sqlite3_stmt *statement;
    struct cs_text sql = {0};
    char dir[64], path[100];
    struct cs_err err = {0};

    assert_int_equal(sample_dir_make(dir), 0);
    (void)snprintf(path, sizeof path, "%s/r.db", dir);
    database.path = path;
    assert_int_equal(cs_database_open(&database, CS_DATABASE_CREATE), 0);
    run(&database, "CREATE TABLE t (a REAL, b TEXT)");
    cs_text_add(&sql, "INSERT INTO t VALUES (?, ?)");
    assert_int_equal(cs_statement_prepare(&database, &sql, &statement, &err), 0);
    cs_statement_bind_real(statement, 1, (double)NAN);
    assert_int_equal(cs_statement_step(&database, statement, &err), 0);
    cs_statement_finalize(statement);
    assert_int_equal(number(&database, "SELECT count(*) FROM t WHERE a IS NULL"), 1);
    cs_text_add(&sql, "SELECT a, b FROM t");
    assert_int_equal(cs_statement_prepare(&database, &sql, &statement, &err), 0);
    assert_int_equal(cs_statement_step(&database, statement, &err), 1);
    assert_true(isnan(cs_statement_real(statement, 0)));
    assert_string_equal(cs_statement_text(statement, 1), "");
    assert_int_equal(cs_statement_step(&database, statement, &err), 0);
    cs_statement_finalize(statement);
    cs_database_close(&database);
    sample_dir_remove(dir);
}

TEST(a_file_that_is_not_a_database_is_named)
{
    struct cs_database database = {0};
    char dir[64], path[100];
    FILE *file;

    assert_int_equal(sample_dir_make(dir), 0);
    (void)snprintf(path, sizeof path, "%s/r.db", dir);
    file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 200; i++)
        (void)fputs("a text, ", file);
    (void)fclose(file);
    database.path = path;
    assert_int_equal(cs_database_open(&database, CS_DATABASE_EXISTING), 0);
    assert_refused_with(cs_database_run(&database, "SELECT * FROM t", &err), CS_EINPUT,
                        "is not a results database");
    cs_database_close(&database);
    sample_dir_remove(dir);
}

TEST(a_missing_file_has_its_errno)
{
    CS_AT_END(cs_database_close) struct cs_database database = {.path = "/nosuch/r.db"};

    assert_int_equal(cs_database_open(&database, CS_DATABASE_EXISTING), ENOENT);
}

/* ---- two connections, one of which has the lock ---- */

/* Ends a lock, or the wait, at a question. */
struct lock_wait {
    const struct cs_database *holder;
    uint32_t asked, release_at, stop_at; /* release_at, stop_at: 0 for never */
};

static bool lock_goes_on(void *ctx, double waited_s)
{
    struct lock_wait *wait = ctx;

    (void)waited_s;
    wait->asked++;
    if (wait->asked == wait->release_at)
        run(wait->holder, "ROLLBACK");
    return wait->asked != wait->stop_at;
}

/* Two databases at one path, the second not open; it waits by `wait`. */
struct lock_pair {
    char dir[64], path[100];
    struct cs_database holder, other;
    struct lock_wait wait;
};

static void lock_pair_open(struct lock_pair *pair)
{
    *pair = (struct lock_pair){0};
    assert_int_equal(sample_dir_make(pair->dir), 0);
    (void)snprintf(pair->path, sizeof pair->path, "%s/r.db", pair->dir);
    pair->holder.path = pair->other.path = pair->path;
    pair->wait.holder = &pair->holder;
    pair->other.wait = (struct cs_database_wait){lock_goes_on, &pair->wait};
}

static void lock_pair_close(struct lock_pair *pair)
{
    cs_database_close(&pair->holder);
    cs_database_close(&pair->other);
    sample_dir_remove(pair->dir);
}

/* The first process makes the file and writes; the second has found no file either,
 * or one with tables. */
TEST(a_second_writer_waits_from_its_begin)
{
    struct lock_pair pair;
    struct cs_store_write first, second;

    for (int tables = 0; tables < 2; tables++) {
        lock_pair_open(&pair);
        assert_done(cs_store_write_begin(&first, &pair.holder, &err));
        if (tables) {
            assert_done(cs_store_write_end(&first, 0, &err));
            assert_done(cs_store_file_open(&pair.other, CS_STORE_CREATE, &err));
            assert_done(cs_store_write_begin(&first, &pair.holder, &err));
        }
        pair.wait.asked = 0;
        pair.wait.stop_at = 3;
        assert_int_equal(cs_store_write_begin(&second, &pair.other, NULL), CS_ESTOPPED);
        assert_int_equal(pair.wait.asked, 3);
        lock_pair_close(&pair);
    }
}

/* Of two processes that open an empty file one makes the tables. */
TEST(a_second_maker_of_tables_waits_for_the_first)
{
    CS_AT_END(lock_pair_close) struct lock_pair pair;

    lock_pair_open(&pair);
    assert_int_equal(cs_database_open(&pair.holder, CS_DATABASE_CREATE), 0);
    run(&pair.holder, "BEGIN IMMEDIATE");
    pair.wait.stop_at = 3;
    assert_int_equal(cs_store_file_open(&pair.other, CS_STORE_CREATE, NULL), CS_ESTOPPED);
    assert_int_equal(pair.wait.asked, 3);
}

/* SQLite itself does not wait for a writer to change the journal. */
TEST(the_change_to_wal_waits_for_a_writer)
{
    CS_AT_END(lock_pair_close) struct lock_pair pair;

    lock_pair_open(&pair);
    assert_int_equal(cs_database_open(&pair.holder, CS_DATABASE_CREATE), 0);
    run(&pair.holder, "CREATE TABLE t (a)");
    run(&pair.holder, "BEGIN IMMEDIATE");
    assert_int_equal(cs_database_open(&pair.other, CS_DATABASE_EXISTING), 0);
    pair.wait.release_at = 3;
    assert_done(cs_database_use_wal(&pair.other, &err));
    assert_int_equal(pair.wait.asked, 3);
}
