#include "scenarios/train/model/layer_counts.h"

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

int cs_layer_parts(unsigned kind)
{
    return ((kind & (CS_LAYER_ATTENTION | CS_LAYER_MIXER)) != 0) +
           ((kind & (CS_LAYER_DENSE | CS_LAYER_EXPERTS)) != 0);
}

int cs_layer_norms(const struct cs_transformer *dims, unsigned kind)
{
    return cs_layer_parts(kind) < 2                  ? 1
           : cs_has_trait(dims, CS_TRAIT_ONE_NORM)   ? 1
           : cs_has_trait(dims, CS_TRAIT_FOUR_NORMS) ? 4
                                                     : 2;
}

/* Every second product in the order of a layer runs again: keys, output and the
 * second matrix of the feed-forward part of Llama; output and second matrix of GPT,
 * whose queries, keys and values are one product.  The inputs of the layer and the
 * result of attention are kept.  Grouped products of experts are not among the operators
 * that are kept (torchtitan, _op_sac_save_list): all of them run again. */
static void count_operators(struct cs_train_block *block, const struct cs_transformer *dims,
                            double inner, double grouped, double queries)
{
    double hidden = (double)dims->sequence * dims->hidden;
    double keys = key_share(dims) * queries;
    double all = hidden + queries + 2 * keys + (dims->gated ? 3 : 2) * inner;
    double again = (dims->gated ? keys : 0) + hidden + inner + (dims->gated ? 2 : 1) * grouped;

    block->ops_again = again / all;
    block->ops_split_stored = 2 * queries + (dims->gated ? keys : 2 * keys) + inner - grouped;
    block->ops_stored = (dims->gated && inner > grouped ? 2 : 1) * hidden + block->ops_split_stored;
}

/* Norms beside the usual two, each of which reads, writes and keeps its input; those
 * of queries and keys, too.  Parts side by side share their input, and with one norm
 * its result. */
