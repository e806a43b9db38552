/*
 * Parameter servers, synchronous and asynchronous (parameter_server.h).
 *
 * On several nodes a worker is a node: the devices sum gradients with a call
 * of the library, and the node's adapters reach the servers, machines with the
 * equal adapters.  On a single node a worker is a device, and the servers are CPUs: a
 * push is read, added to a sum in memory and written, three passes at the
 * memory's rate.
 */
#include "scenarios/train/job/job.h"
#include "scenarios/train/kernels/kernels.h"
#include "scenarios/train/memory/memory.h"
#include "scenarios/train/parallel/parameter_server.h"
#include "scenarios/train/parallel/step.h"
#include "scenarios/train/stages/group.h"
#include "scenarios/train/systems/system.h"

#include <math.h>

enum {
    PS_SUM_PASSES = 3 /* over memory: two reads and a write */
};

struct ps_run {
    struct cs_parameter_server ps;
    struct cs_train_step one; /* a device's passes */
    double local_s;           /* sums inside a node */
    double batch;             /* samples of a step, global */
};

/* Servers are the node's CPUs, and share them where there are more; beside workers
 * they are the GPUs, whose links come first. */
static void ps_inside(const struct cs_site *site, double share, struct cs_parameter_server *ps)
{
    if (ps->place == CS_PS_COLOCATED && site->link_Bps > 0) {
        ps->worker_Bps = share * site->link_Bps;
        return;
    }
    if (site->host_Bps > 0)
        ps->server_Bps = site->host_Bps / PS_SUM_PASSES;
    if (site->host_Bps > 0 && site->cpus && ps->servers > site->cpus)
        ps->server_Bps *= (double)site->cpus / ps->servers;
    ps->sockets = site->cpus;
    ps->socket_Bps = site->socket_Bps;
}

/* Rates of ports, and of the sums of a CPU. */
static struct cs_parameter_server ps_open(const struct cs_train_job *job)
{
    const struct cs_site *site = job->site;
    const double *p = job->parameters ? job->parameters : cs_kernel_parameters;
    double share = p[CS_KERNEL_SEND_RATE];
    struct cs_parameter_server ps = {
        .place = job->servers.place,
        .workers = site->nodes > 1 ? site->nodes : site->ranks,
        .servers = job->servers.count,
        .bytes = job->model->parameters * cs_train_gradient_width(job),
        .worker_Bps = share * (site->nodes > 1      ? site->node_Bps
                               : site->pcie_Bps > 0 ? site->pcie_Bps
                                                    : site->link_Bps),
        .sliced = job->framework.overlap,
    };

    if (!ps.servers && ps.place == CS_PS_DEDICATED)
        ps.servers = 1;
    ps.server_Bps = ps.worker_Bps;
    if (site->nodes < 2)
        ps_inside(site, share, &ps);
    return ps;
}

/* Devices of a node sum before the node pushes. */
static int ps_local(const struct cs_train_job *job, struct ps_run *run, struct cs_err *err)
{
    struct cs_site node;
    struct cs_train_call call;
    int code;

    if (job->site->nodes < 2 || job->site->node_ranks < 2)
        return 0;
    node = cs_train_group_site(job->site, (struct cs_train_group){1, job->site->node_ranks});
    code = cs_train_collective(job, &node, &cs_collective_allreduce, run->ps.bytes, &call, err);
    run->local_s = call.seconds;
    return code;
}

static int ps_run_open(const struct cs_train_job *job, struct ps_run *run, struct cs_err *err)
{
    int code;

    *run = (struct ps_run){.ps = ps_open(job), .batch = cs_train_batch(job)};
    if (run->ps.place == CS_PS_DEDICATED && !(run->ps.worker_Bps > 0))
        return cs_err_set(err, CS_EINPUT,
                          "the machine states no rate of PCIe or adapters, over which workers "
                          "reach their servers");
    code = cs_train_one_device(job, job->degrees.micro_batch, &run->one, err);
    return code ? code : ps_local(job, run, err);
}

/* The optimizer runs on the servers at the same time, on a share of the parameters
 * on every server; a device only keeps parameters and gradients. */
