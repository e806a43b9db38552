/*
 * A single process with a thread for every device: torch.nn.DataParallel and
 * BalancedDataParallel.
 *
 * Of a micro batch (torch/nn/parallel/data_parallel.py, comm.py): scatter of the
 * inputs, broadcast of the parameters W in buffers of 10 MiB, forward passes, gather
 * of the outputs O on device 0, loss, scatter of the gradients of O, backward
 * passes, reduction of the gradients to device 0; the optimizer runs on device 0
 * alone.  The broadcast is a single node of the autograd graph over the whole model,
 * so that nothing overlaps with the backward pass.  Threads of a process also wait
 * for Python's interpreter lock: the model has no such cost, and a step is a lower
 * estimate.  The samples are those of one process's loader (loader_samples_per_s).
 */
#include "scenarios/train/job/job.h"
#include "scenarios/train/parallel/step.h"
#include "scenarios/train/stages/batch_split.h"
#include "scenarios/train/stages/group.h"
#include "scenarios/train/systems/system.h"

#include <math.h>

enum {
    DP_BUFFER_BYTES = 10 << 20,         /* of torch/nn/parallel/comm.py */
    DP_IMAGE_BYTES = 224 * 224 * 3 * 4, /* of a sample, in 32 bits */
    DP_TOKEN_BYTES = 8,                 /* int64 */
};

/* Sizes of a micro batch. */
struct dp_batch {
    uint32_t all, first; /* of the job, of device 0 */
    uint32_t most;       /* the largest of devices 1, 2, ... */
    double in, out;      /* bytes of a sample */
    double parameters;   /* bytes */
    bool balanced;       /* device 0 takes `first`, not a chunk as the others */
};

static uint32_t dp_of(const struct dp_batch *batch, uint32_t devices, uint32_t index)
{
    return batch->balanced ? cs_batch_balanced(batch->all, devices, batch->first, index)
                           : cs_batch_chunk(batch->all, devices, index);
}

/* The largest product of the last block: logits. */
static double output_elements(const struct cs_train_model *model)
{
    const struct cs_train_block *last = &model->blocks[model->block_count - 1];
    double most = 0;

    for (uint32_t m = 0; m < last->matmul_count; ++m)
        most = fmax(most, last->matmuls[m].rows * last->matmuls[m].columns);
    return most;
}

/* Device 0 holds more than device 1: the optimizer's states, outputs of the batch
 * with gradients, and the inputs. */
static int equal_first(const struct cs_train_job *job, struct dp_batch *batch, struct cs_err *err)
{
    double p = job->degrees.data;
    struct cs_train_step one;
    int code = cs_train_one_device(job, 1, &one, err);

    if (code)
        return code;
    batch->first = cs_batch_equal_memory(
        batch->all, job->degrees.data,
        one.optimizer_bytes + batch->all * (2 * batch->out * (p - 1) / p + batch->in),
        one.activation_bytes);
    return 0;
}

static int dp_open(const struct cs_train_job *job, struct dp_batch *batch, struct cs_err *err)
{
    const struct cs_train_model *model = job->model;
    uint32_t tokens = model->transformer.sequence, devices = job->degrees.data;
    int code = 0;

    *batch = (struct dp_batch){
        .all = (uint32_t)llround(job->degrees.micro_batch * devices),
        .first = job->degrees.first_batch / job->degrees.accumulation,
        .in = tokens ? (double)tokens * DP_TOKEN_BYTES : DP_IMAGE_BYTES,
        .out = output_elements(model) * cs_train_parameter_width(job),
        .parameters = model->parameters * cs_train_parameter_width(job),
        .balanced = job->degrees.balanced,
    };
    if (batch->balanced && !job->degrees.first_batch)
        code = equal_first(job, batch, err);
    if (code)
        return code;
    batch->first = dp_of(batch, devices, 0);
    for (uint32_t d = 1; d < devices; ++d) {
        uint32_t mine = dp_of(batch, devices, d);

        batch->most = mine > batch->most ? mine : batch->most;
    }
    return 0;
}

/* ---- transfers ---- */

/* Parameters to the devices or gradients to device 0: calls of the library, or
 * copies in turn where the library has no kernels on devices. */
static int dp_buffers(const struct cs_train_job *job, const struct cs_collective *collective,
                      double bytes, double *seconds, struct cs_err *err)
{
    struct cs_site group =
        cs_train_group_site(job->site, (struct cs_train_group){1, job->degrees.data});
    double full = floor(bytes / DP_BUFFER_BYTES);
    struct cs_train_call call, rest;
    int code;

    if (!job->library->launches_kernels) {
        *seconds = (job->degrees.data - 1) * cs_train_send_s(job, 1, bytes);
        return 0;
    }
    code = cs_train_collective(job, &group, collective, DP_BUFFER_BYTES, &call, err);
    if (!code)
        code = cs_train_collective(job, &group, collective, bytes - full * DP_BUFFER_BYTES, &rest,
                                   err);
    if (!code)
        *seconds = full * call.seconds + rest.seconds;
    return code;
}

