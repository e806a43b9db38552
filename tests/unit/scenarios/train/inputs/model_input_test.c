#include "tests/unit/scenarios/train/inputs/read_text.h"

static int load(struct read_text *read, const char *name)
{
    read_close(read);
    memset(read, 0, sizeof(*read));
    return cs_model_load(name, &read->arena, &read->model, &read->division, &read->err);
}

READ_TEST(names_of_the_library_come_first)
{
    assert_int_equal(load(read, "resnet50"), 0);
    assert_string_equal(read->model.name, "resnet50");
}

READ_TEST(arguments_may_stand_in_the_name)
{
    assert_int_equal(load(read, "megatron:--num-layers 2 --hidden-size 64 --num-attention-heads 4 "
                                "--seq-length 32 --micro-batch-size 3"),
                     0);
    assert_int_equal(read->model.transformer.hidden, 64);
    assert_int_equal(read->division.job.kept.micro_batch, 3);
    assert_int_equal(
        load(read, "--num-layers 2 --hidden-size 64 --num-attention-heads 4 --seq-length 32"), 0);
    assert_int_equal(read->model.transformer.hidden, 64);
}

READ_TEST(unknown_names_and_missing_files_are_errors)
{
    assert_int_equal(load(read, "resnet5"), CS_EINPUT);
    assert_non_null(strstr(read->err.text, "did you mean 'resnet50'?"));
    assert_int_equal(load(read, "/"), CS_EINPUT);
    assert_non_null(strstr(read->err.text, "//config.json"));
    assert_int_equal(load(read, "absent/config.json"), CS_EINPUT);
    assert_non_null(strstr(read->err.text, "absent/config.json"));
}

/* Tables of a gpt: words and positions; of a layer 12 h h, biases of 9 h, norms of 4 h. */
READ_TEST(dimensions_and_a_family_make_a_model)
{
    const double h = 64, ffn = 4 * h;

    assert_int_equal(load(read, "gpt:layers=2,hidden=64,heads=4,vocabulary=100,sequence=32"), 0);
    assert_string_equal(read->model.name, "gpt of 2 x 64");
    assert_true(read->model.parameters == 100 * h + 32 * h + 2 * (12 * h * h + 13 * h) + 2 * h);
    assert_int_equal(load(read, "llama:layers=2,hidden=64,heads=4,kv-heads=2,vocabulary=100"), 0);
    assert_int_equal(read->model.transformer.sequence, 4096);
    assert_true(read->model.parameters == 2 * 100 * h + 2 * (3 * h * h + 3 * h * ffn + 2 * h) + h);
    assert_int_equal(load(read, "gpt:layers=2,hiden=64"), CS_EINPUT);
    assert_non_null(strstr(read->err.text, "did you mean 'hidden'?"));
    assert_int_equal(load(read, "bloom:layers=2,hidden=64,heads=4"), CS_EINPUT);
    assert_non_null(strstr(read->err.text, "expected layers, hidden, heads and vocabulary"));
}
