#include "sim/base/mem.h"

#include "tests/test.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

ARENA_TEST(pieces_are_zeroed_aligned_and_apart)
{
    unsigned char *last = NULL;

    for (size_t size = 1; size < 3000; size += 7) {
        unsigned char *piece = cs_arena_alloc(arena, 1, size);

        assert_int_equal((uintptr_t)piece % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(piece[i], 0);
        memset(piece, 0xff, size);
        if (last)
            assert_ptr_not_equal(piece, last);
        last = piece;
    }
}

ARENA_TEST(a_big_piece_does_not_waste_the_chunk_of_small_ones)
{
    char *before, *big, *after;

    before = cs_arena_alloc(arena, 1, 16);
    big = cs_arena_alloc(arena, 1 << 20, 3);
    after = cs_arena_alloc(arena, 1, 16);
    memset(big, 1, (size_t)3 << 20);
    assert_ptr_equal(after, before + 16);
}

ARENA_TEST(a_big_piece_may_be_the_first)
{
    char *big, *small;

    big = cs_arena_alloc(arena, 1, 1 << 20);
    small = cs_arena_alloc(arena, 1, 8);
    big[(1 << 20) - 1] = 1;
    small[7] = 1;
}

ARENA_TEST(nothing_is_a_valid_piece)
{
    void *first, *second;

    first = cs_arena_alloc(arena, 0, 8);
    second = cs_arena_alloc(arena, 8, 0);
    assert_non_null(first);
    assert_ptr_not_equal(first, second);
}

TEST(a_freed_arena_is_empty_and_usable)
{
    struct cs_arena arena = {0};

    cs_arena_free(&arena);
    cs_arena_alloc(&arena, 100, 1000);
    cs_arena_free(&arena);
    assert_null(arena.head);
    assert_string_equal(cs_arena_text(&arena, "again"), "again");
    cs_arena_free(&arena);
}

ARENA_TEST(joined_pieces_live_as_long_as_the_arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena other = {0};
    char *text = cs_arena_text(&other, "small");
    unsigned char *large = cs_arena_alloc(&other, 1 << 20, 1);

    cs_arena_join(arena, &other);
    assert_null(other.head);
    cs_arena_text(&other, "further");
    cs_arena_join(arena, &other);
    assert_string_equal(text, "small");
    large[(1 << 20) - 1] = 1;
}

ARENA_TEST(texts_are_copied_and_end_in_nul)
{
    char word[] = "ring and tree";
    char *all, *part, *none;

    all = cs_arena_text(arena, word);
    part = cs_arena_text_n(arena, word, 4);
    none = cs_arena_text_n(arena, NULL, 0);
    memset(word, 'x', sizeof(word) - 1);
    assert_string_equal(all, "ring and tree");
    assert_string_equal(part, "ring");
    assert_string_equal(none, "");
}

ARENA_TEST(printf_into_an_arena_takes_any_length)
{
    char *text;

    assert_string_equal(cs_arena_printf(arena, "n%d.gpu%d", 1, 3), "n1.gpu3");
    text = cs_arena_printf(arena, "%0100000d", 7);
    assert_int_equal(strlen(text), 100000);
    assert_int_equal(text[99999], '7');
}

ARENA_TEST(large_arrays_begin_at_cache_lines)
{
    unsigned char *lines = NULL;
    size_t count = 0;

    for (size_t i = 0; i < 5; i++)
        assert_int_equal((uintptr_t)cs_arena_alloc(arena, 20000 + i, 1) % 64, 0);
    for (; count < 5000; count = 2 * count + 1) {
        lines = cs_grow_lines(lines, count, 2 * count + 1, 64);
        assert_int_equal((uintptr_t)lines % 64, 0);
        for (size_t i = 0; i < 64 * count; i++)
            assert_int_equal(lines[i], i % 251);
        for (size_t i = 64 * count; i < 64 * (2 * count + 1); i++)
            lines[i] = (unsigned char)(i % 251);
    }
    free(lines);
}

TEST(growing_keeps_what_was_there)
{
    uint32_t *items = NULL;

    for (uint32_t i = 0; i < 1000; i++) {
        items = cs_grow(items, i + 1, sizeof(*items));
        items[i] = i;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(items[i], i);
    items = cs_grow(items, 0, sizeof(*items));
    assert_non_null(items);
    free(items);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define MOVES_ARRAYS 1
#else
#    define MOVES_ARRAYS 0
#endif

/* KiB of the most that is resident while an array of `mib` MiB grows by a line. */
static long peak_of_growing(size_t mib)
{
    size_t count = mib << 14;
    unsigned char *lines = cs_grow_lines(NULL, 0, count, 64);
    struct rusage use;

    for (size_t i = 0; i < 64 * count; i++)
        lines[i] = (unsigned char)(i % 251);
    lines = cs_grow_lines(lines, count, count + 1, 64);
    for (size_t i = 0; i < 64 * count; i++)
        assert_int_equal(lines[i], i % 251);
    free(lines);
    (void)getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss;
}

TEST(a_large_array_that_grows_is_not_held_twice)
{
    struct rusage before;

    if (MOVES_ARRAYS) {
        print_message("# skip: a sanitizer copies what grows\n");
        skip();
    }
    (void)getrusage(RUSAGE_SELF, &before);
    assert_true(peak_of_growing(64) - before.ru_maxrss < 64L * 1024 * 5 / 4);
}

/* The flags of the pages around the address, as Linux names them; "" where it names none. */
static const char *flags_at(const void *memory, char *line, size_t room)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    unsigned long first = 0, end = 0;
    bool is_found = false;

    while (maps && !is_found && fgets(line, (int)room, maps)) {
        char *behind;
        unsigned long number = strtoul(line, &behind, 16);

        if (behind > line && *behind == '-') {
            first = number;
            end = strtoul(behind + 1, NULL, 16);
        }
        is_found = first <= (uintptr_t)memory && (uintptr_t)memory < end &&
                   strncmp(line, "VmFlags:", 8) == 0;
    }
    if (maps)
        (void)fclose(maps);
    return is_found ? line : "";
}

ARENA_TEST(large_memory_asks_for_large_pages)
{
    char line[512];
    char *piece = cs_arena_alloc(arena, 16, 1 << 20);
    char *grown = cs_grow(NULL, 16, 1 << 20);
    const char *flags = flags_at(piece + (8 << 20), line, sizeof(line));

    if (!*flags || access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0) {
        free(grown);
        print_message("# skip: no large pages here, or nothing says which are asked for\n");
        skip();
    }
    assert_non_null(strstr(flags, " hg"));
    assert_non_null(strstr(flags_at(grown + (8 << 20), line, sizeof(line)), " hg"));
    free(grown);
}

/* The exit status of a child that asks for count x size bytes. */
static int status_of_asking_for(size_t count, size_t size)
{
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        int quiet = open("/dev/null", O_WRONLY);

        dup2(quiet, STDERR_FILENO);
        free(cs_grow(NULL, count, size));
        _exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(a_product_that_overflows_ends_the_program_with_3)
{
    assert_int_equal(status_of_asking_for(SIZE_MAX / 2, 4), 3);
    assert_int_equal(status_of_asking_for(1, SIZE_MAX), 3);
    assert_int_equal(status_of_asking_for(10, 10), 0);
}
