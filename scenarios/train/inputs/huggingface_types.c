#include "scenarios/train/inputs/huggingface_types.h"

#include "sim/base/text.h"

#include <stdio.h>
#include <string.h>

#define LLAMA_KEYS                                                                                \
    .keys = {"num_hidden_layers", "hidden_size", "num_attention_heads",    "num_key_value_heads", \
             "intermediate_size", "vocab_size",  "max_position_embeddings"}
#define GPT2_KEYS                                                                          \
    .keys = {"n_layer", "n_embd", "n_head", NULL, "n_inner", "vocab_size", "n_positions"}, \
    .ffn_times = 4
#define BERT_KEYS                                                                \
    .keys = {"num_hidden_layers", "hidden_size", "num_attention_heads",    NULL, \
             "intermediate_size", "vocab_size",  "max_position_embeddings"}

#define MAMBA_KEYS                                                                    \
    .keys = {"num_hidden_layers",      "hidden_size", NULL, NULL, NULL, "vocab_size", \
             "max_position_embeddings"},                                              \
    .sequence = 4096

#define BERT_ALONE \
    .fixed = {{"add_cross_attention", "false"}, {"position_embedding_type", "absolute"}}
#define ROBERTA                                                \
    BERT_KEYS, BERT_ALONE, .ties = true,                       \
                           .dims = {.learned_positions = true, \
                                    .biased = true,            \
                                    .encoder = true,           \
                                    .token_types = 1,          \
                                    .traits = CS_TRAIT_MASKED_ONLY}

#define EXPERTS(count_key, active_key, ffn_key, ...) \
    .experts = {.count = (count_key), .active = (active_key), .ffn = (ffn_key), __VA_ARGS__}
#define MIXTRAL_EXPERTS EXPERTS("num_local_experts", "num_experts_per_tok", "intermediate_size")
#define DEEPSEEK_EXPERTS                         \
    .experts = {.count = "n_routed_experts",     \
                .active = "num_experts_per_tok", \
                .ffn = "moe_intermediate_size",  \
                .shared = "n_shared_experts",    \
                .dense = "first_k_dense_replace"}
#define DEEPSEEK                                                                        \
    LLAMA_KEYS, DEEPSEEK_EXPERTS, .latent = true,                                       \
                                  .flags = {{"attention_bias", false, HEADS | OUTPUT}}, \
                                  .fixed = {{"moe_layer_freq", "1"}, {"mlp_bias", "false"}}

/* Experts of Qwen in every nth layer, those that all tokens take beside them. */
#define QWEN_EXPERTS                                             \
    .experts = {.count = "num_experts|num_local_experts",        \
                .active = "num_experts_per_tok",                 \
                .ffn = "moe_intermediate_size",                  \
                .shared_ffn = "shared_expert_intermediate_size", \
                .every = "decoder_sparse_step"}
#define OTHERWISE(...) .otherwise = {__VA_ARGS__}
#define QWEN_DELTA                                              \
    LLAMA_KEYS, .mixer = CS_CONFIG_DELTA, .attention_every = 4, \
                .flags = {{"attention_bias", false, HEADS | OUTPUT}}

#define LLAMA_DIMS(...) .dims = {.gated = true, .attention = CS_ATTENTION_FLASH_3, __VA_ARGS__}
/* Layers that are not gated, without dropout. */
#define PLAIN_DIMS(...) .dims = {.attention = CS_ATTENTION_FLASH_3, __VA_ARGS__}

/* Biases that keys add, where they are true. */
#define BIASES_OF_HEADS .flags = {{"attention_bias", false, HEADS | OUTPUT}}
#define BIASES_OF_LLAMA \
    .flags = {{"attention_bias", false, HEADS | OUTPUT}, {"mlp_bias", false, FFN}}
#define QWEN_WINDOW                                                    \
    .window = "sliding_window", .window_switch = "use_sliding_window", \
    .first_windowed = "max_window_layers"

