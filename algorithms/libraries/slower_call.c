#include "algorithms/libraries/slower_call.h"

#include "sim/base/units_show.h"

#include <string.h>

/* Of the last digits of doubles. */
static const double slower_rounding = 1e-9;

static bool is_longer(double after_s, double before_s)
{
    return after_s > before_s * (1 + slower_rounding);
}

int cs_slower_call_find(const struct cs_library *library, const struct cs_library_request *before,
                        const struct cs_library_request *after, struct cs_slower_call *call,
                        struct cs_err *err)
{
    int code = library->time(before, &call->before, err);

    if (!code)
        code = library->time(after, &call->after, err);
    call->kept = call->after;
    call->is = CS_SLOWER_NOT;
    if (code || !is_longer(call->after.total_s, call->before.total_s))
        return code;
    if (library->time_as)
        code = library->time_as(after, before, &call->kept, err);
    call->is = is_longer(call->kept.total_s, call->before.total_s) ? CS_SLOWER_ANYHOW
                                                                   : CS_SLOWER_BY_DECISION;
    return code;
}

static bool is_same(const struct cs_library_time *a, const struct cs_library_time *b)
{
    return !strcmp(a->engine, b->engine) && !strcmp(a->protocol, b->protocol) &&
           a->channels == b->channels;
}

/* "ring ll128 on 43 channels" */
static void put_choice(const struct cs_library_time *time, bool counts, struct cs_text *out)
{
    cs_text_add(out, time->engine);
    if (*time->protocol)
        cs_text_printf(out, " %s", time->protocol);
    if (counts)
        cs_text_printf(out, " on %u channel%s", time->channels, time->channels == 1 ? "" : "s");
}

void cs_slower_call_put(const struct cs_library *library, const struct cs_slower_call *call,
                        struct cs_text *out)
{
    bool counts = call->before.channels != call->after.channels;

    cs_text_printf(out, "%s decides for ", library->name);
    put_choice(&call->after, counts, out);
    cs_text_add(out, "; decided as there");
    if (!is_same(&call->before, &call->after)) {
        cs_text_add(out, ", for ");
        put_choice(&call->before, counts, out);
    } else if (library->otherwise) {
        cs_text_printf(out, ", %s", library->otherwise);
    }
    cs_text_printf(out, ", it would take %s in place of %s",
                   cs_show_seconds(call->kept.total_s).text,
                   cs_show_seconds(call->after.total_s).text);
}
