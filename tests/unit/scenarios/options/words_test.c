/* Words of option values: lists, and unknown names. */
#include "scenarios/options/words.h"

#include "tests/fixture.h"

struct taken {
    const char *words[8];
    size_t count;
};

static int take(void *target, const char *word, struct cs_err *err)
{
    struct taken *taken = target;

    (void)err;
    taken->words[taken->count++] = word;
    return 0;
}

static void a_list_is_taken_word_by_word(void **state)
{
    struct cs_arena arena = {0};
    struct taken taken = {.count = 0};
    struct cs_err err = {0};

    (void)state;
    assert_int_equal(
        cs_options_each((struct cs_option_list){&arena, take, &taken}, "ring,tree,ps", &err), 0);
    assert_int_equal(taken.count, 3);
    assert_string_equal(taken.words[0], "ring");
    assert_string_equal(taken.words[2], "ps");
    cs_arena_free(&arena);
}

static void an_empty_word_is_refused(void **state)
{
    static const char *const lists[] = {"", "ring,", "ring,,tree"};
    struct cs_arena arena = {0};
    struct taken taken = {.count = 0};

    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(
            cs_options_each((struct cs_option_list){&arena, take, &taken}, lists[i], NULL),
            CS_EINPUT);
    cs_arena_free(&arena);
}

static void an_unknown_name_is_refused_with_the_nearest_or_all(void **state)
{
    static const char *const names[] = {"fifo", "packet"};
    const struct cs_option_names known = {"model", names, 2};
    struct cs_err err = {0};

    (void)state;
    assert_int_equal(cs_options_refuse(known, "fifa", &err), CS_EINPUT);
    assert_string_equal(err.text, "no model called 'fifa'; did you mean 'fifo'?");
    err = (struct cs_err){0};
    assert_int_equal(cs_options_refuse(known, "quantum", &err), CS_EINPUT);
    assert_string_equal(err.text, "no model called 'quantum'; expected fifo, packet");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_is_taken_word_by_word),
        cmocka_unit_test(an_empty_word_is_refused),
        cmocka_unit_test(an_unknown_name_is_refused_with_the_nearest_or_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