#define HEADS   CS_TRAIT_HEAD_BIASES
#define OUTPUT  CS_TRAIT_OUTPUT_BIAS
#define FFN     CS_TRAIT_FFN_BIASES
#define SHIFTED CS_TRAIT_SHIFTED_NORMS
#define BESIDE  CS_TRAIT_SIDE_BY_SIDE

/* By family; within, by name. */
const struct cs_config_type cs_config_types[] = {
    /* ---- decoders like Llama ---- */
    {"llama", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 0, 11008, 32000, 2048, 0), BIASES_OF_LLAMA,
     LLAMA_DIMS()},
    {"baichuan",
     .keys = {"num_hidden_layers", "hidden_size", "num_attention_heads", NULL, "intermediate_size",
              "vocab_size", "max_position_embeddings|model_max_length"},
     LLAMA_DIMS()},
    {"chatglm",
     .keys = {"num_layers", "hidden_size", "num_attention_heads", "multi_query_group_num",
              "ffn_hidden_size", "padded_vocab_size", "seq_length"},
     .flags = {{"add_qkv_bias", false, HEADS}, {"add_bias_linear", false, HEADS | OUTPUT | FFN}},
     .fixed = {{"rmsnorm", "true"},
               {"multi_query_attention", "true"},
               {"apply_residual_connection_post_layernorm", "false"}},
     LLAMA_DIMS()},
    {"cohere", LLAMA_KEYS, OTHERWISE(40, 8192, 64, 0, 22528, 256000, 8192, 0), .ties = true,
     .flags = {{"attention_bias", false, HEADS | OUTPUT},
               {"use_qk_norm", false, CS_TRAIT_QUERY_NORMS}},
     LLAMA_DIMS(.traits = CS_TRAIT_ONE_NORM | BESIDE)},
    {"cohere2", LLAMA_KEYS, OTHERWISE(40, 8192, 64, 0, 22528, 256000, 8192, 0), .ties = true,
     .window = "sliding_window", .global_every = "sliding_window_pattern", .global_otherwise = 4,
     BIASES_OF_HEADS, LLAMA_DIMS(.traits = CS_TRAIT_ONE_NORM | BESIDE)},
    {"gemma", LLAMA_KEYS, OTHERWISE(28, 3072, 16, 16, 24576, 256000, 8192, 256), .ties = true,
     BIASES_OF_HEADS, LLAMA_DIMS()},
    {"gemma2", LLAMA_KEYS, OTHERWISE(26, 2304, 8, 4, 9216, 256000, 8192, 256), .ties = true,
     .window = "sliding_window", .global_otherwise = 2, BIASES_OF_HEADS,
     LLAMA_DIMS(.traits = CS_TRAIT_FOUR_NORMS | CS_TRAIT_CAPPED_LOGITS)},
    {"gemma3_text", LLAMA_KEYS, OTHERWISE(26, 2304, 8, 4, 9216, 262208, 131072, 256), .ties = true,
     .window = "sliding_window", .global_every = "sliding_window_pattern", .global_otherwise = 6,
     BIASES_OF_HEADS, LLAMA_DIMS(.traits = CS_TRAIT_FOUR_NORMS | CS_TRAIT_HEAD_NORMS)},
    {"glm", LLAMA_KEYS, OTHERWISE(40, 4096, 32, 2, 13696, 151552, 131072, 128),
     .flags = {{"attention_bias", false, HEADS}}, LLAMA_DIMS()},
    {"glm4", LLAMA_KEYS, OTHERWISE(40, 4096, 32, 2, 13696, 151552, 131072, 128),
     .flags = {{"attention_bias", false, HEADS}}, LLAMA_DIMS(.traits = CS_TRAIT_FOUR_NORMS)},
    {"granite", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 0, 11008, 32000, 2048, 0), BIASES_OF_LLAMA,
     LLAMA_DIMS()},
    {"internlm2", LLAMA_KEYS, .flags = {{"bias", false, HEADS | OUTPUT}}, LLAMA_DIMS()},
    {"mistral", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 8, 14336, 32000, 131072, 0),
     .window = "sliding_window", LLAMA_DIMS()},
    {"olmo", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 0, 11008, 50304, 2048, 0), BIASES_OF_HEADS,
     LLAMA_DIMS(.traits = CS_TRAIT_FIXED_NORMS)},
    {"olmo2", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 0, 11008, 50304, 2048, 0), BIASES_OF_HEADS,
     LLAMA_DIMS(.traits = CS_TRAIT_QUERY_NORMS)},
    {"olmo3", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 0, 11008, 50304, 2048, 0),
     .window = "sliding_window", .global_otherwise = 4, BIASES_OF_HEADS,
     LLAMA_DIMS(.traits = CS_TRAIT_QUERY_NORMS)},
    {"phi3", LLAMA_KEYS, OTHERWISE(32, 3072, 32, 0, 8192, 32064, 4096, 0),
     .window = "sliding_window", LLAMA_DIMS()},
    {"qwen2", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 32, 22016, 151936, 32768, 0), QWEN_WINDOW,
     LLAMA_DIMS(.traits = HEADS)},
    {"qwen3", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 32, 22016, 151936, 32768, 128), QWEN_WINDOW,
     BIASES_OF_HEADS, LLAMA_DIMS(.traits = CS_TRAIT_HEAD_NORMS)},
    {"apertus", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 0, 14336, 131072, 65536, 0), BIASES_OF_LLAMA,
     .dims = {.attention = CS_ATTENTION_FLASH_3, .traits = CS_TRAIT_HEAD_NORMS}},
    {"arcee", LLAMA_KEYS, OTHERWISE(32, 2560, 32, 0, 18432, 32000, 4096, 0), BIASES_OF_LLAMA,
     .dims = {.attention = CS_ATTENTION_FLASH_3}},
    {"ernie4_5", LLAMA_KEYS, OTHERWISE(18, 1024, 16, 2, 3072, 103424, 131072, 128), .ties = true,
     .flags = {{"use_bias", false, HEADS | OUTPUT | FFN}}, LLAMA_DIMS()},
    {"exaone4", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 0, 16384, 102400, 2048, 0),
     .window = "sliding_window", .global_otherwise = 4, LLAMA_DIMS(.traits = CS_TRAIT_HEAD_NORMS)},
    {"helium", LLAMA_KEYS, OTHERWISE(24, 2560, 20, 0, 7040, 48000, 4096, 128), LLAMA_DIMS()},
    {"hunyuan_v1_dense", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 0, 11008, 290943, 2048, 0),
     BIASES_OF_HEADS, LLAMA_DIMS(.traits = CS_TRAIT_HEAD_NORMS)},
    {"seed_oss", LLAMA_KEYS, OTHERWISE(64, 4096, 80, 8, 27648, 155136, 524288, 128),
     .flags = {{"attention_bias", true, HEADS},
               {"attention_out_bias", false, OUTPUT},
               {"mlp_bias", false, FFN}},
     LLAMA_DIMS()},
    {"smollm3", LLAMA_KEYS, OTHERWISE(36, 2048, 16, 4, 11008, 128256, 32768, 0), .ties = true,
     BIASES_OF_LLAMA, .fixed = {{"use_sliding_window", "false"}}, LLAMA_DIMS()},
    {"stablelm", LLAMA_KEYS, OTHERWISE(32, 2560, 32, 32, 6912, 50304, 4096, 0),
     .flags = {{"use_qkv_bias", false, HEADS},
               {"use_parallel_residual", false, BESIDE | CS_TRAIT_ONE_NORM}},
     .fixed = {{"qk_layernorm", "false"}}, LLAMA_DIMS(.traits = SHIFTED)},
    /* ---- mixtures of experts ---- */
    {"dbrx",
     .keys = {"n_layers", "d_model", "n_heads", "attn_config.kv_n_heads",
              "ffn_config.ffn_hidden_size", "vocab_size", "max_seq_len"},
     EXPERTS("ffn_config.moe_num_experts", "ffn_config.moe_top_k", "ffn_config.ffn_hidden_size"),
     LLAMA_DIMS()},
    {"deepseek_v2", DEEPSEEK, LLAMA_DIMS()},
    {"deepseek_v3", DEEPSEEK, LLAMA_DIMS()},
    {"glm4_moe", LLAMA_KEYS, DEEPSEEK_EXPERTS,
     .flags = {{"attention_bias", false, HEADS}, {"use_qk_norm", false, CS_TRAIT_HEAD_NORMS}},
     LLAMA_DIMS()},
    {"gpt_oss", LLAMA_KEYS, OTHERWISE(36, 2880, 64, 8, 2880, 201088, 131072, 64),
     .window = "sliding_window", .global_otherwise = 2,
     EXPERTS("num_local_experts", "num_experts_per_tok|experts_per_token", "intermediate_size"),
     .flags = {{"attention_bias", true, HEADS | OUTPUT}},
     LLAMA_DIMS(.traits = CS_TRAIT_SINKS | CS_TRAIT_EXPERT_BIASES | CS_TRAIT_ROUTER_BIAS)},
    {"granitemoe", LLAMA_KEYS, MIXTRAL_EXPERTS, BIASES_OF_HEADS, LLAMA_DIMS()},
    {"kimi_k2", DEEPSEEK, LLAMA_DIMS()},
    {"mixtral", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 8, 14336, 32000, 131072, 0),
     .window = "sliding_window", MIXTRAL_EXPERTS, LLAMA_DIMS()},
    {"olmoe", LLAMA_KEYS, OTHERWISE(16, 2048, 16, 0, 2048, 50304, 4096, 0),
     EXPERTS("num_experts", "num_experts_per_tok", "intermediate_size"), BIASES_OF_HEADS,
     LLAMA_DIMS(.traits = CS_TRAIT_QUERY_NORMS)},
    {"phimoe", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 8, 6400, 32064, 131072, 0),
     .window = "sliding_window", MIXTRAL_EXPERTS,
     .flags = {{"attention_bias", false, HEADS | OUTPUT},
               {"lm_head_bias", false, CS_TRAIT_WORD_BIASES}},
     LLAMA_DIMS(.traits = SHIFTED)},
    {"qwen2_moe", LLAMA_KEYS, OTHERWISE(24, 2048, 16, 16, 5632, 151936, 32768, 0), QWEN_EXPERTS,
     .flags = {{"qkv_bias", true, HEADS}}, .fixed = {{"use_sliding_window", "false"}},
     LLAMA_DIMS(.traits = CS_TRAIT_SHARED_GATE)},
    {"qwen3_moe", LLAMA_KEYS, OTHERWISE(24, 2048, 32, 4, 6144, 151936, 32768, 0), QWEN_EXPERTS,
     BIASES_OF_HEADS, .fixed = {{"use_sliding_window", "false"}},
     LLAMA_DIMS(.traits = CS_TRAIT_HEAD_NORMS)},
    {"llama4_text",
     .keys = {"num_hidden_layers", "hidden_size", "num_attention_heads", "num_key_value_heads",
              "intermediate_size_mlp", "vocab_size", "max_position_embeddings"},
     OTHERWISE(48, 5120, 40, 8, 16384, 202048, 131072, 128), .window = "attention_chunk_size",
     .global_every = "no_rope_layer_interval", .global_otherwise = 4,
     EXPERTS("num_local_experts", "num_experts_per_tok", "intermediate_size",
             .shared_ffn = "intermediate_size", .every = "interleave_moe_layer_step"),
     BIASES_OF_HEADS, LLAMA_DIMS()},
    {"dots1", LLAMA_KEYS, DEEPSEEK_EXPERTS, BIASES_OF_HEADS,
     LLAMA_DIMS(.traits = CS_TRAIT_HEAD_NORMS)},
    {"ernie4_5_moe", LLAMA_KEYS, OTHERWISE(28, 2560, 20, 4, 12288, 103424, 131072, 0), .ties = true,
     EXPERTS("moe_num_experts", "moe_k", "moe_intermediate_size",
             .shared = "moe_num_shared_experts", .dense = "moe_layer_start_index",
             .every = "moe_layer_interval"),
     .flags = {{"use_bias", false, HEADS | OUTPUT | FFN}},
     LLAMA_DIMS(.traits = CS_TRAIT_ROUTER_BIAS)},
    {"hunyuan_v1_moe", LLAMA_KEYS,
     EXPERTS("num_experts", "moe_topk", "moe_intermediate_size|intermediate_size",
             .shared_ffn = "intermediate_size"),
     BIASES_OF_HEADS, LLAMA_DIMS(.traits = CS_TRAIT_HEAD_NORMS)},
    {"minimax_m2", LLAMA_KEYS, OTHERWISE(62, 3072, 48, 8, 1536, 200064, 196608, 128),
     MIXTRAL_EXPERTS, .flags = {{"use_qk_norm", true, CS_TRAIT_QUERY_NORMS}}, LLAMA_DIMS()},
    /* ---- layers of several kinds ---- */
    {"bamba", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 8, 14336, 128000, 262144, 0),
     .mixer = CS_CONFIG_MAMBA2, BIASES_OF_LLAMA, LLAMA_DIMS()},
    {"falcon_h1", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 8, 14336, 128000, 8192, 0),
     .mixer = CS_CONFIG_MAMBA2, .beside = true, BIASES_OF_LLAMA, LLAMA_DIMS()},
    {"falcon_mamba", MAMBA_KEYS, .mixer = CS_CONFIG_MAMBA, .mixes_all = true, .ties = true,
     LLAMA_DIMS()},
    {"granitemoehybrid", LLAMA_KEYS, .mixer = CS_CONFIG_MAMBA2,
     EXPERTS("num_local_experts", "num_experts_per_tok", "intermediate_size",
             .shared_ffn = "shared_intermediate_size"),
     BIASES_OF_HEADS, LLAMA_DIMS()},
    {"jamba", LLAMA_KEYS, OTHERWISE(32, 4096, 32, 8, 14336, 65536, 262144, 0),
     .mixer = CS_CONFIG_MAMBA, .attention_every = 8,
     EXPERTS("num_experts", "num_experts_per_tok", "intermediate_size",
             .every = "expert_layer_period", .offset = "expert_layer_offset"),
     LLAMA_DIMS()},
    {"lfm2",
     .keys = {"num_hidden_layers", "hidden_size", "num_attention_heads", "num_key_value_heads",
              "intermediate_size|block_ff_dim", "vocab_size", "max_position_embeddings"},
     .mixer = CS_CONFIG_CONVOLUTION, .ties = true, LLAMA_DIMS(.traits = CS_TRAIT_HEAD_NORMS)},
    {"mamba", MAMBA_KEYS, .mixer = CS_CONFIG_MAMBA, .mixes_all = true, .ties = true, LLAMA_DIMS()},
    {"mamba2", MAMBA_KEYS, .mixer = CS_CONFIG_MAMBA2, .mixes_all = true, LLAMA_DIMS()},
    {"minimax", LLAMA_KEYS, .mixer = CS_CONFIG_LIGHTNING, .attention_every = 2, MIXTRAL_EXPERTS,
     LLAMA_DIMS()},
    {"nemotron_h", LLAMA_KEYS, .mixer = CS_CONFIG_MAMBA2,
     EXPERTS("n_routed_experts", "num_experts_per_tok", "moe_intermediate_size",
             .shared_ffn = "moe_shared_expert_intermediate_size"),
     BIASES_OF_LLAMA, PLAIN_DIMS()},
    {"qwen3_next", QWEN_DELTA, QWEN_EXPERTS, OTHERWISE(48, 2048, 16, 2, 5632, 151936, 32768, 256),
     LLAMA_DIMS(.traits = CS_TRAIT_HEAD_NORMS | CS_TRAIT_SHARED_GATE | CS_TRAIT_GATED_HEADS)},
    {"qwen3_5_text", QWEN_DELTA, OTHERWISE(32, 4096, 16, 4, 12288, 248320, 32768, 256),
     LLAMA_DIMS(.traits = CS_TRAIT_HEAD_NORMS | CS_TRAIT_GATED_HEADS)},
    {"qwen3_5_moe_text", QWEN_DELTA, QWEN_EXPERTS,
     OTHERWISE(40, 2048, 16, 2, 0, 248320, 32768, 256),
     LLAMA_DIMS(.traits = CS_TRAIT_HEAD_NORMS | CS_TRAIT_SHARED_GATE | CS_TRAIT_GATED_HEADS)},
    /* ---- decoders without a gate ---- */
    {"bloom",
     .keys = {"n_layer|num_hidden_layers", "hidden_size|n_embed", "n_head|num_attention_heads",
              NULL, "n_inner", "vocab_size", "seq_length"},
     .ffn_times = 4, .sequence = 2048, .ties = true,
     .dims = {.biased = true, .traits = CS_TRAIT_WORD_NORM}},
    {"falcon",
     .keys = {"num_hidden_layers|n_layer", "hidden_size|n_embed", "num_attention_heads|n_head",
              "num_kv_heads|n_head_kv", "ffn_hidden_size", "vocab_size", "max_position_embeddings"},
     .ffn_times = 4, .sequence = 2048, .shared_keys = "multi_query", .shares_keys = true,
     .ties = true,
     .flags = {{"bias", false, HEADS | OUTPUT | FFN}, {"parallel_attn", true, BESIDE}},
     PLAIN_DIMS(.traits = SHIFTED)},
    {"gpt2", GPT2_KEYS, .ties = true, .fixed = {{"add_cross_attention", "false"}},
     .dims = {.learned_positions = true, .biased = true}},
    {"gpt_bigcode", GPT2_KEYS, .shared_keys = "multi_query", .shares_keys = true, .ties = true,
     .fixed = {{"add_cross_attention", "false"}},
     PLAIN_DIMS(.learned_positions = true, .biased = true)},
    {"gptj", GPT2_KEYS,
     PLAIN_DIMS(.traits = FFN | SHIFTED | CS_TRAIT_WORD_BIASES | CS_TRAIT_ONE_NORM | BESIDE)},
    {"gpt_neox", BERT_KEYS, .ffn_times = 4,
     .flags = {{"attention_bias", true, HEADS | OUTPUT}, {"use_parallel_residual", true, BESIDE}},
     PLAIN_DIMS(.traits = FFN | SHIFTED)},
    {"mpt", .keys = {"n_layers", "d_model", "n_heads", NULL, NULL, "vocab_size", "max_seq_len"},
     .ffn_times = 4, .ties = true,
     .fixed = {{"no_bias", "true"},
               {"expansion_ratio", "4"},
               {"attn_config.attn_type", "multihead_attention"},
               {"attn_config.qk_ln", "false"}},
     .dims = {.traits = 0}},
    {"nemotron", LLAMA_KEYS, OTHERWISE(32, 6144, 48, 0, 24576, 256000, 4096, 0), BIASES_OF_LLAMA,
     PLAIN_DIMS(.traits = SHIFTED)},
    {"opt",
     .keys = {"num_hidden_layers", "hidden_size", "num_attention_heads", NULL, "ffn_dim",
              "vocab_size", "max_position_embeddings"},
     .position_offset = 2, .ties = true,
     .fixed = {{"do_layer_norm_before", "true"},
               {"enable_bias", "true"},
               {"_remove_final_layer_norm", "false"},
               {"layer_norm_elementwise_affine", "true"}},
     PLAIN_DIMS(.learned_positions = true, .biased = true)},
    {"phi", LLAMA_KEYS, .fixed = {{"qk_layernorm", "false"}},
     PLAIN_DIMS(.traits = HEADS | OUTPUT | FFN | SHIFTED | CS_TRAIT_WORD_BIASES |
                          CS_TRAIT_ONE_NORM | BESIDE)},
    {"starcoder2", LLAMA_KEYS, OTHERWISE(30, 3072, 24, 2, 12288, 49152, 4096, 0),
     .window = "sliding_window", .ties = true, .flags = {{"use_bias", true, HEADS | OUTPUT | FFN}},
     .fixed = {{"norm_type", "layer_norm"}, {"mlp_type", "default"}},
     PLAIN_DIMS(.traits = SHIFTED)},
    /* ---- photos ---- */
    {"vit",
     .keys = {"num_hidden_layers", "hidden_size", "num_attention_heads", NULL, "intermediate_size",
              NULL, NULL},
     .flags = {{"qkv_bias", true, HEADS}}, .fixed = {{"num_channels", "3"}},
     .dims = {.learned_positions = true, .traits = OUTPUT | FFN | SHIFTED | CS_TRAIT_WORD_BIASES}},
    /* ---- encoders with decoders ---- */
    {"mt5", .pair = true},
    {"t5", .pair = true, .ties = true},
    /* ---- encoders ---- */
    {"bert", BERT_KEYS, BERT_ALONE, .ties = true,
     .dims = {.learned_positions = true, .biased = true, .encoder = true, .token_types = 2}},
    {"distilbert",
     .keys = {"n_layers", "dim", "n_heads", NULL, "hidden_dim", "vocab_size",
              "max_position_embeddings"},
     .ties = true, .bare = true,
     .dims = {.learned_positions = true,
              .biased = true,
              .encoder = true,
              .traits = CS_TRAIT_MASKED_ONLY}},
    {"roberta", ROBERTA},
    {"xlm-roberta", ROBERTA},
};

