/* Tables that are written for GPUs: those that the model expects. */
#include "validate/gpu/tables.h"

#include "sim/base/file.h"
#include "tests/unit/validate/synthetic.h"
#include "validate/cuda/op_table.h"

#include <dirent.h>
#include <unistd.h>

struct folder {
    struct cs_arena arena;
    char dir[32];
};

static void folder_make(struct folder *folder)
{
    *folder = (struct folder){.dir = "/tmp/tables-test-XXXXXX"};
    assert_non_null(mkdtemp(folder->dir));
    assert_done(cs_gpu_tables_write(folder->dir, &err));
}

static void folder_remove(struct folder *folder)
{
    DIR *list = opendir(folder->dir);
    struct dirent *entry;

    while ((entry = readdir(list)) != NULL)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(list), entry->d_name, 0);
    closedir(list);
    assert_int_equal(rmdir(folder->dir), 0);
    cs_arena_free(&folder->arena);
}

static bool read_table(struct folder *folder, const char *algorithm, uint32_t ranks,
                       struct cs_op_table *table)
{
    const char *path =
        cs_arena_printf(&folder->arena, "%s/%s-%u.table", folder->dir, algorithm, ranks);
    struct cs_op_table_text in = {.file = path};
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    bool there = !cs_file_read(path, CS_OP_TABLE_BYTES_MAX, &text, &(struct cs_err){0});

    in.text = cs_text_str(&text);
    in.length = text.length;
    assert_done(there && cs_op_table_read(in, &folder->arena, table, &err));
    return there;
}

TEST(the_model_expects_the_tables_that_are_written)
{
    static const char *const names[] = {"ring", "naive", "tree", "ps", "chain", "double-tree"};
    struct cs_gpu_shape_of_table shape;
    struct cs_op_table table = {0};
    CS_AT_END(folder_remove) struct folder folder;

    folder_make(&folder);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        struct cs_gpu_query query = {
            .algorithm = names[i], .ranks = 8, .bytes = 64, .element_bytes = 2};

        assert_true(read_table(&folder, names[i], 8, &table));
        assert_int_equal(cs_gpu_settle_table(&query, &folder.arena, &shape, NULL), 0);
        assert_string_equal(query.table, cs_arena_printf(&folder.arena, "%016" PRIx64, table.hash));
        assert_int_equal(shape.blocks, table.blocks);
        assert_int_equal(shape.agents, table.agents);
        assert_int_equal(shape.lanes, cs_op_table_parties(&table) * table.lanes);
    }
}

TEST(what_no_gpu_holds_is_left_out)
{
    struct cs_op_table table = {0};
    CS_AT_END(folder_remove) struct folder folder;

    folder_make(&folder);
    assert_true(read_table(&folder, "ring", 16, &table));
    assert_true(read_table(&folder, "recursive-doubling", 8, &table));
    assert_false(read_table(&folder, "recursive-doubling", 16, &table));
    assert_false(read_table(&folder, "sharp", 4, &table)); /* 1280 lanes */
}

TEST(a_folder_that_is_not_there_is_reported)
{
    assert_refused_with(cs_gpu_tables_write("/nonexistent", &err), CS_ECANNOT,
                        "cannot write '/nonexistent/");
}
