#include "reports/figures/figure.h"
#include "reports/figures/gnuplot.h"
#include "reports/figures/plot.h"
#include "reports/figures/plot_text.h"
#include "reports/figures/report.h"
#include "tests/unit/reports/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void assert_quoted(const char *text, const char *quoted)
{
    struct cs_text out = {0};

    cs_plot_quote(text, &out);
    assert_string_equal(cs_text_str(&out), quoted);
    cs_text_free(&out);
}

static void no_text_leaves_its_quotes(void **state)
{
    (void)state;
    assert_quoted("dgx a100", "'dgx a100'");
    assert_quoted("it's", "'it''s'");
    assert_quoted("`rm x`", "'''rm x'''");
    assert_quoted("a\nsystem('x')", "'a?system(''x'')'");
    assert_quoted("\\", "'\\'");
    assert_quoted("\xFF", "'?'");
    assert_quoted("", "''");
}

static void assert_safe(const char *text, const char *name)
{
    struct cs_text out = {0};

    cs_figure_safe_name(text, &out);
    assert_string_equal(cs_text_str(&out), name);
    cs_text_free(&out);
}

static void a_file_name_is_safe_whatever_the_machine_is_called(void **state)
{
    (void)state;
    assert_safe("DGX A100 (8 x 80 GB)", "dgx-a100-8-x-80-gb");
    assert_safe("../../etc/passwd", "etc-passwd");
    assert_safe("-rf", "rf");
    assert_safe("µ", "figure");
    assert_safe("", "figure");
    assert_safe("a'b`c$d", "a-b-c-d");
}

static void add_point(struct cs_figures *figures, double x, double y)
{
    cs_figures_point(figures,
                     &(struct cs_point){x, y, y, y / 2, CS_HELPER_NONE});
}

static void begin(struct cs_figures *figures, const char *name)
{
    cs_figures_begin(figures, &(struct cs_figure){
                                  .name = name,
                                  .title = "t",
                                  .x_axis = CS_AXIS_BYTES,
                                  .y_axis = CS_AXIS_SECONDS,
                                  .limit = CS_LIMIT_LOWER,
                                  .limit_name = "lower bound",
                              });
}

static void figures_of_one_name_get_files_of_their_own(void **state)
{
    struct cs_figures figures = {0};

    (void)state;
    begin(&figures, "a b");
    begin(&figures, "a/b");
    begin(&figures, "a-b");
    assert_string_equal(figures.items[0].name, "a-b");
    assert_string_equal(figures.items[1].name, "a-b-2");
    assert_string_equal(figures.items[2].name, "a-b-3");
    cs_figures_free(&figures);
}

static void points_are_in_order_and_the_later_one_wins(void **state)
{
    struct cs_figures figures = {0};
    const struct cs_series *series;

    (void)state;
    begin(&figures, "f");
    cs_figures_series(&figures, "ring");
    add_point(&figures, 4, 1);
    add_point(&figures, 1, 2);
    add_point(&figures, 2, 3);
    add_point(&figures, 4, 5);
    series = &figures.items[0].series[0];
    assert_int_equal(series->count, 3);
    assert_true(series->points[0].x == 1 && series->points[1].x == 2);
    assert_true(series->points[2].x == 4 && series->points[2].y == 5);
    cs_figures_free(&figures);
}

static void an_algorithm_looks_the_same_in_all_figures(void **state)
{
    struct cs_figures figures = {0};

    (void)state;
    begin(&figures, "f");
    cs_figures_series(&figures, "ring");
    cs_figures_series(&figures, "tree");
    begin(&figures, "g");
    cs_figures_series(&figures, "tree");
    cs_figures_series(&figures, "naive");
    cs_figures_settle(&figures);
    assert_int_equal(figures.items[1].series[0].style, 1);
    assert_int_equal(figures.items[1].series[1].style, 2);
    cs_figures_free(&figures);
}

/* A figure of `count` series "s0", "s1" ... that each are worse than the one
 * before, but for the last one, which is the best at one x. */
static void begin_many(struct cs_figures *figures, const char *name, int count,
                       enum cs_limit limit)
{
    char series[16];

