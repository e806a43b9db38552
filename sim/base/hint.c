#include "sim/base/hint.h"

#include "sim/base/text.h"

#include <inttypes.h>
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

/* 0: none on that side. */
static struct cs_hint hint_neighbours(uint64_t below, uint64_t above)
{
    struct cs_hint hint = {""};

    if (below && above && below != above)
        (void)snprintf(hint.text, sizeof(hint.text),
                       "; expected %" PRIu64 " or %" PRIu64, below, above);
    else
        (void)snprintf(hint.text, sizeof(hint.text), "; expected %" PRIu64,
                       below ? below : above);
    return hint;
}

struct cs_hint cs_hint_divisors(uint64_t number, uint64_t wanted)
{
    uint64_t below = wanted < number ? wanted : number;
    uint64_t above = wanted;

    while (below > 1 && number % below)
        below--;
    while (above < number && (above == 0 || number % above))
        above++;
    return hint_neighbours(below, above <= number ? above : 0);
}

struct cs_hint cs_hint_multiples(uint64_t step, uint64_t wanted)
{
    uint64_t below = wanted / step * step;

    return hint_neighbours(below, below < wanted ? below + step : below);
}
