/* Published models of 2024 to 2026: parameters of their configurations. */
#include "sim/base/text.h"
#include "tests/unit/scenarios/train/inputs/read_text.h"

/* Keys of sizes; 0: left out. */
static const char *const size_keys[] = {
    "hidden_size",       "num_hidden_layers", "num_attention_heads",
    "intermediate_size", "vocab_size",        "num_key_value_heads",
    "head_dim"};

/* Published values of config.json.  Parameters as the weights' files count them, or where
 * these have more than the language model's parameters (encoders of pictures, buffers of
 * the router) as the classes of Transformers build them; with a share, as the model card
 * rounds them.  Of a model with pictures `inner` is the type of the language model.
 * Further keys have apostrophes for quotation marks. */
static const struct {
    const char *name, *type, *inner;
    uint32_t hidden, layers, heads, ffn, words, kv_heads, width;
    const char *keys;
    double parameters, share;
} models[] = {
    {"llama-3.1-405b", "llama", NULL, 16384, 126, 128, 53248, 128256, 8, 0,
     "'max_position_embeddings': 131072", 405853388800, 0},
    {"mistral-small-3.1", "mistral3", "mistral", 5120, 40, 32, 32768, 131072, 8, 128,
     "'max_position_embeddings': 131072", 23572403200, 0},
    {"gemma-3-4b", "gemma3", "gemma3_text", 2560, 34, 0, 10240, 0, 0, 0, "'sliding_window': 1024",
     3880263168, 0},
    {"gemma-3-12b", "gemma3", "gemma3_text", 3840, 48, 16, 15360, 262208, 8, 256, "", 11766034176,
     0},
    {"gemma-3-27b", "gemma3", "gemma3_text", 5376, 62, 32, 21504, 262208, 16, 128, "", 27009346304,
     0},
    {"qwen2.5-vl-7b", "qwen2_5_vl", NULL, 3584, 28, 28, 18944, 152064, 4, 0,
     "'max_position_embeddings': 128000, 'vision_config': {}", 7615616512, 0},
    {"qwen3-32b", "qwen3", NULL, 5120, 64, 64, 25600, 151936, 8, 128,
     "'max_position_embeddings': 40960", 32762123264, 0},
    {"qwen3-vl-235b", "qwen3_vl_moe", "qwen3_vl_moe_text", 4096, 94, 64, 12288, 151936, 4, 128,
     "'num_experts': 128, 'num_experts_per_tok': 8, 'moe_intermediate_size': 1536, "
     "'max_position_embeddings': 262144",
     235093634560, 0},
    {"qwen3-next-80b", "qwen3_next", NULL, 2048, 48, 16, 5120, 151936, 2, 256,
     "'num_experts': 512, 'num_experts_per_tok': 10, 'moe_intermediate_size': 512, "
     "'shared_expert_intermediate_size': 512, 'full_attention_interval': 4, "
     "'linear_num_key_heads': 16, 'linear_num_value_heads': 32, 'linear_key_head_dim': 128, "
     "'linear_value_head_dim': 128, 'linear_conv_kernel_dim': 4, 'decoder_sparse_step': 1, "
     "'mlp_only_layers': []",
     79674391296, 0},
    {"llama4-scout", "llama4", "llama4_text", 5120, 48, 40, 8192, 202048, 8, 128,
     "'intermediate_size_mlp': 16384, 'num_local_experts': 16, 'num_experts_per_tok': 1, "
     "'interleave_moe_layer_step': 1, 'max_position_embeddings': 10485760",
     107.8e9, .005},
    {"llama4-maverick", "llama4", "llama4_text", 5120, 48, 40, 8192, 202048, 8, 128,
     "'intermediate_size_mlp': 16384, 'num_local_experts': 128, 'num_experts_per_tok': 1, "
     "'interleave_moe_layer_step': 2",
     400.7e9, .005},
    {"phi-4", "phi3", NULL, 5120, 40, 40, 17920, 100352, 10, 0, "", 14659507200, 0},
    {"olmo-2-32b", "olmo2", NULL, 5120, 64, 40, 27648, 100352, 8, 0, "", 32234279936, 0},
    {"jamba-v0.1", "jamba", NULL, 4096, 32, 32, 14336, 65536, 8, 0,
     "'num_experts': 16, 'num_experts_per_tok': 2, 'expert_layer_period': 2, "
     "'expert_layer_offset': 1, 'attn_layer_period': 8, 'attn_layer_offset': 4, "
     "'mamba_d_state': 16, 'mamba_d_conv': 4, 'mamba_expand': 2, 'mamba_dt_rank': 256, "
     "'mamba_conv_bias': true, 'mamba_proj_bias': false",
     51570323328, 0},
    {"falcon-mamba-7b", "falcon_mamba", NULL, 4096, 64, 0, 0, 65024, 0, 0,
     "'state_size': 16, 'conv_kernel': 4, 'expand': 2, 'time_step_rank': 256, "
     "'use_conv_bias': true, 'use_bias': false, 'tie_word_embeddings': false",
     7272665088, 0},
    {"mamba-2.8b", "mamba", NULL, 2560, 64, 0, 0, 50280, 0, 0,
     "'state_size': 16, 'conv_kernel': 4, 'expand': 2, 'time_step_rank': 160, "
     "'use_conv_bias': true, 'use_bias': false",
     2768345600, 0},
    {"mamba-codestral-7b", "mamba2", NULL, 4096, 64, 0, 0, 32768, 0, 64,
     "'state_size': 128, 'conv_kernel': 4, 'expand': 2, 'n_groups': 8, 'num_heads': 128, "
     "'use_conv_bias': true, 'use_bias': false, 'tie_word_embeddings': false",
     7285403648, 0},
    {"bamba-9b", "bamba", NULL, 4096, 32, 32, 14336, 128256, 8, 0,
     "'attn_layer_indices': [9, 18, 27], 'mamba_d_state': 128, 'mamba_n_heads': 128, "
     "'mamba_n_groups': 1, 'mamba_d_conv': 4, 'mamba_expand': 2",
     9.78e9, .005},
    {"granite-4-h-small", "granitemoehybrid", NULL, 4096, 40, 32, 768, 100352, 8, 0,
     "'num_local_experts': 72, 'num_experts_per_tok': 10, 'shared_intermediate_size': 1536, "
     "'layer_types': ['mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'attention', 'mamba', "
     "'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'attention', "
     "'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', "
     "'attention', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', "
     "'mamba', 'attention', 'mamba', 'mamba', 'mamba', 'mamba'], 'mamba_n_heads': 128, "
     "'mamba_d_state': 128, 'mamba_n_groups': 1, 'mamba_d_conv': 4, 'mamba_expand': 2, "
     "'tie_word_embeddings': true",
     32.2e9, .005},
    {"nemotron-h-8b", "nemotron_h", NULL, 4096, 52, 32, 21504, 131072, 8, 0,
     "'attention_head_dim': 128, "
     "'hybrid_override_pattern': 'M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-', "
     "'ssm_state_size': 128, 'mamba_num_heads': 128, 'mamba_head_dim': 64, 'n_groups': 8, "
     "'conv_kernel': 4, 'expand': 2, 'use_conv_bias': true",
     8.1e9, .005},
    {"nemotron-nano-9b-v2", "nemotron_h", NULL, 4480, 56, 40, 15680, 131072, 8, 128,
     "'hybrid_override_pattern': 'M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M*-M-MM-M-M-M-M-M-', "
     "'ssm_state_size': 128, 'mamba_num_heads': 128, 'mamba_head_dim': 80, 'n_groups': 8, "
     "'conv_kernel': 4, 'use_conv_bias': true",
     8.89e9, .005},
    {"falcon-h1-0.5b", "falcon_h1", NULL, 1024, 36, 8, 2048, 32784, 2, 64,
     "'mamba_d_ssm': 1536, 'mamba_n_heads': 24, 'mamba_n_groups': 1, 'mamba_d_state': 128, "
     "'mamba_d_conv': 4, 'tie_word_embeddings': false",
     521411104, 0},
    {"lfm2-1.2b", "lfm2", NULL, 2048, 16, 32, 8192, 65536, 8, 0,
     "'conv_L_cache': 3, 'layer_types': ['conv', 'conv', 'full_attention', 'conv', 'conv', "
     "'full_attention', 'conv', 'conv', 'full_attention', 'conv', 'full_attention', 'conv', "
     "'full_attention', 'conv', 'full_attention', 'conv']",
     1170340608, 0},
    {"lfm2-350m", "lfm2", NULL, 1024, 16, 16, 4608, 65536, 8, 0,
     "'conv_L_cache': 3, 'layer_types': ['conv', 'conv', 'full_attention', 'conv', 'conv', "
     "'full_attention', 'conv', 'conv', 'full_attention', 'conv', 'full_attention', 'conv', "
     "'full_attention', 'conv', 'full_attention', 'conv']",
     354483968, 0},
    {"minimax-text-01", "minimax", NULL, 6144, 80, 64, 9216, 200064, 8, 128,
     "'num_local_experts': 32, 'num_experts_per_tok': 2, 'attn_type_list': [0, 0, 0, 0, 0, 0, "
     "0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, "
     "0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, "
     "0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]",
     456089655296, 0},
    {"minimax-m2", "minimax_m2", NULL, 3072, 62, 48, 1536, 200064, 8, 128,
     "'num_local_experts': 256, 'num_experts_per_tok': 8, 'use_qk_norm': true", 228689748992, 0},
    {"ernie-4.5-0.3b", "ernie4_5", NULL, 1024, 18, 16, 3072, 103424, 2, 128,
     "'tie_word_embeddings': true", 360748032, 0},
    {"ernie-4.5-21b", "ernie4_5_moe", NULL, 2560, 28, 20, 12288, 103424, 4, 0,
     "'moe_num_experts': 64, 'moe_k': 6, 'moe_num_shared_experts': 2, "
     "'moe_intermediate_size': 1536, 'moe_layer_start_index': 1, 'moe_layer_end_index': -1, "
     "'moe_layer_interval': 1, 'use_bias': false, 'tie_word_embeddings': true",
     21825437888, 0},
    {"hunyuan-a13b", "hunyuan_v1_moe", NULL, 4096, 32, 32, 3072, 128167, 8, 128,
     "'num_experts': 64, 'moe_topk': 8, 'moe_intermediate_size': 3072, "
     "'tie_word_embeddings': true",
     80393183232, 0},
    {"dots.llm1", "dots1", NULL, 4096, 62, 32, 10944, 152064, 32, 0,
     "'n_routed_experts': 128, 'num_experts_per_tok': 6, 'moe_intermediate_size': 1408, "
     "'n_shared_experts': 2, 'first_k_dense_replace': 1",
     142774373888, 0},
    {"exaone-4-32b", "exaone4", NULL, 5120, 64, 40, 27392, 102400, 8, 128, "'sliding_window': 4096",
     32003216384, 0},
    {"seed-oss-36b", "seed_oss", NULL, 5120, 64, 80, 27648, 155136, 8, 128,
     "'attention_bias': true", 36151104512, 0},
    {"afm-4.5b", "arcee", NULL, 2560, 36, 20, 18432, 128005, 4, 128, "", 4.62e9, .005},
    {"smollm3", "smollm3", NULL, 2048, 36, 16, 11008, 128256, 4, 0, "", 3075098624, 0},
    {"command-a", "cohere2", NULL, 12288, 64, 96, 36864, 256000, 8, 128, "", 111057580032, 0},
    {"helium-1-2b", "helium", NULL, 2560, 24, 20, 7040, 48000, 20, 128, "", 2.17e9, .005},
};

static void write_config(struct cs_text *config, size_t m)
{
    const uint32_t sizes[] = {models[m].hidden, models[m].layers,   models[m].heads, models[m].ffn,
                              models[m].words,  models[m].kv_heads, models[m].width};

    if (models[m].inner)
        cs_text_printf(config, "{'model_type': '%s', 'text_config': ", models[m].type);
    cs_text_printf(config, "{'model_type': '%s'",
                   models[m].inner ? models[m].inner : models[m].type);
    for (int i = 0; i < COUNT(sizes); i++)
        if (sizes[i])
            cs_text_printf(config, ", '%s': %u", size_keys[i], sizes[i]);
    cs_text_printf(config, "%s%s}%s", *models[m].keys ? ", " : "", models[m].keys,
                   models[m].inner ? "}" : "");
    for (char *at = config->data; (at = strchr(at, '\'')); at++)
        *at = '"';
}

TEST(configs_have_the_published_parameters)
{
    for (size_t m = 0; m < sizeof(models) / sizeof(*models); m++) {
        CS_AT_END(read_close) struct read_text read = {0};
        CS_AT_END(cs_text_free) struct cs_text config = {0};

        write_config(&config, m);
        if (read_try(&read, &cs_model_input_huggingface, config.data))
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