    begin(figures, name);
    figures->items[figures->count - 1].limit = limit;
    for (int i = 0; i < count; i++) {
        double y = limit == CS_LIMIT_UPPER ? 1.0 / (1 + i) : 1 + i;

        (void)snprintf(series, sizeof series, "s%d", i);
        cs_figures_series(figures, series);
        add_point(figures, 1, i < count - 1 ? y : 1000);
        add_point(figures, 2, y);
        if (i == count - 1)
            add_point(figures, 4, 1);
    }
}

static void of_many_curves_the_best_and_the_nearest_are_named(void **state)
{
    static const enum cs_limit limits[] = {CS_LIMIT_LOWER, CS_LIMIT_UPPER};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct cs_figures figures = {0};

        begin_many(&figures, "f", 24, limits[k]);
        cs_figures_settle(&figures);
        for (size_t i = 0; i < 24; i++)
            assert_int_equal(figures.items[0].series[i].is_other,
                             i >= CS_FIGURE_NAMED - 1 && i < 23);
        cs_figures_free(&figures);
    }
}

static void no_name_is_taken_from_a_few_curves(void **state)
{
    struct cs_figures figures = {0};

    (void)state;
    begin_many(&figures, "f", CS_FIGURE_NAMED, CS_LIMIT_LOWER);
    cs_figures_settle(&figures);
    for (uint32_t i = 0; i < CS_FIGURE_NAMED; i++) {
        assert_false(figures.items[0].series[i].is_other);
        assert_int_equal(figures.items[0].series[i].style, i);
    }
    cs_figures_free(&figures);
}

/* Where two names that had the same looks meet, one gets others. */
static void no_two_named_curves_of_a_figure_look_identical(void **state)
{
    struct cs_figures figures = {0};
    unsigned seen = 0;

    (void)state;
    begin_many(&figures, "f", 6, CS_LIMIT_LOWER);
    begin(&figures, "g");
    for (int i = 0; i < 5; i++) {
        char series[16];

        (void)snprintf(series, sizeof series, "t%d", i);
        cs_figures_series(&figures, series);
    }
    begin(&figures, "h"); /* s0 and t2 have the same, from f and g */
    cs_figures_series(&figures, "t2");
    cs_figures_series(&figures, "s0");
    cs_figures_series(&figures, "t0");
    cs_figures_settle(&figures);
    assert_int_equal(figures.items[1].series[2].style,
                     figures.items[0].series[0].style);
    for (size_t i = 0; i < 3; i++)
        seen |= 1U << figures.items[2].series[i].style;
    assert_int_equal(__builtin_popcount(seen), 3);
    cs_figures_free(&figures);
}

static void of_distributions_those_of_lowest_median_are_named(void **state)
{
    struct cs_figures figures = {0};
    char series[16];

    (void)state;
    begin(&figures, "f");
    figures.items[0].limit = CS_LIMIT_NONE;
    figures.items[0].y_axis = CS_AXIS_SHARE;
    for (int i = 0; i < 10; i++) {
        (void)snprintf(series, sizeof series, "s%d", i);
        cs_figures_series(&figures, series);
        add_point(&figures, 1, 0.1);
        add_point(&figures, 20 - i, 0.6);
        add_point(&figures, 30 + i, 1);
    }
    cs_figures_settle(&figures);
    for (size_t i = 0; i < 10; i++)
        assert_int_equal(figures.items[0].series[i].is_other, i < 2);
    cs_figures_free(&figures);
}

static size_t count_text(const struct cs_text *out, const char *what)
{
    const char *at = cs_text_str(out);
    size_t count = 0;

    while ((at = strstr(at, what)) != NULL) {
        at += strlen(what);
        count++;
    }
    return count;
}

static void curves_without_a_name_are_grey_and_counted(void **state)
{
    struct cs_figures figures = {0};
    struct cs_text out = {0};

    (void)state;
    begin_many(&figures, "f", 24, CS_LIMIT_LOWER);
    cs_figures_settle(&figures);
    cs_figure_script(&figures.items[0], &out);
    assert_int_equal(count_text(&out, " with linespoints "), CS_FIGURE_NAMED);
    assert_int_equal(count_text(&out, "linecolor rgb '#bdbdbd' notitle"), 16);
    assert_int_equal(count_text(&out, " title '16 others'"), 1);
    assert_int_equal(count_text(&out, " title '"), CS_FIGURE_NAMED + 3);
    assert_null(strstr(cs_text_str(&out), "set key font"));
    cs_text_free(&out);
    cs_figures_free(&figures);
}