/* Copies between device 0 and devices 1, 2, ... in turn. */
static double dp_copies_s(const struct cs_train_job *job, double bytes)
{
    return (job->degrees.data - 1) * cs_train_send_s(job, 1, bytes / (job->degrees.data - 1));
}

/* In the order of a micro batch, the forward pass between the second and the third,
 * the backward pass before the last. */
static void log_transfers(const struct cs_train_job *job, const struct dp_batch *batch,
                          double broadcast_s, double reduce_s)
{
    double others = batch->all - batch->first;
    double out_s = dp_copies_s(job, others * batch->out);
    double gradients = job->model->parameters * cs_train_gradient_width(job);
    const struct cs_log_item items[] = {
        {.name = "scatter of inputs",
         .bytes = others * batch->in,
         .end_s = dp_copies_s(job, others * batch->in)},
        {.name = "broadcast of parameters", .bytes = batch->parameters, .end_s = broadcast_s},
        {.name = "gather of outputs", .bytes = others * batch->out, .end_s = out_s},
        {.name = "scatter of gradients", .bytes = others * batch->out, .end_s = out_s},
        {.name = "reduce of gradients", .bytes = gradients, .end_s = reduce_s},
    };

    for (size_t i = 0; i < sizeof(items) / sizeof(*items); ++i) {
        struct cs_log_item item = items[i];

        item.kind = CS_LOG_TRANSFER;
        item.number = (uint32_t)i;
        cs_log_add(job->log, item);
    }
}

static int dp_transfers(const struct cs_train_job *job, const struct dp_batch *batch,
                        struct cs_train_step *step, struct cs_err *err)
{
    double others = batch->all - batch->first;
    double broadcast_s, reduce_s;
    double gradients = job->model->parameters * cs_train_gradient_width(job);
    int code;

    if (job->degrees.data < 2)
        return 0;
    code = dp_buffers(job, &cs_collective_broadcast, batch->parameters, &broadcast_s, err);
    if (!code)
        code = dp_buffers(job, &cs_collective_reduce, gradients, &reduce_s, err);
    if (code)
        return code;
    step->data_exposed_s =
        job->degrees.accumulation * (broadcast_s + reduce_s + dp_copies_s(job, others * batch->in) +
                                     2 * dp_copies_s(job, others * batch->out));
    step->data_s = step->data_exposed_s;
    log_transfers(job, batch, broadcast_s, reduce_s);
    cs_train_figure(step, "broadcast of the parameters", CS_TRAIN_SECONDS, broadcast_s);
    cs_train_figure(step, "reduce to device 0", CS_TRAIN_SECONDS, reduce_s);
    return 0;
}

/* Device 0 sends parameters, inputs and gradients of outputs, and receives gradients
 * and outputs; parameters and gradients pass from device to device. */
static void dp_traffic(const struct cs_train_job *job, const struct dp_batch *batch,
                       struct cs_train_traffic *traffic)
{
    double others = batch->all - batch->first;
    double gradients = job->model->parameters * cs_train_gradient_width(job);
    double times = job->degrees.accumulation;

    if (job->degrees.data < 2)
        return;
    traffic->data =
        job->degrees.accumulation * fmax(batch->parameters + others * (batch->in + batch->out),
                                         gradients + others * batch->out);
    traffic->link = traffic->data;
    traffic->streams[0] = (struct cs_train_stream){
        1, job->degrees.data, times * (batch->parameters + gradients), CS_STREAM_CHAIN};
    traffic->streams[1] = (struct cs_train_stream){
        1, job->degrees.data, times * others * (batch->in + batch->out), CS_STREAM_FAN_OUT};
    traffic->streams[2] = (struct cs_train_stream){1, job->degrees.data,
                                                   times * others * batch->out, CS_STREAM_FAN_IN};
    traffic->stream_count = 3;
}

/* ---- the step ---- */

static int dp_device(const struct cs_train_job *job, uint32_t samples, struct cs_train_step *step,
                     struct cs_err *err)
{
    struct cs_train_job in_turn = *job;

    in_turn.framework.launch_turns = job->degrees.data;
    /* A device without samples still holds parameters. */
    return cs_train_one_device(&in_turn, fmax(1e-9, samples), step, err);
}

/* Device 0 alone has the optimizer's states, and the whole batch's inputs, outputs
 * and gradients of outputs. */
static void dp_memory(const struct dp_batch *batch, uint32_t devices,
                      const struct cs_train_step *first, const struct cs_train_step *other,
                      struct cs_train_step *step)
{
    double gathered = batch->all * (batch->in + 2 * batch->out);
    double others = other->memory_bytes - other->optimizer_bytes;
    double zero = first->memory_bytes + gathered;
    const struct cs_train_step *peak = zero >= others ? first : other;

