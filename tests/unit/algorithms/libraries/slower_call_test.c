/* Calls that a library's decision makes slower on a faster machine. */
#include "algorithms/libraries/slower_call.h"

#include "sim/base/text.h"
#include "tests/site.h"

extern const struct cs_library cs_library_nccl;
extern const struct cs_library cs_library_mpi;

static struct cs_library_request request_of(const struct cs_site *site,
                                            const struct cs_collective *collective, uint64_t bytes)
{
    return (struct cs_library_request){.site = site,
                                       .collective = collective,
                                       .bytes = bytes,
                                       .device_buffers = true,
                                       .effects = CS_EFFECTS_ALL};
}

static struct cs_slower_call find(const struct cs_library *library,
                                  const struct cs_library_request *before,
                                  const struct cs_library_request *after, struct cs_text *text)
{
    struct cs_slower_call call;

    assert_int_equal(cs_slower_call_find(library, before, after, &call, NULL), 0);
    cs_slower_call_put(library, &call, text);
    return call;
}

/* By its own estimate NCCL leaves LL sooner where links are faster. */
TEXT_TEST(a_slower_choice_is_named_with_the_former)
{
    struct cs_site site = site_of("dgx-h100", 0), faster = site;
    struct cs_library_request before = request_of(&site, &cs_collective_allgather, 4 << 20);
    struct cs_library_request after = before;
    struct cs_slower_call call;

    faster.link_Bps *= 2;
    faster.ring_Bps *= 2;
    after.site = &faster;
    call = find(&cs_library_nccl, &before, &after, out);
    assert_int_equal(call.is, CS_SLOWER_BY_DECISION);
    assert_true(call.kept.total_s <= call.before.total_s);
    assert_non_null(strstr(cs_text_str(out), "nccl decides for ring ll128 on 43 channels; "
                                             "decided as there, for ring ll on 24 channels, "));
}

/* UCX reads short messages of GPU memory by the CPU. */
TEXT_TEST(a_decision_that_no_name_shows_is_described)
{
    struct cs_site site = site_of("dgx-h100", 0);
    struct cs_library_request before = request_of(&site, &cs_collective_sendrecv, 9000);
    struct cs_library_request after = request_of(&site, &cs_collective_sendrecv, 8000);
    struct cs_slower_call call;

    call = find(&cs_library_mpi, &before, &after, out);
    assert_int_equal(call.is, CS_SLOWER_BY_DECISION);
    assert_non_null(strstr(cs_text_str(out), "without eager messages"));
}

TEXT_TEST(a_call_of_more_bytes_is_slower_anyhow)
{
    struct cs_site site = site_of("dgx-h100", 0);
    struct cs_library_request before = request_of(&site, &cs_collective_allreduce, 1 << 20);
    struct cs_library_request after = request_of(&site, &cs_collective_allreduce, 1 << 28);

    assert_int_equal(find(&cs_library_nccl, &before, &after, out).is, CS_SLOWER_ANYHOW);
    assert_int_equal(find(&cs_library_nccl, &after, &before, out).is, CS_SLOWER_NOT);
}
