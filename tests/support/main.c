#include "tests/test.h"

struct registry {
    struct test *first;
    size_t count;
};

/* Constructors run before main has anything to give them. */
static struct registry registry;

void test_register(struct test *test)
{
    struct test **place = &registry.first;

    while (*place && (*place)->line < test->line)
        place = &(*place)->next;
    test->next = *place;
    *place = test;
    registry.count++;
}

/* A program that lists its tests itself brings its own. */
__attribute__((weak)) int main(void)
{
    struct CMUnitTest *tests = calloc(registry.count, sizeof(*tests));
    size_t count = 0;
    int failed;

    if (!tests)
        abort();
    for (const struct test *test = registry.first; test; test = test->next)
        tests[count++] = test->unit;
    failed = _cmocka_run_group_tests("tests", tests, count, NULL, NULL);
    free(tests);
    return failed;
}
