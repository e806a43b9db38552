#include "algorithms/schedules/recipe/recipe.h"

#include "algorithms/importer.h"
#include "algorithms/schedules/recipe/reader.h"
#include "sim/base/collections/vector.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps ---- */

struct cs_recipe_step *cs_recipe_add(struct cs_recipe_reader *reader, enum cs_recipe_kind kind)
{
    struct cs_recipe *recipe = reader->recipe;
    struct cs_recipe_step *step;

    step = CS_VECTOR_NEXT_IN(reader->words.arena, reader->steps, recipe->step_count,
                             reader->step_room);
    step->kind = (uint8_t)kind;
    step->line = reader->words.line;
    return step;
}

/* A name that a text cannot have. */
static int recipe_hidden(struct cs_recipe_reader *reader, uint32_t *slot)
{
    char name[16];

    (void)snprintf(name, sizeof(name), "%u", reader->words.name_count);
    return cs_name_define(&reader->words, name, slot);
}

/* ---- blocks ---- */

static int recipe_open(struct cs_recipe_reader *reader, enum cs_recipe_block kind, uint32_t slot)
{
    int code = cs_word_expect(&reader->words, ":");

    if (code)
        return code;
    if (reader->depth == CS_RECIPE_DEPTH_MAX)
        return CS_RECIPE_COMPLAIN(reader, "blocks in more than %d blocks", CS_RECIPE_DEPTH_MAX);
    reader->blocks[reader->depth++] = (struct cs_open_block){.kind = kind,
                                                             .indent = reader->words.indent,
                                                             .step = reader->recipe->step_count - 1,
                                                             .slot = slot,
                                                             .line = reader->words.line};
    return 0;
}

static int recipe_close(struct cs_recipe_reader *reader)
{
    struct cs_open_block block = reader->blocks[--reader->depth];
    struct cs_recipe_step *step;

    if (!block.inside)
        return cs_err_at(reader->words.err, CS_EINPUT, reader->words.file, block.line,
                         "a block without lines; expected lines with more indentation");
    if (block.kind == CS_BLOCK_FOR) {
        step = cs_recipe_add(reader, CS_RECIPE_NEXT);
        step->slot = block.slot;
        step->target = block.step + 1;
    } else if (block.kind == CS_BLOCK_LANE) {
        cs_recipe_add(reader, CS_RECIPE_RESTORE)->slot = block.slot;
    }
    reader->steps[block.step].target = reader->recipe->step_count;
    return 0;
}

/* Closes the blocks that the line is not in. */
static int recipe_dedent(struct cs_recipe_reader *reader, uint32_t indent)
{
    int code = 0;

    while (!code && reader->depth && indent <= reader->blocks[reader->depth - 1].indent &&
           !(cs_word_is(&reader->words, "else") &&
             indent == reader->blocks[reader->depth - 1].indent &&
             reader->blocks[reader->depth - 1].kind == CS_BLOCK_IF))
        code = recipe_close(reader);
    if (code || !reader->depth || cs_word_is(&reader->words, "else"))
        return code;
    if (!reader->blocks[reader->depth - 1].inside)
        reader->blocks[reader->depth - 1].inside = indent;
    if (reader->blocks[reader->depth - 1].inside == indent)
        return 0;
    return CS_RECIPE_COMPLAIN(reader,
                              "%u blanks before the line; expected %u, as before the lines above",
                              indent, reader->blocks[reader->depth - 1].inside);
}

static int recipe_read_else(struct cs_recipe_reader *reader)
{
    struct cs_open_block *block = reader->depth ? &reader->blocks[reader->depth - 1] : NULL;
    uint32_t step = block ? block->step : 0;
    int code;

    if (!block || block->kind != CS_BLOCK_IF || block->indent != reader->words.indent)
        return CS_RECIPE_COMPLAIN(reader, "'else' without an 'if' above it");
    if (!block->inside)
        return CS_RECIPE_COMPLAIN(reader,
                                  "an 'if' without lines; expected lines with more indentation");
    reader->depth--;
    cs_recipe_add(reader, CS_RECIPE_JUMP);
    reader->steps[step].target = reader->recipe->step_count;
    code = recipe_open(reader, CS_BLOCK_ELSE, 0);
    return code;
}

/* ---- statements ---- */

static int recipe_read_name(struct cs_recipe_reader *reader, uint32_t *slot)
{
    const struct cs_word *word = cs_word_next(&reader->words);
    int code;

    if (word->kind != CS_WORD_NAME)
        return cs_word_complain(&reader->words, "a name");
    code = cs_name_define(&reader->words, word->text, slot);
    reader->words.at++;
    return code;
}

