/*
 * Which tests reach which blocks of the product, for tests/mutate/mutate.sh.
 *
 *     reach pack MAP LIST          offsets of the bytes of MAP that are not 0, as uint32_t
 *     reach tests BLOCKS LIST...   BLOCKS has "offset place" a line, sorted by place;
 *                                  prints "place LIST" for each list that has an offset
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PIECE = 1 << 16,
    LINE_TEXT = 1024
};

static FILE *reach_file(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);

    if (!file) {
        perror(name);
        exit(3);
    }
    return file;
}

static int reach_pack(const char *map_name, const char *list_name)
{
    static unsigned char piece[PIECE];
    FILE *map = reach_file(map_name, "rb");
    FILE *list = reach_file(list_name, "wb");
    off_t base = 0;
    size_t got;

    /* What no process touched is a hole. */
    while ((base = lseek(fileno(map), base, SEEK_DATA)) >= 0) {
        got = (size_t)pread(fileno(map), piece, PIECE, base);
        for (uint32_t i = 0; i < got; i++) {
            uint32_t at = (uint32_t)base + i;

            if (piece[i])
                fwrite(&at, sizeof at, 1, list);
        }
        base += (off_t)got;
    }
    fclose(map);
    return fclose(list) ? 3 : 0;
}

static int reach_order(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

struct reach_offsets {
    uint32_t *offsets;
    size_t count;
};

static struct reach_offsets reach_read(const char *name)
{
    FILE *list = reach_file(name, "rb");
    struct reach_offsets read;

    fseek(list, 0, SEEK_END);
    read.count = (size_t)ftell(list) / sizeof *read.offsets;
    rewind(list);
    read.offsets = malloc((read.count + 1) * sizeof *read.offsets);
    if (!read.offsets ||
        fread(read.offsets, sizeof *read.offsets, read.count, list) != read.count) {
        perror(name);
        exit(3);
    }
    fclose(list);
    return read;
}

static void reach_places(const char *blocks_name, const char *list_name)
{
    struct reach_offsets reached = reach_read(list_name);
    FILE *blocks = reach_file(blocks_name, "r");
    char line[LINE_TEXT], last[LINE_TEXT] = "", *place;
    uint32_t offset;

    while (fgets(line, sizeof line, blocks)) {
        offset = (uint32_t)strtoul(line, &place, 16);
        place[strcspn(place, "\n")] = 0;
        if (strcmp(place, last) != 0 &&
            bsearch(&offset, reached.offsets, reached.count, sizeof offset, reach_order)) {
            printf("%s %s\n", place + 1, list_name);
            memcpy(last, place, strlen(place) + 1);
        }
    }
    free(reached.offsets);
    fclose(blocks);
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "pack"))
        return reach_pack(argv[2], argv[3]);
    if (argc < 3 || strcmp(argv[1], "tests") != 0) {
        fprintf(stderr, "usage: reach pack MAP LIST | reach tests BLOCKS LIST...\n");
        return 2;
    }
    for (int i = 3; i < argc; i++)
        reach_places(argv[2], argv[i]);
    return 0;
}
