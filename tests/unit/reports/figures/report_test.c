#include "reports/figures/plot/gnuplot.h"
#include "reports/figures/plot/plot.h"
#include "reports/figures/report.h"
#include "tests/unit/reports/figures_sample.h"
#include "tests/unit/reports/sample.h"

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
TEST(a_spread_is_the_fraction_of_runs_finished_within_each_time)
{
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
    CS_AT_END(cs_text_free) struct cs_text out = {0};
    struct cs_record run = sample_ring();
    CS_AT_END(cs_records_free) struct cs_records runs = {0};
    struct cs_report_data data;
    const struct cs_series *series;
    const struct cs_report *report = cs_report_find("spread", NULL);
    double times[200];

    for (int i = 0; i < 200; i++)
        times[i] = (i + 1) * 1e-6;
    cs_records_add(&runs, &run); /* one without noise is left out */
    run.spread.runs = 200;
    run.spread.median = 100e-6;
    run.spread.times = times;
    cs_records_add(&runs, &run);
    data = cs_machine_data(runs.items, runs.count, &runs.arena);
    cs_report_add_figures(report, &data, &figures);
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
}

TEST(a_malicious_machine_name_runs_no_command)
{
    CS_AT_END(cs_text_free) struct cs_text log = {0};
    struct cs_err err = {0};
    struct cs_store *store;
    char dir[64], out[96];
    int rc;

    assert_int_equal(sample_dir_make(dir), 0);
    (void)snprintf(out, sizeof out, "%s/new/deep", dir);
    store = fill_store(dir, "x'; system('touch evil'); `touch evil`\n"
                            "system('touch evil')\n!touch evil\n#<b>");
    rc = cs_reports_write(store, &(struct cs_reports_ask){.outdir = out}, &log, &err);
    cs_store_close(store);
    if (rc < 0)
        fail_msg("%s", err.text);
    assert_int_equal(size_of(out, "evil"), -1);
    assert_true(size_of(out, "index.html") > 1000);
    assert_non_null(strstr(cs_text_str(&log), "index.html\n"));
    sample_dir_remove(dir);
}

TEXT_TEST(a_report_writes_pictures_or_reports_that_gnuplot_is_absent)
{
    static const char *const names[] = {"time_size"};
    struct cs_store *store;
    char dir[64];
    int rc;

    assert_int_equal(sample_dir_make(dir), 0);
    store = fill_store(dir, "m");
    rc = cs_reports_write(
        store, &(struct cs_reports_ask){.outdir = dir, .names = names, .name_count = 1}, out, NULL);
    cs_store_close(store);
    assert_true(size_of(dir, "time_size-m-all-reduce-8-ranks-fifo.gp") > 0);
    assert_true(size_of(dir, "time_size-m-all-reduce-8-ranks-fifo.dat") > 0);
    assert_int_equal(size_of(dir, "busbw_size-m-all-reduce-8-ranks-fifo.gp"), -1);
    if (rc == CS_REPORTS_NO_GNUPLOT) {
        assert_non_null(strstr(cs_text_str(out), "gnuplot is not installed"));
        print_message("without gnuplot: the pictures are not looked at\n");
    } else {
        assert_int_equal(rc, 0);
        assert_true(size_of(dir, "time_size-m-all-reduce-8-ranks-fifo.png") > 10000);
        assert_true(size_of(dir, "time_size-m-all-reduce-8-ranks-fifo.svg") > 5000);
    }
    sample_dir_remove(dir);
}

TEXT_TEST(without_gnuplot_the_rest_is_written)
{
    struct cs_store *store;
    const char *now = getenv("PATH");
    char *path = strdup(now ? now : "");
    char dir[64];

    assert_non_null(path);
    assert_int_equal(sample_dir_make(dir), 0);
    store = fill_store(dir, "m");
    assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
    assert_int_equal(cs_reports_write(store, &(struct cs_reports_ask){.outdir = dir}, out, NULL),
                     CS_REPORTS_NO_GNUPLOT);
    assert_int_equal(setenv("PATH", path, 1), 0);
    cs_store_close(store);
    assert_non_null(strstr(cs_text_str(out), "gnuplot is not installed"));
    assert_true(size_of(dir, "busbw_size-m-all-reduce-8-ranks-fifo.gp") > 0);
    assert_true(size_of(dir, "index.html") > 0);
    free(path);
    sample_dir_remove(dir);
}

TEST(an_error_of_gnuplot_is_reported)
{
    struct cs_err err = {0};
    char dir[64], path[96];
    FILE *file;
    int rc;

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

TEST(wrong_reports_and_places_are_named)
{
    static const char *const names[] = {"time_sise"};
    CS_AT_END(cs_text_free) struct cs_text log = {0};
    struct cs_store *store;
    char dir[64], out[96];

    assert_int_equal(sample_dir_make(dir), 0);
    store = fill_store(dir, "m");
    assert_refused(
        cs_reports_write(store,
                         &(struct cs_reports_ask){.outdir = dir, .names = names, .name_count = 1},
                         &log, &err),
        CS_EINPUT, "no report called 'time_sise'; did you mean 'time_size'?");
    (void)snprintf(out, sizeof out, "%s/runs.db/out", dir);
    assert_refused_with(
        cs_reports_write(store, &(struct cs_reports_ask){.outdir = out}, &log, &err), CS_EINPUT,
        "runs.db' is not a directory");
    cs_store_close(store);
    sample_dir_remove(dir);
}
