#include "scenarios/train/inputs/huggingface_types.h"

#define LLAMA_KEYS                                                                                \
    .keys = {"num_hidden_layers", "hidden_size", "num_attention_heads",    "num_key_value_heads", \
             "intermediate_size", "vocab_size",  "max_position_embeddings"}
#define GPT2_KEYS                                                                          \
    .keys = {"n_layer", "n_embd", "n_head", NULL, "n_inner", "vocab_size", "n_positions"}, \
    .ffn_times = 4
#define BERT_KEYS                                                                \
    .keys = {"num_hidden_layers", "hidden_size", "num_attention_heads",    NULL, \
             "intermediate_size", "vocab_size",  "max_position_embeddings"}

#define BERT_ALONE \
    .fixed = {{"add_cross_attention", "false"}, {"position_embedding_type", "absolute"}}
#define ROBERTA                                                \
    BERT_KEYS, BERT_ALONE, .ties = true,                       \
                           .dims = {.learned_positions = true, \
                                    .biased = true,            \
                                    .encoder = true,           \
                                    .token_types = 1,          \
                                    .traits = CS_TRAIT_MASKED_ONLY}

#define MIXTRAL_EXPERTS \
    .experts = {        \
        .count = "num_local_experts", .active = "num_experts_per_tok", .ffn = "intermediate_size"}
#define DEEPSEEK_EXPERTS                                                                   \
    .experts = {"n_routed_experts", "num_experts_per_tok",  "moe_intermediate_size", NULL, \
                "n_shared_experts", "first_k_dense_replace"}
#define DEEPSEEK                                                                        \
    LLAMA_KEYS, DEEPSEEK_EXPERTS, .latent = true,                                       \
                                  .flags = {{"attention_bias", false, HEADS | OUTPUT}}, \
                                  .fixed = {{"moe_layer_freq", "1"}, {"mlp_bias", "false"}}

#define LLAMA_DIMS(...) .dims = {.gated = true, .attention = CS_ATTENTION_FLASH_3, __VA_ARGS__}
/* Layers that are not gated, without dropout. */
#define PLAIN_DIMS(...) .dims = {.attention = CS_ATTENTION_FLASH_3, __VA_ARGS__}

#define HEADS   CS_TRAIT_HEAD_BIASES
#define OUTPUT  CS_TRAIT_OUTPUT_BIAS
#define FFN     CS_TRAIT_FFN_BIASES
#define SHIFTED CS_TRAIT_SHIFTED_NORMS
#define BESIDE  CS_TRAIT_SIDE_BY_SIDE

