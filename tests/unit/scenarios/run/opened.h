/*
 * An opened run: the first case of a command line, for tests of modules of a run.
 */
#pragma once

#include "scenarios/options/options.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/fold/execute.h"
#include "scenarios/run/open.h"
#include "tests/fixture.h"

struct opened {
    struct cs_arena arena;
    struct cs_scenario scenario;
    struct cs_case which;
    struct cs_text notes;
    struct cs_run run;
    struct cs_err err;
};

/* Reads the options; the error code of the options or of their completion. */
static inline int opened_finish(struct opened *opened, int argc, char **argv)
{
    const struct cs_option_tables tables = {.shared = cs_scenario_options, .command = CS_FOR_RUN};
    int code;

    *opened = (struct opened){0};
    cs_scenario_init(&opened->scenario, &opened->arena);
    code = cs_options_read(tables, argc, argv, &opened->scenario, &opened->err);
    return code ? code : cs_scenario_finish(&opened->scenario, &opened->err);
}

/* Opens the first case; the result of cs_run_open. */
static inline int opened_try(struct opened *opened, int argc, char **argv)
{
    if (opened_finish(opened, argc, argv))
        fail_msg("%s", opened->err.text);
    opened->which = cs_case_of(&opened->scenario, 0);
    opened->which.notes = &opened->notes;
    opened->run =
        (struct cs_run){.which = &opened->which, .arena = &opened->arena, .err = &opened->err};
    return cs_run_open(&opened->run);
}

static inline void opened_run(struct opened *opened, int argc, char **argv)
{
    if (opened_try(opened, argc, argv))
        fail_msg("%s", opened->err.text);
}

static inline void opened_simulate(struct opened *opened)
{
    if (cs_run_execute(&opened->run, &opened->run.program, NULL, &opened->arena,
                       &opened->run.result))
        fail_msg("%s", opened->err.text);
}

static inline void opened_free(struct opened *opened)
{
    cs_text_free(&opened->notes);
    cs_arena_free(&opened->arena);
}

#define OPENED_TEST(name) TEST_OF(struct opened, opened, opened_free, name)

#define WORDS(...)                                                      \
    (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)), (char *[]) \
    {                                                                   \
        __VA_ARGS__                                                     \
    }
