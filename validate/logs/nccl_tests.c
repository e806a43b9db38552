/*
 * nccl-tests and rccl-tests as text: "size count type redop root time algbw
 * busbw #wrong", out of place and in place.
 *
 * Outputs come with prefixes of mpirun and srun, time stamps, messages of NCCL
 * between and inside rows, and older versions without a column for the root.
 * A row is found by its first words: two whole numbers and a type.
 * Source: NVIDIA/nccl-tests src/common.cu (2.0 to 2.17), doc/PERFORMANCE.md.
 */
#include "sim/base/text.h"
#include "validate/logs/builder.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PREFIX_WORDS = 6,    /* before a row: ranks, hosts, times */
    FIGURES_MAX = 16,    /* columns behind type, operation and root */
    PENDING_BYTES = 256, /* the first half of a row that a message cut */
    DEVICES_MAX = 1 << 20,
};

/* Places of the figures behind the root. */
struct nccl_tests_columns {
    uint32_t count;                        /* 0: no header yet */
    uint32_t time, busbw, wrong, in_place; /* UINT32_MAX: none */
    bool has_root;
};

struct nccl_tests {
    struct nccl_tests_columns columns;
    char pending[PENDING_BYTES];
};

static bool nccl_tests_claims(const char *head)
{
    (void)head;
    return true;
}

static void *nccl_tests_open(struct cs_log_builder *builder)
{
    return cs_arena_alloc(builder->arena, 1, sizeof(struct nccl_tests));
}

/* ---- header ---- */

static struct nccl_tests_columns nccl_tests_place(char **words, uint32_t count)
{
    struct nccl_tests_columns columns = {0, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, false};
    uint32_t first = count;

    for (uint32_t i = 0; i < count; i++) {
        columns.has_root |= cs_same(words[i], "root");
        if (cs_same(words[i], "time") && first == count)
            first = i;
        else if (cs_same(words[i], "time") && columns.in_place == UINT32_MAX)
            columns.in_place = i - first;
        else if (cs_same(words[i], "busbw") && columns.busbw == UINT32_MAX)
            columns.busbw = i - first;
        else if ((strstr(words[i], "wrong") || cs_same(words[i], "error")) &&
                 columns.wrong == UINT32_MAX && first < count)
            columns.wrong = i - first;
    }
    columns.time = 0;
    columns.count = count - first;
    return columns;
}

/* Whether the words are the names of columns. */
static bool nccl_tests_header(struct cs_log_builder *builder, struct nccl_tests *state,
                              char **words, uint32_t count)
{
    for (uint32_t i = 0; i + 3 < count; i++) {
        const char *name = words[i] + strspn(words[i], "#");

        if (!cs_same(name, "size") || !cs_same(words[i + 1], "count") ||
            !cs_same(words[i + 2], "type"))
            continue;
        state->columns = nccl_tests_place(words + i, count - i);
        cs_log_begin_table(builder);
        return true;
    }
    return false;
}

/* A table without a header: the number of figures names the version, 3 or 4
 * per part and a root before. */
static struct nccl_tests_columns nccl_tests_guess(char **figures, uint32_t count)
{
    struct nccl_tests_columns columns = {0, 0, 2, UINT32_MAX, UINT32_MAX, false};
    uint64_t root;
    bool odd = count % 2 == 1;
    bool signed_root = count && figures[0][0] == '-';

    if (count && (signed_root || cs_log_whole(figures[0], &root)))
        columns.has_root = signed_root || (odd && count != 3);
    count -= columns.has_root;
    columns.count = count;
    if (count == 8 || count == 4)
        columns.wrong = 3;
    if (count == 8 || count == 6)
        columns.in_place = count / 2;
    if (count != 8 && count != 4 && count != 6 && count != 3)
        columns.count = 0;
    return columns;
}

/* ---- rows ---- */

static const double micro_s = 1e-6;

static bool nccl_tests_figures(const struct nccl_tests_columns *columns, char **figures,
                               struct cs_log_line *line)
{
    struct cs_log_row *row = &line->row;
    struct cs_log_number time;
    struct cs_log_number busbw;
    struct cs_log_number in_place;

    if (!cs_log_number(figures[columns->time], &time) || columns->busbw >= columns->count ||
        !cs_log_number(figures[columns->busbw], &busbw))
        return false;
    cs_log_set_times(line, &time, micro_s, &busbw);
    row->in_place_s = NAN;
    if (columns->in_place < columns->count && cs_log_number(figures[columns->in_place], &in_place))
        row->in_place_s = in_place.value * micro_s;
    if (columns->wrong < columns->count && strchr(figures[columns->wrong], 'e') == NULL)
        cs_log_whole(figures[columns->wrong], &row->wrong);
    return true;
}