const size_t cs_config_type_count = sizeof(cs_config_types) / sizeof(*cs_config_types);

/* ---- names ---- */

enum {
    TYPE_NAME = 64,
};

/* Language models of the same architecture under the name of a model that sees. */
static const struct {
    const char *name, *as;
} config_aliases[] = {
    {"qwen2_vl", "qwen2"},       {"qwen2_5_vl", "qwen2"},
    {"qwen3_vl", "qwen3"},       {"qwen3_vl_moe", "qwen3_moe"},
    {"glm4v", "glm4"},           {"glm4v_moe", "glm4_moe"},
    {"gemma3", "gemma3_text"},   {"llama4", "llama4_text"},
    {"qwen3_5", "qwen3_5_text"}, {"qwen3_5_moe", "qwen3_5_moe_text"},
    {"mistral3", "mistral"},     {"ministral", "mistral"},
    {"ministral3", "mistral"},   {"minimax_text_01", "minimax"},
};

static const struct cs_config_type *type_of_name(const char *name)
{
    for (size_t i = 0; i < cs_config_type_count; i++)
        if (cs_same(name, cs_config_types[i].name))
            return &cs_config_types[i];
    return NULL;
}

static const char *alias_of(const char *name)
{
    for (size_t i = 0; i < sizeof(config_aliases) / sizeof(*config_aliases); i++)
        if (cs_same(name, config_aliases[i].name))
            return config_aliases[i].as;
    return name;
}

const struct cs_config_type *cs_config_type_called(const char *name)
{
    const struct cs_config_type *type = type_of_name(alias_of(name));
    char plain[TYPE_NAME];

    if (type || !cs_ends_in(name, "_text") || strlen(name) >= sizeof(plain))
        return type;
    snprintf(plain, sizeof(plain), "%.*s", (int)(strlen(name) - strlen("_text")), name);
    return type_of_name(alias_of(plain));
}
