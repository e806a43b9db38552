/*
 * GOAL, read: sends, receives and computation of each rank with dependencies;
 * the language of LogGOPSim and its descendants, as text or in binary form
 * (goal/binary.h).
 *
 *     num_ranks N
 *     rank R {
 *     [label:] send <bytes>b to <rank> [tag t] [cpu c] [nic n]
 *     [label:] recv <bytes>b from <rank> [tag t] [cpu c] [nic n]
 *     [label:] calc <ns> [cpu c]
 *     a requires b       a starts when b is done
 *     a irequires b      a starts when b starts
 *     }
 *
 * Comments as in C.  A label is defined with the op and used below.  The text
 * is read once, through a window; goal/ranks.h says what becomes of it.
 *
 * T. Hoefler, C. Siebert, A. Lumsdaine, Group operation assembly language - a
 * flexible way to express collective communication, ICPP 2009.
 */
#include "algorithms/schedules/goal/binary.h"
#include "algorithms/schedules/goal/words.h"
#include "algorithms/schedules/import.h"
#include "sim/base/collections/name_index.h"
#include "sim/base/text.h"

#include <string.h>

struct goal_reader {
    struct cs_goal_words words;
    struct cs_arena names;
    struct cs_names labels; /* of the rank; ops from its first */
    struct cs_goal_ranks ranks;
    struct cs_arena *arena;
};

/* -1 is valid GOAL but not a fixed schedule, hence a separate message. */
static int goal_want_rank(struct goal_reader *reader, uint32_t *rank)
{
    uint64_t number = 0;
    int code;

    if (cs_goal_is(&reader->words, "-1"))
        return cs_goal_refuse(&reader->ranks, reader->words.word_line, CS_GOAL_ANY_SENDER);
    code = cs_goal_want_number(&reader->words, "a rank below num_ranks", reader->ranks.count - 1,
                               &number);
    *rank = (uint32_t)number;
    return code;
}

/* ---- ops ---- */

/* [tag t] [cpu c] [nic n], in any order. */
static int goal_read_extras(struct goal_reader *reader, struct cs_goal_op *op)
{
    struct cs_goal_words *words = &reader->words;
    uint64_t number = 0;
    int code = 0;

    while (!code &&
           (cs_goal_is(words, "tag") || cs_goal_is(words, "cpu") || cs_goal_is(words, "nic"))) {
        char what = words->word[0];

        code = cs_goal_advance(words);
        if (!code && what == 'c' && op->kind == CS_OP_WORK && !cs_goal_is(words, "0"))
            return cs_goal_unexpected(words, CS_GOAL_ONE_PROCESSOR);
        if (!code)
            code = cs_goal_want_number(words, "a number", CS_GOAL_TAG_MAX, &number);
        if (what == 't')
            op->tag = (uint32_t)number;
    }
    return code;
}

static int goal_read_message(struct goal_reader *reader, struct cs_goal_op *op, const char *to)
{
    int code = cs_goal_advance(&reader->words);

    if (!code)
        code = cs_goal_want_bytes(&reader->words, CS_GOAL_AMOUNT_MAX, &op->amount);
    if (!code)
        code = cs_goal_want(&reader->words, to);
    return code ? code : goal_want_rank(reader, &op->peer);
}

static int goal_read_calc(struct goal_reader *reader, struct cs_goal_op *op)
{
    uint64_t ns = 0;
    int code = cs_goal_advance(&reader->words);

    if (!code)
        code = cs_goal_want_number(&reader->words, "a number of nanoseconds",
                                   CS_GOAL_AMOUNT_MAX / 1000, &ns);
    op->amount = ns * 1000;
    return code;
}

static int goal_read_op(struct goal_reader *reader)
{
    struct cs_goal_op op = {.line = reader->words.word_line};
    int code;

    if (cs_goal_is(&reader->words, "send")) {
        op.kind = CS_OP_SEND;
        code = goal_read_message(reader, &op, "to");
    } else if (cs_goal_is(&reader->words, "recv")) {
        op.kind = CS_OP_RECV;
        code = goal_read_message(reader, &op, "from");
    } else if (cs_goal_is(&reader->words, "calc")) {
        op.kind = CS_OP_WORK;
        code = goal_read_calc(reader, &op);
    } else {
        return cs_goal_unexpected(&reader->words, "send, recv, calc, a label or '}'");
    }
    if (!code)
        code = goal_read_extras(reader, &op);
    return code ? code : cs_goal_ranks_add(&reader->ranks, &op);
}

/* ---- labels ---- */

struct goal_name {
    char text[CS_GOAL_WORD_MAX + 1];
    uint32_t line;
};

static int goal_want_label(struct goal_reader *reader, const struct goal_name *name, uint32_t *op)
{
    *op = cs_names_find(&reader->labels, name->text);
    if (*op != CS_NO_NAME)
        return 0;
    return cs_goal_refuse(&reader->ranks, name->line, "no op above has the label '%s'", name->text);
}

/* The word, before the next word replaces it. */
static void goal_take_name(const struct goal_reader *reader, struct goal_name *name)
{
    name->line = reader->words.word_line;
    memcpy(name->text, reader->words.word, reader->words.length);
    name->text[reader->words.length] = '\0';
}

