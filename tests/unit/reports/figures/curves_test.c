#include "reports/figures/curves.h"
#include "tests/unit/reports/sample.h"

struct reported {
    uint64_t bytes;
    const char *parameters;
    uint64_t time_ps;
};

/* The names of the series, and how many points they have. */
static void assert_series(const struct cs_figure *figure, const char *expected)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    for (size_t i = 0; i < figure->count; i++)
        cs_text_printf(&text, "%s%s: %zu", i ? "; " : "", figure->series[i].name,
                       figure->series[i].count);
    assert_string_equal(cs_text_str(&text), expected);
}

/* Runs of a ring, the series of their one figure, and the last point of the last. */
static const struct {
    struct reported runs[4];
    const char *series, *shared; /* in the subtitle */
    double last_s;
} divided[] = {
    /* A faulty run is a series of its own. */
    {{{1024, "", 1000000},
      {2048, "", 2000000},
      {1024, "fault=a-b:down", 7000000},
      {2048, "fault=a-b:down", 8000000}},
     "ring: 2; ring, fault=a-b:down: 2",
     "",
     8e-6},
    /* What all share is not in the names. */
    {{{1024, "transport=tcp", 1000000}, {2048, "transport=tcp", 2000000}},
     "ring: 2",
     "; transport=tcp",
     2e-6},
    {{{1024, "transport=tcp", 1000000},
      {2048, "transport=tcp", 2000000},
      {1024, "fault=a-b:down transport=tcp", 7000000},
      {2048, "fault=a-b:down transport=tcp", 8000000}},
     "ring: 2; ring, fault=a-b:down: 2",
     "; transport=tcp",
     8e-6},
    /* A number that the algorithm chose may change along a series, and not at one size,
     * where the later run counts. */
    {{{1024, "~chunks=2 fault=a:down", 1000000}, {2048, "~chunks=31 fault=a:down", 2000000}},
     "ring: 2",
     "",
     2e-6},
    {{{1024, "~chunks=2", 1000000},
      {2048, "~chunks=4", 2000000},
      {2048, "~chunks=9", 3000000},
      {2048, "~chunks=9", 4000000}},
     "ring: 1; ring, chunks=4: 1; ring, chunks=9: 1",
     "",
     4e-6},
    /* One that the user chose is in the name. */
    {{{1024, "chunks=2", 1000000},
      {2048, "chunks=2", 2000000},
      {1024, "~chunks=4", 3000000},
      {2048, "~chunks=9", 4000000}},
     "ring, chunks=2: 2; ring: 2",
     "",
     4e-6},
};

/* The figures of the report with the name. */
static void draw_runs(const char *name, struct cs_records *runs, struct cs_figures *figures)
{
    const struct cs_report_data data = cs_machine_data(runs->items, runs->count, &runs->arena);
    const struct cs_report *report = cs_report_find(name, NULL);

    cs_report_add_figures(report, &data, figures);
    cs_records_free(runs);
}

TEST(parameters_divide_runs_into_series)
{
    for (int i = 0; i < COUNT(divided); i++) {
        struct cs_records runs = {0};
        CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
        const struct cs_series *last;

        for (int r = 0; r < 4 && divided[i].runs[r].bytes; r++) {
            struct cs_record run = sample_ring();

            run.bytes = divided[i].runs[r].bytes;
            sample_set_parameters(&run, divided[i].runs[r].parameters, &runs.arena);
            run.time_ps = divided[i].runs[r].time_ps;
            cs_records_add(&runs, &run);
        }
        draw_runs("time_size", &runs, &figures);
        assert_int_equal(figures.count, 1);
        assert_series(figures.items, divided[i].series);
        assert_non_null(strstr(figures.items->subtitle, divided[i].shared));
        assert_null(strstr(figures.items->subtitle, "fault=a-b"));
        last = &figures.items->series[figures.items->count - 1];
        assert_true(last->points[last->count - 1].y == divided[i].last_s);
    }
}

#define FIGURES_TEST(name) TEST_OF(struct cs_figures, figures, cs_figures_free, name)

static void add_run(struct cs_records *runs, const struct cs_record *like, uint64_t bytes)
{
    struct cs_record run = *like;

    run.bytes = bytes;
    cs_records_add(runs, &run);
}

