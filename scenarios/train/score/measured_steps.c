#include "scenarios/train/score/measured_steps.h"

#include "scenarios/options/words.h"
#include "scenarios/train/calibrate/step_fit.h"
#include "scenarios/train/command/given.h"
#include "scenarios/train/command/machine.h"
#include "sim/base/divisor.h"
#include "sim/base/text.h"
#include "validate/training/step_score.h"

#include <assert.h>
#include <math.h>

/* ---- commands ---- */

/* What the files leave open. */
static const char *row_refusal(const struct cs_step_row *row)
{
    const struct cs_step_series *series = row->series;
    bool has_batch = row->micro_batch || (row->global_batch && row->data);

    if (series->unserved[0])
        return series->unserved;
    if (!series->library_model[0] && !series->shape.layers)
        return "no model of the library";
    if (!series->library_model[0] && !series->shape.vocabulary)
        return "the vocabulary is not published";
    if (!series->machine->node[0] || !series->machine->node_gpus)
        return "no machine of the library";
    if (!series->machine->peak[0])
        return "the peaks of the GPU are not known";
    /* Micro batches of a pipeline cannot be guessed. */
    if (!has_batch || row->step_s <= 0 || (row->pipeline > 1 && !row->accumulation))
        return "the batch is not published";
    return row->chunks ? NULL : "the chunks of a stage are not published";
}

/* ---- words ---- */

struct row_words {
    struct cs_row_command *command;
    struct cs_arena *arena;
};

static void row_add(struct row_words *words, const char *word)
{
    assert(words->command->count < CS_ROW_WORDS_MAX);
    words->command->words[words->command->count++] = cs_arena_text(words->arena, word);
}

static void row_add_pair(struct row_words *words, const char *name, const char *value)
{
    row_add(words, name);
    row_add(words, value);
}

/* An option that is left out where it is the default. */
static void row_add_count(struct row_words *words, const char *name, uint32_t count,
                          uint32_t standard)
{
    if (count != standard)
        row_add_pair(words, name, cs_arena_printf(words->arena, "%u", count));
}

static void row_add_option(struct row_words *words, const char *name, const char *value)
{
    if (cs_same(value, "yes"))
        row_add(words, name);
    else if (cs_same(value, "no"))
        row_add(words, cs_arena_printf(words->arena, "--no-%s", name + 2));
    else if (value[0])
        row_add_pair(words, name, value);
}

static const char *row_topo(const struct cs_step_row *row, struct cs_arena *arena)
{
    const struct cs_step_machine *machine = row->series->machine;
    uint32_t each = cs_segment_each(machine->node_gpus, row->gpus, 0);
    uint32_t nodes = (uint32_t)cs_divide_up(row->gpus, each);

    if (nodes < 2)
        return machine->node;
    return cs_arena_printf(arena, "cluster:node=%s,nodes=%u%s%s", machine->node, nodes,
                           machine->link[0] ? ",link=" : "", machine->link);
}

static const char *row_model(const struct cs_step_series *series, struct cs_arena *arena)
{
    const char *keys = series->shape.kv_heads
                           ? cs_arena_printf(arena, "kv-heads=%u,", series->shape.kv_heads)
                           : "";

    if (series->library_model[0])
        return series->library_model;
    return cs_arena_printf(arena,
                           "%s:layers=%u,hidden=%u,heads=%u,%sffn=%u,vocabulary=%u,sequence=%u",
                           cs_step_families[series->family], series->shape.layers,
                           series->shape.hidden, series->shape.heads, keys, series->shape.ffn,
                           series->shape.vocabulary, series->shape.sequence);
}

static void row_add_batch(struct row_words *words, const struct cs_step_row *row)
{
    if (row->micro_batch)
        row_add_count(words, "--micro-batch", row->micro_batch, 0);
    else
        row_add_count(words, "--global-batch", row->global_batch, 0);
    row_add_count(words, "--accumulation", row->accumulation, 0);
}

static struct cs_row_command row_command(const struct cs_step_row *row, struct cs_arena *arena)
{
    const struct cs_step_series *series = row->series;
    struct cs_row_command command = {.refusal = row_refusal(row)};
    struct row_words words = {&command, arena};

