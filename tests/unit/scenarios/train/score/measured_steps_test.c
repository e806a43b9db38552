/* Predictions of published training steps: calibration, and rows without. */
#include "scenarios/train/score/measured_steps.h"

#include "scenarios/train/model/library.h"
#include "scenarios/train/parallel/step.h"
#include "scenarios/train/score/kernel_estimate.h"
#include "tests/fixture.h"
#include "validate/training/step_score.h"

/* Rows of one table of the program. */
static struct cs_step_data table_of(const char *id, struct cs_arena *arena)
{
    struct cs_step_data steps;
    struct cs_step_row *rows;
    uint32_t count = 0;

    assert_done(cs_steps_open(NULL, arena, &steps, &err));
    rows = cs_arena_alloc(arena, steps.row_count, sizeof(*rows));
    for (uint32_t i = 0; i < steps.row_count; i++)
        if (strcmp(steps.rows[i].series->table->id, id) == 0)
            rows[count++] = steps.rows[i];
    steps.rows = rows;
    steps.row_count = count;
    return steps;
}

static double error_of(const struct cs_step_data *steps, const struct cs_step_answer *answers,
                       uint32_t row, enum cs_step_predictor predictor)
{
    return log(answers[row].predicted_s[predictor] / steps->rows[row].step_s);
}

ARENA_TEST(a_calibrating_row_keeps_a_small_part_of_its_error)
{
    struct cs_step_data steps = table_of("korthikanti", arena);
    struct cs_measured_book book = cs_measured_book_open(&steps, arena);
    const struct cs_step_answer *answers = cs_measured_predict(&book, NULL, arena);
    uint32_t calibrating = 0;

    for (uint32_t i = 0; i < steps.row_count; i++) {
        assert_null(answers[i].unserved);
        assert_true(answers[i].predicted_s[CS_STEP_PLAIN] > 0);
        if (!answers[i].calibrates)
            continue;
        calibrating++;
        assert_true(fabs(error_of(&steps, answers, i, CS_STEP_CALIBRATED)) <
                    0.3 * fabs(error_of(&steps, answers, i, CS_STEP_PLAIN)));
    }
    assert_int_equal(calibrating, 3);
}

ARENA_TEST(a_row_of_another_system_names_its_reason)
{
    struct cs_step_data steps = table_of("pipeline", arena);
    struct cs_measured_book book = cs_measured_book_open(&steps, arena);
    const struct cs_step_answer *answers = cs_measured_predict(&book, NULL, arena);

    for (uint32_t i = 0; i < steps.row_count; i++)
        if (answers[i].unserved)
            assert_true(isnan(answers[i].predicted_s[CS_STEP_CALIBRATED]));
        else
            assert_true(answers[i].predicted_s[CS_STEP_CALIBRATED] > 0);
}

/* A pipeline's chunks decide its bubble: a row without them is not predicted. */
ARENA_TEST(a_pipeline_without_chunks_is_not_predicted)
{
    struct cs_step_data steps = table_of("nemo-llama3", arena);
    struct cs_measured_book book = cs_measured_book_open(&steps, arena);
    struct cs_train_job job;
    uint32_t refused = 0;

    for (uint32_t i = 0; i < steps.row_count; i++) {
        const char *reason = cs_measured_job(&book, i, &job);

        assert_int_equal(reason != NULL, steps.rows[i].chunks == 0);
        refused += reason && strstr(reason, "chunks");
    }
    assert_int_equal(refused, 1);
}

/* Nodes that the GPUs of a row fill, the last perhaps in part. */
ARENA_TEST(a_row_has_the_nodes_that_its_gpus_fill)
{
    static const char *const tables[] = {"korthikanti", "nemo-llama3", "dlperf-gpt",
                                         "dataparallel-ddp"};
    uint32_t single = 0, several = 0;

    for (size_t t = 0; t < sizeof(tables) / sizeof(*tables); t++) {
        struct cs_step_data steps = table_of(tables[t], arena);
        struct cs_measured_book book = cs_measured_book_open(&steps, arena);

        for (uint32_t i = 0; i < steps.row_count; i++) {
            const struct cs_step_row *row = &steps.rows[i];
            const struct cs_measured_row *of = &book.rows[i];
            uint32_t each = row->series->machine->node_gpus;
            const struct cs_site *site;

            if (of->command.refusal)
                continue;
            assert_null(of->unserved);
            site = &of->setup->site;
            assert_int_equal(site->ranks, row->gpus);
            assert_int_equal(site->nodes, row->gpus / each + (row->gpus % each > 0));
            assert_int_equal(site->net == CS_NET_NONE, site->nodes == 1);
            single += site->nodes == 1 && row->gpus == each;
            several += site->nodes > 1;
        }
    }
    assert_true(single > 0 && several > 0);
}

/* A language model of the library is read with the tokens of the run: products are as many
 * times those of its own sequence, those of attention the square.  Others stay. */
