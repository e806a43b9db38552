#include "scenarios/sweep/options.h"

#include "tests/test.h"

TEST(shards_divide_every_case_once)
{
    for (uint32_t count = 1; count < 9; ++count)
        for (uint64_t number = 0; number < 100; ++number) {
            uint32_t owners = 0;

            for (uint32_t s = 1; s <= count; ++s) {
                struct cs_shard shard = {s, count};

                owners += cs_shard_has(&shard, number);
            }
            assert_int_equal(owners, 1);
        }
}

TEST(bad_parts_are_refused)
{
    static const char *const bad[] = {"3", "0/8", "9/8", "/", "a/b", "1/0", ""};
    struct cs_shard shard;

    for (size_t b = 0; b < sizeof(bad) / sizeof(*bad); ++b) {
        assert_refused_with(cs_shard_read(bad[b], &shard, &err), CS_EINPUT, "expected 1/8 to 8/8");
    }
    assert_done(cs_shard_read("8/8", &shard, &err));
    assert_int_equal(shard.number, 8);
}

TEST(names_keep_folder_and_ending)
{
    static const char *const names[][2] = {{"runs.db", "runs.3-of-8.db"},
                                           {"a.b/runs", "a.b/runs.3-of-8"},
                                           {".db", ".db.3-of-8"},
                                           {"x/.db", "x/.db.3-of-8"}};
    struct cs_shard shard = {3, 8};

    for (size_t n = 0; n < sizeof(names) / sizeof(*names); ++n) {
        CS_AT_END(cs_text_free) struct cs_text text = {0};

        cs_shard_name(&shard, names[n][0], &text);
        assert_string_equal(text.data, names[n][1]);
    }
}

TEST(task_of_an_array_is_a_shard)
{
    struct cs_shard shard;

    unsetenv("SLURM_ARRAY_TASK_ID");
    assert_done(cs_shard_of_slurm(&shard, &err));
    assert_int_equal(shard.count, 0);
    setenv("SLURM_ARRAY_TASK_ID", "5", 1);
    setenv("SLURM_ARRAY_TASK_COUNT", "8", 1);
    setenv("SLURM_ARRAY_TASK_MIN", "0", 1);
    assert_done(cs_shard_of_slurm(&shard, &err));
    assert_int_equal(shard.number, 6);
    assert_int_equal(shard.count, 8);
    setenv("SLURM_ARRAY_TASK_ID", "8", 1);
    assert_int_equal(cs_shard_of_slurm(&shard, NULL), CS_EINPUT);
    setenv("SLURM_ARRAY_TASK_ID", "x", 1);
    assert_int_equal(cs_shard_of_slurm(&shard, NULL), CS_EINPUT);
    unsetenv("SLURM_ARRAY_TASK_ID");
}
