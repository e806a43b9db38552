#include "scenarios/run/slower_run.h"

#include "algorithms/libraries/slower_call.h"
#include "scenarios/run/case/fingerprint.h"
#include "scenarios/run/fold/execute.h"
#include "scenarios/run/library_call.h"
#include "scenarios/run/open.h"
#include "scenarios/run/record/record.h"
#include "sim/base/units_show.h"
#include "sim/program/matching.h"
#include "sim/proof/proof.h"
#include "sim/watch/service_log.h"

#include <string.h>

enum {
    SLOWER_MESSAGES = 1 << 18 /* of a run: about a second, and 100 MB */
};

/* Ends of flows are rounded. */
static const double slower_rounding = 1e-6;

bool cs_slower_run_is(double before_s, double after_s)
{
    return after_s > before_s * (1 + slower_rounding);
}

struct slower {
    struct cs_arena arena;
    struct cs_err err;
    struct cs_case which;
    struct cs_run run;
    struct cs_service_log log;
};

/* ---- parameters ---- */

/* "chunks=31 rings=2": what the algorithm chose. */
static const char *chosen_parameters(struct slower *slower)
{
    const struct cs_run *run = &slower->run;
    struct cs_record_parameter *chosen =
        cs_arena_alloc(&slower->arena, run->parameter_count, sizeof(*chosen));
    uint32_t count = 0;

    for (uint32_t i = 0; i < run->parameter_count; i++)
        if (strcmp(run->parameter[i].chosen_by, "user") != 0)
            chosen[count++] = run->parameter[i];
    return cs_record_join(chosen, count, &slower->arena);
}

static bool put_parameters(struct slower *before, struct slower *after, struct cs_text *out)
{
    const char *was = chosen_parameters(before), *is = chosen_parameters(after);

    if (!strcmp(was, is))
        return false;
    cs_text_printf(out, "%s chooses %s in place of %s", after->which.algo->name, is, was);
    return true;
}

/* ---- services ---- */

static int slower_open(struct slower *slower, const struct cs_case *which)
{
    *slower = (struct slower){.which = *which};
    slower->which.notes = NULL;
    slower->which.limit_ps = 0;
    slower->run =
        (struct cs_run){.which = &slower->which, .arena = &slower->arena, .err = &slower->err};
    return cs_run_open(&slower->run);
}

static void slower_close(struct slower *slower)
{
    cs_service_log_free(&slower->log);
    cs_arena_free(&slower->arena);
}

static bool slower_is_long(const struct slower *slower)
{
    const struct cs_proof_options options = {0};

    return cs_proof_estimate(&slower->run.program, &options).ops / 2 > SLOWER_MESSAGES;
}

static bool slower_simulate(struct slower *slower)
{
    const struct cs_exec_watch watch = {.carried = cs_service_log_carried, .ctx = &slower->log};
    struct cs_exec_result result;

    if (cs_run_expand(&slower->run))
        return false;
    cs_service_log_open(&slower->log, &slower->run.net, slower->which.scenario->model);
    return !cs_run_execute(&slower->run, &slower->run.program, &watch, &slower->arena, &result);
}

static void put_message(const char *which, const struct cs_service_entry *entry,
                        struct cs_text *out)
{
    cs_text_printf(out, "%s from rank %u to rank %u", which, entry->src, entry->dst);
}

static void put_place(const struct slower *slower, const char *word,
                      const struct cs_service_entry *entry, struct cs_text *out)
{
    if (entry->link == CS_NONE)
        cs_text_printf(out, " %s rank %u", word, entry->dst);
    else
        cs_text_printf(out, " %s %s", word, cs_run_link_name(&slower->run, entry->link));
}

static void put_change(const struct slower *before, const struct slower *after,
                       const struct cs_service_change *change, struct cs_text *out)
{
    put_message("the message", &change->late, out);
    if (change->what == CS_SERVICE_ROUTE) {
        put_place(after, "takes", &change->late, out);
        put_place(before, "in place of", &change->before, out);
    } else if (change->what == CS_SERVICE_ORDER) {
        put_place(after, "waits at", &change->late, out);
        put_message(" behind another", &change->before, out);
        cs_text_add(out, ", which came after it there");
    } else if (change->what == CS_SERVICE_STORE) {
        put_place(after, "is stored in front of", &change->late, out);
        cs_text_add(out, ", which is faster than the link before it");
    } else {
        put_place(after, "shares", &change->late, out);
        put_message(" with another", &change->before, out);
    }
}

