#include "validate/published/recorded_score.h"

#include "sim/base/file.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/csv_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) CS_AT(struct cs_published_score, member)
static const struct cs_sheet_column score_columns[] = {
    {"group", "group", NULL, CS_SHEET_TEXT, AT(group)},
    {"name", "name", NULL, CS_SHEET_TEXT, AT(name)},
    {"sizes", "sizes", NULL, CS_SHEET_TEXT, AT(sizes), .words = cs_size_range_names},
    {"tables", "tables", NULL, CS_SHEET_COUNT, AT(tables)},
    {"rows", "rows", NULL, CS_SHEET_COUNT, AT(rows)},
    {"median", "|error|", "median", CS_SHEET_SHARE, AT(median[CS_PREDICTOR_MODEL])},
    {"p90", "|error|", "90 %", CS_SHEET_SHARE, AT(p90[CS_PREDICTOR_MODEL])},
    {"bias", "error", "median", CS_SHEET_SHARE, AT(bias)},
    {"left_out_median", "left out", "median", CS_SHEET_SHARE, AT(median[CS_PREDICTOR_LEFT_OUT])},
    {"left_out_p90", "left out", "90 %", CS_SHEET_SHARE, AT(p90[CS_PREDICTOR_LEFT_OUT])},
    {"ring_median", "ring", "median", CS_SHEET_SHARE, AT(median[CS_PREDICTOR_RING])},
    {"ring_p90", "ring", "90 %", CS_SHEET_SHARE, AT(p90[CS_PREDICTOR_RING])},
    {"tuner_median", "tuner", "median", CS_SHEET_SHARE, AT(median[CS_PREDICTOR_TUNER])},
    {"tuner_p90", "tuner", "90 %", CS_SHEET_SHARE, AT(p90[CS_PREDICTOR_TUNER])},
    {"bounded", "with", "interval", CS_SHEET_COUNT, AT(bounded)},
    {"inside", "inside", NULL, CS_SHEET_COUNT, AT(inside)},
};

enum {
    SCORE_COLUMNS = sizeof(score_columns) / sizeof(*score_columns),
    COLUMN_TABLES = 3,
    COLUMN_MEDIAN = 5,
    COLUMN_P90 = 6,
    COLUMN_LEFT_MEDIAN = 8,
    COLUMN_LEFT_P90 = 9,
    RECORD_BYTES_MAX = 1 << 20,
    RECORD_TABLES_MAX = 1 << 20,
};

void cs_published_score_sheet(const struct cs_published_score *scores, uint32_t count,
                              struct cs_sheet *sheet)
{
    cs_sheet_fill(sheet, CS_ROWS("scores", score_columns, scores, count));
}

/* ---- reading ---- */

/* An empty cell is unknown: no limit. */
static int recorded_share(const char *cell, double *share, struct cs_err *err)
{
    char *end;

    *share = strtod(cell, &end);
    if (!cell[0]) {
        *share = (double)INFINITY;
        return 0;
    }
    if (end == cell || *end || !isfinite(*share) || *share < 0)
        return cs_err_set(err, CS_EINPUT, "error '%.40s'; expected a number from 0", cell);
    return 0;
}

static int recorded_item(const struct cs_csv_rows *csv, struct cs_recorded_score *item,
                         struct cs_err *err)
{
    uint64_t tables = 0;
    int code = csv->count == SCORE_COLUMNS ? 0
                                           : cs_err_set(err, CS_EINPUT, "%zu cells; expected %d",
                                                        csv->count, SCORE_COLUMNS);

    if (!code)
        code = cs_units_count(csv->cells[COLUMN_TABLES], 1, RECORD_TABLES_MAX, &tables, err);
    if (!code)
        code = recorded_share(csv->cells[COLUMN_MEDIAN], &item->median, err);
    if (!code)
        code = recorded_share(csv->cells[COLUMN_P90], &item->p90, err);
    if (!code)
        code = recorded_share(csv->cells[COLUMN_LEFT_MEDIAN], &item->left_median, err);
    if (!code)
        code = recorded_share(csv->cells[COLUMN_LEFT_P90], &item->left_p90, err);
    item->group = csv->cells[0];
    item->name = csv->cells[1];
    item->sizes = csv->cells[2];
    item->tables = (uint32_t)tables;
    return code ? cs_err_prefix(err, "%s:%u", csv->file, csv->line) : 0;
}

int cs_recorded_scores_read(struct cs_published_text text, struct cs_arena *arena,
                            struct cs_recorded_scores *recorded, struct cs_err *err)
{
    struct cs_csv_rows csv = {
        .file = text.file, .at = text.text, .end = text.text + text.length, .arena = arena};
    const char *names[SCORE_COLUMNS];
    struct cs_recorded_score *items;
    uint32_t lines = 1;
    size_t i;
    int code;

