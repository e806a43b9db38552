/*
 * Models: the computation of a training step, block by block.
 *
 * A model is a sequence of blocks; a block states its tensors (parameters, in
 * the order of definition), the matrix products and the elementwise traffic of a
 * forward pass over a sample, and the elements kept for the backward pass.  A sample
 * is a sequence of a language model or an image.  All counts are per sample and
 * unsplit: a step (step.h) divides by its degrees.
 *
 * FLOPs count a multiplication and an addition as two.
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "topo/kinds/arithmetic.h"

#include <stdbool.h>
#include <stdint.h>

/* rows x inner times inner x columns, `count` times for a sample. */
struct cs_matmul {
    double rows, inner, columns, count;
    bool weights;        /* has a weight matrix: split by tensor parallelism,
                      three products in a step instead of one forward; false:
                      attention scores and values */
    bool by_rows;        /* tensor parallelism splits `inner`, not `columns` */
    double taps;         /* of the kernel of a convolution; 0: none */
    double strides;      /* pixels of its input for one of its output */
    bool minimal;        /* takes fewer multiplications, by Winograd's or Fourier's
                       transform */
    double masked_width; /* of a head of attention whose causal mask leaves half of it; 0: other */
    bool source;         /* takes the sample itself, which needs no gradient */
    double experts;      /* matrices that share the rows; 0: one for all rows */
};

/* Parts of a transformer's layer that may run again in place of keeping their results. */
enum cs_part {
    CS_PART_NORMS,
    CS_PART_KEYS,       /* queries, keys and values; of latent attention out of the
                           narrow vectors, which are kept */
    CS_PART_ATTENTION,  /* its result, which the next product reads, and scores */
    CS_PART_OUTPUT,     /* the product behind attention, and the sum */
    CS_PART_FFN,        /* products of the feed-forward part but the last; not experts */
    CS_PART_ACTIVATION, /* of the feed-forward part and experts */
    CS_PART_EXPERTS,    /* router, exchanges and products of experts */
    CS_PARTS
};

/* Elements of a part's results, the share of its products that run again, and elements
 * read and written beside products. */
struct cs_layer_part {
    double stored, split_stored, again, elementwise;
};

struct cs_train_block {
    const char *name;
    uint32_t repeat;         /* identical blocks in a row, each a unit; at least 1 */
    uint32_t first;          /* the number of its first unit in the model */
    const uint64_t *tensors; /* elements of the parameter tensors */
    uint32_t tensor_count;
    uint32_t expert_tensors; /* the last of them: experts', in stacks */
    const struct cs_matmul *matmuls;
    uint32_t matmul_count;
    double elementwise;       /* elements read and written outside products */
    double split_elementwise; /* the part divided by tensor parallelism */
    double score_elementwise; /* share of attention scores */
    double converted;         /* elements more where images are stored channel by
                                 channel and products run on matrix units */
    double kernels;           /* launches of a forward pass */
    double sized;             /* of them, whose sizes the tokens of experts decide */
    double stored;            /* elements kept for the backward pass */
    double split_stored;      /* the part divided by tensor parallelism */
    double score_stored;      /* share of attention scores */
    /* Where every second product runs again: kept elements, the part divided by
     * tensor parallelism, and the share of products that run again. */
    double ops_stored, ops_split_stored, ops_again;
    struct cs_layer_part parts[CS_PARTS];
    double logits; /* of a head, among the stored: twice, for they are kept in 32 bits */
    /* Of the stored: inputs of products with weights, the part divided by tensor
     * parallelism, and those that attention keeps anyway. */
    double inputs, split_inputs, attention_inputs;
    double working; /* elements more while its backward pass runs, divided by
                       tensor parallelism */
    double output;  /* elements that the next block reads */
    bool shards;    /* a transformer block: takes tensor parallelism */
    uint32_t sums;  /* of tensor parallelism in a forward pass over it: of
                       attention, of the feed-forward part */
    /* Experts: elements that travel to them and back, and what the rows of the
     * busiest lengthen of the split parts above. */
    double routed, expert_elementwise, expert_stored;
    double expert_gates; /* of the elementwise: between the products of an expert */
};

enum {
    CS_TRANSFORMER_LAYERS_MAX = 1 << 16 /* a step's time visits each */
};