/* By family; within, by name. */
const struct cs_config_type cs_config_types[] = {
    /* ---- decoders like Llama ---- */
    {"llama", LLAMA_KEYS,
     .flags = {{"attention_bias", false, HEADS | OUTPUT}, {"mlp_bias", false, FFN}}, LLAMA_DIMS()},
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
    {"cohere", LLAMA_KEYS, .ties = true,
     .flags = {{"attention_bias", false, HEADS | OUTPUT},
               {"use_qk_norm", false, CS_TRAIT_QUERY_NORMS}},
     LLAMA_DIMS(.traits = CS_TRAIT_ONE_NORM | BESIDE)},
    {"cohere2", LLAMA_KEYS, .ties = true, .window = "sliding_window",
     .global_every = "sliding_window_pattern", .global_otherwise = 4,
     .flags = {{"attention_bias", false, HEADS | OUTPUT}},
     LLAMA_DIMS(.traits = CS_TRAIT_ONE_NORM | BESIDE)},
    {"gemma", LLAMA_KEYS, .ties = true, .flags = {{"attention_bias", false, HEADS | OUTPUT}},
     LLAMA_DIMS()},
    {"gemma2", LLAMA_KEYS, .ties = true, .window = "sliding_window", .global_otherwise = 2,
     .flags = {{"attention_bias", false, HEADS | OUTPUT}},
     LLAMA_DIMS(.traits = CS_TRAIT_FOUR_NORMS | CS_TRAIT_CAPPED_LOGITS)},
    {"gemma3_text", LLAMA_KEYS, .ties = true, .window = "sliding_window",
     .global_every = "sliding_window_pattern", .global_otherwise = 6,
     .flags = {{"attention_bias", false, HEADS | OUTPUT}},
     LLAMA_DIMS(.traits = CS_TRAIT_FOUR_NORMS | CS_TRAIT_HEAD_NORMS)},
    {"glm", LLAMA_KEYS, .flags = {{"attention_bias", false, HEADS}}, LLAMA_DIMS()},
    {"glm4", LLAMA_KEYS, .flags = {{"attention_bias", false, HEADS}},
     LLAMA_DIMS(.traits = CS_TRAIT_FOUR_NORMS)},
    {"granite", LLAMA_KEYS,
     .flags = {{"attention_bias", false, HEADS | OUTPUT}, {"mlp_bias", false, FFN}}, LLAMA_DIMS()},
    {"internlm2", LLAMA_KEYS, .flags = {{"bias", false, HEADS | OUTPUT}}, LLAMA_DIMS()},
    {"mistral", LLAMA_KEYS, .window = "sliding_window", LLAMA_DIMS()},
    {"olmo", LLAMA_KEYS, .flags = {{"attention_bias", false, HEADS | OUTPUT}},
     LLAMA_DIMS(.traits = CS_TRAIT_FIXED_NORMS)},
    {"olmo2", LLAMA_KEYS, .flags = {{"attention_bias", false, HEADS | OUTPUT}},
     LLAMA_DIMS(.traits = CS_TRAIT_QUERY_NORMS)},
    {"olmo3", LLAMA_KEYS, .window = "sliding_window", .global_otherwise = 4,
     .flags = {{"attention_bias", false, HEADS | OUTPUT}},
     LLAMA_DIMS(.traits = CS_TRAIT_QUERY_NORMS)},
    {"phi3", LLAMA_KEYS, .window = "sliding_window", LLAMA_DIMS()},
    {"qwen2", LLAMA_KEYS, .window = "sliding_window", .window_switch = "use_sliding_window",
     .first_windowed = "max_window_layers", LLAMA_DIMS(.traits = HEADS)},
    {"qwen3", LLAMA_KEYS, .window = "sliding_window", .window_switch = "use_sliding_window",
     .first_windowed = "max_window_layers", .flags = {{"attention_bias", false, HEADS | OUTPUT}},
     LLAMA_DIMS(.traits = CS_TRAIT_HEAD_NORMS)},
    {"smollm3", LLAMA_KEYS, .ties = true,
     .flags = {{"attention_bias", false, HEADS | OUTPUT}, {"mlp_bias", false, FFN}},
     .fixed = {{"use_sliding_window", "false"}}, LLAMA_DIMS()},
    {"stablelm", LLAMA_KEYS,
     .flags = {{"use_qkv_bias", false, HEADS},
               {"use_parallel_residual", false, BESIDE | CS_TRAIT_ONE_NORM}},
     .fixed = {{"qk_layernorm", "false"}}, LLAMA_DIMS(.traits = SHIFTED)},
    /* ---- mixtures of experts ---- */
    {"dbrx",
     .keys = {"n_layers", "d_model", "n_heads", "attn_config.kv_n_heads",
              "ffn_config.ffn_hidden_size", "vocab_size", "max_seq_len"},
     .experts = {.count = "ffn_config.moe_num_experts",
                 .active = "ffn_config.moe_top_k",
                 .ffn = "ffn_config.ffn_hidden_size"},
     LLAMA_DIMS()},
    {"deepseek_v2", DEEPSEEK, LLAMA_DIMS()},
    {"deepseek_v3", DEEPSEEK, LLAMA_DIMS()},
    {"glm4_moe", LLAMA_KEYS, DEEPSEEK_EXPERTS,
     .flags = {{"attention_bias", false, HEADS}, {"use_qk_norm", false, CS_TRAIT_HEAD_NORMS}},
     LLAMA_DIMS()},
    {"gpt_oss", LLAMA_KEYS, .window = "sliding_window", .global_otherwise = 2,
     .experts = {.count = "num_local_experts",
                 .active = "num_experts_per_tok|experts_per_token",
                 .ffn = "intermediate_size"},
     .flags = {{"attention_bias", true, HEADS | OUTPUT}},
     LLAMA_DIMS(.traits = CS_TRAIT_SINKS | CS_TRAIT_EXPERT_BIASES | CS_TRAIT_ROUTER_BIAS)},
    {"granitemoe", LLAMA_KEYS, MIXTRAL_EXPERTS,
     .flags = {{"attention_bias", false, HEADS | OUTPUT}}, LLAMA_DIMS()},
    {"kimi_k2", DEEPSEEK, LLAMA_DIMS()},
    {"mixtral", LLAMA_KEYS, .window = "sliding_window", MIXTRAL_EXPERTS, LLAMA_DIMS()},
    {"olmoe", LLAMA_KEYS,
     .experts = {.count = "num_experts",
                 .active = "num_experts_per_tok",
                 .ffn = "intermediate_size"},
     .flags = {{"attention_bias", false, HEADS | OUTPUT}},
     LLAMA_DIMS(.traits = CS_TRAIT_QUERY_NORMS)},
    {"phimoe", LLAMA_KEYS, .window = "sliding_window", MIXTRAL_EXPERTS,
     .flags = {{"attention_bias", false, HEADS | OUTPUT},
               {"lm_head_bias", false, CS_TRAIT_WORD_BIASES}},
     LLAMA_DIMS(.traits = SHIFTED)},
    {"qwen2_moe", LLAMA_KEYS,
     .experts = {.count = "num_experts",
                 .active = "num_experts_per_tok",
                 .ffn = "moe_intermediate_size",
                 .shared_ffn = "shared_expert_intermediate_size"},
     .flags = {{"qkv_bias", true, HEADS}},
     .fixed = {{"decoder_sparse_step", "1"}, {"use_sliding_window", "false"}},
     LLAMA_DIMS(.traits = CS_TRAIT_SHARED_GATE)},
    {"qwen3_moe", LLAMA_KEYS,
     .experts = {.count = "num_experts|num_local_experts",
                 .active = "num_experts_per_tok",
                 .ffn = "moe_intermediate_size"},
     .flags = {{"attention_bias", false, HEADS | OUTPUT}},
     .fixed = {{"decoder_sparse_step", "1"}, {"use_sliding_window", "false"}},
     LLAMA_DIMS(.traits = CS_TRAIT_HEAD_NORMS)},
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
    {"nemotron", LLAMA_KEYS,
     .flags = {{"attention_bias", false, HEADS | OUTPUT}, {"mlp_bias", false, FFN}},
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
    {"starcoder2", LLAMA_KEYS, .window = "sliding_window", .ties = true,
     .flags = {{"use_bias", true, HEADS | OUTPUT | FFN}},
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
