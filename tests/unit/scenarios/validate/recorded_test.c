/* Recorded measurements: files and directories of --data. */
#include "scenarios/validate/recorded.h"

#include "tests/fixture.h"

#include <sys/stat.h>
#include <unistd.h>

static const char timer[] =
    "{\"collsim_cuda\": 1, \"kind\": \"timer\", \"gpu\": \"made up\", \"time_s\": 1e-9}\n";

struct folder {
    char dir[32];
    struct cs_arena arena;
    struct cs_recorded recorded;
    struct cs_err err;
};

static const char *put(struct folder *folder, const char *name, const char *text)
{
    const char *path = cs_arena_printf(&folder->arena, "%s/%s", folder->dir, name);
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void folder_make(struct folder *folder)
{
    snprintf(folder->dir, sizeof(folder->dir), "/tmp/recorded-XXXXXX");
    assert_non_null(mkdtemp(folder->dir));
}

static void folder_free(struct folder *folder)
{
    static const char *const names[] = {"a.jsonl", "b.jsonl", "gates.yaml", "notes.md"};

    for (size_t i = 0; i < 4; i++)
        unlink(cs_arena_printf(&folder->arena, "%s/%s", folder->dir, names[i]));
    rmdir(folder->dir);
    cs_recorded_free(&folder->recorded);
    cs_arena_free(&folder->arena);
}

TEST(a_directory_has_lines_and_gates_and_drops_duplicates)
{
    CS_AT_END(folder_free) struct folder folder = {0};
    const struct cs_validate_request request = {.paths = {folder.dir}, .path_count = 1};

    folder_make(&folder);
    put(&folder, "b.jsonl", timer);
    put(&folder, "a.jsonl", timer);
    put(&folder, "gates.yaml", "gates: []\n");
    put(&folder, "notes.md", "not a measurement\n");
    assert_int_equal(cs_recorded_read(&folder.recorded, &request, &folder.err), 0);
    assert_int_equal(folder.recorded.all.count, 1);
    assert_int_equal(folder.recorded.copies, 1);
    assert_int_equal(folder.recorded.gate_count, 1);
    assert_non_null(strstr(folder.recorded.all.items[0].file, "a.jsonl"));
}

TEST(an_empty_directory_is_an_error)
{
    CS_AT_END(folder_free) struct folder folder = {0};
    const struct cs_validate_request request = {.paths = {folder.dir}, .path_count = 1};

    folder_make(&folder);
    assert_refused_with(cs_recorded_read(&folder.recorded, &request, &err), CS_ECANNOT,
                        "no measurements in");
}

TEST(a_missing_file_is_an_error)
{
    struct folder folder = {0};
    const struct cs_validate_request request = {.paths = {"/nonexistent/a.jsonl"}, .path_count = 1};

    assert_int_equal(cs_recorded_read(&folder.recorded, &request, &folder.err), CS_EINPUT);
    cs_recorded_free(&folder.recorded);
}
