#include "validate/cuda/op_table.h"

#include "sim/base/hash.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS_MAX = 11,
    WORD_MAX = 64,
};

/* The first problem stays in `err`: behind it further ones are lost, numbers are 0 and
 * there are no more lines. */
struct op_table_reader {
    struct cs_op_table *table;
    struct cs_err *err;
    const char *at, *end; /* rest of the text */
    uint32_t line;
    char word[WORDS_MAX][WORD_MAX]; /* of the line */
    uint32_t words;
    uint32_t capacity; /* of the ops, owned by the reader until the end */
};

#define COMPLAIN(reader, ...) \
    cs_err_at((reader)->err, CS_EINPUT, (reader)->table->file, (reader)->line, __VA_ARGS__)

static bool is_wrong(const struct op_table_reader *reader)
{
    return reader->err->code != 0;
}

/* ---- lines and words ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void op_table_add_word(struct op_table_reader *reader, const char *from, size_t length)
{
    if (reader->words == WORDS_MAX) {
        COMPLAIN(reader, "more than %d words", WORDS_MAX);
    } else if (length >= WORD_MAX) {
        COMPLAIN(reader, "'%.40s...' is too long for a word", from);
    } else {
        memcpy(reader->word[reader->words], from, length);
        reader->word[reader->words++][length] = '\0';
    }
}

static void cut_line(struct op_table_reader *reader, const char *at, const char *end)
{
    while (at < end && *at != '#' && !is_wrong(reader)) {
        const char *from = at;

        if (*at == '\0')
            COMPLAIN(reader, "a NUL byte; a table is text");
        while (at < end && !is_blank(*at) && *at != '#' && *at != '\0')
            at++;
        if (at > from)
            op_table_add_word(reader, from, (size_t)(at - from));
        while (at < end && is_blank(*at))
            at++;
    }
}

/* Moves to the next line with words; no word remains at the end. */
static void next_line(struct op_table_reader *reader)
{
    reader->words = 0;
    while (reader->at < reader->end && reader->words == 0 && !is_wrong(reader)) {
        const char *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
        const char *stop = newline ? newline : reader->end;

        reader->line++;
        cut_line(reader, reader->at, stop);
        reader->at = newline ? newline + 1 : stop;
    }
}

/* Whether the line has so many words. */
static bool has_words(const struct op_table_reader *reader, uint32_t words, const char *form)
{
    if (reader->words != words)
        COMPLAIN(reader, "%u words after '%s'; expected '%s'",
                 reader->words ? reader->words - 1 : 0, reader->words ? reader->word[0] : "", form);
    return !is_wrong(reader);
}

/* The word as a number below `limit`. */
static uint32_t number_of(const struct op_table_reader *reader, uint32_t word, const char *what,
                          uint64_t limit)
{
    const char *text = reader->word[word];
    uint64_t value = 0;
    size_t i;

    for (i = 0; text[i] >= '0' && text[i] <= '9' && value < limit; i++)
        value = 10 * value + (uint64_t)(text[i] - '0');
    if (i > 0 && text[i] == '\0' && value < limit)
        return (uint32_t)value;
    COMPLAIN(reader, "%s '%s'; expected 0 to %llu", what, text, (unsigned long long)(limit - 1));
    return 0;
}

/* ---- the head ---- */

static void read_first(struct op_table_reader *reader)
{
    next_line(reader);
    if (reader->words != 2 || !cs_same(reader->word[0], "collsim-table"))
        COMPLAIN(reader, "not a table; expected 'collsim-table 1', as 'collsim export "
                         "--format table' writes it");
    else if (!cs_same(reader->word[1], "1"))
        COMPLAIN(reader, "a table of version '%s'; this program reads 1", reader->word[1]);
}

/* Moves to a line with the key and a value. */
static bool read_key(struct op_table_reader *reader, const char *key, const char *value)
{
    next_line(reader);
    if (reader->words != 2 || !cs_same(reader->word[0], key))
        COMPLAIN(reader, "expected '%s %s'", key, value);
    return !is_wrong(reader);
}

