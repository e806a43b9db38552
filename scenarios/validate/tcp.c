#include "scenarios/validate/report.h"

#include "reports/figures/plot/figure.h"
#include "scenarios/validate/recorded.h"
#include "sim/base/text.h"
#include "validate/tcp/score.h"

#include <math.h>

enum {
    GATES_MAX = 8,
};

struct tcp_data {
    struct cs_arena arena;
    struct cs_tcp_lines lines;
    const char *gates[GATES_MAX];
    size_t gate_count;
    struct cs_tcp_comparison comparison;
};

/* ---- files ---- */

static int tcp_read_file(void *ctx, const char *path, struct cs_err *err)
{
    struct tcp_data *data = ctx;

    if (!cs_ends_in(path, ".yaml"))
        return cs_tcp_lines_read(path, &data->arena, &data->lines, err);
    if (data->gate_count == GATES_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d files of gates", GATES_MAX);
    data->gates[data->gate_count++] = path;
    return 0;
}

static int tcp_is_data(const struct dirent *entry)
{
    return entry->d_name[0] != '.' &&
           (cs_ends_in(entry->d_name, ".jsonl") || cs_ends_in(entry->d_name, ".yaml"));
}

/* ---- tables ---- */

#define AT(member) CS_AT(struct cs_tcp_group, member)
static const struct cs_sheet_column tcp_group_columns[] = {
    {"setting", "setting", NULL, CS_SHEET_TEXT, AT(setting)},
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT, AT(algorithm)},
    {"sizes", "sizes", NULL, CS_SHEET_TEXT, AT(sizes)},
    {"runs", "runs", NULL, CS_SHEET_COUNT, AT(count)},
    {"median", "|error|", "median", CS_SHEET_SHARE, AT(median)},
    {"p90", "|error|", "90 %", CS_SHEET_SHARE, AT(p90)},
    {"bias", "error", "median", CS_SHEET_SHARE, AT(bias)},
    {"median_least", "|error|", "of least", CS_SHEET_SHARE, AT(median_least)},
    {"median_gate", "gate", "median", CS_SHEET_SHARE, AT(median_gate), CS_IF_POSITIVE},
    {"p90_gate", "gate", "90 %", CS_SHEET_SHARE, AT(p90_gate), CS_IF_POSITIVE},
};

#undef AT
#define AT(member)   CS_AT(struct cs_tcp_point, member)
#define LINE(member) CS_VIA(struct cs_tcp_point, line, member)
static const struct cs_sheet_column tcp_point_columns[] = {
    {"setting", "setting", NULL, CS_SHEET_TEXT, AT(setting)},
    {"collective", "collective", NULL, CS_SHEET_TEXT, LINE(collective)},
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT, LINE(algorithm)},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, LINE(ranks)},
    {"bytes", "size", NULL, CS_SHEET_BYTES, LINE(bytes)},
    {"change_Bps", "change", "to", CS_SHEET_RATE, LINE(wire.change_Bps), CS_IF_POSITIVE},
    {"measured_s", "measured", NULL, CS_SHEET_SECONDS, LINE(time_s)},
    {"least_s", "least", NULL, CS_SHEET_SECONDS, LINE(time_least_s)},
    {"predicted_s", "predicted", NULL, CS_SHEET_SECONDS, AT(predicted.time_s)},
    {"bound_s", "bound", NULL, CS_SHEET_SECONDS, AT(predicted.bound_s)},
    {"error", "error", NULL, CS_SHEET_SHARE, AT(error)},
};

static void tcp_print(const struct cs_cli *cli, const struct cs_validate_request *request,
                      const struct tcp_data *data)
{
    const struct cs_tcp_comparison *is = &data->comparison;

    cs_cli_rows(cli,
                request->points ? CS_ROWS("runs", tcp_point_columns, is->points, is->count)
                                : CS_ROWS("groups", tcp_group_columns, is->groups, is->group_count),
                request->format);
    if (request->format == CS_FORMAT_TEXT && !request->points)
        fputs("Predicted from the patterns of the setting alone; sizes below 1 MiB are small. "
              "'least' is\nthe shortest of the repeated runs, measured the median.\n",
              cli->out);
}

