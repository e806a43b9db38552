#include "topo/formats/writer.h"

#include "tests/test.h"

static void add(struct cs_graph *graph, const char *name)
{
    cs_graph_add_device(graph, (struct cs_device){.name = name});
}

ARENA_TEST(names_are_made_such_that_a_file_takes_them)
{
    static const struct {
        const char *given, *made;
    } cases[] = {
        {"a b", "a b"},
        {"gr\xc3\xb6\xc3\x9f"
         "e <\">",
         "gr\xc3\xb6\xc3\x9f"
         "e <\">"},
        {"a[1]", "a_1_"},
        {"a_1_", "a_1__2"},
        {"tab\there", "tab_here"},
        {"byte\xff", "byte_"},
        {"half\xc3", "half_"},
        {"what?", "what?"},
        {"", "_"},
    };
    struct cs_graph graph;
    const char **names;
    CS_AT_END(cs_text_free) struct cs_text notes = {0};

    cs_graph_init(&graph, arena);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        add(&graph, cases[i].given);
    names = cs_writer_names(&graph, "[]", arena, &notes);
    assert_true(notes.length > 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_string_equal(names[i], cases[i].made);
}

ARENA_TEST(long_names_are_cut_and_numbered)
{
    char longest[CS_WRITER_NAME_MAX + 1], longer[2][CS_WRITER_NAME_MAX + 2];
    struct cs_graph graph;
    const char **names;
    CS_AT_END(cs_text_free) struct cs_text notes = {0};

    memset(longest, 'a', sizeof(longest));
    memset(longer, 'a', sizeof(longer));
    longest[CS_WRITER_NAME_MAX] = '\0';
    memcpy(&longer[0][CS_WRITER_NAME_MAX], "b", 2);
    memcpy(&longer[1][CS_WRITER_NAME_MAX], "c", 2);
    cs_graph_init(&graph, arena);
    add(&graph, longest);
    (void)cs_writer_names(&graph, "", arena, &notes);
    assert_int_equal(notes.length, 0);
    add(&graph, longer[0]);
    add(&graph, longer[1]);
    names = cs_writer_names(&graph, "", arena, &notes);
    assert_true(notes.length > 0);
    assert_string_equal(names[0], longest);
    for (size_t i = 1; i < 3; i++) {
        assert_memory_equal(names[i], longest, CS_WRITER_NAME_MAX);
        assert_string_equal(names[i] + CS_WRITER_NAME_MAX, i == 1 ? "_2" : "_3");
    }
}

TEXT_TEST(xml_is_written_with_entities_and_without_invalid_bytes)
{
    cs_writer_xml(out, "a<b> & \"c\" 'd' \xe5\x90\x8d \x01\xff\xef\xbf\xbf.");
    assert_string_equal(cs_text_str(out),
                        "a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos; \xe5\x90\x8d ???.");
}