    if (command.refusal)
        return command;
    row_add_pair(&words, "--topo", row_topo(row, arena));
    row_add_pair(&words, "--ranks", cs_arena_printf(arena, "%u", row->gpus));
    row_add_pair(&words, "--device", series->machine->peak);
    row_add_pair(&words, "--model", row_model(series, arena));
    if (series->library_model[0])
        row_add_count(&words, "--sequence", series->shape.sequence, 0);
    row_add_pair(&words, "--precision", cs_precision_names[series->precision]);
    row_add_count(&words, "--tp", row->tensor, 1);
    row_add_count(&words, "--cp", row->context, 1);
    row_add_count(&words, "--pp", row->pipeline, 1);
    row_add_count(&words, "--chunks", row->chunks, 1);
    row_add_batch(&words, row);
    if (series->recompute)
        row_add_pair(&words, "--recompute", cs_step_recomputes[series->recompute]);
    for (int i = 0; i < CS_STEP_OPTIONS; i++)
        row_add_option(&words, cs_step_option_names[i], series->options[i]);
    return command;
}

/* "collsim train ...", for a shell. */
static const char *row_command_text(const struct cs_row_command *command, struct cs_arena *arena)
{
    struct cs_text text = {0};

    cs_text_add(&text, "collsim train");
    for (int i = 0; i < command->count; i++)
        cs_shell_add(&text, command->words[i]);
    return cs_text_keep(&text, arena);
}

/* ---- jobs ---- */

/* Opened machines, by the words of their rows. */
struct measured_machines {
    struct measured_machine {
        const char *topo;
        uint32_t ranks;
        const struct cs_train_setup *setup;
    } * items;
    uint32_t count;
};

/* The last of them with these words; NULL: none. */
static const struct cs_train_setup *machines_find(const struct measured_machines *machines,
                                                  const struct cs_train_options *given)
{
    for (uint32_t i = machines->count; i > 0; i--)
        if (machines->items[i - 1].ranks == given->ranks &&
            cs_same(machines->items[i - 1].topo, given->scenario.topo))
            return machines->items[i - 1].setup;
    return NULL;
}

static int measured_setup(struct measured_machines *machines, struct cs_row_command *command,
                          struct cs_arena *arena, struct cs_train_setup *setup, struct cs_err *err)
{
    struct cs_train_options given;
    const struct cs_train_setup *machine;
    int code = cs_train_read(command->count, command->words, arena, &given, err);

    if (code)
        return code;
    cs_cluster_finish(&given.scenario);
    machine = machines_find(machines, &given);
    code = cs_train_setup_on(&given, machine, setup, err);
    if (!machine && setup->site.ranks)
        machines->items[machines->count++] =
            (struct measured_machine){given.scenario.topo, given.ranks, setup};
    return code;
}

struct cs_measured_book cs_measured_book_open(const struct cs_step_data *steps,
                                              struct cs_arena *arena)
{
    struct cs_measured_row *rows = cs_arena_alloc(arena, steps->row_count, sizeof(*rows));
    struct measured_machines machines = {
        cs_arena_alloc(arena, steps->row_count, sizeof(struct measured_machine)), 0};

    for (uint32_t i = 0; i < steps->row_count; i++) {
        struct cs_train_setup *setup;
        struct cs_err err = {0};

        rows[i].command = row_command(&steps->rows[i], arena);
        rows[i].unserved = rows[i].command.refusal;
        if (rows[i].unserved)
            continue;
        setup = cs_arena_alloc(arena, 1, sizeof(*setup));
        rows[i].setup = setup;
        if (measured_setup(&machines, &rows[i].command, arena, setup, &err))
            rows[i].unserved = cs_arena_text(arena, err.text);
    }
    return (struct cs_measured_book){.steps = steps, .rows = rows};
}

const char *cs_measured_job(const struct cs_measured_book *book, uint32_t index,
                            struct cs_train_job *job)
{
    if (!book->rows[index].unserved)
        *job = book->rows[index].setup->job;
    return book->rows[index].unserved;
}

static int measured_step(const struct cs_measured_book *book, uint32_t index,
                         const struct cs_train_job *job, struct cs_train_step *step,
                         struct cs_err *err)
{
    return book->rows[index].setup->system->time(job, step, err);
}

