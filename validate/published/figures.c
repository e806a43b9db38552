#include "validate/published/figures.h"

#include "sim/base/order.h"
#include "sim/base/text.h"

#include <math.h>

enum {
    SIZES = 40, /* powers of two up to 2^39 bytes */
};

static const char *const predictor_names[CS_PREDICTORS] = {"shipped", "left out", "ring", "tuner"};

static bool figure_has(const struct cs_published_answer *answer, uint32_t row, int size)
{
    uint64_t bytes = answer->table->rows[row].bytes;

    return answer->points[row].time_s[CS_PREDICTOR_MODEL] > 0 && bytes >> size == 1;
}

/* Median |error| of the rows from 2^size to below 2^(size+1) bytes; NAN for less
 * than three rows. */
static double figure_median(const struct cs_published_answer *answers, uint32_t count, int size,
                            int predictor, double *values)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct cs_published_table *table = answers[i].table;

        for (uint32_t r = 0; r < table->row_count; r++) {
            double error =
                expm1(fabs(log(answers[i].points[r].time_s[predictor] / table->rows[r].time_s)));

            if (table->health == CS_HEALTH_YES && !isnan(error) && figure_has(&answers[i], r, size))
                values[found++] = error;
        }
    }
    return found < 3 ? (double)NAN : cs_quantile(values, found, 0.5);
}

static void figure_errors(const struct cs_published_answer *answers, uint32_t count,
                          struct cs_figures *figures)
{
    struct cs_arena arena = {0};
    uint64_t rows = 0;
    double *values;

    for (uint32_t i = 0; i < count; i++)
        rows += answers[i].table->row_count;
    values = cs_arena_alloc(&arena, rows, sizeof(*values));
    cs_figures_begin(figures, &(struct cs_figure){
                                  .name = "published-error-by-size",
                                  .title = "Error of predictions of published tables",
                                  .subtitle = "median over the rows of a size",
                                  .alt = "Median error over size, of each predictor",
                                  .x_title = "size",
                                  .y_title = "median |error|, %",
                                  .x_axis = CS_AXIS_BYTES,
                                  .y_axis = CS_AXIS_PLAIN,
                              });
    for (int predictor = 0; predictor < CS_PREDICTORS; predictor++) {
        cs_figures_series(figures, predictor_names[predictor]);
        for (int size = 0; size < SIZES; size++) {
            double median = figure_median(answers, count, size, predictor, values);

            if (!isnan(median))
                cs_figures_xy(figures, ldexp(1, size), 100 * median);
        }
    }
    cs_arena_free(&arena);
}

/* exp(mean ln) of a class at a size; NAN without a row. */
static double figure_factor(const struct cs_published_answer *answers, uint32_t count,
                            int machine_class, int size)
{
    double sum = 0;
    uint32_t rows = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct cs_published_table *table = answers[i].table;

        if (table->health != CS_HEALTH_YES ||
            table->machine_class != (enum cs_machine_class)machine_class)
            continue;
        for (uint32_t r = 0; r < table->row_count; r++)
            if (figure_has(&answers[i], r, size)) {
                sum += log(answers[i].points[r].time_s[CS_PREDICTOR_MODEL] / table->rows[r].time_s);
                rows++;
            }
    }
    return rows ? exp(sum / rows) : (double)NAN;
}

static void figure_factors(const struct cs_published_answer *answers, uint32_t count,
                           struct cs_figures *figures)
{
    cs_figures_begin(figures, &(struct cs_figure){
                                  .name = "published-factor-by-size",
                                  .title = "Predicted time of published tables",
                                  .subtitle = "by machine class; 1 is the measured time",
                                  .alt = "Predicted over measured time, by class and size",
                                  .x_title = "size",
                                  .y_title = "predicted / measured",
                                  .x_axis = CS_AXIS_BYTES,
                                  .y_axis = CS_AXIS_PLAIN,
                              });
    for (int machine_class = 0; machine_class < CS_CLASSES; machine_class++) {
        bool named = false;

        for (int size = 0; size < SIZES; size++) {
            double factor = figure_factor(answers, count, machine_class, size);

            if (isnan(factor))
                continue;
            if (!named)
                cs_figures_series(figures, cs_machine_class_names[machine_class]);
            named = true;
            cs_figures_xy(figures, ldexp(1, size), factor);
        }
    }
}

static void figure_table(const struct cs_published_answer *answer, struct cs_figures *figures)
{
    const struct cs_published_table *table = answer->table;

    if (answer->unknown)
        return;
    cs_figures_begin(figures, &(struct cs_figure){
                                  .name = table->id,
                                  .title = table->id,
                                  .subtitle = table->note,
                                  .alt = "Measured and predicted time over size",
                                  .x_title = "size",
                                  .y_title = "time",
                                  .x_axis = CS_AXIS_BYTES,
                                  .y_axis = CS_AXIS_SECONDS,
                              });
    for (int predictor = -1; predictor < CS_PREDICTORS; predictor++) {
        cs_figures_series(figures, predictor < 0 ? "measured" : predictor_names[predictor]);
        for (uint32_t r = 0; r < table->row_count; r++)
            if (answer->points[r].time_s[CS_PREDICTOR_MODEL] > 0)
                cs_figures_xy(figures, (double)table->rows[r].bytes,
                              predictor < 0 ? table->rows[r].time_s
                                            : answer->points[r].time_s[predictor]);
    }
}

void cs_published_figures(const struct cs_published_answer *answers, uint32_t count,
                          struct cs_figures *figures)
{
    figure_errors(answers, count, figures);
    figure_factors(answers, count, figures);
    for (uint32_t i = 0; i < count && count <= CS_TABLE_FIGURES_MAX; i++)
        figure_table(&answers[i], figures);
}
