#include "topo/documents/yaml.h"

#include "sim/base/text.h"

#include "tests/unit/topo/documents/parsed.h"

#include <unistd.h>

static void refused(const char *text, const char *sentence)
{
    CS_AT_END(parsed_free) struct fixture f = {0};

    assert_int_equal(parse(&f, text), CS_EINPUT);
    assert_string_equal(f.err.text, sentence);
}

PARSED_TEST(maps_lists_and_scalars_have_their_lines)
{
    uint32_t list, item;

    opened(f, "a: 1\nlist:\n  - x\n  - {b: 'two words'}\n");
    assert_int_equal(f->doc.nodes[0].kind, CS_DOC_MAP);
    assert_int_equal(f->doc.nodes[0].count, 2);
    list = cs_doc_get(&f->doc, 0, "list");
    assert_int_equal(f->doc.nodes[list].kind, CS_DOC_LIST);
    assert_int_equal(f->doc.nodes[list].key_line, 2);
    assert_int_equal(f->doc.nodes[list].line, 3);
    assert_int_equal(f->doc.nodes[list].count, 2);
    item = f->doc.nodes[f->doc.nodes[list].first].next;
    assert_string_equal(f->doc.nodes[cs_doc_get(&f->doc, item, "b")].text, "two words");
    assert_int_equal(f->doc.nodes[item].line, 4);
    assert_int_equal(f->doc.nodes[item].next, CS_DOC_NONE);
    assert_int_equal(cs_doc_get(&f->doc, 0, "c"), CS_DOC_NONE);
}

PARSED_TEST(json_is_understood)
{
    opened(f, "{\"a\": [1, 2, {\"b\": \"c\"}]}");
    assert_int_equal(f->doc.nodes[cs_doc_get(&f->doc, 0, "a")].count, 3);
}

PARSED_TEST(a_byte_order_mark_is_skipped)
{
    opened(f, "\xef\xbb\xbf"
              "a: 1\nb: 2\n");
    assert_int_not_equal(cs_doc_get(&f->doc, 0, "a"), CS_DOC_NONE);
    assert_int_not_equal(cs_doc_get(&f->doc, 0, "b"), CS_DOC_NONE);
}

/* Behind the length stands what is no part of the text. */
TEST(a_byte_order_mark_ends_with_the_text)
{
    static const char text[] = "\xef\xbb\xbf"
                               "a: 1\n";

    for (size_t length = 1; length < 3; length++) {
        CS_AT_END(parsed_free) struct fixture f = {0};

        assert_refused(
            cs_yaml_read_text((struct cs_doc_text){"f.yaml", text, length}, &f.doc, &f.arena, &err),
            CS_EINPUT, "f.yaml:1: not a text in UTF-8: incomplete UTF-8 octet sequence");
    }
}

TEST(an_empty_file_is_refused)
{
    refused("", "f.yaml: the file is empty");
    refused("# a comment\n", "f.yaml: the file is empty");
}

TEST(a_duplicate_key_is_reported_with_both_lines)
{
    refused("a: 1\nb: 2\na: 3\nb: 4\n", "f.yaml:3: duplicate key 'a', first in line 1");
    refused("x:\n  k: 1\n  k: 2\n", "f.yaml:3: duplicate key 'k', first in line 2");
}

TEST(anchors_aliases_and_tags_are_refused)
{
    refused("a: &x 1\nb: *x\n", "f.yaml:1: the anchor '&x' is not supported; repeat the value");
    refused("a: &x [*x]\n", "f.yaml:1: the anchor '&x' is not supported; repeat the value");
    refused("a: &x {b: *x}\n", "f.yaml:1: the anchor '&x' is not supported; repeat the value");
    refused("\na: *gpu\n", "f.yaml:2: the alias '*gpu' is not supported; repeat the value");
    refused("a: !!int 1\n",
            "f.yaml:1: the tag 'tag:yaml.org,2002:int' is not supported; write the value alone");
}

