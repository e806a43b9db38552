#include "reports/results/record.h"
#include "tests/test.h"
#include "tests/unit/reports/sample.h"

#include <math.h>
#include <string.h>

static const char *const header =
    "topology,ranks,collective,algorithm,model,bytes,time_s,closed_form_s,lower_bound_s,algbw_Bps,"
    "busbw_Bps,messages,bytes_sent_total,bytes_sent_per_rank_max,redundant_bytes_after_reduce_"
    "scatter,redundant_bytes,peak_extra_bytes_per_rank,bottleneck,bottleneck_utilisation,critical_"
    "path_latency_s,critical_path_bandwidth_s,critical_path_reduction_s,critical_path_wait_s,"
    "verified,seed,version,dtype,placement,bound,agents,peak_bytes_per_agent,parameters,folding,"
    "data_flow,healthy_s,slowdown,healthy_bottleneck,detour,hypothetical,messages_resent,packets_"
    "dropped,packets_resent,noise_runs,noise_baseline_s,noise_mean_s,noise_mean_low_s,noise_mean_"
    "high_s,noise_sd_s,noise_min_s,noise_p5_s,noise_median_s,noise_p95_s,noise_p99_s,noise_max_s,"
    "noise_slowdown,topology_spec,agent_kind,library,library_call_protocol,library_call_channels,"
    "library_call_launch_s,library_call_latency_s,library_call_transfer_s,library_call_low_s,"
    "library_call_high_s,library_call_own_estimate_s,library_call_unmodelled,padded_bytes,planned_"
    "for,data_flow_skipped,own_bound_s,reachable_s,reachable,network,matters_most,matters_next\n";

TEST(a_run_is_a_row_under_the_names_of_json)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    cs_csv_records(&record, 1, &out);
    assert_memory_equal(cs_text_str(&out), header, strlen(header));
    assert_string_equal(cs_text_str(&out) + strlen(header),
                        "dgx-a100,8,all-reduce,ring,fifo,1073741824,0.007516192768,0.007516192768,"
                        "0.0075,142857000000,249999750000,112,15032385536,1879048192,0,7516192768,"
                        "134217728,gpu0 -> nvswitch (nvlink3 "
                        "x12),0.8333,0.000028,0.007,0.000488,0.000000192768,true,"
                        "18446744073709551615,0.1.0,fp32,linear,each rank's links carry 2(p-1)/p "
                        "V,0,0,,,verified,0,0,,,,0,0,0,0,,,,,,,,,,,,,dgx-a100.yaml,,,,,,,,,,,,0,,,,"
                        "0.0075,each rank's links carry 2(p-1)/p V,,,\n");
}

TEST(unknown_values_are_empty_cells)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    record.has_reduce_scatter = false;
    record.closed_form_s = NAN;
    cs_csv_records(&record, 1, &out);
    assert_non_null(strstr(cs_text_str(&out), ",0.007516192768,,0.0075,"));
    assert_non_null(strstr(cs_text_str(&out), ",1879048192,,7516192768,"));
}

TEST(a_machine_with_a_comma_stays_one_cell)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    record.topology = "2 x 8, \"big\"";
    cs_csv_records(&record, 1, &out);
    assert_non_null(strstr(cs_text_str(&out), "\n\"2 x 8, \"\"big\"\"\",8,all-reduce,"));
}

TEST(machines_of_one_name_differ_in_topology_spec)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    record.topology = "fat-tree";
    record.topology_spec = "fat-tree:ranks=64,oversubscription=3";
    cs_csv_records(&record, 1, &out);
    assert_non_null(strstr(cs_text_str(&out), ",topology_spec,"));
    assert_non_null(strstr(cs_text_str(&out), ",\"fat-tree:ranks=64,oversubscription=3\","));
}

TEST(a_spreadsheet_takes_no_name_for_a_formula)
{
    static const char *const names[] = {"=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct cs_record record = sample_ring();
        CS_AT_END(cs_text_free) struct cs_text out = {0};
        CS_AT_END(cs_text_free) struct cs_text cell = {0};

        record.topology = names[i];
        cs_csv_records(&record, 1, &out);
        cs_text_printf(&cell, "\n'%s,8,all-reduce,", names[i]);
        assert_non_null(strstr(cs_text_str(&out), cs_text_str(&cell)));
    }
}

TEST(a_negative_number_stays_a_number)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    record.slowdown = -0.25;
    cs_csv_records(&record, 1, &out);
    assert_non_null(strstr(cs_text_str(&out), ",-0.25,"));
    assert_null(strstr(cs_text_str(&out), "\r"));
}

TEST(no_runs_are_a_header)
{
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    cs_csv_records(NULL, 0, &out);
    assert_string_equal(cs_text_str(&out), header);
}
