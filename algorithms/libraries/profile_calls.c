/* The calls behind a profile. */
#include "algorithms/libraries/profile.h"

#include "sim/base/text.h"
#include "sim/base/units.h"

/* The calls of the collective on so many nodes; `count`: none. */
static uint32_t profile_find(const struct cs_profile_calls *calls, uint32_t count,
                             const struct cs_collective *collective, uint32_t nodes)
{
    uint32_t i = 0;

    while (i < count && (calls[i].collective != collective || calls[i].nodes != nodes))
        i++;
    return i;
}

void cs_profile_add_call(struct cs_profile_calls *calls, uint32_t *count,
                         const struct cs_profile_calls *call)
{
    uint32_t i = profile_find(calls, *count, call->collective, call->nodes);

    if (i == *count) {
        if (*count < CS_PROFILE_CALLS_MAX)
            calls[(*count)++] = *call;
        return;
    }
    if (call->least < calls[i].least)
        calls[i].least = call->least;
    if (call->most > calls[i].most)
        calls[i].most = call->most;
}

bool cs_profile_covers(const struct cs_profile *profile, const struct cs_profile_calls *call)
{
    if (!profile || !profile->call_count)
        return true;
    for (uint32_t i = 0; i < profile->call_count; i++) {
        const struct cs_profile_calls *known = &profile->calls[i];

        if (known->collective == call->collective && known->nodes == call->nodes &&
            call->least >= known->least && call->most <= known->most)
            return true;
    }
    return false;
}

void cs_profile_apply(const struct cs_profile *profile, struct cs_library_request *request)
{
    if (!profile)
        return;
    request->parameters = profile->values;
    request->carried = profile->call_count > 0 &&
                       profile_find(profile->calls, profile->call_count, request->collective,
                                    request->site->nodes) == profile->call_count;
}

void cs_profile_put_calls(const struct cs_profile_calls *calls, uint32_t count, struct cs_text *out)
{
    for (uint32_t i = 0; i < count; i++)
        cs_text_printf(out, "%s%s of %s to %s on %u node%s", i ? ", " : "",
                       calls[i].collective->name, cs_show_bytes(calls[i].least).text,
                       cs_show_bytes(calls[i].most).text, calls[i].nodes,
                       calls[i].nodes == 1 ? "" : "s");
}
