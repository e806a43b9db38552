/* Intervals of NCCL: the class of a machine and the size choose the width. */
#include "algorithms/libraries/nccl/interval.h"

#include "tests/fixture.h"

TEST(a_machine_has_the_class_of_its_slowest_medium)
{
    struct cs_site links = {.nodes = 1, .link_Bps = 1e9};
    struct cs_site peers = {.nodes = 1, .peer_access = true};
    struct cs_site staged = {.nodes = 1};
    struct cs_site verbs = {.nodes = 2, .link_Bps = 1e9, .gdr = true};
    struct cs_site plugins = {.nodes = 2, .link_Bps = 1e9, .gdr = true};
    struct cs_site host = {.nodes = 2, .link_Bps = 1e9};

    verbs.net = CS_NET_ROCE;
    plugins.net = CS_NET_EFA1;
    host.net = CS_NET_IB;
    assert_int_equal(cs_nccl_interval_class(&links), CS_NCCL_INTERVAL_LINKS);
    assert_int_equal(cs_nccl_interval_class(&peers), CS_NCCL_INTERVAL_PEERS);
    assert_int_equal(cs_nccl_interval_class(&staged), CS_NCCL_INTERVAL_STAGED);
    assert_int_equal(cs_nccl_interval_class(&verbs), CS_NCCL_INTERVAL_VERBS);
    assert_int_equal(cs_nccl_interval_class(&plugins), CS_NCCL_INTERVAL_PLUGINS);
    assert_int_equal(cs_nccl_interval_class(&host), CS_NCCL_INTERVAL_PLUGINS);
    host.net = CS_NET_IPOIB;
    assert_int_equal(cs_nccl_interval_class(&host), CS_NCCL_INTERVAL_SOCKETS);
}

/* The name of a range of sizes ends where the next begins. */
TEST(a_size_belongs_to_the_range_that_it_begins)
{
    static const char *const names[] = {"below 64 KiB", "64 KiB-1 MiB", "1-64 MiB", "from 64 MiB"};

    for (unsigned i = 0; i < CS_NCCL_INTERVAL_SIZES; i++)
        assert_string_equal(cs_nccl_interval_size_name(i), names[i]);
    assert_int_equal(cs_nccl_interval_size((64 << 10) - 1), 0);
    assert_int_equal(cs_nccl_interval_size(64 << 10), 1);
    assert_int_equal(cs_nccl_interval_size(1 << 20), 2);
    assert_int_equal(cs_nccl_interval_size(64 << 20), 3);
}

TEST(the_interval_is_symmetric_in_the_logarithm)
{
    struct cs_site site = {.nodes = 1, .link_Bps = 1e9};
    struct cs_library_request request = {.site = &site, .bytes = 1 << 20};
    struct cs_nccl_intervals intervals = {0};
    struct cs_library_time time = {.total_s = 10};

    intervals.half[CS_NCCL_INTERVAL_LINKS][2] = log(2);
    cs_nccl_set_interval(&request, &intervals, &time);
    assert_true(fabs(time.low_s - 5) < 1e-9);
    assert_true(fabs(time.high_s - 20) < 1e-9);
}

TEST(the_interval_reaches_to_the_slow_end_of_what_is_open)
{
    struct cs_site site = {.nodes = 1};
    struct cs_library_request request = {.site = &site, .bytes = 1 << 20};
    struct cs_nccl_intervals intervals = {0};
    struct cs_library_time time = {.total_s = 10, .open_s = 40};

    intervals.half[CS_NCCL_INTERVAL_STAGED][2] = log(2);
    cs_nccl_set_interval(&request, &intervals, &time);
    assert_true(fabs(time.low_s - 5) < 1e-9);
    assert_true(fabs(time.high_s - 80) < 1e-9);
}

TEST(what_is_said_is_not_open)
{
    static const struct cs_site peers = {.nodes = 1, .peer_access = true};
    static const struct cs_site copies = {.nodes = 1};
    static const struct cs_site google = {.nodes = 2, .net = CS_NET_TCPXO};
    struct cs_library_request request = {0};
    struct cs_site site = peers;

    assert_false(cs_nccl_slow_end(&request, &site));
    site = copies;
    assert_true(cs_nccl_slow_end(&request, &site));
    assert_int_equal(site.iommu, CS_SITE_SLOW);
    assert_false(cs_nccl_slow_end(&request, &site));
    site = google;
    assert_true(cs_nccl_slow_end(&request, &site));
    assert_int_equal(site.tcpxo, CS_SITE_SLOW);
    site = (struct cs_site){.nodes = 2, .net = CS_NET_IB, .gdr = true, .gdr_anywhere = true};
    assert_true(cs_nccl_slow_end(&request, &site));
    assert_int_equal(site.far, CS_SITE_SLOW);
    assert_false(cs_nccl_slow_end(&request, &site));
    site = google;
    request.protocol = "ll128";
    assert_false(cs_nccl_slow_end(&request, &site));
}