static void figures_are_settled_when_they_are_written(void **state)
{
    struct cs_figures figures = {0};
    struct cs_text log = {0};
    char dir[64];

    (void)state;
    assert_int_equal(sample_dir_make(dir), 0);
    begin_many(&figures, "f", 2, CS_LIMIT_LOWER);
    assert_true(cs_figures_write(&figures, dir, &log, NULL) >= 0);
    assert_int_equal(figures.items[0].series[1].style, 1);
    cs_text_free(&log);
    cs_figures_free(&figures);
    sample_dir_remove(dir);
}

static void a_long_name_goes_on_in_the_next_line_of_the_key(void **state)
{
    struct cs_figures figures = {0};
    struct cs_text out = {0};

    (void)state;
    begin(&figures, "f");
    cs_figures_series(&figures,
                      "ring, fault=gpu0-nvswitch:rate=50% transport=nccl-ll");
    add_point(&figures, 1, 1);
    cs_figure_script(&figures.items[0], &out);
    assert_non_null(strstr(cs_text_str(&out),
                           " title 'ring, fault=gpu0-nvswitch:rate=50%', "));
    assert_non_null(strstr(cs_text_str(&out), " title 'transport=nccl-ll', "));
    assert_null(strstr(cs_text_str(&out), "set key font"));
    cs_text_free(&out);
    cs_figures_free(&figures);
}

/* Eight names of 100 letters: in type of 19 each takes three lines. */
static void many_long_names_are_set_in_smaller_type(void **state)
{
    struct cs_figures figures = {0};
    struct cs_text out = {0};
    char name[101];

    (void)state;
    begin(&figures, "f");
    for (int i = 0; i < 8; i++) {
        memset(name, 'a' + i, sizeof name);
        name[100] = '\0';
        cs_figures_series(&figures, name);
        add_point(&figures, 1, 1);
    }
    cs_figures_settle(&figures);
    cs_figure_script(&figures.items[0], &out);
    assert_non_null(strstr(cs_text_str(&out), "set key font 'DejaVu Sans,13'"));
    assert_int_equal(count_text(&out, " title '"), 8 * 2 + 2);
    assert_null(strstr(cs_text_str(&out), " ...'"));
    cs_text_free(&out);
    cs_figures_free(&figures);
}

/* The run of one curve whose bound holds with that help. */
static void add_bound(struct cs_figures *figures, const char *series, double y,
                      double bound, enum cs_helper helper)
{
    cs_figures_series(figures, series);
    cs_figures_point(figures, &(struct cs_point){1, y, y, bound, helper});
}

static void the_bound_drawn_is_the_least_of_those_with_the_same_help(
    void **state)
{
    struct cs_figures figures = {0};
    struct cs_text out = {0};

    (void)state;
    begin(&figures, "f");
    add_bound(&figures, "ring", 9, 8, CS_HELPER_NONE);
    add_bound(&figures, "tree", 9, 7, CS_HELPER_NONE);
    cs_figure_data(&figures.items[0], &out);
    assert_non_null(
        strstr(cs_text_str(&out), "# 'lower bound'\n# x bound\n1 7\n"));
    cs_text_free(&out);
    cs_figures_free(&figures);
}

static void bounds_with_servers_and_switches_are_lines_with_names(void **state)
{
    struct cs_figures figures = {0};
    struct cs_text out = {0};

    (void)state;
    begin(&figures, "f");
    add_bound(&figures, "sharp", 5, 3, CS_HELPER_SWITCH);
    add_bound(&figures, "ring", 9, 8, CS_HELPER_NONE);
    add_bound(&figures, "ps", 7, 4, CS_HELPER_SERVER);
    cs_figure_data(&figures.items[0], &out);
    assert_non_null(strstr(cs_text_str(&out),
                           "# 'lower bound'\n# x bound\n1 8\n\n\n"
                           "# 'lower bound (server)'\n# x bound\n1 4\n\n\n"
                           "# 'lower bound (switch)'\n# x bound\n1 3\n"));
    cs_text_free(&out);
    cs_figure_script(&figures.items[0], &out);
    assert_int_equal(count_text(&out, " title 'lower bound'"), 1);
    assert_int_equal(count_text(&out, " title 'lower bound (server)'"), 1);
    assert_int_equal(count_text(&out, " title 'lower bound (switch)'"), 1);
    cs_text_free(&out);
    cs_figures_free(&figures);
}

