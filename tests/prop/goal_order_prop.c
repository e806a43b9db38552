/*
 * Messages of one tag in GOAL: whatever is read has one meaning.  All files of
 * three sends of two sizes, with every set of orders of their starts.
 */
#include "algorithms/importer.h"
#include "sim/base/text.h"

#include "tests/fixture.h"

enum {
    SENDS = 3,
    PAIRS = 3,
    ORDERS = 3 * 3 * 3, /* of a pair: none, as listed, the other way */
    PERMUTATIONS = 6
};

static const uint8_t pairs[PAIRS][2] = {{0, 1}, {0, 2}, {1, 2}};
static const uint8_t permutations[PERMUTATIONS][SENDS] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                          {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/* The order of pair `i`: 0 none, 1 as listed, 2 the other way. */
static uint32_t order_of(uint32_t orders, uint32_t i)
{
    while (i--)
        orders /= 3;
    return orders % 3;
}

static bool is_possible(const uint8_t *permutation, uint32_t orders)
{
    uint32_t place[SENDS], i;

    for (i = 0; i < SENDS; i++)
        place[permutation[i]] = i;
    for (i = 0; i < PAIRS; i++) {
        uint32_t order = order_of(orders, i);
        bool as_listed = place[pairs[i][0]] < place[pairs[i][1]];

        if ((order == 1 && !as_listed) || (order == 2 && as_listed))
            return false;
    }
    return true;
}

/* In which orders the sizes can be sent: none of them, the listed one alone, or
 * another one, too. */
static uint32_t meanings_of(uint32_t sizes, uint32_t orders)
{
    uint32_t meanings = 0;

    for (uint32_t i = 0; i < PERMUTATIONS; i++) {
        bool is_listed = true;

        for (uint32_t k = 0; k < SENDS; k++)
            is_listed = is_listed && (sizes >> permutations[i][k] & 1) == (sizes >> k & 1);
        if (is_possible(permutations[i], orders))
            meanings |= is_listed ? 1 : 2;
    }
    return meanings;
}

static int read_sends(uint32_t sizes, uint32_t orders)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_algo algo;
    struct cs_err err = {0};

    cs_text_add(&text, "num_ranks 2\nrank 0 {\n");
    for (uint32_t i = 0; i < SENDS; i++)
        cs_text_printf(&text, "m%u: send %ub to 1\n", i, 1 + (sizes >> i & 1));
    for (uint32_t i = 0; i < PAIRS; i++) {
        uint32_t order = order_of(orders, i);

        if (order)
            cs_text_printf(&text, "m%u irequires m%u\n", pairs[i][2 - order], pairs[i][order - 1]);
    }
    cs_text_add(&text, "}\n");
    return cs_importer_goal.read((struct cs_import_text){"m.goal", text.data, text.length}, &arena,
                                 &algo, &err);
}

TEST(what_is_read_has_one_meaning)
{
    uint32_t read = 0;
    uint32_t sizes, orders;

    for (sizes = 0; sizes < 1 << SENDS; sizes++)
        for (orders = 0; orders < ORDERS; orders++) {
            uint32_t meanings = meanings_of(sizes, orders);
            int code = read_sends(sizes, orders);

            if (code == 0 && meanings != 1)
                fail_msg("sizes %u, orders %u: read", sizes, orders);
            /* All three orders as listed: nothing is left open. */
            if (code && orders == ORDERS / 2)
                fail_msg("sizes %u, orders %u: refused", sizes, orders);
            read += code == 0;
        }
    print_message("%u of %u files are read\n", read, ORDERS << SENDS);
    assert_true(read > 50 && read < 200);
}
