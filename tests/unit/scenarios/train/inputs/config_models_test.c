/* Published models of 2024 to 2026: parameters of their configurations. */
#include "tests/unit/scenarios/train/inputs/read_text.h"

#include <math.h>
#include <stdio.h>

/* Published values of config.json.  Parameters as the weights' files count them, or where
 * these have more than the language model's parameters (encoders of pictures, buffers of
 * the router) as the classes of Transformers build them; with a share, as the model card
 * rounds them. */
static const struct {
    const char *name, *text;
    double parameters, share;
} models[] = {
    {"llama-3.1-405b",
     "{\"model_type\": \"llama\", \"hidden_size\": 16384, \"num_hidden_layers\": 126, "
     "\"num_attention_heads\": 128, \"intermediate_size\": 53248, \"vocab_size\": 128256, "
     "\"num_key_value_heads\": 8, \"max_position_embeddings\": 131072}",
     405853388800, 0},
    {"mistral-small-3.1",
     "{\"model_type\": \"mistral3\", \"text_config\": {\"model_type\": \"mistral\", "
     "\"hidden_size\": 5120, \"num_hidden_layers\": 40, \"num_attention_heads\": 32, "
     "\"intermediate_size\": 32768, \"vocab_size\": 131072, \"num_key_value_heads\": 8, "
     "\"head_dim\": 128, \"max_position_embeddings\": 131072}}",
     23572403200, 0},
    {"gemma-3-4b",
     "{\"model_type\": \"gemma3\", \"text_config\": {\"model_type\": \"gemma3_text\", "
     "\"hidden_size\": 2560, \"intermediate_size\": 10240, \"num_hidden_layers\": 34, "
     "\"sliding_window\": 1024}}",
     3880263168, 0},
    {"gemma-3-12b",
     "{\"model_type\": \"gemma3\", \"text_config\": {\"model_type\": \"gemma3_text\", "
     "\"hidden_size\": 3840, \"num_hidden_layers\": 48, \"num_attention_heads\": 16, "
     "\"intermediate_size\": 15360, \"vocab_size\": 262208, \"num_key_value_heads\": 8, "
     "\"head_dim\": 256}}",
     11766034176, 0},
    {"gemma-3-27b",
     "{\"model_type\": \"gemma3\", \"text_config\": {\"model_type\": \"gemma3_text\", "
     "\"hidden_size\": 5376, \"num_hidden_layers\": 62, \"num_attention_heads\": 32, "
     "\"intermediate_size\": 21504, \"vocab_size\": 262208, \"num_key_value_heads\": 16, "
     "\"head_dim\": 128}}",
     27009346304, 0},
    {"qwen2.5-vl-7b",
     "{\"model_type\": \"qwen2_5_vl\", \"hidden_size\": 3584, \"num_hidden_layers\": 28, "
     "\"num_attention_heads\": 28, \"intermediate_size\": 18944, \"vocab_size\": 152064, "
     "\"num_key_value_heads\": 4, \"max_position_embeddings\": 128000, \"vision_config\": {}}",
     7615616512, 0},
    {"qwen3-32b",
     "{\"model_type\": \"qwen3\", \"hidden_size\": 5120, \"num_hidden_layers\": 64, "
     "\"num_attention_heads\": 64, \"intermediate_size\": 25600, \"vocab_size\": 151936, "
     "\"num_key_value_heads\": 8, \"head_dim\": 128, \"max_position_embeddings\": 40960}",
     32762123264, 0},
    {"qwen3-vl-235b",
     "{\"model_type\": \"qwen3_vl_moe\", \"text_config\": {\"model_type\": \"qwen3_vl_moe_text\", "
     "\"hidden_size\": 4096, \"num_hidden_layers\": 94, \"num_attention_heads\": 64, "
     "\"intermediate_size\": 12288, \"vocab_size\": 151936, \"num_key_value_heads\": 4, "
     "\"head_dim\": 128, \"num_experts\": 128, \"num_experts_per_tok\": 8, "
     "\"moe_intermediate_size\": 1536, \"max_position_embeddings\": 262144}}",
     235093634560, 0},
    {"qwen3-next-80b",
     "{\"model_type\": \"qwen3_next\", \"hidden_size\": 2048, \"num_hidden_layers\": 48, "
     "\"num_attention_heads\": 16, \"intermediate_size\": 5120, \"vocab_size\": 151936, "
     "\"num_key_value_heads\": 2, \"head_dim\": 256, \"num_experts\": 512, "
     "\"num_experts_per_tok\": 10, \"moe_intermediate_size\": 512, "
     "\"shared_expert_intermediate_size\": 512, \"full_attention_interval\": 4, "
     "\"linear_num_key_heads\": 16, \"linear_num_value_heads\": 32, \"linear_key_head_dim\": 128, "
     "\"linear_value_head_dim\": 128, \"linear_conv_kernel_dim\": 4, \"decoder_sparse_step\": 1, "
     "\"mlp_only_layers\": []}",
     79674391296, 0},
    {"llama4-scout",
     "{\"model_type\": \"llama4\", \"text_config\": {\"model_type\": \"llama4_text\", "
     "\"hidden_size\": 5120, \"num_hidden_layers\": 48, \"num_attention_heads\": 40, "
     "\"intermediate_size\": 8192, \"vocab_size\": 202048, \"intermediate_size_mlp\": 16384, "
     "\"num_key_value_heads\": 8, \"head_dim\": 128, \"num_local_experts\": 16, "
     "\"num_experts_per_tok\": 1, \"interleave_moe_layer_step\": 1, \"max_position_embeddings\": "
     "10485760}}",
     107.8e9, .005},
    {"llama4-maverick",
     "{\"model_type\": \"llama4\", \"text_config\": {\"model_type\": \"llama4_text\", "
     "\"hidden_size\": 5120, \"num_hidden_layers\": 48, \"num_attention_heads\": 40, "
     "\"intermediate_size\": 8192, \"vocab_size\": 202048, \"intermediate_size_mlp\": 16384, "
     "\"num_key_value_heads\": 8, \"head_dim\": 128, \"num_local_experts\": 128, "
     "\"num_experts_per_tok\": 1, \"interleave_moe_layer_step\": 2}}",
     400.7e9, .005},
    {"gpt-oss-120b",
     "{\"model_type\": \"gpt_oss\", \"hidden_size\": 2880, \"num_hidden_layers\": 36, "
     "\"num_attention_heads\": 64, \"intermediate_size\": 2880, \"vocab_size\": 201088, "
     "\"num_key_value_heads\": 8, \"head_dim\": 64, \"num_local_experts\": 128, "
     "\"num_experts_per_tok\": 4, \"sliding_window\": 128}",
     116829156672, 0},
    {"phi-4",
     "{\"model_type\": \"phi3\", \"hidden_size\": 5120, \"num_hidden_layers\": 40, "
     "\"num_attention_heads\": 40, \"intermediate_size\": 17920, \"vocab_size\": 100352, "
     "\"num_key_value_heads\": 10}",
     14659507200, 0},
    {"olmo-2-32b",
     "{\"model_type\": \"olmo2\", \"hidden_size\": 5120, \"num_hidden_layers\": 64, "
     "\"num_attention_heads\": 40, \"intermediate_size\": 27648, \"vocab_size\": 100352, "
     "\"num_key_value_heads\": 8}",
     32234279936, 0},
    {"jamba-v0.1",
     "{\"model_type\": \"jamba\", \"hidden_size\": 4096, \"num_hidden_layers\": 32, "
     "\"num_attention_heads\": 32, \"intermediate_size\": 14336, \"vocab_size\": 65536, "
     "\"num_key_value_heads\": 8, \"num_experts\": 16, \"num_experts_per_tok\": 2, "
     "\"expert_layer_period\": 2, \"expert_layer_offset\": 1, \"attn_layer_period\": 8, "
     "\"attn_layer_offset\": 4, \"mamba_d_state\": 16, \"mamba_d_conv\": 4, \"mamba_expand\": 2, "
     "\"mamba_dt_rank\": 256, \"mamba_conv_bias\": true, \"mamba_proj_bias\": false}",
     51570323328, 0},
    {"falcon-mamba-7b",
     "{\"model_type\": \"falcon_mamba\", \"hidden_size\": 4096, \"num_hidden_layers\": 64, "
     "\"vocab_size\": 65024, \"state_size\": 16, \"conv_kernel\": 4, \"expand\": 2, "
     "\"time_step_rank\": 256, \"use_conv_bias\": true, \"use_bias\": false, "
     "\"tie_word_embeddings\": false}",
     7272665088, 0},
    {"mamba-2.8b",
     "{\"model_type\": \"mamba\", \"hidden_size\": 2560, \"num_hidden_layers\": 64, "
     "\"vocab_size\": 50280, \"state_size\": 16, \"conv_kernel\": 4, \"expand\": 2, "
     "\"time_step_rank\": 160, \"use_conv_bias\": true, \"use_bias\": false}",
     2768345600, 0},
    {"mamba-codestral-7b",
     "{\"model_type\": \"mamba2\", \"hidden_size\": 4096, \"num_hidden_layers\": 64, "
     "\"vocab_size\": 32768, \"state_size\": 128, \"conv_kernel\": 4, \"expand\": 2, \"n_groups\": "
     "8, \"num_heads\": 128, \"head_dim\": 64, \"use_conv_bias\": true, \"use_bias\": false, "
     "\"tie_word_embeddings\": false}",
     7285403648, 0},
    {"bamba-9b",
     "{\"model_type\": \"bamba\", \"hidden_size\": 4096, \"num_hidden_layers\": 32, "
     "\"num_attention_heads\": 32, \"intermediate_size\": 14336, \"vocab_size\": 128256, "
     "\"num_key_value_heads\": 8, \"attn_layer_indices\": [9, 18, 27], \"mamba_d_state\": 128, "
     "\"mamba_n_heads\": 128, \"mamba_n_groups\": 1, \"mamba_d_conv\": 4, \"mamba_expand\": 2}",
     9.78e9, .005},
    {"granite-4-h-small",
     "{\"model_type\": \"granitemoehybrid\", \"hidden_size\": 4096, \"num_hidden_layers\": 40, "
     "\"num_attention_heads\": 32, \"intermediate_size\": 768, \"vocab_size\": 100352, "
     "\"num_key_value_heads\": 8, \"num_local_experts\": 72, \"num_experts_per_tok\": 10, "
     "\"shared_intermediate_size\": 1536, \"layer_types\": [\"mamba\", \"mamba\", \"mamba\", "
     "\"mamba\", \"mamba\", \"attention\", \"mamba\", \"mamba\", \"mamba\", \"mamba\", \"mamba\", "
     "\"mamba\", \"mamba\", \"mamba\", \"mamba\", \"attention\", \"mamba\", \"mamba\", \"mamba\", "
     "\"mamba\", \"mamba\", \"mamba\", \"mamba\", \"mamba\", \"mamba\", \"attention\", \"mamba\", "
     "\"mamba\", \"mamba\", \"mamba\", \"mamba\", \"mamba\", \"mamba\", \"mamba\", \"mamba\", "
     "\"attention\", \"mamba\", \"mamba\", \"mamba\", \"mamba\"], \"mamba_n_heads\": 128, "
     "\"mamba_d_state\": 128, \"mamba_n_groups\": 1, \"mamba_d_conv\": 4, \"mamba_expand\": 2, "
     "\"tie_word_embeddings\": true}",
     32.2e9, .005},
    {"nemotron-h-8b",
     "{\"model_type\": \"nemotron_h\", \"hidden_size\": 4096, \"num_hidden_layers\": 52, "
     "\"num_attention_heads\": 32, \"intermediate_size\": 21504, \"vocab_size\": 131072, "
     "\"num_key_value_heads\": 8, \"attention_head_dim\": 128, \"hybrid_override_pattern\": "
     "\"M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-\", \"ssm_state_size\": 128, "
     "\"mamba_num_heads\": 128, \"mamba_head_dim\": 64, \"n_groups\": 8, \"conv_kernel\": 4, "
     "\"expand\": 2, \"use_conv_bias\": true}",
     8.1e9, .005},
    {"nemotron-nano-9b-v2",
     "{\"model_type\": \"nemotron_h\", \"hidden_size\": 4480, \"num_hidden_layers\": 56, "
     "\"num_attention_heads\": 40, \"intermediate_size\": 15680, \"vocab_size\": 131072, "
     "\"num_key_value_heads\": 8, \"head_dim\": 128, \"hybrid_override_pattern\": "
     "\"M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M*-M-MM-M-M-M-M-M-\", \"ssm_state_size\": 128, "
     "\"mamba_num_heads\": 128, \"mamba_head_dim\": 80, \"n_groups\": 8, \"conv_kernel\": 4, "
     "\"use_conv_bias\": true}",
     8.89e9, .005},
    {"falcon-h1-0.5b",
     "{\"model_type\": \"falcon_h1\", \"hidden_size\": 1024, \"num_hidden_layers\": 36, "
     "\"num_attention_heads\": 8, \"intermediate_size\": 2048, \"vocab_size\": 32784, "
     "\"num_key_value_heads\": 2, \"head_dim\": 64, \"mamba_d_ssm\": 1536, \"mamba_n_heads\": 24, "
     "\"mamba_n_groups\": 1, \"mamba_d_state\": 128, \"mamba_d_conv\": 4, \"tie_word_embeddings\": "
     "false}",
     521411104, 0},
    {"lfm2-1.2b",
     "{\"model_type\": \"lfm2\", \"hidden_size\": 2048, \"num_hidden_layers\": 16, "
     "\"num_attention_heads\": 32, \"intermediate_size\": 8192, \"vocab_size\": 65536, "
     "\"num_key_value_heads\": 8, \"conv_L_cache\": 3, \"layer_types\": [\"conv\", \"conv\", "
     "\"full_attention\", \"conv\", \"conv\", \"full_attention\", \"conv\", \"conv\", "
     "\"full_attention\", \"conv\", \"full_attention\", \"conv\", \"full_attention\", \"conv\", "
     "\"full_attention\", \"conv\"]}",
     1170340608, 0},
    {"lfm2-350m",
     "{\"model_type\": \"lfm2\", \"hidden_size\": 1024, \"num_hidden_layers\": 16, "
     "\"num_attention_heads\": 16, \"intermediate_size\": 4608, \"vocab_size\": 65536, "
     "\"num_key_value_heads\": 8, \"conv_L_cache\": 3, \"layer_types\": [\"conv\", \"conv\", "
     "\"full_attention\", \"conv\", \"conv\", \"full_attention\", \"conv\", \"conv\", "
     "\"full_attention\", \"conv\", \"full_attention\", \"conv\", \"full_attention\", \"conv\", "
     "\"full_attention\", \"conv\"]}",
     354483968, 0},
    {"minimax-text-01",
     "{\"model_type\": \"minimax\", \"hidden_size\": 6144, \"num_hidden_layers\": 80, "
     "\"num_attention_heads\": 64, \"intermediate_size\": 9216, \"vocab_size\": 200064, "
     "\"num_key_value_heads\": 8, \"head_dim\": 128, \"num_local_experts\": 32, "
     "\"num_experts_per_tok\": 2, \"attn_type_list\": [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, "
     "0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, "
     "0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, "
     "0, 0, 0, 1]}",
     456089655296, 0},
    {"minimax-m2",
     "{\"model_type\": \"minimax_m2\", \"hidden_size\": 3072, \"num_hidden_layers\": 62, "
     "\"num_attention_heads\": 48, \"intermediate_size\": 1536, \"vocab_size\": 200064, "
     "\"num_key_value_heads\": 8, \"head_dim\": 128, \"num_local_experts\": 256, "
     "\"num_experts_per_tok\": 8, \"use_qk_norm\": true}",
     228689748992, 0},
    {"ernie-4.5-0.3b",
     "{\"model_type\": \"ernie4_5\", \"hidden_size\": 1024, \"num_hidden_layers\": 18, "
     "\"num_attention_heads\": 16, \"intermediate_size\": 3072, \"vocab_size\": 103424, "
     "\"num_key_value_heads\": 2, \"head_dim\": 128, \"tie_word_embeddings\": true}",
     360748032, 0},
    {"ernie-4.5-21b",
     "{\"model_type\": \"ernie4_5_moe\", \"hidden_size\": 2560, \"num_hidden_layers\": 28, "
     "\"num_attention_heads\": 20, \"intermediate_size\": 12288, \"vocab_size\": 103424, "
     "\"num_key_value_heads\": 4, \"moe_num_experts\": 64, \"moe_k\": 6, "
     "\"moe_num_shared_experts\": 2, \"moe_intermediate_size\": 1536, \"moe_layer_start_index\": "
     "1, \"moe_layer_end_index\": -1, \"moe_layer_interval\": 1, \"use_bias\": false, "
     "\"tie_word_embeddings\": true}",
     21825437888, 0},
    {"hunyuan-a13b",
     "{\"model_type\": \"hunyuan_v1_moe\", \"hidden_size\": 4096, \"num_hidden_layers\": 32, "
     "\"num_attention_heads\": 32, \"intermediate_size\": 3072, \"vocab_size\": 128167, "
     "\"num_key_value_heads\": 8, \"head_dim\": 128, \"num_experts\": 64, \"moe_topk\": 8, "
     "\"moe_intermediate_size\": 3072, \"tie_word_embeddings\": true}",
     80393183232, 0},
    {"dots.llm1",
     "{\"model_type\": \"dots1\", \"hidden_size\": 4096, \"num_hidden_layers\": 62, "
     "\"num_attention_heads\": 32, \"intermediate_size\": 10944, \"vocab_size\": 152064, "
     "\"num_key_value_heads\": 32, \"n_routed_experts\": 128, \"num_experts_per_tok\": 6, "
     "\"moe_intermediate_size\": 1408, \"n_shared_experts\": 2, \"first_k_dense_replace\": 1}",
     142774373888, 0},
    {"exaone-4-32b",
     "{\"model_type\": \"exaone4\", \"hidden_size\": 5120, \"num_hidden_layers\": 64, "
     "\"num_attention_heads\": 40, \"intermediate_size\": 27392, \"vocab_size\": 102400, "
     "\"num_key_value_heads\": 8, \"head_dim\": 128, \"sliding_window\": 4096}",
     32003216384, 0},
    {"seed-oss-36b",
     "{\"model_type\": \"seed_oss\", \"hidden_size\": 5120, \"num_hidden_layers\": 64, "
     "\"num_attention_heads\": 80, \"intermediate_size\": 27648, \"vocab_size\": 155136, "
     "\"num_key_value_heads\": 8, \"head_dim\": 128, \"attention_bias\": true}",
     36151104512, 0},
    {"afm-4.5b",
     "{\"model_type\": \"arcee\", \"hidden_size\": 2560, \"num_hidden_layers\": 36, "
     "\"num_attention_heads\": 20, \"intermediate_size\": 18432, \"vocab_size\": 128005, "
     "\"num_key_value_heads\": 4, \"head_dim\": 128}",
     4.62e9, .005},
    {"smollm3",
     "{\"model_type\": \"smollm3\", \"hidden_size\": 2048, \"num_hidden_layers\": 36, "
     "\"num_attention_heads\": 16, \"intermediate_size\": 11008, \"vocab_size\": 128256, "
     "\"num_key_value_heads\": 4}",
     3075098624, 0},
    {"glm-4.5-air",
     "{\"model_type\": \"glm4_moe\", \"hidden_size\": 4096, \"num_hidden_layers\": 46, "
     "\"num_attention_heads\": 96, \"intermediate_size\": 10944, \"vocab_size\": 151552, "
     "\"num_key_value_heads\": 8, \"head_dim\": 128, \"n_routed_experts\": 128, "
     "\"num_experts_per_tok\": 8, \"moe_intermediate_size\": 1408, \"n_shared_experts\": 1, "
     "\"first_k_dense_replace\": 1, \"attention_bias\": true}",
     106852245504, 0},
    {"command-a",
     "{\"model_type\": \"cohere2\", \"hidden_size\": 12288, \"num_hidden_layers\": 64, "
     "\"num_attention_heads\": 96, \"intermediate_size\": 36864, \"vocab_size\": 256000, "
     "\"num_key_value_heads\": 8, \"head_dim\": 128}",
     111057580032, 0},
    {"phi-3.5-moe",
     "{\"model_type\": \"phimoe\", \"hidden_size\": 4096, \"num_hidden_layers\": 32, "
     "\"num_attention_heads\": 32, \"intermediate_size\": 6400, \"vocab_size\": 32064, "
     "\"num_key_value_heads\": 8, \"num_local_experts\": 16, \"num_experts_per_tok\": 2, "
     "\"attention_bias\": true, \"lm_head_bias\": true}",
     41873153344, 0},
    {"helium-1-2b",
     "{\"model_type\": \"helium\", \"hidden_size\": 2560, \"num_hidden_layers\": 24, "
     "\"num_attention_heads\": 20, \"intermediate_size\": 7040, \"vocab_size\": 48000, "
     "\"num_key_value_heads\": 20, \"head_dim\": 128}",
     2.17e9, .005},
};