static void read_name(struct op_table_reader *reader, const char *key, char name[CS_OP_TABLE_NAME])
{
    if (!read_key(reader, key, "NAME"))
        return;
    if (strlen(reader->word[1]) >= CS_OP_TABLE_NAME)
        COMPLAIN(reader, "'%s' is too long for a name", reader->word[1]);
    snprintf(name, CS_OP_TABLE_NAME, "%.47s", reader->word[1]);
}

static uint32_t read_count(struct op_table_reader *reader, const char *key, uint32_t least,
                           uint32_t most)
{
    uint32_t count;

    if (!read_key(reader, key, "NUMBER"))
        return least;
    count = number_of(reader, 1, key, (uint64_t)most + 1);
    if (count < least)
        COMPLAIN(reader, "%s %u; expected %u at least", key, count, least);
    return count < least ? least : count;
}

/* Optional parameters of the call; ends at the next line. */
static void read_call(struct op_table_reader *reader)
{
    struct cs_op_table *table = reader->table;
    const struct {
        const char *key;
        uint32_t *count;
    } items[] = {
        {"chunks", &table->chunks},
        {"shards", &table->shards},
        {"slices", &table->slices},
    };

    next_line(reader);
    for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++) {
        if (reader->words != 2 || !cs_same(reader->word[0], items[i].key))
            continue;
        *items[i].count = number_of(reader, 1, items[i].key, UINT32_MAX);
        next_line(reader);
    }
    /* Real lanes begin when they can. */
    while (reader->words > 0 &&
           (cs_same(reader->word[0], "turn") || cs_same(reader->word[0], "order")))
        next_line(reader);
}

static void read_head(struct op_table_reader *reader)
{
    struct cs_op_table *table = reader->table;

    read_first(reader);
    read_name(reader, "algorithm", table->algorithm);
    read_name(reader, "collective", table->collective);
    table->ranks = read_count(reader, "ranks", 1, CS_OP_TABLE_PARTIES_MAX);
    table->agents = read_count(reader, "agents", 0, CS_OP_TABLE_PARTIES_MAX - table->ranks);
    table->lanes = read_count(reader, "lanes", 1, CS_OP_TABLE_LANES_MAX);
    table->blocks = read_count(reader, "blocks", 1, CS_OP_TABLE_BLOCKS_MAX);
    table->parts = read_count(reader, "parts", 1, table->blocks);
    if (table->blocks % table->parts)
        COMPLAIN(reader, "%u blocks are no multiple of %u parts", table->blocks, table->parts);
}

/* ---- ops ---- */

static void read_message(struct op_table_reader *reader, struct cs_table_op *op)
{
    const struct cs_op_table *table = reader->table;
    const char *buffer = reader->word[7];

    /* A real message leaves when it can. */
    if (reader->words == 11 && op->kind == CS_TABLE_SEND &&
        (cs_same(reader->word[10], "met") || cs_same(reader->word[10], "behind")))
        reader->words--;
    if (!has_words(reader, 10, "op PARTY LANE ROUND send|recv|add PEER CHANNEL in|out FIRST COUNT"))
        return;
    op->peer = number_of(reader, 5, "party", cs_op_table_parties(table));
    op->channel = number_of(reader, 6, "channel", UINT32_MAX);
    if (op->peer == op->party)
        COMPLAIN(reader, "party %u and itself exchange no messages", op->party);
    op->from_input = cs_same(buffer, "in");
    if (!op->from_input && !cs_same(buffer, "out"))
        COMPLAIN(reader, "buffer '%s'; expected in or out", buffer);
    if (op->from_input && op->kind != CS_TABLE_SEND)
        COMPLAIN(reader, "the input is never written; expected out");
    op->first = number_of(reader, 8, "block", table->blocks);
    op->count = number_of(reader, 9, "number of blocks", (uint64_t)table->blocks + 1);
    if (op->count == 0)
        COMPLAIN(reader, "a message of no blocks");
}

static void read_wait(struct op_table_reader *reader, struct cs_table_op *op)
{
    if (!has_words(reader, 7, "op PARTY LANE ROUND wait LANE ROUND"))
        return;
    op->peer = number_of(reader, 5, "lane", reader->table->lanes);
    op->channel = number_of(reader, 6, "round", CS_OP_TABLE_ROUNDS_MAX);
    if (op->peer == op->lane)
        COMPLAIN(reader, "lane %u waits for itself", op->lane);
}