/* A row from its first words on; false: not whole. */
static bool nccl_tests_row(struct cs_log_builder *builder, const struct nccl_tests *state,
                           char **words, uint32_t count)
{
    struct cs_log_line line = {.row = {.line = builder->line}};
    struct nccl_tests_columns columns = state->columns;
    uint32_t at = 3;

    cs_log_whole(words[0], &line.row.bytes);
    cs_log_whole(words[1], &line.count);
    line.element_bytes = cs_log_type_bytes(words[2]);
    if (at < count && isalpha((unsigned char)*words[at]) && !cs_same(words[at], "N/A"))
        line.reduces = !cs_same(words[at++], "none");
    if (!columns.count)
        columns = nccl_tests_guess(words + at, count - at);
    if (columns.has_root) {
        if (at == count)
            return false;
        line.has_root = *words[at++] != '-';
    }
    if (!columns.count || count - at != columns.count ||
        !nccl_tests_figures(&columns, words + at, &line))
        return false;
    cs_log_add_row(builder, &line);
    return true;
}

/* The first word of a row behind prefixes, as "[1,0]<stdout>:", "3:" and time
 * stamps; `count`: no row. */
static uint32_t nccl_tests_find(char **words, uint32_t count)
{
    for (uint32_t i = 0; i + 2 < count && i < PREFIX_WORDS; i++) {
        char *prefix = strstr(words[i], ">:");
        uint64_t number;

        if (prefix)
            words[i] = prefix + 2;
        if (cs_log_whole(words[i], &number) && cs_log_whole(words[i + 1], &number) &&
            cs_log_type_bytes(words[i + 2]))
            return i;
    }
    return count;
}

/* ---- lines around the table ---- */

/* "Pid 1234 on host device  3 [0000:1b:00]": a process of a host, and a place. */
static void nccl_tests_process(struct cs_log_builder *builder, const char *line)
{
    const char *host = strstr(line, " on ");
    const char *pid = strstr(line, "Pid");
    const char *device = strstr(line, " device ");
    const char *bus;
    char process[PENDING_BYTES];
    char name[PENDING_BYTES];
    char place[2 * PENDING_BYTES];

    if (!host || !pid || pid > host)
        return;
    host += 4 + strspn(host + 4, " ");
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(host, " "), host);
    pid += 3 + strspn(pid + 3, " ");
    snprintf(process, sizeof(process), "%.*s:%.*s", (int)strcspn(host, " "), host,
             (int)strspn(pid, "0123456789"), pid);
    /* Without its domain, "[0x00]", a bus may be that of every device. */
    bus = device ? strchr(device, '[') : NULL;
    device = bus && strchr(bus, ':') ? device : line;
    snprintf(place, sizeof(place), "%s:%.*s", name, (int)strcspn(device, "]"), device);
    cs_log_add_device(builder, name, process, place);
}

/* "#  Rank  3 Group  0 Pid 1234 on host device  3 [0000:1b:00] NVIDIA A100" */
static void nccl_tests_device(struct cs_log_builder *builder, const char *line)
{
    const char *at = strstr(line, "Rank ");
    const char *name = strrchr(line, ']');
    const char *digits = at ? at + strspn(at + 4, " ") + 4 : NULL;
    uint64_t rank = 0;
    char number[16] = "";

    if (!at || !strstr(at, " on ") || !strstr(at, "device"))
        return;
    snprintf(number, sizeof(number), "%.*s", (int)strspn(digits, "0123456789"), digits);
    if (!cs_log_whole(number, &rank) || rank >= DEVICES_MAX)
        return;
    if (rank == 0 && name && name[1])
        builder->next.device = cs_arena_printf(builder->arena, "%.80s", name + 2);
    else if (name && name[1] && builder->next.device && !builder->next.other &&
             strncmp(name + 2, builder->next.device, 80) != 0)
        builder->next.other = cs_arena_printf(builder->arena, "%.80s", name + 2);
    if (rank + 1 > builder->next.devices)
        builder->next.devices = (uint32_t)rank + 1;
    nccl_tests_process(builder, line);
}

/* A figure behind a word: "nThread 1", "graph: 0". */
static uint32_t nccl_tests_setting(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    uint64_t value = 0;
    char number[16];

    if (!at)
        return 0;
    at += strlen(name) + strspn(at + strlen(name), ": ");
    snprintf(number, sizeof(number), "%.*s", (int)strspn(at, "0123456789"), at);
    return cs_log_whole(number, &value) && value < UINT32_MAX ? (uint32_t)value : 0;
}