static int recipe_read_let(struct cs_recipe_reader *reader)
{
    struct cs_recipe_expression x;
    struct cs_recipe_step *step;
    char name[sizeof(cs_word_next(&reader->words)->text)];
    uint32_t slot;
    int code;

    memcpy(name, cs_word_next(&reader->words)->text, sizeof(name));
    if (cs_word_next(&reader->words)->kind != CS_WORD_NAME)
        return cs_word_complain(&reader->words, "a name");
    reader->words.at++;
    code = cs_word_expect(&reader->words, "=");
    if (!code)
        code = cs_expression_read(&reader->words, &x);
    if (!code) /* behind the value, which has no such name yet */
        code = cs_name_define(&reader->words, name, &slot);
    if (code)
        return code;
    step = cs_recipe_add(reader, CS_RECIPE_LET);
    step->slot = slot;
    step->x[0] = x;
    return 0;
}

static int recipe_read_for(struct cs_recipe_reader *reader)
{
    struct cs_recipe_step step = {0};
    struct cs_recipe_step *added;
    uint32_t limit;
    int code = recipe_read_name(reader, &step.slot);

    /* The limit is the slot behind the name, which may be one of before. */
    if (!code && step.slot + 1 < reader->words.name_count &&
        reader->words.names[step.slot + 1][0] > '9')
        return CS_RECIPE_COMPLAIN(reader, "'%s' is not a name of a loop; expected another name",
                                  reader->words.names[step.slot]);
    if (!code && step.slot + 1 == reader->words.name_count)
        code = recipe_hidden(reader, &limit);
    if (!code)
        code = cs_word_expect(&reader->words, "in");
    if (!code)
        code = cs_expression_read(&reader->words, &step.x[0]);
    if (!code)
        code = cs_word_expect(&reader->words, "..");
    if (!code)
        code = cs_expression_read(&reader->words, &step.x[1]);
    if (code)
        return code;
    added = cs_recipe_add(reader, CS_RECIPE_FOR);
    added->slot = step.slot;
    memcpy(added->x, step.x, sizeof(step.x));
    return recipe_open(reader, CS_BLOCK_FOR, step.slot);
}

/* A step with one expression. */
static int recipe_read_one(struct cs_recipe_reader *reader, enum cs_recipe_kind kind)
{
    struct cs_recipe_expression x;
    int code = cs_expression_read(&reader->words, &x);

    if (!code)
        cs_recipe_add(reader, kind)->x[0] = x;
    return code;
}

static int recipe_read_if(struct cs_recipe_reader *reader)
{
    int code = recipe_read_one(reader, CS_RECIPE_IF);

    return code ? code : recipe_open(reader, CS_BLOCK_IF, 0);
}

static int recipe_read_lane(struct cs_recipe_reader *reader)
{
    uint32_t slot;
    int code = recipe_read_one(reader, CS_RECIPE_LANE);

    if (!code)
        code = recipe_hidden(reader, &slot);
    if (code)
        return code;
    reader->steps[reader->recipe->step_count - 1].slot = slot;
    return recipe_open(reader, CS_BLOCK_LANE, slot);
}

/* The words are what the refusal shows. */
static int recipe_read_require(struct cs_recipe_reader *reader)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    uint32_t first = reader->words.at;
    int code = recipe_read_one(reader, CS_RECIPE_REQUIRE);

    if (!code && cs_same(cs_word_next(&reader->words)->text, "="))
        return cs_word_complain(&reader->words, "'=='");
    for (uint32_t i = first; i < reader->words.at && !code; i++)
        cs_text_printf(&text, "%s%s", i > first ? " " : "", reader->words.words[i].text);
    if (!code)
        reader->steps[reader->recipe->step_count - 1].text =
            cs_arena_text(reader->words.arena, cs_text_str(&text));
    return code;
}

static int recipe_read_wait(struct cs_recipe_reader *reader)
{
    struct cs_recipe_expression lane, round;
    struct cs_recipe_step *step;
    int code = cs_word_expect(&reader->words, "lane");

    if (!code)
        code = cs_expression_read(&reader->words, &lane);
    if (!code)
        code = cs_word_expect(&reader->words, "round");
    if (!code)
        code = cs_expression_read(&reader->words, &round);
    if (code)
        return code;
    cs_recipe_add(reader, CS_RECIPE_ROUND);
    step = cs_recipe_add(reader, CS_RECIPE_WAIT);
    step->x[0] = lane;
    step->x[1] = round;
    return 0;
}

