/*
 * Language models whose layers attend to more than their own tokens: the Transformer
 * of translation and Transformer-XL.
 *
 * Traffic and stored elements of a layer are counted as in transformer.c.
 */
#include "scenarios/train/model/builder.h"
#include "scenarios/train/model/network.h"

/* Attention of `tokens` to `keys`, and the feed-forward part behind. */
struct language_layer {
    double tokens, keys;
    uint32_t hidden, heads, ffn;
};

static void add_norm(struct cs_model_builder *builder, const struct language_layer *layer)
{
    double hidden = layer->tokens * layer->hidden;

    cs_model_tensor(builder, layer->hidden);
    cs_model_tensor(builder, layer->hidden);
    /* Norm, and the sum with a dropped branch. */
    builder->open.elementwise += 5 * hidden;
    builder->open.stored += 2.5 * hidden;
    builder->open.kernels += 3;
}

/* Mask, softmax and dropout of scores; a further product is shifted and added. */
static void add_scores(struct cs_model_builder *builder, const struct language_layer *layer,
                       int products)
{
    const struct cs_model_scores attention = {.tokens = layer->tokens,
                                              .keys = layer->keys,
                                              .width = (double)layer->hidden / layer->heads,
                                              .heads = layer->heads,
                                              .products = products,
                                              .passes = 4 + 6. * (products - 1),
                                              .kernels = 5 + 4. * (products - 1)};

    cs_model_scores(builder, &attention);
}

/* Queries, keys, values and output, each with its transpose. */
static void count_heads(struct cs_model_builder *builder, const struct language_layer *layer)
{
    double hidden = layer->tokens * layer->hidden;

    builder->open.elementwise += 4 * hidden;
    builder->open.stored += 4 * hidden;
    builder->open.kernels += 5;
}

static void add_feed_forward(struct cs_model_builder *builder, const struct language_layer *layer)
{
    double inner = layer->tokens * layer->ffn;

    cs_model_linear(builder, layer->tokens, layer->hidden, layer->ffn, true);
    cs_model_linear(builder, layer->tokens, layer->ffn, layer->hidden, true);
    builder->open.elementwise += 2 * inner;
    builder->open.stored += 2 * inner;
    builder->open.kernels += 4;
    add_norm(builder, layer);
}

static void close_layers(struct cs_model_builder *builder, const char *name, uint32_t repeat,
                         const struct language_layer *layer)
{
    builder->open.shards = true;
    cs_model_close(builder, name, repeat, layer->tokens * layer->hidden);
}

static void add_embedding(struct cs_model_builder *builder, const struct language_layer *layer)
{
    double hidden = layer->tokens * layer->hidden;

    builder->open.elementwise = 6 * hidden;
    builder->open.stored = hidden / 2;
    builder->open.kernels += 5;
    cs_model_close(builder, "embedding", 1, hidden);
}

/* The loss reads and writes the logits in 32 bits: the size of four elements. */
static void add_loss(struct cs_model_builder *builder, double logits)
{
    builder->open.elementwise += 8 * logits;
    builder->open.stored += 4 * logits;
    builder->open.working += 5 * logits;
    builder->open.kernels += 10;
    cs_model_close(builder, "head", 1, 0);
}

/* ---- translation ---- */

enum {
    /* Tokens of a sentence: WMT 2014 has 116 million English words in 4.5 million
     * pairs, and byte pairs of a vocabulary of 32,000 split every eighth. */
    TRANSLATION_SENTENCE = 29,
    TRANSLATION_VOCABULARY = 33712, /* of byte pairs, shared by both languages */
    TRANSLATION_LAYERS = 6,
};

static void add_attention(struct cs_model_builder *builder, const struct language_layer *layer)
{
    uint32_t hidden = layer->hidden;

    for (int m = 0; m < 4; ++m)
        cs_model_linear(builder, layer->tokens, hidden, hidden, true);
    add_scores(builder, layer, 1);
    count_heads(builder, layer);
    add_norm(builder, layer);
}

void cs_train_transformer_big(struct cs_arena *arena, struct cs_train_model *model)
{
    struct language_layer layer = {1, TRANSLATION_SENTENCE, 1024, 16, 4096};
    struct cs_model_builder builder;

    cs_model_builder_start(&builder, arena);
    cs_model_tensor(&builder, (uint64_t)TRANSLATION_VOCABULARY * layer.hidden);
    add_embedding(&builder, &layer);
    add_attention(&builder, &layer);
    add_feed_forward(&builder, &layer);
    close_layers(&builder, "encoder", TRANSLATION_LAYERS, &layer);
    add_attention(&builder, &layer);
    add_attention(&builder, &layer);
    add_feed_forward(&builder, &layer);
    close_layers(&builder, "decoder", TRANSLATION_LAYERS, &layer);
    cs_model_matmul(&builder, (struct cs_matmul){.rows = 1,
                                                 .inner = layer.hidden,
                                                 .columns = TRANSLATION_VOCABULARY,
                                                 .count = 1,
                                                 .weights = true});
    add_loss(&builder, TRANSLATION_VOCABULARY);
    cs_model_finish(&builder, model);
    model->optimizer_words = 2;
}

