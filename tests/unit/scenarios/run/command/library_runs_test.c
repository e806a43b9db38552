/* Library runs: the records of a sweep, and a database of them. */
#include "scenarios/run/command/library_runs.h"

#include "tests/unit/scenarios/run/opened.h"

#include <unistd.h>

OPENED_TEST(a_sweep_has_a_record_for_each_rank_count_size_and_algorithm)
{
    CS_AT_END(cs_records_free) struct cs_records records = {0};
    const struct cs_library_runs runs = {
        .scenario = &opened->scenario, .records = &records, .notes = &opened->notes};

    if (opened_finish(opened, WORDS("--topo", "dgx", "--library", "nccl", "--ranks", "4,8", "-b",
                                    "1M", "-e", "4M", "--algo", "ring,tree")))
        fail_msg("%s", opened->err.text);
    assert_ok(cs_library_runs(&runs, &opened->err), &opened->err);
    assert_int_equal(records.count, 2 * 3 * 2);
    assert_int_equal(records.items[0].ranks, 4);
    assert_string_equal(records.items[1].algorithm, "tree");
    assert_int_equal(records.items[11].ranks, 8);
    assert_int_equal(records.items[11].bytes, 4 << 20);
}

OPENED_TEST(an_algorithm_that_does_not_fit_ends_none_of_the_others)
{
    CS_AT_END(cs_records_free) struct cs_records records = {0};
    const struct cs_library_runs runs = {
        .scenario = &opened->scenario, .records = &records, .notes = &opened->notes};

    if (opened_finish(opened, WORDS("--topo", "dgx", "--library", "nccl", "-b", "1M", "-e", "2M",
                                    "--algo", "nvls,ring,pat,tree")))
        fail_msg("%s", opened->err.text);
    assert_int_equal(cs_library_runs(&runs, &opened->err), CS_EINPUT);
    assert_string_equal(
        opened->err.text,
        "NCCL has no nvls for all-reduce on this machine: it needs GPUs and NVSwitches of NVLink 4 "
        "or later, whose switches reduce, and two GPUs of a node");
    assert_non_null(strstr(opened->notes.data, "NCCL has no pat"));
    assert_int_equal(records.count, 4);
    assert_string_equal(records.items[3].algorithm, "tree");
}

static uint32_t stored(const char *path)
{
    CS_AT_END(cs_records_free) struct cs_records records = {0};
    struct cs_store *store;
    uint32_t count;

    assert_done(cs_store_open(path, CS_STORE_EXISTING, &store, &err) ||
                cs_store_load(store, CS_STORE_ALL, &records, &err));
    for (size_t i = 0; i < records.count; i++) {
        assert_string_equal(records.items[i].library, "nccl");
        assert_true(records.items[i].high_s > records.items[i].low_s);
    }
    count = (uint32_t)records.count;
    cs_store_close(store);
    return count;
}

static void run_into(const char *path, char *sizes)
{
    CS_AT_END(opened_free) struct opened opened;
    CS_AT_END(cs_records_free) struct cs_records records = {0};
    struct cs_library_runs runs = {.scenario = &opened.scenario, .records = &records};

    if (opened_finish(&opened, WORDS("--topo", "dgx", "--library", "nccl", "--size", sizes)) ||
        cs_store_open(path, CS_STORE_CREATE, &runs.store, &opened.err) ||
        cs_library_runs(&runs, &opened.err))
        fail_msg("%s", opened.err.text);
    cs_store_close(runs.store);
}

TEST(a_database_keeps_a_call_once)
{
    char path[] = "/tmp/collsim-library-XXXXXX";
    int file = mkstemp(path);

    assert_true(file >= 0);
    close(file);
    unlink(path);
    run_into(path, "1MiB,2MiB");
    assert_int_equal(stored(path), 2);
    run_into(path, "1MiB,4MiB");
    assert_int_equal(stored(path), 3);
    unlink(path);
}
