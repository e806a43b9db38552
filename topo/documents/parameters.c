#include "topo/documents/parameters.h"

#include "sim/base/hint.h"

#include <string.h>

enum {
    LETTERS_MAX = 512, /* in one "name=value" */
};

static int no_such_parameter(const struct cs_parameter_table *table, const char *name,
                             struct cs_err *err)
{
    const char *names[CS_VALUES_MAX];

    cs_value_names(table->known, table->count, names);
    return cs_err_set(err, CS_EINPUT, "no parameter called '%s' for '%s:'%s", name, table->owner,
                      cs_hint_all(name, names, table->count).text);
}

size_t cs_parameters_span(const char *text, char stop)
{
    size_t depth = 0, i = 0;

    for (; text[i] && (depth > 0 || text[i] != stop); i++) {
        depth += text[i] == '[';
        depth -= text[i] == ']' && depth > 0;
    }
    return i;
}

char *cs_parameters_bare(char *value)
{
    size_t length = strlen(value);

    /* The bracket that opens the value closes at its end. */
    if (*value != '[' || value[length - 1] != ']' ||
        cs_parameters_span(value + 1, ']') + 2 != length)
        return value;
    value[length - 1] = '\0';
    return value + 1;
}

static bool is_closed(const char *text)
{
    size_t depth = 0;

    for (; *text && (*text != ']' || depth > 0); text++) {
        depth += *text == '[';
        depth -= *text == ']';
    }
    return !*text && depth == 0;
}

/* A single "name=value", which is cut at the '='. */
static int parameters_read_one(const struct cs_parameter_table *table, char *text, unsigned *seen,
                               void *target, struct cs_err *err)
{
    struct cs_err why = {0};
    char *value = strchr(text, '=');
    const struct cs_value *as;
    unsigned bit;

    if (!value)
        return cs_err_set(err, CS_EINPUT, "'%s' in '%s:' is not of the form name=value", text,
                          table->owner);
    *value++ = '\0';
    as = cs_value_find(table->known, table->count, text);
    if (!as)
        return no_such_parameter(table, text, err);
    bit = 1U << (as - table->known);
    if (*seen & bit)
        return cs_err_set(err, CS_EINPUT, "'%s' is given twice in '%s:'", text, table->owner);
    *seen |= bit;
    if (cs_value_read(as, cs_parameters_bare(value), target, &why))
        return cs_err_set(err, CS_EINPUT, "%s:%s=: %s", table->owner, text, why.text);
    return 0;
}

int cs_parameters_read(const struct cs_parameter_table *table, const char *text, void *target,
                       struct cs_err *err)
{
    unsigned seen = 0;

    if (!is_closed(text))
        return cs_err_set(err, CS_EINPUT,
                          "brackets of '%s:%s' do not match; expected a ']' for each '['",
                          table->owner, text);
    while (*text) {
        size_t length = cs_parameters_span(text, ',');

        if (length >= LETTERS_MAX && !memchr(text, '\n', length)) /* a machine's text is longer */
            return cs_err_set(err, CS_EINPUT, "a parameter of '%s:' has over %d letters",
                              table->owner, LETTERS_MAX - 1);
        if (parameters_read_one(table, cs_arena_text_n(table->arena, text, length), &seen, target,
                                err))
            return CS_EINPUT;
        text += length;
        if (*text == ',' && *++text == '\0')
            return cs_err_set(err, CS_EINPUT, "'%s:' ends in ','; expected name=value",
                              table->owner);
    }
    return 0;
}
