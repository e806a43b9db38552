#include "validate/logs/tuner_rules.h"

#include "sim/base/file.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/documents/csv_rows.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIELDS = 10,
    FIELDS_LEAST = 8,
    FIELD_SHOWN = 40,
};

/* A line, cut; more fields than FIELDS count as one more. */
struct rules_line {
    const char *file;
    uint32_t number;
    char *fields[FIELDS];
    uint32_t count;
};

static const char *const collective_names[] = {"allreduce", "allgather", "reducescatter",
                                               "broadcast", "reduce"};
static const char *const engine_names[] = {
    "tree", "ring", "collnet-direct", "collnet-chain", "nvls", "nvls-tree", "pat", "default"};
static const char *const protocol_names[] = {"ll", "ll128", "simple", "default"};

enum {
    COLLECTIVES = sizeof(collective_names) / sizeof(*collective_names),
    ENGINES = sizeof(engine_names) / sizeof(*engine_names),
    PROTOCOLS = sizeof(protocol_names) / sizeof(*protocol_names),
};

/* ---- fields ---- */

static char *rules_trim(char *field)
{
    size_t length;

    field += strspn(field, " \t\r");
    length = strlen(field);
    while (length && strchr(" \t\r", field[length - 1]))
        field[--length] = '\0';
    return field;
}

static int rules_cut(const char *text, struct cs_arena *arena, struct rules_line *line,
                     struct cs_err *err)
{
    struct cs_csv_rows row = {.file = line->file, .line = line->number, .arena = arena};
    int code = cs_csv_rows_cut(&row, text, strlen(text), err);

    line->count = row.count < FIELDS ? (uint32_t)row.count : FIELDS + (row.count > FIELDS);
    for (uint32_t i = 0; i < line->count && i < FIELDS; i++)
        line->fields[i] = rules_trim(cs_arena_text(arena, row.cells[i]));
    return code;
}

/* A name of the list, lower case, with '-' for '_'. */
static int rules_name(const struct rules_line *line, uint32_t field, const char *const *names,
                      size_t count, const char **name, struct cs_err *err)
{
    char *text = line->fields[field];

    for (char *at = text; *at; at++)
        *at = (char)(*at == '_' ? '-' : tolower((unsigned char)*at));
    for (size_t i = 0; i < count; i++)
        if (cs_same(text, names[i])) {
            *name = names[i];
            return 0;
        }
    return cs_err_at(err, CS_EINPUT, line->file, line->number, "field %u: unknown name '%.*s'%s",
                     field + 1, FIELD_SHOWN, text, cs_hint_all(text, names, count).text);
}

/* A whole number up to `most`, or -1 as `any`. */
static int rules_number(const struct rules_line *line, uint32_t field, uint64_t most, uint64_t any,
                        uint64_t *number, struct cs_err *err)
{
    const char *text = line->fields[field];
    char *end;
    size_t digits = strspn(text, "0123456789");

    if (cs_same(text, "-1") && any != UINT64_MAX - 1) {
        *number = any;
        return 0;
    }
    *number = digits && digits < 20 ? strtoull(text, &end, 10) : UINT64_MAX;
    if (digits && !text[digits] && *number <= most)
        return 0;
    if (any == UINT64_MAX - 1)
        return cs_err_at(err, CS_EINPUT, line->file, line->number,
                         "field %u: '%.*s' is not a whole number of bytes", field + 1, FIELD_SHOWN,
                         text);
    return cs_err_at(err, CS_EINPUT, line->file, line->number,
                     "field %u: '%.*s' is not a whole number up to %llu, or -1 for any", field + 1,
                     FIELD_SHOWN, text, (unsigned long long)most);
}

/* ---- rules ---- */

static int rules_sizes(const struct rules_line *line, struct cs_tuner_rule *rule,
                       struct cs_err *err)
{
    const uint64_t no_any = UINT64_MAX - 1;
    int code = rules_number(line, 1, UINT64_MAX - 2, no_any, &rule->first, err);

    if (!code)
        code = rules_number(line, 2, UINT64_MAX - 2, no_any, &rule->last, err);
    if (!code && rule->last < rule->first)
        code = cs_err_at(err, CS_EINPUT, line->file, line->number,
                         "max_bytes %s is below min_bytes %s", line->fields[2], line->fields[1]);
    return code;
}

static int rules_counts(const struct rules_line *line, struct cs_tuner_rule *rule,
                        struct cs_err *err)
{
    uint64_t numbers[FIELDS] = {0};
    int code = 0;

