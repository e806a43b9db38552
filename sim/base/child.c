#include "sim/base/child.h"

#include "sim/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    COMPLAINT_MAX = 400, /* more than this is repetition */
    READ_BYTES = 1 << 14,
    LAST_WAIT_MS = 1000, /* after a kill */
};

struct child_run {
    const struct cs_child *child;
    struct cs_child_end *end;
    struct cs_err *err;
    pid_t pid;
    int said, complained; /* parent ends of the pipes; -1: closed */
    int stops;            /* signalfd of terminating signals; or -1 */
    sigset_t mask;        /* of signals, as it was */
    int stopped;          /* by that signal; 0: not */
    uint64_t until_ms;    /* UINT64_MAX: for ever */
    struct cs_text line;  /* incomplete last line */
};

static uint64_t now_ms(void)
{
    return cs_clock_ns() / 1000000;
}

/* ---- starting ---- */

static int child_spawn(struct child_run *run, int out, int complaints)
{
    const struct cs_child *child = run->child;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int rc;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, complaints, 2);
    if (child->dir)
        posix_spawn_file_actions_addchdir_np(&actions, child->dir);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &run->mask);
    rc = posix_spawnp(&run->pid, child->argv[0], &actions, &attributes, (char *const *)child->argv,
                      environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

static int child_start(struct child_run *run)
{
    int out[2];
    int complaints[2];
    int rc;

    if (pipe2(out, O_CLOEXEC) != 0)
        return cs_err_set(run->err, CS_ECANNOT, "cannot make a pipe: %s", strerror(errno));
    if (pipe2(complaints, O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return cs_err_set(run->err, CS_ECANNOT, "cannot make a pipe: %s", strerror(errno));
    }
    rc = child_spawn(run, out[1], complaints[1]);
    close(out[1]);
    close(complaints[1]);
    run->said = out[0];
    run->complained = complaints[0];
    /* EACCES of a name without a folder: one folder of PATH is closed. */
    if (rc == ENOENT || (rc == EACCES && !strchr(run->child->argv[0], '/'))) {
        run->end->fate = CS_CHILD_ABSENT;
        return 0;
    }
    if (rc != 0)
        return cs_err_set(run->err, CS_ECANNOT, "cannot start '%s': %s", run->child->argv[0],
                          strerror(rc));
    return 0;
}

/* ---- listening ---- */

/* Keeps the first lines as one. */
static void keep_complaint(struct cs_text *complaint, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count && complaint->length < COMPLAINT_MAX; i++) {
        bool blank = bytes[i] == '\n' || bytes[i] == ' ';

        if (!blank)
            cs_text_add_n(complaint, &bytes[i], 1);
        else if (complaint->length > 0 && complaint->data[complaint->length - 1] != ' ')
            cs_text_add(complaint, " ");
    }
}

static void child_trim(struct cs_text *complaint)
{
    while (complaint->length > 0 && complaint->data[complaint->length - 1] == ' ')
        complaint->data[--complaint->length] = '\0';
}

static int report_line(struct child_run *run)
{
    int code =
        run->child->line(run->child->ctx, cs_text_str(&run->line), run->line.length, run->err);

    run->line.length = 0;
    return code;
}

static int child_hear(struct child_run *run, const char *bytes, size_t count)
{
    int code = 0;

    while (run->child->line && count > 0 && !code) {
        const char *newline = memchr(bytes, '\n', count);
        size_t part = newline ? (size_t)(newline - bytes) : count;

        if (run->line.length + part > CS_CHILD_LINE_MAX)
            return cs_err_set(run->err, CS_ECANNOT, "%s prints a line without end",
                              run->child->argv[0]);
        cs_text_add_n(&run->line, bytes, part);
        if (newline)
            code = report_line(run);
        part += newline != NULL;
        bytes += part;
        count -= part;
    }
    return code;
}

/* Reads the available bytes; closes the pipe at its end. */
static int child_take(struct child_run *run, int *pipe)
{
    char bytes[READ_BYTES];
    ssize_t got = read(*pipe, bytes, sizeof(bytes));

    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return 0;
    if (got <= 0) {
        close(*pipe);
        *pipe = -1;
        return 0;
    }
    if (pipe == &run->said)
        return child_hear(run, bytes, (size_t)got);
    keep_complaint(&run->end->complaint, bytes, (size_t)got);
    return 0;
}

/* Milliseconds up to the deadline, for poll(). */
static int left_ms(const struct child_run *run)
{
    uint64_t now;

    if (run->until_ms == UINT64_MAX)
        return -1;
    now = now_ms();
    if (now >= run->until_ms)
        return 0;
    return run->until_ms - now < 1000000 ? (int)(run->until_ms - now) : 1000000;
}

static bool is_late(const struct child_run *run)
{
    return run->until_ms != UINT64_MAX && now_ms() >= run->until_ms;
}

/* Whether a terminating signal has arrived. */
static bool is_stopped(struct child_run *run)
{
    struct signalfd_siginfo info;

    if (!run->stopped && read(run->stops, &info, sizeof(info)) == sizeof(info))
        run->stopped = (int)info.ssi_signo;
    return run->stopped != 0;
}

/* Reads until both pipes are closed or the deadline has passed. */
static int listen_to(struct child_run *run)
{
    int code = 0;

    while ((run->said >= 0 || run->complained >= 0) && !code) {
        struct pollfd pipes[] = {
            {run->said, POLLIN, 0}, {run->complained, POLLIN, 0}, {run->stops, POLLIN, 0}};

        if (is_late(run) || is_stopped(run))
            return 0;
        if (poll(pipes, 3, left_ms(run)) <= 0)
            continue;
        if (pipes[0].revents)
            code = child_take(run, &run->said);
        if (pipes[1].revents && !code)
            code = child_take(run, &run->complained);
    }
    if (!code && run->line.length > 0 && run->child->line)
        code = report_line(run);
    return code;
}

/* ---- ending ---- */

static void pause_ms(void)
{
    struct timespec pause = {0, 1000000};

    nanosleep(&pause, NULL);
}

/* Whether the child ends before the deadline. Its pipes are closed, so the end
 * is near. WNOWAIT keeps its number reserved until its group is killed. */
static bool ends_in_time(struct child_run *run)
{
    for (;;) {
        siginfo_t info = {0};
        int rc = waitid(P_PID, (id_t)run->pid, &info, WEXITED | WNOWAIT | WNOHANG);

        if (rc == 0 && info.si_pid == run->pid)
            return true;
        if ((rc != 0 && errno != EINTR) || is_late(run) || is_stopped(run))
            return false;
        pause_ms();
    }
}

/* Kills the process group of the child. A process that survives SIGKILL,
 * blocked in a device, is not waited for: false. */
static bool end_group(const struct child_run *run, int *status)
{
    uint64_t until_ms = now_ms() + LAST_WAIT_MS;

    kill(-run->pid, SIGKILL);
    while (waitpid(run->pid, status, WNOHANG) != run->pid) {
        if (now_ms() >= until_ms)
            return false;
        pause_ms();
    }
    return true;
}

static void child_finish(struct child_run *run)
{
    int status = 0;
    bool in_time = ends_in_time(run);

    if (!end_group(run, &status) || !in_time) {
        run->end->fate = CS_CHILD_LATE;
    } else if (WIFSIGNALED(status)) {
        run->end->fate = CS_CHILD_KILLED;
        run->end->number = WTERMSIG(status);
    } else {
        run->end->fate = CS_CHILD_EXITED;
        run->end->number = WEXITSTATUS(status);
    }
}

/* The child has a process group of its own, so a terminal signals this program
 * alone: such signals are received through a signalfd while the child runs.
 * Ignored signals stay ignored. */
static void child_hold_signals(struct child_run *run)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
        struct sigaction action;

        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&set, signals[i]);
    }
    pthread_sigmask(SIG_BLOCK, &set, &run->mask);
    run->stops = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Restores the signal mask and raises the signal that was received; raise() may
 * return from a handler. */
