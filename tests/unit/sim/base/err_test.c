#include "sim/base/err.h"

#include "tests/test.h"

TEST(an_error_has_its_code_and_sentence)
{
    struct cs_err err = {0};

    assert_int_equal(cs_err_set(&err, CS_EINPUT, "no algorithm called '%s'", "rnig"), CS_EINPUT);
    assert_int_equal(err.code, CS_EINPUT);
    assert_string_equal(err.text, "no algorithm called 'rnig'");
}

TEST(the_first_error_stays)
{
    struct cs_err err = {0};

    cs_err_set(&err, CS_EINPUT, "first");
    assert_int_equal(cs_err_set(&err, CS_ECANNOT, "second"), CS_EINPUT);
    assert_int_equal(cs_err_at(&err, CS_ECANNOT, "f", 1, "third"), CS_EINPUT);
    assert_string_equal(err.text, "first");
}

TEST(the_sentence_is_optional)
{
    assert_int_equal(cs_err_set(NULL, CS_ECANNOT, "unheard"), CS_ECANNOT);
    assert_int_equal(cs_err_at(NULL, CS_EANSWER, "f", 1, "x"), CS_EANSWER);
}

static const char *placed(struct cs_err *err, const char *file, unsigned line)
{
    *err = (struct cs_err){0};
    cs_err_at(err, CS_EINPUT, file, line, "'%s' is wrong", "x");
    return err->text;
}

TEST(a_place_stands_in_front)
{
    struct cs_err err;

    assert_string_equal(placed(&err, "dgx.yaml", 12), "dgx.yaml:12: 'x' is wrong");
    assert_string_equal(placed(&err, "dgx.yaml", 0), "dgx.yaml: 'x' is wrong");
    assert_string_equal(placed(&err, "", 12), "'x' is wrong");
    assert_string_equal(placed(&err, NULL, 12), "'x' is wrong");
}

TEST(a_long_sentence_ends_in_dots)
{
    struct cs_err err = {0};

    cs_err_set(&err, CS_EINPUT, "%01000d", 1);
    assert_int_equal(strlen(err.text), CS_ERR_TEXT_MAX - 1);
    assert_string_equal(err.text + strlen(err.text) - 4, "0...");
}

TEST(a_sentence_that_just_fits_is_whole)
{
    struct cs_err err = {0};

    cs_err_set(&err, CS_EINPUT, "%0*d", CS_ERR_TEXT_MAX - 1, 7);
    assert_int_equal(strlen(err.text), CS_ERR_TEXT_MAX - 1);
    assert_int_equal(err.text[CS_ERR_TEXT_MAX - 2], '7');
}

TEST(a_place_that_is_too_long_is_cut_too)
{
    struct cs_err err = {0};
    char file[2 * CS_ERR_TEXT_MAX];

    memset(file, 'f', sizeof(file) - 1);
    file[sizeof(file) - 1] = '\0';
    cs_err_at(&err, CS_EINPUT, file, 1, "unseen");
    assert_string_equal(err.text + strlen(err.text) - 4, "f...");
}

TEST(a_letter_of_several_bytes_is_not_cut_in_half)
{
    struct cs_err err = {0};
    char text[CS_ERR_TEXT_MAX + 20];

    /* The letter's first byte would be the last that is kept. */
    memset(text, 'a', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    memcpy(text + CS_ERR_TEXT_MAX - 5, "\xc2\xb5", 2);
    cs_err_set(&err, CS_EINPUT, "%s", text);
    assert_string_equal(err.text + strlen(err.text) - 4, "a...");
}

TEST(a_terminal_is_not_obeyed)
{
    struct cs_err err = {0};

    cs_err_set(&err, CS_EINPUT, "no '%s'", "\x1b[2J\r\x7f");
    assert_string_equal(err.text, "no '?[2J\?\?'");
}

TEST(an_empty_sentence_still_says_something)
{
    struct cs_err err = {0};

    cs_err_set(&err, CS_EINPUT, "%s", "");
    assert_string_equal(err.text, "unknown error");
}

TEST(a_prefix_keeps_the_code_and_the_sentence)
{
    struct cs_err err = {0};

    cs_err_set(&err, CS_ECANNOT, "no %s", "gpu");
    assert_int_equal(cs_err_prefix(&err, "--%s", "device"), CS_ECANNOT);
    assert_string_equal(err.text, "--device: no gpu");
    cs_err_prefix(&err, "case %d", 3);
    assert_string_equal(err.text, "case 3: --device: no gpu");
}

TEST(no_error_takes_no_prefix)
{
    struct cs_err err = {0};

    assert_int_equal(cs_err_prefix(&err, "case"), CS_OK);
    assert_string_equal(err.text, "");
    assert_int_equal(cs_err_prefix(NULL, "case"), CS_OK);
}

TEST(a_prefixed_sentence_that_is_too_long_ends_in_dots)
{
    struct cs_err err = {0};

    cs_err_set(&err, CS_EINPUT, "%0*d", CS_ERR_TEXT_MAX - 2, 7);
    cs_err_prefix(&err, "case");
    assert_int_equal(strlen(err.text), CS_ERR_TEXT_MAX - 1);
    assert_memory_equal(err.text, "case: 000", 9);
    assert_string_equal(err.text + CS_ERR_TEXT_MAX - 4, "...");
}
