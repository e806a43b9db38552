/*
 * GOAL: what ranks send, receive and compute, and what waits for what; the
 * language of LogGOPSim and its descendants.
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
 * Comments are C's.  A label is known from its op on.  goal_graph.h makes
 * lanes of it.  Bytes are nobody's data: nothing is promised, what can be
 * shown is that every message is received, in its size, and nobody waits for
 * ever.  Messages match in order per (sender, receiver, tag).  A rank has one
 * processor, so calc on another than cpu 0 is refused; sending and receiving
 * cost a processor nothing here, so their cpu and nic do not matter.  recv
 * from -1, from anybody, is refused: who that is depends on the machine.
 *
 * T. Hoefler, C. Siebert, A. Lumsdaine, Group operation assembly language - a
 * flexible way to express collective communication, ICPP 2009.
 */
#include "algorithms/schedules/goal_graph.h"
#include "algorithms/schedules/import.h"
#include "algorithms/schedules/schedule.h"
#include "sim/base/file.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <stdio.h>
#include <string.h>

enum {
    WORD_MAX = 64,
    OPS_MAX = 1000000,
    TABLE_MIN = 64,
    TAG_MAX = 1 << 30
};

#define AMOUNT_MAX ((uint64_t)1 << 50)

struct goal_op {
    uint8_t kind; /* enum cs_op_kind */
    uint32_t line;
    uint32_t peer;
    uint32_t tag;
    uint64_t amount;
};

/* What a label means: an op of the rank that is read. */
struct label {
    char name[WORD_MAX]; /* "" where there is none */
    uint32_t op;
};

struct rank {
    bool seen;
    uint32_t op, ops;
    struct cs_goal_lanes lanes;
};

struct goal {
    const char *file;
    const char *at, *end; /* what is left of the text */
    uint32_t line;
    char word[WORD_MAX]; /* the one that comes next; "" at the end */
    uint32_t word_line;
    struct cs_arena *work;
    struct cs_err *err;
    struct goal_op *ops;
    uint32_t op_count, op_capacity;
    struct label *labels; /* open addressing; a power of two of them */
    uint32_t label_count, label_capacity;
    struct cs_goal_edges edges, starts;
    struct rank *ranks;
    uint32_t rank_count;
};

/* ---- words ---- */

