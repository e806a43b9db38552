/* Fields: names, values and conditions of the entries of record.def. */
#include "reports/results/fields.h"

#include "tests/unit/reports/sample.h"

TEST(names_of_exported_fields_are_unique)
{
    for (size_t i = 0; i < cs_record_fields.count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct cs_field *a = &cs_record_fields.item[i];
            const struct cs_field *b = &cs_record_fields.item[k];
            CS_AT_END(cs_text_free) struct cs_text left = {0};
            CS_AT_END(cs_text_free) struct cs_text right = {0};

            cs_field_add_name(a, &left);
            cs_field_add_name(b, &right);
            if (a->is_exported && b->is_exported)
                assert_string_not_equal(cs_text_str(&left), cs_text_str(&right));
        }
}

TEST(every_column_has_a_title_and_every_row_a_label)
{
    for (size_t i = 0; i < cs_record_fields.count; i++) {
        const struct cs_field *field = &cs_record_fields.item[i];

        assert_true(field->column.when == CS_SHOWN_NEVER || field->column.title);
        assert_true(field->row.when == CS_SHOWN_NEVER || field->row.label);
    }
}

TEST(a_value_that_is_set_is_read_back)
{
    struct cs_record run = {0};

    for (size_t i = 0; i < cs_record_fields.count; i++) {
        const struct cs_field *field = &cs_record_fields.item[i];

        if (!field->is_stored)
            continue;
        if (cs_sheet_is_text(field->value.kind) && !field->value.words) {
            cs_field_set_text(field, &run, "x");
            assert_string_equal(cs_column_cell(&field->value, &run).is.text, "x");
        } else if (cs_sheet_is_real(field->value.kind)) {
            cs_field_set_real(field, &run, 0.25);
            assert_true(cs_column_cell(&field->value, &run).is.real == 0.25);
        } else {
            cs_field_set_u64(field, &run, 1);
            assert_int_equal(cs_column_number(&field->value, &run), 1);
        }
    }
}

TEST(an_unknown_outcome_of_the_proof_reads_as_not_verified)
{
    struct cs_record run = {.verified = CS_VERIFIED_PROVED};

    cs_field_set_u64(cs_record_field("data_flow"), &run, 99);
    assert_int_equal(run.verified, CS_VERIFIED_NOT);
}

TEST(redundant_bytes_are_known_of_proved_runs_only)
{
    struct cs_record run = sample_ring();

    assert_true(cs_field_cell(cs_record_field("redundant_bytes"), &run).known);
    run.verified = CS_VERIFIED_MATCHED;
    assert_false(cs_field_cell(cs_record_field("redundant_bytes"), &run).known);
}

TEXT_TEST(a_real_number_that_is_not_finite_is_unknown)
{
    struct cs_record run = sample_ring();

    run.closed_form_s = (double)NAN;
    assert_false(cs_field_cell(cs_record_field("closed_form_s"), &run).known);
    cs_field_show(cs_record_field("closed_form_s"), &run, out);
    assert_string_equal(cs_text_str(out), "-");
}

TEST(a_bound_of_zero_is_shown_for_runs_without_duration_only)
{
    struct cs_record run = sample_ring();
    struct cs_text text = {0};

    run.lower_bound_s = 0;
    cs_field_show(cs_record_field("lower_bound_s"), &run, &text);
    assert_string_equal(cs_text_str(&text), "-");
    cs_text_free(&text);
    run.time_ps = 0;
    cs_field_show(cs_record_field("lower_bound_s"), &run, &text);
    assert_string_equal(cs_text_str(&text), "0 s");
    cs_text_free(&text);
}

static void shows(double share, const char *expected)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    cs_field_show_share(share, &text);
    assert_string_equal(cs_text_str(&text), expected);
}

TEST(a_share_is_never_rounded_to_0_or_100_percent)
{
    shows(0, "0 %");
    shows(0.0004, "<0.1 %");
    shows(0.0006, "0.1 %");
    shows(0.9994, "99.9 %");
    shows(0.9996, "100 %");
    shows(1.001, "100.1 %");
    shows((double)NAN, "-");
}

TEST(a_predicted_call_knows_no_results_of_a_simulation)
{
    struct cs_record run = sample_ring();
    const struct cs_field *messages = cs_record_field("messages");
    const struct cs_field *low = cs_record_field("low_s");

    run.low_s = 0.001;
    assert_true(cs_field_cell(messages, &run).known);
    assert_false(cs_field_cell(low, &run).known);
    run.library = "nccl";
    assert_false(cs_field_cell(messages, &run).known);
    assert_true(cs_field_cell(low, &run).known);
}