TEST(configs_have_the_published_parameters)
{
    for (size_t m = 0; m < sizeof(models) / sizeof(*models); m++) {
        CS_AT_END(read_close) struct read_text read = {0};

        if (read_try(&read, &cs_model_input_huggingface, models[m].text))
            fail_msg("%s: %s", models[m].name, read.err.text);
        if (fabs(read.model.parameters - models[m].parameters) >
            models[m].share * models[m].parameters)
            fail_msg("%s: %.0f parameters, %.0f published", models[m].name, read.model.parameters,
                     models[m].parameters);
        assert_true(read.model.transformer.sequence <= 8192);
    }
}

#define SMALL                                                                       \
    "\"hidden_size\": 64, \"num_attention_heads\": 4, \"intermediate_size\": 128, " \
    "\"vocab_size\": 1000, \"max_position_embeddings\": 512, "

/* The kinds of layers, a letter each: a attention, w with a window, m mixer, d dense, e
 * experts. */
static void check_plan(const char *text, const char *const *kinds)
{
    CS_AT_END(read_close) struct read_text read = {0};
    const struct cs_transformer *dims = &read.model.transformer;

    read_open(&read, &cs_model_input_huggingface, text);
    assert_non_null(dims->plan);
    for (uint32_t l = 0; l < dims->layers; l++) {
        static const char letters[] = "awmde";
        unsigned kind = 0;

        for (const char *at = kinds[l]; *at; at++)
            kind |= 1u << (strchr(letters, *at) - letters);
        assert_int_equal(dims->plan[l], kind);
    }
}

