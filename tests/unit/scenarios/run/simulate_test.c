/* Simulation of a case: record, proof, steps and exported schedule. */
#include "scenarios/run/simulate.h"

#include "tests/unit/scenarios/run/opened.h"

/* The first case of the options, not opened. */
static void opened_case(struct opened *opened, int argc, char **argv)
{
    if (opened_finish(opened, argc, argv))
        fail_msg("%s", opened->err.text);
    opened->which = cs_case_of(&opened->scenario, 0);
}

OPENED_TEST(a_case_yields_time_closed_form_and_bound)
{
    struct cs_record record = {0};

    opened_case(opened, WORDS("--topo", "switch:ranks=4,bandwidth=1GB/s,latency=0s", "--algo",
                              "ring", "--size", "4MB"));
    assert_int_equal(cs_simulate(&opened->which, &opened->arena, &record, &opened->err), 0);
    assert_int_equal(record.time_ps, 6 * 1000000000ull);
    assert_true(fabs(record.closed_form_s - 6e-3) < 1e-9);
    assert_true(record.lower_bound_s > 0 && record.lower_bound_s <= 6e-3);
}

/* A cs_known's function: every run has a result. */
static int known_always(void *ctx, const struct cs_record *query, bool *known, struct cs_err *err)
{
    (void)ctx;
    (void)err;
    *known = query->fingerprint != 0;
    return 0;
}

OPENED_TEST(a_known_result_is_not_simulated_again)
{
    const struct cs_known known = {known_always, NULL};
    struct cs_record record = {0};

    opened_case(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring"));
    opened->which.known = &known;
    assert_int_equal(cs_simulate(&opened->which, &opened->arena, &record, &opened->err),
                     CS_SIMULATE_KNOWN);
    assert_int_equal(record.time_ps, 0);
}

/* Long enough for the monitor, which looks every 4096 events. */
TEST(a_simulation_ends_behind_the_limit_of_the_case)
{
    static const uint64_t limits_ps[] = {1000000, UINT64_MAX, 0};
    static const int codes[] = {CS_SIMULATE_SLOWER, 0, 0};

    for (int i = 0; i < 3; i++) {
        CS_AT_END(opened_free) struct opened opened;
        struct cs_record record = {0};

        opened_case(&opened, WORDS("--topo", "switch:ranks=200,latency=1us", "--algo", "naive",
                                   "--fold", "off"));
        opened.which.limit_ps = limits_ps[i];
        assert_int_equal(cs_simulate(&opened.which, &opened.arena, &record, &opened.err), codes[i]);
        assert_true(record.time_ps > 1000000);
        assert_true((record.algbw_Bps > 0) == (codes[i] == 0));
        assert_string_equal(opened.err.text, "");
    }
}

/* 200 x 199 messages. */
TEST(a_program_of_too_many_messages_is_left_for_later)
{
    static const uint64_t most[] = {39799, 39800};

    for (int i = 0; i < 2; i++) {
        CS_AT_END(opened_free) struct opened opened;
        struct cs_record record = {0};

        opened_case(&opened, WORDS("--topo", "switch:ranks=200", "--algo", "naive"));
        opened.which.messages_max = most[i];
        assert_int_equal(cs_simulate(&opened.which, &opened.arena, &record, &opened.err),
                         i ? 0 : CS_SIMULATE_LATER);
        assert_int_equal(record.messages, 39800);
    }
}

OPENED_TEST(a_proof_needs_no_simulation)
{
    struct cs_proof proof = {0};
    uint32_t ranks = 0;

    opened_case(opened, WORDS("--topo", "switch:ranks=4", "--algo", "tree"));
    assert_int_equal(
        cs_simulate_proof(&opened->which, &opened->arena, &proof, &ranks, &opened->err), 0);
    assert_int_equal(ranks, 4);
    assert_true(proof.messages > 0);
}

OPENED_TEST(steps_end_when_the_run_ends)
{
    struct cs_record record = {0};
    struct cs_steps steps;

    opened_case(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--size", "4MB"));
    assert_int_equal(
        cs_simulate_steps(&opened->which, &opened->arena, &record, &steps, &opened->err), 0);
    assert_int_equal(steps.count, 6);
    assert_int_equal(steps.steps[5].time_ps, record.time_ps);
}

OPENED_TEST(an_exported_schedule_names_the_format)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    const struct cs_exporter *exporter;

    opened_case(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring"));
    assert_int_equal(cs_exporter_choose("msccl", &exporter, &opened->err), 0);
    assert_int_equal(
        cs_simulate_export(&opened->which, exporter, &opened->arena, &text, &opened->err), 0);
    assert_non_null(strstr(cs_text_str(&text), "<algo"));
}
