#include "reports/figures/curves.h"
#include "tests/test.h"
#include "tests/unit/reports/sample.h"

struct reported {
    uint64_t bytes;
    const char *parameters;
    uint64_t time_ps;
};

/* The one figure of these runs of a ring. */
static const struct cs_figure *draw(const struct reported *reported, size_t count,
                                    struct cs_figures *figures)
{
    CS_AT_END(cs_records_free) struct cs_records runs = {0};
    struct cs_report_data data;
    const struct cs_report *report = cs_report_find("time_size", NULL);

    for (size_t i = 0; i < count; i++) {
        struct cs_record run = sample_ring();

        run.bytes = reported[i].bytes;
        sample_set_parameters(&run, reported[i].parameters, &runs.arena);
        run.time_ps = reported[i].time_ps;
        cs_records_add(&runs, &run);
    }
    data = cs_machine_data(runs.items, runs.count, &runs.arena);
    cs_report_add_figures(report, &data, figures);
    assert_int_equal(figures->count, 1);
    return &figures->items[0];
}

static void is_series(const struct cs_figure *figure, size_t number, const char *name,
                      size_t points)
{
    assert_true(number < figure->count);
    assert_string_equal(figure->series[number].name, name);
    assert_int_equal(figure->series[number].count, points);
}

TEST(a_faulty_run_is_a_separate_series)
{
    const struct reported reported[] = {{1024, "", 1000000},
                                        {2048, "", 2000000},
                                        {1024, "fault=a-b:down", 7000000},
                                        {2048, "fault=a-b:down", 8000000}};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
    const struct cs_figure *figure = draw(reported, 4, &figures);

    assert_int_equal(figure->count, 2);
    is_series(figure, 0, "ring", 2);
    is_series(figure, 1, "ring, fault=a-b:down", 2);
    assert_true(figure->series[0].points[0].y == 1e-6);
    assert_true(figure->series[1].points[1].y == 8e-6);
}

TEST(a_parameter_of_all_runs_is_in_the_subtitle)
{
    const struct reported reported[] = {{1024, "transport=tcp", 1000000},
                                        {2048, "transport=tcp", 2000000}};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
    const struct cs_figure *figure = draw(reported, 2, &figures);

    assert_int_equal(figure->count, 1);
    is_series(figure, 0, "ring", 2);
    assert_non_null(strstr(figure->subtitle, "; transport=tcp"));
}

TEST(a_number_that_the_algorithm_chose_may_change_along_a_series)
{
    const struct reported reported[] = {{1024, "~chunks=2 fault=a:down", 1000000},
                                        {2048, "~chunks=31 fault=a:down", 2000000}};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
    const struct cs_figure *figure = draw(reported, 2, &figures);

    assert_int_equal(figure->count, 1);
    is_series(figure, 0, "ring", 2);
}

TEST(two_numbers_of_chunks_at_one_size_are_two_series)
{
    const struct reported reported[] = {{1024, "~chunks=2", 1000000},
                                        {2048, "~chunks=4", 2000000},
                                        {2048, "~chunks=9", 3000000},
                                        {2048, "~chunks=9", 4000000}};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
    const struct cs_figure *figure = draw(reported, 4, &figures);

    assert_int_equal(figure->count, 3);
    is_series(figure, 0, "ring", 1);
    is_series(figure, 1, "ring, chunks=4", 1);
    is_series(figure, 2, "ring, chunks=9", 1);
    assert_true(figure->series[2].points[0].y == 4e-6); /* the later one */
}

TEST(a_number_that_the_user_chose_is_in_the_name_of_the_series)
{
    const struct reported reported[] = {{1024, "chunks=2", 1000000},
                                        {2048, "chunks=2", 2000000},
                                        {1024, "~chunks=4", 3000000},
                                        {2048, "~chunks=9", 4000000}};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
    const struct cs_figure *figure = draw(reported, 4, &figures);

    assert_int_equal(figure->count, 2);
    is_series(figure, 0, "ring, chunks=2", 2);
    is_series(figure, 1, "ring", 2);
}

TEST(shared_parameters_are_not_in_names_of_series)
{
    const struct reported reported[] = {{1024, "transport=tcp", 1000000},
                                        {2048, "transport=tcp", 2000000},
                                        {1024, "fault=a-b:down transport=tcp", 7000000},
                                        {2048, "fault=a-b:down transport=tcp", 8000000}};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
    const struct cs_figure *figure = draw(reported, 4, &figures);

    assert_int_equal(figure->count, 2);
    is_series(figure, 0, "ring", 2);
    is_series(figure, 1, "ring, fault=a-b:down", 2);
    assert_non_null(strstr(figure->subtitle, "; transport=tcp"));
    assert_null(strstr(figure->subtitle, "fault"));
}

/* The figures of the report with the name. */
static void draw_runs(const char *name, struct cs_records *runs, struct cs_figures *figures)
{
    const struct cs_report_data data = cs_machine_data(runs->items, runs->count, &runs->arena);
    const struct cs_report *report = cs_report_find(name, NULL);

    cs_report_add_figures(report, &data, figures);
    cs_records_free(runs);
}

