#include "scenarios/train/model/encoder_decoder.h"

#include "scenarios/train/model/builder.h"

/* Traffic and stored elements are counted as in transformer.c. */

/* The norm before a part, and the sum with its dropped result. */
static void add_norm(struct cs_model_builder *builder, const struct cs_encoder_decoder *dims)
{
    double hidden = (double)dims->tokens * dims->hidden;

    cs_model_tensor(builder, dims->hidden);
    builder->open.elementwise += 5 * hidden;
    builder->open.stored += 2.5 * hidden;
    builder->open.kernels += 3;
}

/* Bias, mask, softmax and dropout of scores between two products. */
static void add_scores(struct cs_model_builder *builder, const struct cs_encoder_decoder *dims)
{
    const struct cs_model_scores attention = {.tokens = dims->tokens,
                                              .keys = dims->tokens,
                                              .width = dims->head_width,
                                              .heads = dims->heads,
                                              .products = 1,
                                              .passes = 4 + 2,
                                              .kernels = 6};

    cs_model_scores(builder, &attention);
}

/* Queries of the layer's tokens; keys and values of these or of the encoder's. */
static void add_attention(struct cs_model_builder *builder, const struct cs_encoder_decoder *dims)
{
    uint64_t inner = (uint64_t)dims->heads * dims->head_width;
    double queries = (double)dims->tokens * (double)inner;

    add_norm(builder, dims);
    for (int m = 0; m < 3; ++m)
        cs_model_linear(builder, dims->tokens, dims->hidden, inner, false);
    add_scores(builder, dims);
    cs_model_linear(builder, dims->tokens, inner, dims->hidden, false);
    builder->open.elementwise += 4 * queries;
    builder->open.stored += 4 * queries;
    builder->open.kernels += 5;
}

static void add_feed_forward(struct cs_model_builder *builder,
                             const struct cs_encoder_decoder *dims)
{
    double inner = (double)dims->tokens * dims->ffn;

    add_norm(builder, dims);
    for (int m = 0; m < (dims->gated ? 2 : 1); ++m)
        cs_model_linear(builder, dims->tokens, dims->hidden, dims->ffn, false);
    cs_model_linear(builder, dims->tokens, dims->ffn, dims->hidden, false);
    builder->open.elementwise += (dims->gated ? 5 : 2) * inner;
    builder->open.stored += (dims->gated ? 3 : 2) * inner;
    builder->open.kernels += dims->gated ? 6 : 4;
}

static void close_layers(struct cs_model_builder *builder, const char *name, uint32_t repeat,
                         const struct cs_encoder_decoder *dims)
{
    builder->open.shards = true;
    cs_model_close(builder, name, repeat, (double)dims->tokens * dims->hidden);
}

static void add_embedding(struct cs_model_builder *builder, const struct cs_encoder_decoder *dims)
{
    double hidden = (double)dims->tokens * dims->hidden;

    cs_model_tensor(builder, (uint64_t)dims->vocabulary * dims->hidden);
    for (int stack = 0; stack < 2; ++stack)
        cs_model_tensor(builder, (uint64_t)dims->distances * dims->heads);
    builder->open.elementwise = 2 * 6 * hidden;
    builder->open.stored = hidden;
    builder->open.kernels = 2 * 5;
    cs_model_close(builder, "embedding", 1, hidden);
}

/* Norms behind both stacks, logits and loss, which reads and writes the logits in 32
 * bits: the size of four elements. */
static void add_head(struct cs_model_builder *builder, const struct cs_encoder_decoder *dims)
{
    double logits = (double)dims->tokens * dims->vocabulary;

    for (int stack = 0; stack < 2; ++stack)
        add_norm(builder, dims);
    if (!dims->tied)
        cs_model_tensor(builder, (uint64_t)dims->vocabulary * dims->hidden);
    cs_model_matmul(builder, (struct cs_matmul){.rows = dims->tokens,
                                                .inner = dims->hidden,
                                                .columns = dims->vocabulary,
                                                .count = 1,
                                                .weights = true});
    builder->open.elementwise += 4 * logits;
    builder->open.stored += 2 * logits;
    builder->open.working = 5 * logits;
    builder->open.kernels += 10;
    cs_model_close(builder, "head", 1, 0);
}

void cs_train_encoder_decoder(const struct cs_encoder_decoder *dims, struct cs_arena *arena,
                              struct cs_train_model *model)
{
    struct cs_model_builder builder;

    cs_model_builder_start(&builder, arena);
    add_embedding(&builder, dims);
    add_attention(&builder, dims);
    add_feed_forward(&builder, dims);
    close_layers(&builder, "encoder", dims->encoder_layers, dims);
    add_attention(&builder, dims);
    add_attention(&builder, dims);
    add_feed_forward(&builder, dims);
    close_layers(&builder, "decoder", dims->decoder_layers, dims);
    add_head(&builder, dims);
    *model = (struct cs_train_model){.optimizer_words = 2};
    cs_model_finish(&builder, model);
}