/* ---- figures ---- */

static bool tcp_same_figure(const struct cs_tcp_point *a, const struct cs_tcp_point *b)
{
    return a->line->ranks == b->line->ranks && cs_same(a->setting, b->setting) &&
           cs_same(a->line->algorithm, b->line->algorithm) &&
           cs_same(a->line->collective, b->line->collective) &&
           a->line->wire.change_Bps == b->line->wire.change_Bps;
}

static void tcp_figure(const struct cs_tcp_comparison *comparison, size_t first,
                       struct cs_figures *figures)
{
    const struct cs_tcp_point *begin = &comparison->points[first];
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    cs_figures_begin(
        figures,
        &(struct cs_figure){
            .name = cs_arena_printf(&arena, "tcp-%s-%s-%llu-%zu", begin->line->collective,
                                    begin->line->algorithm, (unsigned long long)begin->line->ranks,
                                    first),
            .title = cs_arena_printf(&arena, "%s, %llu hosts over TCP", begin->line->algorithm,
                                     (unsigned long long)begin->line->ranks),
            .subtitle = begin->setting,
            .alt = "Measured and predicted time over size",
            .x_title = "vector",
            .y_title = "time",
            .x_axis = CS_AXIS_BYTES,
            .y_axis = CS_AXIS_SECONDS,
            .limit = CS_LIMIT_LOWER,
            .limit_name = "lower bound",
        });
    for (int predicted = 0; predicted < 2; predicted++) {
        cs_figures_series(figures, predicted ? "predicted" : "measured");
        for (size_t i = first; i < comparison->count; i++) {
            const struct cs_tcp_point *point = &comparison->points[i];

            if (tcp_same_figure(point, begin))
                cs_figures_point(figures,
                                 &(struct cs_point){.x = (double)point->line->bytes,
                                                    .y = predicted ? point->predicted.time_s
                                                                   : point->line->time_s,
                                                    .model_y = (double)NAN,
                                                    .limit_y = point->predicted.bound_s});
        }
    }
}

static int tcp_draw(const struct cs_cli *cli, const char *dir,
                    const struct cs_tcp_comparison *comparison, struct cs_err *err)
{
    struct cs_figures figures = {0};

    for (size_t i = 0; i < comparison->count; i++) {
        bool first = true;

        for (size_t k = 0; k < i && first; k++)
            first = !tcp_same_figure(&comparison->points[k], &comparison->points[i]);
        if (first)
            tcp_figure(comparison, i, &figures);
    }
    return cs_validate_draw(cli, dir, &figures, err);
}

/* ---- the command ---- */

static int tcp_validate(const struct cs_cli *cli, const struct cs_validate_request *request,
                        struct tcp_data *data, struct cs_err *err)
{
    const struct cs_recorded_reader reader = {tcp_is_data, tcp_read_file, data};
    int code = cs_recorded_files(request, CS_TCP_DATA, &reader, &data->arena, err);

    if (!code)
        code = cs_tcp_compare(&data->lines, &data->arena, &data->comparison, err);
    for (size_t i = 0; i < data->gate_count && !code; i++)
        code = cs_tcp_gates_read(&data->comparison, data->gates[i], &data->arena, err);
    if (code)
        return code;
    tcp_print(cli, request, data);
    if (request->out)
        code = tcp_draw(cli, request->out, &data->comparison, err);
    return code ? code : cs_tcp_gates_judge(&data->comparison, err);
}

int cs_validate_tcp(const struct cs_cli *cli, const struct cs_validate_request *request,
                    struct cs_err *err)
{
    struct tcp_data data = {0};
    int code = tcp_validate(cli, request, &data, err);

    cs_arena_free(&data.arena);
    return code;
}
