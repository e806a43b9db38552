#include "topo/formats/source.h"

#include "tests/test.h"
#include "topo/documents/doc.h"
#include "topo/graph/lower.h"

#include <unistd.h>

enum {
    HOPS_MAX = 64
};

struct fixture {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_net net;
    struct cs_err err;
};

static void fixture_free(struct fixture *fixture)
{
    cs_arena_free(&fixture->arena);
}

/* In place of what was open, if anything. */
static int try(struct fixture *f, struct cs_topo_request request)
{
    fixture_free(f);
    memset(f, 0, sizeof(*f));
    return cs_topo_open(&request, &f->graph, &f->arena, &f->err);
}

static void opened(struct fixture *f, struct cs_topo_request request)
{
    if (try(f, request))
        fail_msg("%s: %s", request.spec, f->err.text);
    cs_lower(&f->graph, &f->net, &f->arena);
}

static void refused(struct cs_topo_request request, const char *sentence)
{
    CS_AT_END(fixture_free) struct fixture f = {0};

    assert_int_equal(try(&f, request), CS_EINPUT);
    assert_string_equal(f.err.text, sentence);
}

static void refused_spec(const char *spec, const char *sentence)
{
    refused((struct cs_topo_request){.spec = spec}, sentence);
}

/* What a route costs: its slowest link and the sum of latencies. */
struct route {
    double rate_GBps;
    uint64_t latency_ps;
    uint32_t hops;
};

static struct route route(const struct fixture *f, uint32_t src, uint32_t dst)
{
    uint32_t links[HOPS_MAX];
    struct route route = {.rate_GBps = INFINITY};

    assert_true(f->net.max_hops <= HOPS_MAX);
    route.hops = f->net.route(f->net.route_ctx, src, dst, links);
    for (uint32_t i = 0; i < route.hops; i++) {
        const struct cs_net_link *link = &f->net.links[links[i]];

        route.latency_ps += link->latency_ps;
        route.rate_GBps = fmin(route.rate_GBps, link->rate_Bps / 1e9);
    }
    return route;
}

/* Rates within a part in 10^9: they are products of a few decimals. */
static void assert_route(const struct fixture *f, uint32_t src, uint32_t dst, struct route expected)
{
    struct route got = route(f, src, dst);

    if (!(fabs(got.rate_GBps / expected.rate_GBps - 1) <= 1e-9) ||
        got.latency_ps != expected.latency_ps || got.hops != expected.hops)
        fail_msg("%u -> %u: %.6f GB/s, %llu ps, %u hops", src, dst, got.rate_GBps,
                 (unsigned long long)got.latency_ps, got.hops);
}

/* Whether the links of every route join up from source to destination. */
static void assert_routes_hold(const struct fixture *f)
{
    for (uint32_t src = 0; src < f->net.party_count; src++) {
        for (uint32_t dst = 0; dst < f->net.party_count; dst++) {
            uint32_t links[HOPS_MAX];
            uint32_t at = f->net.parties[src].node;
            uint32_t hops;

            if (src == dst)
                continue;
            hops = f->net.route(f->net.route_ctx, src, dst, links);
            assert_true(hops >= 1 && hops <= f->net.max_hops);
            for (uint32_t i = 0; i < hops; i++) {
                assert_int_equal(f->net.links[links[i]].from, at);
                at = f->net.links[links[i]].to;
            }
            /* A route that ends on a bus leaves it for nothing. */
            if (f->graph.devices[at].kind != CS_DEVICE_BUS)
                assert_int_equal(at, f->net.parties[dst].node);
        }
    }
}

/* ------------------------------------------------------------ generators */

TEST(routes_of_every_generator_hold)
{
    static const char *const names[] = {"switch", "ring", "bus", "mesh"};

    for (size_t i = 0; i < 4; i++) {
        for (uint32_t size = 1; size <= 9; size++) {
            for (uint32_t agents = 0; agents <= 2; agents++) {
                char spec[40];
                CS_AT_END(fixture_free) struct fixture f = {0};

                snprintf(spec, sizeof(spec), "%s:ranks=%u", names[i], size);
                opened(&f, (struct cs_topo_request){.spec = spec, .ranks = 0, .agents = agents});
                assert_int_equal(f.graph.rank_count, size);
                assert_int_equal(f.graph.agent_count, agents);
                assert_routes_hold(&f);
                opened(&f, (struct cs_topo_request){
                               .spec = spec, .ranks = (size + 1) / 2, .agents = agents});
                assert_int_equal(f.graph.rank_count, (size + 1) / 2);
                assert_routes_hold(&f);
            }
        }
    }
}