TEST(layers_are_of_the_kinds_that_the_config_says)
{
    static const char *const jamba[] = {"md", "me", "ad", "me"};
    static const char *const qwen[] = {"ad", "ae", "ad", "ad"};
    static const char *const pattern[] = {"m", "d", "a", "e"};
    static const char *const next[] = {"me", "me", "me", "ae"};
    static const char *const beside[] = {"amd", "amd"};

    check_plan("{\"model_type\": \"jamba\", " SMALL
               "\"num_hidden_layers\": 4, \"attn_layer_period\": 4, \"attn_layer_offset\": 2, "
               "\"num_experts\": 4, \"num_experts_per_tok\": 2, \"expert_layer_period\": 2, "
               "\"expert_layer_offset\": 1, \"num_key_value_heads\": 4}",
               jamba);
    check_plan(
        "{\"model_type\": \"qwen3_moe\", " SMALL
        "\"num_hidden_layers\": 4, \"num_experts\": 4, \"num_experts_per_tok\": 2, "
        "\"moe_intermediate_size\": 32, \"decoder_sparse_step\": 2, \"mlp_only_layers\": [3]}",
        qwen);
    check_plan("{\"model_type\": \"nemotron_h\", " SMALL
               "\"hybrid_override_pattern\": \"M-*E\", \"n_routed_experts\": 4, "
               "\"num_experts_per_tok\": 2, \"moe_intermediate_size\": 32}",
               pattern);
    check_plan("{\"model_type\": \"qwen3_next\", " SMALL
               "\"num_hidden_layers\": 4, \"num_experts\": 4, \"num_experts_per_tok\": 2, "
               "\"moe_intermediate_size\": 32, \"shared_expert_intermediate_size\": 32}",
               next);
    check_plan("{\"model_type\": \"falcon_h1\", " SMALL "\"num_hidden_layers\": 2}", beside);
}

