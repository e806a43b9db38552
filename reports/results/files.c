#include "reports/results/files.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An existing directory is fine, also behind a link. */
static int files_make(const char *path, struct cs_err *err)
{
    struct stat info;

    if (mkdir(path, 0777) == 0)
        return 0;
    if (errno != EEXIST)
        return cs_err_set(err, errno == ENOSPC || errno == EDQUOT ? CS_ECANNOT : CS_EINPUT,
                          "cannot make directory '%s': %s", path, strerror(errno));
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return cs_err_set(err, CS_EINPUT, "'%s' is not a directory", path);
    return 0;
}

/* Like mkdir -p. */
int cs_files_mkdirs(const char *path, struct cs_err *err)
{
    struct cs_text part = {0};
    const char *slash = path;
    int rc = 0;

    if (path[0] == '\0')
        return cs_err_set(err, CS_EINPUT, "the directory has an empty name");
    while (!rc && (slash = strchr(slash + 1, '/'))) {
        cs_text_free(&part);
        cs_text_add_n(&part, path, (size_t)(slash - path));
        rc = files_make(cs_text_str(&part), err);
    }
    cs_text_free(&part);
    return rc ? rc : files_make(path, err);
}

/* A full or failing disk is an error of the system; other failures are
 * errors of the input. */
static int files_fail(const char *path, struct cs_err *err)
{
    bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO;

    return cs_err_set(err, full ? CS_ECANNOT : CS_EINPUT, "cannot write '%s': %s", path,
                      strerror(errno));
}

/* Signals that end the program. */
static void files_fatal_signals(sigset_t *set)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};

    sigemptyset(set);
    for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
        sigaddset(set, ending[i]);
}

/* Delays fatal signals until the draft is renamed or removed. */
static void files_hold_signals(sigset_t *before)
{
    sigset_t set;

    files_fatal_signals(&set);
    sigprocmask(SIG_BLOCK, &set, before);
}

/* A held signal ends the writing of a long content. */
static int files_check_signals(struct cs_err *err)
{
    sigset_t fatal;
    sigset_t pending;

    files_fatal_signals(&fatal);
    if (sigpending(&pending) != 0)
        return 0;
    sigandset(&pending, &pending, &fatal);
    return sigisemptyset(&pending) ? 0 : cs_err_set(err, CS_ESTOPPED, "stopped by a signal");
}

/* Messages name the file as the user did. */
static int files_write_all(const char *path, const char *name, const struct cs_files_source *source,
                           struct cs_err *err)
{
    FILE *file = fopen(path, "wb");
    CS_AT_END(cs_text_free) struct cs_text part = {0};
    int rc = 0;

    if (!file)
        return files_fail(name, err);
    do {
        part.length = 0;
        rc = source->part(source->ctx, &part, err);
        if (!rc && fwrite(cs_text_str(&part), 1, part.length, file) != part.length)
            rc = files_fail(name, err);
        if (!rc)
            rc = files_check_signals(err);
    } while (!rc && part.length > 0);
    if (fclose(file) != 0 && !rc)
        rc = files_fail(name, err);
    return rc;
}

/* Writes a draft beside the file `path` (`said` in messages) and renames the
 * draft, with the mode of the old file.  After a failure or a signal, the old or
 * the new file exists, and no draft. */
static int files_replace(const char *path, const char *said, const struct stat *old,
                         const struct cs_files_source *source, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text draft = {0};
    CS_AT_END(cs_text_free) struct cs_text dir = {0};
    const char *name = cs_files_split(path, &dir);
    sigset_t before;
    int rc;

    cs_text_printf(&draft, "%s/.%s.part", cs_text_str(&dir), name);
    files_hold_signals(&before);
    rc = files_write_all(cs_text_str(&draft), said, source, err);
    if (!rc && old && chmod(cs_text_str(&draft), old->st_mode & 07777) != 0)
        rc = files_fail(said, err);
    if (!rc && rename(cs_text_str(&draft), path) != 0)
        rc = files_fail(said, err);
    if (rc)
        (void)unlink(cs_text_str(&draft));
    sigprocmask(SIG_SETMASK, &before, NULL);
    return rc;
}

/* Follows a link; writes directly to devices and pipes, such as /dev/stdout. */
int cs_files_write_parts(const char *path, const struct cs_files_source *source, struct cs_err *err)
{
    struct stat info;
    char *real;
    int rc;

    if (stat(path, &info) != 0)
        return lstat(path, &info) == 0 ? files_write_all(path, path, source, err)
                                       : files_replace(path, path, NULL, source, err);
    if (!S_ISREG(info.st_mode))
        return files_write_all(path, path, source, err);
    real = realpath(path, NULL);
    if (!real || access(real, W_OK) != 0) {
        rc = files_fail(path, err);
        free(real);
        return rc;
    }
    rc = files_replace(real, path, &info, source, err);
    free(real);
    return rc;
}

/* A name in "." gets no prefix, as in the argument of the user. */
static void files_add_path(const char *dir, const char *name, struct cs_text *path)
{
    if (!cs_same(dir, "."))
        cs_text_printf(path, "%s%s", dir, cs_same(dir, "/") ? "" : "/");
    cs_text_add(path, name);
}

/* The whole text as the only part. */
static int files_whole(void *ctx, struct cs_text *part, struct cs_err *err)
{
    const struct cs_text **content = ctx;

    (void)err;
    if (*content)
        cs_text_add_n(part, cs_text_str(*content), (*content)->length);
    *content = NULL;
    return 0;
}

int cs_files_write_path(const char *path, const struct cs_text *content, struct cs_err *err)
{
    const struct cs_files_source source = {files_whole, &content};

    return cs_files_write_parts(path, &source, err);
}

int cs_files_write(const char *dir, const char *name, const struct cs_text *content,
                   struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text path = {0};

    files_add_path(dir, name, &path);
    return cs_files_write_path(cs_text_str(&path), content, err);
}

int cs_files_check_new(const char *path, bool force, struct cs_err *err)
{
    struct stat info;

    if (path && !strcmp(path, "-"))
        return cs_err_set(err, CS_EINPUT, "'-' is no name of an output; expected a file");
    if (!path || force || stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return 0;
    return cs_err_set(err, CS_EINPUT, "'%.200s' exists; --force replaces it, another name keeps it",
                      path);
}

void cs_files_remove(const char *dir, const char *name)
{
    CS_AT_END(cs_text_free) struct cs_text path = {0};

    cs_text_printf(&path, "%s/%s", dir, name);
    (void)unlink(cs_text_str(&path));
}

const char *cs_files_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

const char *cs_files_split(const char *path, struct cs_text *dir)
{
    const char *slash = strrchr(path, '/');

    if (!slash) {
        cs_text_add(dir, ".");
        return path;
    }
    cs_text_add_n(dir, path, slash == path ? 1 : (size_t)(slash - path));
    return slash + 1;
}
