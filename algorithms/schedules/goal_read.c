/*
 * GOAL, read: sends, receives and computation of each rank with dependencies;
 * the language of LogGOPSim and its descendants.
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
 * Comments as in C.  A label is defined with the op and used below.  goal_graph.h
 * turns the ops of a rank into lanes.  Messages carry no blocks of the vector:
 * the prover checks the receipt and size of every message and the absence of
 * deadlock, but no result.  Messages match in order per (sender, receiver,
 * tag).  A rank has one processor, so calc on a cpu other than 0 is refused; a
 * message occupies no processor, so cpu and nic of a message are ignored.  recv
 * from -1 (any sender) is refused: the sender would depend on the machine.
 *
 * T. Hoefler, C. Siebert, A. Lumsdaine, Group operation assembly language - a
 * flexible way to express collective communication, ICPP 2009.
 */
#include "algorithms/schedules/goal_graph.h"
#include "algorithms/schedules/goal_words.h"
#include "algorithms/schedules/import.h"
#include "algorithms/schedules/schedule.h"
#include "sim/base/collections/name_index.h"
#include "sim/base/collections/vector.h"
#include "sim/base/file.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPS_MAX = 1000000,
    TAG_MAX = 1 << 30
};

/* Bytes, or picoseconds of a calc.  goal_count_bytes() checks after every
 * addition, which prevents overflow. */
#define AMOUNT_MAX ((uint64_t)1 << 50)

struct goal_op {
    uint8_t kind; /* enum cs_op_kind */
    uint32_t line;
    uint32_t peer;
    uint32_t tag;
    uint64_t amount; /* bytes, or picoseconds of a calc */
};

struct goal_rank {
    bool seen;
    uint32_t op, ops; /* a run of goal_reader.ops */
    struct cs_goal_lanes lanes;
};

struct goal_reader {
    struct cs_goal_words words;
    struct cs_arena *work;
    struct goal_op *ops;
    uint32_t op_count, op_capacity;
    struct cs_arena label_memory; /* of the current rank */
    struct cs_names labels;       /* op, counted from the rank's first */
    struct cs_goal_edges edges, starts;
    struct goal_rank *ranks;
    uint32_t rank_count;
};

/* -1 is valid GOAL but not a fixed schedule, hence a separate message. */
static int goal_want_rank(struct goal_reader *reader, uint32_t *rank)
{
    uint64_t number = 0;
    int code;

    if (cs_goal_is(&reader->words, "-1"))
        return cs_err_at(
            reader->words.err, CS_EINPUT, reader->words.file,
            reader->words.word_line,
            "recv from -1: the sender would depend on the machine; "
            "name the rank");
    code = cs_goal_want_number(&reader->words, "a rank below num_ranks",
                               reader->rank_count - 1, &number);
    *rank = (uint32_t)number;
    return code;
}

/* ---- labels ---- */

/* Labels are local to a rank; the memory of a large file stays that of the
 * largest rank. */
static void goal_clear_labels(struct goal_reader *reader)
{
    cs_arena_free(&reader->label_memory);
    cs_names_init(&reader->labels, &reader->label_memory, 0);
}

/* A copy of the name, since the next word overwrites the buffer. */
static int goal_define(struct goal_reader *reader, const char *name,
                       uint32_t line, uint32_t op)
{
    const char *kept = cs_arena_text(&reader->label_memory, name);

    if (cs_names_add(&reader->labels, kept, op) == CS_NO_NAME)
        return 0;
    return cs_err_at(reader->words.err, CS_EINPUT, reader->words.file, line,
                     "label '%s' is defined twice", name);
}

static int goal_want_label(struct goal_reader *reader, const char *name,
                           uint32_t line, uint32_t *op)
{
    *op = cs_names_find(&reader->labels, name);
    if (*op != CS_NO_NAME)
        return 0;
    return cs_err_at(reader->words.err, CS_EINPUT, reader->words.file, line,
                     "no op above has the label '%s'", name);
}

/* ---- ops ---- */

