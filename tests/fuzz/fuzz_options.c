/*
 * Fuzz target: every option of a run.  The first byte says which, the rest is
 * its value; whatever that is, it is taken, or CS_EINPUT and a sentence.
 */
#include "scenarios/options/options.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/request/scenario.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(bool holds)
{
    if (!holds)
        abort();
}

/* The option of that number, modulo their count. */
static const struct cs_option *option_of(uint32_t number)
{
    const struct cs_option *option;
    uint32_t count = 0;
    uint32_t i = 0;

    for (option = cs_scenario_options; !cs_option_is_end(option); option++)
        count += option->name != NULL;
    for (option = cs_scenario_options; !cs_option_is_end(option); option++)
        if (option->name && i++ == number % count)
            return option;
    return NULL;
}

/* Files are other targets' affair. */
static bool opens_a_file(const char *text)
{
    return strpbrk(text, "/.") || strchr(text, ':');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct cs_option *option = option_of(size ? data[0] : 0);
    struct cs_scenario scenario;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err err = {0};
    char *value = cs_arena_text_n(&arena, (const char *)data + (size > 0), size - (size > 0));
    char *name = cs_arena_printf(&arena, "--%s", option->name);
    char *argv[2] = {name, value};
    int code;

    cs_scenario_init(&scenario, &arena);
    code = cs_options_read(
        (struct cs_option_tables){.shared = cs_scenario_options, .command = CS_FOR_RUN},
        option->argument ? 2 : 1, argv, &scenario, &err);
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code && (err.text[0] == '\0') == (code == CS_OK));
    if (!code && !(scenario.algo_names && opens_a_file(scenario.algo_names)))
        code = cs_scenario_finish(&scenario, &err);
    insist(code == CS_OK || code == CS_EINPUT);
    return 0;
}
