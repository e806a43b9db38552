#include "topo/documents/json_tokens.h"

#include "sim/base/text.h"
#include "tests/test.h"

/* A letter for each token, the texts of keys and scalars behind it. */
static void spell(struct cs_json_reader *json, struct cs_text *out)
{
    static const char letters[] = "$~!{}[]k\"#tf0";
    enum cs_json_token token;

    do {
        token = cs_json_reader_next(json);
        cs_text_add_n(out, &letters[token], 1);
        if (token == CS_JSON_KEY || token == CS_JSON_STRING || token == CS_JSON_NUMBER)
            cs_text_add(out, cs_json_reader_text(json));
    } while (token > CS_JSON_STOPS);
}

static void expect(const char *text, const char *tokens)
{
    struct cs_json_reader *json =
        cs_json_reader_open((struct cs_json_source){text, strlen(text), NULL}, "f");
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    spell(json, &out);
    assert_string_equal(cs_text_str(&out), tokens);
    cs_json_reader_close(json);
}

TEST(documents_are_read_as_tokens)
{
    expect("{\"a\": [1, -2.5e3, true], \"b\": {}, \"c\": null}", "{ka[#1#-2.5e3t]kb{}kc0}$");
    expect(" [ ] \n", "[]$");
    expect("\"x\"", "\"x$");
}

TEST(escapes_become_characters)
{
    expect("[\"a\\\"b\\\\c\\n\\u0041\\u00e9\\u20ac\"]", "[\"a\"b\\c\nA\xc3\xa9\xe2\x82\xac]$");
}

TEST(writers_that_are_careless_are_read)
{
    expect("[NaN, Infinity, \"C:\\dir\"]", "[#NaN#Infinity\"C:\\dir]$");
}

TEST(a_document_that_ends_early_is_truncated)
{
    expect("", "~");
    expect("{\"a\": [1, 2", "{ka[#1~");
    expect("{\"a\": \"tex", "{ka~");
    expect("[{\"a\": 1}, ", "[{ka#1}~");
}

static void problem(const char *text, const char *message)
{
    struct cs_json_reader *json =
        cs_json_reader_open((struct cs_json_source){text, strlen(text), NULL}, "f");
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    spell(json, &out);
    assert_refused(cs_json_reader_problem(json, &err), CS_EINPUT, message);
    assert_int_equal(cs_json_reader_next(json), CS_JSON_BAD);
    cs_json_reader_close(json);
}

TEST(problems_name_line_byte_and_expectation)
{
    problem("{\n \"a\" 1}", "f:2: byte 7: '1' where ':' is expected");
    problem("[1 2]", "f:1: byte 3: '2' where ',' or ']' is expected");
    problem("{\"a\":1,}", "f:1: byte 7: '}' where a key in double quotes is expected");
    problem("[1] x", "f:1: byte 4: 'x' where the end of the file is expected");
    problem("[0x10]", "f:1: byte 5: '0' where a value is expected");
}

TEST(nesting_has_a_limit)
{
    char text[CS_JSON_DEPTH_MAX + 2];

    memset(text, '[', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    problem(text, "f:1: byte 64: '[' where a depth of at most 64 is expected");
}

TEST(a_skipped_value_leaves_the_reader_behind_it)
{
    static const char text[] = "{\"a\": {\"b\": [1, {\"c\": 2}]}, \"d\": 4}";
    struct cs_json_reader *json =
        cs_json_reader_open((struct cs_json_source){text, strlen(text), NULL}, "f");

    assert_int_equal(cs_json_reader_next(json), CS_JSON_OBJECT);
    assert_int_equal(cs_json_reader_next(json), CS_JSON_KEY);
    assert_int_equal(cs_json_reader_skip(json), CS_JSON_OBJECT_END);
    assert_int_equal(cs_json_reader_next(json), CS_JSON_KEY);
    assert_string_equal(cs_json_reader_text(json), "d");
    assert_int_equal(cs_json_reader_next(json), CS_JSON_NUMBER);
    assert_true(cs_json_reader_number(json) == 4);
    assert_int_equal(cs_json_reader_depth(json), 1);
    cs_json_reader_close(json);
}

/* Strings, keys and numbers across the borders of the reader's buffer. */
TEST(a_file_longer_than_the_buffer_reads_as_from_memory)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0}, memory = {0}, file = {0};
    struct cs_json_reader *json;
    FILE *stream = tmpfile();

    cs_text_add(&text, "[");
    for (int i = 0; i < 20000; i++)
        cs_text_printf(&text, "{\"key%d\": [%d.25, \"a\\\"%d\"]},\n", i, i, i);
    cs_text_add(&text, "0]");
    assert_non_null(stream);
    fwrite(text.data, 1, text.length, stream);
    rewind(stream);
    json = cs_json_reader_open((struct cs_json_source){text.data, text.length, NULL}, "f");
    spell(json, &memory);
    assert_int_equal(cs_json_reader_line(json), 20001);
    cs_json_reader_close(json);
    json = cs_json_reader_open((struct cs_json_source){"", 0, stream}, "f");
    spell(json, &file);
    assert_int_equal(cs_json_reader_byte(json), text.length);
    assert_int_equal(cs_json_reader_line(json), 20001);
    cs_json_reader_close(json);
    assert_string_equal(cs_text_str(&memory), cs_text_str(&file));
    fclose(stream);
}
