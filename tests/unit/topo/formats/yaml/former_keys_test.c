#include "topo/formats/yaml/reader.h"

#include "topo/documents/yaml.h"
#include "topo/formats/yaml/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void read_machine(struct cs_graph *graph, struct cs_arena *arena, const char *text)
{
    struct cs_doc_text document = {"m.yaml", text, strlen(text)};
    struct cs_topo_request request = {.spec = "m.yaml"};
    struct cs_err err = {0};
    struct cs_doc doc;

    cs_graph_init(graph, arena);
    if (cs_yaml_read_text(document, &doc, arena, &err) ||
        cs_yaml_build(&doc, &request, graph, &err))
        fail_msg("%s", err.text);
}

static void former_keys_mean_what_present_keys_mean(void **state)
{
    static const char *const texts[] = {
        "devices:\n"
        "  r: {kind: gpu, count: 2, computer: 3}\n"
        "  s: {kind: switch, adds: yes}\n"
        "links: [{from: s, to: \"r[*]\", class: gbe, way: back}]\n",
        "devices:\n"
        "  r: {kind: gpu, count: 2, host: 3}\n"
        "  s: {kind: switch, reduces: yes}\n"
        "links: [{from: s, to: \"r[*]\", class: gbe, direction: back}]\n"};
    static const uint32_t notes[] = {3, 0};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct cs_arena arena = {0};
        struct cs_graph graph;

        read_machine(&graph, &arena, texts[i]);
        assert_int_equal(graph.devices[0].host, 3);
        assert_true(graph.devices[2].reduces);
        assert_true(graph.wires[0].backwards);
        assert_int_equal(graph.note_count, notes[i]);
        cs_arena_free(&arena);
    }
}

static void a_device_may_be_called_as_a_former_key(void **state)
{
    struct cs_arena arena = {0};
    struct cs_graph graph;

    (void)state;
    read_machine(&graph, &arena,
                 "devices: {way: {kind: gpu, count: 2}, s: {kind: switch}}\n"
                 "links: [{from: \"way[*]\", to: s, class: gbe}]\n");
    assert_string_equal(graph.devices[0].name, "way0");
    assert_int_equal(graph.note_count, 0);
    cs_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(former_keys_mean_what_present_keys_mean),
        cmocka_unit_test(a_device_may_be_called_as_a_former_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
