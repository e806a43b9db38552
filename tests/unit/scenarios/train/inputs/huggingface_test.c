#include "scenarios/train/model/library.h"
#include "tests/near.h"
#include "tests/unit/scenarios/train/inputs/read_text.h"

#define LLAMA                                                             \
    "{\"architectures\": [\"LlamaForCausalLM\"], \"hidden_size\": 4096, " \
    "\"intermediate_size\": 11008, \"max_position_embeddings\": 4096, "   \
    "\"model_type\": \"llama\", \"num_attention_heads\": 32, "            \
    "\"num_hidden_layers\": 32, \"num_key_value_heads\": 32, "            \
    "\"tie_word_embeddings\": false, \"torch_dtype\": \"float16\", "      \
    "\"vocab_size\": 32000}"

#define GPT2                                                       \
    "{\"model_type\": \"gpt2\", \"n_embd\": 768, \"n_head\": 12, " \
    "\"n_inner\": null, \"n_layer\": 12, \"n_positions\": 1024, "  \
    "\"vocab_size\": 50257}"

#define BERT                                                          \
    "{\"model_type\": \"bert\", \"hidden_size\": 1024, "              \
    "\"num_attention_heads\": 16, \"num_hidden_layers\": 24, "        \
    "\"intermediate_size\": 4096, \"max_position_embeddings\": 512, " \
    "\"vocab_size\": 30522}"

