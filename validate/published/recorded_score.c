#include "validate/published/recorded_score.h"

#include "sim/base/text.h"

#include <math.h>
#include <stdio.h>

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

void cs_published_score_sheet(const struct cs_published_score *scores, uint32_t count,
                              struct cs_sheet *sheet)
{
    cs_sheet_fill(sheet, CS_ROWS("scores", score_columns, scores, count));
}

/* ---- reading ---- */

#define CELL(column, kind, member) CS_CSV(struct cs_recorded_score, kind, column, member)
static const struct cs_csv_column score_cells[] = {
    CELL("group", TEXT, group),
    CELL("name", TEXT, name),
    CELL("sizes", TEXT, sizes),
    CELL("tables", COUNT, tables),
    CELL("median", SHARE, median),
    CELL("p90", SHARE, p90),
    CELL("left_out_median", SHARE, left_median),
    CELL("left_out_p90", SHARE, left_p90),
};

/* validate/data/published/score.csv, by the Makefile. */
extern const char cs_published_score_text[];

const struct cs_record_form cs_published_record = {
    .what = "score",
    .columns = score_columns,
    .width = sizeof(score_columns) / sizeof(*score_columns),
    .cells = score_cells,
    .cell_count = sizeof(score_cells) / sizeof(*score_cells),
    .size = sizeof(struct cs_recorded_score),
    .standard = "validate/data/published",
    .built_in = cs_published_score_text,
};

/* ---- the gate ---- */

static const struct cs_published_score *recorded_find(const struct cs_recorded_score *item,
                                                      const struct cs_published_score *scores,
                                                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (cs_same(item->group, scores[i].group) && cs_same(item->name, scores[i].name) &&
            cs_same(item->sizes, cs_size_range_names[scores[i].sizes]))
            return &scores[i];
    return NULL;
}

void cs_recorded_scores_recall(const struct cs_recorded_lines *recorded,
                               struct cs_published_score *scores, uint32_t count)
{
    const struct cs_recorded_score *items = recorded->items;

    for (uint32_t i = 0; i < recorded->count; i++) {
        const struct cs_recorded_score *item = &items[i];
        const struct cs_published_score *found = recorded_find(item, scores, count);
        struct cs_published_score *score = found ? &scores[found - scores] : NULL;

        if (!score || score->tables != item->tables ||
            !isnan(score->median[CS_PREDICTOR_LEFT_OUT]) || isnan(item->left_median) ||
            isnan(item->left_p90))
            continue;
        score->median[CS_PREDICTOR_LEFT_OUT] = item->left_median;
        score->p90[CS_PREDICTOR_LEFT_OUT] = item->left_p90;
    }
}

static int recorded_worse(const struct cs_recorded_score *item,
                          const struct cs_published_score *score, struct cs_err *err)
{
    const struct cs_record_pair pairs[] = {
        {"median", item->median, score->median[CS_PREDICTOR_MODEL]},
        {"90th percentile", item->p90, score->p90[CS_PREDICTOR_MODEL]},
        {"median without the site", item->left_median, score->median[CS_PREDICTOR_LEFT_OUT]},
        {"90th percentile without the site", item->left_p90, score->p90[CS_PREDICTOR_LEFT_OUT]},
    };
    char of[CS_ERR_TEXT_MAX];

    snprintf(of, sizeof(of), "%s, %s", item->name, item->sizes);
    return cs_record_judge(of, pairs, sizeof(pairs) / sizeof(*pairs), err);
}

int cs_recorded_scores_judge(const struct cs_recorded_lines *recorded,
                             const struct cs_published_score *scores, uint32_t count,
                             struct cs_err *err)
{
    const struct cs_recorded_score *items = recorded->items;
    int code = 0;

    for (uint32_t i = 0; i < recorded->count && !code; i++) {
        const struct cs_recorded_score *item = &items[i];
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