ARENA_TEST(a_model_of_the_library_has_the_sequence_of_the_run)
{
    struct cs_step_data steps;
    struct cs_measured_book book;
    uint32_t longer = 0, shorter = 0, same = 0;

    assert_done(cs_steps_open(NULL, arena, &steps, &err));
    book = cs_measured_book_open(&steps, arena);
    for (uint32_t i = 0; i < steps.row_count; i++) {
        const struct cs_step_series *series = steps.rows[i].series;
        const struct cs_train_model *of;
        struct cs_train_model own;
        double flops, times = 1;

        if (!series->library_model[0] || book.rows[i].unserved)
            continue;
        of = &book.rows[i].setup->model;
        assert_done(cs_train_model_open(series->library_model, arena, &own, &err));
        if (own.transformer.layers && series->shape.sequence)
            times = (double)series->shape.sequence / own.transformer.sequence;
        longer += times > 1;
        shorter += times < 1;
        same += times == 1;
        flops = cs_train_model_flops(of) / cs_train_model_flops(&own);
        assert_int_equal(of->transformer.layers, own.transformer.layers);
        assert_int_equal(of->transformer.hidden, own.transformer.hidden);
        assert_true(of->transformer.sequence == own.transformer.sequence * times);
        if (of->transformer.further) /* by the run's recipe */
            continue;
        assert_true(times == 1 ? flops == 1 : (flops > times) == (times > 1));
        assert_true((flops < times * times) == (times > 1));
    }
    print_message("%u longer, %u shorter, %u as in the library\n", longer, shorter, same);
    assert_true(longer + shorter > 0 && same > 0);
}

/* A model without tokens, a run without a sequence, and a name that is none. */
ARENA_TEST(a_row_is_read_as_a_user_types_it)
{
    static const struct {
        const char *name;
        uint32_t sequence, tokens;
        const char *refusal;
    } runs[] = {{"resnet50", 512, 0, "--sequence: inputs of resnet50 have a fixed size"},
                {"gpt2-small", 0, 1024, NULL},
                {"gpt2-small", 512, 512, NULL},
                {"gpt2-smal", 512, 0, "did you mean 'gpt2-small'"}};
    struct cs_step_data steps = table_of("korthikanti", arena);
    const struct cs_step_row first = steps.rows[0];

    for (size_t i = 0; i < 4; i++) {
        struct cs_step_series series = *first.series;
        struct cs_step_row row = first;
        struct cs_measured_book book;

        series.library_model = runs[i].name;
        series.shape.sequence = runs[i].sequence;
        row.series = &series;
        steps.rows = &row;
        steps.row_count = 1;
        book = cs_measured_book_open(&steps, arena);
        if (runs[i].refusal)
            assert_non_null(strstr(book.rows[0].unserved, runs[i].refusal));
        else
            assert_int_equal(book.rows[0].setup->model.transformer.sequence, runs[i].tokens);
    }
}

ARENA_TEST(an_estimate_without_rows_is_refused)
{
    struct cs_step_data steps = table_of("vtrain-multi", arena);
    struct cs_measured_book book = cs_measured_book_open(&steps, arena);
    double values[CS_KERNEL_PARAMETERS];

    assert_int_equal(cs_kernel_estimate(&book, "vTrain", 60, values, NULL), CS_ECANNOT);
}

ARENA_TEST(an_estimate_brings_predictions_closer_to_the_rows)
{
    struct cs_step_data steps = table_of("dlperf-gpt", arena);
    struct cs_measured_book book = cs_measured_book_open(&steps, arena);
    double priors[CS_KERNEL_PARAMETERS], values[CS_KERNEL_PARAMETERS];
    double before, after;

    for (int k = 0; k < CS_KERNEL_PARAMETERS; k++)
        priors[k] = cs_kernel_parameter_info[k].prior;
    assert_done(cs_kernel_estimate(&book, NULL, 60, values, &err));
    before = cs_step_error_of(&steps, cs_measured_predict(&book, priors, arena), NULL,
                              CS_STEP_PLAIN, arena)
                 .mean;
    after = cs_step_error_of(&steps, cs_measured_predict(&book, values, arena), NULL, CS_STEP_PLAIN,
                             arena)
                .mean;
    assert_true(after < before);
}

/* --ep 8 --etp 1; without parts as tensor parallelism. */
ARENA_TEST(rows_say_where_experts_are)
{
    struct cs_step_data steps = table_of("moe-folding", arena);
    struct cs_measured_book book = cs_measured_book_open(&steps, arena);
    uint32_t whole = 0, parts = 0;

    for (uint32_t i = 0; i < steps.row_count; i++) {
        struct cs_train_job job;

        assert_null(cs_measured_job(&book, i, &job));
        assert_true(cs_train_expert(&job) >= 4);
        whole += job.degrees.expert_tensor == 1;
        parts += cs_train_expert_tensor(&job) == job.degrees.tensor && job.degrees.tensor > 1;
    }
    assert_int_equal(whole, 16);
    assert_int_equal(parts, 32);
}
