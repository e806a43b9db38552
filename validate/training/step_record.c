#include "validate/training/step_score.h"

#include "sim/base/text.h"

#define AT(member)    CS_AT(struct cs_step_score, member)
#define TABLE(member) CS_VIA(struct cs_step_score, table, member)
static const struct cs_sheet_column record_columns[] = {
    {"table", "table", NULL, CS_SHEET_TEXT, TABLE(id)},
    {"decided_by", "decided", "by", CS_SHEET_TEXT, TABLE(decided_by), .words = cs_step_deciders},
    {"rows", "rows", NULL, CS_SHEET_COUNT, AT(rows)},
    {"served", "served", NULL, CS_SHEET_COUNT, AT(served)},
    {"scored", "scored", NULL, CS_SHEET_COUNT, AT(error[CS_STEP_CALIBRATED].rows)},
    {"mean", "one row", "mean", CS_SHEET_SHARE, AT(error[CS_STEP_CALIBRATED].mean)},
    {"median", "", "median", CS_SHEET_SHARE, AT(error[CS_STEP_CALIBRATED].median)},
    {"p90", "", "90 %", CS_SHEET_SHARE, AT(error[CS_STEP_CALIBRATED].p90)},
    {"signed", "", "signed", CS_SHEET_SHARE, AT(error[CS_STEP_CALIBRATED].signed_mean)},
    {"plain_mean", "no row", "mean", CS_SHEET_SHARE, AT(error[CS_STEP_PLAIN].mean)},
    {"plain_median", "", "median", CS_SHEET_SHARE, AT(error[CS_STEP_PLAIN].median)},
    {"plain_p90", "", "90 %", CS_SHEET_SHARE, AT(error[CS_STEP_PLAIN].p90)},
    {"plain_signed", "", "signed", CS_SHEET_SHARE, AT(error[CS_STEP_PLAIN].signed_mean)},
    {"perfect_mean", "perfect", "mean", CS_SHEET_SHARE, AT(error[CS_STEP_BY_PERFECT].mean)},
    {"six_nd_mean", "6ND", "mean", CS_SHEET_SHARE, AT(error[CS_STEP_BY_SIX_ND].mean)},
    {"compact_mean", "compact", "mean", CS_SHEET_SHARE, AT(error[CS_STEP_BY_COMPACT].mean)},
    {"compact_median", "", "median", CS_SHEET_SHARE, AT(error[CS_STEP_BY_COMPACT].median)},
    {"compact_p90", "", "90 %", CS_SHEET_SHARE, AT(error[CS_STEP_BY_COMPACT].p90)},
    {"choices", "choices", NULL, CS_SHEET_COUNT, AT(choices)},
    {"found", "found", NULL, CS_SHEET_COUNT, AT(found)},
    {"compact_found", "compact", "found", CS_SHEET_COUNT, AT(compact_found)},
    {"language", "language", "models", CS_SHEET_COUNT, AT(language)},
    {"refused", "", "exceed", CS_SHEET_COUNT, AT(refused)},
    {"memory_rows", "memory", "rows", CS_SHEET_COUNT, AT(memory.rows)},
    {"memory_mean", "memory", "mean", CS_SHEET_SHARE, AT(memory.mean)},
    {"memory_median", "", "median", CS_SHEET_SHARE, AT(memory.median)},
    {"memory_p90", "", "90 %", CS_SHEET_SHARE, AT(memory.p90)},
    {"memory_signed", "", "signed", CS_SHEET_SHARE, AT(memory.signed_mean)},
    {"repeated_rows", "repeated", "rows", CS_SHEET_COUNT, AT(repeated.rows)},
    {"repeated_mean", "repeated", "mean", CS_SHEET_SHARE, AT(repeated.mean)},
    {"repeated_p90", "", "90 %", CS_SHEET_SHARE, AT(repeated.p90)},
};