static void count_norms(struct cs_train_block *block, const struct cs_transformer *dims,
                        unsigned kind)
{
    double hidden = (double)dims->sequence * dims->hidden;
    double queries = dims->sequence * cs_query_width(dims);
    int more = cs_layer_norms(dims, kind) - cs_layer_parts(kind);
    int shared = cs_has_trait(dims, CS_TRAIT_SIDE_BY_SIDE);

    block->elementwise += 2 * more * hidden;
    block->stored += (more - shared) * hidden;
    block->kernels += more;
    if (kind & CS_LAYER_ATTENTION &&
        (cs_has_trait(dims, CS_TRAIT_HEAD_NORMS) || cs_has_trait(dims, CS_TRAIT_QUERY_NORMS))) {
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

/* Biases of experts and the limits of their gates take kernels of their own: the last
 * product's are weighed and added in 32 bits, joined, and converted (14 elements of
 * 16 bits); gate and line are limited and joined (Megatron-Core, TEGroupedMLP._apply_bias
 * and weighted_bias_quick_geglu_impl; AutoModel has the first, too). */
static const double bias_traffic = 14, limit_traffic = 8;

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
    block->expert_gates = (dims->gated ? 5 : 2) * inner;
    block->expert_elementwise = 4 * 2 * block->routed + block->expert_gates;
    if (cs_has_trait(dims, CS_TRAIT_EXPERT_BIASES)) {
        double biased = bias_traffic * block->routed + limit_traffic * inner;

        block->expert_elementwise += biased;
        block->elementwise += biased;
    }
    block->stored += 2 * block->routed;
    block->inputs += block->routed - (dims->shared_ffn ? 0 : (double)dims->sequence * dims->hidden);
    block->elementwise += 8 * block->routed + 4. * dims->sequence * dims->experts;
    /* Order of the tokens, copies and products; the router's are the exchange's, too. */
    block->sized = 6 + 4;
    block->kernels += block->sized;
    /* Shared experts alone are divided as a feed-forward part. */
    if (!dims->shared_ffn)
        block->sums--;
}

/* Elements of a token inside its feed-forward parts. */
static double token_ffn(const struct cs_transformer *dims, unsigned kind)
{
    return kind & CS_LAYER_EXPERTS ? (double)dims->active * dims->expert_ffn + dims->shared_ffn
           : kind & CS_LAYER_DENSE ? dims->ffn
                                   : 0;
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
                        unsigned kind)
{
    double tokens = dims->sequence, hidden = tokens * dims->hidden;
    double inner = tokens * token_ffn(dims, kind);
    double up = tokens * (kind & CS_LAYER_EXPERTS ? dims->shared_ffn
                          : kind & CS_LAYER_DENSE ? dims->ffn
                                                  : 0);
    double keys = dims->key_rank ? tokens * (cs_query_width(dims) + cs_keys_width(dims))
                                 : (1 + 2 * key_share(dims)) * tokens * cs_query_width(dims);
    double context = tokens * cs_context_width(dims) + block->score_stored;
    double norms = (cs_layer_norms(dims, kind) > 1 ? 2 : 1) * hidden;

    block->parts[CS_PART_NORMS] = (struct cs_layer_part){norms, 0, 0, 2 * norms};
    if (kind & CS_LAYER_ATTENTION) {
        block->parts[CS_PART_KEYS] =
            (struct cs_layer_part){keys, keys, latent_share(dims), 2 * keys};
        block->parts[CS_PART_ATTENTION] = (struct cs_layer_part){context, context, 1, 0};
    }
    block->parts[CS_PART_OUTPUT] = (struct cs_layer_part){hidden, 0, 1, 3 * hidden};
    up *= dims->gated ? 2 : 1;
    block->parts[CS_PART_FFN] = (struct cs_layer_part){up, up, up > 0, 0};
    block->parts[CS_PART_ACTIVATION] =
        (struct cs_layer_part){inner, inner, 0, (dims->gated ? 3 : 2) * inner};
    if (kind & CS_LAYER_EXPERTS) {
        double lines = (dims->gated ? 2 : 1) * inner;

        block->parts[CS_PART_EXPERTS] =
            (struct cs_layer_part){2 * block->routed + lines, lines, 1,
                                   8 * block->routed + 4 * tokens * dims->experts + lines};
    }
}

/* The result of the first product, that of the convolution, and of the recurrence before
 * and behind its gate are kept; a state space of the first kind touches the state of each
 * element. */
static void count_mixer(struct cs_train_block *block, const struct cs_transformer *dims)
{
    const struct cs_mixer *mixer = &dims->mixer;
    double tokens = dims->sequence;
    double stored = tokens * ((double)mixer->columns + mixer->channels + 2. * mixer->inner);
    double touched = 2. * mixer->columns + 3. * mixer->channels + 6. * mixer->inner +
                     (mixer->narrow ? (double)mixer->inner * mixer->keys : 0);

    block->split_stored += stored;
    block->stored += stored;
    block->split_elementwise += tokens * touched;
    block->elementwise += tokens * touched;
    block->split_inputs += tokens * mixer->inner;
    block->inputs += tokens * mixer->inner;
    block->kernels += 6;
}

void cs_layer_count(struct cs_train_block *block, const struct cs_transformer *dims, unsigned kind)
{
    bool attends = kind & CS_LAYER_ATTENTION;
    double tokens = dims->sequence;
    double hidden = tokens * dims->hidden;
    double inner = tokens * token_ffn(dims, kind);
    double grouped = kind & CS_LAYER_EXPERTS ? tokens * dims->active * dims->expert_ffn : 0;
    double queries = attends ? tokens * cs_query_width(dims) : 0;
    double scores = dims->attention ? 0 : tokens * dims->heads * (attends ? tokens : 0);
    int parts = cs_layer_parts(kind);

    block->score_elementwise = score_traffic * scores;
    block->split_elementwise =
        head_traffic * queries + (dims->gated ? 5 : 2) * inner + block->score_elementwise;
    block->elementwise = norm_traffic * parts / 2 * hidden + block->split_elementwise;
    block->score_stored = stored_score * scores;
    block->split_stored =
        (attends ? stored_of_heads(dims) : 0) + (dims->gated ? 3 : 2) * inner + block->score_stored;
    if (cs_has_trait(dims, CS_TRAIT_GATED_HEADS))
        block->split_stored += queries;
    /* Models without biases are trained without dropout, and keep no masks. */
    block->stored =
        (dims->biased ? stored_whole : stored_whole - 1) * parts / 2 * hidden + block->split_stored;
    block->split_inputs = inner;
    block->inputs = (cs_has_trait(dims, CS_TRAIT_SIDE_BY_SIDE) ? 1 : parts) * hidden + inner;
    block->attention_inputs = queries;
    count_operators(block, dims, inner, grouped, queries);
    block->kernels = ((dims->gated ? 12 : 10) - (dims->attention ? 2 : 0)) * parts;
    /* Three products more, and norms of two narrow vectors (Megatron-Core,
     * multi_latent_attention.py). */
    if (attends && dims->key_rank)
        block->kernels += 3 + 2;
    count_norms(block, dims, kind);
    block->shards = true;
    block->sums = cs_has_trait(dims, CS_TRAIT_SIDE_BY_SIDE) ? 1 : (uint32_t)parts;
    if (kind & CS_LAYER_MIXER)
        count_mixer(block, dims);
    if (kind & CS_LAYER_EXPERTS)
        count_experts(block, dims);
    count_parts(block, dims, kind);
}