#define FIXTURE_TEST(name) TEST_OF(struct fixture, f, fixture_free, name)

FIXTURE_TEST(latency_is_that_of_a_link)
{
    opened(f, (struct cs_topo_request){.spec = "switch:ranks=4,bandwidth=10GB/s,latency=3us"});
    assert_route(f, 0, 3, (struct route){10, 6000000, 2});
    opened(f, (struct cs_topo_request){.spec = "bus:ranks=4,bandwidth=10GB/s,latency=3us"});
    assert_route(f, 0, 3, (struct route){10, 3000000, 1});
    opened(f, (struct cs_topo_request){.spec = "mesh:ranks=4,bandwidth=10GB/s,latency=3us"});
    assert_route(f, 3, 1, (struct route){10, 3000000, 1});
    opened(f, (struct cs_topo_request){.spec = "ring:ranks=7,bandwidth=10GB/s,latency=3us"});
    assert_route(f, 6, 0, (struct route){10, 3000000, 1});
    assert_route(f, 5, 1, (struct route){10, 9000000, 3});
    assert_route(f, 1, 5, (struct route){10, 9000000, 3});
}

FIXTURE_TEST(a_ring_goes_up_when_both_routes_are_equal)
{
    uint32_t links[HOPS_MAX];

    opened(f, (struct cs_topo_request){.spec = "ring:ranks=4"});
    assert_int_equal(f->net.route(f->net.route_ctx, 3, 1, links), 2);
    assert_string_equal(cs_graph_link_name(&f->graph, links[0], &f->arena),
                        "rank3 -> rank0 (link)");
}

FIXTURE_TEST(omitted_keys_have_defaults)
{
    opened(f, (struct cs_topo_request){.spec = "switch:"});
    assert_int_equal(f->graph.rank_count, 8);
    assert_route(f, 0, 1, (struct route){25, 1000000, 2});
    opened(f, (struct cs_topo_request){.spec = "switch:", .ranks = 100});
    assert_int_equal(f->graph.rank_count, 100);
    assert_int_equal(f->graph.device_count, 101);
}

FIXTURE_TEST(a_latency_of_zero_is_fine)
{
    opened(f, (struct cs_topo_request){.spec = "switch:latency=0us"});
    assert_route(f, 0, 1, (struct route){25, 0, 2});
    opened(f, (struct cs_topo_request){.spec = "switch:latency=0 s"});
}

FIXTURE_TEST(a_machine_keeps_its_size_when_fewer_ranks_are_used)
{
    opened(f, (struct cs_topo_request){.spec = "ring:ranks=8", .ranks = 2});
    assert_int_equal(f->graph.rank_count, 2);
    assert_int_equal(f->graph.device_count, 8);
    opened(f, (struct cs_topo_request){.spec = "dgx", .ranks = 3});
    assert_int_equal(f->graph.rank_count, 3);
    assert_int_equal(f->net.party_count, 3);
}

FIXTURE_TEST(servers_have_slots_behind_the_ranks)
{
    opened(f,
           (struct cs_topo_request){.spec = "ring:ranks=4,gamma=10GB/s", .ranks = 3, .agents = 2});
    assert_string_equal(f->graph.devices[f->net.parties[3].node].name, "server0");
    assert_string_equal(f->graph.devices[f->net.parties[4].node].name, "server1");
    assert_true(f->net.parties[4].reduce_ps_per_byte == 100);
    assert_int_equal(route(f, 4, 0).hops, 1);
}

