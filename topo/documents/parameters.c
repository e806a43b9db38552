#include "topo/documents/parameters.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum {
    LETTERS_MAX = 512, /* in one "name=value" */
    KNOWN_MAX = 32
};

static int no_such_parameter(const struct cs_parameters *parameters, const char *name,
                             struct cs_err *err)
{
    const char *names[KNOWN_MAX];

    for (size_t i = 0; i < parameters->count; i++)
        names[i] = parameters->known[i].name;
    return cs_err_set(err, CS_EINPUT, "no parameter called '%s' for '%s:'%s", name,
                      parameters->owner, cs_hint_all(name, names, parameters->count).text);
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
static int parameters_read_one(const struct cs_parameters *parameters, char *text, unsigned *seen,
                               void *target, struct cs_err *err)
{
    struct cs_err why = {0};
    char *value = strchr(text, '=');
    size_t i = 0;

    if (!value)
        return cs_err_set(err, CS_EINPUT, "'%s' in '%s:' is not of the form name=value", text,
                          parameters->owner);
    *value++ = '\0';
    value = cs_parameters_bare(value);
    while (i < parameters->count && !cs_same(text, parameters->known[i].name))
        i++;
    if (i == parameters->count)
        return no_such_parameter(parameters, text, err);
    if (*seen & 1U << i)
        return cs_err_set(err, CS_EINPUT, "'%s' is given twice in '%s:'", text, parameters->owner);
    *seen |= 1U << i;
    if (parameters->known[i].read(value, target, &why))
        return cs_err_set(err, CS_EINPUT, "%s:%s=: %s", parameters->owner, text, why.text);
    return 0;
}

int cs_parameters_read(const struct cs_parameters *parameters, const char *text, void *target,
                       struct cs_err *err)
{
    unsigned seen = 0;

    assert(parameters->count <= KNOWN_MAX);
    if (!is_closed(text))
        return cs_err_set(err, CS_EINPUT,
                          "brackets of '%s:%s' do not match; expected a ']' for each '['",
                          parameters->owner, text);
    while (*text) {
        size_t length = cs_parameters_span(text, ',');
        char one[LETTERS_MAX];
        int rc;

        if (length >= sizeof(one))
            return cs_err_set(err, CS_EINPUT, "a parameter of '%s:' has over %d letters",
                              parameters->owner, LETTERS_MAX - 1);
        memcpy(one, text, length);
        one[length] = '\0';
        rc = parameters_read_one(parameters, one, &seen, target, err);
        if (rc)
            return rc;
        text += length;
        if (*text == ',' && *++text == '\0')
            return cs_err_set(err, CS_EINPUT, "'%s:' ends in ','; expected name=value",
                              parameters->owner);
    }
    return 0;
}