    step->parameter_bytes = peak->parameter_bytes;
    step->gradient_bytes = peak->gradient_bytes;
    step->activation_bytes = peak->activation_bytes;
    step->buffer_bytes = peak->buffer_bytes;
    step->optimizer_bytes = zero >= others ? first->optimizer_bytes : 0;
    if (zero >= others)
        step->buffer_bytes += gathered;
    step->memory_bytes = fmax(zero, others);
    step->redundant_bytes = (step->parameter_bytes + step->gradient_bytes) * (1 - 1. / devices);
    cs_train_figure(step, "memory of device 0", CS_TRAIN_BYTES, zero);
    cs_train_figure(step, "memory of another device", CS_TRAIN_BYTES, others);
}

static void dp_compute(const struct cs_train_job *job, const struct cs_train_step *slowest,
                       struct cs_train_step *step)
{
    double batch = cs_train_batch(job);

    step->forward_s = slowest->forward_s;
    step->backward_s = slowest->backward_s;
    step->recompute_s = slowest->recompute_s;
    step->optimizer_s = slowest->optimizer_s;
    step->host_s = slowest->host_s;
    step->step_s = cs_train_sum_parts(step);
    cs_train_wait_for_input(job, step);
    step->samples_per_s = batch / step->step_s;
    step->flops = 3 * cs_train_model_flops(job->model) * batch;
}

static int dp_step(const struct cs_train_job *job, const struct dp_batch *batch,
                   struct cs_train_step *step, struct cs_err *err)
{
    struct cs_train_step first, other;
    int code;

    *step = (struct cs_train_step){0};
    code = dp_device(job, batch->first, &first, err);
    if (!code)
        code = dp_device(job, batch->most, &other, err);
    if (!code)
        code = dp_transfers(job, batch, step, err);
    if (code)
        return code;
    dp_compute(job, batch->first >= batch->most ? &first : &other, step);
    dp_memory(batch, job->degrees.data, &first, &other, step);
    cs_train_figure(step, "samples on device 0", CS_TRAIN_COUNT, batch->first);
    cs_train_figure(step, "samples on another device, most", CS_TRAIN_COUNT, batch->most);
    return 0;
}

static int time_dp(const struct cs_train_job *job, struct cs_train_step *step, struct cs_err *err)
{
    struct dp_batch batch;
    int code = dp_open(job, &batch, err);

    return code ? code : dp_step(job, &batch, step, err);
}

static struct cs_train_traffic traffic_dp(const struct cs_train_job *job)
{
    struct cs_train_traffic traffic = {.data = 0};
    struct dp_batch batch;

    if (!dp_open(job, &batch, NULL))
        dp_traffic(job, &batch, &traffic);
    return traffic;
}

/* ---- the timeline ---- */

enum {
    DP_BEFORE_FORWARD = 2,  /* transfers of a micro batch */
    DP_BEFORE_BACKWARD = 4, /* then the loss */
    DP_TRANSFERS = 5,
};

struct dp_drawing {
    const struct cs_train_job *job;
    const struct dp_batch *batch;
    const struct cs_train_log *log;
    struct cs_train_step first, other; /* of device 0, of the most samples */
    struct cs_step_timeline *timeline;
    double input_s; /* of a step */
    uint32_t micro;
};

/* Transfers numbered `from` up to before `to`, in turn, in device 0's row. */
static void draw_transfers(const struct dp_drawing *drawing, uint32_t from, uint32_t to,
                           double *at_s)
{
    for (uint32_t i = 0; i < drawing->log->count; ++i) {
        const struct cs_log_item *item = &drawing->log->items[i];
        struct cs_step_span *span;

        if (item->kind != CS_LOG_TRANSFER || item->number < from || item->number >= to)
            continue;
        span = cs_step_add(drawing->timeline, 0, CS_SPAN_DATA, at_s, item->end_s);
        cs_step_name(span, "%s", item->name);
        if (span) {
            span->bytes = item->bytes;
            span->micro = drawing->micro;
        }
    }
}

/* A pass on every device: device 0, and the time of the most samples scaled by the
 * samples of the device. */
static void draw_devices(const struct dp_drawing *drawing, enum cs_span_kind kind, double *at_s)
{
    double micro = drawing->job->degrees.accumulation, end_s = *at_s;

    for (uint32_t d = 0; d < drawing->job->degrees.data; ++d) {
        const struct cs_train_step *step = d ? &drawing->other : &drawing->first;
        double seconds =
            kind == CS_SPAN_FORWARD ? step->forward_s : step->recompute_s + step->backward_s;
        double begin_s = *at_s;

        if (d && drawing->batch->most)
            seconds *=
                (double)dp_of(drawing->batch, drawing->job->degrees.data, d) / drawing->batch->most;
        cs_step_name(cs_step_add(drawing->timeline, d, kind, &begin_s, seconds / micro), "%s %u",
                     cs_span_kind_names[kind], drawing->micro);
        end_s = fmax(end_s, begin_s);
    }
    *at_s = end_s;
}