static int let_signals(struct child_run *run, int code)
{
    pthread_sigmask(SIG_SETMASK, &run->mask, NULL);
    if (run->stops >= 0)
        close(run->stops);
    if (!run->stopped)
        return code;
    raise(run->stopped);
    return cs_err_set(run->err, CS_ECANNOT, "stopped by signal %d (%s)", run->stopped,
                      strsignal(run->stopped));
}

int cs_child_run(const struct cs_child *child, struct cs_child_end *end, struct cs_err *err)
{
    struct child_run run = {.child = child,
                            .end = end,
                            .err = err,
                            .said = -1,
                            .complained = -1,
                            .until_ms = UINT64_MAX};
    int status;
    int code;

    *end = (struct cs_child_end){0};
    if (child->deadline_ms)
        run.until_ms = now_ms() + child->deadline_ms;
    child_hold_signals(&run);
    code = child_start(&run);
    if (!code && end->fate != CS_CHILD_ABSENT) {
        code = listen_to(&run);
        if (code)
            end_group(&run, &status);
        else
            child_finish(&run);
    }
    if (run.said >= 0)
        close(run.said);
    if (run.complained >= 0)
        close(run.complained);
    cs_text_free(&run.line);
    child_trim(&end->complaint);
    return let_signals(&run, code);
}

static int judge_exit(const char *name, const struct cs_child_end *end, struct cs_err *err)
{
    int code = end->number == -CS_EANSWER || end->number == -CS_EINPUT ? -end->number : CS_ECANNOT;

    if (end->number == 0)
        return 0;
    if (end->complaint.length > 0)
        return cs_err_set(err, code, "%s", cs_text_str(&end->complaint));
    return cs_err_set(err, code, "%s ended with exit status %d", name, end->number);
}

int cs_child_judge(const struct cs_child *child, const struct cs_child_end *end, struct cs_err *err)
{
    const char *name = child->argv[0];

    switch (end->fate) {
    case CS_CHILD_EXITED:
        return judge_exit(name, end, err);
    case CS_CHILD_KILLED:
        return cs_err_set(err, CS_ECANNOT, "%s was ended by signal %d (%s)", name, end->number,
                          strsignal(end->number));
    case CS_CHILD_LATE:
        return cs_err_set(err, CS_ECANNOT, "%s did not end within %g s and was killed", name,
                          (double)child->deadline_ms / 1000);
    default:
        return cs_err_set(err, CS_ECANNOT, "there is no program '%s'", name);
    }
}