/* The configurations of published models have their published parameters. */
TEST(a_config_has_the_parameters_of_its_model)
{
    static const struct {
        const char *text, *model;
    } cases[] = {
        {LLAMA, "llama2-7b"},
        {GPT2, "gpt2-small"},
        {BERT, "bert-large"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct cs_train_model known;
        CS_AT_END(read_close) struct read_text read = {0};

        read_open(&read, &cs_model_input_huggingface, cases[i].text);
        assert_int_equal(cs_train_model_open(cases[i].model, &read.arena, &known, &read.err), 0);
        assert_true(read.model.parameters == known.parameters);
    }
}

/* Keys of sizes, in the names of most types. */
#define SIZES(hidden, layers, heads, ffn, words)                          \
    "\"hidden_size\": " #hidden ", \"num_hidden_layers\": " #layers       \
    ", \"num_attention_heads\": " #heads ", \"intermediate_size\": " #ffn \
    ", \"vocab_size\": " #words ", \"max_position_embeddings\": 2048"
#define KEYS(count) ", \"num_key_value_heads\": " #count
#define GPT_SIZES(hidden, layers, heads, words)                              \
    "\"n_embd\": " #hidden ", \"n_layer\": " #layers ", \"n_head\": " #heads \
    ", \"n_positions\": 2048, \"vocab_size\": " #words
#define TIED ", \"tie_word_embeddings\": true"

/* Parameters as the model cards count them; configurations by their published
 * dimensions. */
static const struct {
    const char *type, *keys;
    double parameters;
} published[] = {
    {"qwen2", SIZES(3584, 28, 28, 18944, 152064) KEYS(4), 7615616512},
    {"qwen3", SIZES(2560, 36, 32, 9728, 151936) KEYS(8) TIED ", \"head_dim\": 128", 4022468096},
    {"phi3", SIZES(3072, 32, 32, 8192, 32064) ", \"head_dim\": null", 3821079552},
    {"gemma", SIZES(3072, 28, 16, 24576, 256000) ", \"head_dim\": 256", 8537680896},
    {"gemma2", SIZES(3584, 42, 16, 14336, 256000) KEYS(8) ", \"head_dim\": 256", 9241705984},
    {"gemma3_text", SIZES(1152, 26, 4, 6912, 262144) KEYS(1) ", \"head_dim\": 256", 999885952},
    {"llama", SIZES(2048, 16, 32, 8192, 128256) KEYS(8) TIED ", \"head_dim\": 64", 1235814400},
    {"phi", SIZES(2560, 32, 32, 10240, 51200), 2779683840},
    {"stablelm", SIZES(2048, 24, 32, 5632, 100352) ", \"use_qkv_bias\": true", 1644515328},
    {"olmo", SIZES(2048, 16, 16, 8192, 50304) TIED, 1176764416},
    {"olmo2", SIZES(4096, 32, 32, 11008, 100352), 7298617344},
    {"internlm2", SIZES(4096, 32, 32, 14336, 92544) KEYS(8), 7737708544},
    {"baichuan", SIZES(4096, 32, 32, 11008, 125696), 7505973248},
    {"glm", SIZES(4096, 40, 32, 13696, 151552) KEYS(2) ", \"attention_bias\": true", 9399951360},
    {"glm4", SIZES(4096, 40, 32, 13696, 151552) KEYS(2) ", \"attention_bias\": true", 9400279040},
    {"cohere", SIZES(8192, 40, 64, 22528, 256000), 34980831232},
    {"granite", SIZES(4096, 40, 32, 12800, 49155) KEYS(8) TIED, 8170848256},
    {"starcoder2", SIZES(3072, 30, 24, 12288, 49152) KEYS(2), 3030371328},
    {"gpt_neox", SIZES(4096, 32, 32, 16384, 50432), 6857302016},
    {"gptj", GPT_SIZES(4096, 28, 16, 50400), 6050882784},
    {"gpt_bigcode",
     "\"n_embd\": 6144, \"n_layer\": 40, \"n_head\": 48, \"n_positions\": 8192, \"vocab_size\": "
     "49152",
     15517456384},
    {"opt",
     "\"hidden_size\": 4096, \"num_hidden_layers\": 32, \"num_attention_heads\": 32, \"ffn_dim\": "
     "16384, \"vocab_size\": 50272, \"max_position_embeddings\": 2048, \"word_embed_proj_dim\": "
     "4096",
     6658473984},
    {"bloom",
     "\"n_embed\": 14336, \"n_layer\": 70, \"num_attention_heads\": 112, \"vocab_size\": 250880",
     176247271424},
    {"falcon", SIZES(4544, 32, 71, 18176, 65024) ", \"multi_query\": true", 6921720704},
    {"falcon",
     SIZES(8192, 60, 128, 32768, 65024) ", \"new_decoder_architecture\": true, \"num_kv_heads\": 8",
     41303293952},
    {"falcon",
     SIZES(2048, 24, 32, 8192,
           50304) ", \"multi_query\": false, \"parallel_attn\": false, \"bias\": true",
     1311625216},
    {"mpt",
     "\"d_model\": 4096, \"n_layers\": 32, \"n_heads\": 32, \"vocab_size\": 50432, "
     "\"max_seq_len\": 2048",
     6649286656},
    {"chatglm",
     "\"hidden_size\": 4096, \"num_layers\": 28, \"num_attention_heads\": 32, \"ffn_hidden_size\": "
     "13696, \"padded_vocab_size\": 65024, \"seq_length\": 8192, \"multi_query_group_num\": 2, "
     "\"add_qkv_bias\": true",
     6243584000},
    {"roberta",
     "\"hidden_size\": 768, \"num_hidden_layers\": 12, \"num_attention_heads\": 12, "
     "\"intermediate_size\": 3072, \"vocab_size\": 50265, \"max_position_embeddings\": 514",
     124697433},
    {"t5",
     "\"d_model\": 768, \"d_ff\": 3072, \"d_kv\": 64, \"num_heads\": 12, \"num_layers\": 12, "
     "\"vocab_size\": 32128, \"n_positions\": 512",
     222903552},
    {"t5",
     "\"d_model\": 1024, \"d_ff\": 16384, \"d_kv\": 128, \"num_heads\": 32, \"num_layers\": 24, "
     "\"vocab_size\": 32128",
     2851598336},
    {"t5",
     "\"d_model\": 2048, \"d_ff\": 5120, \"d_kv\": 64, \"num_heads\": 32, \"num_layers\": 24, "
     "\"num_decoder_layers\": 24, \"vocab_size\": 32128, \"feed_forward_proj\": \"gated-gelu\", "
     "\"tie_word_embeddings\": false",
     2849757184},
    {"vit",
     "\"hidden_size\": 768, \"num_hidden_layers\": 12, \"num_attention_heads\": 12, "
     "\"intermediate_size\": 3072, \"image_size\": 224, \"patch_size\": 16, \"num_labels\": 1000",
     86567656},
    {"distilbert",
     "\"dim\": 768, \"n_layers\": 6, \"n_heads\": 12, \"hidden_dim\": 3072, \"vocab_size\": 30522, "
     "\"max_position_embeddings\": 512",
     66985530},
};

#define LATENT                                            \
    ", \"kv_lora_rank\": 512, \"qk_rope_head_dim\": 64, " \
    "\"qk_nope_head_dim\": 128, \"v_head_dim\": 128"

/* Of all experts, and in units of 1e9 of those of a token as published; 0: counted
 * without embeddings. */
static const struct {
    const char *type, *keys;
    double parameters, active;
} mixtures[] = {
    {"mixtral",
     SIZES(4096, 32, 32, 14336, 32000)
         KEYS(8) ", \"num_local_experts\": 8, \"num_experts_per_tok\": 2",
     46702792704, 12.9},
    {"qwen2_moe",
     SIZES(2048, 24, 16, 5632,
           151936) ", \"num_experts\": 60, \"num_experts_per_tok\": 4, \"moe_intermediate_size\": "
                   "1408, \"shared_expert_intermediate_size\": 5632",
     14315784192, 2.7},
    {"qwen3_moe",
     SIZES(2048, 48, 32, 6144, 151936)
         KEYS(4) ", \"head_dim\": 128, \"num_experts\": 128, \"num_experts_per_tok\": 8, "
                 "\"moe_intermediate_size\": 768, \"mlp_only_layers\": []",
     30532122624, 3.3},
    {"qwen3_moe",
     SIZES(2048, 48, 32, 6144, 151936)
         KEYS(4) ", \"head_dim\": 128, \"num_local_experts\": 128, \"num_experts_per_tok\": 8, "
                 "\"moe_intermediate_size\": 768",
     30532122624, 3.3},
    {"qwen2_moe",
     SIZES(2048, 24, 16, 5632,
           151936) ", \"num_experts\": 60, \"num_experts_per_tok\": 4, \"moe_intermediate_size\": "
                   "1408, \"qkv_bias\": false, \"shared_expert_intermediate_size\": 5632",
     14315636736, 2.7},
    {"deepseek_v2",
     SIZES(2048, 27, 16, 10944, 102400) LATENT
     ", \"q_lora_rank\": null, \"n_routed_experts\": 64, \"num_experts_per_tok\": 6, "
     "\"moe_intermediate_size\": 1408, \"n_shared_experts\": 2, \"first_k_dense_replace\": 1",
     15706484224, 0},
    {"deepseek_v3",
     SIZES(7168, 61, 128, 18432, 129280) LATENT
     ", \"q_lora_rank\": 1536, \"n_routed_experts\": 256, \"num_experts_per_tok\": 8, "
     "\"moe_intermediate_size\": 2048, \"n_shared_experts\": 1, \"first_k_dense_replace\": 3",
     671026404352, 37},
    {"olmoe", SIZES(2048, 16, 16, 1024, 50304) ", \"num_experts\": 64, \"num_experts_per_tok\": 8",
     6919161856, 1.3},
    {"phimoe",
     SIZES(4096, 32, 32, 6400, 32064)
         KEYS(8) ", \"num_local_experts\": 16, \"num_experts_per_tok\": 2, \"attention_bias\": "
                 "true, \"lm_head_bias\": true",
     41873153344, 6.6},
    {"gpt_oss",
     SIZES(2880, 36, 64, 2880, 201088)
         KEYS(8) ", \"head_dim\": 64, \"num_local_experts\": 128, \"num_experts_per_tok\": 4",
     116829156672, 0},
    {"dbrx",
     "\"d_model\": 6144, \"n_layers\": 40, \"n_heads\": 48, \"max_seq_len\": 32768, "
     "\"vocab_size\": 100352, \"attn_config\": {\"kv_n_heads\": 8}, \"ffn_config\": "
     "{\"ffn_hidden_size\": 10752, \"moe_num_experts\": 16, \"moe_top_k\": 4}",
     131596523520, 36},
    {"glm4_moe",
     SIZES(4096, 46, 96, 10944, 151552)
         KEYS(8) ", \"head_dim\": 128, \"n_routed_experts\": 128, \"num_experts_per_tok\": 8, "
                 "\"n_shared_experts\": 1, \"moe_intermediate_size\": 1408, "
                 "\"first_k_dense_replace\": 1, \"attention_bias\": true",
     106852245504, 0},
};

TEST(mixtures_have_their_published_parameters)
{
    for (size_t i = 0; i < sizeof(mixtures) / sizeof(*mixtures); i++) {
        CS_AT_END(read_close) struct read_text read = {0};
        double active;
        char text[1024];

        snprintf(text, sizeof(text), "{\"model_type\": \"%s\", %s}", mixtures[i].type,
                 mixtures[i].keys);
        read_open(&read, &cs_model_input_huggingface, text);
        active = cs_train_active_parameters(&read.model);
        if (read.model.parameters != mixtures[i].parameters ||
            (mixtures[i].active > 0 && !(fabs(active / 1e9 / mixtures[i].active - 1) <= .02)))
            fail_msg("%s: %.0f parameters of %.0f, active %.4g of %.4g", mixtures[i].type,
                     read.model.parameters, mixtures[i].parameters, active / 1e9,
                     mixtures[i].active);
    }
}

TEST(published_counts_of_parameters)
{
    for (size_t i = 0; i < sizeof(published) / sizeof(*published); i++) {
        CS_AT_END(read_close) struct read_text read = {0};
        char text[512];

        snprintf(text, sizeof(text), "{\"model_type\": \"%s\", %s}", published[i].type,
                 published[i].keys);
        read_open(&read, &cs_model_input_huggingface, text);
        if (read.model.parameters != published[i].parameters)
            fail_msg("%s: %.0f parameters of %.0f", published[i].type, read.model.parameters,
                     published[i].parameters);
    }
}

/* FLOPs of two products of scores, of all layers. */
static double score_flops(const char *type, const char *keys)
{
    CS_AT_END(read_close) struct read_text read = {0};
    double flops = 0;
    char text[512];

    snprintf(text, sizeof(text), "{\"model_type\": \"%s\", %s%s}", type,
             SIZES(1024, 12, 8, 4096, 1000), keys);
    read_open(&read, &cs_model_input_huggingface, text);
    for (uint32_t m = 0; m < read.model.blocks[1].matmul_count; m++) {
        const struct cs_matmul *matmul = &read.model.blocks[1].matmuls[m];

        if (!matmul->weights)
            flops += 12 * 2 * matmul->rows * matmul->inner * matmul->columns * matmul->count;
    }
    return flops;
}

/* Of 2,048 x 2,048 scores a window of 512 leaves 2 x 512 - 512^2 / 2,048 keys in
 * the mean. */
TEST(windows_of_some_layers)
{
    static const struct {
        const char *type, *keys;
        double windowed; /* layers of 12 */
    } cases[] = {
        {"mistral", ", \"sliding_window\": 512", 12},
        {"gemma2", ", \"head_dim\": 128, \"sliding_window\": 512", 6},
        {"gemma3_text", ", \"head_dim\": 128, \"sliding_window\": 512", 10},
        {"gemma3_text",
         ", \"head_dim\": 128, \"sliding_window\": 512, \"sliding_window_pattern\": 4", 9},
        {"cohere2",
         ", \"sliding_window\": 512, \"layer_types\": [\"sliding_attention\", \"full_attention\", "
         "\"full_attention\", \"full_attention\", \"full_attention\", \"full_attention\", "
         "\"full_attention\", \"full_attention\", \"full_attention\", \"full_attention\", "
         "\"full_attention\", \"full_attention\"]",
         1},
        {"qwen2",
         ", \"sliding_window\": 512, \"max_window_layers\": 4, \"use_sliding_window\": true", 8},
        {"qwen2", ", \"sliding_window\": 512, \"max_window_layers\": 4", 0},
        {"qwen2", ", \"sliding_window\": 512, \"use_sliding_window\": true", 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        double keys = 2048 - cases[i].windowed / 12 * (2048 - 896);

        assert_within(score_flops(cases[i].type, cases[i].keys), 12 * 4. * 2048 * 1024 * keys, 1);
    }
}

static unsigned traits_of(const char *type, const char *keys)
{
    CS_AT_END(read_close) struct read_text read = {0};
    unsigned traits;
    char text[512];

    snprintf(text, sizeof(text), "{\"model_type\": \"%s\", %s%s}", type,
             SIZES(512, 2, 8, 2048, 1000), keys);
    read_open(&read, &cs_model_input_huggingface, text);
    traits = read.model.transformer.traits;
    return traits;
}

TEST(keys_switch_traits)
{
    assert_int_equal(traits_of("llama", ""), 0);
    assert_int_equal(traits_of("llama", ", \"attention_bias\": true"),
                     CS_TRAIT_HEAD_BIASES | CS_TRAIT_OUTPUT_BIAS);
    assert_int_equal(traits_of("llama", ", \"mlp_bias\": true"), CS_TRAIT_FFN_BIASES);
    assert_true(traits_of("gpt_neox", "") & CS_TRAIT_SIDE_BY_SIDE);
    assert_false(traits_of("gpt_neox", ", \"use_parallel_residual\": false") &
                 CS_TRAIT_SIDE_BY_SIDE);
    assert_true(traits_of("gemma2", ", \"final_logit_softcapping\": 30.0") &
                CS_TRAIT_CAPPED_LOGITS);
    assert_false(traits_of("gemma2", ", \"final_logit_softcapping\": null") &
                 CS_TRAIT_CAPPED_LOGITS);
}

/* Scores cost by the width of the heads, products by that of all. */
TEST(wide_heads_cost_more)
{
    static const char text[] =
        "{\"model_type\": \"llama\", \"hidden_size\": 512, \"intermediate_size\": 1024, "
        "\"max_position_embeddings\": 128, \"num_attention_heads\": 8, \"num_hidden_layers\": 1, "
        "\"vocab_size\": 1000, \"head_dim\": %u}";
    double flops[2], stored[2];

    for (uint32_t i = 0; i < 2; i++) {
        CS_AT_END(read_close) struct read_text read = {0};
        char config[512];

        snprintf(config, sizeof(config), text, 64 << i);
        read_open(&read, &cs_model_input_huggingface, config);
        flops[i] = cs_train_model_flops(&read.model);
        stored[i] = read.model.blocks[1].split_stored;
    }
    /* 128 tokens: four products of 512 x 512, the half of two of scores with 8 x 64. */
    assert_true(flops[1] - flops[0] == 2. * 128 * (4 * 512 * 512 + 128 * 512));
    assert_true(stored[1] - stored[0] == 4. * 128 * 512);
}

/* A state space of twice the heads, in a layer without attention: 2 x 64 x 4 further columns
 * and a step for each further head, as many channels of the convolution and twice as much
 * behind it are kept of each of 128 tokens. */
TEST(wide_state_spaces_keep_more)
{
    static const char text[] =
        "{\"model_type\": \"mamba2\", \"hidden_size\": 256, \"num_hidden_layers\": 1, "
        "\"vocab_size\": 1000, \"state_size\": 16, \"n_groups\": 1, \"conv_kernel\": 4, "
        "\"head_dim\": 64, \"expand\": %u, \"num_heads\": %u, \"max_position_embeddings\": 128}";
    double stored[2], split[2];
    const double inner = 256;

    for (uint32_t i = 0; i < 2; i++) {
        CS_AT_END(read_close) struct read_text read = {0};
        char config[512];

        snprintf(config, sizeof(config), text, 1 + i, 4 << i);
        read_open(&read, &cs_model_input_huggingface, config);
        stored[i] = read.model.blocks[1].stored / read.model.transformer.sequence;
        split[i] = read.model.blocks[1].split_stored / read.model.transformer.sequence;
    }
    assert_true(stored[1] - stored[0] == (2 * inner + 4) + inner + 2 * inner);
    assert_true(split[1] - split[0] == stored[1] - stored[0]);
}

READ_TEST(missing_keys_may_have_defaults)
{
    read_open(read, &cs_model_input_huggingface,
              "{\"model_type\": \"mistral\", \"hidden_size\": 512, \"intermediate_size\": 1024, "
              "\"max_position_embeddings\": 128, \"num_attention_heads\": 8, "
              "\"num_hidden_layers\": 2, \"vocab_size\": 1000}");
    assert_int_equal(read->model.transformer.kv_heads, 8);
    assert_false(read->model.transformer.tied);
}

READ_TEST(a_window_of_attention_is_read)
{
    read_open(read, &cs_model_input_huggingface,
              "{\"model_type\": \"mistral\", \"hidden_size\": 512, \"intermediate_size\": 1024, "
              "\"max_position_embeddings\": 128, \"num_attention_heads\": 8, "
              "\"num_hidden_layers\": 2, \"sliding_window\": 64, \"vocab_size\": 1000}");
    assert_int_equal(read->model.transformer.window, 64);
}

/* A token for each of 14 x 14 patches and one for the class, of which alone the loss
 * is. */
READ_TEST(photos_are_divided_into_patches)
{
    const struct cs_train_model *model = &read->model;

    read_open(read, &cs_model_input_huggingface,
              "{\"model_type\": \"vit\", \"hidden_size\": 768, \"num_hidden_layers\": 12, "
              "\"num_attention_heads\": 12, \"intermediate_size\": 3072, \"image_size\": 224, "
              "\"patch_size\": 16, \"id2label\": {\"0\": \"a\", \"1\": \"b\", \"2\": \"c\"}}");
    assert_true(model->photos);
    assert_int_equal(model->transformer.sequence, 197);
    assert_int_equal(model->transformer.vocabulary, 3);
    assert_true(model->blocks[0].matmuls[0].source);
    assert_true(model->blocks[0].matmuls[0].rows == 196);
    assert_true(model->blocks[2].matmuls[0].rows == 1);
}

/* JSON has line breaks in texts as \n, and labels and templates have them. */
READ_TEST(texts_of_several_lines_are_read)
{
    read_open(read, &cs_model_input_huggingface,
              "{\"model_type\": \"llama\", \"chat_template\": \"{% for m in messages %}\\n{{ m "
              "}}\\t\\u0001\\n\", \"label2id\": {\"a\\nb\": 0}, " SIZES(512, 2, 8, 1024, 1000) "}");
    assert_int_equal(read->model.transformer.layers, 2);
    read_refused(&cs_model_input_huggingface, "{\"model_type\": \"llama\\n\"}",
                 "f:1: no model_type called 'llama '; did you mean 'llama'?");
}

TEST(faults_name_line_and_nearest_key)
{
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"llama\",\n\"num_hidden_layer\": 2}",
                 "f:1: no key 'num_hidden_layers'; did you mean 'num_hidden_layer'?");
    read_refused(&cs_model_input_huggingface, "{\"model_type\":\n \"lama\"}",
                 "f:2: no model_type called 'lama'; did you mean 'llama'?");
    read_refused(&cs_model_input_huggingface, "{\"model_type\": \"gpt2\",\n\"n_layer\": -1}",
                 "f:2: n_layer: '-1' is out of range; expected 1 to 1073741824");
}

TEST(keys_of_mixtures_are_refused)
{
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"deepseek_v2\",\n\"mlp_bias\": true}",
                 "f:2: mlp_bias: 'true' is not modelled; expected false");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"qwen2_moe\",\n\"use_sliding_window\": true}",
                 "f:2: use_sliding_window: 'true' is not modelled; expected false");
}