TEST(wrong_parameters_are_reported)
{
    refused_spec("switch:rank=4",
                 "no parameter called 'rank' for 'switch:'; did you mean 'ranks'?");
    refused_spec("switch:colour=4", "no parameter called 'colour' for 'switch:'; expected ranks, "
                                    "bandwidth, latency, gamma, overhead, duplex");
    refused_spec("bus:duplex=half", "no parameter called 'duplex' for 'bus:'; expected ranks, "
                                    "bandwidth, latency, gamma, overhead");
    refused_spec("ring:ranks=2,ranks=2", "'ranks' is given twice in 'ring:'");
    refused_spec("switch:bandwidth=25",
                 "switch:bandwidth=: '25' has no unit; write 25 GB/s or 25 Gb/s");
    refused_spec("switch:bandwidth=0GB/s",
                 "switch:bandwidth=: '0GB/s' is zero; expected a rate above 0");
    refused_spec("switch:latency=1", "switch:latency=: '1' has no unit; write 1 ns, 1 us or 1 ms");
    refused_spec("mesh:duplex=both", "mesh:duplex=: 'both' is not 'full' or 'half'");
    refused_spec("switch:foo", "'foo' in 'switch:' is not of the form name=value");
    refused_spec("switch:ranks=4,", "'switch:' ends in ','; expected name=value");
    refused_spec("switch:,ranks=4", "'' in 'switch:' is not of the form name=value");
}

FIXTURE_TEST(sizes_have_limits)
{
    refused_spec("mesh:ranks=2049", "'mesh:' takes at most 2048 ranks and servers, not 2049");
    refused_spec("switch:ranks=1048577",
                 "switch:ranks=: '1048577' is out of range; expected 1 to 1048576");
    refused((struct cs_topo_request){.spec = "bus:ranks=1048576", .ranks = 0, .agents = 1},
            "'bus:' takes at most 1048576 ranks and servers, not 1048577");
    opened(f, (struct cs_topo_request){.spec = "mesh:ranks=2048"});
    assert_int_equal(route(f, 2047, 0).hops, 1);
    assert_int_equal(route(f, 2046, 2047).hops, 1);
}

TEST(more_ranks_than_there_are_is_refused)
{
    refused((struct cs_topo_request){.spec = "switch:ranks=4", .ranks = 5},
            "5 ranks requested, but 'switch:' has ranks=4");
    refused((struct cs_topo_request){.spec = "dgx", .ranks = 9},
            "'dgx' has 8 ranks; 9 requested; expected --nodes 2 --ranks 9");
}

/* ------------------------------------------------------------ names */

TEST(unknown_machines_are_reported_with_the_nearest)
{
    refused_spec("dgxx", "no file and no library machine called 'dgxx'; did you mean 'dgx'?");
    refused_spec("dgxx.yaml",
                 "no file and no library machine called 'dgxx.yaml'; did you mean 'dgx'?");
    refused_spec("swich:ranks=3",
                 "no file and no library machine called 'swich:ranks=3'; did you mean 'switch:'?");
    refused_spec("switch",
                 "no file and no library machine called 'switch'; did you mean 'switch:'?");
    refused_spec("/nowhere/x.yaml", "no file and no library machine called '/nowhere/x.yaml'");
    refused_spec("", "no file and no library machine called ''");
}

static void assert_machine(const char *spec, const char *name)
{
    struct cs_topo_request request = {.spec = spec};
    struct cs_graph graph, same;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    assert_done(cs_topo_open(&request, &graph, &arena, &err));
    request.spec = name;
    assert_done(cs_topo_open(&request, &same, &arena, &err));
    assert_string_equal(graph.name, same.name);
}

TEST(other_names_open_machines_of_the_library)
{
    for (size_t i = 0; i < cs_other_name_count; i++)
        assert_machine(cs_other_names[i].other, cs_other_names[i].name);
    assert_machine("BM.GPU.H100.8", "oci-h100");
    assert_machine("Standard_ND96isr_H100_v5", "ndv5");
    assert_machine("DGX-H100", "dgx-h100");
    refused_spec("dgx-h10",
                 "no file and no library machine called 'dgx-h10'; did you mean 'dgx-h100'?");
    refused_spec("hgx-b20",
                 "no file and no library machine called 'hgx-b20'; did you mean 'hgx-b200'?");
}

TEST(a_directory_is_not_a_machine)
{
    refused_spec("/tmp", "'/tmp' is a directory; expected a file");
}