static void add_run(struct cs_records *runs, const struct cs_record *like, uint64_t bytes)
{
    struct cs_record run = *like;

    run.bytes = bytes;
    cs_records_add(runs, &run);
}

TEST(a_server_s_bound_is_not_that_of_the_ranks)
{
    struct cs_record ring = sample_ring();
    struct cs_record ps = sample_ring();
    struct cs_record sharp = sample_ring();
    struct cs_records runs = {0};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};

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
    draw_runs("time_size", &runs, &figures);
    assert_int_equal(figures.items[0].series[0].points[0].helper, CS_HELPER_NONE);
    assert_true(figures.items[0].series[0].points[0].limit_y == 0.0075);
    assert_int_equal(figures.items[0].series[1].points[0].helper, CS_HELPER_SERVER);
    assert_true(figures.items[0].series[1].points[0].limit_y == 0.004);
    assert_int_equal(figures.items[0].series[2].points[0].helper, CS_HELPER_SWITCH);
}

TEST(a_hypothetical_run_is_marked_and_a_ring_is_a_reference)
{
    struct cs_record sharp = sample_ring();
    struct cs_record ring = sample_ring();
    struct cs_records runs = {0};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};

    sharp.algorithm = "sharp";
    sharp.hypothetical = "nvswitch is not known to reduce";
    for (uint64_t bytes = 1024; bytes <= 2048; bytes *= 2) {
        add_run(&runs, &sharp, bytes);
        add_run(&runs, &ring, bytes);
    }
    draw_runs("busbw_size", &runs, &figures);
    is_series(&figures.items[0], 0, "sharp (hypothetical)", 2);
    assert_true(figures.items[0].series[0].is_hypothetical);
    assert_false(figures.items[0].series[0].is_reference);
    is_series(&figures.items[0], 1, "ring", 2);
    assert_true(figures.items[0].series[1].is_reference);
}

TEST(fabrics_of_one_name_are_reported_apart_in_titles_and_files)
{
    static const char *const specs[] = {"fat-tree:ranks=8,radix=8",
                                        "fat-tree:ranks=8,radix=8,oversubscription=3",
                                        "fat-tree:ranks=8,radix=8,oversubscription=7"};
    static const char *const titles[] = {
        "all-reduce on fat-tree, radix=8, 8 ranks",
        "all-reduce on fat-tree, radix=8, oversubscription=3, 8 ranks",
        "all-reduce on fat-tree, radix=8, oversubscription=7, 8 ranks"};
    struct cs_records runs = {0};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};

    for (size_t i = 0; i < 3; i++) {
        struct cs_record run = sample_ring();

        run.topology = "fat-tree";
        run.topology_spec = specs[i];
        add_run(&runs, &run, 1024);
        add_run(&runs, &run, 2048);
    }
    draw_runs("time_size", &runs, &figures);
    assert_int_equal(figures.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(figures.items[i].title, titles[i]);
    assert_string_equal(figures.items[1].name, "time_size-fat-tree-radix-8-oversubscription-3-all-"
                                               "reduce-8-ranks-fifo");
}

/* A machine grows with its ranks; another fabric is another figure. */
TEST(over_ranks_a_fabric_of_any_size_is_one_series)
{
    static const char *const specs[] = {"fat-tree:ranks=8", "fat-tree:ranks=16",
                                        "fat-tree:ranks=8,oversubscription=3",
                                        "fat-tree:ranks=16,oversubscription=3"};
    struct cs_records runs = {0};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};

    for (size_t i = 0; i < 4; i++) {
        struct cs_record run = sample_ring();

        run.topology = "fat-tree";
        run.topology_spec = specs[i];
        run.ranks = i % 2 ? 16 : 8;
        cs_records_add(&runs, &run);
    }
    draw_runs("time_ranks", &runs, &figures);
    assert_int_equal(figures.count, 2);
    is_series(&figures.items[0], 0, "ring", 2);
    is_series(&figures.items[1], 0, "ring", 2);
    assert_non_null(strstr(figures.items[1].title, "oversubscription=3"));
}

TEST(machines_of_as_many_ranks_have_legends_of_their_own)
{
    static const char *const specs[] = {"torus:dims=4x4", "torus:dims=2x8", "torus:dims=4x8"};
    struct cs_records runs = {0};
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};

    for (size_t i = 0; i < 3; i++) {
        struct cs_record run = sample_ring();

        run.topology = "torus";
        run.topology_spec = specs[i];
        run.ranks = i < 2 ? 16 : 32;
        cs_records_add(&runs, &run);
    }
    draw_runs("time_ranks", &runs, &figures);
    assert_int_equal(figures.count, 1);
    is_series(&figures.items[0], 0, "ring, dims=4x4", 1);
    is_series(&figures.items[0], 1, "ring, dims=2x8", 1);
    is_series(&figures.items[0], 2, "ring", 1);
}