FIGURES_TEST(a_server_s_bound_is_not_that_of_the_ranks)
{
    struct cs_record ring = sample_ring();
    struct cs_record ps = sample_ring();
    struct cs_record sharp = sample_ring();
    struct cs_records runs = {0};

    ps.algorithm = "ps";
    ps.agent_kind = "server";
    sharp.algorithm = "sharp";
    sharp.agent_kind = "switch";
    ps.agents = sharp.agents = 1;
    ps.lower_bound_s = 0.004;
    for (uint64_t bytes = 1024; bytes <= 2048; bytes *= 2) {
        add_run(&runs, &ring, bytes);
        add_run(&runs, &ps, bytes);
        add_run(&runs, &sharp, bytes);
    }
    draw_runs("time_size", &runs, figures);
    assert_int_equal(figures->items[0].series[0].points[0].helper, CS_HELPER_NONE);
    assert_true(figures->items[0].series[0].points[0].limit_y == 0.0075);
    assert_int_equal(figures->items[0].series[1].points[0].helper, CS_HELPER_SERVER);
    assert_true(figures->items[0].series[1].points[0].limit_y == 0.004);
    assert_int_equal(figures->items[0].series[2].points[0].helper, CS_HELPER_SWITCH);
}

FIGURES_TEST(a_hypothetical_run_is_marked_and_a_ring_is_a_reference)
{
    struct cs_record sharp = sample_ring();
    struct cs_record ring = sample_ring();
    struct cs_records runs = {0};

    sharp.algorithm = "sharp";
    sharp.hypothetical = "nvswitch is not known to reduce";
    for (uint64_t bytes = 1024; bytes <= 2048; bytes *= 2) {
        add_run(&runs, &sharp, bytes);
        add_run(&runs, &ring, bytes);
    }
    draw_runs("busbw_size", &runs, figures);
    assert_series(&figures->items[0], "sharp (hypothetical): 2; ring: 2");
    assert_true(figures->items[0].series[0].is_hypothetical);
    assert_false(figures->items[0].series[0].is_reference);
    assert_true(figures->items[0].series[1].is_reference);
}

FIGURES_TEST(fabrics_of_one_name_are_reported_apart_in_titles_and_files)
{
    static const char *const specs[] = {"fat-tree:ranks=8,radix=8",
                                        "fat-tree:ranks=8,radix=8,oversubscription=3",
                                        "fat-tree:ranks=8,radix=8,oversubscription=7"};
    static const char *const titles[] = {
        "all-reduce on fat-tree, radix=8, 8 ranks",
        "all-reduce on fat-tree, radix=8, oversubscription=3, 8 ranks",
        "all-reduce on fat-tree, radix=8, oversubscription=7, 8 ranks"};
    struct cs_records runs = {0};

    for (size_t i = 0; i < 3; i++) {
        struct cs_record run = sample_ring();

        run.topology = "fat-tree";
        run.topology_spec = specs[i];
        add_run(&runs, &run, 1024);
        add_run(&runs, &run, 2048);
    }
    draw_runs("time_size", &runs, figures);
    assert_int_equal(figures->count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(figures->items[i].title, titles[i]);
    assert_string_equal(figures->items[1].name, "time_size-fat-tree-radix-8-oversubscription-3-all-"
                                                "reduce-8-ranks-fifo");
}

/* A machine grows with its ranks; another fabric is another figure. */
FIGURES_TEST(over_ranks_a_fabric_of_any_size_is_one_series)
{
    static const char *const specs[] = {"fat-tree:ranks=8", "fat-tree:ranks=16",
                                        "fat-tree:ranks=8,oversubscription=3",
                                        "fat-tree:ranks=16,oversubscription=3"};
    struct cs_records runs = {0};

    for (size_t i = 0; i < 4; i++) {
        struct cs_record run = sample_ring();

        run.topology = "fat-tree";
        run.topology_spec = specs[i];
        run.ranks = i % 2 ? 16 : 8;
        cs_records_add(&runs, &run);
    }
    draw_runs("time_ranks", &runs, figures);
    assert_int_equal(figures->count, 2);
    assert_series(&figures->items[0], "ring: 2");
    assert_series(&figures->items[1], "ring: 2");
    assert_non_null(strstr(figures->items[1].title, "oversubscription=3"));
}

FIGURES_TEST(machines_of_as_many_ranks_have_legends_of_their_own)
{
    static const char *const specs[] = {"torus:dims=4x4", "torus:dims=2x8", "torus:dims=4x8"};
    struct cs_records runs = {0};

    for (size_t i = 0; i < 3; i++) {
        struct cs_record run = sample_ring();

        run.topology = "torus";
        run.topology_spec = specs[i];
        run.ranks = i < 2 ? 16 : 32;
        cs_records_add(&runs, &run);
    }
    draw_runs("time_ranks", &runs, figures);
    assert_int_equal(figures->count, 1);
    assert_series(&figures->items[0], "ring, dims=4x4: 1; ring, dims=2x8: 1; ring: 1");
}