TEST(a_second_document_is_refused)
{
    refused("a: 1\n---\nb: 1\n", "f.yaml:2: second document in one file; expected one");
}

TEST(a_syntax_error_is_reported_with_its_line)
{
    refused("a: {b: 1\n", "f.yaml:2: not YAML: did not find expected ',' or '}'");
    refused("a:\n\tb: 1\n", "f.yaml:2: not YAML: found character that cannot start any token (a "
                            "tab or a special character; quote it)");
    refused("? [a]\n: 1\n", "f.yaml:1: a list or map in place of a key");
}

ARENA_TEST(binary_data_is_refused)
{
    struct cs_doc_text zero = {"f.yaml", "a: 1\nb\0c", 8};
    struct cs_doc doc;

    assert_refused(cs_yaml_read_text(zero, &doc, arena, &err), CS_EINPUT,
                   "f.yaml:2: not a text: it has a zero byte");
    refused("a: 1\nb: \xff\n", "f.yaml:2: not a text in UTF-8: invalid leading UTF-8 octet");
    refused("\x7f"
            "ELF\x02\x01",
            "f.yaml:1: not a text in UTF-8: control characters are not allowed");
    refused("One line\n\nand another\n",
            "f.yaml:1: prose of several lines; expected YAML of 'key: value'");
    refused("a: \"x\\ny\"\n",
            "f.yaml:1: a line break or control character in a text; expected one line");
}

PARSED_TEST(depth_has_a_limit)
{
    char deep[CS_DOC_DEPTH_MAX + 2];
    char closed[2 * CS_DOC_DEPTH_MAX + 1] = "";

    memset(deep, '[', CS_DOC_DEPTH_MAX + 1);
    deep[CS_DOC_DEPTH_MAX + 1] = '\0';
    refused(deep, "f.yaml:1: values are nested over 64 deep");
    memset(closed, '[', CS_DOC_DEPTH_MAX);
    memset(closed + CS_DOC_DEPTH_MAX, ']', CS_DOC_DEPTH_MAX);
    opened(f, closed);
}

ARENA_TEST(the_number_of_values_has_a_limit)
{
    size_t length = 2 * ((size_t)CS_YAML_NODES_MAX + 1) + 1;
    char *text = malloc(length + 1);
    struct cs_doc doc;

    text[0] = '[';
    for (size_t i = 1; i < length; i += 2)
        memcpy(text + i, "1,", 2);
    text[length] = '\0';
    assert_refused(cs_yaml_read_text((struct cs_doc_text){"f", text, length}, &doc, arena, &err),
                   CS_EINPUT, "f:1: over 1000000 values in one file");
    free(text);
}

static void read_path(const char *path, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_doc doc;

    *err = (struct cs_err){0};
    assert_int_equal(cs_yaml_read_file(path, &doc, &arena, err), CS_EINPUT);
}

TEST(a_large_file_is_refused_unread)
{
    char path[] = "/tmp/collsim-doc-XXXXXX";
    char sentence[100];
    struct cs_err err;
    int file = mkstemp(path);

    assert_true(file >= 0);
    /* Sparse: had it been read, its zero bytes would have been reported. */
    assert_int_equal(ftruncate(file, 100 << 20), 0);
    close(file);
    read_path(path, &err);
    snprintf(sentence, sizeof(sentence), "%s: the file is larger than 16 MiB", path);
    assert_string_equal(err.text, sentence);
    unlink(path);
}

TEST(an_endless_file_is_refused)
{
    struct cs_err err;

    read_path("/dev/zero", &err);
    assert_string_equal(err.text, "/dev/zero: the file is larger than 16 MiB");
}

TEST(a_file_that_cannot_be_opened_is_reported)
{
    struct cs_err err;

    read_path("/tmp", &err);
    assert_string_equal(err.text, "'/tmp' is a directory; expected a file");
    read_path("/nowhere/x.yaml", &err);
    assert_string_equal(err.text, "cannot open '/nowhere/x.yaml': No such file or directory");
}
