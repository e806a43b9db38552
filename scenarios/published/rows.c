#include "scenarios/published/rows.h"

#include "validate/published/signed_error.h"

#include <math.h>

static void published_rows_print(const struct cs_published_view *view, struct cs_sheet *sheet)
{
    cs_cli_sheet(view->cli, sheet, view->format);
    cs_sheet_free(sheet);
}

/* ---- tables ---- */

static const struct cs_sheet_column table_columns[] = {
    {"id", "table", NULL, CS_SHEET_TEXT},
    {"class", "class", NULL, CS_SHEET_TEXT},
    {"healthy", "healthy", NULL, CS_SHEET_TEXT},
    {"sizes", "sizes", NULL, CS_SHEET_TEXT},
    {"rows", "rows", NULL, CS_SHEET_COUNT},
    {"error", "|error|", NULL, CS_SHEET_SHARE},
    {"bias", "signed", NULL, CS_SHEET_SHARE},
    {"left_out_error", "left out", "|error|", CS_SHEET_SHARE},
    {"ring_error", "ring", "|error|", CS_SHEET_SHARE},
    {"tuner_error", "tuner", "|error|", CS_SHEET_SHARE},
    {"worst_sizes", "worst at", NULL, CS_SHEET_TEXT},
    {"worst_bias", "signed", NULL, CS_SHEET_SHARE},
    {"part", "most of it", NULL, CS_SHEET_TEXT},
    {"note", "note", NULL, CS_SHEET_TEXT},
};

/* The decade with the largest error of a table, and the largest part of the
 * predicted time there: launch, latency or transfer. */
static void published_cause(struct cs_sheet *sheet, const struct cs_published_answer *answer)
{
    struct cs_decade_error worst = cs_published_worst_decade(answer);

    if (worst.rows == 0) {
        cs_sheet_none(sheet);
        cs_sheet_none(sheet);
        cs_sheet_none(sheet);
        return;
    }
    cs_sheet_text(sheet, cs_size_decade_name(worst.decade));
    cs_sheet_real(sheet, worst.bias);
    cs_sheet_text(sheet, worst.part);
}

static void published_table_line(struct cs_sheet *sheet, const struct cs_table_error *error,
                                 enum cs_size_range sizes)
{
    const struct cs_published_table *table = error->answer->table;
    bool known = error->rows > 0;
    int k;

    cs_sheet_text(sheet, table->id);
    cs_sheet_text(sheet, cs_machine_class_name(table->machine_class));
    cs_sheet_text(sheet, cs_published_health_name(table->health));
    cs_sheet_text(sheet, known ? cs_size_range_name(sizes) : "");
    cs_sheet_u64(sheet, error->rows);
    for (k = 0; k < CS_PREDICTORS; k++) {
        cs_sheet_real(sheet, known ? error->error[k] : (double)NAN);
        if (k == CS_PREDICTOR_MODEL)
            cs_sheet_real(sheet, known ? error->bias : (double)NAN);
    }
    published_cause(sheet, error->answer);
    cs_sheet_text(sheet, error->answer->unknown ? error->answer->unknown : table->note);
}

/* Worst first; a table of a later range only where no earlier range has rows. */
static void published_worst_lines(const struct cs_published_view *view, uint32_t most,
                                  struct cs_sheet *sheet)
{
    static const enum cs_size_range order[] = {CS_SIZES_FROM_64K, CS_SIZES_BELOW_64K,
                                               CS_SIZES_ROOTED_BELOW_64K};
    uint32_t printed = 0;
    size_t k;
    size_t earlier;
    uint32_t i;

    for (k = 0; k < sizeof(order) / sizeof(*order); k++) {
        struct cs_table_error *errors;
        uint32_t count = cs_published_worst(view->answers, view->published->count, order[k],
                                            view->arena, &errors);

        for (i = 0; i < count && (!most || printed < most); i++) {
            const struct cs_published_answer *answer = errors[i].answer;
            bool had = most && answer->table->health != CS_HEALTH_YES;

            for (earlier = 0; earlier < k && !had; earlier++)
                had = cs_published_table_error(answer, order[earlier]).rows > 0;
            if (had)
                continue;
            published_table_line(sheet, &errors[i], order[k]);
            printed++;
        }
    }
}

