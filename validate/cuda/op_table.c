#include "validate/cuda/op_table.h"

#include "sim/base/hash.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS_MAX = 10,
    WORD_MAX = 64,
};

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

/* ---- lines and words ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static int op_table_add_word(struct op_table_reader *reader, const char *from, size_t length)
{
    if (reader->words == WORDS_MAX)
        return COMPLAIN(reader, "more than %d words", WORDS_MAX);
    if (length >= WORD_MAX)
        return COMPLAIN(reader, "'%.40s...' is too long for a word", from);
    memcpy(reader->word[reader->words], from, length);
    reader->word[reader->words++][length] = '\0';
    return 0;
}

static int cut_line(struct op_table_reader *reader, const char *at, const char *end)
{
    int code = 0;

    while (at < end && !code) {
        const char *from = at;

        if (*at == '#')
            break;
        if (*at == '\0')
            return COMPLAIN(reader, "a NUL byte; a table is text");
        while (at < end && !is_blank(*at) && *at != '#' && *at != '\0')
            at++;
        if (at > from)
            code = op_table_add_word(reader, from, (size_t)(at - from));
        while (at < end && is_blank(*at))
            at++;
    }
    return code;
}

/* Moves to the next line with words; no word remains at the end. */
static int next_line(struct op_table_reader *reader)
{
    int code = 0;

    reader->words = 0;
    while (reader->at < reader->end && reader->words == 0 && !code) {
        const char *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
        const char *stop = newline ? newline : reader->end;

        reader->line++;
        code = cut_line(reader, reader->at, stop);
        reader->at = newline ? newline + 1 : stop;
    }
    return code;
}

static int want_words(const struct op_table_reader *reader, uint32_t words, const char *form)
{
    if (reader->words == words)
        return 0;
    return COMPLAIN(reader, "%u words after '%s'; expected '%s'",
                    reader->words ? reader->words - 1 : 0, reader->words ? reader->word[0] : "",
                    form);
}

/* The word as a number below `limit`. */
static int want_number(const struct op_table_reader *reader, uint32_t word, const char *what,
                       uint64_t limit, uint32_t *number)
{
    const char *text = reader->word[word];
    uint64_t value = 0;
    size_t i;

    for (i = 0; text[i] >= '0' && text[i] <= '9' && value < limit; i++)
        value = 10 * value + (uint64_t)(text[i] - '0');
    if (i == 0 || text[i] != '\0' || value >= limit)
        return COMPLAIN(reader, "%s '%s'; expected 0 to %llu", what, text,
                        (unsigned long long)(limit - 1));
    *number = (uint32_t)value;
    return 0;
}

/* ---- the head ---- */

static int read_first(struct op_table_reader *reader)
{
    int code = next_line(reader);

    if (code)
        return code;
    if (reader->words != 2 || !cs_same(reader->word[0], "collsim-table"))
        return COMPLAIN(reader, "not a table; expected 'collsim-table 1', as 'collsim export "
                                "--format table' writes it");
    if (!cs_same(reader->word[1], "1"))
        return COMPLAIN(reader, "a table of version '%s'; this program reads 1", reader->word[1]);
    return 0;
}

static int read_name(struct op_table_reader *reader, const char *key, char name[CS_OP_TABLE_NAME])
{
    int code = next_line(reader);

    if (code)
        return code;
    if (reader->words != 2 || !cs_same(reader->word[0], key))
        return COMPLAIN(reader, "expected '%s NAME'", key);
    if (strlen(reader->word[1]) >= CS_OP_TABLE_NAME)
        return COMPLAIN(reader, "'%s' is too long for a name", reader->word[1]);
    snprintf(name, CS_OP_TABLE_NAME, "%.47s", reader->word[1]);
    return 0;
}

static int read_count(struct op_table_reader *reader, const char *key, uint32_t least,
                      uint32_t most, uint32_t *count)
{
    int code = next_line(reader);

    if (code)
        return code;
    if (reader->words != 2 || !cs_same(reader->word[0], key))
        return COMPLAIN(reader, "expected '%s NUMBER'", key);
    code = want_number(reader, 1, key, (uint64_t)most + 1, count);
    if (!code && *count < least)
        code = COMPLAIN(reader, "%s %u; expected %u at least", key, *count, least);
    return code;
}

