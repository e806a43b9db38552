/*
 * Language models whose layers attend to more than their own tokens: T5, the Transformer of
 * translation, and Transformer-XL.
 *
 * Traffic and stored elements of a layer are counted as in transformer.c.
 */
#include "scenarios/train/model/encoder_decoder.h"

#include "scenarios/train/model/builder.h"
#include "scenarios/train/model/network.h"

/* Attention of `tokens` to `keys`, and the feed-forward part behind. */
struct language_layer {
    double tokens, keys;
    uint32_t hidden, heads, ffn;
    /* Of T5, in front of whose parts norms with one parameter stand, whose products have no
     * biases, and whose scores have some; 0: hidden / heads, and norms behind the parts. */
    uint32_t head_width;
    bool gated;
};

/* Norm, and the sum with a dropped branch. */
static void add_norm(struct cs_model_builder *builder, const struct language_layer *layer)
{
    double hidden = layer->tokens * layer->hidden;

    cs_model_tensor(builder, layer->hidden);
    if (!layer->head_width)
        cs_model_tensor(builder, layer->hidden);
    builder->open.elementwise += 5 * hidden;
    builder->open.stored += 2.5 * hidden;
    builder->open.kernels += 3;
}

/* Mask, softmax and dropout of scores; a bias, or a further product, which is shifted and
 * added. */
static void add_scores(struct cs_model_builder *builder, const struct language_layer *layer,
                       int products)
{
    bool adds = layer->head_width > 0;
    const struct cs_model_scores attention = {.tokens = layer->tokens,
                                              .keys = layer->keys,
                                              .width = adds ? layer->head_width
                                                            : (double)layer->hidden / layer->heads,
                                              .heads = layer->heads,
                                              .products = products,
                                              .passes = 4 + 2 * adds + 6. * (products - 1),
                                              .kernels = 5 + adds + 4. * (products - 1)};

    cs_model_scores(builder, &attention);
}

/* Queries, keys, values and output of `width`, each with its transpose. */
static void count_heads(struct cs_model_builder *builder, const struct language_layer *layer,
                        double width)
{
    builder->open.elementwise += 4 * layer->tokens * width;
    builder->open.stored += 4 * layer->tokens * width;
    builder->open.kernels += 5;
}

/* Queries of the layer's tokens; keys and values of these or of the encoder's. */
static void add_attention(struct cs_model_builder *builder, const struct language_layer *layer)
{
    bool norm_first = layer->head_width > 0;
    uint64_t inner = norm_first ? (uint64_t)layer->heads * layer->head_width : layer->hidden;

    if (norm_first)
        add_norm(builder, layer);
    for (int m = 0; m < (norm_first ? 3 : 4); ++m)
        cs_model_linear(builder, layer->tokens, layer->hidden, inner, !norm_first);
    add_scores(builder, layer, 1);
    if (norm_first)
        cs_model_linear(builder, layer->tokens, inner, layer->hidden, false);
    count_heads(builder, layer, (double)inner);
    if (!norm_first)
        add_norm(builder, layer);
}

static void add_feed_forward(struct cs_model_builder *builder, const struct language_layer *layer)
{
    double inner = layer->tokens * layer->ffn;
    bool norm_first = layer->head_width > 0;

    if (norm_first)
        add_norm(builder, layer);
    for (int m = 0; m < (layer->gated ? 2 : 1); ++m)
        cs_model_linear(builder, layer->tokens, layer->hidden, layer->ffn, !norm_first);
    cs_model_linear(builder, layer->tokens, layer->ffn, layer->hidden, !norm_first);
    builder->open.elementwise += (layer->gated ? 5 : 2) * inner;
    builder->open.stored += (layer->gated ? 3 : 2) * inner;
    builder->open.kernels += layer->gated ? 6 : 4;
    if (!norm_first)
        add_norm(builder, layer);
}

static void close_layers(struct cs_model_builder *builder, const char *name, uint32_t repeat,
                         const struct language_layer *layer)
{
    builder->open.shards = true;
    cs_model_close(builder, name, repeat, layer->tokens * layer->hidden);
}

/* Layers of the encoder, and those of the decoder, which attend to its result, too. */
static void add_stacks(struct cs_model_builder *builder, const struct language_layer *layer,
                       uint32_t encoder_layers, uint32_t decoder_layers)
{
    add_attention(builder, layer);
    add_feed_forward(builder, layer);
    close_layers(builder, "encoder", encoder_layers, layer);
    add_attention(builder, layer);
    add_attention(builder, layer);
    add_feed_forward(builder, layer);
    close_layers(builder, "decoder", decoder_layers, layer);
}

