#include "scenarios/train/command/result.h"

/* The parts add up to the step. */
void cs_train_list_parts(const struct cs_train_step *step,
                         struct cs_train_part parts[CS_TRAIN_PARTS])
{
    const struct cs_train_part all[CS_TRAIN_PARTS] = {
        {"forward", step->forward_s, "compute"},
        {"backward", step->backward_s, "compute"},
        {"recomputation", step->recompute_s, "compute"},
        {"optimizer", step->optimizer_s, "compute"},
        {"host", step->host_s,
         step->hooks_s > 0 ? "input, loss, calls of the optimizer, hooks of sharded layers"
                           : "input, loss, calls of the optimizer"},
        {"interference", step->interference_s, "compute slows beside collectives"},
        {"jitter", step->jitter_s, "ranks wait for the slowest"},
        {"tensor parallel", step->tensor_s, "collectives between products"},
        {"experts", step->expert_s, "tokens to their experts and back"},
        {"context parallel", step->context_s, "keys and values, exposed"},
        {"sends", step->pipeline_s, "between stages"},
        {"bubble", step->bubble_s, "stages wait"},
        {"data parallel", step->data_exposed_s, "gradients and parameters, exposed"},
        {"input", step->input_s, "devices wait for the loader"},
    };

    for (int p = 0; p < CS_TRAIN_PARTS; ++p)
        parts[p] = all[p];
}

const char *cs_train_bottleneck(const struct cs_train_step *step)
{
    struct cs_train_part parts[CS_TRAIN_PARTS];
    double compute = step->forward_s + step->backward_s + step->recompute_s + step->optimizer_s;
    const char *name = "compute";

    cs_train_list_parts(step, parts);
    for (int p = 4; p < CS_TRAIN_PARTS; ++p)
        if (parts[p].seconds > compute) {
            compute = parts[p].seconds;
            name = parts[p].name;
        }
    return name;
}

bool cs_train_is_gain(const struct cs_train_result *result, const struct cs_train_variant *variant)
{
    return variant->speedup >= 1.001 &&
           variant->memory_bytes <= result->setup->job.gpu->memory_bytes;
}

const struct cs_train_variant *cs_train_fitting(const struct cs_train_result *result)
{
    double room = result->setup->job.gpu->memory_bytes;

    for (uint32_t v = 0; v < result->variant_count; ++v)
        if (!result->variants[v].on_machine && result->variants[v].memory_bytes <= room)
            return &result->variants[v];
    return NULL;
}

double cs_train_scaling_efficiency(const struct cs_train_result *result)
{
    return result->step.samples_per_s /
           (result->setup->job.site->ranks * result->one_samples_per_s);
}

double cs_train_flops_share(const struct cs_train_result *result)
{
    const struct cs_train_job *job = &result->setup->job;

    return result->step.flops / result->step.step_s /
           (job->site->ranks * job->gpu->flops_per_s[job->precision]);
}

uint32_t cs_train_link_classes(const struct cs_train_result *result,
                               struct cs_class_use classes[CS_LINK_CLASSES_MAX])
{
    const struct cs_train_setup *setup = result->setup;
    struct cs_train_traffic traffic = cs_train_system_traffic(setup->system, &setup->job);
    struct cs_graph graph = setup->graph;
    struct cs_arena arena = {0};
    const double *bytes;
    uint32_t count;

    if (!graph.agent_count && traffic.streams->pattern == CS_STREAM_SERVERS)
        cs_graph_place_servers(&graph);
    bytes =
        cs_link_use(&graph, setup->site.node_ranks, traffic.streams, traffic.stream_count, &arena);
    count = cs_link_use_classes(&graph, bytes, classes);
    cs_arena_free(&arena);
    return count;
}

double cs_train_tokens_per_s(const struct cs_train_result *result)
{
    return result->setup->model.photos
               ? 0
               : result->step.samples_per_s * result->setup->model.transformer.sequence;
}
