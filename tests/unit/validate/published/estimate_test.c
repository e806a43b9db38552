/* Estimates: parameters behind made tables come back, tables that may not be used
 * have no influence. */
#include "validate/published/estimate.h"

#include "algorithms/libraries/nccl/parameters.h"
#include "sim/base/text.h"
#include "tests/fixture.h"
#include "validate/published/files.h"

struct estimate_case {
    struct cs_arena arena;
    struct cs_published published;
    struct cs_published_answer *answers;
    struct cs_estimate_rows rows;
};

static struct estimate_case estimate_made(void)
{
    struct estimate_case made = {0};

    assert_done(cs_published_builtin(&made.arena, &made.published, &err));
    made.answers =
        cs_published_predict(&made.published, cs_published_machines(&made.published, &made.arena),
                             CS_EFFECTS_ALL, &made.arena);
    cs_estimate_prepare(made.answers, made.published.count, &cs_nccl_parameter_set, &made.arena,
                        &made.rows);
    return made;
}

static double *estimate_measured(const struct estimate_case *made, uint32_t row)
{
    const struct cs_estimate_row *at = &made->rows.items[row];

    return (double *)&made->answers[at->answer].table->rows[at->row].time_s;
}

/* Replaces the measurements by times with these values. */
static void estimate_measure(const struct estimate_case *made, const double *values)
{
    for (uint32_t i = 0; i < made->rows.count; i++) {
        struct cs_library_time time;

        cs_estimate_time(&made->rows, &made->rows.items[i], values, &time);
        *estimate_measured(made, i) = time.total_s;
    }
}

TEST(tables_at_the_priors_leave_the_priors)
{
    struct estimate_case made = estimate_made();
    double priors[CS_NCCL_PARAMETERS], values[CS_NCCL_PARAMETERS];

    cs_parameters_priors(&cs_nccl_parameter_set, priors);
    estimate_measure(&made, priors);
    assert_int_equal(cs_estimate_solve(&made.rows, NULL, values, NULL), 0);
    for (int k = 0; k < CS_NCCL_PARAMETERS; k++)
        assert_true(fabs(log(values[k] / priors[k])) < 1e-6);
    cs_arena_free(&made.arena);
}

/* Not exactly: the priors pull back. */
TEST(a_parameter_behind_the_tables_is_found)
{
    struct estimate_case made = estimate_made();
    double values[CS_NCCL_PARAMETERS];
    double prior = cs_nccl_parameter_set.items[CS_NCCL_P_LAUNCH_GPU].prior;

    cs_parameters_priors(&cs_nccl_parameter_set, values);
    values[CS_NCCL_P_LAUNCH_GPU] = 1.2 * prior;
    estimate_measure(&made, values);
    assert_int_equal(cs_estimate_solve(&made.rows, NULL, values, NULL), 0);
    assert_true(values[CS_NCCL_P_LAUNCH_GPU] > 1.1 * prior);
    assert_true(values[CS_NCCL_P_LAUNCH_GPU] < 1.25 * prior);
    cs_arena_free(&made.arena);
}

/* A row predicted with an unlisted parameter changed keeps its time; what a machine
 * makes differently is a constant of the estimate, and never listed. */
TEST(a_row_depends_on_its_listed_parameters_alone)
{
    struct estimate_case made = estimate_made();
    double values[CS_NCCL_PARAMETERS];

    for (uint32_t i = 0; i < made.rows.count; i += 37) {
        const struct cs_estimate_row *row = &made.rows.items[i];
        struct cs_library_time before, after;

        for (uint32_t k = 0; k < CS_NCCL_PARAMETERS; k++)
            values[k] = (cs_nccl_parameter_set.items[k].machine_spread > 0 ? 1 : 1.7) *
                        cs_nccl_parameter_set.items[k].prior;
        for (uint32_t k = 0; k < row->parameter_count; k++)
            values[row->parameters[k]] = cs_nccl_parameters[row->parameters[k]];
        cs_estimate_time(&made.rows, row, values, &after);
        cs_estimate_time(&made.rows, row, cs_nccl_parameters, &before);
        assert_true(row->parameter_count > 0);
        assert_true(before.total_s == after.total_s);
    }
    cs_arena_free(&made.arena);
}

TEST(tables_apart_have_no_influence)
{
    struct estimate_case made = estimate_made();
    double before[CS_NCCL_PARAMETERS], after[CS_NCCL_PARAMETERS];
    uint32_t apart = 0;

    assert_int_equal(cs_estimate_solve(&made.rows, NULL, before, NULL), 0);
    for (uint32_t i = 0; i < made.rows.count; i++) {
        const struct cs_published_table *table = made.answers[made.rows.items[i].answer].table;

        if (table->health == CS_HEALTH_YES && !table->no_estimate[0])
            continue;
        *estimate_measured(&made, i) *= 3;
        apart++;
    }
    assert_int_equal(cs_estimate_solve(&made.rows, NULL, after, NULL), 0);
    assert_true(apart > 0);
    for (uint32_t i = 0; i < CS_NCCL_PARAMETERS; i++)
        assert_true(before[i] == after[i]);
    cs_arena_free(&made.arena);
}