FIXTURE_TEST(a_file_comes_before_the_library)
{
    char directory[] = "/tmp/collsim-topo-XXXXXX";
    char back[4096];
    FILE *file;

    assert_non_null(getcwd(back, sizeof(back)));
    assert_non_null(mkdtemp(directory));
    assert_int_equal(chdir(directory), 0);
    file = fopen("dgx.yaml", "w");
    fputs("devices: {one: {kind: host}}\n", file);
    fclose(file);
    opened(f, (struct cs_topo_request){.spec = "dgx.yaml"});
    assert_int_equal(f->graph.rank_count, 1);
    assert_string_equal(f->graph.name, "dgx");
    opened(f, (struct cs_topo_request){.spec = "yaml:dgx.yaml"});
    assert_int_equal(f->graph.rank_count, 1);
    opened(f, (struct cs_topo_request){.spec = "dgx"});
    assert_int_equal(f->graph.rank_count, 8);
    assert_int_equal(unlink("dgx.yaml"), 0);
    assert_int_equal(chdir(back), 0);
    assert_int_equal(rmdir(directory), 0);
}

TEST(every_source_has_a_description)
{
    for (size_t i = 0; i < cs_source_count; i++) {
        assert_true(cs_sources[i]->build || cs_source_reads(cs_sources[i]));
        assert_true(strlen(cs_sources[i]->usage) > 0);
        assert_true(strlen(cs_sources[i]->about) > 0);
    }
}

/* ------------------------------------------------------------ the library */

/* `text` again and again, `times` times. */
static const char *repeated(struct cs_arena *arena, const char *text, uint32_t times)
{
    size_t length = strlen(text);
    char *all = cs_arena_alloc(arena, length * times + 1, 1);

    for (size_t i = 0; i < length * times; i++)
        all[i] = text[i % length];
    return all;
}

static void refused_by_all(const char *text, size_t length)
{
    for (size_t i = 0; i < cs_source_count; i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_err err = {0};
        struct cs_graph graph;
        struct cs_topo_request request = {0};

        if (!cs_source_reads(cs_sources[i]))
            continue;
        request.spec = cs_arena_printf(&arena, "%s:bad", cs_sources[i]->name);
        assert_int_equal(
            cs_topo_read(&request, (struct cs_doc_text){"bad", text, length}, &graph, &arena, &err),
            CS_EINPUT);
        assert_int_equal(strncmp(err.text, "bad:", 4), 0);
    }
}

ARENA_TEST(every_reader_refuses_files_that_are_not_machines)
{
    static const char nul[] = "GPU0 GPU1\nGPU0 X \0\nGPU1 \0 X\n";
    static const char bomb[] =
        "<!DOCTYPE system [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]><system>&b;</system>";
    static const char *const texts[] = {
        "", "\xff\xfe\xfd", "{", "<", "<system/>", bomb,
    };
    const char *deep = repeated(arena, "<pci busid='0'>", 10000);
    const char *list = repeated(arena, "[", 10000);
    const char *row = repeated(arena, "GPU0 ", 1 << 20);

    refused_by_all(nul, sizeof(nul) - 1);
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        refused_by_all(texts[i], strlen(texts[i]));
    refused_by_all(deep, strlen(deep));
    refused_by_all(list, strlen(list));
    refused_by_all(row, strlen(row));
}

TEST(a_format_is_reported_by_the_content)
{
    static const struct {
        const char *text, *begin;
    } files[] = {
        {"<!-- c --><system/>", "m:1: no GPU in this file"},
        {"<topology/>", "m:1: version '' of hwloc's XML"},
        {"<platform/>", "m:1: no <host> in this platform"},
        {"{\"server_list\": []}", "m:1: 'status' is missing"},
        {"npus_count: [1]", "m:1: 'topology' is missing"},
        {"GPU0 GPU1\nGPU0 X NO", "m:2: cell 'NO'"},
        {"x Link Type between two GPUs\n", "m: no matrix"},
        {"devices: 1", "m:1: "},
    };

    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_err err = {0};
        struct cs_graph graph;
        struct cs_topo_request request = {.spec = "m"};

        assert_int_equal(
            cs_topo_read(&request, (struct cs_doc_text){"m", files[i].text, strlen(files[i].text)},
                         &graph, &arena, &err),
            CS_EINPUT);
        if (strncmp(err.text, files[i].begin, strlen(files[i].begin)) != 0)
            fail_msg("%s", err.text);
    }
}