static void references_are_named_however_slow_they_are(void **state)
{
    struct cs_figures figures = {0};

    (void)state;
    begin_many(&figures, "f", 24, CS_LIMIT_LOWER);
    cs_figures_series(&figures, "s20");
    cs_figures_reference(&figures);
    cs_figures_settle(&figures);
    assert_false(figures.items[0].series[20].is_other);
    assert_true(figures.items[0].series[CS_FIGURE_NAMED - 2].is_other);
    cs_figures_free(&figures);
}

/* s0 would be the best, were it one that the machine can run. */
static void what_the_machine_cannot_run_is_not_the_best(void **state)
{
    struct cs_figures figures = {0};
    struct cs_text out = {0};

    (void)state;
    begin_many(&figures, "f", 24, CS_LIMIT_LOWER);
    cs_figures_series(&figures, "s0");
    cs_figures_hypothetical(&figures);
    cs_figures_settle(&figures);
    assert_true(figures.items[0].series[0].is_other);
    assert_false(figures.items[0].series[1].is_other);
    cs_figure_script(&figures.items[0], &out);
    assert_int_equal(count_text(&out, " title '15 others'"), 1);
    assert_int_equal(count_text(&out, " title '1 hypothetical'"), 1);
    cs_text_free(&out);
    cs_figures_free(&figures);
    begin(&figures, "g");
    add_bound(&figures, "sharp (hypothetical)", 5, 3, CS_HELPER_SWITCH);
    cs_figures_hypothetical(&figures);
    cs_figure_script(&figures.items[0], &out);
    assert_non_null(strstr(cs_text_str(&out), " dashtype (12,8) pointtype "));
    cs_text_free(&out);
    cs_figures_free(&figures);
}

static void ticks_are_powers_with_units(void **state)
{
    struct cs_figures figures = {0};
    struct cs_text out = {0};

    (void)state;
    begin(&figures, "f");
    cs_figures_series(&figures, "ring");
    add_point(&figures, 1024, 20e-6);
    add_point(&figures, 1048576, 2e-3);
    cs_figure_script(&figures.items[0], &out);
    assert_non_null(strstr(cs_text_str(&out), "'1 KiB' 1024"));
    assert_non_null(strstr(cs_text_str(&out), "'1 MiB' 1048576"));
    assert_non_null(strstr(cs_text_str(&out), "'100 µs' 0.0001"));
    assert_non_null(strstr(cs_text_str(&out), "'1 ms' 0.001"));
    cs_text_free(&out);
    cs_figures_free(&figures);
}

/* A database with runs of two sizes on a machine of that name. */
static struct cs_store *fill_store(const char *dir, const char *machine)
{
    struct cs_record record = sample_ring();
    struct cs_store *store = NULL;
    char path[96];

    (void)snprintf(path, sizeof path, "%s/runs.db", dir);
    assert_int_equal(cs_store_open(path, CS_STORE_CREATE, &store, NULL), 0);
    record.topology = machine;
    assert_int_equal(cs_store_put(store, &record, NULL), 0);
    record.bytes *= 4;
    record.time_ps *= 4;
    assert_int_equal(cs_store_put(store, &record, NULL), 0);
    return store;
}

static long size_of(const char *dir, const char *name)
{
    struct stat info;
    char path[256];

    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    return stat(path, &info) == 0 ? (long)info.st_size : -1;
}