/* [tag t] [cpu c] [nic n], in any order. */
static int goal_read_extras(struct goal_reader *reader, struct goal_op *op)
{
    uint64_t number = 0;
    int code = 0;

    while (!code && (cs_goal_is(&reader->words, "tag") ||
                     cs_goal_is(&reader->words, "cpu") ||
                     cs_goal_is(&reader->words, "nic"))) {
        char what = reader->words.word[0];

        code = cs_goal_advance(&reader->words);
        if (!code && what == 'c' && op->kind == CS_OP_WORK &&
            !cs_goal_is(&reader->words, "0"))
            return cs_goal_unexpected(&reader->words,
                                      "cpu 0: a rank has one processor");
        if (!code)
            code = cs_goal_want_number(&reader->words, "a number", TAG_MAX,
                                       &number);
        if (what == 't')
            op->tag = (uint32_t)number;
    }
    return code;
}

static int goal_read_message(struct goal_reader *reader, struct goal_op *op,
                             const char *to)
{
    int code = cs_goal_advance(&reader->words);

    if (!code)
        code = cs_goal_want_bytes(&reader->words, AMOUNT_MAX, &op->amount);
    if (!code)
        code = cs_goal_want(&reader->words, to);
    return code ? code : goal_want_rank(reader, &op->peer);
}

static int goal_read_calc(struct goal_reader *reader, struct goal_op *op)
{
    uint64_t ns = 0;
    int code = cs_goal_advance(&reader->words);

    if (!code)
        code = cs_goal_want_number(&reader->words, "a number of nanoseconds",
                                   AMOUNT_MAX / 1000, &ns);
    op->amount = ns * 1000;
    return code;
}

/* An op is kept even after an error: the caller stops. */
static int goal_read_op(struct goal_reader *reader, uint32_t rank)
{
    struct goal_op op = {.line = reader->words.word_line};
    int code;

    if (reader->op_count == OPS_MAX)
        return cs_err_at(reader->words.err, CS_EINPUT, reader->words.file,
                         reader->words.word_line, "more than %d ops", OPS_MAX);
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
        return cs_goal_unexpected(&reader->words,
                                  "send, recv, calc, a label or '}'");
    }
    if (!code && op.kind != CS_OP_WORK && op.peer == rank)
        return cs_err_at(reader->words.err, CS_EINPUT, reader->words.file,
                         op.line, "rank %u is its own peer", rank);
    if (!code)
        code = goal_read_extras(reader, &op);
    reader->ops = cs_vector_room(reader->ops, reader->op_count + 1,
                                 &reader->op_capacity, sizeof(op));
    reader->ops[reader->op_count++] = op;
    return code;
}

/* "a requires b": the next word is `requires`, `name` is a. */
static int goal_read_requires(struct goal_reader *reader, const char *name,
                              uint32_t line, struct cs_goal_edges *edges)
{
    struct cs_goal_edge edge = {0};
    int code = goal_want_label(reader, name, line, &edge.after);

    if (!code)
        code = cs_goal_advance(&reader->words);
    if (!code)
        code = goal_want_label(reader, reader->words.word,
                               reader->words.word_line, &edge.before);
    if (!code && edges->count == CS_GOAL_EDGES_MAX)
        code = cs_err_at(reader->words.err, CS_EINPUT, reader->words.file, line,
                         "more than %d requirements", CS_GOAL_EDGES_MAX);
    if (!code)
        cs_goal_edges_add(edges, edge);
    return code ? code : cs_goal_advance(&reader->words);
}

static bool goal_is_op(const struct goal_reader *reader)
{
    return cs_goal_is(&reader->words, "send") ||
           cs_goal_is(&reader->words, "recv") ||
           cs_goal_is(&reader->words, "calc");
}

/* An op, a labelled op or a requirement.  The word after a name decides. */
static int goal_read_statement(struct goal_reader *reader, uint32_t rank)
{
    uint32_t first = reader->ranks[rank].op;
    uint32_t line = reader->words.word_line;
    char name[CS_GOAL_WORD_MAX];
    int code;

    if (goal_is_op(reader))
        return goal_read_op(reader, rank);
    if (!cs_goal_is_name(&reader->words))
        return cs_goal_unexpected(&reader->words,
                                  "send, recv, calc, a label or '}'");
    memcpy(name, reader->words.word, sizeof(name));
    code = cs_goal_advance(&reader->words);
    if (!code && cs_goal_is(&reader->words, "requires"))
        return goal_read_requires(reader, name, line, &reader->edges);
    if (!code && cs_goal_is(&reader->words, "irequires"))
        return goal_read_requires(reader, name, line, &reader->starts);
    if (!code && !cs_goal_is(&reader->words, ":"))
        return cs_goal_unexpected(&reader->words,
                                  "':', requires or irequires after a label");
    if (!code)
        code = cs_goal_advance(&reader->words);
    if (!code)
        code = goal_define(reader, name, line, reader->op_count - first);
    return code ? code : goal_read_op(reader, rank);
}

