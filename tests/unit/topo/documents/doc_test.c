#include "topo/documents/doc.h"

#include "sim/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fixture {
    struct cs_arena arena;
    struct cs_doc doc;
    struct cs_err err;
};

static int parse(struct fixture *f, const char *text)
{
    memset(f, 0, sizeof(*f));
    return cs_doc_read_text((struct cs_doc_text){"f.yaml", text, strlen(text)},
                            &f->doc, &f->arena, &f->err);
}

static void opened(struct fixture *f, const char *text)
{
    if (parse(f, text))
        fail_msg("%s", f->err.text);
}

static void refused(const char *text, const char *sentence)
{
    struct fixture f;

    assert_int_equal(parse(&f, text), CS_EINPUT);
    assert_string_equal(f.err.text, sentence);
    cs_arena_free(&f.arena);
}

static void maps_lists_and_scalars_have_their_lines(void **state)
{
    struct fixture f;
    uint32_t list;
    uint32_t item;

    (void)state;
    opened(&f, "a: 1\nlist:\n  - x\n  - {b: 'two words'}\n");
    assert_int_equal(f.doc.nodes[0].kind, CS_DOC_MAP);
    assert_int_equal(f.doc.nodes[0].count, 2);
    list = cs_doc_get(&f.doc, 0, "list");
    assert_int_equal(f.doc.nodes[list].kind, CS_DOC_LIST);
    assert_int_equal(f.doc.nodes[list].key_line, 2);
    assert_int_equal(f.doc.nodes[list].line, 3);
    assert_int_equal(f.doc.nodes[list].count, 2);
    item = f.doc.nodes[f.doc.nodes[list].first].next;
    assert_string_equal(f.doc.nodes[cs_doc_get(&f.doc, item, "b")].text,
                        "two words");
    assert_int_equal(f.doc.nodes[item].line, 4);
    assert_int_equal(f.doc.nodes[item].next, CS_DOC_NONE);
    assert_int_equal(cs_doc_get(&f.doc, 0, "c"), CS_DOC_NONE);
    cs_arena_free(&f.arena);
}

static void json_is_understood(void **state)
{
    struct fixture f;

    (void)state;
    opened(&f, "{\"a\": [1, 2, {\"b\": \"c\"}]}");
    assert_int_equal(f.doc.nodes[cs_doc_get(&f.doc, 0, "a")].count, 3);
    cs_arena_free(&f.arena);
}

static void a_byte_order_mark_is_skipped(void **state)
{
    struct fixture f;

    (void)state;
    opened(&f, "\xef\xbb\xbf"
               "a: 1\nb: 2\n");
    assert_int_not_equal(cs_doc_get(&f.doc, 0, "a"), CS_DOC_NONE);
    assert_int_not_equal(cs_doc_get(&f.doc, 0, "b"), CS_DOC_NONE);
    cs_arena_free(&f.arena);
}

static void nothing_is_refused(void **state)
{
    (void)state;
    refused("", "f.yaml: the file is empty");
    refused("# a comment\n", "f.yaml: the file is empty");
}

static void a_key_given_twice_is_reported_with_both_lines(void **state)
{
    (void)state;
    refused("a: 1\nb: 2\na: 3\nb: 4\n",
            "f.yaml:3: 'a' is given twice; line 1 has it too");
    refused("x:\n  k: 1\n  k: 2\n",
            "f.yaml:3: 'k' is given twice; line 2 has it too");
}

static void anchors_aliases_and_tags_are_refused(void **state)
{
    (void)state;
    refused("a: &x 1\nb: *x\n", "f.yaml:1: the anchor '&x' is not taken; write "
                                "the value where it is needed");
    refused("a: &x [*x]\n", "f.yaml:1: the anchor '&x' is not taken; write the "
                            "value where it is needed");
    refused("a: &x {b: *x}\n", "f.yaml:1: the anchor '&x' is not taken; write "
                               "the value where it is needed");
    refused("\na: *gpu\n", "f.yaml:2: the alias '*gpu' is not taken; write the "
                           "value out");
    refused("a: !!int 1\n", "f.yaml:1: the tag 'tag:yaml.org,2002:int' is not "
                            "taken; write the value alone");
}

static void a_second_document_is_refused(void **state)
{
    (void)state;
    refused("a: 1\n---\nb: 1\n",
            "f.yaml:2: a second document starts here; expected one");
}

