/* MSCCL: names of collectives. */
#include "algorithms/schedules/msccl/msccl.h"

#include "tests/fixture.h"

static void msccl_names_of_collectives_are_read_as_written(void **state)
{
    const struct cs_collective *scatter = cs_collective_find("reduce-scatter");

    (void)state;
    assert_string_equal(cs_msccl_collective_name(scatter), "reduce_scatter");
    assert_ptr_equal(cs_msccl_collective("reducescatter"), scatter);
    assert_ptr_equal(cs_msccl_collective("reduce_scatter"), scatter);
    assert_null(cs_msccl_collective("allsum"));
    assert_string_equal(cs_msccl_collective_name(cs_collective_find("barrier")), "custom");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(msccl_names_of_collectives_are_read_as_written),
    };

    return cmocka_run_group_tests_name("msccl", tests, NULL, NULL);
}
