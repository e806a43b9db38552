#include "scenarios/train/model/transformer.h"

#include "scenarios/train/model/builder.h"
#include "scenarios/train/model/transformer_check.h"

#include <math.h>

/*
 * Elements that kernels other than matrix products read and write in a forward
 * pass, per token and hidden element, when every operation is a kernel:
 * two norms of 2, two sums of 3 with a dropped or scaled branch.
 */
static const double norm_traffic = 10;
/* Biases, rotations and transposes of queries, keys and values. */
static const double head_traffic = 4;
/* Mask, softmax and dropout of a score: two reads and two writes. */
static const double score_traffic = 4;

/* Korthikanti et al. (arXiv 2205.05198, section 4): bytes of 16-bit training;
 * here elements of two bytes.  A dropout mask is half an element. */
static const double stored_whole = 5; /* two norms, two inputs, two masks */
static const double stored_heads = 4; /* queries, keys, values, context */
static const double stored_score = 2.5;

static double key_share(const struct cs_transformer *dims)
{
    return (double)dims->kv_heads / dims->heads;
}

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

static int layer_norms(const struct cs_transformer *dims)
{
    return cs_has_trait(dims, CS_TRAIT_ONE_NORM)     ? 1
           : cs_has_trait(dims, CS_TRAIT_FOUR_NORMS) ? 4
                                                     : 2;
}

/* A weight matrix, with its bias by the trait: a product over the tokens of a
 * sequence. */
static void add_linear(struct cs_model_builder *builder, const struct cs_transformer *dims,
                       uint64_t inner, uint64_t columns, enum cs_trait bias, bool by_rows)
{
    cs_model_tensor(builder, inner * columns);
    if (cs_has_trait(dims, bias))
        cs_model_tensor(builder, columns);
    cs_model_matmul(builder, (struct cs_matmul){
                                 .rows = dims->sequence,
                                 .inner = (double)inner,
                                 .columns = (double)columns,
                                 .count = 1,
                                 .weights = true,
                                 .by_rows = by_rows,
                             });
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
    cs_model_matmul(builder, (struct cs_matmul){
                                 .rows = dims->sequence,
                                 .inner = (double)hidden,
                                 .columns = (double)(queries + 2 * keys),
                                 .count = 1,
                                 .weights = true,
                             });
}

/* Keys of a query, in the mean of the layers.  A causal mask leaves s^2 / 2 scores
 * of a head, a window of w tokens w s - w^2 / 2: the share of the products that a
 * window leaves. */
static double attended_keys(const struct cs_transformer *dims)
{
    double tokens = dims->sequence, window = dims->window;
    double share = dims->windowed ? (double)dims->windowed / dims->layers : 1;

    if (!dims->attention || !(window > 0) || window >= tokens)
        return tokens;
    return tokens - share * (tokens - 2 * window + window * window / tokens);
}

