#include "scenarios/options/number.h"

#include "sim/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#define BINARY                                     \
    {"Ki", 1024.}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, \
    {                                              \
        "Ti", 0x1p40                               \
    }

/* Billions are of tokens alone. */
static const struct cs_number_unit token_units[] = {{"B", 1e9},  {"", 1},    {"k", 1e3},
                                                    {"K", 1e3},  {"M", 1e6}, {"G", 1e9},
                                                    {"T", 1e12}, BINARY,     {NULL, 0}};
static const struct cs_number_unit binary_units[] = {{"", 1},       {"k", 1024.}, {"K", 1024.},
                                                     {"M", 0x1p20}, BINARY,       {NULL, 0}};

enum {
    MINUTE = 60,
    HOUR = 60 * MINUTE,
    DAY = 24 * HOUR,
    YEAR = 31557600, /* Julian */
};
static const struct cs_number_unit span_units[] = {
    {"ms", 1e-3},        {"s", 1},       {"m", MINUTE},   {"min", MINUTE},
    {"minutes", MINUTE}, {"h", HOUR},    {"hours", HOUR}, {"d", DAY},
    {"day", DAY},        {"days", DAY},  {"w", 7 * DAY},  {"weeks", 7 * DAY},
    {"y", YEAR},         {"year", YEAR}, {"years", YEAR}, {NULL, 0}};

const struct cs_number_kind cs_number_count = {NULL, token_units + 1};
const struct cs_number_kind cs_number_tokens = {"300B or 15T", token_units};
const struct cs_number_kind cs_number_binary = {NULL, binary_units};
const struct cs_number_kind cs_number_span = {"30s, 10min, 50700h, 2d or 4y", span_units};

int cs_number_read(const char *text, const struct cs_number_kind *kind, double *number,
                   struct cs_err *err)
{
    bool begins = isdigit((unsigned char)*text) || *text == '.';
    char *end;

    *number = strtod(text, &end);
    if (begins && end != text && isfinite(*number)) {
        while (*end == ' ')
            end++;
        for (const struct cs_number_unit *unit = kind->units; unit->name; unit++)
            if (cs_same(end, unit->name)) {
                *number *= unit->factor;
                return 0;
            }
    }
    if (!kind->example)
        return cs_err_set(err, CS_EINPUT, "'%.40s' is not a number", text);
    return cs_err_set(err, CS_EINPUT, "'%.40s' is not a number with a unit; expected %s", text,
                      kind->example);
}