    for (i = 0; i < SCORE_COLUMNS; i++)
        names[i] = score_columns[i].name;
    for (i = 0; i < text.length; i++)
        lines += text.text[i] == '\n';
    items = cs_arena_alloc(arena, lines, sizeof(*items));
    *recorded = (struct cs_recorded_scores){.items = items};
    code = cs_csv_rows_header(&csv, names, SCORE_COLUMNS, 0, err);
    while (!code) {
        code = cs_csv_rows_next(&csv, err);
        if (code || csv.count == 0)
            break;
        code = recorded_item(&csv, &items[recorded->count++], err);
    }
    return code;
}

/* validate/data/published/score.csv, by the Makefile. */
extern const char cs_published_score_text[];

int cs_recorded_scores_open(const char *directory, struct cs_arena *arena,
                            struct cs_recorded_scores *recorded, struct cs_err *err)
{
    const char *file =
        cs_arena_printf(arena, "%s/score.csv", directory ? directory : "validate/data/published");
    struct cs_text text = {0};
    int code = 0;

    if (directory)
        code = cs_file_read(file, RECORD_BYTES_MAX, &text, err);
    else
        cs_text_add(&text, cs_published_score_text);
    if (!code)
        code = cs_recorded_scores_read(
            (struct cs_published_text){file, cs_text_str(&text), text.length}, arena, recorded,
            err);
    cs_text_free(&text);
    return code;
}

/* ---- the gate ---- */

static const struct cs_published_score *recorded_find(const struct cs_recorded_score *item,
                                                      const struct cs_published_score *scores,
                                                      uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        if (cs_same(item->group, scores[i].group) && cs_same(item->name, scores[i].name) &&
            cs_same(item->sizes, cs_size_range_names[scores[i].sizes]))
            return &scores[i];
    return NULL;
}

void cs_recorded_scores_recall(const struct cs_recorded_scores *recorded,
                               struct cs_published_score *scores, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < recorded->count; i++) {
        const struct cs_recorded_score *item = &recorded->items[i];
        const struct cs_published_score *found = recorded_find(item, scores, count);
        struct cs_published_score *score = found ? &scores[found - scores] : NULL;

        if (!score || score->tables != item->tables ||
            !isnan(score->median[CS_PREDICTOR_LEFT_OUT]) || isinf(item->left_median) ||
            isinf(item->left_p90))
            continue;
        score->median[CS_PREDICTOR_LEFT_OUT] = item->left_median;
        score->p90[CS_PREDICTOR_LEFT_OUT] = item->left_p90;
    }
}

/* A record and a score of one quantile. */
struct recorded_pair {
    const char *quantile;
    double was, is;
};

static int recorded_worse(const struct cs_recorded_score *item,
                          const struct cs_published_score *score, struct cs_err *err)
{
    const struct recorded_pair pairs[] = {
        {"median", item->median, score->median[CS_PREDICTOR_MODEL]},
        {"90th percentile", item->p90, score->p90[CS_PREDICTOR_MODEL]},
        {"median without the site", item->left_median, score->median[CS_PREDICTOR_LEFT_OUT]},
        {"90th percentile without the site", item->left_p90, score->p90[CS_PREDICTOR_LEFT_OUT]},
    };
    size_t i;

    for (i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
        if (pairs[i].is > pairs[i].was + CS_SCORE_SLACK)
            return cs_err_set(
                err, CS_EANSWER,
                "%s, %s: %s of |error| %.1f %%; recorded is %.1f %%, and a point more passes",
                item->name, item->sizes, pairs[i].quantile, 100 * pairs[i].is, 100 * pairs[i].was);
    return 0;
}

int cs_recorded_scores_judge(const struct cs_recorded_scores *recorded,
                             const struct cs_published_score *scores, uint32_t count,
                             struct cs_err *err)
{
    uint32_t i;
    int code = 0;

    for (i = 0; i < recorded->count && !code; i++) {
        const struct cs_recorded_score *item = &recorded->items[i];
        const struct cs_published_score *score = recorded_find(item, scores, count);

        if (!cs_same(item->group, "library"))
            continue;
        if (!score || score->tables < item->tables)
            return cs_err_set(err, CS_EANSWER, "%s, %s: %u tables predicted; recorded are %u",
                              item->name, item->sizes, score ? score->tables : 0, item->tables);
        code = recorded_worse(item, score, err);
    }
    return code;
}
