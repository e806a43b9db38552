/*
 * check: prove the data flow, without simulating.
 */
#include "scenarios/command.h"
#include "scenarios/simulate.h"
#include "sim/base/units.h"

static const struct cs_table_column check_columns[] = {
    {"algorithm", NULL, CS_TABLE_LEFT},
    {"ranks", NULL, CS_TABLE_RIGHT},
    {"size", NULL, CS_TABLE_RIGHT},
    {"messages", NULL, CS_TABLE_RIGHT},
    {"redundant", "after scatter", CS_TABLE_RIGHT},
    {"redundant", "at the end", CS_TABLE_RIGHT},
    {"proved", NULL, CS_TABLE_LEFT},
};

static void add_row(struct cs_table *table, const struct cs_point *point,
                    uint32_t ranks, const struct cs_proof *proof)
{
    char text[CS_UNITS_TEXT];

    cs_table_cell(table, point->algo->name);
    cs_table_cellf(table, "%u", ranks);
    cs_table_cell(table, cs_units_show_bytes(text, point->bytes));
    cs_table_cell(table, cs_units_show_count(text, proof->messages));
    if (proof->has_reduce_scatter)
        cs_table_cell(table, cs_units_show_bytes(
                                 text, proof->redundant_after_scatter_bytes));
    else
        cs_table_cell(table, "-");
    cs_table_cell(table, cs_units_show_bytes(text, proof->redundant_bytes));
    cs_table_cell(table, proof->exact ? "exactly, by sets of ranks"
                                      : "by sums, wrong with p < 2^-50");
}

static int check_point(const struct cs_cli *cli, const struct cs_point *point,
                       struct cs_table *table, struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct cs_proof proof;
    uint32_t ranks;
    int code = cs_simulate_proof(point, &arena, &proof, &ranks, err);

    if (code == CS_SIMULATE_REFUSED &&
        point->scenario->choice != CS_CHOICE_NAMED) {
        fprintf(cli->messages, "collsim: without %s: %s\n", point->algo->name,
                err->text);
        *err = (struct cs_err){0};
        code = 0;
    } else if (!code) {
        add_row(table, point, ranks, &proof);
    }
    cs_arena_free(&arena);
    return code == CS_SIMULATE_REFUSED ? CS_EINPUT : code;
}

static int check_all(const struct cs_cli *cli,
                     const struct cs_scenario *scenario, struct cs_table *table,
                     struct cs_err *err)
{
    uint64_t total = cs_point_count(scenario);
    uint64_t i;
    int code = 0;

    for (i = 0; i < total && !code; i++) {
        struct cs_point point = cs_point_of(scenario, i);

        code = check_point(cli, &point, table, err);
    }
    return code;
}

static int check_run(const struct cs_cli *cli, int argc, char **argv,
                     struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct cs_scenario scenario;
    struct cs_table table = {0};
    struct cs_text text = {0};
    int code;

    cs_scenario_init(&scenario, &arena);
    cs_table_begin(&table, check_columns,
                   sizeof(check_columns) / sizeof(*check_columns));
    code =
        cs_options_read(cs_command_check.options, argc, argv, &scenario, err);
    if (!code)
        code = cs_scenario_finish(&scenario, err);
    if (!code)
        code = check_all(cli, &scenario, &table, err);
    if (scenario.format == CS_FORMAT_CSV)
        cs_table_csv(&table, &text);
    else
        cs_table_write(&table, cli->style, &text);
    if (!code || table.cell_count)
        fputs(cs_text_str(&text), cli->out);
    cs_text_free(&text);
    cs_table_free(&table);
    cs_arena_free(&arena);
    return code;
}

const struct cs_command cs_command_check = {
    .name = "check",
    .usage = "collsim check --topo MACHINE --algo NAMES [OPTION ...]",
    .about = "prove the data flow of algorithms, without simulating",
    .options = {NULL, cs_scenario_groups},
    .notes = "Exit status 1, with rank, round and chunk, when an algorithm is "
             "wrong.\n",
    .run = check_run,
};