TEST(faults_of_layers_name_them)
{
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"nemotron_h\", " SMALL "\n\"hybrid_override_pattern\": \"Mx\"}",
                 "f:2: hybrid_override_pattern: no layer called 'x'; expected M*-E");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"qwen3\", " SMALL
                 "\"num_hidden_layers\": 1, \n\"layer_types\": [\"linear_attention\"]}",
                 "f:2: layer_types: 'linear_attention' is not modelled in qwen3; did you mean "
                 "'sliding_attention'?");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"bamba\", " SMALL
                 "\"num_hidden_layers\": 2, \n\"attn_layer_indices\": [2]}",
                 "f:2: attn_layer_indices: expected numbers of layers below 2");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"nemotron_h\", " SMALL "\"hybrid_override_pattern\": \"ME\"}",
                 "f:1: layers of experts need a number of experts");
}

/* Sizes that a nested configuration leaves out are those of its class; a key of nearly
 * the name is a fault. */
TEST(missing_sizes_are_those_of_the_class)
{
    CS_AT_END(read_close) struct read_text read = {0};

    read_open(&read, &cs_model_input_huggingface,
              "{\"model_type\": \"gemma3\", \"text_config\": {\"hidden_size\": 2560, "
              "\"intermediate_size\": 10240, \"num_hidden_layers\": 34}}");
    assert_int_equal(read.model.transformer.heads, 8);
    assert_int_equal(read.model.transformer.kv_heads, 4);
    assert_int_equal(read.model.transformer.head_width, 256);
    assert_int_equal(read.division.longest, 131072);
    assert_int_equal(read.model.transformer.sequence, 8192);
    assert_true(read.model.transformer.tied);
    assert_non_null(strstr(read.division.note, "gemma3: the language model alone (text_config)"));
    assert_non_null(
        strstr(read.division.note,
               "; sizes that the file lacks are those of Transformers: num_attention_heads 8, "
               "num_key_value_heads 4, vocab_size 262208, head_dim 256"));
    read_refused(&cs_model_input_huggingface, "{\"model_type\": \"llama\", \"vocab_sizes\": 1000}",
                 "f:1: no key 'vocab_size'; did you mean 'vocab_sizes'?");
}

/* A state space has no scores of all pairs: work grows with the tokens. */
TEST(recurrent_layers_grow_with_the_tokens)
{
    CS_AT_END(read_close) struct read_text few = {0}, many = {0};
    const char *const text = "{\"model_type\": \"mamba2\", \"hidden_size\": 256, "
                             "\"num_hidden_layers\": 2, \"vocab_size\": 1000, \"num_heads\": 8, "
                             "\"head_dim\": 64, \"n_groups\": 1, \"max_position_embeddings\": ";
    char shorter[512], longer[512];

    snprintf(shorter, sizeof(shorter), "%s1024}", text);
    snprintf(longer, sizeof(longer), "%s4096}", text);
    read_open(&few, &cs_model_input_huggingface, shorter);
    read_open(&many, &cs_model_input_huggingface, longer);
    assert_int_equal(few.model.transformer.heads, 8); /* that ranks divide */
    assert_true(fabs(cs_train_model_flops(&many.model) / cs_train_model_flops(&few.model) - 4) <
                1e-12);
}
