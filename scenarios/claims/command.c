/*
 * claims: statements of textbooks, measured on six media.
 */
#include "scenarios/commands.h"
#include "scenarios/run/request/scenario.h"
#include "validate/claims/claims.h"

#include <math.h>

/* The command line. */
struct claims_ask {
    enum cs_format format;
#define OPTIONS "scenarios/claims/options.def"
#include "scenarios/options/members.def"
};

static const struct cs_option claims_options[] = {
#define TARGET  struct claims_ask
#define OPTIONS "scenarios/claims/options.def"
#include "scenarios/options/entries.def"
};

static const char *const verdicts[CS_VERDICTS] = {"holds", "otherwise", "contradicts", "silent"};

struct printer {
    enum cs_format format;
    const char *topo;
    int columns; /* media, or 1 machine */
    struct cs_text text;
    struct cs_sheet sheet; /* for programs */
};

static const char *cmd_claims_column_name(const struct printer *printer, int column)
{
    return printer->topo ? printer->topo : cs_medium_name(column);
}

/* "holds", or the correct formula. */
static void cell_text(const struct cs_claim_cell *cell, struct cs_text *out)
{
    switch (cell->verdict) {
    case CS_CLAIM_HOLDS:
        cs_text_add(out, "holds");
        break;
    case CS_CLAIM_OTHERWISE:
        if (cell->correct[0])
            cs_text_printf(out, "no: %s", cell->correct);
        else
            cs_text_printf(out, "no: %.4g times", cell->least_ratio);
        break;
    case CS_CLAIM_CONTRADICTS:
        cs_text_printf(out, "CONTRADICTS %s by %.2g %%", cell->correct, 100 * cell->error);
        break;
    default:
        cs_text_add(out, "-");
    }
}

/* ---- text: a block per claim ---- */

static void text_ratio(const struct cs_claim_cell *cell, struct cs_text *out)
{
    char least[32];
    char most[32];

    snprintf(least, sizeof(least), "%.4g", cell->least_ratio);
    snprintf(most, sizeof(most), "%.4g", cell->most_ratio);
    if (cs_same(least, most))
        cs_text_printf(out, " %s times the claim", least);
    else
        cs_text_printf(out, " %s to %s times the claim", least, most);
    cs_text_printf(out, " (%s)", cell->algorithm);
}

static void text_cells(const struct printer *printer, const struct cs_claim_cell *cells,
                       size_t claim, struct cs_text *out)
{
    struct cs_text text = {0};

    cs_text_printf(out, "%s %s\n", cs_claim_subject(claim), cs_claim_formula(claim));
    for (int medium = 0; medium < printer->columns; medium++) {
        const struct cs_claim_cell *cell = &cells[medium];

        if (cell->verdict == CS_CLAIM_SILENT)
            continue;
        cell_text(cell, &text);
        cs_text_printf(out, "  %-22s %-26s", cmd_claims_column_name(printer, medium),
                       cs_text_str(&text));
        if (cell->verdict != CS_CLAIM_HOLDS && !printer->topo)
            text_ratio(cell, out);
        while (out->data[out->length - 1] == ' ')
            out->data[--out->length] = '\0';
        cs_text_add(out, "\n");
        if (cell->odd_unbuffered && cell->odd_unbuffered[0])
            cs_text_printf(out,
                           "    with odd p           %s if the switch had no buffer (derived)\n",
                           cell->odd_unbuffered);
        cs_text_free(&text);
    }
    cs_text_printf(out, "  when: %s\n\n", cs_claim_condition(claim));
}

/* ---- JSON and CSV: a record per cell ---- */

struct claim_row {
    const char *claim, *claimed, *medium;
    const struct cs_claim_cell *cell;
    const char *odd_unbuffered; /* NULL: without a difference */
};

#define AT(member)   CS_AT(struct claim_row, member)
#define CELL(member) CS_VIA(struct claim_row, cell, member)
#define ODD                                                                   \
    {                                                                         \
        "odd_ranks_unbuffered", NULL, NULL, CS_SHEET_TEXT, AT(odd_unbuffered) \
    }

#define CLAIM_COLUMNS                                                             \
    {"claim", NULL, NULL, CS_SHEET_TEXT, AT(claim)},                              \
        {"claimed", NULL, NULL, CS_SHEET_TEXT, AT(claimed)},                      \
        {"medium", NULL, NULL, CS_SHEET_TEXT, AT(medium)},                        \
        {"verdict", NULL, NULL, CS_SHEET_TEXT, CELL(verdict), .words = verdicts}, \
    {                                                                             \
        "correct", NULL, NULL, CS_SHEET_TEXT, CELL(correct)                       \
    }
#define RATIO_COLUMNS                                                  \
    {"algorithm", NULL, NULL, CS_SHEET_TEXT, CELL(algorithm)},         \
        {"least_ratio", NULL, NULL, CS_SHEET_REAL, CELL(least_ratio)}, \
    {                                                                  \
        "most_ratio", NULL, NULL, CS_SHEET_REAL, CELL(most_ratio)      \
    }

