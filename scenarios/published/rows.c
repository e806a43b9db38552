#include "scenarios/published/report.h"

#include "validate/published/score.h"

/* ---- tables ---- */

struct published_table_row {
    struct cs_table_error error;
    const struct cs_published_table *table;
    enum cs_size_range sizes;
    /* The decade with the largest error, and the largest part of the predicted time
     * there: launch, latency or transfer. */
    struct cs_decade_error worst;
    const char *note;
};

#define AT(member)    CS_AT(struct published_table_row, member)
#define TABLE(member) CS_VIA(struct published_table_row, table, member)
#define KNOWN         CS_WHEN(struct published_table_row, error.rows)
#define WORST         CS_WHEN(struct published_table_row, worst.rows)
static const struct cs_sheet_column table_columns[] = {
    {"id", "table", NULL, CS_SHEET_TEXT, TABLE(id)},
    {"class", "class", NULL, CS_SHEET_TEXT, TABLE(machine_class), .words = cs_machine_class_names},
    {"healthy", "healthy", NULL, CS_SHEET_TEXT, TABLE(health), .words = cs_published_health_names},
    {"sizes", "sizes", NULL, CS_SHEET_TEXT, AT(sizes), .words = cs_size_range_names,
     .known = CS_OR_EMPTY, KNOWN},
    {"rows", "rows", NULL, CS_SHEET_COUNT, AT(error.rows)},
    {"error", "|error|", NULL, CS_SHEET_SHARE, AT(error.error[CS_PREDICTOR_MODEL]), KNOWN},
    {"bias", "signed", NULL, CS_SHEET_SHARE, AT(error.bias), KNOWN},
    {"left_out_error", "left out", "|error|", CS_SHEET_SHARE,
     AT(error.error[CS_PREDICTOR_LEFT_OUT]), KNOWN},
    {"ring_error", "ring", "|error|", CS_SHEET_SHARE, AT(error.error[CS_PREDICTOR_RING]), KNOWN},
    {"tuner_error", "tuner", "|error|", CS_SHEET_SHARE, AT(error.error[CS_PREDICTOR_TUNER]), KNOWN},
    {"worst_sizes", "worst at", NULL, CS_SHEET_TEXT, AT(worst.decade),
     .words = cs_size_decade_names, WORST},
    {"worst_bias", "signed", NULL, CS_SHEET_SHARE, AT(worst.bias), WORST},
    {"part", "most of it", NULL, CS_SHEET_TEXT, AT(worst.part), WORST},
    {"note", "note", NULL, CS_SHEET_TEXT, AT(note)},
};

static void published_table_line(struct cs_sheet *sheet, const struct cs_table_error *error,
                                 enum cs_size_range sizes)
{
    const struct cs_published_answer *answer = error->answer;

    cs_sheet_row(sheet, &(struct published_table_row){
                            .error = *error,
                            .table = answer->table,
                            .sizes = sizes,
                            .worst = cs_published_worst_decade(answer),
                            .note = answer->unknown ? answer->unknown : answer->table->note,
                        });
}

/* Worst first; a table of a later range only where no earlier range has rows. */
static void published_worst_lines(const struct cs_published_view *view, uint32_t most,
                                  struct cs_sheet *sheet)
{
    static const enum cs_size_range order[] = {CS_SIZES_FROM_64K, CS_SIZES_BELOW_64K,
                                               CS_SIZES_ROOTED_BELOW_64K};
    uint32_t printed = 0;