void cs_step_score_sheet(const struct cs_step_score *scores, uint32_t count, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "scores", CS_COLUMNS(record_columns));
    for (uint32_t i = 0; i < count; i++)
        if (scores[i].rows)
            cs_sheet_row(sheet, &scores[i]);
}

/* ---- reading ---- */

#define CELL(column, kind) CS_CSV(struct cs_step_record, kind, #column, column)
static const struct cs_csv_column record_cells[] = {
    CELL(table, NAME),      CELL(served, COUNT),      CELL(found, COUNT),
    CELL(mean, SHARE),      CELL(p90, SHARE),         CELL(plain_mean, SHARE),
    CELL(plain_p90, SHARE), CELL(memory_mean, SHARE), CELL(memory_p90, SHARE),
};

/* validate/data/training/score.csv, by the Makefile. */
extern const char cs_training_score_text[];

const struct cs_record_form cs_training_record = {
    .what = "table",
    .columns = record_columns,
    .width = sizeof(record_columns) / sizeof(*record_columns),
    .cells = record_cells,
    .cell_count = sizeof(record_cells) / sizeof(*record_cells),
    .size = sizeof(struct cs_step_record),
    .standard = "validate/data/training",
    .built_in = cs_training_score_text,
};

/* ---- the gate ---- */

static int record_judge(const struct cs_step_record *item, const struct cs_step_score *score,
                        struct cs_err *err)
{
    const struct cs_step_error *one = &score->error[CS_STEP_CALIBRATED];
    const struct cs_step_error *none = &score->error[CS_STEP_PLAIN];
    const struct cs_record_pair pairs[] = {
        {"mean", item->mean, one->mean},
        {"90th percentile", item->p90, one->p90},
        {"mean without a measured row", item->plain_mean, none->mean},
        {"90th percentile without a measured row", item->plain_p90, none->p90},
        {"mean of memory", item->memory_mean, score->memory.mean},
        {"90th percentile of memory", item->memory_p90, score->memory.p90},
    };

    if (score->served < item->served)
        return cs_err_set(err, CS_EANSWER, "%s: %u rows predicted; recorded are %u", item->table,
                          score->served, item->served);
    if (score->found < item->found)
        return cs_err_set(err, CS_EANSWER,
                          "%s: the fastest configuration found in %u groups; recorded are %u",
                          item->table, score->found, item->found);
    return cs_record_judge(item->table, pairs, sizeof(pairs) / sizeof(*pairs), err);
}

/* The ranking and the memory over all tables. */
static int record_judge_all(const struct cs_step_score *scores, uint32_t count, struct cs_err *err)
{
    uint32_t choices = 0;
    uint32_t found = 0;
    uint32_t refused = 0;

    for (uint32_t i = 0; i < count; i++) {
        choices += scores[i].choices;
        found += scores[i].found;
        refused += scores[i].refused;
    }
    if (refused > CS_STEP_REFUSED_MAX)
        return cs_err_set(err, CS_EANSWER, "%u jobs exceed the memory; expected at most %d",
                          refused, CS_STEP_REFUSED_MAX);
    if (found >= CS_STEP_FOUND * choices)
        return 0;
    return cs_err_set(
        err, CS_EANSWER,
        "the fastest configuration among the first three in %u of %u groups; expected %.0f %%",
        found, choices, 100 * CS_STEP_FOUND);
}

int cs_step_records_judge(const struct cs_recorded_lines *records,
                          const struct cs_step_score *scores, uint32_t count, struct cs_err *err)
{
    const struct cs_step_record *items = records->items;
    uint32_t k;
    int code = record_judge_all(scores, count, err);

    for (uint32_t i = 0; i < records->count && !code; i++) {
        const struct cs_step_record *item = &items[i];

        for (k = 0; k < count; k++)
            if (cs_same(scores[k].table->id, item->table))
                break;
        code = k < count ? record_judge(item, &scores[k], err)
                         : cs_err_set(err, CS_EANSWER, "no table '%s'", item->table);
    }
    return code;
}
