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

ARENA_TEST(a_list_is_taken_word_by_word)
{
    struct taken taken = {.count = 0};

    assert_done(
        cs_options_each((struct cs_option_list){arena, take, &taken}, "ring,tree,ps", &err));
    assert_int_equal(taken.count, 3);
    assert_string_equal(taken.words[0], "ring");
    assert_string_equal(taken.words[2], "ps");
}

ARENA_TEST(an_empty_word_is_refused)
{
    static const char *const lists[] = {"", "ring,", "ring,,tree"};
    struct taken taken = {.count = 0};

    for (size_t i = 0; i < 3; i++)
        assert_int_equal(
            cs_options_each((struct cs_option_list){arena, take, &taken}, lists[i], NULL),
            CS_EINPUT);
}

TEST(an_unknown_name_is_refused_with_the_nearest_or_all)
{
    static const char *const names[] = {"fifo", "packet"};
    const struct cs_option_names known = {"model", names, 2};

    assert_refused(cs_options_refuse(known, "fifa", &err), CS_EINPUT,
                   "no model called 'fifa'; did you mean 'fifo'?");
    assert_refused(cs_options_refuse(known, "quantum", &err), CS_EINPUT,
                   "no model called 'quantum'; expected fifo, packet");
}