static void ps_fill(const struct cs_train_job *job, const struct ps_run *run,
                    struct cs_train_step *step)
{
    double share = cs_parameter_server_share(&run->ps);
    struct cs_state_widths widths = cs_train_state_widths(job);
    double elements = share / cs_train_gradient_width(job);

    *step = run->one;
    step->flops = 3 * cs_train_model_flops(job->model) * run->batch;
    step->optimizer_bytes = 0;
    step->memory_bytes -= run->one.optimizer_bytes;
    step->optimizer_s *= share / run->ps.bytes;
    step->redundant_bytes =
        (step->parameter_bytes + step->gradient_bytes) * (1 - 1. / job->degrees.data);
    cs_train_figure(step, "workers", CS_TRAIN_COUNT, run->ps.workers);
    cs_train_figure(step, "servers", CS_TRAIN_COUNT,
                    run->ps.servers + (run->ps.place == CS_PS_DEDICATED ? 0 : run->ps.workers));
    if (run->ps.place == CS_PS_DEDICATED)
        cs_train_figure(step, "bytes to a server", CS_TRAIN_BYTES, run->ps.workers * share);
    cs_train_figure(step, "memory of a server", CS_TRAIN_BYTES,
                    elements * (widths.parameter + widths.optimizer) + share);
}

/* In each direction a worker sends as many bytes as it receives; devices of a node
 * sum in a ring.  Servers of several nodes are at the places of the other nodes. */
static struct cs_train_traffic traffic_ps(const struct cs_train_job *job)
{
    const struct cs_site *site = job->site;
    struct cs_parameter_server ps = ps_open(job);
    double g = site->node_ranks;
    struct cs_train_traffic traffic = {.data = cs_parameter_server_sent(&ps)};

    if (site->nodes < 2) {
        bool beside = ps.place == CS_PS_COLOCATED;

        traffic.link = traffic.data;
        traffic.streams[traffic.stream_count++] =
            (struct cs_train_stream){1, beside ? site->ranks : ps.servers, traffic.data,
                                     beside ? CS_STREAM_EXCHANGE : CS_STREAM_SERVERS};
        return traffic;
    }
    traffic.link = 2 * (g - 1) / g * ps.bytes;
    if (site->adapters)
        traffic.adapter = traffic.data / site->adapters;
    traffic.streams[traffic.stream_count++] =
        (struct cs_train_stream){1, site->node_ranks, traffic.link, CS_STREAM_RING};
    traffic.streams[traffic.stream_count++] = (struct cs_train_stream){
        site->node_ranks, site->nodes, traffic.data / g, CS_STREAM_EXCHANGE};
    return traffic;
}

/* ---- synchronous ---- */

/* Idle time of the fast workers: a straggler, or exponential delays. */
static double sync_wait_s(const struct cs_train_job *job, const struct ps_run *run,
                          double compute_s)
{
    const struct cs_ps_setting *set = &job->servers;
    double wait_s = cs_parameter_server_wait_s(set->jitter_s, run->ps.workers, set->backups);

    if (set->straggler > 1 && !set->backups)
        wait_s += (set->straggler - 1) * compute_s;
    return wait_s;
}

static int time_ps_sync(const struct cs_train_job *job, struct cs_train_step *step,
                        struct cs_err *err)
{
    struct ps_run run;
    int code = ps_run_open(job, &run, err);
    double passes_s, backward_s, kept;

    if (code)
        return code;
    ps_fill(job, &run, step);
    passes_s = step->forward_s + step->backward_s + step->recompute_s;
    backward_s = (step->backward_s + step->recompute_s) / job->degrees.accumulation;
    step->data_s = cs_parameter_server_sync_s(&run.ps) + run.local_s;
    step->data_exposed_s =
        job->framework.overlap ? fmax(0, step->data_s - backward_s) : step->data_s;
    step->bubble_s = sync_wait_s(job, &run, passes_s + step->host_s);
    step->jitter_s = cs_train_jitter_s(job, passes_s);
    step->step_s = passes_s + step->optimizer_s + step->host_s + step->jitter_s +
                   step->data_exposed_s + step->bubble_s;
    cs_train_wait_for_input(job, step);
    kept = 1 - (double)job->servers.backups / run.ps.workers;
    step->samples_per_s = kept * run.batch / step->step_s;
    step->flops *= kept;
    cs_train_figure(step, "pushes and pulls", CS_TRAIN_SECONDS,
                    cs_parameter_server_sync_s(&run.ps));
    cs_train_figure(step, "sums inside a node", CS_TRAIN_SECONDS, run.local_s);
    cs_train_figure(step, "gradients left out", CS_TRAIN_SHARE, 1 - kept);
    cs_train_figure(step, "mean staleness in updates", CS_TRAIN_COUNT, 0);
    return 0;
}