static int recipe_read_place_of(struct cs_recipe_reader *reader, enum cs_recipe_kind kind)
{
    struct cs_recipe_expression x[CS_RECIPE_ARGUMENTS] = {0};
    int code = cs_expression_read(&reader->words, &x[3]);

    if (!code && kind == CS_RECIPE_TURN)
        code = cs_expression_read(&reader->words, &x[4]);
    if (!code)
        code = cs_expression_read(&reader->words, &x[0]);
    if (!code)
        memcpy(cs_recipe_add(reader, kind)->x, x, sizeof(x));
    reader->recipe->has_places = true;
    return code;
}

static int recipe_read_turn(struct cs_recipe_reader *reader)
{
    return recipe_read_place_of(reader, CS_RECIPE_TURN);
}

static int recipe_read_order(struct cs_recipe_reader *reader)
{
    return recipe_read_place_of(reader, CS_RECIPE_ORDER);
}

static int recipe_read_end_of_text(struct cs_recipe_reader *reader)
{
    reader->is_over = true;
    return 0;
}

/* ---- lines ---- */

static const struct {
    const char *word;
    int (*read)(struct cs_recipe_reader *reader);
} statements[] = {
    {"for", recipe_read_for},     {"if", recipe_read_if},           {"else", recipe_read_else},
    {"lane", recipe_read_lane},   {"let", recipe_read_let},         {"wait", recipe_read_wait},
    {"op", cs_recipe_read_place}, {"require", recipe_read_require}, {"turn", recipe_read_turn},
    {"order", recipe_read_order}, {"end", recipe_read_end_of_text},
};

enum {
    STATEMENTS = sizeof(statements) / sizeof(*statements)
};

/* What a word may be that begins no line. */
static int recipe_no_statement(const struct cs_recipe_reader *reader)
{
    const char *words[CS_RECIPE_ACTS + STATEMENTS];
    size_t acts = cs_recipe_act_names(words);

    for (size_t i = 0; i < STATEMENTS; i++)
        words[acts + i] = statements[i].word;
    return CS_RECIPE_COMPLAIN(reader, "no statement called '%s'%s",
                              cs_word_next(&reader->words)->text,
                              cs_hint(cs_word_next(&reader->words)->text, words, acts + STATEMENTS,
                                      "expected send, recv, add, copy, sum, wait, for, if, let")
                                  .text);
}

static int recipe_read_statement(struct cs_recipe_reader *reader)
{
    const char *acts[CS_RECIPE_ACTS];
    size_t i = 0;
    int code = recipe_dedent(reader, reader->words.indent);

    if (code)
        return code;
    for (size_t act = cs_recipe_act_names(acts); act-- > 0;)
        if (cs_word_is(&reader->words, acts[act]))
            return cs_recipe_read_round(reader);
    while (i < STATEMENTS && !cs_word_take(&reader->words, statements[i].word))
        i++;
    return i < STATEMENTS ? statements[i].read(reader) : recipe_no_statement(reader);
}

static int recipe_read_collective(struct cs_recipe_reader *reader, const char *name)
{
    struct cs_err why = {0};

    reader->recipe->collective = &cs_collective_custom;
    if (cs_same(name, "custom") || !cs_collective_want(name, &reader->recipe->collective, &why))
        return 0;
    return CS_RECIPE_COMPLAIN(reader, "%s", why.text);
}

/* A line of the head with a number; parts and parameters of a call are not needed. */
static int recipe_read_count(struct cs_recipe_reader *reader, bool *is_head)
{
    struct cs_recipe *recipe = reader->recipe;
    struct cs_recipe_expression other;
    const struct {
        const char *key;
        struct cs_recipe_expression *x;
    } keys[] = {{"ranks", &recipe->ranks},
                {"agents", &recipe->agents},
                {"lanes", &recipe->lanes},
                {"blocks", &recipe->blocks},
                {"scratch", &recipe->scratch},
                {"parts", &other},
                {"chunks", &other},
                {"shards", &other},
                {"slices", &other}};

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        if (!cs_word_take(&reader->words, keys[i].key))
            continue;
        *is_head = true;
        if (recipe->step_count || reader->depth)
            return CS_RECIPE_COMPLAIN(reader, "'%s' behind the first statement; expected above it",
                                      keys[i].key);
        return cs_expression_read(&reader->words, keys[i].x);
    }
    return 0;
}

/* The text behind a key, without a comment; NULL: another key. */
static const char *recipe_raw(struct cs_recipe_reader *reader, const char *at, const char *end,
                              const char *key)
{
    size_t length = strlen(key);
    const char *comment;

    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if ((size_t)(end - at) <= length || memcmp(at, key, length) != 0 ||
        (at[length] != ' ' && at[length] != '\t'))
        return NULL;
    comment = memchr(at, '#', (size_t)(end - at));
    end = comment ? comment : end;
    for (at += length; at < end && (*at == ' ' || *at == '\t');)
        at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    return cs_arena_text_n(reader->words.arena, at, (size_t)(end - at));
}

