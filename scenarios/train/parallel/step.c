#include "scenarios/train/parallel/step.h"

#include "scenarios/train/memory/memory.h"
#include "scenarios/train/parallel/data_parallel.h"
#include "scenarios/train/stages/group.h"
#include "sim/base/collections/vector.h"

#include <math.h>

/* Seconds of a pipeline's micro batches: sum and largest of the stages. */
struct stage_extremes {
    double sum_s, max_s, alone_s;
    double sends_s;  /* exposed, of the slowest */
    double hidden_s; /* sum of sends beside passes over other chunks */
    struct cs_stage_time slowest;
    struct cs_stage peak;                 /* the most parameters */
    double most_parameters, most_experts; /* of `peak` */
};

/* The most that a stage of a network of images hands on; without cuts, of any two
 * blocks. */
static double most_output(const struct cs_train_job *job)
{
    const struct cs_train_model *model = job->model;
    double most = 0;

    for (uint32_t c = 0; job->degrees.cuts && c < job->degrees.cut_count; ++c)
        most = fmax(most, cs_stage_output_before(model, job->degrees.cuts[c]));
    for (uint32_t b = 0; b < model->block_count && !job->degrees.cuts; ++b)
        most = fmax(most, model->blocks[b].output);
    return most;
}

double cs_train_slot_sends_s(const struct cs_train_job *job)
{
    const struct cs_transformer *dims = &job->model->transformer;
    double elements = job->degrees.micro_batch * (double)dims->sequence * dims->hidden /
                      job->degrees.context / job->degrees.tensor;
    uint32_t stride = cs_train_stage_ranks(job);

    if (job->degrees.pipeline < 2)
        return 0;
    if (!dims->layers)
        elements = job->degrees.micro_batch * most_output(job);
    return 2. * job->degrees.chunks *
           cs_train_send_s(job, stride, elements * cs_train_parameter_width(job));
}

double cs_train_exposed_sends_s(const struct cs_train_job *job, const struct cs_pass *pass,
                                double sends_s)
{
    double each_s = (sends_s - job->slot_overhead_s) / 2;

    return job->degrees.chunks > 1 ? fmax(0, each_s - cs_pass_forward_s(pass)) +
                                         fmax(0, each_s - cs_pass_backward_s(pass))
                                   : sends_s;
}

/* Keeps the cuts beside the calls, for the job on another machine. */
static void keep_cut(const struct cs_train_job *job, uint32_t index, const struct cs_stage *stage)
{
    struct cs_train_calls *calls = job->calls;

    if (!calls || !index)
        return;
    calls->cuts =
        cs_vector_room_in(calls->arena, calls->cuts, index, &calls->cut_room, sizeof(*calls->cuts));
    calls->cuts[index - 1] = stage->begin;
    calls->cut_count = index;
}

static struct stage_extremes find_extremes(const struct cs_passes *passes, double sends_s)
{
    struct stage_extremes found = {.max_s = -1, .most_parameters = -1};

    for (uint32_t s = 0; s < passes->job->degrees.pipeline; ++s) {
        struct cs_stage stage = cs_stage_of(passes, s);
        struct cs_stage_time time = cs_stage_ranks_sum(passes, s);
        double slot_s, exposed_s;

        cs_train_offload(passes, &stage, &time.pass);
        exposed_s = cs_train_exposed_sends_s(passes->job, &time.pass, sends_s);
        slot_s = cs_pass_forward_s(&time.pass) + cs_pass_backward_s(&time.pass) + exposed_s +
                 passes->job->slot_overhead_s;
        keep_cut(passes->job, s, &stage);
        found.sum_s += slot_s;
        found.hidden_s += sends_s - exposed_s;
        found.alone_s = fmax(found.alone_s, time.pass.alone_s);
        if (slot_s > found.max_s) {
            found.max_s = slot_s;
            found.sends_s = exposed_s;
            found.slowest = time;
        }
        if (time.parameters > found.most_parameters) {
            found.most_parameters = time.parameters;
            found.most_experts = time.experts;
            found.peak = stage;
        }
    }
    return found;
}

/* Seconds of all micro batches; in a layer split no two stages compute at the
 * same time, and s stages have s - 1 borders.  The first micro batch forward
 * and the last back wait for each send; the last of all chunks sends none. */
static double micro_batches_s(const struct cs_train_job *job, const struct stage_extremes *stages,
                              double sends_s)
{
    if (job->degrees.schedule == CS_SCHEDULE_SERIAL)
        return job->degrees.accumulation * (stages->sum_s - sends_s);
    if (cs_train_is_dual(job))
        return job->degrees.accumulation * stages->max_s +
               cs_dualpipe_idle_share(&stages->slowest.pass, job->degrees.pipeline) *
                   (stages->sum_s - stages->max_s);
    return cs_pipeline_s(stages->sum_s, stages->max_s, job->degrees.accumulation,
                         job->degrees.pipeline, job->degrees.chunks) +
           fmax(0, stages->hidden_s - sends_s / job->degrees.chunks);
}

