#include "validate/training/step_record.h"

#include "sim/base/file.h"
#include "sim/base/text.h"
#include "validate/training/step_lines.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

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
    {"memory_rows", "memory", "rows", CS_SHEET_COUNT, AT(memory.rows)},
    {"memory_mean", "memory", "mean", CS_SHEET_SHARE, AT(memory.mean)},
    {"memory_median", "", "median", CS_SHEET_SHARE, AT(memory.median)},
    {"memory_p90", "", "90 %", CS_SHEET_SHARE, AT(memory.p90)},
    {"memory_signed", "", "signed", CS_SHEET_SHARE, AT(memory.signed_mean)},
    {"repeated_rows", "repeated", "rows", CS_SHEET_COUNT, AT(repeated.rows)},
    {"repeated_mean", "repeated", "mean", CS_SHEET_SHARE, AT(repeated.mean)},
    {"repeated_p90", "", "90 %", CS_SHEET_SHARE, AT(repeated.p90)},
};

enum {
    RECORD_COLUMNS = sizeof(record_columns) / sizeof(*record_columns),
    RECORD_BYTES_MAX = 1 << 20,
};

void cs_step_score_sheet(const struct cs_step_score *scores, uint32_t count, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "scores", record_columns, RECORD_COLUMNS);
    for (uint32_t i = 0; i < count; i++)
        if (scores[i].rows)
            cs_sheet_row(sheet, &scores[i]);
}

/* ---- reading ---- */

/* The cells that the gate compares; others are for people. */
static const struct {
    const char *name;
    enum cs_step_cell cell;
    size_t offset;
} record_cells[] = {
    {"table", CS_STEP_CELL_NAME, offsetof(struct cs_step_record, table)},
    {"served", CS_STEP_CELL_COUNT, offsetof(struct cs_step_record, served)},
    {"found", CS_STEP_CELL_COUNT, offsetof(struct cs_step_record, found)},
    {"mean", CS_STEP_CELL_NUMBER, offsetof(struct cs_step_record, mean)},
    {"p90", CS_STEP_CELL_NUMBER, offsetof(struct cs_step_record, p90)},
    {"plain_mean", CS_STEP_CELL_NUMBER, offsetof(struct cs_step_record, plain_mean)},
    {"plain_p90", CS_STEP_CELL_NUMBER, offsetof(struct cs_step_record, plain_p90)},
    {"memory_mean", CS_STEP_CELL_NUMBER, offsetof(struct cs_step_record, memory_mean)},
    {"memory_p90", CS_STEP_CELL_NUMBER, offsetof(struct cs_step_record, memory_p90)},
};

static struct cs_step_column record_column(const char *name)
{
    struct cs_step_column column = {.name = name, .cell = CS_STEP_CELL_SKIP, .unit = 1};
    size_t i;

    for (i = 0; i < sizeof(record_cells) / sizeof(*record_cells); i++)
        if (cs_same(name, record_cells[i].name)) {
            column.cell = record_cells[i].cell;
            column.offset = record_cells[i].offset;
        }
    return column;
}

int cs_step_records_read(struct cs_published_text text, struct cs_arena *arena,
                         struct cs_step_records *records, struct cs_err *err)
{
    struct cs_csv_rows csv = {
        .file = text.file, .at = text.text, .end = text.text + text.length, .arena = arena};
    struct cs_step_column columns[RECORD_COLUMNS];
    struct cs_step_lines lines;
    size_t i;
    int code =
        cs_step_lines_begin(text, "table", sizeof(struct cs_step_record), arena, &lines, err);

    for (i = 0; i < RECORD_COLUMNS; i++)
        columns[i] = record_column(record_columns[i].name);
    records->count = 0;
    if (!code)
        code = cs_step_lines_read(&csv, columns, RECORD_COLUMNS, &lines, &records->count, err);
    records->items = (const void *)lines.base;
    return code;
}

