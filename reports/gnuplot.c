/*
 * Gnuplot: see gnuplot.h.
 */
#include "reports/gnuplot.h"
#include "sim/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What gnuplot complains about is told; more than this is repetition. */
enum {
    COMPLAINT_MAX = 400
};

/* The child reads nothing, says nothing, and complains into the pipe. */
static int start(const char *dir, const char *script, int pipe_in, pid_t *child)
{
    char *argv[] = {(char[]){"gnuplot"}, (char[]){"--default-settings"}, NULL,
                    NULL};
    struct cs_text name = {0};
    posix_spawn_file_actions_t actions;
    int rc;

    cs_text_printf(&name, "./%s", script); /* never an option */
    argv[2] = name.data;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe_in, 2);
    posix_spawn_file_actions_addchdir_np(&actions, dir);
    rc = posix_spawnp(child, "gnuplot", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    cs_text_free(&name);
    return rc;
}

/* Reads to the end, so that the child never waits for us, and keeps the
 * first lines as one. */
static void read_complaint(int pipe_out, struct cs_text *complaint)
{
    char bytes[512];
    ssize_t got;

    while ((got = read(pipe_out, bytes, sizeof bytes)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return;
        for (ssize_t i = 0; i < got && complaint->length < COMPLAINT_MAX; i++) {
            bool blank = bytes[i] == '\n' || bytes[i] == ' ';

            if (!blank)
                cs_text_add_n(complaint, &bytes[i], 1);
            else if (complaint->length > 0 &&
                     complaint->data[complaint->length - 1] != ' ')
                cs_text_add(complaint, " ");
        }
    }
}

static int finish(pid_t child, const char *script,
                  const struct cs_text *complaint, struct cs_err *err)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return cs_err_set(err, CS_ECANNOT, "cannot wait for gnuplot: %s",
                              strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    if (WIFSIGNALED(status))
        return cs_err_set(err, CS_ECANNOT,
                          "gnuplot was ended by signal %d while drawing '%s'",
                          WTERMSIG(status), script);
    return cs_err_set(err, CS_ECANNOT, "gnuplot cannot draw '%s': %s", script,
                      cs_text_str(complaint));
}

int cs_gnuplot_run(const char *dir, const char *script, struct cs_err *err)
{
    struct cs_text complaint = {0};
    pid_t child = 0;
    int ends[2];
    int rc;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return cs_err_set(err, CS_ECANNOT, "cannot make a pipe: %s",
                          strerror(errno));
    rc = start(dir, script, ends[1], &child);
    close(ends[1]);
    if (rc == ENOENT || rc == EACCES)
        rc = CS_GNUPLOT_ABSENT;
    else if (rc != 0)
        rc = cs_err_set(err, CS_ECANNOT, "cannot start gnuplot: %s",
                        strerror(rc));
    else {
        read_complaint(ends[0], &complaint);
        rc = finish(child, script, &complaint, err);
    }
    close(ends[0]);
    cs_text_free(&complaint);
    return rc;
}
