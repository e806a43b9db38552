#include "scenarios/sweep/axes.h"
#include "sim/base/text.h"
#include "tests/unit/reports/sample.h"

struct reading {
    struct cs_arena arena;
    struct cs_sweep sweep;
    struct cs_err err;
    char dir[64], path[96];
};

static int begin(void **state)
{
    static struct reading reading;

    memset(&reading, 0, sizeof reading);
    *state = &reading;
    return sample_dir_make(reading.dir);
}

static int end(void **state)
{
    struct reading *reading = *state;

    cs_arena_free(&reading->arena);
    sample_dir_remove(reading->dir);
    return 0;
}

static void put_file(struct reading *reading, const char *name, const char *text)
{
    (void)snprintf(reading->path, sizeof reading->path, "%s/%s", reading->dir, name);
    assert_int_equal(sample_write(reading->path, text), 0);
}

static int read_text(struct reading *reading, const char *text)
{
    put_file(reading, "s.yaml", text);
    reading->err = (struct cs_err){0};
    return cs_sweep_read(reading->path, &reading->arena, &reading->sweep, &reading->err);
}

static void assert_case(const struct reading *reading, uint64_t number, const char *expected)
{
    CS_AT_END(cs_text_free) struct cs_text name = {0};

    cs_sweep_name(&reading->sweep, number, &name);
    assert_string_equal(cs_text_str(&name), expected);
}

TEST_BETWEEN(begin, end, the_last_axis_is_the_fastest)
{
    struct reading *reading = *state;

    assert_int_equal(read_text(reading, "topo: dgx\naxes:\n  algo: [ring, tree]\n"
                                        "  size: {from: 1KiB, to: 16KiB, factor: 4}\n"),
                     0);
    assert_int_equal(reading->sweep.cases, 6);
    assert_case(reading, 0, "algo=ring size=1024B");
    assert_case(reading, 2, "algo=ring size=16384B");
    assert_case(reading, 3, "algo=tree size=1024B");
}

TEST_BETWEEN(begin, end, a_zip_is_one_axis)
{
    struct reading *reading = *state;

    assert_int_equal(read_text(reading, "topo: dgx\naxes:\n  seed: {from: 1, to: 2}\n"
                                        "zip:\n  ranks: [2, 8]\n  nodes: [1, 2]\n"),
                     0);
    assert_int_equal(reading->sweep.cases, 4);
    assert_case(reading, 1, "ranks=2 nodes=1 seed=2");
    assert_case(reading, 2, "ranks=8 nodes=2 seed=1");
}

TEST_BETWEEN(begin, end, the_hash_changes_with_a_file_that_a_value_names)
{
    struct reading *reading = *state;
    char text[256];
    uint64_t before;

    put_file(reading, "machine.yaml", "one");
    (void)snprintf(text, sizeof text, "topo: %s\naxes:\n  seed: [1]\n", reading->path);
    assert_int_equal(read_text(reading, text), 0);
    before = reading->sweep.hash;
    assert_int_equal(read_text(reading, text), 0);
    assert_true(reading->sweep.hash == before);
    put_file(reading, "machine.yaml", "two");
    assert_int_equal(read_text(reading, text), 0);
    assert_true(reading->sweep.hash != before);
}

TEST_BETWEEN(begin, end, bad_files_are_refused_with_the_line)
{
    static const struct {
        const char *text, *said;
    } bad[] = {
        {"", "is empty"},
        {"topo: dgx\n", "no axes"},
        {"topo: dgx\naxes: 3\n", ":2: "},
        {"topo: dgx\naxes:\n  size: []\n", ":3: 'size' has no values"},
        {"topo: dgx\naxes:\n  size: {from: 1KiB, to: 1MiB, factor: 1}\n",
         ":3: the range is empty or endless"},
        {"topo: dgx\naxes:\n  size: {from: 1MiB, to: 1KiB, factor: 2}\n",
         ":3: the range is empty or endless"},
        {"topo: dgx\naxes:\n  seed: {from: 1, to: 100000000000}\n", ":3: more than 1048576 values"},
        {"topo: dgx\nzip:\n  ranks: [2, 4]\n  nodes: [1]\n", ":"},
        {"topo: dgx\nseed: 1\naxes:\n  seed: [1]\n", "seed"},
    };
    struct reading *reading = *state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (read_text(reading, bad[i].text) != CS_EINPUT || !strstr(reading->err.text, bad[i].said))
            fail_msg("'%s' instead of '%s'", reading->err.text, bad[i].said);
    }
}
