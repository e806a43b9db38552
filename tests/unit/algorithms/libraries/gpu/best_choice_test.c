/* The best choice: never slower than the library's, and a gain only beyond the
 * interval. */
#include "algorithms/libraries/gpu/best_choice.h"

#include "tests/site.h"

extern const struct cs_library cs_library_nccl;
extern const struct cs_library cs_library_gloo;

static struct cs_library_request request_of(const struct cs_site *site,
                                            const struct cs_collective *collective)
{
    return (struct cs_library_request){
        .site = site,
        .collective = collective,
        .bytes = 1 << 20,
        .effects = CS_EFFECTS_ALL,
    };
}

TEST(the_best_is_a_minimum_over_all_that_can_be_forced)
{
    static const char *const specs[] = {"dgx", "dgx-1", "rtx4090", "cluster:node=dgx-h100,nodes=4"};

    for (size_t s = 0; s < sizeof(specs) / sizeof(*specs); s++) {
        struct cs_site site = site_of(specs[s], 0);
        struct cs_library_request request = request_of(&site, &cs_collective_allreduce);

        for (unsigned octave = 10; octave < 34; octave++) {
            struct cs_best_choice choice;
            struct cs_library_time ring, few;

            request.bytes = UINT64_C(1) << octave;
            request.engine = request.protocol = NULL;
            request.channels = 0;
            assert_int_equal(cs_best_choice_find(&cs_library_nccl, &request, &choice, NULL), 0);
            assert_true(choice.best.total_s <= choice.chosen.total_s);
            assert_true(choice.gain >= 0);
            assert_int_equal(choice.is_gain, choice.best.total_s < choice.chosen.low_s);
            request.engine = "ring";
            request.protocol = "simple";
            assert_int_equal(cs_library_nccl.time(&request, &ring, NULL), 0);
            assert_true(choice.best.total_s <= ring.total_s);
            for (request.channels = 1; request.channels < ring.channels; request.channels *= 2) {
                assert_int_equal(cs_library_nccl.time(&request, &few, NULL), 0);
                assert_true(choice.best.total_s <= few.total_s);
            }
        }
    }
}

/* EFA before P5 does not keep the order of LL's stores. */
TEST(a_protocol_that_the_network_forbids_is_no_candidate)
{
    struct cs_site site = site_of("cluster:node=p4d,nodes=16", 0);
    struct cs_library_request request = request_of(&site, &cs_collective_allgather);
    struct cs_best_choice choice;

    for (unsigned octave = 10; octave < 34; octave++) {
        request.bytes = UINT64_C(1) << octave;
        assert_int_equal(cs_best_choice_find(&cs_library_nccl, &request, &choice, NULL), 0);
        assert_string_equal(choice.best.protocol, "simple");
    }
}

TEST(libraries_and_collectives_without_a_choice_are_refused)
{
    struct cs_site site = site_of("dgx", 0);
    struct cs_library_request request = request_of(&site, &cs_collective_alltoall);
    struct cs_best_choice choice;

    assert_refused_with(cs_best_choice_find(&cs_library_nccl, &request, &choice, &err), CS_EINPUT,
                        "without a choice of algorithm");
    request.collective = &cs_collective_allreduce;
    assert_refused_with(cs_best_choice_find(&cs_library_gloo, &request, &choice, &err), CS_EINPUT,
                        "gloo has no NCCL_ALGO");
}
