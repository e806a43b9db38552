#include "scenarios/options/rules.h"

#include "scenarios/options/options.h"
#include "sim/base/text.h"
#include "sim/models/models.h"

#include <string.h>

/* "loss=drop" of a rule, split. */
struct rule_part {
    const char *name;
    size_t length;     /* of the name */
    const char *value; /* NULL: any */
};

static struct rule_part rule_split(const char *other)
{
    const char *equals = strchr(other, '=');

    if (!equals)
        return (struct rule_part){other, strlen(other), NULL};
    return (struct rule_part){other, (size_t)(equals - other), equals + 1};
}

static bool rule_names(const struct rule_part *part, const struct cs_option *option)
{
    return option->name && option->commands && strlen(option->name) == part->length &&
           strncmp(option->name, part->name, part->length) == 0;
}

/* The given value of the option; NULL: not given. */
static const char *rule_given(const struct cs_option_log *log, const struct rule_part *part)
{
    for (uint32_t i = 0; i < log->count; i++)
        if (rule_names(part, log->items[i].option))
            return log->items[i].value;
    return NULL;
}

static bool rule_holds(const struct cs_option_log *log, const struct rule_part *part)
{
    const char *given = rule_given(log, part);

    return given && (!part->value || cs_same(given, part->value));
}

/* The first model with the option among its parameters; NULL: the option is for
 * every model. */
static const struct cs_link_model *rule_model_of(const struct cs_option *option)
{
    for (size_t i = 0; i < cs_link_model_count; i++)
        if (cs_link_model_takes(cs_link_models[i], option->name))
            return cs_link_models[i];
    return NULL;
}

static int rule_check_model(const struct cs_option *option, const struct cs_link_model *model,
                            struct cs_err *err)
{
    const struct cs_link_model *taker = rule_model_of(option);

    if (option->needs_links && model->ignores_links)
        return cs_err_set(err, CS_EINPUT,
                          "--%s requires a model with links; --link-model %s has none",
                          option->name, model->name);
    if (taker && !cs_link_model_takes(model, option->name))
        return cs_err_set(err, CS_EINPUT, "--%s requires --link-model %s (current: %s)",
                          option->name, taker->name, model->name);
    return 0;
}

/* The default, for the message. */
static const char *rule_standard(const struct cs_option *table, const struct rule_part *part)
{
    for (; !cs_option_is_end(table); table++)
        if (rule_names(part, table) && table->standard)
            return table->standard;
    return "none";
}

static int rule_check_required(const struct cs_option *table, const struct cs_option *option,
                               const struct cs_option_log *log, struct cs_err *err)
{
    const struct cs_option_rule *rule = &option->requires;
    struct rule_part part;
    const char *given;

    if (!rule->other)
        return 0;
    part = rule_split(rule->other);
    if (rule_holds(log, &part))
        return 0;
    given = rule_given(log, &part);
    if (part.value)
        return cs_err_set(err, CS_EINPUT, "--%s requires --%.*s %s (current: %s)", option->name,
                          (int)part.length, part.name, part.value,
                          given ? given : rule_standard(table, &part));
    return cs_err_set(err, CS_EINPUT, "--%s requires --%s: %s", option->name, rule->other,
                      rule->why);
}

static int rule_check_excluded(const struct cs_option *option, const struct cs_option_log *log,
                               struct cs_err *err)
{
    for (size_t i = 0; i < CS_OPTION_RULES && option->excludes[i].other; i++) {
        struct rule_part part = rule_split(option->excludes[i].other);

        if (rule_holds(log, &part))
            return cs_err_set(err, CS_EINPUT, "--%s and --%.*s%s%s cannot be combined: %s",
                              option->name, (int)part.length, part.name, part.value ? " " : "",
                              part.value ? part.value : "", option->excludes[i].why);
    }
    return 0;
}

/* A cost model reads machine and call, nothing of a simulation. */
static int rule_check_library(const struct cs_option *option, const struct cs_option_log *log,
                              struct cs_err *err)
{
    if (option->for_library || !cs_options_given(log, "library"))
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "--%s has no effect with --library, whose cost model simulates no messages; "
                      "leave one of them out",
                      option->name);
}

int cs_option_rules_check(const struct cs_option *table, const struct cs_option_log *log,
                          const struct cs_link_model *model, struct cs_err *err)
{
    int code = 0;

    for (uint32_t i = 0; i < log->count && !code; i++) {
        const struct cs_option *option = log->items[i].option;

        if (!option->commands)
            continue;
        code = rule_check_library(option, log, err);
        if (!code)
            code = rule_check_excluded(option, log, err);
        if (!code)
            code = rule_check_model(option, model, err);
        if (!code)
            code = rule_check_required(table, option, log, err);
    }
    return code;
}
