#include "tests/unit/scenarios/train/inputs/read_text.h"

static int load(struct read_text *read, const char *name)
{
    memset(read, 0, sizeof(*read));
    return cs_model_load(name, &read->arena, &read->model, &read->division, &read->err);
}

static void names_of_the_library_come_first(void **state)
{
    struct read_text read;

    (void)state;
    assert_int_equal(load(&read, "resnet50"), 0);
    assert_string_equal(read.model.name, "resnet50");
    cs_arena_free(&read.arena);
}

static void arguments_may_stand_in_the_name(void **state)
{
    struct read_text read;

    (void)state;
    assert_int_equal(load(&read, "megatron:--num-layers 2 --hidden-size 64 "
                                 "--num-attention-heads 4 --seq-length 32 "
                                 "--micro-batch-size 3"),
                     0);
    assert_int_equal(read.model.transformer.hidden, 64);
    assert_int_equal(read.division.job.kept.micro_batch, 3);
    cs_arena_free(&read.arena);
    assert_int_equal(load(&read, "--num-layers 2 --hidden-size 64 "
                                 "--num-attention-heads 4 --seq-length 32"),
                     0);
    assert_int_equal(read.model.transformer.hidden, 64);
    cs_arena_free(&read.arena);
}

static void unknown_names_and_missing_files_are_errors(void **state)
{
    struct read_text read;

    (void)state;
    assert_int_equal(load(&read, "resnet5"), CS_EINPUT);
    assert_non_null(strstr(read.err.text, "did you mean 'resnet50'?"));
    cs_arena_free(&read.arena);
    assert_int_equal(load(&read, "/"), CS_EINPUT);
    assert_non_null(strstr(read.err.text, "//config.json"));
    cs_arena_free(&read.arena);
    assert_int_equal(load(&read, "absent/config.json"), CS_EINPUT);
    assert_non_null(strstr(read.err.text, "absent/config.json"));
    cs_arena_free(&read.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_the_library_come_first),
        cmocka_unit_test(arguments_may_stand_in_the_name),
        cmocka_unit_test(unknown_names_and_missing_files_are_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