/* Optional parameters of the call; ends at the next line. */
static int read_call(struct op_table_reader *reader)
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
    int code = next_line(reader);
    size_t i;

    for (i = 0; i < sizeof(items) / sizeof(*items) && !code; i++) {
        if (reader->words != 2 || !cs_same(reader->word[0], items[i].key))
            continue;
        code = want_number(reader, 1, items[i].key, UINT32_MAX, items[i].count);
        if (!code)
            code = next_line(reader);
    }
    return code;
}

static int read_head(struct op_table_reader *reader)
{
    struct cs_op_table *table = reader->table;
    int code = read_first(reader);

    if (!code)
        code = read_name(reader, "algorithm", table->algorithm);
    if (!code)
        code = read_name(reader, "collective", table->collective);
    if (!code)
        code = read_count(reader, "ranks", 1, CS_OP_TABLE_PARTIES_MAX, &table->ranks);
    if (!code)
        code =
            read_count(reader, "agents", 0, CS_OP_TABLE_PARTIES_MAX - table->ranks, &table->agents);
    if (!code)
        code = read_count(reader, "lanes", 1, CS_OP_TABLE_LANES_MAX, &table->lanes);
    if (!code)
        code = read_count(reader, "blocks", 1, CS_OP_TABLE_BLOCKS_MAX, &table->blocks);
    if (!code)
        code = read_count(reader, "parts", 1, table->blocks, &table->parts);
    if (!code && table->blocks % table->parts)
        code =
            COMPLAIN(reader, "%u blocks are no multiple of %u parts", table->blocks, table->parts);
    return code;
}

/* ---- ops ---- */

static int read_message(struct op_table_reader *reader, struct cs_table_op *op)
{
    const struct cs_op_table *table = reader->table;
    const char *buffer = reader->word[7];
    int code =
        want_words(reader, 10, "op PARTY LANE ROUND send|recv|add PEER CHANNEL in|out FIRST COUNT");

    if (!code)
        code = want_number(reader, 5, "party", cs_op_table_parties(table), &op->peer);
    if (!code)
        code = want_number(reader, 6, "channel", UINT32_MAX, &op->channel);
    if (!code && op->peer == op->party)
        code = COMPLAIN(reader, "party %u and itself exchange no messages", op->party);
    if (!code && !cs_same(buffer, "in") && !cs_same(buffer, "out"))
        code = COMPLAIN(reader, "buffer '%s'; expected in or out", buffer);
    op->from_input = !code && cs_same(buffer, "in");
    if (!code && op->from_input && op->kind != CS_TABLE_SEND)
        code = COMPLAIN(reader, "the input is never written; expected out");
    if (!code)
        code = want_number(reader, 8, "block", table->blocks, &op->first);
    if (!code)
        code = want_number(reader, 9, "number of blocks", (uint64_t)table->blocks + 1, &op->count);
    if (!code && op->count == 0)
        code = COMPLAIN(reader, "a message of no blocks");
    return code;
}

static int read_wait(struct op_table_reader *reader, struct cs_table_op *op)
{
    int code = want_words(reader, 7, "op PARTY LANE ROUND wait LANE ROUND");

    if (!code)
        code = want_number(reader, 5, "lane", reader->table->lanes, &op->peer);
    if (!code)
        code = want_number(reader, 6, "round", CS_OP_TABLE_ROUNDS_MAX, &op->channel);
    if (!code && op->peer == op->lane)
        code = COMPLAIN(reader, "lane %u waits for itself", op->lane);
    return code;
}

