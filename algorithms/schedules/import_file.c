#include "algorithms/schedules/import_file.h"

#include "sim/base/file.h"
#include "sim/engine/progress.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    BUFFER_BYTES = 1 << 17
};

int cs_import_file_open(struct cs_import_file *file, const char *path, struct cs_err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status = {0};
    gzFile gz;

    *file = (struct cs_import_file){.path = path};
    if (fd < 0)
        return cs_file_refuse(path, "open", err);
    if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
        (void)close(fd);
        return cs_err_set(err, CS_EINPUT, "'%s' is a directory; expected a file", path);
    }
    gz = gzdopen(fd, "rb");
    if (!gz) {
        (void)close(fd);
        return cs_file_refuse(path, "read", err);
    }
    (void)gzbuffer(gz, BUFFER_BYTES);
    file->gz = gz;
    file->length = status.st_size > 0 ? (uint64_t)status.st_size : 0;
    return 0;
}

void cs_import_file_close(struct cs_import_file *file)
{
    if (file->gz)
        (void)gzclose((gzFile)file->gz);
    file->gz = NULL;
}

int cs_import_file_fill(void *ctx, char *to, size_t room, size_t *got, struct cs_err *err)
{
    struct cs_import_file *file = ctx;
    int bytes = gzread((gzFile)file->gz, to, (unsigned)room);
    int why = Z_OK;

    (void)cs_monitor_count(file->monitor, (uint64_t)gzoffset((gzFile)file->gz), file->length);
    *got = bytes > 0 ? (size_t)bytes : 0;
    if (bytes <= 0)
        (void)gzerror((gzFile)file->gz, &why);
    if (why == Z_ERRNO)
        return cs_file_refuse(file->path, "read", err);
    if (why != Z_OK)
        return cs_err_at(err, CS_EINPUT, file->path, 0, "damaged or cut gzip data");
    return 0;
}
