/* Files: directories and atomic replacement. */
#include "reports/results/files.h"

#include "tests/unit/reports/sample.h"

#include <sys/stat.h>
#include <unistd.h>

static void fill(const char *dir, const char *name, const char *content)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    cs_text_add(&text, content);
    assert_done(cs_files_write(dir, name, &text, &err));
}

static void contains(const char *dir, const char *name, const char *expected)
{
    char path[200];
    char content[100] = "";
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    file = fopen(path, "r");
    assert_non_null(file);
    (void)fread(content, 1, sizeof content - 1, file);
    (void)fclose(file);
    assert_string_equal(content, expected);
}

TEST(missing_directories_are_made)
{
    char dir[64], path[100];

    assert_int_equal(sample_dir_make(dir), 0);
    (void)snprintf(path, sizeof path, "%s/a/b/c", dir);
    assert_done(cs_files_mkdirs(path, &err));
    assert_done(cs_files_mkdirs(path, &err));
    fill(path, "f", "x");
    (void)snprintf(path, sizeof path, "%s/a/b/c/f/d", dir);
    assert_refused_with(cs_files_mkdirs(path, &err), CS_EINPUT, "f' is not a directory");
    assert_int_equal(cs_files_mkdirs("", NULL), CS_EINPUT);
    sample_dir_remove(dir);
}

TEST(a_replaced_file_keeps_its_mode)
{
    char dir[64], path[100];
    struct stat info;

    assert_int_equal(sample_dir_make(dir), 0);
    fill(dir, "f", "old");
    (void)snprintf(path, sizeof path, "%s/f", dir);
    assert_int_equal(chmod(path, 0600), 0);
    fill(dir, "f", "new");
    contains(dir, "f", "new");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    sample_dir_remove(dir);
}

TEST(the_target_of_a_link_is_replaced)
{
    char dir[64], link[100];
    struct stat info;

    assert_int_equal(sample_dir_make(dir), 0);
    fill(dir, "f", "old");
    (void)snprintf(link, sizeof link, "%s/link", dir);
    assert_int_equal(symlink("f", link), 0);
    fill(dir, "link", "new");
    contains(dir, "f", "new");
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    sample_dir_remove(dir);
}

TEST(a_write_leaves_no_draft)
{
    char dir[64], path[100];

    assert_int_equal(sample_dir_make(dir), 0);
    fill(dir, "f", "x");
    (void)snprintf(path, sizeof path, "%s/.f.part", dir);
    assert_int_not_equal(access(path, F_OK), 0);
    cs_files_remove(dir, "f");
    cs_files_remove(dir, "f");
    assert_int_equal(rmdir(dir), 0);
}

TEXT_TEST(a_missing_directory_is_an_error)
{
    assert_refused_with(cs_files_write("/nosuch", "f", out, &err), CS_EINPUT,
                        "cannot write '/nosuch/f'");
}

static void splits(const char *path, const char *dir, const char *name)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    assert_string_equal(cs_files_split(path, &text), name);
    assert_string_equal(cs_text_str(&text), dir);
}

TEST(a_path_is_split_at_the_last_slash)
{
    splits("plots/a/ring.gif", "plots/a", "ring.gif");
    splits("ring.gif", ".", "ring.gif");
    splits("/ring.gif", "/", "ring.gif");
}

TEST(an_existing_output_is_kept_unless_forced)
{
    char dir[64], path[100];

    assert_int_equal(sample_dir_make(dir), 0);
    (void)snprintf(path, sizeof path, "%s/t.json", dir);
    assert_done(cs_files_check_new(path, false, &err));
    fill(dir, "t.json", "x");
    assert_done(cs_files_check_new(path, true, &err));
    assert_done(cs_files_check_new("/dev/null", false, &err));
    assert_refused_with(cs_files_check_new(path, false, &err), CS_EINPUT,
                        "t.json' exists; --force");
    sample_dir_remove(dir);
}
