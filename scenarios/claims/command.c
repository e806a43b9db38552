/*
 * claims: statements of textbooks, measured on six media.
 */
#include "reports/results/json.h"
#include "scenarios/claims/redundancy.h"
#include "scenarios/commands.h"
#include "scenarios/run/request/scenario.h"
#include "validate/claims/claims.h"

enum claims_format {
    AS_TEXT,
    AS_MARKDOWN,
    AS_JSON,
    AS_CSV,
};

/* The command line. */
struct claims_ask {
    enum claims_format format;
    const char *topo; /* NULL: the media of the textbooks */
    bool redundancy;  /* print the redundancy table only */
};

static const struct cs_option claims_options[] = {
    {.name = "topo",
     .letter = 't',
     .argument = "MACHINE",
     .type = CS_OPTION_TEXT,
     CS_OPTION_AT(struct claims_ask, topo),
     .help = "measure on this machine instead of the textbooks' media",
     .complete = "@topologies file"},
    {.name = "redundancy",
     .type = CS_OPTION_FLAG,
     CS_OPTION_AT(struct claims_ask, redundancy),
     .help = "print only the redundant bytes of every algorithm"},
    {.name = "markdown",
     .type = CS_OPTION_FLAG,
     CS_OPTION_AT(struct claims_ask, format),
     .value = AS_MARKDOWN,
     .help = "print a Markdown table"},
    {.name = "json",
     .type = CS_OPTION_FLAG,
     CS_OPTION_AT(struct claims_ask, format),
     .value = AS_JSON,
     .help = "print JSON: every cell with its ratios"},
    {.name = "csv",
     .type = CS_OPTION_FLAG,
     CS_OPTION_AT(struct claims_ask, format),
     .value = AS_CSV,
     .help = "print CSV"},
    {0},
};

static const char *const verdicts[CS_VERDICTS] = {"holds", "otherwise", "contradicts", "silent"};

struct printer {
    enum claims_format format;
    const char *topo;
    int columns; /* media, or 1 machine */
    struct cs_text text;
    struct cs_json json;
    struct cs_table table;
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
    int medium;

