/* Definition files: the program's own numbers give the program's own files. */
#include "validate/published/files.h"

#include "algorithms/libraries/host/parameters.h"
#include "algorithms/libraries/nccl/parameters.h"

#include "tests/fixture.h"

extern const char cs_nccl_parameters_text[];
extern const char cs_host_parameters_text[];
extern const char cs_nccl_intervals_text[];

TEST(own_values_reproduce_the_file_of_parameters)
{
    struct cs_text text = {0};

    cs_definition_parameters(&cs_nccl_parameter_set, cs_nccl_parameters, &text);
    assert_string_equal(cs_text_str(&text), cs_nccl_parameters_text);
    cs_text_free(&text);
    cs_definition_parameters(&cs_host_parameter_set, cs_host_parameters, &text);
    assert_string_equal(cs_text_str(&text), cs_host_parameters_text);
    cs_text_free(&text);
}

TEXT_TEST(a_value_is_written_with_three_digits)
{
    double values[CS_NCCL_PARAMETERS];

    memcpy(values, cs_nccl_parameters, sizeof(values));
    values[CS_NCCL_P_LAUNCH_GPU] = 1234.5678;
    values[CS_NCCL_P_SOCKET_RATE] = 0.12345;
    values[CS_NCCL_P_LAUNCH_PEER] = 10.449;
    cs_definition_parameters(&cs_nccl_parameter_set, values, out);
    assert_non_null(strstr(cs_text_str(out), "\nPARAMETER(LAUNCH_GPU, 1235, "));
    assert_non_null(strstr(cs_text_str(out), "\nPARAMETER(SOCKET_RATE, .123, "));
    assert_non_null(strstr(cs_text_str(out), "\nPARAMETER(LAUNCH_PEER, 10.4, "));
}

TEXT_TEST(own_widths_reproduce_the_file_of_intervals)
{
    cs_definition_intervals(&cs_nccl_intervals, out);
    assert_string_equal(cs_text_str(out), cs_nccl_intervals_text);
}

/* Up, so that 90 % stay inside; a class without a table keeps its width. */
TEXT_TEST(widths_are_rounded_up)
{
    struct cs_nccl_intervals intervals = cs_nccl_intervals;

    intervals.half[CS_NCCL_INTERVAL_LINKS][0] = 0.401;
    intervals.half[CS_NCCL_INTERVAL_PEERS][0] = (double)NAN;
    cs_definition_intervals(&intervals, out);
    assert_non_null(strstr(cs_text_str(out), "INTERVAL(LINKS, \"links\", .41, "));
    assert_null(strstr(cs_text_str(out), "nan"));
}
