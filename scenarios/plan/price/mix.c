#include "scenarios/plan/price/mix.h"

#include "scenarios/options/words.h"
#include "sim/base/units.h"

#include <string.h>

/* "all-reduce:1GiB*4"; the word is changed. */
static int mix_call(char *word, struct cs_mix_call *call, struct cs_err *err)
{
    char *colon = strchr(word, ':'), *star;
    uint64_t count = 1;
    int code;

    if (!colon)
        return cs_err_set(err, CS_EINPUT,
                          "'%.40s' has no size; expected all-reduce:1GiB or all-reduce:1GiB*4",
                          word);
    *colon = '\0';
    star = strchr(colon + 1, '*');
    if (star)
        *star = '\0';
    code = cs_collective_want(word, &call->collective, err);
    if (!code)
        code = cs_units_nccl_bytes(colon + 1, &call->bytes, err);
    if (!code && star)
        code = cs_units_count(star + 1, 1, 1u << 30, &count, err);
    if (!code && !call->bytes)
        code = cs_err_set(err, CS_EINPUT, "the size of '%.40s' is 0", word);
    call->count = (uint32_t)count;
    return code;
}

static int mix_take(void *target, const char *word, struct cs_err *err)
{
    struct cs_mix *mix = target;

    if (mix->count == CS_MIX_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "'%.40s': expected up to %d calls such as all-reduce:1GiB", word,
                          CS_MIX_MAX);
    return mix_call((char *)word, &mix->calls[mix->count++], err);
}

int cs_mix_read(const char *text, struct cs_mix *mix, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    *mix = (struct cs_mix){0};
    return cs_options_each((struct cs_option_list){&arena, mix_take, mix}, text, err);
}
