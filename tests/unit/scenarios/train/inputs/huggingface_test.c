#include "scenarios/train/model_library.h"
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
                 "f:2: n_layer: '-1' is not a whole number");
    read_refused(
        &cs_model_input_huggingface,
        "{\"model_type\": \"llama\", \"hidden_size\": 512, "
        "\"intermediate_size\": 1024, \"max_position_embeddings\": 128, "
        "\"num_attention_heads\": 8, \"num_hidden_layers\": 2, "
        "\"vocab_size\": 1000,\n\"head_dim\": 128}",
        "f:2: head_dim 128 x 8 heads is not the hidden size 512; only equal "
        "widths are modelled");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_config_has_the_parameters_of_its_model),
        cmocka_unit_test(missing_keys_may_have_defaults),
        cmocka_unit_test(a_window_of_attention_is_read),
        cmocka_unit_test(faults_name_line_and_nearest_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
