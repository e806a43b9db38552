/* GOAL words: separation, comments, lines and numbers. */
#include "algorithms/schedules/goal_words.h"

#include "tests/fixture.h"

#include <string.h>

static struct cs_goal_words words_of(const char *text, struct cs_err *err)
{
    return (struct cs_goal_words){.file = "x.goal",
                                  .at = text,
                                  .end = text + strlen(text),
                                  .line = 1,
                                  .err = err};
}

static void expect_words(const char *text, const char *const *expected)
{
    struct cs_err err = {0};
    struct cs_goal_words words = words_of(text, &err);

    do {
        assert_int_equal(cs_goal_advance(&words), 0);
        assert_string_equal(words.word, *expected);
    } while (**expected++);
}

static void punctuation_separates_words(void **state)
{
    static const char *const expected[] = {"a-1.b_2", ":", "send", "}", ""};

    (void)state;
    expect_words("a-1.b_2:send}", expected);
}

static void comments_separate_words(void **state)
{
    static const char *const expected[] = {"a", "b", "/", "c", ""};

    (void)state;
    expect_words("a/* ** \n */b // c\n/ c /* no end", expected);
}

static void lines_count_inside_comments(void **state)
{
    struct cs_err err = {0};
    struct cs_goal_words words = words_of("a /* \n\n */ b\nc", &err);

    (void)state;
    assert_int_equal(cs_goal_advance(&words), 0);
    assert_int_equal(words.word_line, 1);
    assert_int_equal(cs_goal_advance(&words), 0);
    assert_int_equal(words.word_line, 3);
    assert_int_equal(cs_goal_advance(&words), 0);
    assert_int_equal(words.word_line, 4);
}

static void a_size_needs_the_suffix_b(void **state)
{
    struct cs_err err = {0};
    struct cs_goal_words words = words_of("64b 64 65b", &err);
    uint64_t bytes = 0;

    (void)state;
    assert_int_equal(cs_goal_advance(&words), 0);
    assert_int_equal(cs_goal_want_bytes(&words, 64, &bytes), 0);
    assert_int_equal(bytes, 64);
    assert_int_equal(cs_goal_want_bytes(&words, 64, &bytes), CS_EINPUT);
    assert_string_equal(
        err.text, "x.goal:1: '64'; expected a number of bytes, as in 64b");
    assert_int_equal(cs_goal_advance(&words), 0);
    assert_int_equal(cs_goal_want_bytes(&words, 64, &bytes), CS_EINPUT);
}

static void a_word_has_a_maximal_length(void **state)
{
    char text[CS_GOAL_WORD_MAX + 1];
    struct cs_err err = {0};
    struct cs_goal_words words;

    (void)state;
    memset(text, 'a', sizeof(text));
    text[CS_GOAL_WORD_MAX - 1] = '\0';
    words = words_of(text, &err);
    assert_int_equal(cs_goal_advance(&words), 0);
    text[CS_GOAL_WORD_MAX - 1] = 'a';
    text[CS_GOAL_WORD_MAX] = '\0';
    words = words_of(text, &err);
    assert_int_equal(cs_goal_advance(&words), CS_EINPUT);
    assert_string_equal(err.text, "x.goal:1: word longer than 63 characters");
}

static void a_zero_byte_is_refused(void **state)
{
    static const char text[] = "a\0b";
    struct cs_err err = {0};
    struct cs_goal_words words = words_of(text, &err);

    (void)state;
    words.end = text + 3;
    assert_int_equal(cs_goal_advance(&words), 0);
    assert_int_equal(cs_goal_advance(&words), CS_EINPUT);
    assert_string_equal(err.text,
                        "x.goal:1: not a text file: contains a zero byte");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(punctuation_separates_words),
        cmocka_unit_test(comments_separate_words),
        cmocka_unit_test(lines_count_inside_comments),
        cmocka_unit_test(a_size_needs_the_suffix_b),
        cmocka_unit_test(a_word_has_a_maximal_length),
        cmocka_unit_test(a_zero_byte_is_refused),
    };

    return cmocka_run_group_tests_name("goal_words", tests, NULL, NULL);
}
