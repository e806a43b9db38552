#include "scenarios/train/model/transformer.h"

#include "scenarios/train/model/builder.h"
#include "scenarios/train/model/layer_counts.h"
#include "scenarios/train/model/model.h"

static void add_norm(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    if (cs_has_trait(dims, CS_TRAIT_FIXED_NORMS))
        return;
    cs_model_tensor(builder, dims->hidden);
    if (cs_has_trait(dims, CS_TRAIT_SHIFTED_NORMS))
        cs_model_tensor(builder, dims->hidden);
}

static void add_norms(struct cs_model_builder *builder, const struct cs_transformer *dims,
                      int count)
{
    while (count-- > 0)
        add_norm(builder, dims);
}

/* A weight matrix, with its bias by the trait: a product over the tokens of a
 * sequence. */
static void add_linear(struct cs_model_builder *builder, const struct cs_transformer *dims,
                       uint64_t inner, uint64_t columns, enum cs_trait bias, bool by_rows)
{
    cs_model_linear(builder, dims->sequence, inner, columns, cs_has_trait(dims, bias));
    builder->matmuls[builder->open.matmul_count - 1].by_rows = by_rows;
}

/* Norms of queries and keys, which are narrower by their heads. */
static void add_head_norms(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    uint32_t width = cs_head_width(dims);

    if (cs_has_trait(dims, CS_TRAIT_QUERY_NORMS)) {
        cs_model_tensor(builder, (uint64_t)width * dims->heads);
        cs_model_tensor(builder, (uint64_t)width * dims->kv_heads);
    } else if (cs_has_trait(dims, CS_TRAIT_HEAD_NORMS)) {
        cs_model_tensor(builder, width);
        cs_model_tensor(builder, width);
    }
}

/* Queries, keys and values out of narrow vectors with norms. */
static void add_latent_qkv(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    uint64_t hidden = dims->hidden;
    uint64_t queries = (uint64_t)cs_query_width(dims);
    uint64_t keys =
        queries + (uint64_t)cs_context_width(dims) - (uint64_t)dims->heads * dims->rope_width;

    if (dims->query_rank) {
        cs_model_linear(builder, dims->sequence, hidden, dims->query_rank,
                        cs_has_trait(dims, CS_TRAIT_HEAD_BIASES));
        cs_model_tensor(builder, dims->query_rank);
    }
    cs_model_linear(builder, dims->sequence, dims->query_rank ? dims->query_rank : hidden, queries,
                    false);
    cs_model_linear(builder, dims->sequence, hidden, (uint64_t)dims->key_rank + dims->rope_width,
                    cs_has_trait(dims, CS_TRAIT_HEAD_BIASES));
    cs_model_tensor(builder, dims->key_rank);
    cs_model_linear(builder, dims->sequence, dims->key_rank, keys, false);
}

/* Queries, keys and values: one matrix in GPT, three in Llama and BERT, which
 * frameworks run as one product. */
static void add_qkv(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    uint64_t hidden = dims->hidden, width = cs_head_width(dims);
    uint64_t queries = width * dims->heads, keys = width * dims->kv_heads;
    bool joined = dims->biased && !dims->encoder;

    if (cs_has_trait(dims, CS_TRAIT_GATED_HEADS))
        queries *= 2;

    if (dims->key_rank) {
        add_latent_qkv(builder, dims);
        return;
    }
    if (joined) {
        add_linear(builder, dims, hidden, queries + 2 * keys, CS_TRAIT_HEAD_BIASES, false);
        add_head_norms(builder, dims);
        return;
    }
    for (int m = 0; m < 3; ++m) {
        cs_model_tensor(builder, hidden * (m ? keys : queries));
        if (cs_has_trait(dims, CS_TRAIT_HEAD_BIASES))
            cs_model_tensor(builder, m ? keys : queries);
    }
    add_head_norms(builder, dims);
    cs_model_product(builder, dims->sequence, (double)hidden, (double)(queries + 2 * keys));
}

