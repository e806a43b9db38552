/* Corrections of a fit that other calls take, too: large ones whole, small ones hardly. */
#include "algorithms/libraries/carried.h"

#include "algorithms/libraries/profile.h"
#include "tests/fixture.h"

TEST(a_large_correction_is_carried_whole_and_a_small_one_hardly)
{
    assert_true(cs_carried_s(1, 3) > 2.98 && cs_carried_s(1, 3) < 3);
    assert_true(cs_carried_s(1, 1.02) < 1.002 && cs_carried_s(1, 1.02) > 1);
    assert_true(fabs(log(cs_carried_s(2, 2 * exp(CS_OWN_ERROR)) / 2) - CS_OWN_ERROR / 2) < 1e-12);
    assert_true(fabs(cs_carried_s(1, 1.1) * cs_carried_s(1, 1 / 1.1) - 1) < 1e-12);
    assert_true(cs_carried_s(1, 1) == 1);
}

static const struct cs_site two_nodes = {.ranks = 2,
                                         .nodes = 2,
                                         .node_ranks = 1,
                                         .maker = CS_MAKER_NVIDIA,
                                         .generation = 90,
                                         .gdr = true,
                                         .gpu_path = CS_PATH_LINKS,
                                         .socket_Bps = 20e9,
                                         .host_Bps = 150e9,
                                         .pcie_Bps = 12e9,
                                         .link_Bps = 450e9,
                                         .ring_Bps = 400e9,
                                         .adapters = 1,
                                         .adapter_Bps = 12e9,
                                         .node_Bps = 12e9,
                                         .net = CS_NET_IB};

static struct cs_library_time timed(const struct cs_library *library,
                                    const struct cs_library_request *request)
{
    struct cs_library_time time;

    assert_done(library->time(request, &time, &err));
    return time;
}

/* A profile of all-reduce on two nodes whose parameters are `share` of the library's. */
static struct cs_profile profile_of(const struct cs_library *library, double share)
{
    struct cs_profile profile = {
        .library = library,
        .calls = {{&cs_collective_allreduce, 2, 1024, 1 << 20}},
        .call_count = 1,
    };

    cs_parameters_values(library->parameters, profile.values);
    for (uint32_t k = 0; k < library->parameters->count; k++)
        profile.values[k] *= share;
    return profile;
}

/* Parts add up, and the interval is as wide as that of the fitted call. */
static void assert_carried(const char *name, const char *engine, double share)
{
    const struct cs_library *library;
    struct cs_library_request request = {.site = &two_nodes,
                                         .collective = &cs_collective_allreduce,
                                         .bytes = 64 << 20,
                                         .engine = engine,
                                         .effects = CS_EFFECTS_ALL};
    struct cs_library_time own, fitted, carried;
    struct cs_profile profile;

    assert_done(cs_library_find(name, &library, &request.version, &err));
    profile = profile_of(library, share);
    own = timed(library, &request);
    cs_profile_apply(&profile, &request);
    assert_ptr_equal(request.parameters, profile.values);
    assert_false(request.carried);
    fitted = timed(library, &request);
    profile.calls[0].nodes = 4;
    cs_profile_apply(&profile, &request);
    assert_true(request.carried);
    carried = timed(library, &request);
    if (!(fabs(carried.total_s / cs_carried_s(own.total_s, fitted.total_s) - 1) < 1e-9))
        fail_msg("%s: %g of %g and %g", name, carried.total_s, own.total_s, fitted.total_s);
    assert_true(fabs(own.total_s / fitted.total_s - 1) > .01);
    assert_true(fabs((carried.launch_s + carried.latency_s + carried.transfer_s) / carried.total_s -
                     1) < 1e-9);
    assert_true(fabs(carried.high_s / carried.low_s / (fitted.high_s / fitted.low_s) - 1) < 1e-9);
    if (library->time_as) {
        assert_done(library->time_as(&request, &request, &fitted, &err));
        assert_true(fabs(fitted.total_s / carried.total_s - 1) < 1e-9);
    }
}

TEST(every_library_carries_a_profile_to_other_calls)
{
    static const char *const names[] = {"nccl", "mpi", "gloo"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        assert_carried(names[i], NULL, .97);
        assert_carried(names[i], NULL, .5);
    }
}

TEST(a_profile_without_calls_holds_for_all)
{
    struct cs_library_request request = {.site = &two_nodes,
                                         .collective = &cs_collective_allgather};
    struct cs_profile profile = profile_of(cs_libraries[0], 1);

    cs_profile_apply(NULL, &request);
    assert_null(request.parameters);
    cs_profile_apply(&profile, &request);
    assert_true(request.carried);
    profile.call_count = 0;
    cs_profile_apply(&profile, &request);
    assert_false(request.carried);
}