/* 200 runs of 1 to 200 us: fifty steps, and the whole range on the axis. */
static void a_spread_is_the_share_of_runs_below_each_time(void **state)
{
    struct cs_figures figures = {0};
    struct cs_text out = {0};
    struct cs_record run = sample_ring();
    struct cs_records runs = {0};
    struct cs_report_data data;
    const struct cs_series *series;
    struct cs_err err = {0};
    double times[200];

    (void)state;
    for (int i = 0; i < 200; i++)
        times[i] = (i + 1) * 1e-6;
    cs_records_add(&runs, &run); /* one without noise is left out */
    run.spread.runs = 200;
    run.spread.median = 100e-6;
    run.spread.times = times;
    cs_records_add(&runs, &run);
    data = (struct cs_report_data){runs.items, runs.count};
    assert_int_equal(
        cs_report_find("spread", &err)->write(&data, &figures, &err), 0);
    assert_int_equal(figures.count, 1);
    assert_int_equal(figures.items[0].count, 1);
    series = &figures.items[0].series[0];
    assert_string_equal(series->name, "ring");
    assert_int_equal(series->count, 51);
    assert_true(series->points[0].y == 1.0 / 200);
    assert_true(fabs(series->points[25].x - 100) < 1e-9);
    assert_true(series->points[25].y == 0.5);
    assert_true(series->points[50].y == 1);
    cs_figure_script(&figures.items[0], &out);
    assert_non_null(strstr(cs_text_str(&out), "set yrange [0:1]"));
    assert_non_null(strstr(cs_text_str(&out), "'time (us)'"));
    assert_null(strstr(cs_text_str(&out), "closed form"));
    cs_text_free(&out);
    cs_figures_free(&figures);
    cs_records_free(&runs);
}

static void a_machine_with_a_wicked_name_runs_no_command(void **state)
{
    struct cs_text log = {0};
    struct cs_err err = {0};
    struct cs_store *store;
    char dir[64];
    char out[96];
    int rc;

    (void)state;
    assert_int_equal(sample_dir_make(dir), 0);
    (void)snprintf(out, sizeof out, "%s/new/deep", dir);
    store = fill_store(dir, "x'; system('touch evil'); `touch evil`\n"
                            "system('touch evil')\n!touch evil\n#<b>");
    rc = cs_reports_write(store, &(struct cs_reports_ask){.outdir = out}, &log,
                          &err);
    cs_store_close(store);
    if (rc < 0)
        fail_msg("%s", err.text);
    assert_int_equal(size_of(out, "evil"), -1);
    assert_true(size_of(out, "index.html") > 1000);
    assert_non_null(strstr(cs_text_str(&log), "index.html\n"));
    cs_text_free(&log);
    sample_dir_remove(dir);
}

static void a_report_writes_pictures_or_says_that_it_cannot(void **state)
{
    static const char *const names[] = {"time_size"};
    struct cs_text log = {0};
    struct cs_store *store;
    char dir[64];
    int rc;

    (void)state;
    assert_int_equal(sample_dir_make(dir), 0);
    store = fill_store(dir, "m");
    rc = cs_reports_write(store, &(struct cs_reports_ask){dir, names, 1, NULL},
                          &log, NULL);
    cs_store_close(store);
    assert_true(size_of(dir, "time_size-m-all-reduce-8-ranks-fifo.gp") > 0);
    assert_true(size_of(dir, "time_size-m-all-reduce-8-ranks-fifo.dat") > 0);
    assert_int_equal(size_of(dir, "busbw_size-m-all-reduce-8-ranks-fifo.gp"),
                     -1);
    if (rc == CS_REPORTS_NO_GNUPLOT) {
        assert_non_null(strstr(cs_text_str(&log), "gnuplot is not installed"));
        print_message("without gnuplot: the pictures are not looked at\n");
    } else {
        assert_int_equal(rc, 0);
        assert_true(size_of(dir, "time_size-m-all-reduce-8-ranks-fifo.png") >
                    10000);
        assert_true(size_of(dir, "time_size-m-all-reduce-8-ranks-fifo.svg") >
                    5000);
    }
    cs_text_free(&log);
    sample_dir_remove(dir);
}

static void without_gnuplot_the_rest_is_written(void **state)
{
    struct cs_text log = {0};
    struct cs_store *store;
    const char *now = getenv("PATH");
    char *path = strdup(now ? now : "");
    char dir[64];

    (void)state;
    assert_non_null(path);
    assert_int_equal(sample_dir_make(dir), 0);
    store = fill_store(dir, "m");
    assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
    assert_int_equal(cs_reports_write(store,
                                      &(struct cs_reports_ask){.outdir = dir},
                                      &log, NULL),
                     CS_REPORTS_NO_GNUPLOT);
    assert_int_equal(setenv("PATH", path, 1), 0);
    cs_store_close(store);
    assert_non_null(strstr(cs_text_str(&log), "gnuplot is not installed"));
    assert_true(size_of(dir, "busbw_size-m-all-reduce-8-ranks-fifo.gp") > 0);
    assert_true(size_of(dir, "index.html") > 0);
    cs_text_free(&log);
    free(path);
    sample_dir_remove(dir);
}

