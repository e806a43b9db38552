/*
 * check: prove the data flow without simulation.
 */
#include "algorithms/schedules/import.h"
#include "scenarios/commands.h"
#include "scenarios/options/unused.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/command/best.h"
#include "scenarios/run/command/unused_options.h"
#include "scenarios/run/machine/machine.h"
#include "scenarios/run/simulate.h"

struct check_row {
    const struct cs_case *which;
    const struct cs_proof *proof;
    uint32_t ranks;
    bool has_scatter, has_result;
    const char *how;
};

#define AT(member)    CS_AT(struct check_row, member)
#define PROOF(member) CS_VIA(struct check_row, proof, member)
static const struct cs_sheet_column check_columns[] = {
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT, CS_VIA2(struct check_row, which, algo, name)},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, AT(ranks)},
    {"bytes", "size", NULL, CS_SHEET_BYTES, CS_VIA(struct check_row, which, bytes)},
    {"messages", "messages", NULL, CS_SHEET_COUNT, PROOF(messages)},
    {"redundant_bytes_after_reduce_scatter", "redundant", "after scatter", CS_SHEET_BYTES,
     PROOF(redundant_after_scatter_bytes), CS_WHEN(struct check_row, has_scatter)},
    {"redundant_bytes", "redundant", "copies", CS_SHEET_BYTES, PROOF(redundant_bytes),
     CS_WHEN(struct check_row, has_result)},
    {"proved", "proved", NULL, CS_SHEET_TEXT, AT(how)},
};

static const char *proved_how(const struct cs_proof *proof)
{
    if (proof->nothing_owed)
        return "messages match; no specification";
    if (proof->one_order)
        return proof->exact ? "exactly, by sets of ranks, in one order of lanes"
                            : "by sums, wrong with p < 2^-50, in one order of lanes";
    return proof->exact ? "exactly, by sets of ranks" : "by sums, wrong with p < 2^-50";
}

static void cmd_check_add_row(struct cs_sheet *sheet, const struct cs_case *which, uint32_t ranks,
                              const struct cs_proof *proof)
{
    static const char *const launches[CS_LAUNCHES_COUNT] = {
        [CS_LAUNCHES_UNKNOWN] = "",
        [CS_LAUNCHES_ONE] = "; one launch",
        [CS_LAUNCHES_ONE_HALF] = "; one launch",
        [CS_LAUNCHES_HALVES] = "; launches in a row, by double scratch",
        [CS_LAUNCHES_ANY] = "; launches in a row",
    };

    cs_sheet_row(sheet, &(struct check_row){
                            .which = which,
                            .proof = proof,
                            .ranks = ranks,
                            .has_scatter = proof->has_reduce_scatter,
                            .has_result = !proof->nothing_owed,
                            .how = cs_arena_printf(&sheet->arena, "%s%s", proved_how(proof),
                                                   launches[which->algo->launches]),
                        });
}

/* What an algorithm refuses, as a number of ranks, is skipped; of one that was named the first
 * refusal is kept, which is the error of the end. */
static int check_case(const struct cs_cli *cli, const struct cs_case *which, struct cs_sheet *sheet,
                      struct cs_err *refused, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_proof proof;
    uint32_t ranks;
    int code = cs_simulate_proof(which, &arena, &proof, &ranks, err);

    if (!code)
        cmd_check_add_row(sheet, which, ranks, &proof);
    if (code != CS_SIMULATE_REFUSED)
        return code;
    if (which->scenario->choice == CS_CHOICE_NAMED && !refused->code)
        *refused = *err;
    else
        fprintf(cli->messages, "collsim: skipped %s: %s\n", which->algo->name, err->text);
    *err = (struct cs_err){0};
    return 0;
}

static int check_all(const struct cs_cli *cli, const struct cs_scenario *scenario,
                     struct cs_sheet *sheet, struct cs_err *err)
{
    uint64_t total = cs_case_count(scenario);
    struct cs_progress_line *display = cli->progress;
    struct cs_err refused = {0};
    CS_AT_END(cs_text_free) struct cs_text notes = {0}; /* of the first */
    int code = 0;

    for (size_t k = 0; k < scenario->algo_count; k++)
        if (scenario->algos[k]->remark)
            fprintf(cli->messages, "note: %s\n", scenario->algos[k]->remark);
    cs_progress_line_open(display, scenario->format == CS_FORMAT_JSON);
    for (uint64_t i = 0; i < total && !code; i++) {
        struct cs_case which = cs_case_of(scenario, i);

        which.display = display;
        which.notes = i == 0 ? &notes : NULL;
        cs_text_free(&display->what);
        cs_text_printf(&display->what, "%s", which.algo->name);
        code = check_case(cli, &which, sheet, &refused, err);
        cs_progress_line_keep(display);
    }
    cs_progress_line_close(display);
    if (!code)
        cs_unused_options_simulate(&scenario->given, &notes);
    cs_unused_print(cli, &notes);
    if (!code && refused.code) {
        *err = refused;
        code = CS_EINPUT;
    }
    return code;
}

/* A schedule of a file is proven for as many ranks as the user names, which no machine
 * limits. */
static void check_choose_machine(struct cs_scenario *scenario)
{
    if (scenario->algo_names && cs_import_named(scenario->algo_names) &&
        cs_scenario_given(scenario, "ranks") && !cs_scenario_given(scenario, "topo") &&
        !cs_scenario_given(scenario, "nodes"))
        scenario->topo = "switch:";
}

static int cmd_check_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_scenario scenario;
    struct cs_sheet sheet = {0};
    int code;

    cs_scenario_init(&scenario, &arena);
    scenario.reading = cs_cli_watch(cli, "reading", 0, 1);
    scenario.machines = cs_machines_create(&scenario, &arena);
    cs_sheet_begin(&sheet, "checks", CS_COLUMNS(check_columns));
    code = cs_options_read(cs_command_check.options, argc, argv, &scenario, err);
    check_choose_machine(&scenario);
    if (!code)
        code = cs_scenario_finish(&scenario, err);
    if (!code && scenario.is_searched)
        code = cs_best_choose_alone(&scenario, cli->progress, err);
    if (!code)
        code = check_all(cli, &scenario, &sheet, err);
    cs_cli_sheet_until(cli, &sheet, scenario.format, code);
    cs_sheet_free(&sheet);
    cs_machines_destroy(scenario.machines);
    return code;
}

const struct cs_command cs_command_check = {
    .name = "check",
    .usage = "collsim check --topo MACHINE [--algo] NAMES [OPTION ...]",
    .about = "prove the data flow of algorithms without simulation",
    .options = {.shared = cs_scenario_options, .command = CS_FOR_CHECK, .alone = cs_scenario_alone},
    .notes = "Exit status 1 for a wrong algorithm, with rank, round and chunk.\n",
    .run = cmd_check_run,
};
