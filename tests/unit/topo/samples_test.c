/*
 * Samples of every format, where a directory of them is at hand: each is read
 * and lowered, or refused with a sentence.
 */
#include "topo/lower.h"
#include "topo/source.h"
#include "topo/writer.h"

extern const struct cs_writer cs_writer_yaml;

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPEN_MAX_DIRS = 16
};

/* What was read is written in YAML and read again; big ones are refused. */
static void expect_same_yaml(const struct cs_graph *graph, const char *path)
{
    struct cs_topo_request request = {.spec = "yaml:"};
    struct cs_arena arena = {0};
    struct cs_text text = {0};
    struct cs_text remarks = {0};
    struct cs_err err = {0};
    struct cs_graph back;

    if (cs_writer_yaml.write(graph, &text, &remarks, &err)) {
        print_message("%s: not written: %s\n", path, err.text);
    } else {
        if (cs_topo_read(&request,
                         (struct cs_source_text){"written", cs_text_str(&text),
                                                 text.length},
                         &back, &arena, &err))
            fail_msg("%s: %s", path, err.text);
        assert_int_equal(graph->device_count, back.device_count);
        assert_int_equal(graph->wire_count, back.wire_count);
        assert_int_equal(graph->rank_count, back.rank_count);
        for (uint32_t w = 0; w < graph->wire_count; w++) {
            assert_int_equal(graph->wires[w].a, back.wires[w].a);
            assert_int_equal(graph->wires[w].b, back.wires[w].b);
            assert_true(fabs(graph->wires[w].rate_Bps / back.wires[w].rate_Bps -
                             1) < 1e-15);
            assert_int_equal(graph->wires[w].latency_ps,
                             back.wires[w].latency_ps);
        }
        for (uint32_t r = 0; r < graph->rank_count; r++)
            assert_int_equal(graph->rank_device[r], back.rank_device[r]);
    }
    cs_text_free(&text);
    cs_text_free(&remarks);
    cs_arena_free(&arena);
}

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
    if (!rc)
        expect_same_yaml(&graph, path);
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
