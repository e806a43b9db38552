#include "scenarios/measure/all.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "validate/gpu/tables.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    WORDS_MAX = 32,
};

/* The text of the script, made by the Makefile. */
extern const char cs_measure_script[];

/* The command line of sh. */
struct words {
    const char *argv[WORDS_MAX + 1];
    size_t count;
};

static void measure_all_add(struct words *words, const char *word)
{
    if (words->count < WORDS_MAX)
        words->argv[words->count++] = word;
}

/* Adds the words between spaces. */
static void add_text(struct words *words, const char *text, struct cs_arena *arena)
{
    while (*text) {
        size_t length = strcspn(text, " ");

        if (length > 0)
            measure_all_add(words, cs_arena_text_n(arena, text, length));
        text += length + (text[length] == ' ');
    }
}

/* A file in memory, inherited by sh and read as /dev/fd/N. */
static int open_script(struct cs_err *err)
{
    size_t length = strlen(cs_measure_script);
    int file = memfd_create("measure.sh", 0);

    if (file >= 0 && write(file, cs_measure_script, length) == (ssize_t)length)
        return file;
    if (file >= 0)
        close(file);
    return cs_err_set(err, CS_ECANNOT, "cannot keep a script in memory: %s", strerror(errno));
}

static int answer_of(int status, const char *out, struct cs_err *err)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 3;

    if (code == 0)
        return 0;
    if (code == 1)
        return cs_err_set(err, CS_EANSWER,
                          "some steps are unfinished or failed; see %s/log and %s/report",
                          out ? out : ".", out ? out : ".");
    if (code == 130)
        return cs_err_set(err, CS_ESTOPPED, "stopped; the same command continues");
    return cs_err_set(err, code == 2 ? CS_EINPUT : CS_ECANNOT,
                      "the measurement ended with exit status %d", code);
}

/* SIGINT reaches sh as well, which stops the running step and reports it; so the
 * parent ignores SIGINT and waits. */
static int spawn(pid_t *child, struct words *words)
{
    posix_spawnattr_t attributes;
    sigset_t own;
    int code;

    sigemptyset(&own);
    sigaddset(&own, SIGINT);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &own);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    signal(SIGINT, SIG_IGN);
    code = posix_spawnp(child, "sh", NULL, &attributes, (char *const *)words->argv, environ);
    posix_spawnattr_destroy(&attributes);
    return code;
}

static int measure_all_start(struct words *words, const char *out, struct cs_err *err)
{
    pid_t child;
    int status = 0;

    words->argv[words->count] = NULL;
    fflush(stdout);
    errno = spawn(&child, words);
    if (errno)
        return cs_err_set(err, CS_ECANNOT, "cannot start sh: %s", strerror(errno));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return answer_of(status, out, err);
}

/* Removes the tables and their directory. */
static void remove_tables(const char *dir)
{
    DIR *list = opendir(dir);
    struct dirent *entry;

    while (list && (entry = readdir(list)) != NULL)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(list), entry->d_name, 0);
    if (list)
        closedir(list);
    rmdir(dir);
}

static int run_script(const struct cs_measure_all *request, int script, const char *tables,
                      struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct words words = {.count = 0};

    measure_all_add(&words, "sh");
    measure_all_add(&words, cs_arena_printf(&arena, "/dev/fd/%d", script));
    if (request->with)
        add_text(&words, request->with, &arena);
    if (request->out) {
        measure_all_add(&words, "--predict");
        measure_all_add(&words, request->collsim);
        measure_all_add(&words, request->program);
        measure_all_add(&words, tables);
        measure_all_add(&words, request->out);
    }
    return measure_all_start(&words, request->out, err);
}

int cs_measure_all(const struct cs_measure_all *request, struct cs_err *err)
{
    char tables[] = "/tmp/collsim-tables-XXXXXX";
    int script = open_script(err);
    int code;

    if (script < 0)
        return script;
    if (!mkdtemp(tables)) {
        close(script);
        return cs_err_set(err, CS_ECANNOT, "cannot create a directory in /tmp: %s",
                          strerror(errno));
    }
    code = cs_gpu_tables_write(tables, err);
    if (!code)
        code = run_script(request, script, tables, err);
    remove_tables(tables);
    close(script);
    return code;
}