/* ---- ranks ---- */

static int goal_lay_out(struct goal_reader *reader, uint32_t rank)
{
    struct goal_rank *own = &reader->ranks[rank];
    struct cs_goal_result result = cs_goal_layout(
        own->ops, &reader->edges, &reader->starts, &own->lanes, reader->work);

    if (result.fault == CS_GOAL_FINE)
        return 0;
    return cs_err_at(reader->words.err, CS_EINPUT, reader->words.file,
                     reader->ops[own->op + result.where].line,
                     result.fault == CS_GOAL_CYCLE
                         ? "circular dependency: the op requires itself, "
                           "directly or through other ops"
                         : "the requirements up to this op imply too many "
                           "dependencies");
}

/* Ranks may stand in any order; a rank without an entry has no ops. */
static int goal_read_rank(struct goal_reader *reader)
{
    uint32_t rank = 0;
    uint32_t line = reader->words.word_line;
    int code = cs_goal_want(&reader->words, "rank");

    if (!code)
        code = goal_want_rank(reader, &rank);
    if (!code && reader->ranks[rank].seen)
        return cs_err_at(reader->words.err, CS_EINPUT, reader->words.file, line,
                         "rank %u is defined twice", rank);
    if (!code)
        code = cs_goal_want(&reader->words, "{");
    if (code)
        return code;
    reader->ranks[rank].seen = true;
    reader->ranks[rank].op = reader->op_count;
    reader->edges.count = 0;
    reader->starts.count = 0;
    goal_clear_labels(reader);
    while (!code && !cs_goal_is(&reader->words, "}"))
        code = goal_read_statement(reader, rank);
    reader->ranks[rank].ops = reader->op_count - reader->ranks[rank].op;
    if (!code)
        code = goal_lay_out(reader, rank);
    return code ? code : cs_goal_advance(&reader->words);
}

static int goal_read_ranks(struct goal_reader *reader)
{
    uint64_t ranks = 0;
    int code = cs_goal_advance(&reader->words);

    if (!code)
        code = cs_goal_want(&reader->words, "num_ranks");
    if (!code)
        code = cs_goal_want_number(&reader->words, "a number of ranks",
                                   CS_SCHEDULE_RANKS_MAX, &ranks);
    if (!code && ranks == 0)
        return cs_err_at(reader->words.err, CS_EINPUT, reader->words.file,
                         reader->words.line,
                         "num_ranks 0; expected at least 1");
    reader->rank_count = (uint32_t)ranks;
    reader->ranks = cs_arena_alloc(reader->work, ranks, sizeof(*reader->ranks));
    while (!code && reader->words.word[0])
        code = goal_read_rank(reader);
    return code;
}

/* ---- the table ---- */

/* Channels of a program start at 1; GOAL tags start at 0. */
static struct cs_op goal_op_of(const struct goal_op *from)
{
    struct cs_op op = {.kind = from->kind, .amount = from->amount};

    if (from->kind == CS_OP_WORK)
        return op;
    op.buffer = CS_OUTPUT;
    op.peer = from->peer;
    op.channel = from->tag + 1;
    return op;
}

/* A round for each wait, then a round with the ops of the node. */
static void goal_write_node(const struct goal_reader *reader,
                            const struct goal_rank *rank,
                            const struct cs_goal_node *node,
                            struct cs_schedule_maker *maker)
{
    const uint32_t *ops = rank->lanes.ops + node->op;
    uint32_t line = reader->ops[rank->op + ops[0]].line;
    uint32_t i;

    for (i = node->wait; i < node->wait + node->waits; i++) {
        cs_schedule_round(maker, line);
        cs_ops_wait(&maker->ops, rank->lanes.waits[i].lane,
                    rank->lanes.waits[i].round);
    }
    cs_schedule_round(maker, line);
    for (i = 0; i < node->ops; i++)
        cs_ops_push(&maker->ops, goal_op_of(&reader->ops[rank->op + ops[i]]));
}

/* Ranks with fewer lanes get empty lanes: the program has equally many on every
 * rank. */
