/* Machines of published tables: the datasheet rate of the slowest port. */
#include "validate/published/prediction.h"

#include "tests/fixture.h"
#include "validate/published/files.h"

static const struct cs_published_machine *find_machine(
    const struct cs_published *published, const struct cs_published_machine *const *machines,
    const char *topo)
{
    for (uint32_t i = 0; i < published->count; i++)
        if (strcmp(machines[i]->topo, topo) == 0)
            return machines[i];
    return NULL;
}

/* DGX A100: 12 links of 25 GB/s; eight adapters of 200 Gb/s together 200 GB/s. */
ARENA_TEST(the_slowest_port_is_links_or_the_shares_of_adapters)
{
    static const char text[] =
        "id,site,class,library,version,collective,ranks,nodes,gpu,topo,topo_ranks,launch,engine,"
        "protocol,healthy,no_estimate,source,note\n"
        "a,x,nvswitch,nccl,,all_reduce,8,1,,dgx,,ranks,,,yes,,s,\n"
        "b,x,rdma,nccl,,all_reduce,16,2,,\"cluster:node=dgx,nodes=2\",,ranks,,,yes,,s,\n"
        "c,x,rdma,nccl,,all_reduce,16,2,,\"cluster:node=nothing\",,ranks,,,yes,,s,\n"
        "d,x,rdma,nccl,,all_reduce,16,2,,,,ranks,,,yes,,s,\n";
    static const char rows[] = "id,bytes,time_us\n";
    struct cs_published published;
    const struct cs_published_machine *const *machines;

    assert_done(cs_published_read((struct cs_doc_text){"t", text, strlen(text)},
                                  (struct cs_doc_text){"r", rows, strlen(rows)}, arena, &published,
                                  &err));
    machines = cs_published_machines(&published, arena);
    assert_true(fabs(find_machine(&published, machines, "dgx")->port_Bps / 300e9 - 1) < 1e-9);
    assert_true(
        fabs(find_machine(&published, machines, "cluster:node=dgx,nodes=2")->port_Bps / 200e9 - 1) <
        0.04);
    assert_non_null(find_machine(&published, machines, "cluster:node=nothing")->unknown);
    assert_string_equal(find_machine(&published, machines, "")->unknown,
                        "the machine is not known well enough");
}
