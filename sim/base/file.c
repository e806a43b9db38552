#include "sim/base/file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int cs_file_refuse(const char *path, const char *verb, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT, "cannot %s '%s': %s", verb, path, strerror(errno));
}

int cs_file_check_size(const char *path, size_t length, size_t bytes_max, struct cs_err *err)
{
    if (length <= bytes_max)
        return 0;
    return cs_err_at(err, CS_EINPUT, path, 0, "the file is larger than %zu MiB", bytes_max >> 20);
}

static int check_file(FILE *file, const char *path, size_t bytes_max, struct cs_err *err)
{
    struct stat status;

    if (fstat(fileno(file), &status))
        return cs_file_refuse(path, "read", err);
    if (S_ISDIR(status.st_mode))
        return cs_err_set(err, CS_EINPUT, "'%s' is a directory; expected a file", path);
    if (S_ISREG(status.st_mode))
        return cs_file_check_size(path, (size_t)status.st_size, bytes_max, err);
    return 0;
}

/* The whole file, or one piece beyond the limit: a pipe does not report its
 * length. */
static int file_slurp(FILE *file, const char *path, size_t bytes_max, struct cs_text *text,
                      struct cs_err *err)
{
    char piece[1 << 14];
    size_t got;

    while (text->length <= bytes_max && (got = fread(piece, 1, sizeof(piece), file)) > 0)
        cs_text_add_n(text, piece, got);
    if (ferror(file))
        return cs_file_refuse(path, "read", err);
    return cs_file_check_size(path, text->length, bytes_max, err);
}

int cs_file_read(const char *path, size_t bytes_max, struct cs_text *text, struct cs_err *err)
{
    FILE *file = fopen(path, "rb");
    int code;

    if (!file)
        return cs_file_refuse(path, "open", err);
    code = check_file(file, path, bytes_max, err);
    if (!code)
        code = file_slurp(file, path, bytes_max, text, err);
    (void)fclose(file);
    return code;
}
