#include "topo/documents/values.h"

#include "sim/base/text.h"
#include "sim/base/units.h"

#include <assert.h>

int cs_value_count(const struct cs_value *as, const char *text, void *member, struct cs_err *err)
{
    uint64_t number = 0;
    int rc = cs_units_count(text, 1, as->most, &number, err);

    if (!rc)
        *(uint32_t *)member = (uint32_t)number;
    return rc;
}

int cs_value_rate(const struct cs_value *as, const char *text, void *member, struct cs_err *err)
{
    (void)as;
    return cs_units_rate(text, member, err);
}

int cs_value_time(const struct cs_value *as, const char *text, void *member, struct cs_err *err)
{
    (void)as;
    return cs_units_time(text, member, err);
}

int cs_value_fraction(const struct cs_value *as, const char *text, void *member, struct cs_err *err)
{
    (void)as;
    return cs_units_fraction(text, member, err);
}

int cs_value_text(const struct cs_value *as, const char *text, void *member, struct cs_err *err)
{
    (void)as;
    (void)err;
    *(const char **)member = text;
    return 0;
}

int cs_value_either(const struct cs_value *as, const char *text, void *member, struct cs_err *err)
{
    bool *second = member;

    *second = cs_same(text, as->words[1]);
    if (*second || cs_same(text, as->words[0]))
        return 0;
    return cs_err_set(err, CS_EINPUT, "'%s' is not '%s' or '%s'", text, as->words[0], as->words[1]);
}

int cs_value_read(const struct cs_value *as, const char *text, void *target, struct cs_err *err)
{
    if (as->said)
        *(bool *)((char *)target + as->said) = true;
    return as->read(as, text, (char *)target + as->offset, err);
}

const struct cs_value *cs_value_find(const struct cs_value *values, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (cs_same(values[i].name, name))
            return &values[i];
    return NULL;
}

void cs_value_names(const struct cs_value *values, size_t count, const char *names[CS_VALUES_MAX])
{
    assert(count <= CS_VALUES_MAX);
    for (size_t i = 0; i < count; i++)
        names[i] = values[i].name;
}
