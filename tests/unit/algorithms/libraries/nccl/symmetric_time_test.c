/* Requests that name an engine outside NCCL's default choice. */
#include "algorithms/libraries/nccl/symmetric_time.h"

#include "algorithms/libraries/nccl/symmetric.h"

#include "tests/site.h"

static int ask(const char *spec, struct cs_library_request request, struct cs_library_time *time,
               struct cs_err *err)
{
    struct cs_site site = site_of(spec, 0);
    const struct cs_library *library;
    uint32_t version;

    assert_int_equal(cs_library_find("nccl", &library, &version, err), 0);
    request.site = &site;
    request.effects = CS_EFFECTS_ALL;
    return library->time(&request, time, err);
}

TEST(symmetric_kernels_run_where_they_are_named)
{
    struct cs_library_request request = {
        .collective = &cs_collective_allreduce, .bytes = 1 << 20, .engine = "symmetric"};
    struct cs_library_time time, ring;

    assert_true(cs_nccl_is_symmetric("symmetric"));
    assert_false(cs_nccl_is_symmetric(NULL));
    assert_done(ask("dgx-h100", request, &time, &err));
    assert_string_equal(time.engine, "symmetric");
    assert_true(fabs(time.launch_s + time.latency_s + time.transfer_s - time.total_s) < 1e-12);
    request.engine = "ring";
    assert_done(ask("dgx-h100", request, &ring, &err));
    assert_true(time.total_s < ring.total_s);
}

/* Kernels count the part of a rank: an eighth of an all-gather, all of an all-reduce. */
TEST(symmetric_kernels_are_asked_for_the_part_of_a_rank)
{
    static const struct {
        const struct cs_collective *collective;
        enum cs_nccl_func func;
        uint64_t part;
    } calls[] = {
        {&cs_collective_allgather, CS_NCCL_ALL_GATHER, 1 << 20},
        {&cs_collective_reducescatter, CS_NCCL_REDUCE_SCATTER, 1 << 20},
        {&cs_collective_allreduce, CS_NCCL_ALL_REDUCE, 8 << 20},
    };

    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        struct cs_library_request request = {
            .collective = calls[i].collective, .bytes = 8 << 20, .engine = "symmetric"};
        struct cs_nccl_symmetric_call call = {.func = calls[i].func,
                                              .bytes = calls[i].part,
                                              .ranks = 8,
                                              .capability = 90,
                                              .has_multicast = true};
        struct cs_nccl_symmetric choice = cs_nccl_symmetric_choose(&call);
        struct cs_library_time time;

        assert_done(ask("dgx-h100", request, &time, &err));
        assert_true(fabs(time.tuner_s - choice.time_s) < 1e-12);
        assert_int_equal(time.channels, choice.blocks);
        if (calls[i].func != CS_NCCL_ALL_REDUCE)
            assert_true(fabs(time.total_s - choice.time_s) < 1e-12);
    }
}

/* 722 GB/s of NVLink 5, of which NVLS reaches .74, for the vector and an eighth of it. */
TEST(a_long_vector_takes_the_wires_time)
{
    struct cs_library_request request = {
        .collective = &cs_collective_allreduce, .bytes = 1 << 30, .engine = "symmetric"};
    struct cs_library_time time;

    assert_done(ask("dgx-b200", request, &time, &err));
    assert_true(fabs((1 << 30) / time.total_s / 472e9 - 1) < .02);
    assert_true(time.tuner_s < .6 * time.total_s);
}

static void expect_refusal(const char *spec, struct cs_library_request request, const char *word)
{
    struct cs_library_time time;
    struct cs_err err = {0};

    request.engine = "symmetric";
    request.bytes = 1024;
    assert_int_not_equal(ask(spec, request, &time, &err), 0);
    if (!strstr(err.text, word))
        fail_msg("'%s' lacks '%s'", err.text, word);
}

TEST(symmetric_kernels_need_one_domain_and_a_new_version)
{
    struct cs_library_request request = {.collective = &cs_collective_allreduce};

    expect_refusal("ib-2xdgx", request, "one NVLink domain");
    request.version = 22605;
    expect_refusal("dgx-h100", request, "since 2.27");
    request.version = 0;
    request.protocol = "ll";
    expect_refusal("dgx-h100", request, "protocol");
    request.protocol = NULL;
    request.collective = &cs_collective_broadcast;
    expect_refusal("dgx-h100", request, "broadcast");
}

TEST(a_named_collective_network_is_taken_as_present)
{
    struct cs_library_request request = {
        .collective = &cs_collective_allreduce, .bytes = 1 << 20, .engine = "collnet-direct"};
    struct cs_library_time time;

    assert_done(ask("ib-2xdgx", request, &time, &err));
    assert_string_equal(time.engine, "collnet-direct");
    assert_true(time.tuner_s > 0);
}

TEST(a_version_without_tables_names_what_it_may_take)
{
    struct cs_library_request request = {.collective = &cs_collective_allreduce, .bytes = 1 << 20};
    struct cs_library_time time;

    assert_done(ask("dgx-b200", request, &time, &err));
    assert_null(time.unmodelled);
    request.version = 23206;
    assert_done(ask("dgx-b200", request, &time, &err));
    assert_non_null(time.unmodelled);
}