    for (uint32_t field = 5; field < line->count && !code; field++)
        code = rules_number(line, field, 1 << 24, field < 8 ? 0 : UINT64_MAX, &numbers[field], err);
    rule->channels = (uint32_t)numbers[5];
    rule->nodes = (uint32_t)numbers[6];
    rule->ranks = (uint32_t)numbers[7];
    /* A plain call has one operation in its pipe and no registered buffer. */
    rule->is_for_pipes = line->count > 8 && numbers[8] != UINT64_MAX && numbers[8] > 1;
    rule->is_for_registered = line->count > 9 && numbers[9] == 1;
    return code;
}

static int rules_read_line(const struct rules_line *line, struct cs_tuner_rule *rule,
                           struct cs_err *err)
{
    const char *collective = NULL;
    int code;

    *rule = (struct cs_tuner_rule){.line = line->number};
    if (line->count < FIELDS_LEAST || line->count > FIELDS)
        return cs_err_at(err, CS_EINPUT, line->file, line->number,
                         "%u fields%s; expected 8 to 10: "
                         "collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,"
                         "numPipeOps,regBuff",
                         line->count, line->count > FIELDS ? " or more" : "");
    code = rules_name(line, 0, collective_names, COLLECTIVES, &collective, err);
    if (!code) {
        rule->collective = cs_collective_find(collective);
        code = rules_sizes(line, rule, err);
    }
    if (!code)
        code = rules_name(line, 3, engine_names, ENGINES, &rule->engine, err);
    if (!code)
        code = rules_name(line, 4, protocol_names, PROTOCOLS, &rule->protocol, err);
    if (code)
        return code;
    if (cs_same(rule->engine, "default"))
        rule->engine = NULL;
    if (cs_same(rule->protocol, "default"))
        rule->protocol = NULL;
    return rules_counts(line, rule, err);
}

/* A line of names, as tools write them first. */
static bool rules_is_header(const struct rules_line *line)
{
    return line->fields[0] && !strncmp(line->fields[0], "collective", strlen("collective"));
}

static uint32_t rules_lines(const char *text)
{
    uint32_t lines = 1;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

int cs_tuner_rules_read_text(const char *file, char *text, struct cs_arena *arena,
                             struct cs_tuner_rules *rules, struct cs_err *err)
{
    struct rules_line line = {.file = file};
    uint32_t lines = rules_lines(text);
    int code = 0;

    *rules = (struct cs_tuner_rules){0};
    rules->rules = cs_arena_alloc(arena, lines < CS_TUNER_RULES_MAX ? lines : CS_TUNER_RULES_MAX,
                                  sizeof(*rules->rules));
    for (char *at = text, *next; at && !code; at = next) {
        next = strchr(at, '\n');
        if (next)
            *next++ = '\0';
        line.number++;
        at[strcspn(at, "#")] = '\0';
        at = rules_trim(at);
        if (!*at)
            continue;
        code = rules_cut(at, arena, &line, err);
        if (code || (line.count <= FIELDS && rules_is_header(&line)))
            continue;
        if (rules->count == CS_TUNER_RULES_MAX)
            return cs_err_at(err, CS_EINPUT, file, line.number, "more than %d rules",
                             CS_TUNER_RULES_MAX);
        code = rules_read_line(&line, &rules->rules[rules->count], err);
        rules->count += !code;
    }
    if (!code && !rules->count)
        code = cs_err_set(err, CS_EINPUT,
                          "no rule in '%s'; expected lines of NCCL's example tuner: "
                          "allreduce,min,max,ring,ll,-1,-1,-1,-1,-1",
                          file);
    return code;
}

int cs_tuner_rules_read(const char *path, struct cs_arena *arena, struct cs_tuner_rules *rules,
                        struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = cs_file_read(path, CS_TUNER_BYTES_MAX, &text, err);

    if (!code && strlen(cs_text_str(&text)) != text.length)
        code = cs_err_set(err, CS_EINPUT, "'%s' is no text: it has a byte 0", path);
    return code ? code
                : cs_tuner_rules_read_text(cs_arena_text(arena, path),
                                           cs_arena_text_n(arena, cs_text_str(&text), text.length),
                                           arena, rules, err);
}

const struct cs_tuner_rule *cs_tuner_rules_find(const struct cs_tuner_rules *rules,
                                                const struct cs_library_request *request)
{
    for (uint32_t i = 0; i < rules->count; i++) {
        const struct cs_tuner_rule *rule = &rules->rules[i];

        if (rule->collective == request->collective && request->bytes >= rule->first &&
            request->bytes <= rule->last && (!rule->nodes || rule->nodes == request->site->nodes) &&
            (!rule->ranks || rule->ranks == request->site->ranks) && !rule->is_for_pipes &&
            !rule->is_for_registered)
            return rule;
    }
    return NULL;
}
