#include "scenarios/published/report.h"

#include "validate/published/score.h"

#include <math.h>

/* ---- scores ---- */

/* The ranges of one group. */
struct published_line {
    const char *group, *name;
    const char *library;                                     /* of a variant */
    const struct cs_published_score *ranges[CS_SIZE_RANGES]; /* NULL: no rows */
    uint32_t tables, bounded, inside;
    double inside_share;
    uint32_t machines; /* of a variant; 0: unknown */
};

#define AT(member)           CS_AT(struct published_line, member)
#define RANGE(sizes, member) CS_VIA(struct published_line, ranges[sizes], member)
static const struct cs_sheet_column group_score_columns[] = {
    {"group", "", NULL, CS_SHEET_TEXT, AT(group)},
    {"name", "", NULL, CS_SHEET_TEXT, AT(name)},
    {"tables", "tables", NULL, CS_SHEET_COUNT, AT(tables)},
    {"from_64k_left_out", "left out", "from 64K", CS_SHEET_SHARE,
     RANGE(CS_SIZES_FROM_64K, median[CS_PREDICTOR_LEFT_OUT])},
    {"from_64k_left_out_p90", "", "90 %", CS_SHEET_SHARE,
     RANGE(CS_SIZES_FROM_64K, p90[CS_PREDICTOR_LEFT_OUT])},
    {"below_64k_left_out", "", "below", CS_SHEET_SHARE,
     RANGE(CS_SIZES_BELOW_64K, median[CS_PREDICTOR_LEFT_OUT])},
    {"from_256m_left_out", "", "256M", CS_SHEET_SHARE,
     RANGE(CS_SIZES_FROM_256M, median[CS_PREDICTOR_LEFT_OUT])},
    {"from_64k_median", "shipped", "from 64K", CS_SHEET_SHARE,
     RANGE(CS_SIZES_FROM_64K, median[CS_PREDICTOR_MODEL])},
    {"from_64k_p90", "", "90 %", CS_SHEET_SHARE, RANGE(CS_SIZES_FROM_64K, p90[CS_PREDICTOR_MODEL])},
    {"below_64k_median", "", "below", CS_SHEET_SHARE,
     RANGE(CS_SIZES_BELOW_64K, median[CS_PREDICTOR_MODEL])},
    {"from_256m_median", "", "256M", CS_SHEET_SHARE,
     RANGE(CS_SIZES_FROM_256M, median[CS_PREDICTOR_MODEL])},
    {"rooted_median", "", "rooted", CS_SHEET_SHARE,
     RANGE(CS_SIZES_ROOTED_BELOW_64K, median[CS_PREDICTOR_MODEL])},
    {"from_64k_bias", "signed", "from 64K", CS_SHEET_SHARE, RANGE(CS_SIZES_FROM_64K, bias)},
    {"ring_median", "ring", "from 64K", CS_SHEET_SHARE,
     RANGE(CS_SIZES_FROM_64K, median[CS_PREDICTOR_RING])},
    {"tuner_median", "tuner", "from 64K", CS_SHEET_SHARE,
     RANGE(CS_SIZES_FROM_64K, median[CS_PREDICTOR_TUNER])},
    {"inside", "inside", NULL, CS_SHEET_SHARE, AT(inside_share)},
};

/* Gathers the scores of the group at `first`; returns the index behind. */
static uint32_t published_gather(const struct cs_published_score *scores, uint32_t count,
                                 uint32_t first, struct published_line *line)
{
    uint32_t i;

    *line = (struct published_line){.group = scores[first].group, .name = scores[first].name};
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
    line->inside_share = line->bounded ? (double)line->inside / line->bounded : (double)NAN;
    return i;
}

void cs_published_print_scores(const struct cs_published_view *view,
                               const struct cs_published_score *scores, uint32_t count)
{
    struct cs_sheet sheet = {0};
    struct published_line line;
    uint32_t first = 0;

    cs_sheet_begin(&sheet, "groups", CS_COLUMNS(group_score_columns));
    while (first < count) {
        uint32_t next = published_gather(scores, count, first, &line);

        cs_sheet_row(&sheet, &line);
        first = next;
    }
    cs_cli_sheet_end(view->cli, &sheet, view->format);
}

/* ---- signed errors ---- */

