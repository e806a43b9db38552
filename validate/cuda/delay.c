#include "validate/cuda/delay.h"

#include "sim/base/units.h"
#include "validate/cuda/op_table.h"

#include <string.h>

static int delay_refuse(const char *text, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT,
                      "--delay: '%.40s'; expected a rank and a time above 0, as in rank=3,20us",
                      text);
}

int cs_delay_read(const char *text, struct cs_delay *delay, struct cs_err *err)
{
    static const char key[] = "rank=";
    const char *comma = strchr(text, ',');
    char digits[16];
    uint64_t rank = 0;
    size_t length;

    if (strncmp(text, key, sizeof(key) - 1) != 0 || !comma)
        return delay_refuse(text, err);
    text += sizeof(key) - 1;
    length = (size_t)(comma - text);
    if (length >= sizeof(digits))
        return delay_refuse(text - (sizeof(key) - 1), err);
    memcpy(digits, text, length);
    digits[length] = '\0';
    if (cs_units_count(digits, 0, CS_OP_TABLE_PARTIES_MAX - 1, &rank, NULL) ||
        cs_units_time(comma + 1, &delay->time_ps, NULL) || delay->time_ps == 0)
        return delay_refuse(text - (sizeof(key) - 1), err);
    delay->rank = (uint32_t)rank;
    return 0;
}
