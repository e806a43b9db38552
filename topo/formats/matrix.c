#include "topo/formats/matrix.h"

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "topo/documents/doc.h"

#include <string.h>

enum {
    /* a heading of rows, columns, and words of further headings; further words
     * are ignored */
    WORDS_MAX = CS_MATRIX_COLUMNS_MAX + 8,
    WORD_MAX = 96, /* letters, with the NUL; CPU affinities are long */
};

struct matrix_words {
    char word[WORDS_MAX][WORD_MAX]; /* longer words are cut */
    uint32_t count;
    uint32_t before; /* headings before the first column of the header */
};

struct cursor {
    const char *at, *end;
    unsigned line; /* line number at `at` */
};

static bool is_between(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '|' || letter == '\r' || letter == '`' ||
           letter == '*' || letter == '>' || letter == '\\';
}

/* Behind an escape sequence of a terminal: ESC [ digits letter. */
static const char *behind_escape(const char *at, const char *end)
{
    at++;
    if (at < end && *at == '[')
        at++;
    while (at < end && (*at == ';' || (*at >= '0' && *at <= '9')))
        at++;
    return at < end && *at != '\n' ? at + 1 : at;
}

/* The words of the next line; false behind the last. */
static bool matrix_next_line(struct cursor *cursor, struct matrix_words *words)
{
    const char *at = cursor->at;
    uint32_t length = 0; /* of the current word */

    words->count = 0;
    if (at == cursor->end)
        return false;
    cursor->line++;
    while (at < cursor->end && *at != '\n') {
        if (*at == '\033' || is_between(*at)) {
            words->count += length > 0;
            length = 0;
            at = *at == '\033' ? behind_escape(at, cursor->end) : at + 1;
            continue;
        }
        if (words->count < WORDS_MAX && length + 1 < WORD_MAX) {
            words->word[words->count][length++] = *at;
            words->word[words->count][length] = '\0';
        }
        at++;
    }
    words->count += length > 0;
    cursor->at = at < cursor->end ? at + 1 : at;
    return true;
}

bool cs_matrix_is_gpu(const char *name)
{
    return strncmp(name, "GPU", 3) == 0 && strlen(name) > 3 &&
           strspn(name + 3, "0123456789") == strlen(name + 3);
}

/* "0000:0c:00.0" */
static bool is_bus_id(const char *name)
{
    size_t digits = strspn(name, "0123456789abcdefABCDEF");

    return digits >= 4 && name[digits] == ':' &&
           strspn(name, "0123456789abcdefABCDEF:.") == strlen(name) &&
           strchr(name + digits + 1, ':') && strchr(name, '.');
}

/* Headings behind the columns: CPU Affinity, NUMA Affinity, GPU NUMA ID. */
static bool is_heading(const char *word)
{
    return cs_same(word, "CPU") || cs_same(word, "NUMA") || cs_same(word, "GPU");
}

static bool is_device(const char *word)
{
    static const char *const stems[] = {"GPU",  "NIC",   "mlx",  "bnxt", "rdma",  "cxi",  "hsn",
                                        "eth",  "ib",    "en",   "i40",  "irdma", "roce", "efa",
                                        "qedr", "erdma", "mana", "hfi",  "hns",   "bond"};

    for (size_t i = 0; i < sizeof(stems) / sizeof(*stems); i++)
        if (strncmp(word, stems[i], strlen(stems[i])) == 0)
            return !is_heading(word);
    return is_bus_id(word);
}

/* Whether the words from `first` on are columns and headings. */
static bool is_header_from(const struct matrix_words *words, uint32_t first)
{
    return words->count > first && cs_matrix_is_gpu(words->word[first]) &&
           (words->count == first + 1 || is_device(words->word[first + 1]) ||
            is_heading(words->word[first + 1]));
}