static void nccl_tests_settings(struct cs_log_builder *builder, const char *line)
{
    cs_log_begin_run(builder);
    builder->next.threads = nccl_tests_setting(line, "nThread");
    builder->next.gpus = nccl_tests_setting(line, "nGpus");
    builder->next.graph = nccl_tests_setting(line, "graph") > 0;
}

static void nccl_tests_around(struct cs_log_builder *builder, const char *line, char **words,
                              uint32_t count)
{
    /* A line of settings opens the output of another run. */
    if (strstr(line, "nThread ") && strstr(line, "nGpus ")) {
        cs_log_end_table(builder);
        nccl_tests_settings(builder, line);
    }
    nccl_tests_device(builder, line);
    if (builder->table && strstr(line, "Avg bus bandwidth")) {
        builder->table->is_closed = true;
        cs_log_end_table(builder);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct cs_collective *named = cs_log_collective_of(words[i]);

        if (!named)
            continue;
        if (builder->table && builder->table->row_count)
            cs_log_end_table(builder);
        builder->next_collective = named;
    }
}

/* Without the time stamp of -S, "2025-06-11 10:20:30" behind a row and "timestamp" in the
 * header. */
static uint32_t nccl_tests_unstamped(char **words, uint32_t count)
{
    static const char digits[] = "0123456789-:.";

    if (count && cs_same(words[count - 1], "timestamp"))
        return count - 1;
    if (count > 2 && strchr(words[count - 1], ':') && strchr(words[count - 2] + 1, '-') &&
        !words[count - 1][strspn(words[count - 1], digits)] &&
        !words[count - 2][strspn(words[count - 2], digits)])
        return count - 2;
    return count;
}

/* The rest of a row whose first half a message of NCCL cut off. */
static bool nccl_tests_resume(struct cs_log_builder *builder, struct nccl_tests *state,
                              const char *line)
{
    char joined[2 * PENDING_BYTES];
    char *words[CS_LOG_WORDS_MAX];
    const char *mark = strstr(line, ">:");
    const char *rest = mark ? mark + 2 : line;
    uint32_t count;
    uint32_t first;
    size_t blank = strspn(rest, " \t");

    if (!isdigit((unsigned char)rest[blank]) || strlen(rest) >= PENDING_BYTES)
        return false;
    snprintf(joined, sizeof(joined), "%s %s", state->pending, rest);
    count = nccl_tests_unstamped(words, cs_log_words(joined, words));
    first = nccl_tests_find(words, count);
    if (first == count || !nccl_tests_row(builder, state, words + first, count - first))
        return false;
    state->pending[0] = '\0';
    return true;
}

static void nccl_tests_keep(struct nccl_tests *state, const char *line)
{
    if (strlen(line) < sizeof(state->pending))
        snprintf(state->pending, sizeof(state->pending), "%s", line);
}

static void nccl_tests_line(struct cs_log_builder *builder, void *context, char *line,
                            bool continues)
{
    struct nccl_tests *state = context;
    char *words[CS_LOG_WORDS_MAX];
    char whole[PENDING_BYTES];
    bool is_cut;
    uint32_t count;
    uint32_t first;

    if (continues)
        return;
    is_cut = cs_nccl_debug_line(builder, line);
    if (!is_cut && !builder->rows)
        cs_nccl_command_line(builder, line);
    if (state->pending[0] && !is_cut && nccl_tests_resume(builder, state, line))
        return;
    snprintf(whole, sizeof(whole), "%s", line);
    count = nccl_tests_unstamped(words, cs_log_words(line, words));
    first = nccl_tests_find(words, count);
    if (first < count) {
        if (state->pending[0])
            cs_log_add_broken(builder);
        state->pending[0] = '\0';
        cs_nccl_command_take(builder);
        if (nccl_tests_row(builder, state, words + first, count - first))
            return;
        if (is_cut)
            nccl_tests_keep(state, whole);
        else
            cs_log_add_broken(builder);
        return;
    }
    if (!is_cut && !nccl_tests_header(builder, state, words, count))
        nccl_tests_around(builder, whole, words, count);
}

static void nccl_tests_close(struct cs_log_builder *builder, void *context)
{
    const struct nccl_tests *state = context;

    if (state->pending[0])
        cs_log_add_broken(builder);
}

const struct cs_log_format cs_log_format_nccl_tests = {
    .name = "nccl-tests",
    .claims = nccl_tests_claims,
    .open = nccl_tests_open,
    .line = nccl_tests_line,
    .close = nccl_tests_close,
};
