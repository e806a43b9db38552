/* Symmetry: verified shifts of the ranks. */
#include "scenarios/run/symmetry.h"

#include "tests/unit/scenarios/run/opened.h"

static void ranks_of_a_switch_map_to_the_next_rank(void **state)
{
    struct opened opened;
    const uint32_t *image;
    const uint32_t *devices;

    (void)state;
    opened_run(&opened, WORDS("--topo", "switch:ranks=6", "--algo", "ring",
                              "--size", "6MB"));
    devices = opened.run.graph.rank_device;
    image = cs_identical_devices(&opened.run, &opened.arena);
    assert_non_null(image);
    for (uint32_t r = 0; r < 6; r++)
        assert_int_equal(image[devices[r]], devices[(r + 1) % 6]);
    opened_free(&opened);
}

static void a_tree_has_no_symmetry(void **state)
{
    struct opened opened;

    (void)state;
    opened_run(&opened, WORDS("--topo", "switch:ranks=6", "--algo", "tree"));
    assert_null(cs_identical_devices(&opened.run, &opened.arena));
    opened_free(&opened);
}

static void a_slow_link_breaks_the_symmetry(void **state)
{
    struct opened opened;

    (void)state;
    opened_run(&opened,
               WORDS("--topo", "switch:ranks=6", "--algo", "ring", "--size",
                     "6MB", "--fault", "rank3-switch:rate=50%"));
    assert_null(cs_identical_devices(&opened.run, &opened.arena));
    opened_free(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_of_a_switch_map_to_the_next_rank),
        cmocka_unit_test(a_tree_has_no_symmetry),
        cmocka_unit_test(a_slow_link_breaks_the_symmetry),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