/* What a transformer has beside its dimensions; a set of bits. */
enum cs_trait {
    CS_TRAIT_HEAD_BIASES = 1 << 0,    /* of queries, keys and values */
    CS_TRAIT_OUTPUT_BIAS = 1 << 1,    /* of attention's output */
    CS_TRAIT_FFN_BIASES = 1 << 2,     /* of the feed-forward part */
    CS_TRAIT_WORD_BIASES = 1 << 3,    /* of the logits */
    CS_TRAIT_SHIFTED_NORMS = 1 << 4,  /* norms have two parameters, not one */
    CS_TRAIT_FIXED_NORMS = 1 << 5,    /* none */
    CS_TRAIT_ONE_NORM = 1 << 6,       /* of a layer, not two */
    CS_TRAIT_FOUR_NORMS = 1 << 7,     /* behind both parts of a layer, too */
    CS_TRAIT_HEAD_NORMS = 1 << 8,     /* queries and keys, of a head's width */
    CS_TRAIT_QUERY_NORMS = 1 << 9,    /* of the width of all heads */
    CS_TRAIT_WORD_NORM = 1 << 10,     /* behind the embedding */
    CS_TRAIT_SIDE_BY_SIDE = 1 << 11,  /* attention and feed-forward part read one
                                        input, and their results one sum */
    CS_TRAIT_CAPPED_LOGITS = 1 << 12, /* by a tangent */
    CS_TRAIT_MASKED_ONLY = 1 << 13,   /* an encoder that predicts masked tokens,
                                         and no next sentence */
    CS_TRAIT_SHARED_GATE = 1 << 14,   /* weighs the shared experts */
    CS_TRAIT_EXPERT_BIASES = 1 << 15, /* of experts */
    CS_TRAIT_ROUTER_BIAS = 1 << 16,
    CS_TRAIT_SINKS = 1 << 17,       /* a parameter of each head in its softmax */
    CS_TRAIT_GATED_HEADS = 1 << 18, /* a product as wide as queries weighs attention's
                                       result */
};

/* What follows a transformer's layers. */
enum cs_head {
    CS_HEAD_WORDS,  /* logits of the vocabulary, with what BERT predicts beside */
    CS_HEAD_NONE,   /* nothing but the pooler */
    CS_HEAD_SAMPLE, /* classes of a sample */
    CS_HEAD_TOKENS, /* classes of each token */
};

/* What a layer has; a set of bits. */
enum cs_layer_kind {
    CS_LAYER_ATTENTION = 1 << 0,
    CS_LAYER_WINDOW = 1 << 1, /* of its attention */
    CS_LAYER_MIXER = 1 << 2,  /* struct cs_mixer, in place of attention or beside it */
    CS_LAYER_DENSE = 1 << 3,  /* a feed-forward part */
    CS_LAYER_EXPERTS = 1 << 4,
};

/* What mixes tokens without scores of all pairs: a state space (Mamba, arXiv 2312.00752
 * and 2405.21060), a gated delta rule (arXiv 2412.06464), linear attention, or a short
 * convolution.  A product in front, a convolution, a recurrence by chunks, a product
 * behind. */
struct cs_mixer {
    uint32_t columns;             /* of the product in front */
    uint32_t inner;               /* rows of the product behind */
    uint32_t narrow, rank;        /* of two products between, of a state space of the first
                                    kind; 0: none */
    uint32_t channels;            /* of the convolution */
    uint32_t heads, keys, values; /* of the recurrence: a state of keys x values each */
    uint32_t chunk;               /* tokens of the recurrence that are one product */
    uint64_t others;              /* parameters beside products */
    bool biased;                  /* both products */
};