/* Keys of a query, in the mean of the layers.  A causal mask leaves s^2 / 2 scores
 * of a head, a window of w tokens w s - w^2 / 2: the share of the products that a
 * window leaves. */
static double attended_keys(const struct cs_transformer *dims, unsigned kind)
{
    double tokens =
        dims->document && dims->document < dims->sequence ? dims->document : dims->sequence;
    double window = dims->window;
    double share = dims->windowed ? (double)dims->windowed / dims->layers : 1;

    if (dims->plan)
        share = kind & CS_LAYER_WINDOW ? 1 : 0;

    if (!cs_attention_skips(dims->attention) || !(window > 0) || window >= tokens)
        return tokens;
    return tokens - share * (tokens - 2 * window + window * window / tokens);
}

static void add_scores(struct cs_model_builder *builder, const struct cs_transformer *dims,
                       unsigned kind)
{
    double width = cs_head_width(dims);
    double keys = attended_keys(dims, kind);
    bool masked = !dims->encoder && !dims->patch;
    struct cs_matmul matmul = {.rows = dims->sequence,
                               .inner = width,
                               .columns = keys,
                               .count = dims->heads,
                               .masked_width = masked ? width : 0};

    cs_model_matmul(builder, matmul);
    matmul.inner = keys;
    matmul.columns = cs_context_width(dims) / dims->heads;
    matmul.masked_width = masked ? matmul.columns : 0;
    cs_model_matmul(builder, matmul);
}

/* In a chunk scores of its tokens and their products with values; between chunks the
 * states are written and read. */
static void add_recurrence(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    const struct cs_mixer *mixer = &dims->mixer;
    const double sizes[][2] = {{mixer->keys, mixer->chunk},
                               {mixer->chunk, mixer->values},
                               {mixer->keys, mixer->values},
                               {mixer->keys, mixer->values}};

    for (size_t p = 0; p < sizeof(sizes) / sizeof(*sizes) && mixer->heads; ++p)
        cs_model_matmul(builder, (struct cs_matmul){.rows = dims->sequence,
                                                    .inner = sizes[p][0],
                                                    .columns = sizes[p][1],
                                                    .count = mixer->heads});
}

static void add_mixer(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    const struct cs_mixer *mixer = &dims->mixer;

    cs_model_linear(builder, dims->sequence, dims->hidden, mixer->columns, mixer->biased);
    cs_model_tensor(builder, mixer->others);
    if (mixer->narrow) {
        cs_model_linear(builder, dims->sequence, mixer->inner, mixer->narrow, false);
        cs_model_linear(builder, dims->sequence, mixer->rank, mixer->inner, true);
    }
    add_recurrence(builder, dims);
    cs_model_linear(builder, dims->sequence, mixer->inner, dims->hidden, mixer->biased);
}

/* A feed-forward part of `width`. */
static void add_feed_forward(struct cs_model_builder *builder, const struct cs_transformer *dims,
                             uint32_t width)
{
    for (int m = 0; m < (dims->gated ? 2 : 1); ++m)
        add_linear(builder, dims, dims->hidden, width, CS_TRAIT_FFN_BIASES, false);
    add_linear(builder, dims, width, dims->hidden, CS_TRAIT_FFN_BIASES, true);
}

/* One of an expert's matrices, of all experts in a stack: each token passes `active`
 * of them. */
static void add_expert_matrix(struct cs_model_builder *builder, const struct cs_transformer *dims,
                              uint64_t inner, uint64_t columns, bool by_rows)
{
    cs_model_tensor(builder, dims->experts * inner * columns);
    builder->open.expert_tensors++;
    if (cs_has_trait(dims, CS_TRAIT_EXPERT_BIASES)) {
        cs_model_tensor(builder, dims->experts * columns);
        builder->open.expert_tensors++;
    }
    cs_model_matmul(builder, (struct cs_matmul){
                                 .rows = (double)dims->active * dims->sequence,
                                 .inner = (double)inner,
                                 .columns = (double)columns,
                                 .count = 1,
                                 .weights = true,
                                 .by_rows = by_rows,
                                 .experts = dims->experts,
                             });
}

