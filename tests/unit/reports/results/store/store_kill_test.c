/*
 * A run that was acknowledged survives SIGKILL of the process that put it, at
 * whatever moment the signal comes.
 */
#include "reports/results/store/store.h"
#include "tests/store_check.h"
#include "tests/unit/reports/sample.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ROUNDS = 20
};

/* Puts runs for ever; run number i has `bytes` = i.  A number goes into the
 * pipe when the put has returned. */
static void put_for_ever(const char *path, uint64_t first, int pipe_in)
{
    struct cs_record record = sample_ring();
    struct cs_store *store = NULL;

    if (cs_store_open(path, CS_STORE_CREATE, &store, NULL) != 0)
        _exit(1);
    for (record.bytes = first;; record.bytes++) {
        if (cs_store_put(store, &record, NULL) != 0)
            _exit(2);
        if (write(pipe_in, &record.bytes, sizeof record.bytes) < 0)
            _exit(3);
    }
}

/* Kills the child after so many acknowledgements and a little more, so that
 * the signal finds it at another place in every round.  Returns the number
 * of the last run that was acknowledged. */
static uint64_t kill_after(pid_t child, int pipe_out, int round)
{
    uint64_t last = 0;
    uint64_t number;
    int status = 0;

    for (int i = 0; i <= round % 7; i++)
        assert_int_equal(read(pipe_out, &number, sizeof number), (int)sizeof number);
    for (volatile int spin = 0; spin < round * round * 2000; spin++) {
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    last = number;
    while (read(pipe_out, &number, sizeof number) == (int)sizeof number)
        last = number;
    return last;
}

static uint64_t run_round(const char *path, uint64_t first, int round)
{
    uint64_t last;
    int ends[2];
    pid_t child;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_int_not_equal(child, -1);
    if (child == 0)
        put_for_ever(path, first, ends[1]);
    close(ends[1]);
    last = kill_after(child, ends[0], round);
    close(ends[0]);
    return last;
}

/* Runs 1 to `last` are there; one more may be, whose acknowledgement was cut
 * off.  Returns the number of the newest. */
static uint64_t check_all_there(const char *path, uint64_t last)
{
    CS_AT_END(cs_records_free) struct cs_records back = {0};
    struct cs_store *store = NULL;
    struct cs_err err = {0};
    uint64_t count;

    if (cs_store_open(path, CS_STORE_EXISTING, &store, &err) != 0 ||
        cs_store_check(store, &err) != 0 || cs_store_load(store, CS_STORE_ALL, &back, &err) != 0)
        fail_msg("%s", err.text);
    assert_true(back.count == last || back.count == last + 1);
    count = back.count;
    for (uint64_t i = 0; i < count; i++) {
        assert_int_equal(back.items[i].bytes, i + 1);
        assert_int_equal(back.items[i].link_count, 2);
    }
    cs_store_close(store);
    return count;
}

TEST(every_acknowledged_run_survives_sigkill)
{
    char dir[64], path[96];
    uint64_t newest = 0;

    assert_int_equal(sample_dir_make(dir), 0);
    (void)snprintf(path, sizeof path, "%s/runs.db", dir);
    for (int round = 0; round < ROUNDS; round++)
        newest = check_all_there(path, run_round(path, newest + 1, round));
    sample_dir_remove(dir);
}
