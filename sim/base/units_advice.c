#include "sim/base/units_number.h"

#include "sim/base/text.h"

#include <stdio.h>
#include <string.h>

enum {
    AMOUNT_MAX = 20, /* digits that a message repeats as advice */
    NAMES_MAX = 80,  /* prefixes x units of one kind */
};

/* Units that the user may mean. */
struct advice {
    struct unit_name names[ADVICE_MAX];
    size_t count;
};

static void units_advise(struct advice *advice, const char *name)
{
    if (advice->count < ADVICE_MAX)
        snprintf(advice->names[advice->count++].text, sizeof(advice->names[0].text), "%s", name);
}

static bool same_folded(const char *a, const char *b)
{
    for (; *a && units_fold(*a) == units_fold(*b); a++)
        b++;
    return units_fold(*a) == units_fold(*b);
}

/* Does `word` become `name` with an ending that users often omit? */
static bool units_completes(const char *word, const char *name,
                            bool (*same)(const char *, const char *))
{
    static const char *const endings[] = {"", "B", "iB", "s", "/s", "B/s", "b/s"};
    struct unit_name head = {{0}};
    size_t length = strlen(word);

    if (length > strlen(name))
        return false;
    memcpy(head.text, name, length);
    if (!same(head.text, word))
        return false;
    for (size_t i = 0; i < COUNT_OF(endings); i++)
        if (cs_same(name + length, endings[i]))
            return true;
    return false;
}

static void advise_completions(struct advice *advice, const struct units_kind *kind,
                               const char *word, bool (*same)(const char *, const char *))
{
    for (size_t p = 0; p < kind->prefix_count; p++)
        for (size_t u = 0; u < kind->unit_count; u++)
            if (units_completes(word, cs_unit_name(kind, p, u).text, same))
                units_advise(advice, cs_unit_name(kind, p, u).text);
}

/* "KB" is 1000 bytes to some users and 1024 to others; so is a size of "k". */
static void advise_kilo(struct advice *advice, const struct units_kind *kind, const char *word)
{
    const char *rest = word + 1;
    struct unit_name kilo, kibi;

    if (kind->in_bytes && same_folded(word, "k"))
        rest = "B";
    else if (word[0] != 'K')
        return;
    snprintf(kilo.text, sizeof(kilo.text), "k%.*s", UNIT_MAX - 1, rest);
    snprintf(kibi.text, sizeof(kibi.text), "Ki%.*s", UNIT_MAX - 2, rest);
    if (cs_unit_factor(kind, kilo.text) && cs_unit_factor(kind, kibi.text)) {
        units_advise(advice, kilo.text);
        units_advise(advice, kibi.text);
    }
}

/* The digits of the user, or an example where they are many. */
static struct quoted amount_of(const struct units_number *number)
{
    size_t length = (size_t)(number->end - number->whole);

    return length <= AMOUNT_MAX ? cs_quote_n(number->whole, length) : cs_quote("25");
}

/* " (1e9 bytes)", " (2^30 bytes)"; nothing for plain bytes. */
static void units_explain(struct cs_text *text, const struct units_kind *kind, const char *name)
{
    wide factor = cs_unit_factor(kind, name);
    int exponent = 0;

    if (!kind->in_bytes || factor <= 1)
        return;
    if (factor % 1000 == 0) {
        for (; factor > 1; factor /= 10)
            exponent++;
        cs_text_printf(text, " (1e%d bytes)", exponent);
    } else {
        for (; factor > 1; factor /= 2)
            exponent++;
        cs_text_printf(text, " (2^%d bytes)", exponent);
    }
}