static const struct cs_sheet_column bias_columns[] = {
    {"class", "signed error", NULL, CS_SHEET_TEXT, CS_AT(struct cs_published_bias, name)},
    {"below_64k", "below", "64 KiB", CS_SHEET_SHARE, CS_AT(struct cs_published_bias, bias[0])},
    {"to_1m", "64 KiB", "-1 MiB", CS_SHEET_SHARE, CS_AT(struct cs_published_bias, bias[1])},
    {"to_16m", "1", "-16 MiB", CS_SHEET_SHARE, CS_AT(struct cs_published_bias, bias[2])},
    {"to_256m", "16", "-256 MiB", CS_SHEET_SHARE, CS_AT(struct cs_published_bias, bias[3])},
    {"from_256m", "from", "256 MiB", CS_SHEET_SHARE, CS_AT(struct cs_published_bias, bias[4])},
    {"overall", "all", "sizes", CS_SHEET_SHARE, CS_AT(struct cs_published_bias, bias[5])},
    {"rows", "rows", NULL, CS_SHEET_COUNT, CS_AT(struct cs_published_bias, rows[CS_SIZE_DECADES])},
};

void cs_published_print_biases(const struct cs_published_view *view)
{
    struct cs_published_bias *biases;
    uint32_t count =
        cs_published_biases(view->answers, view->published->count, view->arena, &biases);

    cs_cli_rows(view->cli, CS_ROWS("biases", bias_columns, biases, count), view->format);
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
    for (uint32_t i = 0; i < count; i++) {
        const struct cs_published_score *score = &scores[i];

        if (!cs_same(score->group, "library") || score->sizes == CS_SIZES_ROOTED_BELOW_64K ||
            isnan(score->median[CS_PREDICTOR_LEFT_OUT]))
            continue;
        fprintf(view->cli->out,
                "%s, %s: %.1f %% (90 %%: %.1f %%) of sites left out of the estimate, %.1f %% (%.1f "
                "%%) in sample.\n",
                score->name, cs_size_range_names[score->sizes],
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

    for (uint32_t i = 0; i < view->published->count; i++)
        unknown += view->answers[i].unknown != NULL;
    for (uint32_t i = 0; i < count; i++)
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
    {"group", "", NULL, CS_SHEET_TEXT, AT(group)},
    {"name", "", NULL, CS_SHEET_TEXT, AT(name)},
    {"library", "library", NULL, CS_SHEET_TEXT, AT(library)},
    {"machines", "machines", NULL, CS_SHEET_COUNT, AT(machines), CS_IF_POSITIVE},
    {"tables", "tables", NULL, CS_SHEET_COUNT, AT(tables)},
    {"from_64k_median", "from 64 KiB", "median", CS_SHEET_SHARE,
     RANGE(CS_SIZES_FROM_64K, median[CS_PREDICTOR_MODEL])},
    {"from_64k_p90", "", "90 %", CS_SHEET_SHARE, RANGE(CS_SIZES_FROM_64K, p90[CS_PREDICTOR_MODEL])},
    {"from_64k_bias", "", "signed", CS_SHEET_SHARE, RANGE(CS_SIZES_FROM_64K, bias)},
    {"below_64k_median", "below", "median", CS_SHEET_SHARE,
     RANGE(CS_SIZES_BELOW_64K, median[CS_PREDICTOR_MODEL])},
    {"from_256m_median", "256 MiB", "median", CS_SHEET_SHARE,
     RANGE(CS_SIZES_FROM_256M, median[CS_PREDICTOR_MODEL])},
};

void cs_published_print_variants(const struct cs_published_view *view, const char *name,
                                 const struct cs_published_variant *variants, uint32_t count)
{
    struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, name, CS_COLUMNS(variant_columns));
    for (uint32_t i = 0; i < count; i++) {
        const struct cs_published_variant *variant = &variants[i];
        uint32_t first = 0;

        while (first < variant->count) {
            struct published_line line;
            uint32_t next = published_gather(variant->scores, variant->count, first, &line);

            if (cs_same(line.group, "library")) {
                line.library = line.name;
                line.group = variant->group;
                line.name = variant->name;
                line.machines = variant->machines;
                cs_sheet_row(&sheet, &line);
            }
            first = next;
        }
    }
    cs_cli_sheet_end(view->cli, &sheet, view->format);
}
