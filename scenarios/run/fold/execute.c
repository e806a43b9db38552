#include "scenarios/run/fold/execute.h"

#include "scenarios/run/case/memory_limit.h"
#include "scenarios/run/fold/folding.h"
#include "scenarios/run/fold/time_limit.h"
#include "scenarios/run/record/record.h"

/* Noise applies to the networks after timed faults as well, with equal draws. */
static void add_noise(const struct cs_run *run, struct cs_net *net, struct cs_exec_request *request,
                      struct cs_arena *arena)
{
    const struct cs_net_change *given = request->changes;
    uint32_t count = request->change_count;
    struct cs_net_change *changes = cs_arena_alloc(arena, count, sizeof(*changes));
    struct cs_net *nets = cs_arena_alloc(arena, count, sizeof(*nets));

    cs_noise_net(run->noise, net, arena);
    if (count > 0)
        cs_net_forget_ahead(net);
    for (uint32_t i = 0; i < count; i++) {
        nets[i] = *given[i].net;
        cs_noise_net(run->noise, &nets[i], arena);
        cs_net_forget_ahead(&nets[i]);
        changes[i] = (struct cs_net_change){given[i].at_ps, &nets[i]};
    }
    request->changes = changes;
}

/* Runs the request, up to the run's limit. */
static int execute_request(const struct cs_run *run, struct cs_exec_request *request,
                           struct cs_arena *arena, struct cs_exec_result *result)
{
    struct cs_time_limit *limit = run->limit;
    const struct cs_monitor monitor = {cs_time_limit_update, limit};
    const struct cs_monitor *inner = request->monitor;
    int code;

    if (limit) {
        limit->inner = inner;
        request->monitor = &monitor;
    }
    code = cs_exec_run_watched(request, arena, result, run->err);
    request->monitor = inner;
    if (!limit || !limit->passed)
        return code;
    *run->err = (struct cs_err){0};
    return CS_SIMULATE_SLOWER;
}

int cs_run_execute(const struct cs_run *run, const struct cs_program *program,
                   const struct cs_exec_watch *watch, struct cs_arena *arena,
                   struct cs_exec_result *result)
{
    const struct cs_scenario *scenario = run->which->scenario;
    struct cs_progress_line *display = run->monitor ? NULL : run->which->display;
    bool alone = program == &run->program;
    struct cs_net net = alone ? run->net : run->all_net;
    struct cs_exec_request request = {
        .program = program,
        .net = &net,
        .model = scenario->model,
        .params = &run->params,
        .eager = run->machine->transport.eager,
        .watch = watch,
        .noise = run->noise && cs_noise_delays(run->noise) ? run->noise : NULL,
        .routing = run->draws_routes ? &run->routing : NULL,
        .changes = alone ? run->changes : run->all_changes,
        .change_count = run->change_count,
        .failover_ps = scenario->faults.failover_ps,
        .monitor = run->monitor,
        .jumps_from = scenario->fold == CS_FOLD_OFF ? 0 : CS_RUN_JUMPS_FROM};
    int code;

    if (run->noise)
        add_noise(run, &net, &request, arena);
    if (display) {
        display->memory_bytes = cs_room_bytes(program, &net, scenario->model);
        if (alone && scenario->model->shares_buffers) /* long rounds */
            display->expected_ps = cs_run_closed_form_s(run, CS_LOOKS_AT_SOME) * 1e12;
        request.monitor = cs_progress_line_begin(display, "simulating");
    }
    code = execute_request(run, &request, arena, result);
    if (code < 0 && result->cut_off && run->cut) {
        *run->err = (struct cs_err){0};
        code = cs_err_set(run->err, CS_EINPUT, "%s", run->cut);
    }
    return cs_progress_line_end(display, code, run->err);
}