static void what_is_not_yaml_is_reported_with_its_line(void **state)
{
    (void)state;
    refused("a: {b: 1\n", "f.yaml:2: not YAML: did not find expected ',' or "
                          "'}'");
    refused("a:\n\tb: 1\n",
            "f.yaml:2: not YAML: found character that cannot start any token "
            "(a tab or a special character; quote it)");
    refused("? [a]\n: 1\n",
            "f.yaml:1: a list or map stands where a key was expected");
}

static void what_is_not_text_is_refused(void **state)
{
    struct cs_doc_text zero = {"f.yaml", "a: 1\nb\0c", 8};
    struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_doc doc;

    (void)state;
    assert_int_equal(cs_doc_read_text(zero, &doc, &arena, &err), CS_EINPUT);
    assert_string_equal(err.text, "f.yaml:2: not a text: it has a zero byte");
    cs_arena_free(&arena);
    refused("a: 1\nb: \xff\n",
            "f.yaml:2: not a text in UTF-8: invalid leading UTF-8 octet");
    refused("\x7f"
            "ELF\x02\x01",
            "f.yaml:1: not a text in UTF-8: control characters are not "
            "allowed");
    refused("a: \"x\\ny\"\n", "f.yaml:1: a text has a line break or a control "
                              "character; expected one line");
}

static void depth_has_a_limit(void **state)
{
    char deep[CS_DOC_DEPTH_MAX + 2];
    char closed[2 * CS_DOC_DEPTH_MAX + 1] = "";
    struct fixture f;

    (void)state;
    memset(deep, '[', CS_DOC_DEPTH_MAX + 1);
    deep[CS_DOC_DEPTH_MAX + 1] = '\0';
    refused(deep, "f.yaml:1: lists and maps are over 64 deep");
    memset(closed, '[', CS_DOC_DEPTH_MAX);
    memset(closed + CS_DOC_DEPTH_MAX, ']', CS_DOC_DEPTH_MAX);
    opened(&f, closed);
    cs_arena_free(&f.arena);
}

static void the_number_of_values_has_a_limit(void **state)
{
    size_t length = 2 * ((size_t)CS_DOC_NODES_MAX + 1) + 1;
    char *text = malloc(length + 1);
    struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_doc doc;

    (void)state;
    text[0] = '[';
    for (size_t i = 1; i < length; i += 2)
        memcpy(text + i, "1,", 2);
    text[length] = '\0';
    assert_int_equal(cs_doc_read_text((struct cs_doc_text){"f", text, length},
                                      &doc, &arena, &err),
                     CS_EINPUT);
    assert_string_equal(err.text, "f:1: over 1000000 values in one file");
    free(text);
    cs_arena_free(&arena);
}

static void unknown_keys_are_reported_with_the_nearest(void **state)
{
    static const char *const keys[] = {"rate", "latency", NULL};
    struct fixture f;

    (void)state;
    opened(&f, "rate: 1\nlatencie:\n  - 2\n");
    assert_int_equal(cs_doc_want_keys(&f.doc, 0, "a class", keys, &f.err),
                     CS_EINPUT);
    assert_string_equal(f.err.text, "f.yaml:2: no key called 'latencie' in a "
                                    "class; did you mean 'latency'?");
    cs_arena_free(&f.arena);
    opened(&f, "include: other.yaml\n");
    assert_int_equal(cs_doc_want_keys(&f.doc, 0, "a class", keys, &f.err),
                     CS_EINPUT);
    assert_string_equal(f.err.text, "f.yaml:1: no key called 'include' in a "
                                    "class; there are rate, latency");
    cs_arena_free(&f.arena);
}

static void numbers_are_read_with_their_units(void **state)
{
    struct fixture f;
    double rate_Bps = 0;
    double fraction = 0;
    uint64_t time_ps = 0;
    uint32_t count = 0;

    (void)state;
    opened(&f, "[25 GB/s, 1.5 us, 0.8, 8]");
    assert_int_equal(cs_doc_want_rate(&f.doc, 1, "r", &rate_Bps, &f.err), 0);
    assert_int_equal(cs_doc_want_time(&f.doc, 2, "t", &time_ps, &f.err), 0);
    assert_int_equal(cs_doc_want_fraction(&f.doc, 3, "f", &fraction, &f.err),
                     0);
    assert_int_equal(cs_doc_want_count(&f.doc, 4, "c", 8, &count, &f.err), 0);
    assert_true(rate_Bps == 25e9 && time_ps == 1500000);
    assert_true(fraction == 0.8 && count == 8);
    assert_int_equal(cs_doc_want_count(&f.doc, 4, "'c'", 7, &count, &f.err),
                     CS_EINPUT);
    assert_string_equal(f.err.text,
                        "f.yaml:1: 'c': '8' is out of range; expected 1 to 7");
    cs_arena_free(&f.arena);
}

