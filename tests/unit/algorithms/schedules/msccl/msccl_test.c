/* MSCCL: names of collectives. */
#include "algorithms/schedules/msccl/msccl.h"

#include "tests/fixture.h"

TEST(msccl_names_of_collectives_are_read_as_written)
{
    const struct cs_collective *scatter = cs_collective_find("reduce-scatter");

    assert_string_equal(cs_msccl_collective_name(scatter), "reduce_scatter");
    assert_ptr_equal(cs_msccl_collective("reducescatter"), scatter);
    assert_ptr_equal(cs_msccl_collective("reduce_scatter"), scatter);
    assert_null(cs_msccl_collective("allsum"));
    assert_string_equal(cs_msccl_collective_name(cs_collective_find("barrier")), "custom");
}
