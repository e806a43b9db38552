/* RCCL in a node: direct exchange and rings, on a site by hand. */
#include "algorithms/libraries/rccl/node.h"

#include "tests/site.h"

static int rccl_time(const struct cs_library_request *request, struct cs_library_time *time,
                     struct cs_err *err)
{
    return library_named("rccl")->time(request, time, err);
}

/* MI300X: seven links of 48 GB/s. */
static const struct cs_site node = {
    .ranks = 8,
    .nodes = 1,
    .node_ranks = 8,
    .maker = CS_MAKER_AMD,
    .generation = 942,
    .gpu_path = CS_PATH_LINKS,
    .peer_access = true,
    .link_Bps = 336e9,
    .ring_Bps = 336e9,
    .pcie_Bps = 50e9,
};

static struct cs_library_request request_of(uint64_t bytes, const char *engine)
{
    return (struct cs_library_request){
        .site = &node,
        .collective = &cs_collective_allreduce,
        .bytes = bytes,
        .engine = engine,
        .effects = CS_EFFECTS_ALL,
    };
}

static double total_s(const struct cs_library_request *request, const char *engine,
                      const char *protocol)
{
    struct cs_library_time time;

    assert_done(rccl_time(request, &time, &err));
    assert_string_equal(time.engine, engine);
    assert_string_equal(time.protocol, protocol);
    return time.total_s;
}

TEST(a_named_schedule_takes_the_time_of_the_choice)
{
    const uint64_t sizes[] = {64 << 10, 256 << 20};
    const char *const engines[] = {"direct", "ring"};
    const char *const protocols[] = {"ll", "simple"};

    for (size_t i = 0; i < 2; i++) {
        struct cs_library_request chosen = request_of(sizes[i], NULL);
        struct cs_library_request named = request_of(sizes[i], engines[i]);
        struct cs_library_request other = request_of(sizes[i], engines[1 - i]);
        double best_s = total_s(&chosen, engines[i], protocols[i]);

        assert_true(best_s == total_s(&named, engines[i], protocols[i]));
        assert_true(best_s < total_s(&other, engines[1 - i], protocols[1 - i]));
    }
}

TEST(a_protocol_selects_its_schedule)
{
    struct cs_library_request request = request_of(256 << 20, NULL);

    request.protocol = "LL";
    total_s(&request, "direct", "ll");
    request.bytes = 8;
    request.protocol = "simple";
    total_s(&request, "ring", "simple");
}

TEST(a_call_that_waits_pays_launch_and_device)
{
    struct cs_library_request request = request_of(1 << 20, NULL);
    double stream_s = total_s(&request, "direct", "ll");

    request.blocking = true;
    assert_true(total_s(&request, "direct", "ll") > stream_s);
}

TEST(a_direct_exchange_needs_one_node_with_links)
{
    struct cs_site pcie = node;
    struct cs_library_request request = request_of(1024, "direct");
    struct cs_library_time time;

    pcie.link_Bps = pcie.ring_Bps = 0;
    pcie.gpu_path = CS_PATH_HOST;
    request.site = &pcie;
    assert_false(cs_rccl_node_serves(&request));
    assert_int_equal(rccl_time(&request, &time, NULL), CS_ECANNOT);
    request.engine = NULL;
    assert_done(rccl_time(&request, &time, &err));
    assert_true(time.total_s > 0 && time.total_s < 1);
}