static void goal_write_table(const struct goal_reader *reader,
                             struct cs_schedule *schedule,
                             struct cs_arena *arena)
{
    struct cs_schedule_maker maker = {0};
    uint32_t rank;
    uint32_t lane;
    uint32_t node;

    for (rank = 0; rank < reader->rank_count; rank++)
        for (lane = 0; lane < schedule->lanes; lane++) {
            const struct goal_rank *own = &reader->ranks[rank];

            cs_schedule_lane(&maker);
            node =
                lane < own->lanes.count ? own->lanes.first[lane] : CS_GOAL_NONE;
            for (; node != CS_GOAL_NONE; node = own->lanes.nodes[node].next)
                goal_write_node(reader, own, &own->lanes.nodes[node], &maker);
        }
    cs_schedule_end(&maker, schedule, arena);
}

/* The maximum of bytes sent by a rank, used as the size of the vector: results
 * per byte need a size, and the ops are not parts of a vector. */
static int goal_count_bytes(const struct goal_reader *reader, uint64_t *most)
{
    uint32_t rank;
    uint32_t i;

    *most = 1;
    for (rank = 0; rank < reader->rank_count; rank++) {
        const struct goal_rank *own = &reader->ranks[rank];
        uint64_t bytes = 0;

        for (i = own->op; i < own->op + own->ops; i++) {
            if (reader->ops[i].kind == CS_OP_SEND)
                bytes += reader->ops[i].amount;
            if (bytes > AMOUNT_MAX)
                return cs_err_at(reader->words.err, CS_EINPUT,
                                 reader->words.file, reader->ops[i].line,
                                 "rank %u sends more than 2^50 bytes", rank);
        }
        if (bytes > *most)
            *most = bytes;
    }
    return 0;
}

/* The table has lanes x ranks entries, checked before the allocation. */
static int goal_check_lanes(const struct goal_reader *reader, uint32_t *lanes)
{
    uint32_t i;

    *lanes = 1;
    for (i = 0; i < reader->rank_count; i++)
        if (reader->ranks[i].lanes.count > *lanes)
            *lanes = reader->ranks[i].lanes.count;
    if ((uint64_t)*lanes * reader->rank_count <= CS_SCHEDULE_LANES_MAX)
        return 0;
    return cs_err_at(
        reader->words.err, CS_EINPUT, reader->words.file, 0,
        "%u ranks of %u independent chains of ops; at most %d chains in all",
        reader->rank_count, *lanes, CS_SCHEDULE_LANES_MAX);
}

/* ---- the file ---- */

static int goal_make(struct goal_reader *reader, struct cs_arena *arena,
                     struct cs_algo *algo)
{
    struct cs_schedule *schedule = cs_arena_alloc(arena, 1, sizeof(*schedule));
    uint64_t bytes = 0;
    uint32_t lanes = 1;
    int code = goal_read_ranks(reader);

    if (!code)
        code = goal_check_lanes(reader, &lanes);
    if (!code)
        code = goal_count_bytes(reader, &bytes);
    if (code)
        return code;
    *schedule = (struct cs_schedule){.file = reader->words.file,
                                     .ranks = reader->rank_count,
                                     .lanes = lanes,
                                     .blocks = 1};
    goal_write_table(reader, schedule, arena);
    *algo = cs_schedule_algo(schedule);
    algo->collective = &cs_collective_custom;
    algo->vector_bytes = bytes;
    return 0;
}

static int goal_read(struct cs_import_text text, struct cs_arena *arena,
                     struct cs_algo *algo, struct cs_err *err)
{
    struct cs_arena work = {0};
    struct goal_reader reader = {.words = {.file = text.file,
                                           .at = text.text,
                                           .end = text.text + text.length,
                                           .line = 1,
                                           .err = err},
                                 .work = &work};
    int code =
        cs_file_check_size(text.file, text.length, CS_IMPORT_BYTES_MAX, err);

    if (!code)
        code = goal_make(&reader, arena, algo);
    free(reader.ops);
    cs_arena_free(&reader.label_memory);
    cs_goal_edges_free(&reader.edges);
    cs_goal_edges_free(&reader.starts);
    cs_arena_free(&work);
    return code;
}

const struct cs_importer cs_importer_goal = {
    .name = "goal",
    .about = "GOAL text (LogGOPSim and its descendants)",
    .read = goal_read,
};
