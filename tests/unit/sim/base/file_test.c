/*
 * Files as streams: plain and compressed ones hold the same text; what is damaged, cut,
 * too large or a directory is an error that names the file.
 */
#include "sim/base/file.h"
#include "sim/base/text.h"
#include "tests/test.h"

#include <unistd.h>

static const char text[] = "first line\nsecond line\n";

/* The text as gzip writes it, with a name in its head. */
static void compress_to(const char *path)
{
    char command[256];

    snprintf(command, sizeof(command), "printf 'first line\\nsecond line\\n' | gzip -c >%s", path);
    assert_int_equal(system(command), 0);
}

static void write_to(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static void reads(const char *path)
{
    CS_AT_END(cs_text_free) struct cs_text read = {0};

    assert_done(cs_file_read(path, 1 << 20, &read, &err));
    assert_string_equal(cs_text_str(&read), text);
}

static void refuses(const char *path, size_t bytes_max, const char *message)
{
    CS_AT_END(cs_text_free) struct cs_text read = {0};

    assert_refused(cs_file_read(path, bytes_max, &read, &err), CS_EINPUT, message);
}

TEST(compressed_files_are_read_as_their_text)
{
    write_to("file_test.txt", text, strlen(text));
    compress_to("file_test.gz");
    reads("file_test.txt");
    reads("file_test.gz");
    remove("file_test.txt");
    remove("file_test.gz");
}

TEST(the_limit_counts_the_text)
{
    if (system("head -c 3000000 /dev/zero | gzip -c >file_test.gz"))
        fail();
    refuses("file_test.gz", 2 << 20, "file_test.gz: the file is larger than 2 MiB");
    remove("file_test.gz");
}

TEST(damaged_and_cut_data_are_errors)
{
    char bytes[256];
    FILE *file;
    size_t length;

    compress_to("file_test.gz");
    file = fopen("file_test.gz", "rb");
    assert_non_null(file);
    length = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    write_to("file_test.gz", bytes, length - 12);
    refuses("file_test.gz", 1 << 20, "file_test.gz: damaged or cut gzip data");
    bytes[length - 6] ^= 1; /* of the check sum */
    write_to("file_test.gz", bytes, length);
    refuses("file_test.gz", 1 << 20, "file_test.gz: damaged or cut gzip data");
    remove("file_test.gz");
}

TEST(what_is_no_file_is_refused)
{
    refuses("file_test.none", 1, "cannot open 'file_test.none': No such file or directory");
    refuses(".", 1, "'.' is a directory; expected a file");
}

TEXT_TEST(a_text_that_the_program_carries_is_unpacked)
{
    unsigned char packed[256];
    uint64_t length;
    FILE *file;

    compress_to("file_test.gz");
    file = fopen("file_test.gz", "rb");
    assert_non_null(file);
    length = fread(packed + sizeof(length), 1, sizeof(packed) - sizeof(length), file);
    fclose(file);
    remove("file_test.gz");
    memcpy(packed, &length, sizeof(length));
    assert_done(cs_file_unpack(packed, "rows.csv", out, &err));
    assert_string_equal(cs_text_str(out), text);
    length -= 12;
    memcpy(packed, &length, sizeof(length));
    assert_refused(cs_file_unpack(packed, "rows.csv", out, &err), CS_EINPUT,
                   "rows.csv: damaged or cut gzip data");
}
