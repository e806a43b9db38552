/*
 * Options: --setting, variables of a library and conditions of the node.
 */
#include "algorithms/libraries/settings.h"
#include "scenarios/options/words.h"
#include "scenarios/run/request/scenario.h"

static int setting_add(void *target, const char *word, struct cs_err *err)
{
    return cs_settings_add(target, word, err);
}

int cs_set_setting(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    if (!scenario->settings)
        scenario->settings = cs_arena_alloc(scenario->arena, 1, sizeof(*scenario->settings));
    return cs_options_each(
        (struct cs_option_list){scenario->arena, setting_add, scenario->settings}, value, err);
}

const char *cs_show_setting(const void *target, uint32_t i)
{
    const struct cs_scenario *scenario = target;

    return scenario->settings && i < scenario->settings->count ? scenario->settings->items[i].text
                                                               : NULL;
}
