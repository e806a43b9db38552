#include "topo/writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define LONG "a-name-of-forty-letters-or-more-in-all-it-is"

static void names_are_made_such_that_a_file_takes_them(void **state)
{
    static const char *const given[] = {"a b", "a_b", LONG "-1", LONG "-2",
                                        "plain"};
    struct cs_arena arena = {0};
    struct cs_graph graph;
    const char **names;
    bool changed;

    (void)state;
    cs_graph_init(&graph, &arena);
    for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++)
        cs_graph_add_device(&graph, (struct cs_device){.name = given[i]});
    names = cs_writer_names(&graph, "-_.", &arena, &changed);
    assert_true(changed);
    assert_string_equal(names[0], "a_b");
    assert_string_equal(names[1], "a_b_2");
    assert_string_equal(names[2], "a-name-of-forty-letters-or-more-");
    assert_string_equal(names[3], "a-name-of-forty-letters-or-more-_2");
    assert_string_equal(names[4], "plain");
    cs_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_made_such_that_a_file_takes_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