/* ---- asynchronous ---- */

/* A step here is as many updates as workers: p / X seconds. */
static int time_ps_async(const struct cs_train_job *job, struct cs_train_step *step,
                         struct cs_err *err)
{
    double straggler = job->servers.straggler > 1 ? job->servers.straggler : 1;
    double compute_s, busy_s, rate;
    struct ps_run run;
    int code = ps_run_open(job, &run, err);

    if (code)
        return code;
    ps_fill(job, &run, step);
    /* The servers apply updates while workers compute. */
    step->optimizer_s = 0;
    compute_s = step->forward_s + step->backward_s + step->recompute_s + step->host_s + run.local_s;
    rate = cs_parameter_server_async_rate(&run.ps, compute_s + job->servers.jitter_s, straggler);
    step->step_s = run.ps.workers / rate;
    step->data_s = 2 * run.ps.bytes / run.ps.worker_Bps + run.local_s;
    busy_s = compute_s - run.local_s;
    step->data_exposed_s = fmin(step->data_s, step->step_s - busy_s);
    step->bubble_s = step->step_s - busy_s - step->data_exposed_s;
    if (step->bubble_s < 1e-9 * step->step_s) /* of rounding */
        step->bubble_s = 0;
    cs_train_wait_for_input(job, step);
    step->samples_per_s = run.batch / step->step_s;
    cs_train_figure(step, "updates a second", CS_TRAIN_COUNT, rate);
    cs_train_figure(step, "mean staleness in updates", CS_TRAIN_COUNT, run.ps.workers - 1.);
    cs_train_figure(step, "use of the servers", CS_TRAIN_SHARE,
                    rate * run.ps.bytes / (fmax(1, run.ps.servers) * run.ps.server_Bps));
    return 0;
}

/* ---- the timeline ---- */

static void draw_pushes(const struct cs_train_job *job, const struct cs_train_step *step,
                        double begin_s, struct cs_step_timeline *timeline)
{
    struct cs_step_span *span = cs_step_add(timeline, 0, CS_SPAN_DATA, &begin_s, step->data_s);

    cs_step_name(span, "push and pull");
    if (span)
        span->bytes = job->model->parameters * cs_train_gradient_width(job);
}

/* A worker; servers apply the optimizer.  Beside the last backward pass, pushes and
 * pulls of slices. */
static void draw_worker(const struct cs_train_job *job, const struct cs_train_step *step,
                        struct cs_step_timeline *timeline)
{
    double at_s = 0, backward_s = step->backward_s + step->recompute_s;
    double micro = job->degrees.accumulation;

    timeline->row = "worker";
    (void)cs_step_add(timeline, 0, CS_SPAN_HOST, &at_s, step->host_s);
    for (uint32_t m = 0; m < job->degrees.accumulation; ++m) {
        cs_step_name(cs_step_add(timeline, 0, CS_SPAN_FORWARD, &at_s, step->forward_s / micro),
                     "forward %u", m);
        cs_step_name(cs_step_add(timeline, 0, CS_SPAN_BACKWARD, &at_s, backward_s / micro),
                     "backward %u", m);
    }
    draw_pushes(job, step, fmax(0, at_s + step->data_exposed_s - step->data_s), timeline);
    cs_step_name(cs_step_add(timeline, 0, CS_SPAN_EXPOSED, &at_s, step->data_exposed_s),
                 "exposed push and pull");
    cs_step_name(cs_step_add(timeline, 0, CS_SPAN_JITTER, &at_s, step->bubble_s + step->jitter_s),
                 job->servers.straggler > 1 || job->servers.jitter_s > 0
                     ? "wait for the slowest worker"
                     : "wait for the servers");
    cs_step_name(cs_step_add(timeline, 0, CS_SPAN_OPTIMIZER, &at_s, step->optimizer_s),
                 "optimizer on the servers");
    cs_step_name(cs_step_add(timeline, 0, CS_SPAN_HOST, &at_s, step->input_s), "wait for input");
}

