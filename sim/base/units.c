#include "sim/base/units.h"

#include "sim/base/units_number.h"

#include <string.h>

#define LIMIT_BYTES (UINT64_C(1) << 62)
#define LIMIT_PS    (UINT64_C(1) << 62)

static int read_product(const char *text, const struct units_kind *kind, struct product *product,
                        struct cs_err *err)
{
    struct units_number number;
    struct quoted word;
    wide factor;

    if (cs_units_cut(text, kind, &number, err))
        return CS_EINPUT;
    word = cs_quote_n(number.unit, number.unit_length);
    factor = cs_unit_factor(kind, word.text);
    if (factor == 0)
        return cs_units_refuse(word.text, &number, kind, err);
    *product = cs_units_multiply(&number, factor);
    return CS_OK;
}

static int units_take_bytes(const char *text, struct product product, uint64_t *bytes,
                            struct cs_err *err)
{
    if (product.huge || product.value > LIMIT_BYTES)
        return cs_err_set(err, CS_EINPUT, "'%s' is too large; a size is at most 4 EiB",
                          cs_quote(text).text);
    if (!product.exact)
        return cs_err_set(err, CS_EINPUT, "'%s' is not a whole number of bytes",
                          cs_quote(text).text);
    *bytes = (uint64_t)product.value;
    return CS_OK;
}

int cs_units_bytes(const char *text, uint64_t *bytes, struct cs_err *err)
{
    struct product product = {0};

    if (read_product(text, &cs_units_of_bytes, &product, err))
        return CS_EINPUT;
    return units_take_bytes(text, product, bytes, err);
}

/* The power of 1024 of nccl-tests' one-letter units, 0 for another unit. */
static wide nccl_factor(const struct units_number *number)
{
    static const char letters[] = "KMGT";

    if (number->unit_length == 0)
        return 1;
    for (size_t i = 0; number->unit_length == 1 && letters[i]; i++)
        if (units_fold(number->unit[0]) == units_fold(letters[i]))
            return (wide)1 << (10 * (i + 1));
    return 0;
}

int cs_units_nccl_bytes(const char *text, uint64_t *bytes, struct cs_err *err)
{
    struct units_number number;
    wide factor;

    if (cs_units_cut(text, &cs_units_of_bytes, &number, err))
        return CS_EINPUT;
    factor = nccl_factor(&number);
    if (factor == 0)
        return cs_units_bytes(text, bytes, err);
    return units_take_bytes(text, cs_units_multiply(&number, factor), bytes, err);
}

int cs_units_rate(const char *text, double *rate_Bps, struct cs_err *err)
{
    struct product product = {0};

    if (read_product(text, &cs_units_of_rate, &product, err))
        return CS_EINPUT;
    if (product.huge || product.value / MICROBITS_PER_BYTE > LIMIT_BYTES)
        return cs_err_set(err, CS_EINPUT, "'%s' is too large; a rate is at most 4 EiB/s",
                          cs_quote(text).text);
    if (product.value == 0)
        return cs_err_set(err, CS_EINPUT, "'%s' is zero; expected a rate above 0",
                          cs_quote(text).text);
    /* Whole bytes and the rest apart: both are exact in a double. */
    *rate_Bps = (double)(uint64_t)(product.value / MICROBITS_PER_BYTE) +
                (double)(uint64_t)(product.value % MICROBITS_PER_BYTE) / MICROBITS_PER_BYTE;
    return CS_OK;
}

int cs_units_time(const char *text, uint64_t *time_ps, struct cs_err *err)
{
    struct product product = {0};

    if (read_product(text, &cs_units_of_time, &product, err))
        return CS_EINPUT;
    if (product.huge || product.value > LIMIT_PS)
        return cs_err_set(err, CS_EINPUT, "'%s' is too long; a time is at most 4611686 s",
                          cs_quote(text).text);
    if (!product.exact)
        return cs_err_set(err, CS_EINPUT, "'%s' is not a whole number of picoseconds",
                          cs_quote(text).text);
    *time_ps = (uint64_t)product.value;
    return CS_OK;
}

static int out_of_range(const char *text, uint64_t min, uint64_t max, struct cs_err *err)
{
    if (max == UINT64_MAX)
        return cs_err_set(err, CS_EINPUT, "'%s' is out of range; expected at least %llu",
                          cs_quote(text).text, (unsigned long long)min);
    return cs_err_set(err, CS_EINPUT, "'%s' is out of range; expected %llu to %llu",
                      cs_quote(text).text, (unsigned long long)min, (unsigned long long)max);
}

int cs_units_count(const char *text, uint64_t min, uint64_t max, uint64_t *count,
                   struct cs_err *err)
{
    uint64_t value = 0;

    if (*text == '-' && text[1] && !*cs_skip_digits(text + 1))
        return out_of_range(text, min, max, err);
    if (!*text || *cs_skip_digits(text))
        return cs_err_set(err, CS_EINPUT, "'%s' is not a whole number%s", cs_quote(text).text,
                          strpbrk(text, "eE") && !text[strspn(text, "0123456789.eE+")]
                              ? " written in digits alone"
                              : "");
    for (const char *at = text; *at; at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
            return out_of_range(text, min, max, err);
    if (value < min || value > max)
        return out_of_range(text, min, max, err);
    *count = value;
    return CS_OK;
}

int cs_units_fraction(const char *text, double *fraction, struct cs_err *err)
{
    const uint64_t one = UINT64_C(1000000000000000);
    struct product product = {0};

    if (read_product(text, &cs_units_of_fraction, &product, err))
        return CS_EINPUT;
    if (product.huge || product.value > one || product.value == 0 ||
        (product.value == one && !product.exact))
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is not above 0 and at most 1; write a fraction such as %s",
                          cs_quote(text).text, cs_units_of_fraction.example);
    *fraction = (double)(uint64_t)product.value / (double)one;
    return CS_OK;
}