/* validate/data/training/score.csv, by the Makefile. */
extern const char cs_training_score_text[];

int cs_step_records_open(const char *directory, struct cs_arena *arena,
                         struct cs_step_records *records, struct cs_err *err)
{
    const char *file =
        cs_arena_printf(arena, "%s/score.csv", directory ? directory : "validate/data/training");
    struct cs_text text = {0};
    int code = 0;

    if (directory)
        code = cs_file_read(file, RECORD_BYTES_MAX, &text, err);
    else
        cs_text_add(&text, cs_training_score_text);
    if (!code)
        code = cs_step_records_read(
            (struct cs_published_text){file, cs_text_str(&text), text.length}, arena, records, err);
    cs_text_free(&text);
    return code;
}

/* ---- the gate ---- */

/* An empty cell of the record is 0: no row was scored. */
static int record_worse(const char *table, const char *what, double was, double is,
                        struct cs_err *err)
{
    if (was <= 0 || is <= was + CS_STEP_SLACK)
        return 0;
    return cs_err_set(err, CS_EANSWER,
                      "%s: %s of |error| %.1f %%; recorded is %.1f %%, and a point more passes",
                      table, what, 100 * is, 100 * was);
}

static int record_judge_memory(const struct cs_step_record *item, const struct cs_step_score *score,
                               struct cs_err *err)
{
    int code =
        record_worse(item->table, "mean of memory", item->memory_mean, score->memory.mean, err);

    return code ? code
                : record_worse(item->table, "90th percentile of memory", item->memory_p90,
                               score->memory.p90, err);
}

static int record_judge(const struct cs_step_record *item, const struct cs_step_score *score,
                        struct cs_err *err)
{
    const struct cs_step_error *one = &score->error[CS_STEP_CALIBRATED];
    const struct cs_step_error *none = &score->error[CS_STEP_PLAIN];
    int code;

    if (score->served < item->served)
        return cs_err_set(err, CS_EANSWER, "%s: %u rows predicted; recorded are %u", item->table,
                          score->served, item->served);
    if (score->found < item->found)
        return cs_err_set(err, CS_EANSWER,
                          "%s: the fastest configuration found in %u groups; recorded are %u",
                          item->table, score->found, item->found);
    code = record_worse(item->table, "mean", item->mean, one->mean, err);
    if (!code)
        code = record_worse(item->table, "90th percentile", item->p90, one->p90, err);
    if (!code)
        code = record_worse(item->table, "mean without a measured row", item->plain_mean,
                            none->mean, err);
    if (!code)
        code = record_worse(item->table, "90th percentile without a measured row", item->plain_p90,
                            none->p90, err);
    return code ? code : record_judge_memory(item, score, err);
}

/* The ranking over all tables. */
static int record_judge_found(const struct cs_step_score *scores, uint32_t count,
                              struct cs_err *err)
{
    uint32_t choices = 0;
    uint32_t found = 0;
    uint32_t i;

    for (i = 0; i < count; i++) {
        choices += scores[i].choices;
        found += scores[i].found;
    }
    if (found >= CS_STEP_FOUND * choices)
        return 0;
    return cs_err_set(
        err, CS_EANSWER,
        "the fastest configuration among the first three in %u of %u groups; expected %.0f %%",
        found, choices, 100 * CS_STEP_FOUND);
}

int cs_step_records_judge(const struct cs_step_records *records, const struct cs_step_score *scores,
                          uint32_t count, struct cs_err *err)
{
    uint32_t i;
    uint32_t k;
    int code = record_judge_found(scores, count, err);

    for (i = 0; i < records->count && !code; i++) {
        const struct cs_step_record *item = &records->items[i];

        for (k = 0; k < count; k++)
            if (cs_same(scores[k].table->id, item->table))
                break;
        code = k < count ? record_judge(item, &scores[k], err)
                         : cs_err_set(err, CS_EANSWER, "no table '%s'", item->table);
    }
    return code;
}