static double measured_step_s(const struct cs_measured_book *book, uint32_t index,
                              const struct cs_train_job *job)
{
    struct cs_train_step step;
    struct cs_err err = {0};

    return measured_step(book, index, job, &step, &err) ? (double)NAN : step.step_s;
}

/* Serves a row without calibration; the reason where the step has no model. */
static void measured_plain(const struct cs_measured_book *book, const double *parameters,
                           uint32_t index, struct cs_step_answer *answer, struct cs_arena *arena)
{
    struct cs_train_job job;
    struct cs_train_step step;
    struct cs_err err = {0};

    *answer = (struct cs_step_answer){0};
    answer->predicted_s[CS_STEP_CALIBRATED] = (double)NAN;
    answer->predicted_s[CS_STEP_PLAIN] = (double)NAN;
    answer->memory_bytes = (double)NAN;
    answer->unserved = cs_measured_job(book, index, &job);
    if (answer->unserved)
        return;
    answer->command = row_command_text(&book->rows[index].command, arena);
    job.parameters = parameters;
    if (measured_step(book, index, &job, &step, &err))
        answer->unserved = cs_arena_text(arena, err.text);
    if (answer->unserved)
        return;
    answer->predicted_s[CS_STEP_PLAIN] = step.step_s;
    answer->memory_bytes = step.memory_bytes;
    answer->device_bytes = job.model->transformer.layers ? job.gpu->memory_bytes : 0;
}

/* ---- calibration ---- */

static void measured_calibrated(const struct cs_measured_book *book, const struct cs_step_fit *fit,
                                uint32_t index, struct cs_step_answer *answer)
{
    struct cs_train_job job;

    if (answer->unserved || cs_measured_job(book, index, &job))
        return;
    cs_step_fit_apply(fit, &job);
    answer->predicted_s[CS_STEP_CALIBRATED] = measured_step_s(book, index, &job);
}

static struct cs_step_fit measured_row_fit(const struct cs_measured_book *book,
                                           const double *parameters, uint32_t index)
{
    struct cs_step_fit fit = {.scale = 1};
    struct cs_train_job job;

    if (cs_measured_job(book, index, &job))
        return fit;
    job.parameters = parameters;
    return cs_step_fit(book->rows[index].setup->system, &job, book->steps->rows[index].step_s);
}

static void measured_baselines(const struct cs_measured_book *book, uint32_t index, uint32_t anchor,
                               struct cs_step_answer *answer)
{
    const struct cs_step_row *rows = book->steps->rows;
    const struct cs_step_series *series = rows[index].series;
    const struct cs_gpu_peak *peak;
    double peak_flops = cs_gpu_peak_find(series->machine->peak, &peak, NULL)
                            ? (double)NAN
                            : peak->flops_per_s[series->precision];

    for (int k = 0; k < CS_STEP_BASELINES; k++)
        answer->predicted_s[CS_STEP_BY_PERFECT + k] =
            cs_step_baseline_s((enum cs_step_baseline)k, &rows[index], &rows[anchor], peak_flops);
}

struct cs_step_answer *cs_measured_predict(const struct cs_measured_book *book,
                                           const double *parameters, struct cs_arena *arena)
{
    uint32_t count = book->steps->row_count;
    struct cs_step_answer *answers = cs_arena_alloc(arena, count, sizeof(*answers));
    bool *skip = cs_arena_alloc(arena, count, sizeof(*skip));
    struct cs_step_fit *fits = cs_arena_alloc(arena, count, sizeof(*fits));
    const uint32_t *anchors;

    for (uint32_t i = 0; i < count; i++) {
        measured_plain(book, parameters, i, &answers[i], arena);
        skip[i] = answers[i].unserved != NULL;
    }
    anchors = cs_step_anchors(book->steps, skip, arena);
    for (uint32_t i = 0; i < count; i++)
        if (anchors[i] == i && !skip[i]) {
            fits[i] = measured_row_fit(book, parameters, i);
            answers[i].calibrates = true;
        }
    for (uint32_t i = 0; i < count; i++) {
        measured_calibrated(book, &fits[anchors[i]], i, &answers[i]);
        measured_baselines(book, i, anchors[i], &answers[i]);
    }
    return answers;
}