static const struct cs_sheet_column json_columns[] = {CLAIM_COLUMNS, ODD, RATIO_COLUMNS};
static const struct cs_sheet_column csv_columns[] = {CLAIM_COLUMNS, RATIO_COLUMNS, ODD};

static void add_claim_cell(struct printer *printer, const struct cs_claim_cell *cell, size_t claim,
                           const char *medium)
{
    struct claim_row row = {cs_claim_subject(claim), cs_claim_formula(claim), medium, cell, NULL};

    if (cell->odd_unbuffered && cell->odd_unbuffered[0])
        row.odd_unbuffered = cell->odd_unbuffered;
    cs_sheet_row(&printer->sheet, &row);
}

/* ---- the command ---- */

static void print_claim(struct printer *printer, const struct cs_claim_cell *cells, size_t claim)
{
    if (printer->format == CS_FORMAT_TEXT)
        text_cells(printer, cells, claim, &printer->text);
    for (int medium = 0; medium < printer->columns && printer->format != CS_FORMAT_TEXT; medium++)
        if (cells[medium].verdict != CS_CLAIM_SILENT)
            add_claim_cell(printer, &cells[medium], claim, cmd_claims_column_name(printer, medium));
}

/* Measures and prints every claim; *wrong: number of contradicting cells. */
static int claims_measure_all(const struct cs_cli *cli, struct printer *printer, unsigned *wrong,
                              struct cs_err *err)
{
    const struct cs_monitor *monitor = cs_cli_watch(cli, "measuring the claims", 0, 1);
    struct cs_claim_cell cells[CS_MEDIA] = {0};
    int code = 0;

    for (size_t claim = 0; claim < cs_claim_count && !code; claim++) {
        for (int medium = 0; medium < printer->columns && !code; medium++) {
            code = printer->topo ? cs_claim_measure_on(claim, printer->topo, &cells[medium], err)
                                 : cs_claim_measure(claim, medium, &cells[medium], err);
            *wrong += cells[medium].verdict == CS_CLAIM_CONTRADICTS;
        }
        if (!code)
            print_claim(printer, cells, claim);
        if (!code && !cs_monitor_count(monitor, claim + 1, cs_claim_count))
            code = cs_err_set(err, CS_ESTOPPED, "stopped");
    }
    cs_cli_watched(cli);
    return code;
}

static void cmd_claims_begin(struct printer *printer)
{
    if (printer->format == CS_FORMAT_JSON)
        cs_sheet_begin(&printer->sheet, "claims", CS_COLUMNS(json_columns));
    if (printer->format == CS_FORMAT_CSV)
        cs_sheet_begin(&printer->sheet, "claims", CS_COLUMNS(csv_columns));
    if (printer->format != CS_FORMAT_TEXT || printer->topo)
        return;
    cs_text_add(&printer->text, "p ranks, V bytes each, bandwidth beta; alpha = gamma = 0; "
                                "measured for p from 2 to 16\n\n");
    for (int medium = 0; medium < CS_MEDIA; medium++)
        cs_text_printf(&printer->text, "  %-22s %s\n", cs_medium_name(medium),
                       cs_medium_about(medium));
    cs_text_add(&printer->text, "\n");
}

static void cmd_claims_end(struct printer *printer, const struct cs_cli *cli, int code)
{
    if (printer->format != CS_FORMAT_TEXT)
        cs_sheet_write(&printer->sheet, printer->format, CS_STYLE_PLAIN, &printer->text);
    if (!code || printer->format != CS_FORMAT_JSON)
        fputs(cs_text_str(&printer->text), cli->out);
    cs_sheet_free(&printer->sheet);
    cs_text_free(&printer->text);
}

/* ---- redundancy against traffic: for every algorithm that reduces or replicates, the bytes
 * that ranks send and the redundant bytes that they leave, measured by the proof on a switch
 * of 8 ranks, in units of the vector ---- */

enum {
    REDUNDANCY_RANKS = 8
};

struct redundancy_row {
    const struct cs_algo *algo;
    struct cs_redundancy bytes; /* over V */
    double ratio;               /* sent over redundant */
    bool equal;
    const char *why;
};

#undef AT
#define AT(member) CS_AT(struct redundancy_row, member)
static const struct cs_sheet_column redundancy_columns[] = {
    {"collective", "collective", NULL, CS_SHEET_TEXT,
     CS_VIA2(struct redundancy_row, algo, collective, name)},
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT, CS_VIA(struct redundancy_row, algo, name)},
    {"sent_per_v", "sent", "of V", CS_SHEET_REAL, AT(bytes.sent)},
    {"redundant_per_v_after_reduce_scatter", "redundant", "after scatter", CS_SHEET_REAL,
     AT(bytes.scattered), CS_WHEN(struct redundancy_row, bytes.has_scatter)},
    {"redundant_per_v", "redundant", "of V", CS_SHEET_REAL, AT(bytes.left)},
    {"sent_per_redundant", "sent /", "redundant", CS_SHEET_REAL, AT(ratio)},
    {"equal", "equal", NULL, CS_SHEET_BOOL, AT(equal)},
    {"why", "why", NULL, CS_SHEET_TEXT, AT(why)},
};

