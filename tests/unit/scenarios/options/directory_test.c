/* Directories: wanted entries in the order of names. */
#include "scenarios/options/directory.h"

#include "tests/fixture.h"

#include <unistd.h>

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

ARENA_TEST(wanted_entries_come_in_the_order_of_names)
{
    static const char *const names[] = {"b", "a", ".c"};
    char path[] = "/tmp/collsim-directory-XXXXXX";
    struct cs_directory paths;
    char file[64];

    assert_non_null(mkdtemp(path));
    assert_int_equal(cs_directory_paths(path, is_visible, arena).count, 0);
    for (int i = 0; i < 3; i++) {
        FILE *out;

        snprintf(file, sizeof(file), "%s/%s", path, names[i]);
        assert_non_null(out = fopen(file, "w"));
        fclose(out);
    }
    paths = cs_directory_paths(path, is_visible, arena);
    assert_int_equal(paths.count, 2);
    assert_string_equal(strrchr(paths.items[0], '/'), "/a");
    assert_string_equal(strrchr(paths.items[1], '/'), "/b");
    assert_int_equal(cs_directory_paths(paths.items[0], is_visible, arena).count, 0);
    for (int i = 0; i < 3; i++) {
        snprintf(file, sizeof(file), "%s/%s", path, names[i]);
        unlink(file);
    }
    rmdir(path);
}