/* The words from `first` to `end` come last. */
static void move_last(struct matrix_words *words, uint32_t first, uint32_t end)
{
    char word[WORD_MAX];

    for (uint32_t moved = first; moved < end; moved++) {
        memcpy(word, words->word[first], WORD_MAX);
        memmove(words->word[first], words->word[first + 1],
                (words->count - first - 1) * sizeof(words->word[0]));
        memcpy(words->word[words->count - 1], word, WORD_MAX);
    }
}

/* Affinities before the columns, where a person moved them, go behind them. */
static bool has_headings_first(struct matrix_words *words)
{
    uint32_t first = 0;

    words->before = 0;
    while (first < words->count &&
           (is_heading(words->word[first]) || cs_same(words->word[first], "Affinity") ||
            cs_same(words->word[first], "ID"))) {
        words->before +=
            cs_same(words->word[first], "Affinity") || cs_same(words->word[first], "ID");
        first++;
    }
    if (!first || !is_header_from(words, first))
        return false;
    move_last(words, 0, first);
    return true;
}

/* A table of Markdown may have a heading over the names of rows. */
static bool is_header(struct matrix_words *words)
{
    if (has_headings_first(words))
        return true;
    if (is_header_from(words, 0))
        return true;
    if (words->count < 3 || is_device(words->word[0]) || !is_header_from(words, 1))
        return false;
    words->count--;
    memmove(words->word[0], words->word[1], words->count * sizeof(words->word[0]));
    return true;
}

/* Moves behind the header, of bus ids only in a matrix with a title; false
 * without a header. */
static bool find_header(struct cursor *cursor, struct matrix_words *words, bool has_title)
{
    while (matrix_next_line(cursor, words))
        if (is_header(words) || (has_title && words->count > 0 && is_bus_id(words->word[0])))
            return true;
    return false;
}

/* Tables without a line between: "HOPS TABLE:" of amd-smi, "=== Numa Nodes ===" of a
 * rocm-smi that was pasted. */
static bool is_next_title(const struct matrix_words *words)
{
    return (words->count > 1 && cs_same(words->word[words->count - 1], "TABLE:")) ||
           (words->count && strncmp(words->word[0], "===", 3) == 0);
}

/* Behind the line with the title. */
static bool find_title(struct cursor *cursor, const char *title)
{
    const char *found =
        memmem(cursor->at, (size_t)(cursor->end - cursor->at), title, strlen(title));

    if (!found)
        return false;
    for (; cursor->at < found; cursor->at++)
        cursor->line += *cursor->at == '\n';
    return true;
}

/* "CPU Affinity", "NUMA Affinity" and "GPU NUMA ID" behind the columns. */
static void read_headings(const struct matrix_words *words, struct cs_matrix *matrix)
{
    uint32_t next = 0;

    for (uint32_t i = matrix->columns; i < words->count; i++) {
        bool of_gpu = cs_same(words->word[i], "GPU");

        if (cs_same(words->word[i], "CPU"))
            matrix->cpus_heading = ++next;
        else if (of_gpu)
            matrix->gpu_numa_heading = ++next;
        else if (cs_same(words->word[i], "NUMA"))
            matrix->numa_heading = ++next;
        i += of_gpu;
    }
}

/* The word of a row at a column; NULL where the column is missing. */
static const char *word_below(const struct matrix_words *words, uint32_t column, uint32_t heading,
                              struct cs_arena *arena)
{
    return heading && column < words->count ? cs_arena_text(arena, words->word[column]) : NULL;
}

void cs_matrix_make(struct cs_matrix *matrix, uint32_t n, struct cs_arena *arena)
{
    matrix->columns = n;
    matrix->names = cs_arena_alloc(arena, n, sizeof(*matrix->names));
    matrix->cells = cs_arena_alloc(arena, (size_t)n * n, sizeof(char *));
    matrix->cpus = cs_arena_alloc(arena, n, sizeof(*matrix->cpus));
    matrix->numa = cs_arena_alloc(arena, n, sizeof(*matrix->numa));
    matrix->gpu_numa = cs_arena_alloc(arena, n, sizeof(*matrix->gpu_numa));
    matrix->lines = cs_arena_alloc(arena, n, sizeof(*matrix->lines));
}

