#include "scenarios/train/model/model.h"

#include <math.h>

int cs_tensor_check(double elements, struct cs_err *err)
{
    const double most = 1e18;

    return elements <= most
               ? 0
               : cs_err_set(err, CS_EINPUT,
                            "a tensor of more than %g elements; expected smaller sizes", most);
}

uint32_t cs_train_model_units(const struct cs_train_model *model)
{
    const struct cs_train_block *last = &model->blocks[model->block_count - 1];

    return last->first + last->repeat;
}

uint32_t cs_train_unit_block(const struct cs_train_model *model, uint32_t unit)
{
    uint32_t b = 0;

    while (unit >= model->blocks[b].first + model->blocks[b].repeat)
        b++;
    return b;
}

double cs_train_block_parameters(const struct cs_train_block *block)
{
    double elements = 0;

    for (uint32_t t = 0; t < block->tensor_count; ++t)
        elements += (double)block->tensors[t];
    return elements;
}

double cs_train_expert_parameters(const struct cs_train_block *block)
{
    double elements = 0;

    for (uint32_t t = 0; t < block->expert_tensors; ++t)
        elements += (double)block->tensors[block->tensor_count - 1 - t];
    return elements;
}

double cs_train_active_parameters(const struct cs_train_model *model)
{
    const struct cs_transformer *dims = &model->transformer;
    double elements = model->parameters;

    for (uint32_t b = 0; b < model->block_count; ++b)
        if (dims->experts)
            elements -= (1 - (double)dims->active / dims->experts) * model->blocks[b].repeat *
                        cs_train_expert_parameters(&model->blocks[b]);
    return elements;
}

bool cs_train_model_has_layers(const struct cs_train_model *model)
{
    for (uint32_t b = 0; b < model->block_count; ++b)
        if (model->blocks[b].shards)
            return true;
    return false;
}

double cs_train_model_flops(const struct cs_train_model *model)
{
    double flops = 0;

    for (uint32_t b = 0; b < model->block_count; ++b) {
        const struct cs_train_block *block = &model->blocks[b];

        for (uint32_t m = 0; m < block->matmul_count; ++m)
            flops += (block->matmuls[m].masked_width > 0 ? 1 : 2) * block->matmuls[m].rows *
                     block->matmuls[m].inner * block->matmuls[m].columns * block->matmuls[m].count *
                     block->repeat;
    }
    return flops;
}

bool cs_has_trait(const struct cs_transformer *dims, enum cs_trait trait)
{
    static const unsigned biased =
        CS_TRAIT_HEAD_BIASES | CS_TRAIT_OUTPUT_BIAS | CS_TRAIT_FFN_BIASES | CS_TRAIT_SHIFTED_NORMS;

    return (dims->traits | (dims->biased ? biased : 0)) & trait;
}

uint32_t cs_head_width(const struct cs_transformer *dims)
{
    if (dims->head_width || !dims->heads)
        return dims->head_width;
    return dims->hidden / dims->heads;
}

double cs_query_width(const struct cs_transformer *dims)
{
    return (double)dims->heads * cs_head_width(dims);
}

double cs_context_width(const struct cs_transformer *dims)
{
    return dims->value_width ? (double)dims->heads * dims->value_width : cs_query_width(dims);
}

double cs_keys_width(const struct cs_transformer *dims)
{
    uint32_t width = cs_head_width(dims);

    return (double)dims->kv_heads * (width + (dims->value_width ? dims->value_width : width));
}

/* ---- checks ---- */

/* Whether a layer of a plan has the part. */
static bool plan_has(const struct cs_transformer *dims, enum cs_layer_kind part)
{
    bool found = false;

    for (uint32_t l = 0; l < dims->layers; ++l)
        found = found || dims->plan[l] & part;
    return found;
}

static int experts_check(const struct cs_transformer *dims, struct cs_err *err)
{
    if (!dims->experts && dims->plan && plan_has(dims, CS_LAYER_EXPERTS))
        return cs_err_set(err, CS_EINPUT, "layers of experts need a number of experts");
    if (!dims->experts)
        return 0;
    if (!dims->expert_ffn || !dims->active)
        return cs_err_set(err, CS_EINPUT,
                          "experts need a feed-forward size and a number of active ones above 0");
    if (dims->active > dims->experts)
        return cs_err_set(err, CS_EINPUT, "%u active experts of %u; expected at most as many",
                          dims->active, dims->experts);
    if (dims->dense_layers >= dims->layers)
        return cs_err_set(err, CS_EINPUT,
                          "%u dense layers of %u; expected fewer: a layer with experts follows",
                          dims->dense_layers, dims->layers);
    return 0;
}

static int latent_check(const struct cs_transformer *dims, struct cs_err *err)
{
    if (!dims->key_rank ||
        (dims->head_width > dims->rope_width && dims->rope_width && dims->value_width))
        return 0;
    return cs_err_set(
        err, CS_EINPUT,
        "latent attention needs heads that are wider than their part with positions, and values");
}

int cs_transformer_check(const struct cs_transformer *dims, struct cs_err *err)
{
    bool has_dense = dims->plan && dims->layers <= CS_TRANSFORMER_LAYERS_MAX
                         ? plan_has(dims, CS_LAYER_DENSE)
                         : !dims->experts || dims->dense_layers;
    int code;

    if (!dims->layers || !dims->hidden || !dims->heads || (has_dense && !dims->ffn) ||
        !dims->vocabulary || !dims->sequence)
        return cs_err_set(err, CS_EINPUT,
                          "a transformer needs layers, hidden size, heads, feed-forward size, "
                          "vocabulary and sequence above 0");
    if (dims->layers > CS_TRANSFORMER_LAYERS_MAX)
        return cs_err_set(err, CS_EINPUT, "%u layers; expected 1 to %d", dims->layers,
                          CS_TRANSFORMER_LAYERS_MAX);
    if (!dims->head_width && dims->hidden % dims->heads)
        return cs_err_set(err, CS_EINPUT, "hidden size %u does not divide over %u heads",
                          dims->hidden, dims->heads);
    if (!dims->kv_heads || dims->heads % dims->kv_heads)
        return cs_err_set(err, CS_EINPUT, "%u heads do not divide over %u key and value heads",
                          dims->heads, dims->kv_heads);
    code = cs_tensor_check(fmax(fmax(cs_query_width(dims), dims->mixer.columns),
                                (double)dims->experts * dims->expert_ffn) *
                               dims->hidden,
                           err);
    if (!code)
        code = latent_check(dims, err);
    return code ? code : experts_check(dims, err);
}