/* "1 GB (1e9 bytes) or 1 GiB (2^30 bytes)". */
static struct cs_text units_list(const struct advice *advice, const struct units_number *number,
                                 const struct units_kind *kind)
{
    struct quoted amount = amount_of(number);
    struct cs_text text = {0};

    for (size_t i = 0; i < advice->count; i++) {
        const char *name = advice->names[i].text;

        if (i > 0)
            cs_text_add(&text, i + 1 < advice->count ? ", " : " or ");
        cs_text_printf(&text, "%s %s", amount.text, name);
        if (advice->count == 2)
            units_explain(&text, kind, name);
    }
    return text;
}

static int refuse_with(const char *verdict, const struct advice *advice,
                       const struct units_number *number, const struct units_kind *kind,
                       struct cs_err *err)
{
    struct cs_text names = units_list(advice, number, kind);

    cs_err_set(err, CS_EINPUT, "'%s' %s write %s", cs_quote(number->text).text, verdict,
               cs_text_str(&names));
    cs_text_free(&names);
    return CS_EINPUT;
}

static int refuse_bare(const struct units_number *number, const struct units_kind *kind,
                       struct cs_err *err)
{
    struct advice advice = {0};

    for (size_t i = 0; i < ADVICE_MAX && kind->bare[i]; i++)
        units_advise(&advice, kind->bare[i]);
    return refuse_with("has no unit;", &advice, number, kind, err);
}

/* A unit that no ending completes: the message names the nearest unit, if a
 * near unit exists. */
static int refuse_unknown(const char *word, const struct units_number *number,
                          const struct units_kind *kind, struct cs_err *err)
{
    struct unit_name names[NAMES_MAX];
    const char *pointers[NAMES_MAX];
    size_t count = 0;
    const char *nearest;

    for (size_t p = 0; p < kind->prefix_count; p++) {
        for (size_t u = 0; u < kind->unit_count && count < NAMES_MAX; u++) {
            names[count] = cs_unit_name(kind, p, u);
            pointers[count] = names[count].text;
            count++;
        }
    }
    nearest = cs_nearest(word, pointers, count);
    if (nearest && *nearest)
        return cs_err_set(err, CS_EINPUT, "unknown unit '%s' in '%s'; did you mean '%s'?",
                          cs_quote(word).text, cs_quote(number->text).text, nearest);
    return cs_err_set(err, CS_EINPUT, "unknown unit '%s' in '%s'; write a %s such as %s",
                      cs_quote(word).text, cs_quote(number->text).text, kind->noun, kind->example);
}

/* The error, where it is in the number rather than in the unit; or NULL. */
static const char *wrong_number(const char *word, const struct units_kind *kind)
{
    if ((*word == 'e' || *word == 'E') && (word[1] == '+' || word[1] == '-'))
        return "has an exponent without digits";
    if (*word == ',' || *word == '_' || *word == '\'')
        return "has a separator in the number; write digits and a point only";
    if (*word == '.')
        return "has a point too many";
    if (kind->in_bytes && (cs_ends_in(word, "b") || cs_ends_in(word, "bit")))
        return "is in bits (b); a size is in bytes (B), such as 1 GB";
    if (cs_ends_in(word, "T/s"))
        return "counts transfers; a rate is in bytes or bits, such as 25 GB/s";
    return NULL;
}

int cs_units_refuse(const char *word, const struct units_number *number,
                    const struct units_kind *kind, struct cs_err *err)
{
    const char *wrong = wrong_number(word, kind);
    struct advice advice = {0};

    if (!*word)
        return refuse_bare(number, kind, err);
    if (wrong)
        return cs_err_set(err, CS_EINPUT, "'%s' %s", cs_quote(number->text).text, wrong);
    advise_kilo(&advice, kind, word);
    if (advice.count == 0)
        advise_completions(&advice, kind, word, cs_same);
    if (advice.count == 0)
        advise_completions(&advice, kind, word, same_folded);
    if (advice.count == 0)
        return refuse_unknown(word, number, kind, err);
    return refuse_with(advice.count > 1 ? "is ambiguous:" : "is not understood;", &advice, number,
                       kind, err);
}