static int goal_complain(const struct goal *goal, const char *expected)
{
    if (goal->word[0] == '\0')
        return cs_err_at(goal->err, CS_EINPUT, goal->file, goal->word_line,
                         "the file ends; expected %s", expected);
    return cs_err_at(goal->err, CS_EINPUT, goal->file, goal->word_line,
                     "'%s'; expected %s", goal->word, expected);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

static bool skip_comment(struct goal *goal)
{
    size_t left = (size_t)(goal->end - goal->at);

    if (left < 2 || goal->at[0] != '/')
        return false;
    if (goal->at[1] == '/') {
        while (goal->at < goal->end && *goal->at != '\n')
            goal->at++;
        return true;
    }
    if (goal->at[1] != '*')
        return false;
    for (goal->at += 2; goal->at < goal->end; goal->at++) {
        if (*goal->at == '\n')
            goal->line++;
        if (*goal->at == '*' && goal->at + 1 < goal->end &&
            goal->at[1] == '/') {
            goal->at += 2;
            break;
        }
    }
    return true;
}

static void skip_space(struct goal *goal)
{
    while (goal->at < goal->end) {
        if (*goal->at == '\n')
            goal->line++;
        if (strchr(" \t\r\n", *goal->at) && *goal->at)
            goal->at++;
        else if (!skip_comment(goal))
            return;
    }
}

/* Goes on to the next word: letters and digits, or one other character. */
static int goal_advance(struct goal *goal)
{
    size_t length = 0;

    skip_space(goal);
    goal->word_line = goal->line;
    while (goal->at + length < goal->end && is_letter(goal->at[length]))
        length++;
    if (length == 0 && goal->at < goal->end)
        length = 1;
    if (length >= WORD_MAX)
        return cs_err_at(goal->err, CS_EINPUT, goal->file, goal->line,
                         "a word of more than %d letters", WORD_MAX - 1);
    memcpy(goal->word, goal->at, length);
    goal->word[length] = '\0';
    if (length && goal->word[0] == '\0')
        return cs_err_at(goal->err, CS_EINPUT, goal->file, goal->line,
                         "not a text: it has a zero byte");
    goal->at += length;
    return 0;
}

static bool goal_is(const struct goal *goal, const char *word)
{
    return cs_same(goal->word, word);
}

static int want_word(struct goal *goal, const char *word)
{
    char expected[WORD_MAX];

    snprintf(expected, sizeof(expected), "'%.40s'", word);
    return goal_is(goal, word) ? goal_advance(goal)
                               : goal_complain(goal, expected);
}

static int goal_want_number(struct goal *goal, const char *text,
                            const char *what, uint64_t most, uint64_t *number)
{
    struct cs_err why = {0};

    if (cs_units_count(text, 0, most, number, &why))
        return goal_complain(goal, what);
    return goal_advance(goal);
}

/* "12b" */
static int want_bytes(struct goal *goal, uint64_t *bytes)
{
    char digits[WORD_MAX];
    size_t length = strlen(goal->word);

    if (length == 0 || goal->word[length - 1] != 'b')
        return goal_complain(goal, "a number of bytes, as in 64b");
    memcpy(digits, goal->word, length);
    digits[length - 1] = '\0';
    return goal_want_number(goal, digits, "a number of bytes, as in 64b",
                            AMOUNT_MAX, bytes);
}

static int want_rank(struct goal *goal, uint32_t *rank)
{
    uint64_t number = 0;
    int code;

    if (goal_is(goal, "-1"))
        return cs_err_at(goal->err, CS_EINPUT, goal->file, goal->word_line,
                         "recv from -1: who that is depends on the machine; "
                         "name the rank");
    code = goal_want_number(goal, goal->word, "a rank below num_ranks",
                            goal->rank_count - 1, &number);
    *rank = (uint32_t)number;
    return code;
}

/* ---- labels ---- */

static struct label *find_label(const struct goal *goal, const char *name)
{
    uint64_t hash = 14695981039346656037U; /* FNV-1a */
    const char *c;
    uint32_t at;

    for (c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211U;
    at = (uint32_t)(hash >> 32) & (goal->label_capacity - 1);
    while (goal->labels[at].name[0] && !cs_same(goal->labels[at].name, name))
        at = (at + 1) & (goal->label_capacity - 1);
    return &goal->labels[at];
}

static void forget_labels(struct goal *goal)
{
    if (goal->label_count == 0)
        return;
    free(goal->labels);
    goal->labels = NULL;
    goal->label_count = 0;
    goal->label_capacity = 0;
}

static void grow_labels(struct goal *goal)
{
    struct label *old = goal->labels;
    uint32_t count = goal->label_capacity;
    uint32_t i;

    goal->label_capacity = count ? 2 * count : TABLE_MIN;
    goal->labels = cs_grow(NULL, goal->label_capacity, sizeof(*goal->labels));
    memset(goal->labels, 0, goal->label_capacity * sizeof(*goal->labels));
    for (i = 0; i < count; i++)
        if (old[i].name[0])
            *find_label(goal, old[i].name) = old[i];
    free(old);
}

static int goal_define(struct goal *goal, const char *name, uint32_t line,
                       uint32_t op)
{
    struct label *label;

    if (2 * goal->label_count >= goal->label_capacity)
        grow_labels(goal);
    label = find_label(goal, name);
    if (label->name[0])
        return cs_err_at(goal->err, CS_EINPUT, goal->file, line,
                         "label '%s' is there a second time", name);
    memcpy(label->name, name, strlen(name) + 1);
    label->op = op;
    goal->label_count++;
    return 0;
}

static int want_label(struct goal *goal, const char *name, uint32_t line,
                      uint32_t *op)
{
    const struct label *label =
        goal->label_count ? find_label(goal, name) : NULL;

    if (!label || !label->name[0])
        return cs_err_at(goal->err, CS_EINPUT, goal->file, line,
                         "no op is labelled '%s' so far", name);
    *op = label->op;
    return 0;
}

/* ---- ops ---- */

/* [tag t] [cpu c] [nic n], in any order. */
static int read_extras(struct goal *goal, struct goal_op *op)
{
    uint64_t number = 0;
    int code = 0;

    while (!code && (goal_is(goal, "tag") || goal_is(goal, "cpu") ||
                     goal_is(goal, "nic"))) {
        char what = goal->word[0];

        code = goal_advance(goal);
        if (!code && what == 'c' && op->kind == CS_OP_WORK &&
            !goal_is(goal, "0"))
            return goal_complain(goal, "cpu 0: a rank has one processor here");
        if (!code)
            code = goal_want_number(goal, goal->word, "a number", TAG_MAX,
                                    &number);
        if (what == 't')
            op->tag = (uint32_t)number;
    }
    return code;
}

static int goal_read_message(struct goal *goal, struct goal_op *op,
                             const char *to)
{
    int code = goal_advance(goal);

    if (!code)
        code = want_bytes(goal, &op->amount);
    if (!code)
        code = want_word(goal, to);
    return code ? code : want_rank(goal, &op->peer);
}

static int read_calc(struct goal *goal, struct goal_op *op)
{
    uint64_t ns = 0;
    int code = goal_advance(goal);

    if (!code)
        code = goal_want_number(goal, goal->word, "a number of nanoseconds",
                                AMOUNT_MAX / 1000, &ns);
    op->amount = ns * 1000;
    return code;
}

static int goal_read_op(struct goal *goal, uint32_t rank)
{
    struct goal_op op = {.line = goal->word_line};
    int code;

    if (goal->op_count == OPS_MAX)
        return cs_err_at(goal->err, CS_EINPUT, goal->file, goal->word_line,
                         "more than %d ops", OPS_MAX);
    if (goal_is(goal, "send")) {
        op.kind = CS_OP_SEND;
        code = goal_read_message(goal, &op, "to");
    } else if (goal_is(goal, "recv")) {
        op.kind = CS_OP_RECV;
        code = goal_read_message(goal, &op, "from");
    } else if (goal_is(goal, "calc")) {
        op.kind = CS_OP_WORK;
        code = read_calc(goal, &op);
    } else {
        return goal_complain(goal, "send, recv, calc, a label or '}'");
    }
    if (!code && op.kind != CS_OP_WORK && op.peer == rank)
        return cs_err_at(goal->err, CS_EINPUT, goal->file, op.line,
                         "rank %u is its own peer", rank);
    if (!code)
        code = read_extras(goal, &op);
    if (goal->op_count == goal->op_capacity) {
        goal->op_capacity = goal->op_capacity ? 2 * goal->op_capacity : 256;
        goal->ops = cs_grow(goal->ops, goal->op_capacity, sizeof(op));
    }
    goal->ops[goal->op_count++] = op;
    return code;
}

/* "a requires b", where the word is behind a. */
static int read_requires(struct goal *goal, const char *name, uint32_t line,
                         struct cs_goal_edges *edges)
{
    struct cs_goal_edge edge = {0};
    int code = want_label(goal, name, line, &edge.after);

    if (!code)
        code = goal_advance(goal);
    if (!code)
        code = want_label(goal, goal->word, goal->word_line, &edge.before);
    if (!code && edges->count == CS_GOAL_EDGES_MAX)
        code = cs_err_at(goal->err, CS_EINPUT, goal->file, line,
                         "more than %d requirements", CS_GOAL_EDGES_MAX);
    if (!code)
        cs_goal_edges_add(edges, edge);
    return code ? code : goal_advance(goal);
}

static bool is_op(const struct goal *goal)
{
    return goal_is(goal, "send") || goal_is(goal, "recv") ||
           goal_is(goal, "calc");
}

static int read_statement(struct goal *goal, uint32_t rank)
{
    uint32_t first = goal->ranks[rank].op;
    uint32_t line = goal->word_line;
    char name[WORD_MAX];
    int code;

    if (is_op(goal))
        return goal_read_op(goal, rank);
    if (!is_letter(goal->word[0]))
        return goal_complain(goal, "send, recv, calc, a label or '}'");
    memcpy(name, goal->word, sizeof(name));
    code = goal_advance(goal);
    if (!code && goal_is(goal, "requires"))
        return read_requires(goal, name, line, &goal->edges);
    if (!code && goal_is(goal, "irequires"))
        return read_requires(goal, name, line, &goal->starts);
    if (!code && !goal_is(goal, ":"))
        return goal_complain(goal, "':', requires or irequires behind a label");
    if (!code)
        code = goal_advance(goal);
    if (!code)
        code = goal_define(goal, name, line, goal->op_count - first);
    return code ? code : goal_read_op(goal, rank);
}

/* ---- ranks ---- */

static int lay_out(struct goal *goal, uint32_t rank)
{
    struct rank *it = &goal->ranks[rank];
    struct cs_goal_result result = cs_goal_layout(
        it->ops, &goal->edges, &goal->starts, &it->lanes, goal->work);

    if (result.fault == CS_GOAL_FINE)
        return 0;
    return cs_err_at(goal->err, CS_EINPUT, goal->file,
                     goal->ops[it->op + result.where].line,
                     result.fault == CS_GOAL_CIRCLE
                         ? "the op waits for itself, by way of what it requires"
                         : "the requirements up to here imply too many others");
}

static int goal_read_rank(struct goal *goal)
{
    uint32_t rank = 0;
    uint32_t line = goal->word_line;
    int code = want_word(goal, "rank");

    if (!code)
        code = want_rank(goal, &rank);
    if (!code && goal->ranks[rank].seen)
        return cs_err_at(goal->err, CS_EINPUT, goal->file, line,
                         "rank %u is there a second time", rank);
    if (!code)
        code = want_word(goal, "{");
    if (code)
        return code;
    goal->ranks[rank].seen = true;
    goal->ranks[rank].op = goal->op_count;
    goal->edges.count = 0;
    goal->starts.count = 0;
    forget_labels(goal);
    while (!code && !goal_is(goal, "}"))
        code = read_statement(goal, rank);
    goal->ranks[rank].ops = goal->op_count - goal->ranks[rank].op;
    if (!code)
        code = lay_out(goal, rank);
    return code ? code : goal_advance(goal);
}

static int goal_read_ranks(struct goal *goal)
{
    uint64_t ranks = 0;
    int code = goal_advance(goal);

    if (!code)
        code = want_word(goal, "num_ranks");
    if (!code)
        code = goal_want_number(goal, goal->word, "a number of ranks",
                                CS_SCHEDULE_RANKS_MAX, &ranks);
    if (!code && ranks == 0)
        return cs_err_at(goal->err, CS_EINPUT, goal->file, goal->line,
                         "num_ranks 0; expected at least 1");
    goal->rank_count = (uint32_t)ranks;
    goal->ranks = cs_arena_alloc(goal->work, ranks, sizeof(*goal->ranks));
    while (!code && goal->word[0])
        code = goal_read_rank(goal);
    return code;
}

/* ---- the table ---- */

static struct cs_op op_of(const struct goal_op *from)
{
    struct cs_op op = {.kind = from->kind, .amount = from->amount};

    if (from->kind == CS_OP_WORK)
        return op;
    op.buffer = CS_OUTPUT;
    op.peer = from->peer;
    op.channel = from->tag + 1;
    return op;
}

static void write_node(const struct goal *goal, const struct rank *rank,
                       const struct cs_goal_node *node,
                       struct cs_schedule_maker *maker)
{
    const uint32_t *ops = rank->lanes.ops + node->op;
    uint32_t line = goal->ops[rank->op + ops[0]].line;
    uint32_t i;

    for (i = node->wait; i < node->wait + node->waits; i++) {
        cs_schedule_round(maker, line);
        cs_ops_wait(&maker->ops, rank->lanes.waits[i].lane,
                    rank->lanes.waits[i].round);
    }
    cs_schedule_round(maker, line);
    for (i = 0; i < node->ops; i++)
        cs_ops_push(&maker->ops, op_of(&goal->ops[rank->op + ops[i]]));
}

static void goal_write_table(const struct goal *goal,
                             struct cs_schedule *schedule,
                             struct cs_arena *arena)
{
    struct cs_schedule_maker maker = {0};
    uint32_t rank;
    uint32_t lane;
    uint32_t node;

    for (rank = 0; rank < goal->rank_count; rank++)
        for (lane = 0; lane < schedule->lanes; lane++) {
            const struct rank *it = &goal->ranks[rank];

            cs_schedule_lane(&maker);
            node =
                lane < it->lanes.count ? it->lanes.first[lane] : CS_GOAL_NONE;
            for (; node != CS_GOAL_NONE; node = it->lanes.nodes[node].next)
                write_node(goal, it, &it->lanes.nodes[node], &maker);
        }
    cs_schedule_end(&maker, schedule, arena);
}

/* The most that one rank sends: what stands for V. */
static int goal_count_bytes(const struct goal *goal, uint64_t *most)
{
    uint32_t rank;
    uint32_t i;

    *most = 1;
    for (rank = 0; rank < goal->rank_count; rank++) {
        const struct rank *it = &goal->ranks[rank];
        uint64_t bytes = 0;

        for (i = it->op; i < it->op + it->ops; i++) {
            if (goal->ops[i].kind == CS_OP_SEND)
                bytes += goal->ops[i].amount;
            if (bytes > AMOUNT_MAX)
                return cs_err_at(goal->err, CS_EINPUT, goal->file,
                                 goal->ops[i].line,
                                 "rank %u sends more than 2^50 bytes", rank);
        }
        if (bytes > *most)
            *most = bytes;
    }
    return 0;
}

static int check_lanes(const struct goal *goal, uint32_t *lanes)
{
    uint32_t i;

    *lanes = 1;
    for (i = 0; i < goal->rank_count; i++)
        if (goal->ranks[i].lanes.count > *lanes)
            *lanes = goal->ranks[i].lanes.count;
    if ((uint64_t)*lanes * goal->rank_count <= CS_SCHEDULE_LANES_MAX)
        return 0;
    return cs_err_at(goal->err, CS_EINPUT, goal->file, 0,
                     "%u ranks of %u chains of ops that do not wait for each "
                     "other; at most %d chains in all",
                     goal->rank_count, *lanes, CS_SCHEDULE_LANES_MAX);
}

/* ---- all together ---- */

static int goal_make(struct goal *goal, struct cs_arena *arena,
                     struct cs_algo *algo)
{
    struct cs_schedule *schedule = cs_arena_alloc(arena, 1, sizeof(*schedule));
    uint64_t bytes = 0;
    uint32_t lanes = 1;
    int code = goal_read_ranks(goal);

    if (!code)
        code = check_lanes(goal, &lanes);
    if (!code)
        code = goal_count_bytes(goal, &bytes);
    if (code)
        return code;
    *schedule = (struct cs_schedule){.file = goal->file,
                                     .ranks = goal->rank_count,
                                     .lanes = lanes,
                                     .blocks = 1};
    goal_write_table(goal, schedule, arena);
    *algo = cs_schedule_algo(schedule);
    algo->collective = &cs_collective_custom;
    algo->vector_bytes = bytes;
    return 0;
}

static int goal_read(struct cs_import_text text, struct cs_arena *arena,
                     struct cs_algo *algo, struct cs_err *err)
{
    struct cs_arena work = {0};
    struct goal goal = {.file = text.file,
                        .at = text.text,
                        .end = text.text + text.length,
                        .line = 1,
                        .work = &work,
                        .err = err};
    int code =
        cs_file_check_size(text.file, text.length, CS_IMPORT_BYTES_MAX, err);

    if (!code)
        code = goal_make(&goal, arena, algo);
    free(goal.ops);
    free(goal.labels);
    cs_goal_edges_free(&goal.edges);
    cs_goal_edges_free(&goal.starts);
    cs_arena_free(&work);
    return code;
}

const struct cs_importer cs_importer_goal = {
    .name = "goal",
    .about = "GOAL text (LogGOPSim and its descendants)",
    .read = goal_read,
};
