/* GOAL words: separation, comments, lines and numbers. */
#include "algorithms/schedules/goal/words.h"

#include "tests/fixture.h"

/* A text in pieces of `piece` bytes, and the words of it. */
struct reading {
    struct cs_stream_text text;
    size_t piece;
    struct cs_stream stream;
    struct cs_goal_words words;
    struct cs_err err;
};

static int fill_piece(void *ctx, char *to, size_t room, size_t *got, struct cs_err *err)
{
    struct reading *reading = ctx;

    return cs_stream_text(&reading->text, to, room < reading->piece ? room : reading->piece, got,
                          err);
}

static void open_bytes(struct reading *reading, const char *text, size_t length, size_t piece)
{
    *reading = (struct reading){.text = {text, length}, .piece = piece};
    cs_stream_open(&reading->stream, "x.goal", fill_piece, reading);
    reading->words =
        (struct cs_goal_words){.stream = &reading->stream, .line = 1, .err = &reading->err};
}

static void open_words(struct reading *reading, const char *text)
{
    open_bytes(reading, text, strlen(text), SIZE_MAX);
}

/* The words are the same wherever the pieces of the text end. */
static void expect_words(const char *text, const char *const *expected)
{
    struct reading reading;
    size_t piece, i;

    for (piece = 1; piece <= strlen(text) + 1; piece++) {
        open_bytes(&reading, text, strlen(text), piece);
        for (i = 0;; i++) {
            assert_int_equal(cs_goal_advance(&reading.words), 0);
            assert_true(cs_goal_is(&reading.words, expected[i]));
            if (reading.words.length == 0)
                break;
        }
        cs_stream_close(&reading.stream);
    }
}

TEST(punctuation_separates_words)
{
    static const char *const expected[] = {"a-1.b_2", ":", "send", "}", ""};

    expect_words("a-1.b_2:send}", expected);
}

TEST(comments_separate_words)
{
    static const char *const expected[] = {"a", "b", "/", "c", ""};

    expect_words("a/* ** \n */b // c\n/ c /* no end", expected);
}

TEST(lines_count_inside_comments)
{
    static const uint32_t lines[] = {1, 3, 4};
    struct reading reading;

    open_words(&reading, "a /* \n\n */ b\nc");
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        assert_int_equal(cs_goal_advance(&reading.words), 0);
        assert_int_equal(reading.words.word_line, lines[i]);
    }
    cs_stream_close(&reading.stream);
}

TEST(a_size_needs_the_suffix_b)
{
    struct reading reading;
    struct cs_goal_words *words = &reading.words;
    uint64_t bytes = 0;

    open_words(&reading, "64b 64 65b");
    assert_int_equal(cs_goal_advance(words), 0);
    assert_int_equal(cs_goal_want_bytes(words, 64, &bytes), 0);
    assert_int_equal(bytes, 64);
    assert_int_equal(cs_goal_want_bytes(words, 64, &bytes), CS_EINPUT);
    assert_string_equal(reading.err.text, "x.goal:1: '64'; expected a number of bytes, as in 64b");
    assert_int_equal(cs_goal_advance(words), 0);
    assert_int_equal(cs_goal_want_bytes(words, 64, &bytes), CS_EINPUT);
    cs_stream_close(&reading.stream);
}

TEST(a_number_beyond_64_bits_is_refused)
{
    static const char *const texts[] = {"9223372036854775808", "18446744073709551616",
                                        "99999999999999999999999999"};
    struct reading reading;
    uint64_t number = 0;

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        open_words(&reading, texts[i]);
        assert_int_equal(cs_goal_advance(&reading.words), 0);
        assert_int_equal(cs_goal_want_number(&reading.words, "a number", INT64_MAX, &number),
                         CS_EINPUT);
        cs_stream_close(&reading.stream);
    }
}

TEST(a_word_has_a_maximal_length)
{
    char text[CS_GOAL_WORD_MAX + 1];
    struct reading reading;

    memset(text, 'a', sizeof(text));
    open_bytes(&reading, text, CS_GOAL_WORD_MAX, SIZE_MAX);
    assert_int_equal(cs_goal_advance(&reading.words), 0);
    cs_stream_close(&reading.stream);
    open_bytes(&reading, text, sizeof(text), 1);
    assert_int_equal(cs_goal_advance(&reading.words), CS_EINPUT);
    assert_string_equal(reading.err.text, "x.goal:1: word longer than 63 characters");
    cs_stream_close(&reading.stream);
}

TEST(a_zero_byte_is_refused)
{
    struct reading reading;

    open_bytes(&reading, "a\0b", 3, SIZE_MAX);
    assert_int_equal(cs_goal_advance(&reading.words), 0);
    assert_int_equal(cs_goal_advance(&reading.words), CS_EINPUT);
    assert_string_equal(reading.err.text, "x.goal:1: not a text file: contains a zero byte");
    cs_stream_close(&reading.stream);
}
