/*
 * Samples of every format, where a directory of them is at hand: each is read
 * and lowered, or refused with a sentence.
 */
#include "topo/lower.h"
#include "topo/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPEN_MAX_DIRS = 16
};

/* 0: go on with the walk. */
static int open_sample(const char *format, const char *path)
{
    struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_graph graph;
    struct cs_topo_request request = {0};
    struct cs_net net;
    int rc;

    request.spec = cs_arena_printf(&arena, "%s:%s", format, path);
    rc = cs_topo_open(&request, &graph, &arena, &err);
    if (rc)
        print_message("%s: refused: %s\n", path, err.text);
    else
        cs_lower(&graph, &net, &arena);
    assert_true(rc == CS_OK || rc == CS_EINPUT);
    assert_int_equal(rc == CS_OK, err.text[0] == '\0');
    cs_arena_free(&arena);
    return 0;
}

/* Where the samples of a format lie under the directory; the first that fits. */
static const struct {
    const char *directory, *ending, *format;
} kinds[] = {
    {"/nccl_topo/", ".xml", "nccl"},
    {"/topo_m/mi", ".txt", "rocm-smi"},
    {"/topo_m/", ".txt", "nvidia-smi"},
    {"/hccl_rank_table/", ".json", "hccl"},
    {"/astra-sim/", ".yml", "astra-sim"},
    {"/simgrid/", ".xml", "simgrid"},
    {"/hwloc/", ".xml", "hwloc"},
};

static int visit(const char *path, const struct stat *status, int type,
                 struct FTW *walk)
{
    const char *end = strrchr(path, '.');

    (void)status;
    (void)walk;
    for (size_t i = 0;
         type == FTW_F && end && i < sizeof(kinds) / sizeof(*kinds); i++)
        if (strstr(path, kinds[i].directory) &&
            strcmp(end, kinds[i].ending) == 0)
            return open_sample(kinds[i].format, path);
    return 0;
}

static void every_sample_is_read_or_refused_with_a_reason(void **state)
{
    const char *directory = getenv("COLLSIM_SAMPLES");

    (void)state;
    if (!directory) {
        print_message("skipped: COLLSIM_SAMPLES names no directory\n");
        skip();
        return;
    }
    assert_int_equal(nftw(directory, visit, OPEN_MAX_DIRS, FTW_PHYS), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_is_read_or_refused_with_a_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
