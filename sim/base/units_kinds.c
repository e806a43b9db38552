#include "sim/base/units_number.h"

#include "sim/base/text.h"

#include <stdio.h>
#include <string.h>

static const struct units_unit no_prefix[] = {{"", 1}};

static const struct units_unit prefixes[] = {
    {"", 1},
    {"k", UINT64_C(1000)},
    {"M", UINT64_C(1000000)},
    {"G", UINT64_C(1000000000)},
    {"T", UINT64_C(1000000000000)},
    {"P", UINT64_C(1000000000000000)},
    {"E", UINT64_C(1000000000000000000)},
    {"Ki", UINT64_C(1) << 10},
    {"Mi", UINT64_C(1) << 20},
    {"Gi", UINT64_C(1) << 30},
    {"Ti", UINT64_C(1) << 40},
    {"Pi", UINT64_C(1) << 50},
    {"Ei", UINT64_C(1) << 60},
};

static const struct units_unit byte_units[] = {{"B", 1}};

/* In millionths of a bit per second. */
static const struct units_unit rate_units[] = {
    {"B/s", MICROBITS_PER_BYTE}, {"b/s", MICROBITS_PER_BYTE / 8}, {"bit/s", MICROBITS_PER_BYTE / 8},
    {"Bps", MICROBITS_PER_BYTE}, {"bps", MICROBITS_PER_BYTE / 8},
};

/* In picoseconds. The micro sign and the Greek mu have one glyph; keyboards
 * produce either. */
static const struct units_unit time_units[] = {
    {"ps", 1},
    {"ns", UINT64_C(1000)},
    {"us", UINT64_C(1000000)},
    {"\xc2\xb5s", UINT64_C(1000000)},
    {"\xce\xbcs", UINT64_C(1000000)},
    {"ms", UINT64_C(1000000000)},
    {"s", UINT64_C(1000000000000)},
};

/* In 10^-FRACTION_DECIMALS. */
static const struct units_unit fraction_units[] = {
    {"", UINT64_C(1000000000000000)},
    {"%", UINT64_C(10000000000000)},
};

const struct units_kind cs_units_of_bytes = {
    .noun = "size",
    .example = "256 MB or 1 GiB",
    .bare = {"B", "MB", "MiB"},
    .in_bytes = true,
    .prefixes = prefixes,
    .prefix_count = COUNT_OF(prefixes),
    .units = byte_units,
    .unit_count = COUNT_OF(byte_units),
};

const struct units_kind cs_units_of_rate = {
    .noun = "rate",
    .example = "25 GB/s or 400 Gb/s",
    .bare = {"GB/s", "Gb/s", NULL},
    .prefixes = prefixes,
    .prefix_count = COUNT_OF(prefixes),
    .units = rate_units,
    .unit_count = COUNT_OF(rate_units),
};

const struct units_kind cs_units_of_time = {
    .noun = "time",
    .example = "500 ns or 1.5 us",
    .bare = {"ns", "us", "ms"},
    .prefixes = no_prefix,
    .prefix_count = COUNT_OF(no_prefix),
    .units = time_units,
    .unit_count = COUNT_OF(time_units),
};

const struct units_kind cs_units_of_fraction = {
    .noun = "fraction",
    .example = "0.8 or 80 %",
    .prefixes = no_prefix,
    .prefix_count = COUNT_OF(no_prefix),
    .units = fraction_units,
    .unit_count = COUNT_OF(fraction_units),
};

struct unit_name cs_unit_name(const struct units_kind *kind, size_t prefix, size_t unit)
{
    struct unit_name name;

    snprintf(name.text, sizeof(name.text), "%s%s", kind->prefixes[prefix].name,
             kind->units[unit].name);
    return name;
}

wide cs_unit_factor(const struct units_kind *kind, const char *word)
{
    for (size_t p = 0; p < kind->prefix_count; p++) {
        size_t length = strlen(kind->prefixes[p].name);

        if (strncmp(word, kind->prefixes[p].name, length) != 0)
            continue;
        for (size_t u = 0; u < kind->unit_count; u++)
            if (cs_same(word + length, kind->units[u].name))
                return (wide)kind->prefixes[p].factor * kind->units[u].factor;
    }
    return 0;
}
