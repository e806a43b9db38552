#include "sim/base/hash.h"

#include "tests/test.h"

/* The test vectors of FNV-1a, 64 bits (isthe.com/chongo/src/fnv). */
TEST(texts_have_their_published_hashes)
{
    assert_true(cs_hash_text(CS_HASH_START, "") == UINT64_C(0xcbf29ce484222325));
    assert_true(cs_hash_text(CS_HASH_START, "a") == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(cs_hash_text(CS_HASH_START, "foobar") == UINT64_C(0x85944171f73967e8));
}

TEST(bytes_hash_like_the_text_of_them)
{
    assert_true(cs_hash_bytes(CS_HASH_START, "foobar", 6) == cs_hash_text(CS_HASH_START, "foobar"));
}

TEST(neighbouring_numbers_spread_over_a_table)
{
    uint32_t used[64] = {0};
    uint32_t most = 0;

    for (uint32_t i = 0; i < 1024; i++) {
        uint32_t slot = cs_hash_slot(cs_hash_mix(0, i)) & 63;

        if (++used[slot] > most)
            most = used[slot];
    }
    assert_true(most <= 32); /* 16 on average */
}
