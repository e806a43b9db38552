#include "sim/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    BUFFER_BYTES = 1 << 17,
    GZIP_ALONE = 16,   /* for inflateInit2 */
    DAMAGED = EBADMSG, /* errno of a stream whose compressed data is damaged */
};

int cs_file_refuse(const char *path, const char *verb, struct cs_err *err)
{
    if (errno == DAMAGED)
        return cs_err_at(err, CS_EINPUT, path, 0, "damaged or cut gzip data");
    return cs_err_set(err, CS_EINPUT, "cannot %s '%s': %s", verb, path, strerror(errno));
}

static ssize_t inflate_read(void *cookie, char *to, size_t room)
{
    gzFile gz = (gzFile)cookie;
    int bytes = gzread(gz, to, room > BUFFER_BYTES ? BUFFER_BYTES : (unsigned)room);
    int why = Z_OK;

    if (bytes <= 0)
        (void)gzerror(gz, &why);
    if (why == Z_OK)
        return bytes;
    if (why != Z_ERRNO)
        errno = DAMAGED;
    return -1;
}

static int inflate_close(void *cookie)
{
    return gzclose((gzFile)cookie) == Z_OK ? 0 : -1;
}

/* zlib passes on what is not compressed, which a pipe needs: its first bytes cannot
 * be read twice. */
static FILE *inflated(int fd)
{
    gzFile gz = gzdopen(fd, "rb");
    FILE *stream;

    if (!gz)
        return NULL;
    (void)gzbuffer(gz, BUFFER_BYTES);
    stream =
        fopencookie(gz, "rb", (cookie_io_functions_t){inflate_read, NULL, NULL, inflate_close});
    if (!stream)
        (void)gzclose(gz);
    return stream;
}

static bool is_plain(int fd, const struct stat *status)
{
    unsigned char magic[2];

    return S_ISREG(status->st_mode) && (pread(fd, magic, sizeof(magic), 0) != sizeof(magic) ||
                                        magic[0] != 0x1f || magic[1] != 0x8b);
}

/* The standard input has a name where /dev is: an empty root has none. */
static int opened(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    return fd < 0 && strcmp(path, "/dev/stdin") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : fd;
}

int cs_file_open(const char *path, struct cs_file *file, struct cs_err *err)
{
    int fd = opened(path);
    struct stat status = {0};

    *file = (struct cs_file){.fd = fd};
    if (fd < 0)
        return cs_file_refuse(path, "open", err);
    if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
        (void)close(fd);
        return cs_err_set(err, CS_EINPUT, "'%s' is a directory; expected a file", path);
    }
    if (S_ISREG(status.st_mode))
        file->length = (uint64_t)status.st_size;
    file->stream = is_plain(fd, &status) ? fdopen(fd, "rb") : inflated(fd);
    if (file->stream)
        return 0;
    (void)close(fd);
    return cs_file_refuse(path, "read", err);
}

/* The whole file, or one piece beyond the limit: neither a pipe nor compressed data
 * states the length of the text. */
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
    struct cs_file file;
    int code = cs_file_open(path, &file, err);

    if (code)
        return code;
    code = cs_file_check_size(path, (size_t)file.length, bytes_max, err);
    if (!code)
        code = file_slurp(file.stream, path, bytes_max, text, err);
    (void)fclose(file.stream);
    return code;
}

int cs_file_unpack(const unsigned char *packed, const char *path, struct cs_text *text,
                   struct cs_err *err)
{
    unsigned char piece[1 << 14];
    z_stream from = {.next_in = (unsigned char *)packed + sizeof(uint64_t)};
    uint64_t length;
    int state;

    memcpy(&length, packed, sizeof(length));
    from.avail_in = (unsigned)length;
    state = inflateInit2(&from, MAX_WBITS + GZIP_ALONE);
    while (state == Z_OK) {
        from.next_out = piece;
        from.avail_out = sizeof(piece);
        state = inflate(&from, Z_NO_FLUSH);
        cs_text_add_n(text, (const char *)piece, sizeof(piece) - from.avail_out);
    }
    (void)inflateEnd(&from);
    errno = DAMAGED;
    return state == Z_STREAM_END ? 0 : cs_file_refuse(path, "read", err);
}