static void op_table_read_kind(struct op_table_reader *reader, struct cs_table_op *op)
{
    static const char *const kinds[] = {"send", "recv", "add", "wait"};

    while (op->kind <= CS_TABLE_WAIT && !cs_same(kinds[op->kind], reader->word[4]))
        op->kind++;
    if (op->kind > CS_TABLE_WAIT)
        COMPLAIN(
            reader, "no op called '%s'%s", reader->word[4],
            cs_hint(reader->word[4], kinds, CS_TABLE_WAIT + 1, "expected send, recv, add or wait")
                .text);
}

/* Ops are in the order of party, lane and round. */
static void check_order(const struct op_table_reader *reader, const struct cs_table_op *op)
{
    const struct cs_op_table *table = reader->table;
    const struct cs_table_op *last;

    if (table->op_count == 0)
        return;
    last = &table->ops[table->op_count - 1];
    if (op->party < last->party ||
        (op->party == last->party &&
         (op->lane < last->lane || (op->lane == last->lane && op->round < last->round))))
        COMPLAIN(reader, "ops are not in the order of party, lane and round");
}

static void keep_op(struct op_table_reader *reader, struct cs_table_op op)
{
    struct cs_op_table *table = reader->table;

    if (table->op_count == CS_OP_TABLE_OPS_MAX) {
        COMPLAIN(reader, "more than %d ops", CS_OP_TABLE_OPS_MAX);
        return;
    }
    if (table->op_count == reader->capacity) {
        reader->capacity = 2 * reader->capacity + 64;
        table->ops = cs_grow(table->ops, reader->capacity, sizeof(op));
    }
    table->ops[table->op_count++] = op;
}

static void read_op(struct op_table_reader *reader)
{
    const struct cs_op_table *table = reader->table;
    struct cs_table_op op = {.line = reader->line};

    if (reader->words < 5) {
        (void)has_words(reader, 10, "op PARTY LANE ROUND KIND ...");
        return;
    }
    op_table_read_kind(reader, &op);
    op.party = number_of(reader, 1, "party", cs_op_table_parties(table));
    op.lane = number_of(reader, 2, "lane", table->lanes);
    op.round = number_of(reader, 3, "round", CS_OP_TABLE_ROUNDS_MAX);
    if (op.kind == CS_TABLE_WAIT)
        read_wait(reader, &op);
    else
        read_message(reader, &op);
    check_order(reader, &op);
    keep_op(reader, op);
}

static void read_ops(struct op_table_reader *reader)
{
    read_call(reader);
    while (!is_wrong(reader) && reader->words > 0 && cs_same(reader->word[0], "op")) {
        read_op(reader);
        next_line(reader);
    }
    if (reader->words == 0)
        COMPLAIN(reader, "the file ends without 'end'");
    if (reader->words > 1 || !cs_same(reader->word[0], "end"))
        COMPLAIN(reader, "'%s'; expected op or end", reader->word[0]);
    next_line(reader);
    if (reader->words > 0)
        COMPLAIN(reader, "'%s' behind the end", reader->word[0]);
}

uint64_t cs_op_table_hash(const char *text, size_t length)
{
    return cs_hash_bytes(CS_HASH_START, text, length);
}

int cs_op_table_read(struct cs_op_table_text text, struct cs_arena *arena,
                     struct cs_op_table *table, struct cs_err *err)
{
    struct cs_err why = {0};
    struct op_table_reader reader = {
        .table = table, .err = &why, .at = text.text, .end = text.text + text.length};
    struct cs_table_op *grown;

    *table =
        (struct cs_op_table){.file = text.file, .hash = cs_op_table_hash(text.text, text.length)};
    read_head(&reader);
    if (!why.code)
        read_ops(&reader);
    grown = table->ops;
    table->ops = NULL;
    if (!why.code) {
        table->ops = cs_arena_alloc(arena, table->op_count, sizeof(*grown));
        if (table->op_count > 0)
            memcpy(table->ops, grown, table->op_count * sizeof(*grown));
    }
    free(grown);
    return why.code ? cs_err_set(err, why.code, "%s", why.text) : 0;
}
