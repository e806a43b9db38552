#include "scenarios/train/command/framework.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct cs_framework cs_frameworks[] = {
#define FRAMEWORK(name, release, options, source) {name, release, options, source},
#include "scenarios/train/frameworks.def"
#undef FRAMEWORK
};

enum {
    FRAMEWORKS = sizeof(cs_frameworks) / sizeof(*cs_frameworks),
};

const size_t cs_framework_count = FRAMEWORKS;

/* The numbers of two releases, one by one: "core_r0.13" is behind "core_r0.5". */
static int release_compare(const char *a, const char *b)
{
    for (;;) {
        unsigned long mine, other;
        char *end;

        a += strcspn(a, "0123456789");
        b += strcspn(b, "0123456789");
        if (!*a || !*b)
            return (*a != '\0') - (*b != '\0');
        mine = strtoul(a, &end, 10);
        a = end;
        other = strtoul(b, &end, 10);
        b = end;
        if (mine != other)
            return mine < other ? -1 : 1;
    }
}

static bool framework_is(const struct cs_framework *entry, const char *text)
{
    size_t length = strcspn(text, "=");

    return strlen(entry->name) == length && strncasecmp(entry->name, text, length) == 0;
}

bool cs_framework_differs(const char *text, const struct cs_framework *entry)
{
    const char *release = strchr(text, '=');

    return release && release_compare(release + 1, entry->release) != 0;
}

static int framework_unknown(const char *text, struct cs_err *err)
{
    const char *names[FRAMEWORKS];
    size_t count = 0;

    for (size_t f = 0; f < FRAMEWORKS; f++)
        if (!count || !cs_same(names[count - 1], cs_frameworks[f].name))
            names[count++] = cs_frameworks[f].name;
    return cs_err_set(
        err, CS_EINPUT, "--framework: no framework called '%.*s'%s", (int)strcspn(text, "="), text,
        cs_hint(text, names, count, "'collsim list frameworks' lists the names").text);
}

int cs_framework_find(const char *text, const struct cs_framework **entry, struct cs_err *err)
{
    const char *equal = strchr(text, '=');

    *entry = NULL;
    for (size_t f = 0; f < FRAMEWORKS; f++)
        if (framework_is(&cs_frameworks[f], text) &&
            (!*entry || !equal || release_compare(cs_frameworks[f].release, equal + 1) <= 0))
            *entry = &cs_frameworks[f];
    if (!*entry)
        return framework_unknown(text, err);
    if (equal && !strpbrk(equal, "0123456789"))
        return cs_err_set(err, CS_EINPUT,
                          "--framework: '%.40s' has no number of a release; such as %s=%s", text,
                          (*entry)->name, (*entry)->release);
    return 0;
}
