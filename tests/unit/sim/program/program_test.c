#include "sim/program/program.h"

#include "tests/fixture.h"

static struct cs_cut cut(uint64_t elements, uint32_t bytes, uint32_t blocks, uint32_t parts)
{
    struct cs_program program = {.ranks = 1,
                                 .lanes = 1,
                                 .blocks = blocks,
                                 .parts = parts,
                                 .elements = elements,
                                 .element_bytes = bytes};

    return cs_cut_of(&program);
}

static uint64_t bytes_of(const struct cs_cut *cut, uint32_t first, uint32_t count)
{
    return cs_cut_bytes(cut, (struct cs_blocks){first, count});
}

TEST(the_first_blocks_hold_the_elements_that_are_left_over)
{
    struct cs_cut ten = cut(10, 4, 4, 0);
    const uint64_t expected[] = {12, 12, 8, 8};

    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(bytes_of(&ten, i, 1), expected[i]);
    assert_int_equal(cs_cut_start(&ten, 0), 0);
    assert_int_equal(cs_cut_start(&ten, 3), 32);
    assert_int_equal(cs_cut_start(&ten, 4), 40);
}

TEST(fewer_elements_than_blocks_leave_empty_blocks)
{
    struct cs_cut three = cut(3, 8, 5, 0);
    struct cs_cut none = cut(0, 8, 5, 0);

    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(bytes_of(&three, i, 1), i < 3 ? 8 : 0);
        assert_int_equal(bytes_of(&none, i, 1), 0);
    }
    assert_int_equal(bytes_of(&three, 3, 2), 0);
    assert_int_equal(bytes_of(&three, 3, 3), 8);
}

/* Sums block by block: what a run of blocks must come to. */
static uint64_t sum_of(const struct cs_cut *cut, uint32_t first, uint32_t count)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += bytes_of(cut, (first + i) % cut->blocks, 1);
    return sum;
}

TEST(a_run_of_blocks_wraps_at_the_end)
{
    for (uint32_t blocks = 1; blocks <= 9; blocks++)
        for (uint64_t elements = 0; elements < 40; elements++) {
            struct cs_cut here = cut(elements, 3, blocks, 0);

            assert_int_equal(bytes_of(&here, 0, blocks), 3 * elements);
            for (uint32_t first = 0; first < blocks; first++)
                for (uint32_t count = 0; count <= blocks; count++)
                    assert_int_equal(bytes_of(&here, first, count), sum_of(&here, first, count));
        }
}

/* Blocks of every piece of `parts` are cut as the piece itself would be. */
TEST(parts_of_a_piece_are_cut_as_pieces_are)
{
    for (uint32_t parts = 1; parts <= 4; parts++)
        for (uint64_t elements = 0; elements < 60; elements++) {
            struct cs_cut pieces = cut(elements, 2, 5, 0);
            struct cs_cut fine = cut(elements, 2, 5 * parts, parts);

            for (uint32_t i = 0; i < 5; i++) {
                uint64_t piece = bytes_of(&pieces, i, 1);
                struct cs_cut inner = cut(piece / 2, 2, parts, 0);

                assert_int_equal(bytes_of(&fine, i * parts, parts), piece);
                for (uint32_t k = 0; k < parts; k++)
                    assert_int_equal(bytes_of(&fine, i * parts + k, 1), bytes_of(&inner, k, 1));
            }
            for (uint32_t first = 0; first < 5 * parts; first++)
                assert_int_equal(bytes_of(&fine, first, 5 * parts - 1),
                                 sum_of(&fine, first, 5 * parts - 1));
        }
}

TEST(an_exabyte_is_cut_exactly)
{
    struct cs_cut huge = cut(((uint64_t)1 << 60) + 1, 4, 1048575, 0);

    assert_int_equal(bytes_of(&huge, 0, 1048575), huge.vector_bytes);
    assert_int_equal(cs_cut_start(&huge, 1048575), huge.vector_bytes);
    assert_int_equal(bytes_of(&huge, 0, 1) - bytes_of(&huge, 1048574, 1), 4);
}

TEST(ranks_come_before_resources_in_names)
{
    struct cs_program program = {.ranks = 3, .agents = 2};
    char text[CS_PARTY_NAME];

    assert_string_equal(cs_party_name(&program, 2, text), "rank 2");
    assert_string_equal(cs_party_name(&program, 3, text), "server 0");
    assert_string_equal(cs_party_name(&program, 4, text), "server 1");
    assert_int_equal(cs_program_parties(&program), 5);
}

TEST(one_chunk_and_many_chunks_have_names)
{
    char text[CS_PARTY_NAME];

    assert_string_equal(cs_blocks_name((struct cs_blocks){5, 1}, text), "chunk 5");
    assert_string_equal(cs_cargo_name((struct cs_blocks){5, 1}, 8, text), "chunk 5");
    assert_string_equal(cs_cargo_name((struct cs_blocks){0}, 8, text), "8 bytes");
    assert_string_equal(cs_blocks_name((struct cs_blocks){5, 2}, text), "chunks 5 +2");
}

TEST(every_piece_belongs_to_the_rank_of_its_number)
{
    struct cs_program program = {.ranks = 4, .blocks = 12, .parts = 3};

    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(cs_block_owner(&program, i), i / 3);
}

TEST(ops_grow_and_keep_their_order)
{
    struct cs_ops ops = {0};

    for (uint32_t i = 0; i < 100; i++)
        cs_ops_send(&ops, i, (struct cs_blocks){i, 1});
    assert_int_equal(ops.count, 100);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(ops.op[i].peer, i);
    cs_ops_free(&ops);
    assert_int_equal(ops.count, 0);
    assert_null(ops.op);
}
