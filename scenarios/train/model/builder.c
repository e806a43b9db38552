#include "scenarios/train/model/builder.h"

#include <assert.h>
#include <string.h>

void cs_model_builder_start(struct cs_model_builder *builder, struct cs_arena *arena)
{
    *builder = (struct cs_model_builder){.arena = arena};
}

void cs_model_tensor(struct cs_model_builder *builder, uint64_t elements)
{
    assert(builder->open.tensor_count < CS_MODEL_TENSORS_MAX);
    builder->tensors[builder->open.tensor_count++] = elements;
}

void cs_model_matmul(struct cs_model_builder *builder, struct cs_matmul matmul)
{
    assert(builder->open.matmul_count < CS_MODEL_MATMULS_MAX);
    builder->matmuls[builder->open.matmul_count++] = matmul;
}

void cs_model_product(struct cs_model_builder *builder, double rows, double inner, double columns)
{
    cs_model_matmul(
        builder,
        (struct cs_matmul){
            .rows = rows, .inner = inner, .columns = columns, .count = 1, .weights = true});
}

void cs_model_linear(struct cs_model_builder *builder, double rows, uint64_t inner,
                     uint64_t columns, bool biased)
{
    cs_model_tensor(builder, inner * columns);
    if (biased)
        cs_model_tensor(builder, columns);
    cs_model_product(builder, rows, (double)inner, (double)columns);
}

/* Of a score: its result, the dropped result and the mask. */
static const double score_stored = 2.5;

void cs_model_scores(struct cs_model_builder *builder, const struct cs_model_scores *attention)
{
    struct cs_train_block *open = &builder->open;
    double scores = attention->tokens * attention->keys * attention->heads;
    double traffic = attention->passes * scores;
    struct cs_matmul matmul = {.rows = attention->tokens,
                               .inner = attention->width,
                               .columns = attention->keys,
                               .count = (double)attention->products * attention->heads};

    cs_model_matmul(builder, matmul);
    matmul.inner = attention->keys;
    matmul.columns = attention->width;
    matmul.count = attention->heads;
    cs_model_matmul(builder, matmul);
    open->score_elementwise += traffic;
    open->split_elementwise += traffic;
    open->elementwise += traffic;
    open->score_stored += score_stored * scores;
    open->split_stored += score_stored * scores;
    open->stored += score_stored * scores;
    open->kernels += attention->kernels;
}

static void *arena_copy(struct cs_arena *arena, const void *from, size_t count, size_t size)
{
    void *copy = cs_arena_alloc(arena, count, size);

    if (count)
        memcpy(copy, from, count * size);
    return copy;
}

void cs_model_close(struct cs_model_builder *builder, const char *name, uint32_t repeat,
                    double output)
{
    struct cs_train_block *block = &builder->open;

    assert(builder->count < CS_MODEL_BLOCKS_MAX);
    block->name = name;
    block->repeat = repeat;
    block->output = output;
    block->tensors =
        arena_copy(builder->arena, builder->tensors, block->tensor_count, sizeof(*block->tensors));
    block->matmuls =
        arena_copy(builder->arena, builder->matmuls, block->matmul_count, sizeof(*block->matmuls));
    builder->blocks[builder->count++] = *block;
    builder->open = (struct cs_train_block){0};
}

void cs_model_finish(struct cs_model_builder *builder, struct cs_train_model *model)
{
    uint32_t units = 0;

    model->parameters = 0;
    for (uint32_t b = 0; b < builder->count; ++b) {
        builder->blocks[b].first = units;
        units += builder->blocks[b].repeat;
        for (uint32_t t = 0; t < builder->blocks[b].tensor_count; ++t)
            model->parameters += (double)builder->blocks[b].tensors[t] * builder->blocks[b].repeat;
    }
    model->blocks =
        arena_copy(builder->arena, builder->blocks, builder->count, sizeof(*builder->blocks));
    model->block_count = builder->count;
}
