#include "sim/base/units_number.h"

#include <string.h>

struct quoted cs_quote_n(const char *word, size_t length)
{
    struct quoted quoted = {{0}};
    size_t kept = length;

    if (kept > QUOTED_MAX) {
        kept = QUOTED_MAX;
        while (kept > 0 && ((unsigned char)word[kept] & 0xc0) == 0x80)
            kept--;
    }
    memcpy(quoted.text, word, kept);
    if (kept < length)
        memcpy(quoted.text + kept, "...", sizeof("..."));
    return quoted;
}

struct quoted cs_quote(const char *word)
{
    return cs_quote_n(word, strlen(word));
}

static bool units_is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
}

static const char *skip_blanks(const char *at)
{
    while (units_is_blank(*at))
        at++;
    return at;
}

const char *cs_skip_digits(const char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

static int refuse_number(const char *text, const struct units_kind *kind, struct cs_err *err)
{
    char first = *skip_blanks(text);

    if (first == '-')
        return cs_err_set(err, CS_EINPUT, "'%s' is negative; a %s is not", cs_quote(text).text,
                          kind->noun);
    if (first == '+')
        return cs_err_set(err, CS_EINPUT, "'%s' has a sign; a %s has none", cs_quote(text).text,
                          kind->noun);
    return cs_err_set(err, CS_EINPUT, "'%s' is not a %s such as %s", cs_quote(text).text,
                      kind->noun, kind->example);
}

enum {
    EXPONENT_MAX = 1000 /* beyond every limit, and more digits than matter */
};

/* "e9" or "E-3" behind the digits; without an exponent, `at` itself. */
static const char *take_exponent(const char *at, struct units_number *number)
{
    const char *digits = at + 1 + (at[0] && (at[1] == '+' || at[1] == '-'));
    int exponent = 0;

    if ((*at != 'e' && *at != 'E') || !is_digit(*digits))
        return at;
    for (; is_digit(*digits); digits++)
        if (exponent < EXPONENT_MAX)
            exponent = 10 * exponent + (*digits - '0');
    number->exponent = at[1] == '-' ? -exponent : exponent;
    return digits;
}

int cs_units_cut(const char *text, const struct units_kind *kind, struct units_number *number,
                 struct cs_err *err)
{
    const char *at = skip_blanks(text);

    *number = (struct units_number){.text = text, .whole = at, .fraction = "", .unit = ""};
    at = cs_skip_digits(at);
    number->whole_digits = (size_t)(at - number->whole);
    if (number->whole_digits == 0)
        return refuse_number(text, kind, err);
    if (at[0] == '.' && is_digit(at[1])) {
        number->fraction = at + 1;
        at = cs_skip_digits(at + 1);
        number->fraction_digits = (size_t)(at - number->fraction);
    }
    at = take_exponent(at, number);
    number->end = at;
    number->unit = skip_blanks(at);
    number->unit_length = strlen(number->unit);
    while (number->unit_length > 0 && units_is_blank(number->unit[number->unit_length - 1]))
        number->unit_length--;
    return CS_OK;
}

/* Digit `i` of the written digits, from the left; zero beyond them. */
static unsigned digit_at(const struct units_number *number, ptrdiff_t i)
{
    ptrdiff_t whole = (ptrdiff_t)number->whole_digits;

    if (i < 0 || i >= whole + (ptrdiff_t)number->fraction_digits)
        return 0;
    return (unsigned)((i < whole ? number->whole[i] : number->fraction[i - whole]) - '0');
}

/*
 * Long multiplication, digit by digit from the right, so that any number of digits
 * is exact: product digits behind the point must be zeros, and the carry at the
 * point belongs to the whole part. An exponent moves the point.
 */
struct product cs_units_multiply(const struct units_number *number, wide factor)
{
    struct product product = {.exact = true};
    wide most = ((wide)1 << 126) / factor;
    wide carry = 0, whole = 0;
    ptrdiff_t written = (ptrdiff_t)(number->whole_digits + number->fraction_digits);
    ptrdiff_t point = (ptrdiff_t)number->whole_digits + number->exponent;

    for (ptrdiff_t i = written - 1; i >= point; i--) {
        carry += digit_at(number, i) * factor;
        if (carry % 10 != 0)
            product.exact = false;
        carry /= 10;
    }
    for (ptrdiff_t i = 0; i < point && !product.huge; i++) {
        wide digit = digit_at(number, i);

        if (whole > (most - digit) / 10)
            product.huge = true;
        else
            whole = whole * 10 + digit;
    }
    if (!product.huge)
        product.value = whole * factor + carry;
    return product;
}
