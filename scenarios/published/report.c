#include "scenarios/published/report.h"

#include "validate/published/signed_error.h"

#include <math.h>

static void published_print(const struct cs_published_view *view, struct cs_sheet *sheet)
{
    cs_cli_sheet(view->cli, sheet, view->format);
    cs_sheet_free(sheet);
}

/* ---- scores ---- */

static const struct cs_sheet_column group_score_columns[] = {
    {"group", "", NULL, CS_SHEET_TEXT},
    {"name", "", NULL, CS_SHEET_TEXT},
    {"tables", "tables", NULL, CS_SHEET_COUNT},
    {"from_64k_left_out", "left out", "from 64K", CS_SHEET_SHARE},
    {"from_64k_left_out_p90", "", "90 %", CS_SHEET_SHARE},
    {"below_64k_left_out", "", "below", CS_SHEET_SHARE},
    {"from_256m_left_out", "", "256M", CS_SHEET_SHARE},
    {"from_64k_median", "shipped", "from 64K", CS_SHEET_SHARE},
    {"from_64k_p90", "", "90 %", CS_SHEET_SHARE},
    {"below_64k_median", "", "below", CS_SHEET_SHARE},
    {"from_256m_median", "", "256M", CS_SHEET_SHARE},
    {"rooted_median", "", "rooted", CS_SHEET_SHARE},
    {"from_64k_bias", "signed", "from 64K", CS_SHEET_SHARE},
    {"ring_median", "ring", "from 64K", CS_SHEET_SHARE},
    {"tuner_median", "tuner", "from 64K", CS_SHEET_SHARE},
    {"inside", "inside", NULL, CS_SHEET_SHARE},
};

/* The ranges of one group. */
struct published_line {
    const struct cs_published_score *ranges[CS_SIZE_RANGES];
    uint32_t tables, bounded, inside;
};

/* Gathers the scores of the group at `first`; returns the index behind. */
static uint32_t published_gather(const struct cs_published_score *scores, uint32_t count,
                                 uint32_t first, struct published_line *line)
{
    uint32_t i;

    *line = (struct published_line){0};
    for (i = first; i < count && cs_same(scores[i].name, scores[first].name) &&
                    cs_same(scores[i].group, scores[first].group);
         i++) {
        line->ranges[scores[i].sizes] = &scores[i];
        if (scores[i].tables > line->tables)
            line->tables = scores[i].tables;
        /* From 256 MiB on the rows are counted from 64 KiB on already. */
        if (scores[i].sizes != CS_SIZES_FROM_256M) {
            line->bounded += scores[i].bounded;
            line->inside += scores[i].inside;
        }
    }
    return i;
}

static double published_median(const struct published_line *line, enum cs_size_range sizes,
                               int predictor)
{
    const struct cs_published_score *score = line->ranges[sizes];

    return score ? score->median[predictor] : (double)NAN;
}

static void published_errors(struct cs_sheet *sheet, const struct published_line *line)
{
    static const int predictors[] = {CS_PREDICTOR_LEFT_OUT, CS_PREDICTOR_MODEL};
    const struct cs_published_score *from = line->ranges[CS_SIZES_FROM_64K];
    size_t k;

    for (k = 0; k < 2; k++) {
        int predictor = predictors[k];

        cs_sheet_real(sheet, published_median(line, CS_SIZES_FROM_64K, predictor));
        cs_sheet_real(sheet, from ? from->p90[predictor] : (double)NAN);
        cs_sheet_real(sheet, published_median(line, CS_SIZES_BELOW_64K, predictor));
        cs_sheet_real(sheet, published_median(line, CS_SIZES_FROM_256M, predictor));
    }
    cs_sheet_real(sheet, published_median(line, CS_SIZES_ROOTED_BELOW_64K, CS_PREDICTOR_MODEL));
    cs_sheet_real(sheet, from ? from->bias : (double)NAN);
    cs_sheet_real(sheet, published_median(line, CS_SIZES_FROM_64K, CS_PREDICTOR_RING));
    cs_sheet_real(sheet, published_median(line, CS_SIZES_FROM_64K, CS_PREDICTOR_TUNER));
}