/* Router, shared experts, and at the end those that tokens are sent to. */
static void add_experts(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    cs_model_linear(builder, dims->sequence, dims->hidden, dims->experts,
                    cs_has_trait(dims, CS_TRAIT_ROUTER_BIAS));
    if (dims->shared_ffn)
        add_feed_forward(builder, dims, dims->shared_ffn);
    if (cs_has_trait(dims, CS_TRAIT_SHARED_GATE))
        cs_model_tensor(builder, dims->hidden);
    for (int m = 0; m < (dims->gated ? 2 : 1); ++m)
        add_expert_matrix(builder, dims, dims->hidden, dims->expert_ffn, false);
    add_expert_matrix(builder, dims, dims->expert_ffn, dims->hidden, true);
}

static const char *layer_name(unsigned kind)
{
    bool mixes = kind & CS_LAYER_MIXER && !(kind & CS_LAYER_ATTENTION);

    if (cs_layer_parts(kind) < 2)
        return mixes                       ? "recurrent layer"
               : kind & CS_LAYER_ATTENTION ? "attention layer"
               : kind & CS_LAYER_EXPERTS   ? "layer of experts"
                                           : "feed-forward layer";
    if (kind & CS_LAYER_EXPERTS)
        return mixes ? "recurrent expert layer" : "expert layer";
    return mixes ? "recurrent layer" : "layer";
}

/* `count` layers; the tensors of experts come last. */
static void add_layers(struct cs_model_builder *builder, const struct cs_transformer *dims,
                       unsigned kind, uint32_t count)
{
    int norms = cs_layer_norms(dims, kind);
    bool norm_first = !dims->gated && !dims->encoder;
    bool norm_between = !dims->gated && norms > 1;

    if (norm_first)
        add_norm(builder, dims);
    if (kind & CS_LAYER_ATTENTION) {
        add_qkv(builder, dims);
        add_scores(builder, dims, kind);
        add_linear(builder, dims, (uint64_t)cs_context_width(dims), dims->hidden,
                   CS_TRAIT_OUTPUT_BIAS, true);
    }
    if (kind & CS_LAYER_MIXER)
        add_mixer(builder, dims);
    if (norm_between)
        add_norm(builder, dims);
    if (kind & CS_LAYER_ATTENTION && cs_has_trait(dims, CS_TRAIT_SINKS))
        cs_model_tensor(builder, dims->heads);
    if (kind & CS_LAYER_DENSE)
        add_feed_forward(builder, dims, dims->ffn);
    add_norms(builder, dims, norms - norm_first - norm_between);
    if (kind & CS_LAYER_EXPERTS)
        add_experts(builder, dims);
    cs_layer_count(&builder->open, dims, kind);
    cs_model_close(builder, layer_name(kind), count, (double)dims->sequence * dims->hidden);
}

/* Layers in a row that are identical are one block. */
static int add_plan(struct cs_model_builder *builder, const struct cs_transformer *dims,
                    struct cs_err *err)
{
    uint32_t end;

    for (uint32_t first = 0; first < dims->layers; first = end) {
        for (end = first + 1; end < dims->layers && dims->plan[end] == dims->plan[first];)
            ++end;
        if (builder->count + 2 >= CS_MODEL_BLOCKS_MAX)
            return cs_err_set(err, CS_EINPUT,
                              "the kinds of layers change more than %d times in a row",
                              CS_MODEL_BLOCKS_MAX - 3);
        add_layers(builder, dims, dims->plan[first], end - first);
    }
    return 0;
}

