/* Gnuplot: complete and incomplete pictures. */
#include "reports/figures/plot/gnuplot.h"

#include "tests/unit/reports/sample.h"

#include <unistd.h>

static int drawn(const char *dir, const char *name, const char *content, struct cs_err *err)
{
    char path[100];
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(content, file);
    (void)fclose(file);
    return cs_gnuplot_drawn(dir, name, err);
}

TEST(a_picture_is_complete_by_its_last_bytes)
{
    char dir[64];

    assert_int_equal(sample_dir_make(dir), 0);
    assert_done(drawn(dir, "a.svg", "<svg width='9'><g/></svg>\n\n", &err));
    assert_done(drawn(dir, "a.png", "png png png IEND\xae\x42\x60\x82", &err));
    assert_done(drawn(dir, "a.gif", "GIF89a GIF89a GIF89a;", &err));
    assert_done(drawn(dir, "a.txt", "unknown kind", &err));
    sample_dir_remove(dir);
}

TEST(an_incomplete_picture_is_removed)
{
    char dir[64], path[100];

    assert_int_equal(sample_dir_make(dir), 0);
    assert_refused_with(drawn(dir, "a.svg", "<svg width='9'><g/> <g/> <g", &err), CS_ECANNOT,
                        "is the disk full?");
    (void)snprintf(path, sizeof path, "%s/a.svg", dir);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(cs_gnuplot_drawn(dir, "missing.png", NULL), CS_ECANNOT);
    sample_dir_remove(dir);
}

TEST(a_missing_gnuplot_is_not_an_error)
{
    char dir[64];
    char *before = getenv("PATH");
    char *path = strdup(before ? before : "");
    struct cs_err err = {0};

    assert_int_equal(sample_dir_make(dir), 0);
    assert_int_equal(setenv("PATH", dir, 1), 0);
    assert_int_equal(cs_gnuplot_run(dir, "x.gp", &err), CS_GNUPLOT_ABSENT);
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_string_equal(err.text, "");
    free(path);
    sample_dir_remove(dir);
}