/* Dimensions of a transformer, for closed forms; layers 0: no transformer. */
struct cs_transformer {
    uint32_t layers, hidden, heads, kv_heads, ffn, vocabulary, sequence;
    uint32_t document;    /* tokens of a packed sequence that attend to each other; 0: all */
    uint32_t window;      /* tokens before a token that it attends to, where
                        FlashAttention skips the others; 0: all */
    uint32_t windowed;    /* layers with the window; 0: all */
    uint32_t head_width;  /* 0: hidden / heads */
    uint32_t positions;   /* with parameters, at least the sequence; 0: as many */
    uint32_t token_types; /* of an encoder */
    uint32_t patch;       /* pixels of a photo's part in each direction, a token; the
                       sequence counts one token more, and the vocabulary classes;
                       0: no photos */
    /* Latent attention (DeepSeek, arXiv 2405.04434, section 2.1): queries and keys are
     * products of narrow vectors of a token; head_width counts the part with positions
     * of a query, rope_width that of the key, which all heads share. */
    uint32_t query_rank;  /* 0: queries are a product of the token */
    uint32_t key_rank;    /* 0: no latent attention */
    uint32_t rope_width;  /* with key_rank */
    uint32_t value_width; /* of a head; 0: as head_width */
    /* Experts in place of the feed-forward part. */
    uint32_t experts;    /* 0: none */
    uint32_t active;     /* of a token */
    uint32_t expert_ffn; /* of an expert */
    /* A token's experts are in so many of the groups of neighbours (DeepSeek, arXiv
     * 2412.19437, section 2.1.2); 0: in any. */
    uint32_t expert_groups, group_limit;
    uint32_t shared_ffn;   /* of the experts of all tokens together; 0: none */
    uint32_t dense_layers; /* the first, with a feed-forward part */
    /* Modules that predict the token behind the next, and the one behind that: each a
     * product of a state and the embedding of a token, a layer as the last, and the logits
     * of the shared head (DeepSeek V3, arXiv 2412.19437, section 2.2). */
    uint32_t further;
    /* Layers of several kinds: a set of enum cs_layer_kind for each; NULL: attention in
     * all, and experts behind the dense layers. */
    const unsigned char *plan;
    struct cs_mixer mixer; /* of layers with CS_LAYER_MIXER */
    enum cs_head head;
    uint32_t classes; /* of a sample or a token; 0: none */
    uint32_t pooled;  /* width of a product of a sample's first token before classes;
                         0: none */
    enum cs_attention attention;
    unsigned traits; /* enum cs_trait */
    bool gated;      /* SwiGLU: three matrices in the feed-forward part */
    bool tied;       /* embedding and output share their weights */
    bool learned_positions;
    bool biased;  /* biases, and norms with two parameters */
    bool encoder; /* BERT: token types, norms after the sums, heads of
                     pretraining */
};

/* Whether the transformer has the trait, by itself or as a biased one. */
bool cs_has_trait(const struct cs_transformer *dims, enum cs_trait trait);

/* Elements of a head; 0 where there are none. */
uint32_t cs_head_width(const struct cs_transformer *dims);

/* Elements of a token's queries, of what attention returns for it, and of its keys
 * and values. */
double cs_query_width(const struct cs_transformer *dims);
double cs_context_width(const struct cs_transformer *dims);
double cs_keys_width(const struct cs_transformer *dims);

struct cs_train_model {
    const char *name, *about, *source;
    const struct cs_train_block *blocks;
    uint32_t block_count;
    struct cs_transformer transformer;
    bool photos;              /* samples are photos of ImageNet */
    double parameters;        /* elements of the tensors together */
    uint32_t optimizer_words; /* 32-bit states of the usual optimizer for a
                                 parameter: Adam 2, SGD with momentum 1 */
};

/* CS_EINPUT where a tensor of so many elements is too large to count with. */
int cs_tensor_check(double elements, struct cs_err *err);

/* Blocks with their repeats; the block of a unit. */
uint32_t cs_train_model_units(const struct cs_train_model *model);
uint32_t cs_train_unit_block(const struct cs_train_model *model, uint32_t unit);

/* Elements of the tensors of one of the block's repeats; of its experts. */
double cs_train_block_parameters(const struct cs_train_block *block);
double cs_train_expert_parameters(const struct cs_train_block *block);

/* Layers of transformers, of which each may run again by itself. */
bool cs_train_model_has_layers(const struct cs_train_model *model);

/* Elements that compute for a token: all but those of the experts that it does not
 * visit. */
double cs_train_active_parameters(const struct cs_train_model *model);

/* FLOPs of a forward pass over a sample, from the matrix products; of scores with a causal
 * mask the half that is needed. */
double cs_train_model_flops(const struct cs_train_model *model);

/* ---- checks ---- */

/* 0, or CS_EINPUT for dimensions that are zero, too large or do not divide. */
int cs_transformer_check(const struct cs_transformer *dims, struct cs_err *err);
