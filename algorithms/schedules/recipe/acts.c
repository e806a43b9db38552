#include "algorithms/schedules/recipe/reader.h"

#include <string.h>

static const char *const buffers[CS_SCRATCH + 1] = {
    [CS_INPUT] = "in", [CS_OUTPUT] = "out", [CS_SCRATCH] = "scratch"};

static const struct {
    const char *word;
    enum cs_op_kind kind;
    const char *joint; /* before the peer or the target */
} acts[] = {
    {"send", CS_OP_SEND, "to"}, {"recv", CS_OP_RECV, "from"}, {"add", CS_OP_RECV_REDUCE, "from"},
    {"copy", CS_OP_COPY, "to"}, {"sum", CS_OP_REDUCE, "to"},
};

enum {
    BUFFERS = sizeof(buffers) / sizeof(*buffers),
    ACTS = sizeof(acts) / sizeof(*acts),
};
_Static_assert((int)ACTS == (int)CS_RECIPE_ACTS, "room for the names");

/* A buffer's name, or the output. */
static uint8_t recipe_take_buffer(struct cs_recipe_reader *reader)
{
    for (uint32_t i = 0; i < BUFFERS; i++)
        if (cs_word_take(&reader->words, buffers[i]))
            return (uint8_t)i;
    return CS_OUTPUT;
}

/* How a message leaves. */
static uint8_t recipe_take_leaving(struct cs_recipe_reader *reader, const struct cs_op *op)
{
    if (op->kind == CS_OP_SEND && cs_word_take(&reader->words, "met"))
        return CS_LEAVES_MET;
    return op->kind == CS_OP_SEND && cs_word_take(&reader->words, "behind") ? CS_LEAVES_IN_ORDER
                                                                            : CS_LEAVES_AT_ONCE;
}

static int recipe_written(const struct cs_recipe_reader *reader, uint8_t buffer)
{
    return buffer == CS_INPUT
               ? CS_RECIPE_COMPLAIN(reader, "the input is never written; expected out or scratch")
               : 0;
}

/* The target of a copy, or the peer of a message. */
static int recipe_read_end(struct cs_recipe_reader *reader, struct cs_recipe_step *step)
{
    int code;

    if (!cs_op_is_local(&step->op)) {
        code = step->op.kind == CS_OP_SEND ? 0 : recipe_written(reader, step->op.buffer);
        if (!code)
            code = cs_expression_read(&reader->words, &step->x[2]);
        if (!code && cs_word_take(&reader->words, "on"))
            code = cs_expression_read(&reader->words, &step->x[6]);
        step->op.leaves = recipe_take_leaving(reader, &step->op);
        return code;
    }
    step->op.source_buffer = step->op.buffer;
    step->op.buffer = recipe_take_buffer(reader);
    code = recipe_written(reader, step->op.buffer);
    if (!code)
        code = cs_word_expect(&reader->words, "block");
    return code ? code : cs_expression_read(&reader->words, &step->x[2]);
}

/* Adds a step with the operation and the numbers of another one. */
static void recipe_add_op(struct cs_recipe_reader *reader, enum cs_recipe_kind kind,
                          const struct cs_recipe_step *step)
{
    struct cs_recipe_step *added = cs_recipe_add(reader, kind);

    added->op = step->op;
    memcpy(added->x, step->x, sizeof(step->x));
}

static int recipe_read_act(struct cs_recipe_reader *reader, size_t act)
{
    struct cs_recipe_step step = {.op.kind = (uint8_t)acts[act].kind};
    int code;

    step.op.buffer = recipe_take_buffer(reader);
    code = cs_word_expect(&reader->words, "block");
    if (!code)
        code = cs_expression_read(&reader->words, &step.x[0]);
    if (!code && cs_word_take(&reader->words, "count"))
        code = cs_expression_read(&reader->words, &step.x[1]);
    if (!code)
        code = cs_word_expect(&reader->words, acts[act].joint);
    if (!code)
        code = recipe_read_end(reader, &step);
    if (!code)
        recipe_add_op(reader, CS_RECIPE_ACT, &step);
    return code;
}

static size_t recipe_act(struct cs_recipe_reader *reader)
{
    size_t act = 0;

    while (act < ACTS && !cs_word_take(&reader->words, acts[act].word))
        act++;
    return act;
}

/* Operations that start together. */
int cs_recipe_read_round(struct cs_recipe_reader *reader)
{
    int code = 0;

    cs_recipe_add(reader, CS_RECIPE_ROUND);
    do {
        size_t act = recipe_act(reader);

        code = act < ACTS ? recipe_read_act(reader, act)
                          : cs_word_complain(&reader->words, "send, recv, add, copy or sum");
    } while (!code && cs_word_take(&reader->words, ";"));
    return code;
}

/* `op`, as an export writes it. */
int cs_recipe_read_place(struct cs_recipe_reader *reader)
{
    struct cs_recipe_step step = {0};
    size_t act;
    int code = 0;

    for (uint32_t i = 3; i <= 5 && !code; i++)
        code = cs_expression_read(&reader->words, &step.x[i]);
    if (code)
        return code;
    if (cs_word_take(&reader->words, "wait")) {
        step.op.kind = CS_OP_WAIT;
        code = cs_expression_read(&reader->words, &step.x[0]);
        if (!code)
            code = cs_expression_read(&reader->words, &step.x[1]);
    } else {
        act = recipe_act(reader);
        if (act >= ACTS || acts[act].kind == CS_OP_COPY || acts[act].kind == CS_OP_REDUCE)
            return cs_word_complain(&reader->words, "send, recv, add or wait");
        step.op.kind = (uint8_t)acts[act].kind;
        code = cs_expression_read(&reader->words, &step.x[2]);
        if (!code)
            code = cs_expression_read(&reader->words, &step.x[6]);
        step.op.buffer = recipe_take_buffer(reader);
        if (!code && step.op.kind != CS_OP_SEND)
            code = recipe_written(reader, step.op.buffer);
        for (uint32_t i = 0; i <= 1 && !code; i++)
            code = cs_expression_read(&reader->words, &step.x[i]);
        step.op.leaves = recipe_take_leaving(reader, &step.op);
    }
    if (!code)
        recipe_add_op(reader, CS_RECIPE_PLACE, &step);
    return code;
}

size_t cs_recipe_act_names(const char *names[CS_RECIPE_ACTS])
{
    for (size_t i = 0; i < ACTS; i++)
        names[i] = acts[i].word;
    return ACTS;
}
