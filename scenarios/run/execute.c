#include "scenarios/run/run.h"

/* Gives the noise to the nets that come later, too: the same draws. */
static void add_noise(const struct cs_stage *stage, struct cs_net *net,
                      struct cs_exec_ask *ask, struct cs_arena *arena)
{
    uint32_t count = stage->change_count;
    struct cs_net_change *changes =
        cs_arena_alloc(arena, count, sizeof(*changes));
    struct cs_net *nets = cs_arena_alloc(arena, count, sizeof(*nets));
    uint32_t i;

    cs_noise_net(stage->noise, net, arena);
    if (count > 0)
        cs_net_forget_ahead(net);
    for (i = 0; i < count; i++) {
        nets[i] = *stage->changes[i].net;
        cs_noise_net(stage->noise, &nets[i], arena);
        cs_net_forget_ahead(&nets[i]);
        changes[i] = (struct cs_net_change){stage->changes[i].at_ps, &nets[i]};
    }
    ask->changes = changes;
}

int cs_stage_execute(const struct cs_stage *stage,
                     const struct cs_program *program,
                     const struct cs_exec_watch *watch, struct cs_arena *arena,
                     struct cs_exec_result *result)
{
    const struct cs_scenario *scenario = stage->point->scenario;
    struct cs_live *live = stage->pulse ? NULL : stage->point->live;
    struct cs_net net = stage->net;
    struct cs_exec_ask ask = {.program = program,
                              .net = &net,
                              .model = scenario->model,
                              .watch = watch,
                              .noise = stage->noise,
                              .changes = stage->changes,
                              .change_count = stage->change_count,
                              .failover_ps = scenario->faults.failover_ps,
                              .pulse = stage->pulse};

    int code;

    if (stage->noise)
        add_noise(stage, &net, &ask, arena);
    if (live)
        ask.pulse = cs_live_begin(live, "simulating");
    code = cs_exec_run_watched(&ask, arena, result, stage->err);
    if (code && result->cut_off && stage->cut) {
        *stage->err = (struct cs_err){0};
        code = cs_err_set(stage->err, CS_EINPUT, "%s", stage->cut);
    }
    return cs_live_end(live, code, stage->err);
}