static void add_scores(struct cs_model_builder *builder, const struct cs_transformer *dims)
{
    double width = cs_head_width(dims);
    double keys = attended_keys(dims);
    struct cs_matmul matmul = {
        .rows = dims->sequence, .inner = width, .columns = keys, .count = dims->heads};

    cs_model_matmul(builder, matmul);
    matmul.inner = keys;
    matmul.columns = cs_context_width(dims) / dims->heads;
    cs_model_matmul(builder, matmul);
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

/* Every second product in the order of a layer runs again: keys, output and the
 * second matrix of the feed-forward part of Llama; output and second matrix of GPT,
 * whose queries, keys and values are one product.  The inputs of the layer and the
 * result of attention are kept. */
static void count_operators(struct cs_train_block *block, const struct cs_transformer *dims,
                            double inner)
{
    double tokens = dims->sequence;
    double hidden = tokens * dims->hidden;
    double queries = tokens * cs_query_width(dims);
    double keys = key_share(dims) * queries;
    double all = hidden + queries + 2 * keys + (dims->gated ? 3 : 2) * inner;
    double again = (dims->gated ? keys : 0) + hidden + inner;

    block->ops_again = again / all;
    block->ops_split_stored = 2 * queries + (dims->gated ? keys : 2 * keys) + inner;
    block->ops_stored = (dims->gated ? 2 : 1) * hidden + block->ops_split_stored;
}

/* Norms beside the usual two, each of which reads, writes and keeps its input; those
 * of queries and keys, too.  Parts side by side share their input, and with one norm
 * its result. */
static void count_norms(struct cs_train_block *block, const struct cs_transformer *dims)
{
    double hidden = (double)dims->sequence * dims->hidden;
    double queries = dims->sequence * cs_query_width(dims);
    int more = layer_norms(dims) - 2;
    int shared = cs_has_trait(dims, CS_TRAIT_SIDE_BY_SIDE);

    block->elementwise += 2 * more * hidden;
    block->stored += (more - shared) * hidden;
    block->kernels += more;
    if (cs_has_trait(dims, CS_TRAIT_HEAD_NORMS) || cs_has_trait(dims, CS_TRAIT_QUERY_NORMS)) {
        double normed = (1 + key_share(dims)) * queries;

        block->split_elementwise += 2 * normed;
        block->elementwise += 2 * normed;
        block->split_stored += normed;
        block->stored += normed;
        block->kernels += 2;
    }
}

/* Queries, keys, values and context that the backward pass needs, with the vectors of
 * latent attention before and behind their norms. */
static double stored_of_heads(const struct cs_transformer *dims)
{
    double queries = dims->sequence * cs_query_width(dims);
    double heads = 2 + 2 * key_share(dims); /* of stored_heads */

    if (!dims->key_rank)
        return heads / 4 * stored_heads * queries;
    return dims->sequence * (cs_query_width(dims) + cs_keys_width(dims) + cs_context_width(dims) +
                             dims->rope_width + 2. * ((double)dims->query_rank + dims->key_rank));
}

/* Two copies of a token for each of its experts are kept: the input of their first
 * product and, unless products run again, the result of their last, which is weighed.
 * Copies are put in the order of their ranks, of the experts of a rank, and back, each
 * read and written; scores of the router pass a softmax and a choice.  Tensor parallel
 * ranks divide copies as they divide tokens: by sequence parallelism alone, without
 * which each has all tokens, and sums of full width to weigh. */
static void count_experts(struct cs_train_block *block, const struct cs_transformer *dims)
{
    double rows = (double)dims->active * dims->sequence;
    double inner = rows * dims->expert_ffn;

    block->routed = rows * dims->hidden;
    block->expert_stored = 2 * block->routed + (dims->gated ? 3 : 2) * inner;
    block->expert_elementwise = 4 * 2 * block->routed + (dims->gated ? 5 : 2) * inner;
    block->stored += 2 * block->routed;
    block->inputs += block->routed - (dims->shared_ffn ? 0 : (double)dims->sequence * dims->hidden);
    block->ops_stored += block->routed;
    block->elementwise += 8 * block->routed + 4. * dims->sequence * dims->experts;
    /* Router 5, order of the tokens 6, counts 2, copies and products. */
    block->kernels += 5 + 6 + 2 + 4;
    /* Shared experts alone are divided as a feed-forward part. */
    block->sums = dims->shared_ffn ? 2 : 1;
}

/* Elements of a token inside its feed-forward parts. */
static double token_ffn(const struct cs_transformer *dims, bool experts)
{
    return experts ? (double)dims->active * dims->expert_ffn + dims->shared_ffn : dims->ffn;
}

/* Of the products in front of attention, by multiplications: those out of narrow
 * vectors. */
static double latent_share(const struct cs_transformer *dims)
{
    double narrow = (double)dims->query_rank + dims->key_rank + dims->rope_width;
    double wide = dims->query_rank * cs_query_width(dims) +
                  dims->key_rank * (cs_keys_width(dims) - (double)dims->heads * dims->rope_width);

    return dims->key_rank ? wide / (wide + dims->hidden * narrow) : 1;
}

/* A gate reads two vectors and writes one. */
static void count_parts(struct cs_train_block *block, const struct cs_transformer *dims,
                        bool experts)
{
    double tokens = dims->sequence, hidden = tokens * dims->hidden;
    double inner = tokens * token_ffn(dims, experts);
    double up = tokens * (experts ? dims->shared_ffn : dims->ffn) * (dims->gated ? 2 : 1);
    double keys = dims->key_rank ? tokens * (cs_query_width(dims) + cs_keys_width(dims))
                                 : (1 + 2 * key_share(dims)) * tokens * cs_query_width(dims);
    double context = tokens * cs_context_width(dims) + block->score_stored;
    double norms = (layer_norms(dims) > 1 ? 2 : 1) * hidden;

    block->parts[CS_PART_NORMS] = (struct cs_layer_part){norms, 0, 0, 2 * norms};
    block->parts[CS_PART_KEYS] = (struct cs_layer_part){keys, keys, latent_share(dims), 2 * keys};
    block->parts[CS_PART_ATTENTION] = (struct cs_layer_part){context, context, 1, 0};
    block->parts[CS_PART_OUTPUT] = (struct cs_layer_part){hidden, 0, 1, 3 * hidden};
    block->parts[CS_PART_FFN] = (struct cs_layer_part){up, up, 1, 0};
    block->parts[CS_PART_ACTIVATION] =
        (struct cs_layer_part){inner, inner, 0, (dims->gated ? 3 : 2) * inner};
}

/* Memory and traffic of a layer, in elements of a sequence. */
static void count_layer(struct cs_train_block *block, const struct cs_transformer *dims,
                        bool experts)
{
    double tokens = dims->sequence;
    double hidden = tokens * dims->hidden;
    double inner = tokens * token_ffn(dims, experts);
    double queries = tokens * cs_query_width(dims);
    double scores = dims->attention ? 0 : tokens * tokens * dims->heads;

    block->score_elementwise = score_traffic * scores;
    block->split_elementwise =
        head_traffic * queries + (dims->gated ? 5 : 2) * inner + block->score_elementwise;
    block->elementwise = norm_traffic * hidden + block->split_elementwise;
    block->score_stored = stored_score * scores;
    block->split_stored =
        stored_of_heads(dims) + (dims->gated ? 3 : 2) * inner + block->score_stored;
    /* Models without biases are trained without dropout, and keep no masks. */
    block->stored = (dims->biased ? stored_whole : stored_whole - 1) * hidden + block->split_stored;
    block->split_inputs = inner;
    block->inputs = (cs_has_trait(dims, CS_TRAIT_SIDE_BY_SIDE) ? 1 : 2) * hidden + inner;
    block->attention_inputs = queries;
    count_operators(block, dims, inner);
    block->kernels = (dims->gated ? 24 : 20) - (dims->attention ? 4 : 0);
    count_norms(block, dims);
    block->shards = true;
    block->sums = cs_has_trait(dims, CS_TRAIT_SIDE_BY_SIDE) ? 1 : 2;
    if (experts)
        count_experts(block, dims);
    count_parts(block, dims, experts);
}

/* `count` layers; the tensors of experts come last. */
static void add_layers(struct cs_model_builder *builder, const struct cs_transformer *dims,
                       bool experts, uint32_t count)
{
    bool norm_first = !dims->gated && !dims->encoder;
    bool norm_between = !dims->gated && layer_norms(dims) > 1;

    if (norm_first)
        add_norm(builder, dims);
    add_qkv(builder, dims);
    add_scores(builder, dims);
    add_linear(builder, dims, (uint64_t)cs_context_width(dims), dims->hidden, CS_TRAIT_OUTPUT_BIAS,
               true);
    if (norm_between)
        add_norm(builder, dims);
    if (cs_has_trait(dims, CS_TRAIT_SINKS))
        cs_model_tensor(builder, dims->heads);
    if (!experts)
        add_feed_forward(builder, dims, dims->ffn);
    add_norms(builder, dims, layer_norms(dims) - norm_first - norm_between);
    if (experts)
        add_experts(builder, dims);
    count_layer(&builder->open, dims, experts);
    cs_model_close(builder, experts ? "expert layer" : "layer", count,
                   (double)dims->sequence * dims->hidden);
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
    double positions = predicted_positions(dims);

    if (dims->encoder)
        add_encoder_heads(builder, dims);
    else
        add_norm(builder, dims);
    if (!dims->tied)
        cs_model_tensor(builder, (uint64_t)dims->vocabulary * dims->hidden);
    if (cs_has_trait(dims, CS_TRAIT_WORD_BIASES))
        cs_model_tensor(builder, dims->vocabulary);
    cs_model_matmul(builder, (struct cs_matmul){.rows = positions,
                                                .inner = dims->hidden,
                                                .columns = dims->vocabulary,
                                                .count = 1,
                                                .weights = true});
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
    if (!dims->experts || dims->dense_layers)
        add_layers(&builder, dims, false, dims->experts ? dims->dense_layers : dims->layers);
    if (dims->experts)
        add_layers(&builder, dims, true, dims->layers - dims->dense_layers);
    if (dims->head == CS_HEAD_WORDS)
        add_word_head(&builder, dims);
    else
        add_class_head(&builder, dims);
    *model = (struct cs_train_model){
        .name = name, .transformer = *dims, .optimizer_words = 2, .photos = dims->patch > 0};
    cs_model_finish(&builder, model);
    return 0;
}
