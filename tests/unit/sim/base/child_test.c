/* Children: whatever becomes of one, it is reported, and in time. */
#include "sim/base/child.h"

#include "sim/base/clock.h"
#include "tests/fixture.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct heard {
    struct cs_text lines;
    int refuse; /* the line to refuse, from 1 */
    int count;
};

static int hear(void *ctx, const char *line, size_t length, struct cs_err *err)
{
    struct heard *heard = ctx;

    cs_text_add_n(&heard->lines, line, length);
    cs_text_add(&heard->lines, "|");
    if (++heard->count == heard->refuse)
        return cs_err_set(err, CS_EANSWER, "line %d is rubbish", heard->count);
    return 0;
}

static int pass_on(void *ctx, const char *line, size_t length, struct cs_err *err)
{
    (void)line;
    (void)length;
    (void)err;
    return write(*(int *)ctx, ".", 1) == 1 ? 0 : CS_ECANNOT;
}

/* Runs a script of the shell and compares what is said of its end. */
static void expect(const char *script, const char *lines, const char *message)
{
    const char *argv[] = {"sh", "-c", script, NULL};
    struct heard heard = {0};
    struct cs_child child = {.argv = argv, .deadline_ms = 300, .line = hear, .ctx = &heard};
    struct cs_child_end end;
    struct cs_err err = {0};
    int code = cs_child_run(&child, &end, &err);

    if (!code)
        code = cs_child_judge(&child, &end, &err);
    assert_string_equal(err.text, message);
    assert_int_equal(code, err.code);
    assert_string_equal(cs_text_str(&heard.lines), lines);
    cs_text_free(&end.complaint);
    cs_text_free(&heard.lines);
}

TEST(lines_are_reported_as_they_come)
{
    expect("echo one; printf 'two\\nthree'", "one|two|three|", "");
    expect("true", "", "");
}

TEST(a_bad_end_is_reported)
{
    expect("echo x; exit 3", "x|", "sh ended with exit status 3");
    expect("echo no GPU >&2; exit 3", "", "no GPU");
    expect("kill -SEGV $$", "", "sh was ended by signal 11 (Segmentation fault)");
    expect("kill -KILL $$", "", "sh was ended by signal 9 (Killed)");
}

TEST(codes_of_collsim_are_passed_on)
{
    const char *argv[] = {"sh", "-c", "exit 2", NULL};
    struct cs_child child = {.argv = argv};
    struct cs_child_end end;

    assert_int_equal(cs_child_run(&child, &end, NULL), 0);
    assert_int_equal(cs_child_judge(&child, &end, NULL), CS_EINPUT);
    argv[2] = "exit 1";
    assert_int_equal(cs_child_run(&child, &end, NULL), 0);
    assert_int_equal(cs_child_judge(&child, &end, NULL), CS_EANSWER);
    argv[2] = "exit 77";
    assert_int_equal(cs_child_run(&child, &end, NULL), 0);
    assert_int_equal(cs_child_judge(&child, &end, NULL), CS_ECANNOT);
}

TEST(a_child_that_hangs_is_killed_in_time)
{
    double begin_s = cs_clock_s();

    expect("echo x; exec sleep 60", "x|", "sh did not end within 0.3 s and was killed");
    /* It has ended, but a grandchild holds its pipes open. */
    expect("sleep 2 & exit 0", "", "");
    /* It closes its pipes and goes on. */
    expect("exec >/dev/null 2>&1; exec sleep 60", "", "sh did not end within 0.3 s and was killed");
    /* It never listens to anybody, and prints for ever. */
    expect("trap '' TERM; exec >&2; while :; do echo y; done", "",
           "sh did not end within 0.3 s and was killed");
    assert_true(cs_clock_s() - begin_s < 5);
}

/* Whoever has the pipe keeps it open. */
TEST(no_process_that_it_started_is_left)
{
    static const char *const scripts[] = {
        "sleep 60 & exec sleep 60",
        "sleep 60 & exit 0",
        "sleep 60 & echo one; echo two; exec sleep 60",
    };

    for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
        const char *argv[] = {"sh", "-c", scripts[i], NULL};
        struct heard heard = {.refuse = 2};
        struct cs_child child = {.argv = argv, .deadline_ms = 100, .line = hear, .ctx = &heard};
        struct cs_child_end end;
        struct pollfd left;
        int ends[2];

        assert_int_equal(pipe(ends), 0);
        cs_child_run(&child, &end, NULL);
        close(ends[1]);
        left = (struct pollfd){ends[0], POLLIN, 0};
        assert_int_equal(poll(&left, 1, 2000), 1);
        assert_true(left.revents & POLLHUP);
        close(ends[0]);
        cs_text_free(&heard.lines);
        cs_text_free(&end.complaint);
    }
}

/* We are ended ourselves while the child runs: it does not outlive us. */
TEST(what_ends_us_ends_the_child)
{
    const char *argv[] = {"sh", "-c", "echo; exec sleep 60", NULL};
    struct pollfd left;
    int ends[2], status;
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        struct cs_child child = {.argv = argv, .line = pass_on, .ctx = &ends[1]};
        struct cs_child_end end;

        cs_child_run(&child, &end, NULL);
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    kill(pid, SIGTERM);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    left = (struct pollfd){ends[0], POLLIN, 0};
    assert_int_equal(poll(&left, 1, 2000), 1);
    assert_true(left.revents & POLLHUP);
    close(ends[0]);
}

TEST(a_refused_line_ends_the_child)
{
    const char *argv[] = {"sh", "-c", "echo a; echo b; exec sleep 60", NULL};
    struct heard heard = {.refuse = 2};
    struct cs_child child = {.argv = argv, .line = hear, .ctx = &heard};
    struct cs_child_end end;

    assert_refused(cs_child_run(&child, &end, &err), CS_EANSWER, "line 2 is rubbish");
    cs_text_free(&heard.lines);
    cs_text_free(&end.complaint);
}

TEST(a_line_without_end_is_refused)
{
    expect("head -c 2000000 /dev/zero", "", "sh prints a line without end");
}

TEST(a_program_that_is_not_there_is_reported)
{
    const char *argv[] = {"/nonexistent/collsim-cuda", NULL};
    struct cs_child child = {.argv = argv};
    struct cs_child_end end;

    assert_done(cs_child_run(&child, &end, &err));
    assert_int_equal(end.fate, CS_CHILD_ABSENT);
    assert_refused(cs_child_judge(&child, &end, &err), CS_ECANNOT,
                   "there is no program '/nonexistent/collsim-cuda'");
}

TEST(a_closed_folder_of_the_path_hides_no_absence)
{
    const char *argv[] = {"collsim-cuda-nowhere", NULL};
    struct cs_child child = {.argv = argv};
    struct cs_child_end end;
    const char *path = getenv("PATH");
    char *before = strdup(path ? path : "");

    assert_non_null(before);
    /* A file in place of a folder is closed to root, too. */
    assert_int_equal(setenv("PATH", "/etc/passwd:/usr/bin", 1), 0);
    assert_done(cs_child_run(&child, &end, &err));
    assert_int_equal(setenv("PATH", before, 1), 0);
    assert_int_equal(end.fate, CS_CHILD_ABSENT);
    free(before);
}

TEST(a_program_that_may_not_be_started_is_reported)
{
    const char *argv[] = {"/etc/passwd", NULL};
    struct cs_child child = {.argv = argv};
    struct cs_child_end end;

    assert_refused(cs_child_run(&child, &end, &err), CS_ECANNOT,
                   "cannot start '/etc/passwd': Permission denied");
}
