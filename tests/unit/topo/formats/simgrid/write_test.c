#include "tests/unit/topo/machine.h"
#include "topo/formats/writer.h"

/* A platform, made of a machine in YAML. */
struct platform {
    struct machine from;
    struct cs_text text, notes;
};

static int write_graph(struct platform *platform, const char *yaml)
{
    const struct cs_writer *writer;

    machine_open(&platform->from, (struct cs_topo_request){.spec = "yaml:"}, yaml);
    assert_int_equal(cs_writer_find("simgrid", &writer, NULL), 0);
    return writer->write(&platform->from.graph, &platform->text, &platform->notes,
                         &platform->from.err);
}

static void platform_free(struct platform *platform)
{
    cs_text_free(&platform->text);
    cs_text_free(&platform->notes);
    machine_close(&platform->from);
}

/* A bus with two wires: the keys of their classes. */
static const char *bus(char text[512], const char *one, const char *other)
{
    (void)snprintf(text, 512,
                   "classes:\n"
                   "  a: {%s, duplex: bus}\n"
                   "  b: {%s, duplex: bus}\n"
                   "devices: {r: {kind: gpu, count: 4}, m: {kind: bus}}\n"
                   "links:\n"
                   "  - {from: \"r[0-1]\", to: m, class: a}\n"
                   "  - {from: \"r[2-3]\", to: m, class: b}\n",
                   one, other);
    return text;
}

static uint64_t latency_ps(const struct machine *m, uint32_t src, uint32_t dst)
{
    uint32_t *links = calloc(m->net.max_hops + 1, sizeof(*links));
    uint32_t count = m->net.route(m->net.route_ctx, src, dst, links);
    uint64_t sum_ps = 0;

    for (uint32_t i = 0; i < count; i++)
        sum_ps += m->net.links[links[i]].latency_ps;
    free(links);
    return sum_ps;
}

static double slowest_Bps(const struct machine *m, uint32_t src, uint32_t dst)
{
    uint32_t *links = calloc(m->net.max_hops + 1, sizeof(*links));
    uint32_t count = m->net.route(m->net.route_ctx, src, dst, links);
    double slowest = INFINITY;

    for (uint32_t i = 0; i < count; i++)
        slowest = fmin(slowest, m->net.links[links[i]].rate_Bps);
    free(links);
    return slowest;
}

/* Each pair of ranks has the latency and the rate in the platform that it has
 * in the machine. */
static void expect_identical(const char *yaml)
{
    CS_AT_END(platform_free) struct platform platform = {0};
    CS_AT_END(machine_close) struct machine back = {0};

    if (write_graph(&platform, yaml))
        fail_msg("%s", platform.from.err.text);
    machine_open(&back, (struct cs_topo_request){.spec = "simgrid:"}, cs_text_str(&platform.text));
    for (uint32_t src = 0; src < 4; src++)
        for (uint32_t dst = 0; dst < 4; dst++) {
            if (src == dst)
                continue;
            assert_int_equal(latency_ps(&back, src, dst), latency_ps(&platform.from, src, dst));
            assert_true(slowest_Bps(&back, src, dst) == slowest_Bps(&platform.from, src, dst));
        }
}

TEST(wires_of_a_bus_keep_their_latencies)
{
    char yaml[512];

    expect_identical(bus(yaml, "rate: 1 GB/s, latency: 1 us", "rate: 1 GB/s, latency: 9 us"));
    expect_identical(bus(yaml, "rate: 1 GB/s, latency: 9 us", "rate: 1 GB/s, latency: 1 us"));
    expect_identical(
        bus(yaml, "rate: 1 GB/s, latency: 9 us", "rate: 2 GB/s, latency: 9 us, efficiency: 0.5"));
}

TEST(a_bus_of_unequal_rates_is_refused_by_name)
{
    CS_AT_END(platform_free) struct platform platform = {0};
    char yaml[512];

    assert_int_equal(write_graph(&platform, bus(yaml, "rate: 1 GB/s, latency: 1 us",
                                                "rate: 4 GB/s, latency: 9 us")),
                     CS_EINPUT);
    assert_string_equal(platform.from.err.text,
                        "'r0 - m' with 1 GB/s and 'r2 - m' with 4 GB/s share a bus with different "
                        "rates; a link of SimGrid has one rate");
}

TEST(wires_of_equal_numbers_are_one_link)
{
    CS_AT_END(platform_free) struct platform platform = {0};
    char yaml[512];
    const char *link;

    assert_int_equal(write_graph(&platform, bus(yaml, "rate: 1 GB/s, latency: 1 us",
                                                "rate: 1 GB/s, latency: 1 us")),
                     0);
    link = strstr(cs_text_str(&platform.text), "<link id=");
    assert_non_null(link);
    assert_null(strstr(link + 1, "<link id="));
}
