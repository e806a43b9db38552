#include "sim/base/hint.h"

#include "sim/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    PART_LETTERS = 3, /* fewer are in too many names */
    PARTS_MAX = 6
};

/* The names with the word in them: "ndr" is in "ib-ndr", and "gpt2" in four.
 * Returns their number; more than PARTS_MAX count as none. */
static size_t names_around(const char *word, const char *const *names, size_t count,
                           const char *around[PARTS_MAX])
{
    size_t found = 0;

    if (strlen(word) < PART_LETTERS)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (!strstr(names[i], word))
            continue;
        if (found == PARTS_MAX)
            return 0;
        around[found++] = names[i];
    }
    return found;
}

static void hint_list(const char *prefix, const char *const *names, size_t count,
                      struct cs_hint *hint)
{
    size_t length = 0;

    for (size_t i = 0; i < count && length < sizeof(hint->text); i++) {
        const char *before = i == 0 ? "; did you mean " : i + 1 == count ? " or " : ", ";

        length += (size_t)snprintf(hint->text + length, sizeof(hint->text) - length, "%s'%s%s'%s",
                                   before, prefix, names[i], i + 1 == count ? "?" : "");
    }
}

struct cs_hint cs_hint_prefixed(const char *prefix, const char *word, const char *const *names,
                                size_t count, const char *otherwise)
{
    const char *near = cs_nearest(word, names, count);
    const char *around[PARTS_MAX];
    struct cs_hint hint = {""};
    size_t parts = near ? 0 : names_around(word, names, count, around);

    if (near)
        hint_list(prefix, &near, 1, &hint);
    else if (parts > 0)
        hint_list(prefix, around, parts, &hint);
    else if (otherwise)
        (void)snprintf(hint.text, sizeof(hint.text), "; %s", otherwise);
    return hint;
}

struct cs_hint cs_hint(const char *word, const char *const *names, size_t count,
                       const char *otherwise)
{
    return cs_hint_prefixed("", word, names, count, otherwise);
}

struct cs_hint cs_hint_all(const char *word, const char *const *names, size_t count)
{
    CS_AT_END(cs_text_free) struct cs_text all = {0};

    cs_text_add(&all, "expected ");
    for (size_t i = 0; i < count; i++)
        cs_text_printf(&all, "%s%s", i ? ", " : "", names[i]);
    return cs_hint(word, names, count, cs_text_str(&all));
}

/* 0: none on that side. */
static struct cs_hint hint_neighbours(uint64_t below, uint64_t above)
{
    struct cs_hint hint = {""};

    if (below && above && below != above)
        (void)snprintf(hint.text, sizeof(hint.text), "; expected %" PRIu64 " or %" PRIu64, below,
                       above);
    else
        (void)snprintf(hint.text, sizeof(hint.text), "; expected %" PRIu64, below ? below : above);
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