void cs_published_print_tables(const struct cs_published_view *view, uint32_t most)
{
    struct cs_sheet sheet = {0};
    uint32_t i;
    int k;

    cs_sheet_begin(&sheet, "tables", table_columns, sizeof(table_columns) / sizeof(*table_columns));
    published_worst_lines(view, most, &sheet);
    for (i = 0; i < view->published->count && !most; i++) {
        struct cs_table_error error = {.answer = &view->answers[i]};

        for (k = 0; k < CS_SIZE_RANGES && error.rows == 0; k++)
            error = cs_published_table_error(&view->answers[i], (enum cs_size_range)k);
        if (error.rows == 0)
            published_table_line(&sheet, &error, CS_SIZES_FROM_64K);
    }
    published_rows_print(view, &sheet);
}

/* ---- rows ---- */

static const struct cs_sheet_column point_columns[] = {
    {"id", "table", NULL, CS_SHEET_TEXT},
    {"class", "class", NULL, CS_SHEET_TEXT},
    {"bytes", "size", NULL, CS_SHEET_BYTES},
    {"measured_s", "measured", NULL, CS_SHEET_SECONDS},
    {"predicted_s", "predicted", NULL, CS_SHEET_SECONDS},
    {"error", "error", NULL, CS_SHEET_SHARE},
    {"left_out_s", "left out", NULL, CS_SHEET_SECONDS},
    {"low_s", "5 %", NULL, CS_SHEET_SECONDS},
    {"high_s", "95 %", NULL, CS_SHEET_SECONDS},
    {"launch_s", "launch", NULL, CS_SHEET_SECONDS},
    {"latency_s", "latency", NULL, CS_SHEET_SECONDS},
    {"transfer_s", "transfer", NULL, CS_SHEET_SECONDS},
    {"engine", "engine", NULL, CS_SHEET_TEXT},
    {"protocol", "protocol", NULL, CS_SHEET_TEXT},
    {"channels", "channels", NULL, CS_SHEET_COUNT},
    {"ring_s", "ring", NULL, CS_SHEET_SECONDS},
    {"tuner_s", "tuner", NULL, CS_SHEET_SECONDS},
};

static void published_point(struct cs_sheet *sheet, const struct cs_published_answer *answer,
                            uint32_t row)
{
    const struct cs_published_table *table = answer->table;
    const struct cs_published_point *point = &answer->points[row];
    double predicted = point->time_s[CS_PREDICTOR_MODEL];
    bool known = predicted > 0;

    cs_sheet_text(sheet, table->id);
    cs_sheet_text(sheet, cs_machine_class_name(table->machine_class));
    cs_sheet_u64(sheet, table->rows[row].bytes);
    cs_sheet_real(sheet, table->rows[row].time_s);
    cs_sheet_real(sheet, predicted);
    cs_sheet_real(sheet, predicted / table->rows[row].time_s - 1);
    cs_sheet_real(sheet, point->time_s[CS_PREDICTOR_LEFT_OUT]);
    cs_sheet_real(sheet, point->low_s);
    cs_sheet_real(sheet, point->high_s);
    cs_sheet_real(sheet, known ? point->launch_s : (double)NAN);
    cs_sheet_real(sheet, known ? point->latency_s : (double)NAN);
    cs_sheet_real(sheet, known ? point->transfer_s : (double)NAN);
    cs_sheet_text(sheet, known && point->engine ? point->engine : "");
    cs_sheet_text(sheet, known && point->protocol ? point->protocol : "");
    cs_sheet_u64(sheet, point->channels);
    cs_sheet_real(sheet, point->time_s[CS_PREDICTOR_RING]);
    cs_sheet_real(sheet, point->time_s[CS_PREDICTOR_TUNER]);
}

void cs_published_print_points(const struct cs_published_view *view)
{
    struct cs_sheet sheet = {0};
    uint32_t i;
    uint32_t r;

    cs_sheet_begin(&sheet, "points", point_columns, sizeof(point_columns) / sizeof(*point_columns));
    for (i = 0; i < view->published->count; i++)
        for (r = 0; r < view->answers[i].table->row_count; r++)
            published_point(&sheet, &view->answers[i], r);
    published_rows_print(view, &sheet);
}