static void add_embedding(struct cs_model_builder *builder, const struct language_layer *layer,
                          int stacks)
{
    double hidden = layer->tokens * layer->hidden;

    builder->open.elementwise = stacks * 6 * hidden;
    builder->open.stored = stacks * hidden / 2;
    builder->open.kernels += stacks * 5;
    cs_model_close(builder, "embedding", 1, hidden);
}

/* The loss reads and writes the logits in 32 bits: the size of four elements. */
static void add_loss(struct cs_model_builder *builder, double logits, int elements)
{
    builder->open.elementwise += elements * logits;
    builder->open.stored += elements / 2. * logits;
    builder->open.working += 5 * logits;
    builder->open.kernels += 10;
    cs_model_close(builder, "head", 1, 0);
}

/* ---- T5 ---- */

void cs_train_encoder_decoder(const struct cs_encoder_decoder *dims, struct cs_arena *arena,
                              struct cs_train_model *model)
{
    const struct language_layer layer = {.tokens = dims->tokens,
                                         .keys = dims->tokens,
                                         .hidden = dims->hidden,
                                         .heads = dims->heads,
                                         .ffn = dims->ffn,
                                         .head_width = dims->head_width,
                                         .gated = dims->gated};
    struct cs_model_builder builder;

    cs_model_builder_start(&builder, arena);
    cs_model_tensor(&builder, (uint64_t)dims->vocabulary * dims->hidden);
    for (int stack = 0; stack < 2; ++stack)
        cs_model_tensor(&builder, (uint64_t)dims->distances * dims->heads);
    add_embedding(&builder, &layer, 2);
    add_stacks(&builder, &layer, dims->encoder_layers, dims->decoder_layers);
    for (int stack = 0; stack < 2; ++stack)
        add_norm(&builder, &layer);
    if (!dims->tied)
        cs_model_tensor(&builder, (uint64_t)dims->vocabulary * dims->hidden);
    cs_model_product(&builder, dims->tokens, dims->hidden, dims->vocabulary);
    add_loss(&builder, (double)dims->tokens * dims->vocabulary, 4);
    *model = (struct cs_train_model){.optimizer_words = 2};
    cs_model_finish(&builder, model);
}

/* ---- translation ---- */

enum {
    /* Tokens of a sentence: WMT 2014 has 116 million English words in 4.5 million
     * pairs, and byte pairs of a vocabulary of 32,000 split every eighth. */
    TRANSLATION_SENTENCE = 29,
    TRANSLATION_VOCABULARY = 33712, /* of byte pairs, shared by both languages */
    TRANSLATION_LAYERS = 6,
};

void cs_train_transformer_big(struct cs_arena *arena, struct cs_train_model *model)
{
    const struct language_layer layer = {1, TRANSLATION_SENTENCE, 1024, 16, 4096, 0, false};
    struct cs_model_builder builder;

    cs_model_builder_start(&builder, arena);
    cs_model_tensor(&builder, (uint64_t)TRANSLATION_VOCABULARY * layer.hidden);
    add_embedding(&builder, &layer, 1);
    add_stacks(&builder, &layer, TRANSLATION_LAYERS, TRANSLATION_LAYERS);
    cs_model_product(&builder, 1, layer.hidden, TRANSLATION_VOCABULARY);
    add_loss(&builder, TRANSLATION_VOCABULARY, 8);
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
    add_embedding(builder, layer, 1);
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
    count_heads(builder, layer, layer->hidden);
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

        cs_model_tensor(builder, xl_words[c]);
        cs_model_product(builder, rows, width, (double)columns);
        if (c > 0 && narrower > 1)
            cs_model_product(builder, rows, layer->hidden, width);
        logits += rows * (double)xl_words[c];
    }
    builder->open.kernels = 10 * (XL_CLUSTERS - 1);
    add_loss(builder, logits, 8);
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
    open_xl((struct language_layer){192, 384, 512, 8, 2048, 0, false}, 16, 1, arena, model);
}

void cs_train_transformer_xl_large(struct cs_arena *arena, struct cs_train_model *model)
{
    open_xl((struct language_layer){384, 768, 1024, 16, 4096, 0, false}, 18, 4, arena, model);
}