TEST(every_machine_of_the_library_opens)
{
    assert_true(cs_machine_file_count >= 6);
    for (size_t i = 0; i < cs_machine_file_count; i++) {
        CS_AT_END(fixture_free) struct fixture f = {0};

        opened(&f, (struct cs_topo_request){.spec = cs_machine_files[i].name, .agents = 1});
        assert_true(strlen(f.graph.about) > 0);
        assert_routes_hold(&f);
    }
}

FIXTURE_TEST(a_dgx_a100_joins_all_gpus_identical)
{
    opened(f, (struct cs_topo_request){.spec = "dgx.yaml"});
    assert_string_equal(f->graph.name, "dgx-a100");
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < 8; j++)
            if (i != j)
                assert_route(f, i, j, (struct route){240, 2700000, 2});
}

FIXTURE_TEST(a_dgx_h100_joins_all_gpus_identical)
{
    opened(f, (struct cs_topo_request){.spec = "dgx-h100"});
    for (uint32_t i = 1; i < 8; i++)
        assert_route(f, 0, i, (struct route){370.8, 2700000, 2});
}

FIXTURE_TEST(a_dgx_1_has_double_links_around_its_ring)
{
    opened(f, (struct cs_topo_request){.spec = "dgx-1"});
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t next = (i + 1) % 8;

        assert_route(f, i, next, (struct route){40, 1350000, 1});
        assert_route(f, next, i, (struct route){40, 1350000, 1});
    }
}

FIXTURE_TEST(a_dgx_1_has_the_links_of_its_matrix)
{
    /* `nvidia-smi topo -m` of a DGX-1; sums of a row are 6. */
    static const char *const links[] = {
        ".1122...", "1.21.2..", "12.2..1.", "212....1",
        "2....112", ".2..1.21", "..1.12.2", "...1212.",
    };
    uint32_t rank_of[8];

    opened(f, (struct cs_topo_request){.spec = "dgx-1"});
    for (uint32_t r = 0; r < 8; r++)
        rank_of[f->graph.rank_device[r]] = r;
    for (uint32_t i = 0; i < 8; i++) {
        for (uint32_t j = 0; j < 8; j++) {
            struct route got;

            if (i == j)
                continue;
            got = route(f, rank_of[i], rank_of[j]);
            if (links[i][j] == '.')
                assert_true(got.hops > 2);
            else
                assert_true(fabs(got.rate_GBps - 20 * (links[i][j] - '0')) < 1e-6);
        }
    }
}

FIXTURE_TEST(without_nvlink_the_sockets_are_the_bottleneck)
{
    opened(f, (struct cs_topo_request){.spec = "pcie-4gpu"});
    assert_route(f, 0, 1, (struct route){24, 1000000, 2});
    assert_route(f, 1, 2, (struct route){10, 2050000, 5});
}

FIXTURE_TEST(gigabit_ethernet_has_the_rate_of_tcp)
{
    opened(f, (struct cs_topo_request){.spec = "gbe-4"});
    assert_int_equal(f->graph.rank_count, 4);
    assert_route(f, 0, 3, (struct route){0.125 * 1448 / 1538, 20000000, 2});
}

FIXTURE_TEST(between_two_dgx_pcie_is_the_bottleneck)
{
    opened(f, (struct cs_topo_request){.spec = "ib-2xdgx"});
    assert_int_equal(f->graph.rank_count, 16);
    for (uint32_t i = 0; i < 8; i++) {
        assert_route(f, i, 8 + i, (struct route){24, 3330000, 6});
        assert_route(f, 8 + i, 7 - i, (struct route){24, 3330000, 6});
    }
    assert_route(f, 0, 7, (struct route){240, 2700000, 2});
}

FIXTURE_TEST(gpus_of_one_dgx_leave_by_adapters_of_their_own)
{
    uint64_t out = 0;
    uint64_t in = 0;

    opened(f, (struct cs_topo_request){.spec = "ib-2xdgx"});
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t links[HOPS_MAX];

        (void)f->net.route(f->net.route_ctx, i, 8 + i, links);
        out |= UINT64_C(1) << f->net.links[links[2]].from;
        in |= UINT64_C(1) << f->net.links[links[3]].to;
    }
    assert_int_equal(__builtin_popcountll(out), 8);
    assert_int_equal(__builtin_popcountll(in), 8);
}