static int read_header(struct cs_doc_text text, const struct matrix_words *words,
                       struct cs_matrix *matrix, struct cs_arena *arena, struct cs_err *err)
{
    uint32_t n = 0;

    while (n < words->count && n <= CS_MATRIX_COLUMNS_MAX && !is_heading(words->word[n]))
        n++;
    if (n > CS_MATRIX_COLUMNS_MAX)
        return cs_err_at(err, CS_EINPUT, text.file, matrix->line, "over %d columns",
                         CS_MATRIX_COLUMNS_MAX);
    cs_matrix_make(matrix, n, arena);
    read_headings(words, matrix);
    for (uint32_t i = 0; i < n; i++) {
        matrix->names[i] = cs_arena_text(arena, words->word[i]);
        for (uint32_t j = 0; j < i; j++)
            if (cs_same(matrix->names[i], matrix->names[j]))
                return cs_err_at(err, CS_EINPUT, text.file, matrix->line,
                                 "column '%s' is a duplicate", matrix->names[i]);
    }
    return 0;
}

static int matrix_read_row(struct cs_doc_text text, struct matrix_words *words, unsigned line,
                           struct cs_matrix *matrix, struct cs_arena *arena, struct cs_err *err)
{
    uint32_t n = matrix->columns, row = 0;

    if (words->before && words->count > n + 1) /* adapters have no affinities */
        move_last(words, 1, 1 + words->before);

    while (row < n && !cs_same(matrix->names[row], words->word[0]))
        row++;
    if (row == n && !is_device(words->word[0]))
        return 0;
    if (row == n)
        return cs_err_at(err, CS_EINPUT, text.file, line,
                         "row '%s' has no column; the header in line %u has %u columns",
                         words->word[0], matrix->line, n);
    if (matrix->lines[row])
        return cs_err_at(err, CS_EINPUT, text.file, line, "row '%s' is a duplicate of line %u",
                         words->word[0], matrix->lines[row]);
    matrix->lines[row] = line;
    for (uint32_t i = 0; i < n && i + 1 < words->count; i++)
        matrix->cells[row * n + i] = cs_arena_text(arena, words->word[i + 1]);
    matrix->cpus[row] = word_below(words, n + matrix->cpus_heading, matrix->cpus_heading, arena);
    matrix->numa[row] = word_below(words, n + matrix->numa_heading, matrix->numa_heading, arena);
    matrix->gpu_numa[row] =
        word_below(words, n + matrix->gpu_numa_heading, matrix->gpu_numa_heading, arena);
    return 0;
}

int cs_matrix_read(struct cs_doc_text text, const char *title, struct cs_matrix *matrix,
                   struct cs_arena *arena, struct cs_err *err)
{
    struct cursor cursor = {text.text, text.text + text.length, 0};
    struct matrix_words words = {.count = 0};
    bool any = false;
    int rc;

    *matrix = (struct cs_matrix){0};
    if (memchr(text.text, 0, text.length))
        return cs_err_at(err, CS_EINPUT, text.file, 0, "a NUL byte; expected text");
    if ((title && !find_title(&cursor, title)) || !find_header(&cursor, &words, title))
        return cs_err_at(err, CS_EINPUT, text.file, 0,
                         "no matrix; expected a line 'GPU0 GPU1 ...'%s%s", title ? " behind " : "",
                         title ? title : "");
    matrix->line = cursor.line;
    rc = read_header(text, &words, matrix, arena, err);
    while (!rc && matrix_next_line(&cursor, &words)) {
        if ((words.count == 0 && any) || is_next_title(&words))
            break;
        if (words.count == 0)
            continue;
        rc = matrix_read_row(text, &words, cursor.line, matrix, arena, err);
        any = true;
    }
    return rc;
}

bool cs_matrix_is_in(struct cs_doc_text text)
{
    struct cursor cursor = {text.text, text.text + text.length, 0};
    struct matrix_words words = {.count = 0};

    return find_header(&cursor, &words, false);
}