static int timeline_sync(const struct cs_train_job *job, struct cs_step_timeline *timeline,
                         struct cs_err *err)
{
    struct cs_train_step step;
    int code = time_ps_sync(job, &step, err);

    if (!code)
        draw_worker(job, &step, timeline);
    return code;
}

static int timeline_async(const struct cs_train_job *job, struct cs_step_timeline *timeline,
                          struct cs_err *err)
{
    struct cs_train_step step;
    int code = time_ps_async(job, &step, err);

    if (!code)
        draw_worker(job, &step, timeline);
    return code;
}

/* ---- the systems ---- */

static int check_ps_settings(const struct cs_train_job *job, struct cs_err *err)
{
    const struct cs_ps_setting *set = &job->servers;
    uint32_t workers = job->site->nodes > 1 ? job->site->nodes : job->site->ranks;

    if (set->backups >= workers)
        return cs_err_set(err, CS_EINPUT, "%u backup workers of %u leave none", set->backups,
                          workers);
    if (set->straggler != 0 && !(set->straggler >= 1))
        return cs_err_set(err, CS_EINPUT, "a straggler takes at least 1 times as long");
    if (set->straggler > 1 && set->jitter_s > 0)
        return cs_err_set(err, CS_EINPUT,
                          "the closed form takes a straggler or random delays, not both");
    if (set->place == CS_PS_COLOCATED && set->count)
        return cs_err_set(err, CS_EINPUT,
                          "servers beside workers are as many as workers; leave --servers out");
    if (set->place == CS_PS_BYTEPS && set->count > workers)
        return cs_err_set(err, CS_EINPUT,
                          "BytePS gains from as many CPU machines as workers, %u, not from %u",
                          workers, set->count);
    if (set->place == CS_PS_BYTEPS && job->site->nodes < 2 && workers > 1)
        return cs_err_set(err, CS_EINPUT,
                          "BytePS divides gradients over machines, and the job has one; take ddp, "
                          "or dedicated servers");
    return 0;
}

static int check_ps_sync(const struct cs_train_job *job, struct cs_err *err)
{
    int code =
        cs_train_whole_check(job, "each worker of parameter servers holds the whole model", err);

    if (code)
        return code;
    if (job->degrees.adapters)
        return cs_err_set(err, CS_EINPUT, "--lora: parameter servers have all gradients");
    if (job->degrees.data_kind != CS_DATA_DDP)
        return cs_err_set(err, CS_EINPUT,
                          "parameter servers keep the optimizer's states; workers share none");
    return check_ps_settings(job, err);
}

static int check_ps_async(const struct cs_train_job *job, struct cs_err *err)
{
    int code = check_ps_sync(job, err);

    if (!code && job->servers.backups)
        code = cs_err_set(err, CS_EINPUT,
                          "asynchronous workers wait for none; backup workers belong to ps-sync");
    if (!code && job->servers.place == CS_PS_BYTEPS)
        code = cs_err_set(err, CS_EINPUT, "the closed form of BytePS is synchronous; take ps-sync");
    return code;
}

const struct cs_train_system cs_train_system_ps_sync = {
    .name = "ps-sync",
    .about = "parameter servers: workers push gradients, wait and pull parameters",
    .formula = "forward + max(backward, max(V/B_w, pV/(k B_s), pV/(s B_x))) + wait for the slowest "
               "+ optimizer/k",
    .overlap = true,
    .check = check_ps_sync,
    .time = time_ps_sync,
    .timeline = timeline_sync,
    .traffic = traffic_ps,
};

const struct cs_train_system cs_train_system_ps_async = {
    .name = "ps-async",
    .about = "parameter servers without waits: mean staleness of p - 1 updates",
    .formula = "p / X, X = min(p/(compute + 2V/B_w), k B_s/V, s B_x/V) updates a second",
    .overlap = true,
    .check = check_ps_async,
    .time = time_ps_async,
    .timeline = timeline_async,
    .traffic = traffic_ps,
};
