/*
 * Feeds every file of a corpus to a fuzz target, in order of name, and speaks
 * TAP: what once crashed is tried again in every build.
 *
 *     fuzz_units_replay tests/fuzz/corpus/units
 *
 * A crash ends the program before its plan is fulfilled, which the runner
 * counts as a failure; the last "# reading" line names the file.
 */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    INPUT_MAX = 16 << 20
};

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The whole file in memory of exactly its size, so that a sanitizer sees a
 * read behind its end; NULL when it cannot be read. */
static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    long end;

    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) >= 0 && end <= INPUT_MAX &&
        fseek(file, 0, SEEK_SET) == 0) {
        *size = (size_t)end;
        data = malloc(*size ? *size : 1);
        if (data && fread(data, 1, *size, file) != *size) {
            free(data);
            data = NULL;
        }
    }
    fclose(file);
    return data;
}

static int replay(const char *directory, const char *name, int number)
{
    char path[4096];
    uint8_t *data;
    size_t size = 0;

    snprintf(path, sizeof(path), "%s/%s", directory, name);
    printf("# reading %s\n", path);
    fflush(stdout);
    data = read_file(path, &size);
    if (!data) {
        printf("not ok %d - %s cannot be read\n", number, path);
        return 1;
    }
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    printf("ok %d - %s\n", number, name);
    return 0;
}

int main(int argc, char **argv)
{
    struct dirent **entries;
    int count, failed = 0;

    if (argc != 2) {
        fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
        return 2;
    }
    count = scandir(argv[1], &entries, not_hidden, alphasort);
    if (count <= 0) {
        printf("1..1\nnot ok 1 - the corpus %s is missing or empty\n", argv[1]);
        return 1;
    }
    printf("1..%d\n", count);
    for (int i = 0; i < count; i++) {
        failed += replay(argv[1], entries[i]->d_name, i + 1);
        free(entries[i]);
    }
    free(entries);
    return failed > 0;
}