static int add_all_layers(struct cs_model_builder *builder, const struct cs_transformer *dims,
                          struct cs_err *err)
{
    uint32_t dense = dims->experts ? dims->dense_layers : dims->layers;

    if (dims->plan)
        return add_plan(builder, dims, err);
    if (dense)
        add_layers(builder, dims, CS_LAYER_ATTENTION | CS_LAYER_DENSE, dense);
    if (dims->experts)
        add_layers(builder, dims, CS_LAYER_ATTENTION | CS_LAYER_EXPERTS, dims->layers - dense);
    return 0;
}

/* Norms of the state, of the token and of the result; both side by side are the input of a
 * product. */
static void add_further(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    unsigned kind = dims->plan      ? dims->plan[dims->layers - 1]
                    : dims->experts ? CS_LAYER_ATTENTION | CS_LAYER_EXPERTS
                                    : CS_LAYER_ATTENTION | CS_LAYER_DENSE;

    for (uint32_t module = 0; module < dims->further; ++module) {
        add_norms(builder, dims, 3);
        cs_model_linear(builder, dims->sequence, 2ULL * dims->hidden, dims->hidden, false);
        add_layers(builder, dims, kind, 1);
    }
}

enum {
    PHOTO_COLOURS = 3
};

/* A product of each patch's pixels, a token for the class, and positions (ViT, arXiv
 * 2010.11929, section 3.1). */
static void add_patches(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    double hidden = (double)dims->sequence * dims->hidden;
    uint64_t pixels = (uint64_t)PHOTO_COLOURS * dims->patch * dims->patch;

    cs_model_tensor(builder, dims->hidden);
    cs_model_tensor(builder, (uint64_t)dims->sequence * dims->hidden);
    cs_model_tensor(builder, pixels * dims->hidden);
    cs_model_tensor(builder, dims->hidden);
    cs_model_matmul(builder, (struct cs_matmul){.rows = dims->sequence - 1.,
                                                .inner = (double)pixels,
                                                .columns = dims->hidden,
                                                .count = 1,
                                                .weights = true,
                                                .source = true});
    builder->open.elementwise = 6 * hidden;
    builder->open.kernels = 5;
    builder->open.stored = (double)pixels * (dims->sequence - 1.);
    cs_model_close(builder, "patches", 1, hidden);
}

static void add_embedding(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    double hidden = (double)dims->sequence * dims->hidden;
    bool norm = cs_has_trait(dims, CS_TRAIT_WORD_NORM);
    uint32_t positions = dims->positions > dims->sequence ? dims->positions : dims->sequence;

    cs_model_tensor(builder, (uint64_t)dims->vocabulary * dims->hidden);
    if (dims->learned_positions)
        cs_model_tensor(builder, (uint64_t)positions * dims->hidden);
    if (dims->encoder && dims->token_types)
        cs_model_tensor(builder, (uint64_t)dims->token_types * dims->hidden);
    if (dims->encoder || norm)
        add_norm(builder, dims);
    builder->open.elementwise = (norm ? 8 : 6) * hidden;
    builder->open.kernels = norm ? 6 : 5;
    builder->open.stored = (dims->biased ? hidden / 2 : 0) + (norm ? hidden : 0);
    cs_model_close(builder, "embedding", 1, hidden);
}

/* Positions with logits: every one, that of the class, or the masked ones of BERT's
 * pretraining (20 of 128, 80 of 512 in google-research/bert). */
static uint32_t predicted_positions(const struct cs_transformer *dims)
{
    if (dims->patch)
        return 1;
    return dims->encoder ? (dims->sequence * 5 + 31) / 32 : dims->sequence;
}

/* Pooler, transform of masked tokens, and the prediction of the next sentence;
 * the bias of the vocabulary's product precedes, as in BERT's published
 * code. */
