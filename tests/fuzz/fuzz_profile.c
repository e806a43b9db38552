/*
 * Fuzz target: profiles of cost models.  Every byte string is read or refused;
 * the values of a profile that is read give finite times.
 */
#include "algorithms/libraries/profile.h"
#include "tests/fuzz/insist.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_profile profile;
    struct cs_err err = {0};
    int code = cs_profile_read_text("p", (const char *)data, size, &arena, &profile, &err);

    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    for (uint32_t k = 0; !code && k < profile.library->parameters->count; k++)
        insist(isfinite(profile.values[k]) && profile.values[k] > 0);
    for (uint32_t i = 1; i < profile.row_count && !code; i++)
        insist(profile.rows[i - 1] <= profile.rows[i]);
    return 0;
}
