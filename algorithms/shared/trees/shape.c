#include "algorithms/shared/trees/shape.h"

/* The lowest set bit; for rank 0 the least power of two >= n. */
static uint32_t height_of(uint32_t rank, uint32_t n)
{
    uint32_t bit = 1;

    while (bit < n && !(rank & bit))
        bit <<= 1;
    return bit;
}

static struct cs_tree_place root_place(uint32_t bit)
{
    struct cs_tree_place place = {.parent = CS_TREE_NONE};

    if (bit > 1)
        cs_tree_add_child(&place, bit / 2);
    return place;
}

static struct cs_tree_place first_tree(uint32_t n, uint32_t rank)
{
    uint32_t bit = height_of(rank, n);
    uint32_t half = bit / 2;
    struct cs_tree_place place = {.parent = (rank ^ bit) | (bit << 1)};

    if (rank == 0)
        return root_place(bit);
    if (place.parent >= n)
        place.parent = rank ^ bit;
    if (half)
        cs_tree_add_child(&place, rank - half);
    while (half && rank + half >= n)
        half /= 2;
    if (half)
        cs_tree_add_child(&place, rank + half);
    return place;
}

/* The rank of tree 0 at the position of `rank` in tree 1; below, the
 * inverse. */
static uint32_t into_first(uint32_t n, uint32_t rank)
{
    if (n % 2 == 0)
        return n - 1 - rank;
    return rank ? rank - 1 : n - 1;
}

static uint32_t into_second(uint32_t n, uint32_t rank)
{
    if (n % 2 == 0)
        return n - 1 - rank;
    return rank + 1 < n ? rank + 1 : 0;
}

struct cs_tree_place cs_tree_of_pair(uint32_t tree, uint32_t n, uint32_t rank)
{
    struct cs_tree_place place;

    if (tree == 0)
        return first_tree(n, rank);
    place = first_tree(n, into_first(n, rank));
    if (place.parent != CS_TREE_NONE)
        place.parent = into_second(n, place.parent);
    for (uint32_t i = 0; i < place.child_count; i++)
        place.child[i] = into_second(n, place.child[i]);
    return place;
}

struct cs_tree_place cs_tree_line(uint32_t n, uint32_t rank)
{
    struct cs_tree_place place = {.parent = rank ? rank - 1 : CS_TREE_NONE};

    if (rank + 1 < n)
        cs_tree_add_child(&place, rank + 1);
    return place;
}
