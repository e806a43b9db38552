/* Tree moves: units leave the busiest rows, where other branches exist. */
#include "algorithms/shared/trees/moves.h"

#include "algorithms/shared/trees/spanning.h"

#include "tests/fixture.h"

enum {
    VERTICES = 3,
    BRANCHES = VERTICES * VERTICES,
    ROWS = BRANCHES + 2 /* the last but one costs nothing, the last one is of no branch */
};

struct moved {
    double capacity[ROWS];
    uint32_t first[BRANCHES + 1];
    bool exists[BRANCHES];
    struct cs_branch_load load[BRANCHES][2];
    uint32_t parent[VERTICES];
    struct cs_tree_shape shape;
    struct cs_units units;
};

/* Two units along 0 - 1 - 2, where each branch has a row of a second for a unit, and half a
 * second is the limit. */
static void move(struct moved *moved, bool leaves_root, struct cs_arena *arena)
{
    const struct cs_units from = {.shape = &moved->shape, .count = 1, .each = 2, .limit_s = 0.5};
    const struct cs_branches branches = {.request = {.ranks = VERTICES},
                                         .vertices = VERTICES,
                                         .home = VERTICES,
                                         .rows = ROWS,
                                         .capacity = moved->capacity,
                                         .branches = BRANCHES,
                                         .first = moved->first,
                                         .exists = moved->exists,
                                         .load = moved->load[0]};

    *moved = (struct moved){.parent = {CS_SPANNING_NONE, 0, 1}};
    moved->shape = (struct cs_tree_shape){.parent = moved->parent, .units = 2};
    for (uint32_t r = 0; r < ROWS; r++)
        moved->capacity[r] = 1;
    for (uint32_t b = 0; b < BRANCHES; b++) {
        moved->first[b + 1] = 2 * (b + 1);
        moved->exists[b] = b == 0 * VERTICES + 1 || b == 1 * VERTICES + 2 || leaves_root;
        moved->load[b][0] = (struct cs_branch_load){b, 1};
        moved->load[b][1] = (struct cs_branch_load){BRANCHES, 0};
    }
    moved->units = cs_tree_moves(&branches, NULL, &from, arena);
}

ARENA_TEST(a_unit_leaves_busy_branches)
{
    struct moved moved;

    move(&moved, true, arena);
    assert_int_equal(moved.units.count, 2);
    assert_int_equal(moved.units.shape[0].units, 1);
    assert_int_not_equal(moved.units.shape[0].parent[1], moved.units.shape[1].parent[1]);
    assert_int_not_equal(moved.units.shape[0].parent[2], moved.units.shape[1].parent[2]);
}

ARENA_TEST(units_stay_where_no_other_branch_exists)
{
    struct moved moved;

    move(&moved, false, arena);
    assert_int_equal(moved.units.count, 1);
    assert_int_equal(moved.units.shape[0].parent[0], CS_SPANNING_NONE);
    assert_int_equal(moved.units.shape[0].parent[1], 0);
    assert_int_equal(moved.units.shape[0].parent[2], 1);
}
