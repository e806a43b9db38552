/* Remarks: notes of the listing. */
#include "reports/results/fields.h"

#include "tests/unit/reports/sample.h"

static void remarks(cs_remark_fn *remark, const struct cs_record *run, const char *expected)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    remark(run, &text);
    assert_string_equal(cs_text_str(&text), expected);
}

TEST(the_distance_from_the_formula_is_rounded_honestly)
{
    struct cs_record run = {.time_ps = 1000000000000};

    run.closed_form_s = 1;
    remarks(cs_remark_closed_form, &run, "the simulation agrees");
    run.closed_form_s = 0.99999;
    remarks(cs_remark_closed_form, &run, "the simulation is less than 0.01 % above");
    run.closed_form_s = 1.25;
    remarks(cs_remark_closed_form, &run, "the simulation is 20.00 % below");
    run.closed_form_s = (double)NAN;
    remarks(cs_remark_closed_form, &run, "none for this run");
    run = (struct cs_record){0};
    remarks(cs_remark_closed_form, &run, "the simulation agrees");
}

TEST(a_bound_names_what_it_leaves_out)
{
    struct cs_record run = sample_ring();

    remarks(cs_remark_efficiency, &run, "lower bound / simulated");
    run.bound = "links into gpu0";
    run.own_bound_s = 0.0076;
    run.time_ps = 10000000000;
    run.reachable_s = 0.008;
    run.reachable = "links of routes into gpu0";
    remarks(cs_remark_bound, &run, "links into gpu0; 7.6 ms without in-network reduction");
    remarks(cs_remark_efficiency, &run, "lower bound / simulated; reachable / simulated 80.0 %");
    remarks(cs_remark_reachable, &run,
            "over the links that messages take: links of routes into gpu0");
}

TEST(the_kind_of_agents_is_optional)
{
    struct cs_record run = {.agents = 1};

    remarks(cs_remark_agents, &run, "in addition to the ranks");
    run.agent_kind = "server";
    remarks(cs_remark_agents, &run, "server, in addition to the ranks");
}

TEST(a_call_of_a_library_is_predicted_within_an_interval)
{
    struct cs_record run = sample_ring();

    remarks(cs_remark_efficiency, &run, "lower bound / simulated");
    run.library = "nccl";
    run.high_s = 0.0012;
    remarks(cs_remark_efficiency, &run, "lower bound / predicted");
    remarks(cs_remark_interval, &run, "to 1.2 ms");
}