void cs_published_print_scores(const struct cs_published_view *view,
                               const struct cs_published_score *scores, uint32_t count)
{
    struct cs_sheet sheet = {0};
    struct published_line line;
    uint32_t first = 0;

    cs_sheet_begin(&sheet, "groups", group_score_columns,
                   sizeof(group_score_columns) / sizeof(*group_score_columns));
    while (first < count) {
        uint32_t next = published_gather(scores, count, first, &line);

        cs_sheet_text(&sheet, scores[first].group);
        cs_sheet_text(&sheet, scores[first].name);
        cs_sheet_u64(&sheet, line.tables);
        published_errors(&sheet, &line);
        cs_sheet_real(&sheet, line.bounded ? (double)line.inside / line.bounded : (double)NAN);
        first = next;
    }
    published_print(view, &sheet);
}

/* ---- signed errors ---- */

static const struct cs_sheet_column bias_columns[] = {
    {"class", "signed error", NULL, CS_SHEET_TEXT},
    {"below_64k", "below", "64 KiB", CS_SHEET_SHARE},
    {"to_1m", "64 KiB", "-1 MiB", CS_SHEET_SHARE},
    {"to_16m", "1", "-16 MiB", CS_SHEET_SHARE},
    {"to_256m", "16", "-256 MiB", CS_SHEET_SHARE},
    {"from_256m", "from", "256 MiB", CS_SHEET_SHARE},
    {"overall", "all", "sizes", CS_SHEET_SHARE},
    {"rows", "rows", NULL, CS_SHEET_COUNT},
};

void cs_published_print_biases(const struct cs_published_view *view)
{
    struct cs_published_bias *biases;
    uint32_t count =
        cs_published_biases(view->answers, view->published->count, view->arena, &biases);
    struct cs_sheet sheet = {0};
    uint32_t i;
    uint32_t k;

    cs_sheet_begin(&sheet, "biases", bias_columns, sizeof(bias_columns) / sizeof(*bias_columns));
    for (i = 0; i < count; i++) {
        cs_sheet_text(&sheet, biases[i].name);
        for (k = 0; k <= CS_SIZE_DECADES; k++)
            cs_sheet_real(&sheet, biases[i].bias[k]);
        cs_sheet_u64(&sheet, biases[i].rows[CS_SIZE_DECADES]);
    }
    published_print(view, &sheet);
}

/* ---- sentences ---- */

static void published_noise(const struct cs_published_view *view)
{
    struct cs_site_noise sites =
        cs_site_noise_of(view->published, CS_SIZES_FROM_64K, false, view->arena);
    struct cs_site_noise repeats =
        cs_site_noise_of(view->published, CS_SIZES_FROM_64K, true, view->arena);

    if (sites.pairs > 0)
        fprintf(view->cli->out,
                "Two sites with one kind of machine differ by %.1f %% (median of %u pairs, from 64 "
                "KiB; 90 %%: %.1f %%).\n",
                100 * sites.median, sites.pairs, 100 * sites.p90);
    if (repeats.pairs > 0)
        fprintf(view->cli->out,
                "Two tables of one site and machine differ by %.1f %% (median of %u pairs).\n",
                100 * repeats.median, repeats.pairs);
}

/* The error in sample beside that of sites left out, last: the second is what
 * the model is worth elsewhere. */
static void published_honest(const struct cs_published_view *view,
                             const struct cs_published_score *scores, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++) {
        const struct cs_published_score *score = &scores[i];

        if (!cs_same(score->group, "library") || score->sizes == CS_SIZES_ROOTED_BELOW_64K ||
            isnan(score->median[CS_PREDICTOR_LEFT_OUT]))
            continue;
        fprintf(view->cli->out,
                "%s, %s: %.1f %% (90 %%: %.1f %%) of sites left out of the estimate, %.1f %% (%.1f "
                "%%) in sample.\n",
                score->name, cs_size_range_name(score->sizes),
                100 * score->median[CS_PREDICTOR_LEFT_OUT], 100 * score->p90[CS_PREDICTOR_LEFT_OUT],
                100 * score->median[CS_PREDICTOR_MODEL], 100 * score->p90[CS_PREDICTOR_MODEL]);
    }
}