static void add_encoder_heads(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    struct cs_transformer masked = *dims;
    uint64_t hidden = dims->hidden;

    bool masked_only = cs_has_trait(dims, CS_TRAIT_MASKED_ONLY);

    masked.sequence = predicted_positions(dims);
    if (!masked_only) {
        cs_model_tensor(builder, hidden * hidden);
        cs_model_tensor(builder, hidden);
    }
    cs_model_tensor(builder, dims->vocabulary);
    add_linear(builder, &masked, hidden, hidden, CS_TRAIT_FFN_BIASES, false);
    add_norm(builder, dims);
    if (!masked_only) {
        cs_model_tensor(builder, 2 * hidden);
        cs_model_tensor(builder, 2);
    }
}

/* Memory and traffic of a norm, logits and loss.  The loss reads and writes the logits
 * in 32 bits: the size of four elements. */
static void close_head(struct cs_model_builder *builder, const struct cs_transformer *dims,
                       double positions, double columns)
{
    double logits = positions * columns;
    double hidden = positions * dims->hidden;

    /* A cap reads and writes them once more. */
    builder->open.split_elementwise = (cs_has_trait(dims, CS_TRAIT_CAPPED_LOGITS) ? 8 : 4) * logits;
    builder->open.elementwise = 2 * hidden + builder->open.split_elementwise;
    /* Norm and input of the product; the logits in 32 bits. */
    builder->open.split_stored = 2 * logits;
    builder->open.stored = 2 * hidden + 2 * logits;
    builder->open.logits = logits;
    /* The product's result in 16 bits; softmax and gradients in 32. */
    builder->open.working = 5 * logits;
    builder->open.kernels = 10;
    cs_model_close(builder, "head", 1, 0);
}

/* Final norm and logits of words or of a photo's classes. */
static void add_word_head(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    double positions = predicted_positions(dims) * (1. + dims->further);

    if (dims->encoder)
        add_encoder_heads(builder, dims);
    else
        add_norm(builder, dims);
    if (!dims->tied)
        cs_model_tensor(builder, (uint64_t)dims->vocabulary * dims->hidden);
    if (cs_has_trait(dims, CS_TRAIT_WORD_BIASES))
        cs_model_tensor(builder, dims->vocabulary);
    cs_model_product(builder, positions, dims->hidden, dims->vocabulary);
    close_head(builder, dims, positions, dims->vocabulary);
}

/* Final norm, pooler and classes.  Decoders weigh the classes of a sample without a
 * bias (transformers, modeling_layers.py, GenericForSequenceClassification). */
static void add_class_head(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    bool of_tokens = dims->head == CS_HEAD_TOKENS;
    double positions = of_tokens ? dims->sequence : 1;

    if (!dims->encoder)
        add_norm(builder, dims);
    if (dims->pooled)
        cs_model_linear(builder, 1, dims->hidden, dims->pooled, true);
    if (dims->classes)
        cs_model_linear(builder, positions, dims->pooled ? dims->pooled : dims->hidden,
                        dims->classes, of_tokens || dims->encoder || dims->patch);
    close_head(builder, dims, positions, dims->classes);
}

int cs_train_model_of(const char *name, const struct cs_transformer *dims, struct cs_arena *arena,
                      struct cs_train_model *model, struct cs_err *err)
{
    struct cs_model_builder builder;
    int code = cs_transformer_check(dims, err);

    if (code)
        return code;
    cs_model_builder_start(&builder, arena);
    if (dims->patch)
        add_patches(&builder, dims);
    else
        add_embedding(&builder, dims);
    code = add_all_layers(&builder, dims, err);
    if (code)
        return code;
    add_further(&builder, dims);
    if (dims->head == CS_HEAD_WORDS)
        add_word_head(&builder, dims);
    else
        add_class_head(&builder, dims);
    *model = (struct cs_train_model){
        .name = name, .transformer = *dims, .optimizer_words = 2, .photos = dims->patch > 0};
    cs_model_finish(&builder, model);
    return 0;
}
