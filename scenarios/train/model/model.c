#include "scenarios/train/model/model.h"

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
    uint32_t count = 0;

    for (uint32_t b = 0; b < model->block_count; ++b)
        count += model->blocks[b].repeat;
    return count;
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

double cs_train_model_flops(const struct cs_train_model *model)
{
    double flops = 0;

    for (uint32_t b = 0; b < model->block_count; ++b) {
        const struct cs_train_block *block = &model->blocks[b];

        for (uint32_t m = 0; m < block->matmul_count; ++m)
            flops += (block->matmuls[m].masked ? 1 : 2) * block->matmuls[m].rows *
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