#define EIGHT_EXPERTS \
    ", \"num_experts\": 8, \"num_experts_per_tok\": 2, \"moe_intermediate_size\": 128"

TEST(models_that_do_not_exist_here_are_refused)
{
    read_refused(
        &cs_model_input_huggingface,
        "{\"model_type\": \"llama\", " SIZES(512, 2, 8, 1024, 1000) ",\n\"num_local_experts\": 8}",
        "f:2: num_local_experts: llama has no experts; expected another model_type, as mixtral");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"qwen3_moe\", " SIZES(512, 2, 8, 1024, 1000) EIGHT_EXPERTS
                 ",\n\"mlp_only_layers\": [2]}",
                 "f:2: mlp_only_layers: expected numbers of layers below 2");
    read_refused(
        &cs_model_input_huggingface,
        "{\"model_type\": \"mixtral\", " SIZES(
            512, 2, 8, 1024, 1000) ", \"num_local_experts\": 8, \"num_experts_per_tok\": 9}",
        "f:1: 9 active experts of 8; expected at most as many");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"gpt_neox\", " SIZES(512, 2, 8, 1024,
                                                         1000) ",\n\"num_key_value_heads\": 2}",
                 "f:2: num_key_value_heads: gpt_neox has as many as heads, 8");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"bert\",\n"
                 "\"position_embedding_type\": \"relative_key\"}",
                 "f:2: position_embedding_type: 'relative_key' is not modelled; expected absolute");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"mpt\",\n"
                 "\"attn_config\": {\"qk_ln\": true}}",
                 "f:2: attn_config.qk_ln: 'true' is not modelled; expected false");
    read_refused(&cs_model_input_huggingface, "{\"model_type\": \"gemma3\",\n\"text_config\": []}",
                 "f:2: text_config is a list; expected a map of 'key: value'");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"opt\",\n\"do_layer_norm_before\": false}",
                 "f:2: do_layer_norm_before: 'false' is not modelled; expected true");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"bloom\", \"n_layer\": 2,\n"
                 "\"n_embed\": 1073741824, \"n_head\": 2}",
                 "f:2: a hidden size of 1073741824; expected at most 268435456");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"gemma2\", " SIZES(
                     512, 2, 8, 1024,
                     1000) ",\n\"sliding_window\": 64, \"layer_types\": [\"full_attention\"]}",
                 "f:2: layer_types has 1 layers of 2");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"gemma2\", " SIZES(
                     512, 2, 8, 1024,
                     1000) ",\n\"sliding_window\": 64, \"layer_types\": [\"linear_attention\"]}",
                 "f:2: layer_types: 'linear_attention' is not modelled in gemma2; did you mean "
                 "'sliding_attention'?");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"llama\", \"hidden_size\": 510, \"intermediate_size\": 1024, "
                 "\"max_position_embeddings\": 128, \"num_attention_heads\": 8, "
                 "\"num_hidden_layers\": 2, \"vocab_size\": 1000}",
                 "f:1: hidden size 510 does not divide over 8 heads");
}
