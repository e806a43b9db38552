#include "topo/placement/placement.h"

#include "tests/test.h"
#include "topo/formats/source.h"

#include <unistd.h>

enum {
    RANKS_MAX = 16
};

struct fixture {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_err err;
    uint32_t order[RANKS_MAX];
};

static void opened(struct fixture *f, const char *spec)
{
    struct cs_topo_request request = {.spec = spec};

    memset(f, 0, sizeof(*f));
    assert_ok(cs_topo_open(&request, &f->graph, &f->arena, &f->err), &f->err);
    assert_true(f->graph.rank_count <= RANKS_MAX);
}

static void assert_order(const struct fixture *f, const uint32_t *order)
{
    assert_memory_equal(f->order, order, f->graph.rank_count * sizeof(*f->order));
}

TEST(round_robin_takes_a_device_of_each_node_in_turn)
{
    struct fixture f;

    opened(&f, "cluster:node=dgx,nodes=3,gpus=2");
    cs_placement_round_robin(&f.graph, f.order);
    assert_order(&f, (const uint32_t[]){0, 2, 4, 1, 3, 5});
    cs_arena_free(&f.arena);
}

TEST(round_robin_continues_with_the_larger_nodes)
{
    struct fixture f;

    opened(&f, "cluster:node=host+dgx,nodes=2+1,link=ib-hdr,gpus=8");
    cs_placement_round_robin(&f.graph, f.order);
    assert_order(&f, (const uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    cs_arena_free(&f.arena);
    opened(&f, "cluster:node=dgx+host,nodes=1+2,link=ib-hdr");
    cs_placement_round_robin(&f.graph, f.order);
    assert_order(&f, (const uint32_t[]){0, 8, 9, 1, 2, 3, 4, 5, 6, 7});
    cs_arena_free(&f.arena);
}

/* Reads `text` as a placement file for three hosts. */
static int slots(struct fixture *f, const char *text)
{
    char path[] = "/tmp/collsim-slots-XXXXXX";
    int file = mkstemp(path);
    int code;

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    opened(f, "switch:ranks=3");
    code = cs_placement_read(path, &f->graph, f->order, &f->err);
    unlink(path);
    cs_arena_free(&f->arena);
    return code;
}

static void refused(const char *text, const char *part)
{
    struct fixture f;

    assert_int_equal(slots(&f, text), CS_EINPUT);
    if (!strstr(f.err.text, part))
        fail_msg("'%s' has no '%s'", f.err.text, part);
}

TEST(a_file_names_the_devices_of_the_ranks)
{
    struct fixture f;

    assert_int_equal(slots(&f, "# slots\nrank2\n\n  rank0 # second\r\nrank1"), 0);
    assert_order(&f, (const uint32_t[]){2, 0, 1});
}

TEST(errors_of_a_file_have_the_line)
{
    refused("rank0\nrank3\n", ":2: 'rank3' is not a device of a rank of 'switch'");
    refused("rank0\nswitch\n", ":2: 'switch' is not a device of a rank");
    refused("rank0\nrank1\nrank0\n", ":3: 'rank0' is a duplicate of line 1");
    refused("rank0\n", "1 devices for 3 ranks");
    refused("", "0 devices for 3 ranks");
}
