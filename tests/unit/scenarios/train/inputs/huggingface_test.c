#include "scenarios/train/model_library.h"
#include "tests/unit/scenarios/train/inputs/read_text.h"

#include <stdio.h>

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
static void a_config_has_the_parameters_of_its_model(void **state)
{
    static const struct {
        const char *text, *model;
    } cases[] = {
        {LLAMA, "llama2-7b"},
        {GPT2, "gpt2-small"},
        {BERT, "bert-large"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct cs_train_model known;
        struct read_text read;

        read_open(&read, &cs_model_input_huggingface, cases[i].text);
        assert_int_equal(
            cs_train_model_open(cases[i].model, &read.arena, &known, &read.err),
            0);
        assert_true(read.model.parameters == known.parameters);
        cs_arena_free(&read.arena);
    }
}

/* Parameters as the model cards count them; configurations by their published
 * dimensions. */
static void published_counts_of_parameters(void **state)
{
    static const struct {
        const char *type;
        uint32_t hidden, ffn, layers, heads, kv_heads, vocabulary;
        const char *more; /* keys */
        double parameters;
    } cases[] = {
        {"qwen2", 3584, 18944, 28, 28, 4, 152064,
         "\"tie_word_embeddings\": false", 7615616512},
        {"qwen3", 2560, 9728, 36, 32, 8, 151936,
         "\"tie_word_embeddings\": true, \"head_dim\": 128", 4022468096},
        {"phi3", 3072, 8192, 32, 32, 32, 32064, "\"head_dim\": null",
         3821079552},
        {"gemma", 3072, 24576, 28, 16, 16, 256000, "\"head_dim\": 256",
         8537680896},
        {"gpt_neox", 4096, 16384, 32, 32, 32, 50432,
         "\"tie_word_embeddings\": false", 6857302016},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct read_text read;
        char text[512];

        snprintf(text, sizeof(text),
                 "{\"model_type\": \"%s\", \"hidden_size\": %u, "
                 "\"intermediate_size\": %u, \"num_hidden_layers\": %u, "
                 "\"num_attention_heads\": %u, \"num_key_value_heads\": %u, "
                 "\"vocab_size\": %u, \"max_position_embeddings\": 2048, %s}",
                 cases[i].type, cases[i].hidden, cases[i].ffn, cases[i].layers,
                 cases[i].heads, cases[i].kv_heads, cases[i].vocabulary,
                 cases[i].more);
        read_open(&read, &cs_model_input_huggingface, text);
        assert_true(read.model.parameters == cases[i].parameters);
        cs_arena_free(&read.arena);
    }
}

/* Scores cost by the width of the heads, products by that of all. */
static void wide_heads_cost_more(void **state)
{
    static const char text[] =
        "{\"model_type\": \"llama\", \"hidden_size\": 512, "
        "\"intermediate_size\": 1024, \"max_position_embeddings\": 128, "
        "\"num_attention_heads\": 8, \"num_hidden_layers\": 1, "
        "\"vocab_size\": 1000, \"head_dim\": %u}";
    double flops[2], stored[2];

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct read_text read;
        char config[512];

        snprintf(config, sizeof(config), text, 64 << i);
        read_open(&read, &cs_model_input_huggingface, config);
        flops[i] = cs_train_model_flops(&read.model);
        stored[i] = read.model.blocks[1].split_stored;
        cs_arena_free(&read.arena);
    }
    /* 128 tokens: four products of 512 x 512, two of scores with 8 x 64. */
    assert_true(flops[1] - flops[0] ==
                2. * 128 * (4 * 512 * 512 + 2 * 128 * 512));
    assert_true(stored[1] - stored[0] == 4. * 128 * 512);
}

static void missing_keys_may_have_defaults(void **state)
{
    struct read_text read;

    (void)state;
    read_open(&read, &cs_model_input_huggingface,
              "{\"model_type\": \"mistral\", \"hidden_size\": 512, "
              "\"intermediate_size\": 1024, \"max_position_embeddings\": 128, "
              "\"num_attention_heads\": 8, \"num_hidden_layers\": 2, "
              "\"vocab_size\": 1000}");
    assert_int_equal(read.model.transformer.kv_heads, 8);
    assert_false(read.model.transformer.tied);
    cs_arena_free(&read.arena);
}

static void a_window_of_attention_is_read(void **state)
{
    struct read_text read;

    (void)state;
    read_open(&read, &cs_model_input_huggingface,
              "{\"model_type\": \"mistral\", \"hidden_size\": 512, "
              "\"intermediate_size\": 1024, \"max_position_embeddings\": 128, "
              "\"num_attention_heads\": 8, \"num_hidden_layers\": 2, "
              "\"sliding_window\": 64, \"vocab_size\": 1000}");
    assert_int_equal(read.model.transformer.window, 64);
    cs_arena_free(&read.arena);
}

static void faults_name_line_and_nearest_key(void **state)
{
    (void)state;
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"llama\",\n\"num_hidden_layer\": 2}",
                 "f:1: no key 'num_hidden_layers'; did you mean "
                 "'num_hidden_layer'?");
    read_refused(&cs_model_input_huggingface, "{\"model_type\":\n \"lama\"}",
                 "f:2: no model_type called 'lama'; did you mean 'llama'?");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"gpt2\",\n\"n_layer\": -1}",
                 "f:2: n_layer: '-1' is out of range; expected 1 to "
                 "1073741824");
    read_refused(
        &cs_model_input_huggingface,
        "{\"model_type\": \"mixtral\",\n\"num_local_experts\": 8}",
        "f:2: num_local_experts: a mixture of experts is not modelled");
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"llama\", \"hidden_size\": 510, "
                 "\"intermediate_size\": 1024, "
                 "\"max_position_embeddings\": 128, "
                 "\"num_attention_heads\": 8, \"num_hidden_layers\": 2, "
                 "\"vocab_size\": 1000}",
                 "f:1: hidden size 510 does not divide over 8 heads");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_config_has_the_parameters_of_its_model),
        cmocka_unit_test(published_counts_of_parameters),
        cmocka_unit_test(wide_heads_cost_more),
        cmocka_unit_test(missing_keys_may_have_defaults),
        cmocka_unit_test(a_window_of_attention_is_read),
        cmocka_unit_test(faults_name_line_and_nearest_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