void cs_published_print_summary(const struct cs_published_view *view,
                                const struct cs_published_score *scores, uint32_t count,
                                bool left_out)
{
    uint32_t unknown = 0;
    uint32_t bounded = 0;
    uint32_t inside = 0;
    uint32_t i;

    for (i = 0; i < view->published->count; i++)
        unknown += view->answers[i].unknown != NULL;
    for (i = 0; i < count; i++)
        if (cs_same(scores[i].group, "library") && scores[i].sizes != CS_SIZES_FROM_256M) {
            bounded += scores[i].bounded;
            inside += scores[i].inside;
        }
    fprintf(
        view->cli->out,
        "\n%u tables, %llu rows; %u tables without a prediction (--tables names the reasons).\n"
        "shipped: the parameters of NCCL's and MPI's models are estimates from these tables: an "
        "error in sample.\n"
        "left out: parameters estimated without the tables of the site: the error to expect "
        "elsewhere;\n  %s.\n"
        "ring: the ring of datasheets, 5 us a step and the bytes at the datasheet rate of the "
        "slowest port.\n"
        "tuner: the library's own estimate, the ring where it has none.\n",
        view->published->count, (unsigned long long)view->published->row_count, unknown,
        left_out
            ? "signed errors, the worst tables and intervals are of this prediction where it exists"
            : "as recorded; --leave-out estimates again");
    published_noise(view);
    if (bounded > 0)
        fprintf(view->cli->out, "%.1f %% of %u rows lie inside their 90 %% interval.\n",
                100.0 * inside / bounded, bounded);
    published_honest(view, scores, count);
}

/* ---- variants ---- */

static const struct cs_sheet_column variant_columns[] = {
    {"group", "", NULL, CS_SHEET_TEXT},
    {"name", "", NULL, CS_SHEET_TEXT},
    {"library", "library", NULL, CS_SHEET_TEXT},
    {"machines", "machines", NULL, CS_SHEET_COUNT},
    {"tables", "tables", NULL, CS_SHEET_COUNT},
    {"from_64k_median", "from 64 KiB", "median", CS_SHEET_SHARE},
    {"from_64k_p90", "", "90 %", CS_SHEET_SHARE},
    {"from_64k_bias", "", "signed", CS_SHEET_SHARE},
    {"below_64k_median", "below", "median", CS_SHEET_SHARE},
    {"from_256m_median", "256 MiB", "median", CS_SHEET_SHARE},
};

static void published_variant(struct cs_sheet *sheet, const struct cs_published_variant *variant,
                              const struct published_line *line, const char *library)
{
    const struct cs_published_score *from = line->ranges[CS_SIZES_FROM_64K];

    cs_sheet_text(sheet, variant->group);
    cs_sheet_text(sheet, variant->name);
    cs_sheet_text(sheet, library);
    if (variant->machines)
        cs_sheet_u64(sheet, variant->machines);
    else
        cs_sheet_none(sheet);
    cs_sheet_u64(sheet, line->tables);
    cs_sheet_real(sheet, from ? from->median[CS_PREDICTOR_MODEL] : (double)NAN);
    cs_sheet_real(sheet, from ? from->p90[CS_PREDICTOR_MODEL] : (double)NAN);
    cs_sheet_real(sheet, from ? from->bias : (double)NAN);
    cs_sheet_real(sheet, published_median(line, CS_SIZES_BELOW_64K, CS_PREDICTOR_MODEL));
    cs_sheet_real(sheet, published_median(line, CS_SIZES_FROM_256M, CS_PREDICTOR_MODEL));
}

void cs_published_print_variants(const struct cs_published_view *view, const char *name,
                                 const struct cs_published_variant *variants, uint32_t count)
{
    struct cs_sheet sheet = {0};
    uint32_t i;

    cs_sheet_begin(&sheet, name, variant_columns,
                   sizeof(variant_columns) / sizeof(*variant_columns));
    for (i = 0; i < count; i++) {
        const struct cs_published_variant *variant = &variants[i];
        uint32_t first = 0;

        while (first < variant->count) {
            struct published_line line;
            uint32_t next = published_gather(variant->scores, variant->count, first, &line);

            if (cs_same(variant->scores[first].group, "library"))
                published_variant(&sheet, variant, &line, variant->scores[first].name);
            first = next;
        }
    }
    published_print(view, &sheet);
}
