#include "scenarios/train/score/measured_job.h"

#include "scenarios/train/command/read.h"
#include "sim/base/text.h"

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

        rows[i].command = cs_row_command(&steps->rows[i], arena);
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

int cs_measured_step(const struct cs_measured_book *book, uint32_t index,
                     const struct cs_train_job *job, struct cs_train_step *step, struct cs_err *err)
{
    return book->rows[index].setup->system->time(job, step, err);
}
