/* The runs of a figure, in the order of the database. */
#include "reports/figures/report.h"

#include "tests/test.h"

/* A report of what groups there were: ranks and sizes. */
struct seen {
    struct cs_report report;
    uint64_t numbers[8];
    size_t count;
};

static bool has_a_size(const struct cs_record *run)
{
    return run->bytes > 0;
}

static int by_ranks(const struct cs_report *report, const struct cs_record *a,
                    const struct cs_record *b)
{
    (void)report;
    return (a->ranks > b->ranks) - (a->ranks < b->ranks);
}

static void note(const struct cs_report *report, const struct cs_report_data *data,
                 const struct cs_record *const *runs, size_t count, struct cs_figures *figures)
{
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the report is the first member of its test */
    struct seen *seen = (struct seen *)(uintptr_t)(const void *)report;

    (void)data;
    (void)figures;
    seen->numbers[seen->count++] = runs[0]->ranks;
    for (size_t i = 0; i < count; i++)
        seen->numbers[seen->count++] = runs[i]->bytes;
}

TEST(groups_are_sorted_and_their_runs_are_not)
{
    static const struct cs_record runs[] = {{.ranks = 8, .bytes = 4},
                                            {.ranks = 2, .bytes = 9},
                                            {.ranks = 8, .bytes = 0},
                                            {.ranks = 8, .bytes = 1},
                                            {.ranks = 2, .bytes = 5}};
    static const uint64_t expected[] = {2, 9, 5, 8, 4, 1};
    const struct cs_report_data data = {runs, 5, NULL};
    struct seen seen = {.report = {.keeps = has_a_size, .order = by_ranks, .add = note}};

    cs_report_add_figures(&seen.report, &data, NULL);
    assert_int_equal(seen.count, 6);
    assert_memory_equal(seen.numbers, expected, sizeof expected);
}

TEST(no_runs_make_no_groups)
{
    struct seen seen = {.report = {.order = by_ranks, .add = note}};

    cs_report_add_figures(&seen.report, &(struct cs_report_data){NULL, 0, NULL}, NULL);
    assert_int_equal(seen.count, 0);
}
