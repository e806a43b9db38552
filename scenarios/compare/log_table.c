#include "scenarios/compare/table.h"

/* ---- collective and ranks ---- */

static int log_table_collective(const struct cs_log_table_request *request,
                                const struct cs_collective **collective, struct cs_err *err)
{
    bool given = cs_scenario_given(request->scenario, "collective");

    *collective = given ? request->scenario->collective : request->table->collective;
    if (*collective && !(*collective)->is_signal)
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "the table at line %u names no collective; expected --collective NAME",
                      request->table->line);
}

/* Ranks by --ranks, else those of the table; 0: all of the machine's. */
static uint32_t log_table_ranks(const struct cs_log_table_request *request)
{
    const struct cs_scenario *scenario = request->scenario;

    return scenario->rank_count ? scenario->ranks[0] : request->table->ranks;
}

/* Bandwidths of many ranks leave an interval, in which the machine lies. */
static bool log_table_ranks_fit(const struct cs_log_table *table, uint32_t ranks)
{
    return table->ranks_from && *table->ranks_from == 'b' && ranks >= table->ranks_low &&
           ranks <= table->ranks_high;
}

static int log_table_machine(const struct cs_log_table_request *request,
                             const struct cs_case *which, uint32_t ranks,
                             struct cs_library_calls *calls, struct cs_err *err)
{
    struct cs_case *all = cs_arena_alloc(request->arena, 1, sizeof(*all));
    int code;

    /* All ranks first: what the machine has decides about the table's.  `calls`
     * refers to the case. */
    *all = *which;
    all->ranks = 0;
    code = cs_library_calls_open(all, request->arena, calls, err);
    if (code || !ranks || ranks == calls->site.ranks ||
        (!request->scenario->rank_count && log_table_ranks_fit(request->table, calls->site.ranks)))
        return code;
    if (ranks > calls->site.ranks)
        return cs_err_set(err, CS_EINPUT,
                          "the table at line %u has %u ranks, and the machine %u; expected a "
                          "larger --topo, or --nodes",
                          request->table->line, ranks, calls->site.ranks);
    return cs_library_calls_open(which, request->arena, calls, err);
}

int cs_log_table_open(const struct cs_log_table_request *request,
                      const struct cs_collective **collective, struct cs_library_calls *calls,
                      struct cs_err *err)
{
    struct cs_scenario *scenario = request->scenario;
    uint32_t ranks = log_table_ranks(request);
    struct cs_case *which = cs_arena_alloc(request->arena, 1, sizeof(*which));
    int code = log_table_collective(request, collective, err);

    *which = (struct cs_case){.scenario = scenario, .ranks = ranks, .notes = request->notes};
    if (code)
        return code;
    scenario->collective = *collective;
    return log_table_machine(request, which, ranks, calls, err);
}
