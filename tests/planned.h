/*
 * A plan of a command line, as tests of `collsim plan` need it.
 */
#pragma once

#include "scenarios/commands.h"
#include "scenarios/plan/cases/cases.h"
#include "scenarios/plan/options.h"
#include "tests/test.h"

#include <string.h>

struct planned {
    struct cs_arena arena;
    struct cs_plan_options options;
    struct cs_plan plan;
    struct cs_err err;
};

static inline void planned_free(struct planned *planned)
{
    cs_arena_free(&planned->arena);
}

#define PLANNED_TEST(name) TEST_OF(struct planned, planned, planned_free, name)

/* Plans the words of `line`, in place of the plan that was there, if any. */
static inline int plan_line(struct planned *planned, const char *line)
{
    char **argv, *text;
    int argc = 0, code;

    planned_free(planned);
    *planned = (struct planned){.arena = {0}};
    cs_plan_options_init(&planned->options, &planned->arena);
    argv = cs_arena_alloc(&planned->arena, 32, sizeof(*argv));
    text = cs_arena_text(&planned->arena, line);
    for (char *word = strtok(text, " "); word && argc < 32; word = strtok(NULL, " "))
        argv[argc++] = word;
    code = cs_train_read_into(cs_command_plan.options, argc, argv, &planned->options.train,
                              sizeof(planned->options), &planned->err);
    if (!code)
        code = cs_plan_options_check(&planned->options, &planned->err);
    return code ? code : cs_plan_compute(&planned->options, &planned->plan, &planned->err);
}

/* A line that is no mistake. */
static inline void plan_of(struct planned *planned, const char *line)
{
    if (plan_line(planned, line))
        fail_msg("%s: %s", line, planned->err.text);
}