static void what_gnuplot_complains_about_is_reported(void **state)
{
    struct cs_err err = {0};
    char dir[64];
    char path[96];
    FILE *file;
    int rc;

    (void)state;
    assert_int_equal(sample_dir_make(dir), 0);
    (void)snprintf(path, sizeof path, "%s/bad.gp", dir);
    file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs("plot nonsense(x)\n", file);
    (void)fclose(file);
    rc = cs_gnuplot_run(dir, "bad.gp", &err);
    sample_dir_remove(dir);
    if (rc == CS_GNUPLOT_ABSENT)
        skip();
    assert_int_equal(rc, CS_ECANNOT);
    assert_non_null(strstr(err.text, "gnuplot cannot draw 'bad.gp': "));
    assert_non_null(strstr(err.text, "nonsense"));
}

static void wrong_reports_and_places_are_named(void **state)
{
    static const char *const names[] = {"time_sise"};
    struct cs_text log = {0};
    struct cs_err err = {0};
    struct cs_store *store;
    char dir[64];
    char out[96];

    (void)state;
    assert_int_equal(sample_dir_make(dir), 0);
    store = fill_store(dir, "m");
    assert_int_equal(
        cs_reports_write(store, &(struct cs_reports_ask){dir, names, 1, NULL},
                         &log, &err),
        CS_EINPUT);
    assert_string_equal(
        err.text, "no report called 'time_sise'; did you mean 'time_size'?");
    err = (struct cs_err){0};
    (void)snprintf(out, sizeof out, "%s/runs.db/out", dir);
    assert_int_equal(cs_reports_write(store,
                                      &(struct cs_reports_ask){.outdir = out},
                                      &log, &err),
                     CS_EINPUT);
    assert_non_null(strstr(err.text, "runs.db' is not a directory"));
    cs_store_close(store);
    cs_text_free(&log);
    sample_dir_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_text_leaves_its_quotes),
        cmocka_unit_test(a_file_name_is_safe_whatever_the_machine_is_called),
        cmocka_unit_test(figures_of_one_name_get_files_of_their_own),
        cmocka_unit_test(points_are_in_order_and_the_later_one_wins),
        cmocka_unit_test(an_algorithm_looks_the_same_in_all_figures),
        cmocka_unit_test(of_many_curves_the_best_and_the_nearest_are_named),
        cmocka_unit_test(no_name_is_taken_from_a_few_curves),
        cmocka_unit_test(no_two_named_curves_of_a_figure_look_identical),
        cmocka_unit_test(of_distributions_those_of_lowest_median_are_named),
        cmocka_unit_test(curves_without_a_name_are_grey_and_counted),
        cmocka_unit_test(figures_are_settled_when_they_are_written),
        cmocka_unit_test(a_long_name_goes_on_in_the_next_line_of_the_key),
        cmocka_unit_test(many_long_names_are_set_in_smaller_type),
        cmocka_unit_test(
            the_bound_drawn_is_the_least_of_those_with_the_same_help),
        cmocka_unit_test(bounds_with_servers_and_switches_are_lines_with_names),
        cmocka_unit_test(references_are_named_however_slow_they_are),
        cmocka_unit_test(what_the_machine_cannot_run_is_not_the_best),
        cmocka_unit_test(ticks_are_powers_with_units),
        cmocka_unit_test(a_spread_is_the_share_of_runs_below_each_time),
        cmocka_unit_test(a_machine_with_a_wicked_name_runs_no_command),
        cmocka_unit_test(a_report_writes_pictures_or_says_that_it_cannot),
        cmocka_unit_test(without_gnuplot_the_rest_is_written),
        cmocka_unit_test(what_gnuplot_complains_about_is_reported),
        cmocka_unit_test(wrong_reports_and_places_are_named),
    };

    return cmocka_run_group_tests_name("plot", tests, NULL, NULL);
}
