#include "algorithms/libraries/library.h"

#include "sim/base/hint.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LIBRARY(identifier) extern const struct cs_library cs_library_##identifier;
#include "algorithms/libraries/libraries.def"
#undef LIBRARY

const struct cs_library *const cs_libraries[] = {
#define LIBRARY(identifier) &cs_library_##identifier,
#include "algorithms/libraries/libraries.def"
#undef LIBRARY
};

const size_t cs_library_count = sizeof cs_libraries / sizeof *cs_libraries;

const struct cs_library_effect_info cs_library_effects[CS_EFFECTS] = {
#define EFFECT(identifier, name, cost) {name, cost},
#include "algorithms/libraries/effects.def"
#undef EFFECT
};

enum {
    LIBRARY_NAMES_MAX = 16,
    VERSION_PART_MAX = 99,
};

int cs_library_version_read(const char *text, uint32_t *version, struct cs_err *err)
{
    static const uint32_t weights[] = {10000, 100, 1};
    const char *at = text;

    *version = 0;
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
        char *end = (char *)at;
        unsigned long part = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;

        if (end == at || part > VERSION_PART_MAX)
            break;
        *version += (uint32_t)part * weights[i];
        at = *end == '.' ? end + 1 : end;
        if (!*end && i)
            return 0;
        if (*end != '.')
            break;
    }
    return cs_err_set(err, CS_EINPUT, "'%.40s' is not a version; expected 2.27 or 2.27.5", text);
}

/* A newer minor version is likely to be near the last modelled one. */
static int library_check_version(const struct cs_library *library, uint32_t version,
                                 const char *text, struct cs_err *err)
{
    uint32_t first = library->oldest;
    uint32_t last = library->newest;

    if (!last)
        return cs_err_set(err, CS_EINPUT, "the model of %s has no versions; leave =%.40s out",
                          library->name, text);
    if (version >= first && version / 10000 <= last / 10000)
        return 0;
    return cs_err_set(err, CS_EINPUT, "%s %.40s is not modelled; expected %u.%u to %u.%u",
                      library->name, text, first / 10000, first / 100 % 100, last / 10000,
                      last / 100 % 100);
}

static int library_version(const struct cs_library *library, const char *text, uint32_t *version,
                           struct cs_err *err)
{
    int code = library->newest ? cs_library_version_read(text, version, err) : 0;

    return code ? code : library_check_version(library, *version, text, err);
}

int cs_library_find(const char *text, const struct cs_library **library, uint32_t *version,
                    struct cs_err *err)
{
    const char *names[LIBRARY_NAMES_MAX];
    size_t length = strcspn(text, "=");
    char name[64];

    _Static_assert(sizeof cs_libraries / sizeof *cs_libraries <= LIBRARY_NAMES_MAX,
                   "a name for each library");
    *version = 0;
    for (size_t i = 0; i < cs_library_count; i++) {
        names[i] = cs_libraries[i]->name;
        if (strlen(names[i]) == length && !strncasecmp(names[i], text, length)) {
            *library = cs_libraries[i];
            return text[length] ? library_version(*library, text + length + 1, version, err) : 0;
        }
    }
    length = length < sizeof name - 1 ? length : sizeof name - 1;
    memcpy(name, text, length);
    name[length] = 0;
    return cs_err_set(err, CS_EINPUT, "unknown library '%s'%s", name,
                      cs_hint_all(name, names, cs_library_count).text);
}
