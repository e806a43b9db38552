#include "scenarios/train/score/layouts.h"

#include "sim/base/text.h"

#include <math.h>

/* ---- rows that count ---- */

static bool same_machine(const struct cs_step_row *a, const struct cs_step_row *b)
{
    return a->series->table == b->series->table && a->series->machine == b->series->machine &&
           cs_same(a->series->model, b->series->model) && a->gpus == b->gpus;
}

static bool same_degrees(const struct cs_train_degrees *a, const struct cs_train_degrees *b)
{
    return a->tensor == b->tensor && a->context == b->context && a->pipeline == b->pipeline &&
           a->expert == b->expert;
}

/* Whether the publisher compares layouts of the row's job. */
static bool is_compared(const struct cs_measured_book *book, uint32_t row)
{
    const struct cs_step_row *rows = book->steps->rows;
    uint32_t others = 0;

    for (uint32_t i = 0; i < book->steps->row_count; i++)
        others +=
            !book->rows[i].unserved && same_machine(&rows[i], &rows[row]) &&
            !same_degrees(&book->rows[i].setup->job.degrees, &book->rows[row].setup->job.degrees);
    return others >= CS_STEP_CHOICES_MIN;
}

static bool is_repeated(const struct cs_measured_book *book, uint32_t row)
{
    const struct cs_step_row *rows = book->steps->rows;
    const struct cs_train_job *job = &book->rows[row].setup->job;

    for (uint32_t i = 0; i < row; i++) {
        const struct cs_train_job *before;

        if (book->rows[i].unserved || !same_machine(&rows[i], &rows[row]))
            continue;
        before = &book->rows[i].setup->job;
        if (same_degrees(&before->degrees, &job->degrees) && before->precision == job->precision &&
            before->model->transformer.sequence == job->model->transformer.sequence &&
            cs_train_batch(before) == cs_train_batch(job))
            return true;
    }
    return false;
}

static bool divides_model(const struct cs_train_degrees *degrees)
{
    return degrees->tensor > 1 || degrees->context > 1 || degrees->pipeline > 1 ||
           degrees->expert > 1;
}

static bool table_compares(const struct cs_measured_book *book, const struct cs_step_table *table)
{
    for (uint32_t i = 0; i < book->steps->row_count; i++)
        if (book->steps->rows[i].series->table == table && !book->rows[i].unserved &&
            is_compared(book, i))
            return true;
    return false;
}

/* ---- the search ---- */

static const char *layout_text(const struct cs_train_job *job, struct cs_arena *arena)
{
    const struct cs_train_degrees *degrees = &job->degrees;

    return job->model->transformer.experts
               ? cs_arena_printf(arena, "tp %u, cp %u, pp %u, ep %u", degrees->tensor,
                                 degrees->context, degrees->pipeline, cs_train_expert(job))
               : cs_arena_printf(arena, "tp %u, cp %u, pp %u", degrees->tensor, degrees->context,
                                 degrees->pipeline);
}

static struct cs_published_layout find_layout(const struct cs_measured_book *book, uint32_t row,
                                              struct cs_arena *arena)
{
    const struct cs_train_setup *setup = book->rows[row].setup;
    struct cs_published_layout layout = {.row = &book->steps->rows[row],
                                         .published = layout_text(&setup->job, arena),
                                         .loss = (double)NAN};
    struct cs_train_job job = setup->job;
    struct cs_search search = {0};
    struct cs_train_step step;
    struct cs_err err = {0};

    cs_train_undivide(&job);
    job.degrees.accumulation = 1;
    job.degrees.data = job.site->ranks;
    job.degrees.micro_batch = cs_train_batch(&setup->job) / job.degrees.data;
    job.kept = (struct cs_train_kept){.data_kind = true};
    if (cs_train_search(&job, &search, &err))
        return layout;
    layout.first = layout_text(&search.best[0].job, arena);
    for (uint32_t f = search.count; f > 0; f--)
        if (same_degrees(&search.best[f - 1].job.degrees, &setup->job.degrees))
            layout.place = f;
    if (!setup->system->time(&setup->job, &step, &err))
        layout.loss = step.step_s / search.best[0].step.step_s - 1;
    return layout;
}

struct cs_published_layouts cs_published_layouts_find(const struct cs_measured_book *book,
                                                      struct cs_arena *arena)
{
    uint32_t rows = book->steps->row_count;
    struct cs_published_layouts found = {cs_arena_alloc(arena, rows, sizeof(*found.items)), 0};
    const struct cs_step_table *table = NULL;
    bool compares = false;

    for (uint32_t i = 0; i < rows; i++) {
        const struct cs_step_table *own = book->steps->rows[i].series->table;

        compares = own == table ? compares : table_compares(book, own);
        table = own;
        if (!compares && !book->rows[i].unserved && book->rows[i].setup->model.transformer.layers &&
            divides_model(&book->rows[i].setup->job.degrees) && !is_repeated(book, i))
            found.items[found.count++] = find_layout(book, i, arena);
    }
    return found;
}