static void draw_dp(struct dp_drawing *drawing)
{
    const struct cs_train_step *slowest =
        drawing->batch->first >= drawing->batch->most ? &drawing->first : &drawing->other;
    double at_s = 0;

    (void)cs_step_add(drawing->timeline, 0, CS_SPAN_HOST, &at_s, slowest->host_s);
    for (drawing->micro = 0; drawing->micro < drawing->job->degrees.accumulation;
         ++drawing->micro) {
        draw_transfers(drawing, 0, DP_BEFORE_FORWARD, &at_s);
        draw_devices(drawing, CS_SPAN_FORWARD, &at_s);
        draw_transfers(drawing, DP_BEFORE_FORWARD, DP_BEFORE_BACKWARD, &at_s);
        draw_devices(drawing, CS_SPAN_BACKWARD, &at_s);
        draw_transfers(drawing, DP_BEFORE_BACKWARD, DP_TRANSFERS, &at_s);
    }
    (void)cs_step_add(drawing->timeline, 0, CS_SPAN_OPTIMIZER, &at_s, slowest->optimizer_s);
    cs_step_name(cs_step_add(drawing->timeline, 0, CS_SPAN_HOST, &at_s, drawing->input_s),
                 "wait for input");
}

static int timeline_dp(const struct cs_train_job *job, struct cs_step_timeline *timeline,
                       struct cs_err *err)
{
    CS_AT_END(cs_log_free) struct cs_train_log log = {0};
    struct cs_train_job logged = *job;
    struct dp_batch batch;
    struct dp_drawing drawing = {.job = job, .batch = &batch, .log = &log, .timeline = timeline};
    struct cs_train_step step;
    int code = dp_open(job, &batch, err);

    logged.log = &log;
    timeline->row = "device";
    if (!code)
        code = dp_step(&logged, &batch, &step, err);
    if (!code)
        code = dp_device(job, batch.first, &drawing.first, err);
    if (!code)
        code = dp_device(job, batch.most, &drawing.other, err);
    if (!code) {
        drawing.input_s = step.input_s;
        draw_dp(&drawing);
    }
    return code;
}

/* ---- the systems ---- */

static int check_dp(const struct cs_train_job *job, struct cs_err *err)
{
    int code = cs_train_whole_check(job, "DataParallel copies the whole model to each device", err);

    if (code)
        return code;
    if (job->degrees.data_kind != CS_DATA_DDP || job->framework.overlap)
        return cs_err_set(
            err, CS_EINPUT,
            "DataParallel neither shards states nor overlaps gradients with the backward pass");
    if (job->site->nodes > 1)
        return cs_err_set(err, CS_EINPUT,
                          "DataParallel is one process on one node; the machine has %u nodes: take "
                          "ddp, or --ranks %u",
                          job->site->nodes, job->site->node_ranks);
    return 0;
}

static void arrange_balanced(struct cs_train_job *job)
{
    job->degrees.balanced = true;
}

static int check_balanced(const struct cs_train_job *job, struct cs_err *err)
{
    int code = check_dp(job, err);
    double all = round(job->degrees.micro_batch * job->degrees.data) * job->degrees.accumulation;

    if (!code && job->degrees.data < 2)
        code =
            cs_err_set(err, CS_EINPUT,
                       "balanced-dp divides a batch over two devices or more; the machine has 1");
    if (!code && job->degrees.first_batch > all)
        code = cs_err_set(err, CS_EINPUT, "device 0 cannot take %u samples of a batch of %.0f",
                          job->degrees.first_batch, all);
    return code;
}

const struct cs_train_system cs_train_system_dp = {
    .name = "dp",
    .about = "torch.nn.DataParallel: one process; device 0 scatters, gathers and optimizes",
    .formula = "m (scatter I + broadcast W + forward + gather, scatter O + backward + reduce W) + "
               "optimizer",
    .splits_batch = true,
    .check = check_dp,
    .time = time_dp,
    .timeline = timeline_dp,
    .traffic = traffic_dp,
};

const struct cs_train_system cs_train_system_balanced_dp = {
    .name = "balanced-dp",
    .about = "BalancedDataParallel: dp with a smaller batch on device 0",
    .formula = "as dp, with the passes of the device with the most samples",
    .splits_batch = true,
    .arrange = arrange_balanced,
    .check = check_balanced,
    .time = time_dp,
    .timeline = timeline_dp,
    .traffic = traffic_dp,
};
