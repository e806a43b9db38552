/*
 * Samples of every format, of tests/samples or of the directory that
 * COLLSIM_SAMPLES names: each is read and lowered, or refused with a sentence.
 */
#include "tests/written.h"

#include <ftw.h>

enum {
    OPEN_MAX_DIRS = 16
};

/* NCCL's files cannot hold all machines. */
static void expect_same_nccl(const struct reported *reported)
{
    struct cs_err err = {0};
    struct reported back;

    if (reported->graph.rank_count <= REPORTED_RANKS_MAX &&
        reported_round_trip(reported, "nccl", &back, &err)) {
        expect_same_rates(reported, &back);
        known_free(&back);
    }
}

/* True where the file is a machine. */
static bool open_sample(const char *format, const char *path)
{
    struct cs_err err = {0};
    struct cs_topo_request request = {0};
    CS_AT_END(known_free) struct reported reported = {0};
    int rc;

    request.spec = cs_arena_printf(&reported.arena, "%s:%s", format, path);
    rc = cs_topo_open(&request, &reported.graph, &reported.arena, &err);
    if (rc) {
        print_message("%s: refused: %s\n", path, err.text);
    } else {
        reported_lower(&reported);
        expect_same_yaml(&reported);
        expect_same_simgrid(&reported);
        expect_same_nccl(&reported);
    }
    assert_true(rc == CS_OK || rc == CS_EINPUT);
    assert_int_equal(rc == CS_OK, err.text[0] == '\0');
    return rc == CS_OK;
}

/* Where the samples of a format lie under the directory; the first that fits.
 * How many are machines. */
static struct {
    const char *directory, *ending, *format;
    uint32_t machines;
} kinds[] = {
    {"/nccl_topo/", ".xml", "nccl", 0},      {"/topo_m/mi", ".txt", "rocm-smi", 0},
    {"/topo_m/", ".txt", "nvidia-smi", 0},   {"/hccl_rank_table/", ".json", "hccl", 0},
    {"/astra-sim/", ".yml", "astra-sim", 0}, {"/simai/topo", ".txt", "simai", 0},
    {"/simgrid/", ".xml", "simgrid", 0},     {"/hwloc/", ".xml", "hwloc", 0},
};

/* 0: continue the walk. */
static int visit(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    const char *end = strrchr(path, '.');

    (void)status;
    (void)walk;
    for (size_t i = 0; type == FTW_F && end && i < COUNT(kinds); i++)
        if (strstr(path, kinds[i].directory) && strcmp(end, kinds[i].ending) == 0) {
            kinds[i].machines += open_sample(kinds[i].format, path);
            break;
        }
    return 0;
}

TEST(every_sample_is_read_or_refused_with_a_reason)
{
    const char *named = getenv("COLLSIM_SAMPLES");

    assert_int_equal(nftw(named ? named : "tests/samples", visit, OPEN_MAX_DIRS, FTW_PHYS), 0);
    for (size_t i = 0; !named && i < COUNT(kinds); i++)
        assert_true(kinds[i].machines > 0);
}
