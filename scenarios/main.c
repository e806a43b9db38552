/*
 * collsim: the program, owner of the process: streams, signals, environment.
 */
#include "scenarios/call.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    MAPPED_FROM = 64 << 20, /* bytes of a block that goes back when it is freed */
    KEPT_MAX = 128 << 20,   /* bytes that are free and stay */
};

/* Memory of a run or a proof stays for the next one: fresh pages cost a sweep as much time
 * in the system as a third of its runs. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, MAPPED_FROM);
    mallopt(M_TRIM_THRESHOLD, KEPT_MAX);
#endif
}

/* A full disk or a closed pipe must not look like success. */
static int close_output(const struct cs_cli *cli, int status)
{
    if (fflush(cli->out) == 0 && !ferror(cli->out))
        return status;
    fprintf(cli->messages, "collsim: cannot write the output\n");
    return status ? status : -CS_ECANNOT;
}

/* Whether the file is a terminal that takes escape sequences. */
static bool takes_escapes(int file)
{
    const char *term = getenv("TERM");

    return isatty(file) && term && term[0] && strcmp(term, "dumb") != 0;
}

static uint32_t terminal_width(int file)
{
#ifdef __wasi__ /* pages have no terminal */
    (void)file;
    return 0;
#else
    struct winsize size;

    return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
#endif
}

/* With a standard stream closed, the next file opened, say a database, would
 * take its number and receive the messages.  /dev/null takes the number instead;
 * read-only for the output, so that lost output is still an error. */
static void keep_places(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            (void)open("/dev/null", file == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

int main(int argc, char **argv)
{
    const char *no_colour = getenv("NO_COLOR"); /* no-color.org: any value but an empty string */
    bool plain = no_colour && no_colour[0];
    struct cs_cli cli = {
        .out = stdout,
        .messages = stderr,
        .style = takes_escapes(STDOUT_FILENO) && !plain ? CS_STYLE_COLOUR : CS_STYLE_PLAIN,
        .width = terminal_width(STDOUT_FILENO),
        .terminal = takes_escapes(STDERR_FILENO),
        .program = "/proc/self/exe",
    };
    struct cs_progress_line progress = {
        .messages = cli.messages,
        .terminal = cli.terminal,
        .signals = cs_signals_new(),
    };
    struct cs_err err = {0};
    int status;

    keep_memory();
    keep_places();
    /* Exceeding a file size limit is a write error, not a signal. */
    signal(SIGXFSZ, SIG_IGN);
    cli.progress = &progress;
    cs_signals_listen(progress.signals, cs_call_given(argc - 1, argv + 1, "--json"));
    status = cs_call(&cli, argc - 1, argv + 1, &err);
    cs_progress_line_close(&progress);
    cs_signals_free(progress.signals);
    return close_output(&cli, status);
}
