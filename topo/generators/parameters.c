#include "topo/generators/parameters.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <assert.h>
#include <string.h>

enum {
    LETTERS_MAX = 200, /* in one "name=value" */
    KNOWN_MAX = 32
};

static int no_such_parameter(const struct cs_parameters *parameters,
                             const char *name, struct cs_err *err)
{
    const char *names[KNOWN_MAX];

    for (size_t i = 0; i < parameters->count; i++)
        names[i] = parameters->known[i].name;
    return cs_err_set(err, CS_EINPUT, "no parameter called '%s' for '%s:'%s",
                      name, parameters->owner,
                      cs_hint_all(name, names, parameters->count).text);
}

/* The letters up to the next comma outside of brackets. */
static size_t parameter_length(const char *text)
{
    size_t length = strcspn(text, ",[");
    const char *end = text[length] == '[' ? strchr(text + length, ']') : NULL;

    return end ? (size_t)(end - text) + strcspn(end, ",") : strcspn(text, ",");
}

/* Removes the brackets around a value. */
static char *without_brackets(char *value)
{
    size_t length = strlen(value);

    if (*value != '[' || value[length - 1] != ']')
        return value;
    value[length - 1] = '\0';
    return value + 1;
}

/* A single "name=value", which is cut at the '='. */
static int parameters_read_one(const struct cs_parameters *parameters,
                               char *text, unsigned *seen, void *target,
                               struct cs_err *err)
{
    struct cs_err why = {0};
    char *value = strchr(text, '=');
    size_t i = 0;

    if (!value)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' in '%s:' is not of the form name=value", text,
                          parameters->owner);
    *value++ = '\0';
    value = without_brackets(value);
    while (i < parameters->count && !cs_same(text, parameters->known[i].name))
        i++;
    if (i == parameters->count)
        return no_such_parameter(parameters, text, err);
    if (*seen & 1U << i)
        return cs_err_set(err, CS_EINPUT, "'%s' is given twice in '%s:'", text,
                          parameters->owner);
    *seen |= 1U << i;
    if (parameters->known[i].read(value, target, &why))
        return cs_err_set(err, CS_EINPUT, "%s:%s=: %s", parameters->owner, text,
                          why.text);
    return 0;
}

int cs_parameters_read(const struct cs_parameters *parameters, const char *text,
                       void *target, struct cs_err *err)
{
    unsigned seen = 0;

    assert(parameters->count <= KNOWN_MAX);
    while (*text) {
        size_t length = parameter_length(text);
        char one[LETTERS_MAX];
        int rc;

        if (length >= sizeof(one))
            return cs_err_set(err, CS_EINPUT,
                              "a parameter of '%s:' has over %d letters",
                              parameters->owner, LETTERS_MAX - 1);
        memcpy(one, text, length);
        one[length] = '\0';
        rc = parameters_read_one(parameters, one, &seen, target, err);
        if (rc)
            return rc;
        text += length;
        if (*text == ',' && *++text == '\0')
            return cs_err_set(err, CS_EINPUT,
                              "'%s:' ends in ','; expected name=value",
                              parameters->owner);
    }
    return 0;
}