/* The meaning of sent / redundant.  A phase of least volume leaves a redundant
 * byte per byte sent; the second of two phases overwrites the redundant bytes of
 * the first. */
static const char *why_ratio(const struct cs_algo *algo, const struct cs_redundancy *redundancy)
{
    bool two_phases = algo->collective == &cs_collective_allreduce;
    double over = redundancy->sent / redundancy->left - (two_phases ? 2 : 1);

    if (over > 1e-9)
        return two_phases ? "sends more than two least phases" : "sends more than the least volume";
    return two_phases ? "two phases of least volume, one redundancy left"
                      : "one phase of least volume";
}

static void add_redundancy(struct cs_sheet *sheet, const struct cs_algo *algo,
                           const struct cs_redundancy *redundancy)
{
    cs_sheet_row(sheet, &(struct redundancy_row){
                            .algo = algo,
                            .bytes = *redundancy,
                            .ratio = redundancy->sent / redundancy->left,
                            .equal = fabs(redundancy->sent - redundancy->left) < 1e-9,
                            .why = why_ratio(algo, redundancy),
                        });
}

/* Every algorithm that reduces or replicates and takes this number of ranks. */
static int fill_redundancy(struct cs_sheet *sheet, struct cs_err *err)
{
    static const struct cs_collective *const about[] = {
        &cs_collective_reducescatter, &cs_collective_allgather, &cs_collective_allreduce};
    struct cs_redundancy redundancy;
    int code = 0;

    for (size_t c = 0; c < 3 && !code; c++)
        for (size_t i = 0; i < cs_algo_count && !code; i++) {
            if (cs_algos[i]->collective != about[c])
                continue;
            code = cs_claim_redundancy(cs_algos[i], REDUNDANCY_RANKS, &redundancy, err);
            if (code == CS_EINPUT) { /* another number of ranks is required */
                *err = (struct cs_err){0};
                code = 0;
            } else if (!code) {
                add_redundancy(sheet, cs_algos[i], &redundancy);
            }
        }
    return code;
}

/* Prints the table; as text with a title. */
static int redundancy_print(const struct cs_cli *cli, enum cs_format format, struct cs_err *err)
{
    struct cs_sheet sheet = {0};
    int code;

    cs_sheet_begin(&sheet, "redundancy", CS_COLUMNS(redundancy_columns));
    code = fill_redundancy(&sheet, err);
    if (format == CS_FORMAT_TEXT)
        fprintf(cli->out,
                "redundancy against traffic, %d ranks on a switch: equal in the phases of least "
                "volume,\nwhere each block that is sent makes one copy or one stale sum; nowhere "
                "else\n\n",
                REDUNDANCY_RANKS);
    if (!code)
        cs_cli_sheet_end(cli, &sheet, format);
    return code;
}

/* ---- the command ---- */

static int claims_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    struct claims_ask request = {.format = CS_FORMAT_TEXT};
    struct printer printer = {0};
    unsigned wrong = 0;
    int code = cs_options_read(cs_command_claims.options, argc, argv, &request, err);

    if (code)
        return code;
    if (request.redundancy && request.topo)
        return cs_err_set(
            err, CS_EINPUT,
            "--redundancy and --topo cannot be combined: redundancy is the same on every machine");
    if (request.redundancy)
        return redundancy_print(cli, request.format, err);
    printer.format = request.format;
    printer.topo = request.topo;
    printer.columns = request.topo ? 1 : CS_MEDIA;
    cmd_claims_begin(&printer);
    code = claims_measure_all(cli, &printer, &wrong, err);
    cmd_claims_end(&printer, cli, code);
    if (!code && printer.format == CS_FORMAT_TEXT && !printer.topo)
        code = redundancy_print(cli, CS_FORMAT_TEXT, err);
    if (!code && wrong && printer.format != CS_FORMAT_JSON)
        code = cs_err_set(err, CS_EANSWER, "%u of the claims contradict their derivation", wrong);
    return code ? code : wrong ? CS_EANSWER : 0;
}

const struct cs_command cs_command_claims = {
    .name = "claims",
    .usage = "collsim claims [--topo MACHINE] [--redundancy] [--json|--csv]",
    .about = "measure claims of textbooks on six media",
    .options = {.own = claims_options},
    .notes = "The switch between half-duplex ports buffers messages; the formula for odd "
             "p\nwithout buffers, where two ports must be free at once, is printed below.\n"
             "Exit status 1 when a measurement contradicts its derived formula.\n",
    .run = claims_run,
};