/* ---- Transformer-XL ---- */

enum {
    XL_CLUSTERS = 4,
};

/* Words of WikiText-103 by frequency, in the clusters of the published runs. */
static const uint64_t xl_words[XL_CLUSTERS] = {19997, 20000, 160000, 67738};
/* Share of the tokens: frequencies as a power of the rank, with three occurrences of
 * the last of 267,735 words and 103 million of all. */
static const double xl_share[XL_CLUSTERS] = {.97, .01, .017, .003};

/* Each cluster's embedding is narrower than the one before by `narrower`. */
static uint64_t xl_width(const struct language_layer *layer, uint32_t narrower, int cluster)
{
    uint64_t width = layer->hidden;

    while (cluster-- > 0)
        width /= narrower;
    return width;
}

static void add_xl_embedding(struct cs_model_builder *builder, const struct language_layer *layer,
                             uint32_t narrower)
{
    for (int c = 0; c < XL_CLUSTERS; ++c) {
        uint64_t width = xl_width(layer, narrower, c);

        cs_model_tensor(builder, xl_words[c] * width);
        if (narrower > 1)
            cs_model_linear(builder, layer->tokens * xl_share[c], width, layer->hidden, false);
    }
    builder->open.kernels = narrower > 1 ? 5 * XL_CLUSTERS : 0;
    add_embedding(builder, layer);
}

/* Keys and values of tokens and memory; the product of the relative positions is one
 * for all segments, and left out. */
static void add_xl_layers(struct cs_model_builder *builder, const struct language_layer *layer,
                          uint32_t repeat)
{
    uint64_t hidden = layer->hidden;

    cs_model_linear(builder, layer->keys, hidden, 3 * hidden, false);
    cs_model_tensor(builder, hidden * hidden); /* of positions */
    add_scores(builder, layer, 2);
    cs_model_linear(builder, layer->tokens, hidden, hidden, false);
    count_heads(builder, layer);
    /* Concatenated memory; two biases of the queries. */
    builder->open.elementwise += (2 * layer->keys + 6 * layer->tokens) * layer->hidden;
    builder->open.kernels += 4;
    add_norm(builder, layer);
    add_feed_forward(builder, layer);
    close_layers(builder, "layer", repeat, layer);
}

/* Adaptive softmax (arXiv 1609.04309): a word for each further cluster beside the
 * first cluster's, and the words of a cluster for its tokens alone.  Weights are
 * those of the embedding, but for the first projection. */
static void add_xl_head(struct cs_model_builder *builder, const struct language_layer *layer,
                        uint32_t narrower)
{
    double logits = 0;

    cs_model_tensor(builder, layer->hidden);
    cs_model_tensor(builder, layer->hidden);
    cs_model_tensor(builder, (uint64_t)(XL_CLUSTERS - 1) * layer->hidden);
    cs_model_tensor(builder, XL_CLUSTERS - 1);
    if (narrower > 1)
        cs_model_linear(builder, layer->tokens, layer->hidden, layer->hidden, false);
    for (int c = 0; c < XL_CLUSTERS; ++c) {
        double rows = layer->tokens * (c ? xl_share[c] : 1);
        double width = (double)xl_width(layer, narrower, c);
        uint64_t columns = xl_words[c] + (c ? 0 : XL_CLUSTERS - 1);
        struct cs_matmul matmul = {
            .rows = rows, .inner = width, .columns = (double)columns, .count = 1, .weights = true};

        cs_model_tensor(builder, xl_words[c]);
        cs_model_matmul(builder, matmul);
        matmul.inner = layer->hidden;
        matmul.columns = width;
        if (c > 0 && narrower > 1)
            cs_model_matmul(builder, matmul);
        logits += rows * (double)xl_words[c];
    }
    builder->open.kernels = 10 * (XL_CLUSTERS - 1);
    add_loss(builder, logits);
}

static void open_xl(struct language_layer layer, uint32_t layers, uint32_t narrower,
                    struct cs_arena *arena, struct cs_train_model *model)
{
    struct cs_model_builder builder;

    cs_model_builder_start(&builder, arena);
    add_xl_embedding(&builder, &layer, narrower);
    add_xl_layers(&builder, &layer, layers);
    add_xl_head(&builder, &layer, narrower);
    cs_model_finish(&builder, model);
    model->optimizer_words = 2;
}

void cs_train_transformer_xl_base(struct cs_arena *arena, struct cs_train_model *model)
{
    open_xl((struct language_layer){192, 384, 512, 8, 2048}, 16, 1, arena, model);
}

void cs_train_transformer_xl_large(struct cs_arena *arena, struct cs_train_model *model)
{
    open_xl((struct language_layer){384, 768, 1024, 16, 4096}, 18, 4, arena, model);
}
