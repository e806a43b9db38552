#include "scenarios/run/command/library_runs.h"

#include "scenarios/run/library_call.h"
#include "scenarios/run/slower_run.h"

#include <string.h>

/* A database keeps equal calls once. */
static int library_runs_store(const struct cs_library_runs *runs, const struct cs_record *record,
                              struct cs_err *err)
{
    CS_AT_END(cs_records_free) struct cs_records known = {0};
    int code;

    if (!runs->store)
        return 0;
    code = cs_store_find(runs->store, record, &known, err);
    if (!code && !known.count)
        code = cs_store_put(runs->store, record, err);
    return code;
}

static int library_runs_call(const struct cs_library_runs *runs, struct cs_library_calls *calls,
                             uint64_t bytes, const char *engine, struct cs_err *err)
{
    const struct cs_case which = {.scenario = runs->scenario,
                                  .bytes = bytes,
                                  .engine = engine,
                                  .ranks = calls->run.call.ranks};
    struct cs_record record;
    int code = cs_library_call(calls, bytes, engine, &record);

    if (!code)
        code = library_runs_store(runs, &record, err);
    if (!code)
        cs_records_add(runs->records, &record);
    if (!code && runs->notes && cs_slower_run_is(record.slowdown, 1))
        cs_slower_run_note_faults(&which, runs->notes);
    return code;
}

/* Notes an algorithm that does not fit the machine; the other algorithms of a
 * list still run. */
static int library_runs_refused(const struct cs_library_runs *runs, struct cs_err *refused,
                                struct cs_err *err)
{
    if (!refused->code)
        *refused = *err;
    else if (strcmp(refused->text, err->text) != 0 && runs->notes)
        cs_text_printf(runs->notes, "%s\n", err->text);
    *err = (struct cs_err){0};
    return 0;
}

/* Every size and algorithm with a number of ranks. */
static int library_runs_ranks(const struct cs_library_runs *runs, uint32_t ranks,
                              struct cs_err *refused, struct cs_err *err)
{
    const struct cs_scenario *scenario = runs->scenario;
    const struct cs_case which = {.scenario = scenario, .ranks = ranks, .notes = runs->notes};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_library_calls calls;
    int code = cs_library_calls_open(&which, &arena, &calls, err);

    for (uint32_t i = 0; i < scenario->size_count && !code; i++)
        for (uint32_t k = 0; k < scenario->by.engine_count && !code; k++) {
            code =
                library_runs_call(runs, &calls, scenario->sizes[i], scenario->by.engines[k], err);
            if (code == CS_ECANNOT)
                code = library_runs_refused(runs, refused, err);
        }
    return code;
}

int cs_library_runs(const struct cs_library_runs *runs, struct cs_err *err)
{
    const struct cs_scenario *scenario = runs->scenario;
    struct cs_err refused = {0};
    int code = 0;

    if (!scenario->rank_count)
        code = library_runs_ranks(runs, 0, &refused, err);
    for (uint32_t i = 0; i < scenario->rank_count && !code; i++)
        code = library_runs_ranks(runs, scenario->ranks[i], &refused, err);
    if (code || !refused.code)
        return code;
    /* A collective or a machine beyond the library is the user's choice, not a
     * limit of this system. */
    *err = refused;
    return err->code = CS_EINPUT;
}