static void add_passes(const struct cs_train_job *job, const struct stage_extremes *stages,
                       double sends_s, struct cs_train_step *step)
{
    const struct cs_pass *pass = &stages->slowest.pass;
    double micro = job->degrees.accumulation;

    step->forward_s = micro * pass->forward.compute_s;
    step->backward_s = micro * pass->backward.compute_s;
    step->recompute_s = micro * pass->recompute.compute_s;
    step->tensor_s =
        micro * (pass->forward.tensor_s + pass->backward.tensor_s + pass->recompute.tensor_s);
    step->expert_s =
        micro * (pass->forward.expert_s + pass->backward.expert_s + pass->recompute.expert_s);
    step->context_s =
        micro * (pass->forward.context_s + pass->backward.context_s + pass->recompute.context_s);
    step->pipeline_s = micro * (stages->sends_s + job->slot_overhead_s);
    step->bubble_s = micro_batches_s(job, stages, sends_s) - micro * stages->max_s;
}

/* First and last stage sum the gradients of a tied embedding. */
static int add_tied_embedding(const struct cs_train_job *job, struct cs_train_step *step,
                              struct cs_err *err)
{
    const struct cs_transformer *dims = &job->model->transformer;
    uint32_t stride = cs_train_stage_ranks(job);
    struct cs_train_call call;
    struct cs_site site;
    int code;

    if (!dims->tied || job->degrees.pipeline < 2)
        return 0;
    site = cs_train_group_site(job->site,
                               (struct cs_train_group){stride * (job->degrees.pipeline - 1), 2});
    code = cs_train_collective(job, &site, &cs_collective_allreduce,
                               (double)dims->vocabulary * dims->hidden / job->degrees.tensor *
                                   cs_train_gradient_width(job),
                               &call, err);
    if (code)
        return code;
    step->data_s += call.seconds;
    step->data_exposed_s += call.seconds;
    cs_log_add(job->log, (struct cs_log_item){.kind = CS_LOG_TIED, .end_s = call.seconds});
    return 0;
}

static int add_data(const struct cs_passes *passes, const struct stage_extremes *stages,
                    struct cs_train_step *step, struct cs_err *err)
{
    int held = cs_train_is_dual(passes->job) ? 2 : 1; /* stages of a rank */
    struct cs_data_time time;
    int code = cs_data_parallel(passes, &stages->peak, &time, err);

    if (code)
        return code;
    step->data_s = held * time.total_s;
    step->data_exposed_s = held * time.exposed_s;
    step->hooks_s = time.hooks_s;
    step->interference_s = time.interference_s;
    return add_tied_embedding(passes->job, step, err);
}

static void add_rest(const struct cs_passes *passes, const struct stage_extremes *stages,
                     struct cs_train_step *step)
{
    const struct cs_train_job *job = passes->job;
    double mine = cs_train_updated(job, stages->most_parameters, stages->most_experts);
    double batch = cs_train_batch(job);

    step->optimizer_s = cs_passes_optimizer_s(passes, mine);
    step->host_s = cs_passes_host_s(passes) + step->hooks_s;
    step->jitter_s = cs_train_jitter_s(job, job->degrees.accumulation * stages->alone_s);
    step->step_s = cs_train_sum_parts(step);
    cs_train_wait_for_input(job, step);
    step->samples_per_s = batch / step->step_s;
    step->flops = (job->degrees.adapters ? 2 : 3) * cs_train_model_flops(job->model) * batch;
}

static int step_fill(const struct cs_passes *passes, struct cs_train_step *step, struct cs_err *err)
{
    double sends_s = cs_train_slot_sends_s(passes->job);
    struct stage_extremes stages = find_extremes(passes, sends_s);
    int code;

    *step = (struct cs_train_step){0};
    add_passes(passes->job, &stages, sends_s, step);
    code = add_data(passes, &stages, step, err);
    if (code)
        return code;
    add_rest(passes, &stages, step);
    cs_train_memory(passes, step);
    return 0;
}

int cs_train_step_time(const struct cs_train_job *job, struct cs_train_step *step,
                       struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_passes passes;
    int code = cs_train_job_check(job, err);

    if (!code)
        code = cs_passes_open(job, &arena, &passes, err);
    if (!code)
        code = step_fill(&passes, step, err);
    return code;
}

/* ---- one device ---- */

int cs_train_one_device(const struct cs_train_job *job, double micro_batch,
                        struct cs_train_step *step, struct cs_err *err)
{
    struct cs_site site = *job->site;
    struct cs_train_job one = *job;

    site.ranks = site.nodes = site.node_ranks = 1;
    one.site = &site;
    cs_train_undivide(&one);
    one.degrees.data = 1;
    one.degrees.data_kind = CS_DATA_DDP;
    one.degrees.micro_batch = micro_batch;
    one.slot_overhead_s = 0;
    one.loader_samples_per_s = 0;
    return cs_train_step_time(&one, step, err);
}