/* The first line names the format, and names have other letters than expressions. */
static int recipe_read_head(struct cs_recipe_reader *reader, const char *at, const char *end,
                            bool *is_head)
{
    const char *name = recipe_raw(reader, at, end, "collective");
    const char *version = recipe_raw(reader, at, end, "collsim-table");

    *is_head = true;
    if (name)
        return recipe_read_collective(reader, name);
    if (recipe_raw(reader, at, end, "algorithm"))
        return 0;
    *is_head = version != NULL;
    if (version && !cs_same(version, "1"))
        return CS_RECIPE_COMPLAIN(reader, "version '%.20s'; this program reads 1", version);
    return 0;
}

static int recipe_read_line(struct cs_recipe_reader *reader, const char *at, const char *end)
{
    bool is_head;
    int code = recipe_read_head(reader, at, end, &is_head);

    if (code || is_head)
        return code;
    code = cs_words_cut(&reader->words, at, end);
    if (code || !reader->words.count)
        return code;
    if (reader->is_over)
        return cs_word_complain(&reader->words, "nothing behind 'end'");
    code = recipe_read_count(reader, &is_head);
    if (!code && !is_head)
        code = recipe_read_statement(reader);
    if (!code && cs_word_next(&reader->words)->kind != CS_WORD_END)
        code = cs_word_complain(&reader->words, "the end of the line");
    return code;
}

static int recipe_read_text(struct cs_recipe_reader *reader, const char *at, const char *end)
{
    int code = 0;

    while (at < end && !code) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;

        reader->words.line++;
        code = recipe_read_line(reader, at, stop);
        at = newline ? newline + 1 : end;
    }
    while (reader->depth && !code)
        code = recipe_close(reader);
    if (!code && !reader->recipe->collective)
        code = CS_RECIPE_COMPLAIN(reader, "no collective; expected a line such as 'collective "
                                          "all-reduce' above the statements");
    /* Of one rank the table of an export has none, and an end. */
    if (!code && !reader->recipe->step_count && !reader->is_over)
        code = CS_RECIPE_COMPLAIN(reader, "no statements; expected what rank r does, such as 'send "
                                          "block r to (r+1)%%p'");
    return code;
}

/* Ops of another party are passed at once, where parties are numbers. */
static void recipe_link_places(const struct cs_recipe_reader *reader)
{
    const struct cs_recipe_term *terms = reader->words.terms;

    for (uint32_t i = reader->recipe->step_count; i-- > 0;) {
        struct cs_recipe_step *step = &reader->steps[i];
        const struct cs_recipe_step *next = step + 1;

        if (step->kind != CS_RECIPE_PLACE)
            continue;
        step->target = i + 1;
        if (i + 1 < reader->recipe->step_count && next->kind == CS_RECIPE_PLACE &&
            step->x[3].count == 1 && next->x[3].count == 1 &&
            terms[step->x[3].first].what == terms[next->x[3].first].what &&
            terms[step->x[3].first].value == terms[next->x[3].first].value)
            step->target = next->target;
    }
}

int cs_recipe_read(struct cs_import_text text, struct cs_arena *arena, struct cs_recipe *recipe,
                   struct cs_err *err)
{
    static const char *const given[] = {[CS_RECIPE_P] = "p",
                                        [CS_RECIPE_R] = "r",
                                        [CS_RECIPE_V] = "V",
                                        [CS_RECIPE_ROOT] = "root",
                                        [CS_RECIPE_CHUNKS] = "chunks"};
    struct cs_recipe_reader *reader = cs_grow(NULL, 1, sizeof(*reader));
    int code;

    memset(reader, 0, sizeof(*reader));
    *recipe = (struct cs_recipe){.file = text.file};
    reader->recipe = recipe;
    reader->words.file = text.file;
    reader->words.arena = arena;
    reader->words.err = err;
    for (; reader->words.name_count < CS_RECIPE_OWN; reader->words.name_count++)
        reader->words.names[reader->words.name_count] = given[reader->words.name_count];
    code = recipe_read_text(reader, text.text, text.text + text.length);
    if (!code)
        recipe_link_places(reader);
    recipe->terms = reader->words.terms;
    recipe->steps = reader->steps;
    recipe->slots = reader->words.name_count;
    recipe->reads_bytes = reader->words.reads_bytes;
    free(reader);
    return code;
}
