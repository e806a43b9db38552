#include "scenarios/train/model/transformer_check.h"

#include <math.h>

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