static void the_wrong_sort_of_value_is_reported(void **state)
{
    struct fixture f;
    const char *text;

    (void)state;
    opened(&f, "[[1], {a: 1}, x, '']");
    assert_int_equal(cs_doc_want_map(&f.doc, 1, "'m'", &f.err), CS_EINPUT);
    assert_string_equal(f.err.text, "f.yaml:1: 'm' is a list; expected a map "
                                    "of 'key: value'");
    f.err = (struct cs_err){0};
    assert_int_equal(cs_doc_want_text(&f.doc, 3, "'t'", &text, &f.err),
                     CS_EINPUT);
    assert_string_equal(f.err.text, "f.yaml:1: 't' is a map; expected a text");
    f.err = (struct cs_err){0};
    assert_int_equal(cs_doc_want_list(&f.doc, 5, "'l'", &f.err), CS_EINPUT);
    assert_string_equal(f.err.text, "f.yaml:1: 'l' is a text; expected a list");
    f.err = (struct cs_err){0};
    assert_int_equal(cs_doc_want_text(&f.doc, 6, "'t'", &text, &f.err),
                     CS_EINPUT);
    assert_string_equal(f.err.text, "f.yaml:1: 't' is empty; expected a text");
    cs_arena_free(&f.arena);
}

static void read_path(const char *path, struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct cs_doc doc;

    *err = (struct cs_err){0};
    assert_int_equal(cs_doc_read_file(path, &doc, &arena, err), CS_EINPUT);
    cs_arena_free(&arena);
}

static void a_large_file_is_refused_unread(void **state)
{
    char path[] = "/tmp/collsim-doc-XXXXXX";
    char sentence[100];
    struct cs_err err;
    int file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    /* Sparse: had it been read, its zero bytes would have been told. */
    assert_int_equal(ftruncate(file, 100 << 20), 0);
    close(file);
    read_path(path, &err);
    snprintf(sentence, sizeof(sentence), "%s: the file is larger than 16 MiB",
             path);
    assert_string_equal(err.text, sentence);
    unlink(path);
}

static void what_is_longer_than_it_says_is_refused(void **state)
{
    struct cs_err err;

    (void)state;
    read_path("/dev/zero", &err);
    assert_string_equal(err.text, "/dev/zero: the file is larger than 16 MiB");
}

static void what_cannot_be_opened_is_reported(void **state)
{
    struct cs_err err;

    (void)state;
    read_path("/tmp", &err);
    assert_string_equal(err.text, "'/tmp' is a directory; expected a file");
    read_path("/nowhere/x.yaml", &err);
    assert_string_equal(err.text, "cannot open '/nowhere/x.yaml': No such file "
                                  "or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_lists_and_scalars_have_their_lines),
        cmocka_unit_test(json_is_understood),
        cmocka_unit_test(a_byte_order_mark_is_skipped),
        cmocka_unit_test(nothing_is_refused),
        cmocka_unit_test(a_key_given_twice_is_reported_with_both_lines),
        cmocka_unit_test(anchors_aliases_and_tags_are_refused),
        cmocka_unit_test(a_second_document_is_refused),
        cmocka_unit_test(what_is_not_yaml_is_reported_with_its_line),
        cmocka_unit_test(what_is_not_text_is_refused),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(the_number_of_values_has_a_limit),
        cmocka_unit_test(unknown_keys_are_reported_with_the_nearest),
        cmocka_unit_test(numbers_are_read_with_their_units),
        cmocka_unit_test(the_wrong_sort_of_value_is_reported),
        cmocka_unit_test(a_large_file_is_refused_unread),
        cmocka_unit_test(what_is_longer_than_it_says_is_refused),
        cmocka_unit_test(what_cannot_be_opened_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
