/* Parameters without a site: the tables of a site have no influence on its own
 * predictions. */
#include "validate/published/left_out.h"

#include "sim/base/text.h"
#include "tests/fixture.h"
#include "validate/published/files.h"

struct left_case {
    struct cs_arena arena;
    struct cs_published published;
    struct cs_published_answer *answers;
    struct cs_left_out left;
};

static void left_case_free(struct left_case *left_case)
{
    cs_arena_free(&left_case->arena);
}

/* Few sites: an estimate for each takes a while. */
static bool left_wanted(const struct cs_published_table *table)
{
    static const char *const sites[] = {"seville", "microsoft", "rocm", "Anthony-Hoo"};

    for (size_t i = 0; i < sizeof(sites) / sizeof(*sites); i++)
        if (cs_same(table->site, sites[i]))
            return true;
    return cs_same(table->library, "mpi");
}

/* Leaves out each of the sites, with the measurements of one scaled. */
static struct left_case left_made(const char *scaled, double scale)
{
    struct left_case made = {0};
    struct cs_published all;
    struct cs_published_table *tables;

    assert_done(cs_published_builtin(&made.arena, &all, &err));
    tables = cs_arena_alloc(&made.arena, all.count, sizeof(*tables));
    for (uint32_t i = 0; i < all.count; i++) {
        if (!left_wanted(&all.tables[i]))
            continue;
        for (uint32_t r = 0; r < all.tables[i].row_count; r++)
            if (cs_same(all.tables[i].site, scaled))
                ((struct cs_published_row *)&all.tables[i].rows[r])->time_s *= scale;
        tables[made.published.count++] = all.tables[i];
    }
    made.published.tables = tables;
    made.answers =
        cs_published_predict(&made.published, cs_published_machines(&made.published, &made.arena),
                             CS_EFFECTS_ALL, &made.arena);
    for (uint32_t i = 0; i < CS_ESTIMATE_SETS; i++) {
        struct cs_estimate_rows rows;

        cs_estimate_prepare(made.answers, made.published.count, cs_estimate_sets[i], &made.arena,
                            &rows);
        assert_done(cs_left_out_make(&rows, NULL, &made.arena, &made.left, &err));
    }
    return made;
}

static const struct cs_published_point *left_first(const struct left_case *made, const char *site)
{
    for (uint32_t i = 0; i < made->published.count; i++)
        if (cs_same(made->answers[i].table->site, site) && !made->answers[i].unknown)
            return &made->answers[i].points[0];
    fail_msg("no table of %s", site);
    return NULL;
}

static double left_first_s(const struct left_case *made, const char *site)
{
    return left_first(made, site)->time_s[CS_PREDICTOR_LEFT_OUT];
}

TEST(measurements_of_a_site_do_not_reach_its_predictions)
{
    CS_AT_END(left_case_free) struct left_case as_is = left_made("seville", 1);
    CS_AT_END(left_case_free) struct left_case slower = left_made("seville", 3);

    assert_true(as_is.left.sites >= 6);
    assert_true(left_first_s(&as_is, "seville") == left_first_s(&slower, "seville"));
    /* The other sites see these measurements. */
    assert_true(left_first_s(&as_is, "microsoft") != left_first_s(&slower, "microsoft"));
}

/* The errors of the site itself would widen its interval. */
TEST(an_interval_of_a_site_is_that_of_the_others)
{
    CS_AT_END(left_case_free) struct left_case as_is = left_made("Anthony-Hoo", 1);
    CS_AT_END(left_case_free) struct left_case slower = left_made("Anthony-Hoo", 30);

    assert_true(isnan(left_first(&as_is, "Anthony-Hoo")->low_s));
    assert_true(isnan(left_first(&slower, "Anthony-Hoo")->low_s));
    assert_true(slower.left.intervals.half[CS_NCCL_INTERVAL_STAGED][0] >
                as_is.left.intervals.half[CS_NCCL_INTERVAL_STAGED][0]);
    assert_true(left_first(&as_is, "microsoft")->low_s > 0);
}

/* The interval of MPI is that of its parameters' spreads. */
TEST(rows_of_mpi_are_predicted_without_the_site)
{
    CS_AT_END(left_case_free) struct left_case as_is = left_made("aistabci", 1);
    CS_AT_END(left_case_free) struct left_case slower = left_made("aistabci", 3);
    const struct cs_published_point *point = left_first(&as_is, "aistabci");

    assert_true(left_first_s(&as_is, "aistabci") > 0);
    assert_true(left_first_s(&as_is, "aistabci") == left_first_s(&slower, "aistabci"));
    assert_true(left_first_s(&as_is, "converged-computing") !=
                left_first_s(&slower, "converged-computing"));
    assert_true(point->low_s < point->time_s[CS_PREDICTOR_MODEL]);
    assert_true(isnan(as_is.left.intervals.half[CS_NCCL_INTERVAL_PLUGINS][0]));
}
