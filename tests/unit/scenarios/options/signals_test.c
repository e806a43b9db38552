#include "scenarios/options/signals.h"

#include "tests/test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void (*action_of(int number))(int)
{
    struct sigaction action;

    assert_int_equal(sigaction(number, NULL, &action), 0);
    return action.sa_handler;
}

/* timeout(1) sends twice. */
TEST(a_held_signal_is_taken_and_dropped)
{
    struct cs_signals *signals = cs_signals_new();

    cs_signals_listen(signals, false);
    assert_false(cs_signals_take(signals));
    cs_signals_hold(signals);
    assert_false(cs_signals_take(signals));
    raise(SIGINT);
    raise(SIGTERM);
    assert_true(cs_signals_take(signals));
    cs_signals_drop(signals);
    assert_false(cs_signals_take(signals));
    cs_signals_free(signals);
    assert_true(action_of(SIGINT) == SIG_DFL);
    assert_true(action_of(SIGTERM) == SIG_DFL);
}

TEST(an_ignored_signal_stays_so)
{
    struct cs_signals *signals = cs_signals_new();

    assert_true(signal(SIGINT, SIG_IGN) != SIG_ERR);
    cs_signals_listen(signals, false);
    cs_signals_hold(signals);
    raise(SIGINT);
    assert_false(cs_signals_take(signals));
    assert_true(action_of(SIGINT) == SIG_IGN);
    cs_signals_release(signals);
    cs_signals_free(signals);
    assert_true(action_of(SIGINT) == SIG_IGN);
    assert_true(signal(SIGINT, SIG_DFL) != SIG_ERR);
}

/* What a process prints that a signal ends while none is held. */
static void ends_with(bool is_json, int file, const char *text)
{
    char said[200] = "";
    int ends[2], status = 0;
    pid_t child;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        struct cs_signals *signals = cs_signals_new();

        (void)dup2(ends[1], file);
        cs_signals_listen(signals, is_json);
        raise(SIGTERM);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(read(ends[0], said, sizeof(said) - 1) > 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 130);
    assert_non_null(strstr(said, text));
    close(ends[0]);
    close(ends[1]);
}

TEST(a_signal_ends_the_program_at_once)
{
    ends_with(false, STDERR_FILENO, "collsim: stopped\n");
    ends_with(true, STDOUT_FILENO, "\"interrupted\": true");
}

TEST(a_host_has_none)
{
    cs_signals_listen(NULL, true);
    cs_signals_hold(NULL);
    cs_signals_time(NULL, STDERR_FILENO, false);
    assert_false(cs_signals_take(NULL));
    assert_false(cs_signals_untime(NULL));
    cs_signals_drop(NULL);
    cs_signals_release(NULL);
    cs_signals_free(NULL);
    assert_true(action_of(SIGINT) == SIG_DFL);
}
