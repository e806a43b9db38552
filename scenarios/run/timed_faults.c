#include "scenarios/run/timed_faults.h"

#include "scenarios/run/job_machine.h"

/* The time of the earliest fault after after_ps, or UINT64_MAX. */
static uint64_t next_fault_ps(const struct cs_faults *faults, uint64_t after_ps)
{
    uint64_t next_ps = UINT64_MAX;
    uint32_t i;

    for (i = 0; i < faults->count; i++)
        if (faults->item[i].at_ps > after_ps && faults->item[i].at_ps < next_ps)
            next_ps = faults->item[i].at_ps;
    return next_ps;
}

/* Look-ahead assumes fixed routes. */
static void fit_to_changes(struct cs_net *net, uint32_t max_hops)
{
    net->max_hops = max_hops;
    cs_net_forget_ahead(net);
}

/* Routes change during the run: the longest route is the longest of every network,
 * and look-ahead is not possible. */
static void fit_all_to_changes(struct cs_run *run, struct cs_run_nets *nets)
{
    uint32_t max_hops = run->net.max_hops;
    uint32_t i;

    for (i = 0; i < run->change_count; i++)
        if (nets[i].own.max_hops > max_hops)
            max_hops = nets[i].own.max_hops;
    fit_to_changes(&run->net, max_hops);
    fit_to_changes(&run->all_net, max_hops);
    for (i = 0; i < run->change_count; i++) {
        fit_to_changes(&nets[i].own, max_hops);
        fit_to_changes(&nets[i].all, max_hops);
    }
}

/* Opens the machine after the faults up to at_ps; the last machine decides whether
 * ranks remain disconnected. */
static int open_change(struct cs_run *run, uint64_t at_ps, struct cs_run_nets *nets)
{
    const struct cs_machine *machine;
    int code = cs_run_open_at(run, at_ps, &machine, nets);

    if (code)
        return code;
    cs_run_pass_on_notes(run, &machine->graph);
    run->cut = machine->graph.cut;
    run->all_changes[run->change_count] = (struct cs_net_change){at_ps, &nets->all};
    run->changes[run->change_count++] = (struct cs_net_change){at_ps, &nets->own};
    return 0;
}

static int check_changes(const struct cs_run *run)
{
    const struct cs_link_model *model = run->which->scenario->model;

    if (!model->lose)
        return cs_err_set(
            run->err, CS_EINPUT,
            "model %s does not support timed faults; models fifo, fluid, packet and postal do",
            model->name);
    if (model->shares_buffers && model->shares_buffers(&run->params))
        return cs_err_set(run->err, CS_EINPUT,
                          "timed faults require separate buffers for each message; leave --buffer "
                          "and --loss out");
    return 0;
}

/* Faults at time 0 are part of the machine, and the healthy machine has none. */
int cs_timed_faults_open(struct cs_run *run)
{
    const struct cs_faults *faults = &run->which->scenario->faults;
    uint64_t at_ps = next_fault_ps(faults, 0);
    struct cs_run_nets *nets;
    int code;

    if (run->healthy || at_ps == UINT64_MAX)
        return 0;
    code = check_changes(run);
    if (code)
        return code;
    run->changes = cs_arena_alloc(run->arena, CS_FAULTS_MAX, sizeof(*run->changes));
    run->all_changes = cs_arena_alloc(run->arena, CS_FAULTS_MAX, sizeof(*run->changes));
    nets = cs_arena_alloc(run->arena, CS_FAULTS_MAX, sizeof(*nets));
    for (; at_ps != UINT64_MAX && !code; at_ps = next_fault_ps(faults, at_ps))
        code = open_change(run, at_ps, &nets[run->change_count]);
    if (!code)
        fit_all_to_changes(run, nets);
    return code;
}