static bool put_services(struct slower *before, struct slower *after, struct cs_text *out)
{
    struct cs_service_change change;

    if (slower_is_long(before)) {
        cs_text_printf(out, "parameters are equal; not compared message by message, beyond %d",
                       SLOWER_MESSAGES);
        return true;
    }
    if (!slower_simulate(before) || !slower_simulate(after))
        return false;
    change = cs_service_log_find(&before->log, &after->log);
    if (change.what)
        put_change(before, after, &change, out);
    return change.what;
}

/* Equal parameters on other rings or trees. */
static bool put_links(struct slower *before, struct slower *after, struct cs_text *out)
{
    const struct cs_fingerprint_sample sample = {16, 16, 8};

    if (before->run.call.elements != after->run.call.elements ||
        cs_fingerprint_program(&before->run.program, sample) ==
            cs_fingerprint_program(&after->run.program, sample))
        return false;
    cs_text_printf(out, "%s is planned along other links", after->which.algo->name);
    return true;
}

static bool put_run(const struct cs_case *before, const struct cs_case *after, struct cs_text *out)
{
    struct slower was, is;
    bool noted = false;

    if (before->scenario->other_jobs.count)
        return false;
    if (!slower_open(&was, before)) {
        if (!slower_open(&is, after) && !cs_run_is_noisy(&is.run))
            noted = put_parameters(&was, &is, out) || put_links(&was, &is, out) ||
                    put_services(&was, &is, out);
        slower_close(&is);
    }
    slower_close(&was);
    return noted;
}

/* ---- calls of a library ---- */

struct slower_request {
    struct cs_case which;
    struct cs_library_calls calls;
    struct cs_library_request request;
};

static int slower_ask(const struct cs_case *which, struct cs_arena *arena,
                      struct slower_request *asked, struct cs_err *err)
{
    int code;

    asked->which = *which;
    asked->which.notes = NULL;
    code = cs_library_calls_open(&asked->which, arena, &asked->calls, err);
    if (!code)
        asked->request = cs_library_calls_request(&asked->calls, which->bytes, which->engine);
    return code;
}

static bool put_call(const struct cs_case *before, const struct cs_case *after, struct cs_text *out)
{
    const struct cs_library *library = after->scenario->by.library;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct slower_request *asked = cs_arena_alloc(&arena, 2, sizeof(*asked));
    struct cs_slower_call call;
    struct cs_err ignored = {0};
    bool noted = !slower_ask(before, &arena, &asked[0], &ignored) &&
                 !slower_ask(after, &arena, &asked[1], &ignored) &&
                 !cs_slower_call_find(library, &asked[0].request, &asked[1].request, &call, NULL) &&
                 call.is == CS_SLOWER_BY_DECISION;

    if (noted)
        cs_slower_call_put(library, &call, out);
    return noted;
}

bool cs_slower_run_put(const struct cs_case *before, const struct cs_case *after,
                       struct cs_text *out)
{
    if (before->algo)
        return put_run(before, after, out);
    return before->scenario->by.library && put_call(before, after, out);
}

void cs_slower_run_note_faults(const struct cs_case *which, struct cs_text *notes)
{
    struct cs_scenario healthy = *which->scenario;
    struct cs_case without = *which;
    CS_AT_END(cs_text_free) struct cs_text reason = {0};

    healthy.faults.count = 0;
    healthy.machines = NULL;
    without.scenario = &healthy;
    without.lost = NULL;
    if (cs_slower_run_put(which, &without, &reason))
        cs_text_printf(notes, "%s%s%s takes less time with the faults: without them, %s\n",
                       which->algo ? which->algo->name : "", which->algo ? " of " : "",
                       cs_show_bytes(which->bytes).text, cs_text_str(&reason));
}
