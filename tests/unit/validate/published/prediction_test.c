/* Predictions: the ring of datasheets, requests, and tables without a library. */
#include "validate/published/prediction.h"

#include "tests/fixture.h"
#include "validate/published/files.h"

TEST(the_ring_of_datasheets_has_steps_and_bytes)
{
    static const struct {
        const struct cs_collective *collective;
        double time_s; /* 8 ranks, 800 MB, 100 GB/s */
    } cases[] = {
        {&cs_collective_allreduce, 14 * 5e-6 + 14e-3}, {&cs_collective_allgather, 7 * 5e-6 + 7e-3},
        {&cs_collective_alltoall, 7 * 5e-6 + 7e-3},    {&cs_collective_broadcast, 7 * 5e-6 + 8e-3},
        {&cs_collective_sendrecv, 5e-6 + 8e-3},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_true(fabs(cs_datasheet_ring_s(cases[i].collective, 8, 800000000, 100e9) -
                         cases[i].time_s) < 1e-12);
}

ARENA_TEST(a_table_without_a_library_or_a_call_has_a_reason)
{
    static const char text[] = "id,site,class,library,version,collective,ranks,nodes,gpu,topo,topo_"
                               "ranks,launch,engine,protocol,healthy,no_estimate,source,note\n"
                               "a,x,nvswitch,nccl,,all_reduce,8,1,,dgx,,ranks,,,yes,,s,\n"
                               "b,x,mpi-cpu,mpi,,stream,2,2,,dgx,,ranks,,,yes,,s,\n"
                               "c,x,nvswitch,nckl,,all_reduce,8,1,,dgx,,ranks,,,yes,,s,\n";
    static const char rows[] = "id,bytes,time_us\na,1024,9\na,1048576,40\nb,8,1\nc,8,1\n";
    struct cs_published published;
    struct cs_published_answer *answers;

    assert_done(cs_published_read((struct cs_doc_text){"t", text, strlen(text)},
                                  (struct cs_doc_text){"r", rows, strlen(rows)}, arena, &published,
                                  &err));
    answers = cs_published_predict(&published, cs_published_machines(&published, arena),
                                   CS_EFFECTS_ALL, arena);
    assert_null(answers[0].unknown);
    assert_true(answers[0].points[1].time_s[CS_PREDICTOR_MODEL] >
                answers[0].points[0].time_s[CS_PREDICTOR_MODEL]);
    assert_true(isnan(answers[0].points[0].time_s[CS_PREDICTOR_LEFT_OUT]));
    assert_string_equal(answers[1].unknown, "no call of a library");
    assert_non_null(strstr(answers[2].unknown, "nckl"));
    assert_true(isnan(answers[2].points[0].time_s[CS_PREDICTOR_MODEL]));
}