/* "a requires b": the next word is `requires`, `name` is a. */
static int goal_read_requires(struct goal_reader *reader, const struct goal_name *name,
                              struct cs_goal_edges *edges)
{
    struct cs_goal_edge edge = {0};
    struct goal_name before;
    int code = goal_want_label(reader, name, &edge.after);

    if (!code)
        code = cs_goal_advance(&reader->words);
    if (code)
        return code;
    goal_take_name(reader, &before);
    code = goal_want_label(reader, &before, &edge.before);
    if (!code)
        code = cs_goal_ranks_require(&reader->ranks, edges, edge, name->line);
    return code ? code : cs_goal_advance(&reader->words);
}

/* "a: op": the next word is the colon. */
static int goal_read_labelled(struct goal_reader *reader, const struct goal_name *name)
{
    int code;

    if (!cs_goal_is(&reader->words, ":"))
        return cs_goal_unexpected(&reader->words, "':', requires or irequires after a label");
    code = cs_goal_advance(&reader->words);
    if (!code && cs_names_add(&reader->labels, cs_arena_text(&reader->names, name->text),
                              reader->ranks.op_count) != CS_NO_NAME)
        code =
            cs_goal_refuse(&reader->ranks, name->line, "label '%s' is defined twice", name->text);
    return code ? code : goal_read_op(reader);
}

/* An op, a labelled op or a requirement.  The word after a name decides. */
static int goal_read_statement(struct goal_reader *reader)
{
    struct goal_name name;
    int code;

    if (cs_goal_is(&reader->words, "send") || cs_goal_is(&reader->words, "recv") ||
        cs_goal_is(&reader->words, "calc") || !cs_goal_is_name(&reader->words))
        return goal_read_op(reader);
    goal_take_name(reader, &name);
    code = cs_goal_advance(&reader->words);
    if (code)
        return code;
    if (cs_goal_is(&reader->words, "requires"))
        return goal_read_requires(reader, &name, &reader->ranks.edges);
    if (cs_goal_is(&reader->words, "irequires"))
        return goal_read_requires(reader, &name, &reader->ranks.starts);
    return goal_read_labelled(reader, &name);
}

/* ---- ranks ---- */

/* Ranks may stand in any order; a rank without an entry has no ops. */
static int goal_read_rank(struct goal_reader *reader)
{
    uint32_t rank = 0;
    uint32_t line = reader->words.word_line;
    int code = cs_goal_want(&reader->words, "rank");

    if (!code)
        code = goal_want_rank(reader, &rank);
    if (!code)
        code = cs_goal_ranks_begin(&reader->ranks, rank, line);
    if (!code)
        code = cs_goal_want(&reader->words, "{");
    cs_arena_free(&reader->names);
    cs_names_init(&reader->labels, &reader->names, 0);
    while (!code && !cs_goal_is(&reader->words, "}"))
        code = goal_read_statement(reader);
    if (!code)
        code = cs_goal_ranks_end(&reader->ranks);
    return code ? code : cs_goal_advance(&reader->words);
}

static int goal_read_ranks(struct goal_reader *reader)
{
    uint64_t ranks = 0;
    int code = cs_goal_advance(&reader->words);

    if (!code)
        code = cs_goal_want(&reader->words, "num_ranks");
    if (!code)
        code =
            cs_goal_want_number(&reader->words, "a number of ranks", CS_SCHEDULE_RANKS_MAX, &ranks);
    if (!code && ranks == 0)
        code =
            cs_goal_refuse(&reader->ranks, reader->words.line, "num_ranks 0; expected at least 1");
    if (!code)
        cs_goal_ranks_open(&reader->ranks, (uint32_t)ranks, reader->arena);
    while (!code && reader->words.length)
        code = goal_read_rank(reader);
    return code;
}

/* ---- the file ---- */

static int goal_read_text(struct cs_stream *stream, struct cs_arena *arena, struct cs_algo *algo,
                          struct cs_err *err)
{
    struct goal_reader reader = {.words = {.stream = stream, .line = 1, .err = err},
                                 .ranks = {.file = stream->file, .err = err},
                                 .arena = arena};
    int code = goal_read_ranks(&reader);

    if (!code)
        cs_goal_ranks_finish(&reader.ranks, algo);
    cs_arena_free(&reader.names);
    cs_goal_ranks_close(&reader.ranks);
    return code;
}

static int goal_read_stream(struct cs_stream *stream, struct cs_arena *arena, struct cs_algo *algo,
                            struct cs_err *err)
{
    int code = cs_stream_more(stream, CS_GOAL_MAGIC_BYTES, err);

    if (code)
        return code;
    return cs_goal_is_binary(stream) ? cs_goal_read_binary(stream, arena, algo, err)
                                     : goal_read_text(stream, arena, algo, err);
}

static int goal_read(struct cs_import_text text, struct cs_arena *arena, struct cs_algo *algo,
                     struct cs_err *err)
{
    struct cs_stream_text source = {text.text, text.length};
    struct cs_stream stream;
    int code;

    cs_stream_open(&stream, text.file, cs_stream_text, &source);
    code = goal_read_stream(&stream, arena, algo, err);
    cs_stream_close(&stream);
    return code;
}

const struct cs_importer cs_importer_goal = {
    .name = "goal",
    .about = "GOAL, text or binary (LogGOPSim and its descendants)",
    .read = goal_read,
    .stream = goal_read_stream,
};
