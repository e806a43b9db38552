/* Calls on copy engines, for requests that name them. */
#include "algorithms/libraries/nccl/symmetric_time.h"

#include "tests/site.h"

static int ask(const char *spec, struct cs_library_request request, struct cs_library_time *time,
               struct cs_err *err)
{
    const struct cs_library *library = library_named("nccl");
    struct cs_site site = site_of(spec, 0);

    request.site = &site;
    request.effects = CS_EFFECTS_ALL;
    request.engine = "copy-engine";
    return library->time(&request, time, err);
}

static double seconds(const char *spec, const struct cs_collective *collective, uint64_t bytes)
{
    struct cs_library_time time = {0};

    assert_done(ask(spec, (struct cs_library_request){.collective = collective, .bytes = bytes},
                    &time, &err));
    assert_string_equal(time.engine, "copy-engine");
    assert_non_null(time.remark);
    assert_true(time.low_s < time.total_s && time.total_s < time.high_s);
    return time.total_s;
}

/* Seven eighths of 8 GiB over 18 links of 20.6 GB/s. */
TEST(large_copies_reach_the_rate_of_the_links)
{
    const uint64_t bytes = UINT64_C(8) << 30;
    double wires_s = (double)bytes * 7 / 8 / (18 * 20.6e9);

    assert_within(seconds("dgx-h100", &cs_collective_allgather, bytes), wires_s, 1e-3 * wires_s);
    assert_within(seconds("dgx-h100", &cs_collective_alltoall, bytes), wires_s, 1e-3 * wires_s);
    assert_within(seconds("dgx-h100", &cs_collective_scatter, bytes), wires_s, 1e-3 * wires_s);
}

/* A launch, a copy and two barriers. */
TEST(small_copies_have_a_latency)
{
    double small_s = seconds("dgx-h100", &cs_collective_allgather, 8);

    assert_true(small_s > 13.4e-6 && small_s < 25e-6);
}

static void refused(const char *spec, struct cs_library_request request, const char *words)
{
    struct cs_library_time time;
    struct cs_err err = {0};

    assert_int_not_equal(ask(spec, request, &time, &err), 0);
    if (!strstr(err.text, words))
        fail_msg("'%s' has no '%s'", err.text, words);
}

TEST(copy_engines_need_one_domain_a_new_version_and_no_sum)
{
    struct cs_library_request request = {.collective = &cs_collective_allreduce, .bytes = 1 << 20};

    refused("dgx-h100", request, "not all-reduce");
    request.collective = &cs_collective_allgather;
    refused("ib-2xdgx", request, "one NVLink domain");
    refused("rtx4090", request, "one NVLink domain");
    request.version = 22705;
    refused("dgx-h100", request, "since 2.28");
    request.version = 0;
    request.protocol = "ll";
    refused("dgx-h100", request, "no protocol");
}