    for (size_t k = 0; k < sizeof(order) / sizeof(*order); k++) {
        struct cs_table_error *errors;
        uint32_t count = cs_published_worst(view->answers, view->published->count, order[k],
                                            view->arena, &errors);

        for (uint32_t i = 0; i < count && (!most || printed < most); i++) {
            const struct cs_published_answer *answer = errors[i].answer;
            bool had = most && answer->table->health != CS_HEALTH_YES;

            for (size_t earlier = 0; earlier < k && !had; earlier++)
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

    cs_sheet_begin(&sheet, "tables", CS_COLUMNS(table_columns));
    published_worst_lines(view, most, &sheet);
    for (uint32_t i = 0; i < view->published->count && !most; i++) {
        struct cs_table_error error = {.answer = &view->answers[i]};

        for (int k = 0; k < CS_SIZE_RANGES && error.rows == 0; k++)
            error = cs_published_table_error(&view->answers[i], (enum cs_size_range)k);
        if (error.rows == 0)
            published_table_line(&sheet, &error, CS_SIZES_FROM_64K);
    }
    cs_cli_sheet_end(view->cli, &sheet, view->format);
}

/* ---- rows ---- */

struct published_point_row {
    const struct cs_published_table *table;
    const struct cs_published_row *row;
    const struct cs_published_point *point;
    const char *command; /* "collsim run ..."; NULL: not predicted */
    double error;
    bool known;
};

#undef AT
#undef TABLE
#undef KNOWN
#define AT(member)    CS_AT(struct published_point_row, member)
#define TABLE(member) CS_VIA(struct published_point_row, table, member)
#define ROW(member)   CS_VIA(struct published_point_row, row, member)
#define POINT(member) CS_VIA(struct published_point_row, point, member)
#define KNOWN         CS_WHEN(struct published_point_row, known)
static const struct cs_sheet_column point_columns[] = {
    {"id", "table", NULL, CS_SHEET_TEXT, TABLE(id)},
    {"class", "class", NULL, CS_SHEET_TEXT, TABLE(machine_class), .words = cs_machine_class_names},
    {"bytes", "size", NULL, CS_SHEET_BYTES, ROW(bytes)},
    {"measured_s", "measured", NULL, CS_SHEET_SECONDS, ROW(time_s)},
    {"predicted_s", "predicted", NULL, CS_SHEET_SECONDS, POINT(time_s[CS_PREDICTOR_MODEL])},
    {"error", "error", NULL, CS_SHEET_SHARE, AT(error)},
    {"left_out_s", "left out", NULL, CS_SHEET_SECONDS, POINT(time_s[CS_PREDICTOR_LEFT_OUT])},
    {"low_s", "5 %", NULL, CS_SHEET_SECONDS, POINT(low_s)},
    {"high_s", "95 %", NULL, CS_SHEET_SECONDS, POINT(high_s)},
    {"launch_s", "launch", NULL, CS_SHEET_SECONDS, POINT(launch_s), KNOWN},
    {"latency_s", "latency", NULL, CS_SHEET_SECONDS, POINT(latency_s), KNOWN},
    {"transfer_s", "transfer", NULL, CS_SHEET_SECONDS, POINT(transfer_s), KNOWN},
    {"engine", "engine", NULL, CS_SHEET_TEXT, POINT(engine), CS_OR_EMPTY, KNOWN},
    {"protocol", "protocol", NULL, CS_SHEET_TEXT, POINT(protocol), CS_OR_EMPTY, KNOWN},
    {"channels", "channels", NULL, CS_SHEET_COUNT, POINT(channels)},
    {"ring_s", "ring", NULL, CS_SHEET_SECONDS, POINT(time_s[CS_PREDICTOR_RING])},
    {"tuner_s", "tuner", NULL, CS_SHEET_SECONDS, POINT(time_s[CS_PREDICTOR_TUNER])},
    /* The last: left out of text, whose lines it would double. */
    {"command", "command", NULL, CS_SHEET_TEXT, AT(command), CS_OR_EMPTY},
};

static void published_point(const struct cs_published_view *view, struct cs_sheet *sheet,
                            const struct cs_published_answer *answer, uint32_t row)
{
    double predicted_s = answer->points[row].time_s[CS_PREDICTOR_MODEL];

    cs_sheet_row(
        sheet,
        &(struct published_point_row){
            .table = answer->table,
            .row = &answer->table->rows[row],
            .point = &answer->points[row],
            .command = predicted_s > 0 ? cs_call_command(answer->table, row, view->arena) : NULL,
            .error = predicted_s / answer->table->rows[row].time_s - 1,
            .known = predicted_s > 0,
        });
}

void cs_published_print_points(const struct cs_published_view *view)
{
    struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "points", point_columns,
                   sizeof(point_columns) / sizeof(*point_columns) -
                       (view->format == CS_FORMAT_TEXT));
    for (uint32_t i = 0; i < view->published->count; i++)
        for (uint32_t r = 0; r < view->answers[i].table->row_count; r++)
            published_point(view, &sheet, &view->answers[i], r);
    cs_cli_sheet_end(view->cli, &sheet, view->format);
}