static int op_table_read_kind(struct op_table_reader *reader, struct cs_table_op *op)
{
    static const char *const kinds[] = {"send", "recv", "add", "wait"};
    uint8_t kind = 0;

    if (reader->words < 5)
        return want_words(reader, 10, "op PARTY LANE ROUND KIND ...");
    while (kind <= CS_TABLE_WAIT && !cs_same(kinds[kind], reader->word[4]))
        kind++;
    op->kind = kind;
    if (kind <= CS_TABLE_WAIT)
        return 0;
    return COMPLAIN(
        reader, "no op called '%s'%s", reader->word[4],
        cs_hint(reader->word[4], kinds, CS_TABLE_WAIT + 1, "expected send, recv, add or wait")
            .text);
}

/* Ops are in the order of party, lane and round. */
static int check_order(const struct op_table_reader *reader, const struct cs_table_op *op)
{
    const struct cs_op_table *table = reader->table;
    const struct cs_table_op *last;

    if (table->op_count == 0)
        return 0;
    last = &table->ops[table->op_count - 1];
    if (op->party > last->party ||
        (op->party == last->party &&
         (op->lane > last->lane || (op->lane == last->lane && op->round >= last->round))))
        return 0;
    return COMPLAIN(reader, "ops are not in the order of party, lane and round");
}

static int keep_op(struct op_table_reader *reader, struct cs_table_op op)
{
    struct cs_op_table *table = reader->table;

    if (table->op_count == CS_OP_TABLE_OPS_MAX)
        return COMPLAIN(reader, "more than %d ops", CS_OP_TABLE_OPS_MAX);
    if (table->op_count == reader->capacity) {
        reader->capacity = 2 * reader->capacity + 64;
        table->ops = cs_grow(table->ops, reader->capacity, sizeof(op));
    }
    table->ops[table->op_count++] = op;
    return 0;
}

static int read_op(struct op_table_reader *reader)
{
    const struct cs_op_table *table = reader->table;
    struct cs_table_op op = {.line = reader->line};
    int code = op_table_read_kind(reader, &op);

    if (!code)
        code = want_number(reader, 1, "party", cs_op_table_parties(table), &op.party);
    if (!code)
        code = want_number(reader, 2, "lane", table->lanes, &op.lane);
    if (!code)
        code = want_number(reader, 3, "round", CS_OP_TABLE_ROUNDS_MAX, &op.round);
    if (!code)
        code = op.kind == CS_TABLE_WAIT ? read_wait(reader, &op) : read_message(reader, &op);
    if (!code)
        code = check_order(reader, &op);
    if (!code)
        code = keep_op(reader, op);
    return code;
}

static int read_ops(struct op_table_reader *reader)
{
    int code = read_call(reader);

    while (!code && reader->words > 0 && cs_same(reader->word[0], "op")) {
        code = read_op(reader);
        if (!code)
            code = next_line(reader);
    }
    if (code)
        return code;
    if (reader->words == 0)
        return COMPLAIN(reader, "the file ends without 'end'");
    if (reader->words > 1 || !cs_same(reader->word[0], "end"))
        return COMPLAIN(reader, "'%s'; expected op or end", reader->word[0]);
    code = next_line(reader);
    if (!code && reader->words > 0)
        code = COMPLAIN(reader, "'%s' behind the end", reader->word[0]);
    return code;
}

uint64_t cs_op_table_hash(const char *text, size_t length)
{
    return cs_hash_bytes(CS_HASH_START, text, length);
}

int cs_op_table_read(struct cs_op_table_text text, struct cs_arena *arena,
                     struct cs_op_table *table, struct cs_err *err)
{
    struct op_table_reader reader = {
        .table = table, .err = err, .at = text.text, .end = text.text + text.length};
    struct cs_table_op *grown;
    int code;

    *table =
        (struct cs_op_table){.file = text.file, .hash = cs_op_table_hash(text.text, text.length)};
    code = read_head(&reader);
    if (!code)
        code = read_ops(&reader);
    grown = table->ops;
    table->ops = NULL;
    if (!code) {
        table->ops = cs_arena_alloc(arena, table->op_count, sizeof(*grown));
        if (table->op_count > 0)
            memcpy(table->ops, grown, table->op_count * sizeof(*grown));
    }
    free(grown);
    return code;
}