    cs_text_printf(out, "%s %s\n", cs_claim_subject(claim), cs_claim_formula(claim));
    for (medium = 0; medium < printer->columns; medium++) {
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

/* ---- markdown: the table ---- */

static void markdown_head(const struct printer *printer, struct cs_text *out)
{
    int medium;

    cs_text_add(out, "| claim |");
    for (medium = 0; medium < printer->columns; medium++)
        cs_text_printf(out, " %s |", cmd_claims_column_name(printer, medium));
    cs_text_add(out, " when |\n|---|");
    for (medium = 0; medium <= printer->columns; medium++)
        cs_text_add(out, "---|");
    cs_text_add(out, "\n");
}

static void markdown_cells(const struct printer *printer, const struct cs_claim_cell *cells,
                           size_t claim, struct cs_text *out)
{
    int medium;

    cs_text_printf(out, "| %s %s |", cs_claim_subject(claim), cs_claim_formula(claim));
    for (medium = 0; medium < printer->columns; medium++) {
        cs_text_add(out, " ");
        cell_text(&cells[medium], out);
        if (cells[medium].odd_unbuffered && cells[medium].odd_unbuffered[0])
            cs_text_printf(out, "; odd p: %s without a buffer", cells[medium].odd_unbuffered);
        cs_text_add(out, " |");
    }
    cs_text_printf(out, " %s |\n", cs_claim_condition(claim));
}

/* ---- JSON and CSV: a record per cell ---- */

static void cmd_claims_json_cell(const struct cs_claim_cell *cell, size_t claim, const char *medium,
                                 struct cs_json *json)
{
    cs_json_object(json);
    cs_json_key_text(json, "claim", cs_claim_subject(claim));
    cs_json_key_text(json, "claimed", cs_claim_formula(claim));
    cs_json_key_text(json, "medium", medium);
    cs_json_key_text(json, "verdict", verdicts[cell->verdict]);
    cs_json_key_text(json, "correct", cell->correct);
    cs_json_key(json, "odd_ranks_unbuffered");
    if (cell->odd_unbuffered && cell->odd_unbuffered[0])
        cs_json_text(json, cell->odd_unbuffered);
    else
        cs_json_null(json);
    cs_json_key_text(json, "algorithm", cell->algorithm);
    cs_json_key_real(json, "least_ratio", cell->least_ratio);
    cs_json_key_real(json, "most_ratio", cell->most_ratio);
    cs_json_end(json);
}

static const struct cs_table_column csv_columns[] = {
    {"claim", NULL, CS_TABLE_LEFT},
    {"claimed", NULL, CS_TABLE_LEFT},
    {"medium", NULL, CS_TABLE_LEFT},
    {"verdict", NULL, CS_TABLE_LEFT},
    {"correct", NULL, CS_TABLE_LEFT},
    {"algorithm", NULL, CS_TABLE_LEFT},
    {"least_ratio", NULL, CS_TABLE_LEFT},
    {"most_ratio", NULL, CS_TABLE_LEFT},
    {"odd_ranks_unbuffered", NULL, CS_TABLE_LEFT},
};

static void cmd_claims_csv_cell(const struct cs_claim_cell *cell, size_t claim, const char *medium,
                                struct cs_table *table)
{
    char real[CS_JSON_REAL_TEXT];

    cs_table_cell(table, cs_claim_subject(claim));
    cs_table_cell(table, cs_claim_formula(claim));
    cs_table_cell(table, medium);
    cs_table_cell(table, verdicts[cell->verdict]);
    cs_table_cell(table, cell->correct);
    cs_table_cell(table, cell->algorithm);
    cs_table_cell(table, cs_json_show_real(real, cell->least_ratio));
    cs_table_cell(table, cs_json_show_real(real, cell->most_ratio));
    cs_table_cell(table, cell->odd_unbuffered);
}

/* ---- the command ---- */

static void print_claim(struct printer *printer, const struct cs_claim_cell *cells, size_t claim)
{
    int medium;

    if (printer->format == AS_TEXT)
        text_cells(printer, cells, claim, &printer->text);
    if (printer->format == AS_MARKDOWN)
        markdown_cells(printer, cells, claim, &printer->text);
    for (medium = 0; medium < printer->columns; medium++) {
        const char *name = cmd_claims_column_name(printer, medium);

        if (cells[medium].verdict == CS_CLAIM_SILENT)
            continue;
        if (printer->format == AS_JSON)
            cmd_claims_json_cell(&cells[medium], claim, name, &printer->json);
        if (printer->format == AS_CSV)
            cmd_claims_csv_cell(&cells[medium], claim, name, &printer->table);
    }
}

/* Measures and prints every claim; *wrong: number of contradicting cells. */
static int claims_measure_all(struct printer *printer, unsigned *wrong, struct cs_err *err)
{
    struct cs_claim_cell cells[CS_MEDIA] = {0};
    size_t claim;
    int medium;
    int code = 0;

    for (claim = 0; claim < cs_claim_count && !code; claim++) {
        for (medium = 0; medium < printer->columns && !code; medium++) {
            code = printer->topo ? cs_claim_measure_on(claim, printer->topo, &cells[medium], err)
                                 : cs_claim_measure(claim, medium, &cells[medium], err);
            *wrong += cells[medium].verdict == CS_CLAIM_CONTRADICTS;
        }
        if (!code)
            print_claim(printer, cells, claim);
    }
    return code;
}

static void cmd_claims_begin(struct printer *printer)
{
    int medium;

    printer->json.out = &printer->text;
    if (printer->format == AS_JSON) {
        cs_json_object(&printer->json);
        cs_json_key(&printer->json, "claims");
        cs_json_array(&printer->json);
    }
    if (printer->format == AS_CSV)
        cs_table_begin(&printer->table, csv_columns, sizeof(csv_columns) / sizeof(*csv_columns));
    if (printer->format == AS_MARKDOWN)
        markdown_head(printer, &printer->text);
    if (printer->format != AS_TEXT || printer->topo)
        return;
    cs_text_add(&printer->text, "p ranks, V bytes each, bandwidth beta; alpha = gamma = 0; "
                                "measured for p from 2 to 16\n\n");
    for (medium = 0; medium < CS_MEDIA; medium++)
        cs_text_printf(&printer->text, "  %-22s %s\n", cs_medium_name(medium),
                       cs_medium_about(medium));
    cs_text_add(&printer->text, "\n");
}

static void cmd_claims_end(struct printer *printer, const struct cs_cli *cli, int code)
{
    if (printer->format == AS_JSON) {
        cs_json_end(&printer->json);
        cs_json_end(&printer->json);
    }
    if (printer->format == AS_CSV)
        cs_table_csv(&printer->table, &printer->text);
    if (!code || printer->format != AS_JSON)
        fputs(cs_text_str(&printer->text), cli->out);
    cs_table_free(&printer->table);
    cs_text_free(&printer->text);
}

static int claims_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    struct claims_ask request = {.format = AS_TEXT};
    struct printer printer = {0};
    unsigned wrong = 0;
    int code = cs_options_read(cs_command_claims.options, argc, argv, &request, err);

    if (code)
        return code;
    if (request.redundancy && request.topo)
        return cs_err_set(
            err, CS_EINPUT,
            "--redundancy and --topo cannot be combined: redundancy is the same on every machine");
    if (request.redundancy && request.format == AS_MARKDOWN)
        return cs_err_set(err, CS_EINPUT,
                          "--redundancy prints text, --json or --csv; leave --markdown out");
    if (request.redundancy)
        return cs_redundancy_print(cli,
                                   request.format == AS_JSON  ? CS_FORMAT_JSON
                                   : request.format == AS_CSV ? CS_FORMAT_CSV
                                                              : CS_FORMAT_TEXT,
                                   err);
    printer.format = request.format;
    printer.topo = request.topo;
    printer.columns = request.topo ? 1 : CS_MEDIA;
    cmd_claims_begin(&printer);
    code = claims_measure_all(&printer, &wrong, err);
    cmd_claims_end(&printer, cli, code);
    if (!code && printer.format == AS_TEXT && !printer.topo)
        code = cs_redundancy_print(cli, CS_FORMAT_TEXT, err);
    if (!code && wrong && printer.format != AS_JSON)
        code = cs_err_set(err, CS_EANSWER, "%u of the claims contradict their derivation", wrong);
    return code ? code : wrong ? CS_EANSWER : 0;
}

const struct cs_command cs_command_claims = {
    .name = "claims",
    .usage = "collsim claims [--topo MACHINE] [--redundancy] [--markdown|--json|--csv]",
    .about = "measure claims of textbooks on six media",
    .options = {.own = claims_options},
    .notes = "The switch between half-duplex ports buffers messages; the formula for odd "
             "p\nwithout buffers, where two ports must be free at once, is printed below.\n"
             "Exit status 1 when a measurement contradicts its derived formula.\n",
    .run = claims_run,
};
