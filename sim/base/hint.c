#include "sim/base/hint.h"

#include "sim/base/text.h"

#include <stdio.h>

struct cs_hint cs_hint_prefixed(const char *prefix, const char *word,
                                const char *const *names, size_t count,
                                const char *otherwise)
{
    const char *near = cs_nearest(word, names, count);
    struct cs_hint hint = {""};

    if (near)
        (void)snprintf(hint.text, sizeof(hint.text), "; did you mean '%s%s'?",
                       prefix, near);
    else if (otherwise)
        (void)snprintf(hint.text, sizeof(hint.text), "; %s", otherwise);
    return hint;
}

struct cs_hint cs_hint(const char *word, const char *const *names, size_t count,
                       const char *otherwise)
{
    return cs_hint_prefixed("", word, names, count, otherwise);
}

struct cs_hint cs_hint_all(const char *word, const char *const *names,
                           size_t count)
{
    struct cs_text all = {0};
    struct cs_hint hint;

    cs_text_add(&all, "expected ");
    for (size_t i = 0; i < count; i++)
        cs_text_printf(&all, "%s%s", i ? ", " : "", names[i]);
    hint = cs_hint(word, names, count, cs_text_str(&all));
    cs_text_free(&all);
    return hint;
}
