#include "sim/base/text.h"

#include "tests/test.h"

#include <inttypes.h>

TEST(an_empty_text_is_valid)
{
    struct cs_text text = {0};

    assert_string_equal(cs_text_str(&text), "");
    cs_text_add(&text, "");
    assert_string_equal(cs_text_str(&text), "");
    cs_text_free(&text);
    assert_null(text.data);
    cs_text_free(&text);
}

TEXT_TEST(a_text_grows_by_what_is_added)
{
    for (int i = 0; i < 1000; i++) {
        cs_text_add(out, "ab");
        cs_text_add_n(out, "cdefg", 1);
        cs_text_printf(out, "%d", i % 10);
    }
    assert_int_equal(out->length, 4000);
    assert_int_equal(strlen(cs_text_str(out)), 4000);
    assert_memory_equal(out->data, "abc0abc1", 8);
    assert_string_equal(out->data + 3996, "abc9");
}

TEXT_TEST(printf_takes_any_length)
{
    cs_text_printf(out, "%0100000d|", 1);
    assert_int_equal(out->length, 100001);
}

static const char *const names[] = {"naive", "ring", "tree", "ps", "all-gather", "reduce-scatter"};

TEST(one_edit_is_forgiven)
{
    assert_string_equal(cs_nearest("rnig", names, COUNT(names)), "ring");
    assert_string_equal(cs_nearest("rin", names, COUNT(names)), "ring");
    assert_string_equal(cs_nearest("rings", names, COUNT(names)), "ring");
    assert_string_equal(cs_nearest("rang", names, COUNT(names)), "ring");
    assert_string_equal(cs_nearest("ring", names, COUNT(names)), "ring");
}

TEST(a_slip_is_one_edit)
{
    assert_string_equal(cs_slip("rnig", names, COUNT(names)), "ring");
    assert_string_equal(cs_slip("rings", names, COUNT(names)), "ring");
    assert_string_equal(cs_slip("ring", names, COUNT(names)), "ring");
    assert_null(cs_slip("ringss", names, COUNT(names)));
    assert_null(cs_slip("all-gathr-", names, COUNT(names)));
}

TEST(a_third_of_the_letters_is_forgiven)
{
    assert_string_equal(cs_nearest("redcue-sactter", names, COUNT(names)), "reduce-scatter");
    assert_string_equal(cs_nearest("allgather", names, COUNT(names)), "all-gather");
    assert_null(cs_nearest("reduce", names, COUNT(names)));
    assert_null(cs_nearest("butterfly", names, COUNT(names)));
}

TEST(capitals_are_forgiven)
{
    assert_string_equal(cs_nearest("RING", names, COUNT(names)), "ring");
    assert_string_equal(cs_nearest("All-Gather", names, COUNT(names)), "all-gather");
}

TEST(names_that_differ_by_joints_are_nearest)
{
    const char *const machines[] = {"dgx", "dgx-1", "dgx-1-p100"};

    assert_string_equal(cs_nearest("dgx1", machines, 3), "dgx-1");
    assert_string_equal(cs_nearest("DGX 1 P100", machines, 3), "dgx-1-p100");
    assert_string_equal(cs_nearest("dgx-", machines, 3), "dgx");
    assert_null(cs_nearest("-", machines, 3));
}

TEST(a_name_may_be_short_for_one_other)
{
    const char *const distributions[] = {"exponential", "normal", "lognormal", "lognormal-2",
                                         "logistic"};

    assert_string_equal(cs_nearest("expo", distributions, 5), "exponential");
    assert_string_equal(cs_nearest("logi", distributions, 5), "logistic");
    assert_null(cs_nearest("logn", distributions, 5)); /* of two */
    assert_null(cs_nearest("ex", distributions, 5));
}

TEST(a_name_with_nothing_in_common_is_not_meant)
{
    const char *const letters[] = {"a", "b"};

    assert_null(cs_nearest("x", letters, 2));
    assert_null(cs_nearest("", letters, 2));
    assert_null(cs_nearest("ring", NULL, 0));
}

TEST(the_first_of_equals_is_nearest)
{
    const char *const equals[] = {"cat", "bat", "rat"};

    assert_string_equal(cs_nearest("mat", equals, 3), "cat");
    assert_string_equal(cs_nearest("rat", equals, 3), "rat");
}

TEST(very_long_words_match_only_exactly)
{
    char word[80], other[80];
    const char *const longs[] = {other, word};

    memset(word, 'w', sizeof(word) - 1);
    word[sizeof(word) - 1] = '\0';
    memcpy(other, word, sizeof(word));
    other[3] = 'v';
    assert_ptr_equal(cs_nearest(word, longs, 2), word);
    assert_null(cs_nearest(word, longs, 1));
    assert_null(cs_nearest("www", longs, 2));
    word[64] = '\0';
    other[64] = '\0';
    assert_ptr_equal(cs_nearest(word, longs, 1), other);
}

TEST(the_same_is_the_same_letter_by_letter)
{
    assert_true(cs_same("ring", "ring"));
    assert_true(cs_same("", ""));
    assert_false(cs_same("ring", "Ring"));
    assert_false(cs_same("ring", "rings"));
}

TEST(numbers_are_taken_behind_their_words)
{
    const char *at = "Chunk 7 from  12->4294967296";
    uint32_t number = 0;

    assert_true(cs_text_take_number(&at, "Chunk", &number));
    assert_int_equal(number, 7);
    assert_false(cs_text_take_number(&at, " to ", &number));
    assert_true(cs_text_take_number(&at, " from ", &number));
    assert_int_equal(number, 12);
    assert_false(cs_text_take_number(&at, "-", &number));
    assert_false(cs_text_take_number(&at, "->", &number));
}

TEST(numbers_are_added_as_printf_writes_them)
{
    const uint64_t numbers[] = {0, 7, 10, 99, UINT32_MAX, UINT64_MAX};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        CS_AT_END(cs_text_free) struct cs_text added = {0}, printed = {0};

        cs_text_add_number(&added, numbers[i]);
        cs_text_printf(&printed, "%" PRIu64, numbers[i]);
        assert_string_equal(added.data, printed.data);
    }
}
