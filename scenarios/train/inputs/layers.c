/*
 * Models as a table of layers, a line per layer in the order of the forward pass:
 *
 *     name,params,flops,activation
 *     conv1,9408,236e6,802816
 *
 * params are elements of the layer's parameters; flops of a forward pass over
 * one sample, a multiplication and an addition as two; activation the elements
 * of its output, which the backward pass needs and the next layer reads.  The
 * matrix product of a layer is taken as square in its weights: the table has no
 * shapes.
 */
#include "scenarios/train/inputs/model_input.h"

#include "sim/base/collections/vector.h"
#include "sim/base/hint.h"
#include "sim/base/roots.h"
#include "sim/base/text.h"
#include "topo/documents/csv_rows.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum layers_column {
    LAYERS_NAME,
    LAYERS_PARAMS,
    LAYERS_FLOPS,
    LAYERS_ACTIVATION,
    LAYERS_COLUMNS,
};

static const char *const layers_names[LAYERS_COLUMNS] = {"name", "params", "flops", "activation"};

enum {
    LAYERS_MAX = 100000,
};

static const double layers_most = 1e18;

struct layers_table {
    const char *file;
    struct cs_csv_rows rows;
    uint32_t place[LAYERS_COLUMNS]; /* of a column, in a line */
    uint32_t columns;
    struct cs_arena *arena;
    struct cs_train_block *blocks;
    uint32_t count, room;
};

/* ---- lines ---- */

/* The cells of the row without white space around. */
static void layers_trim(struct layers_table *table)
{
    for (size_t i = 0; i < table->rows.count; i++) {
        const char *cell = table->rows.cells[i];
        size_t length;

        while (isspace((unsigned char)*cell))
            cell++;
        length = strlen(cell);
        while (length && isspace((unsigned char)cell[length - 1]))
            length--;
        table->rows.cells[i] = cs_arena_text_n(table->arena, cell, length);
    }
}

static int layers_header(struct layers_table *table, struct cs_err *err)
{
    const char *const *cells = table->rows.cells;
    bool found[LAYERS_COLUMNS] = {false};

    for (uint32_t i = 0; i < table->rows.count; i++) {
        uint32_t c = 0;

        while (c < LAYERS_COLUMNS && !cs_same(cells[i], layers_names[c]))
            c++;
        if (c == LAYERS_COLUMNS)
            return cs_err_at(err, CS_EINPUT, table->file, table->rows.line,
                             "no column called '%.40s'%s", cells[i],
                             cs_hint_all(cells[i], layers_names, LAYERS_COLUMNS).text);
        if (found[c])
            return cs_err_at(err, CS_EINPUT, table->file, table->rows.line, "two columns '%s'",
                             layers_names[c]);
        found[c] = true;
        table->place[c] = i;
    }
    table->columns = (uint32_t)table->rows.count;
    for (uint32_t c = 0; c < LAYERS_COLUMNS; c++)
        if (!found[c])
            return cs_err_at(err, CS_EINPUT, table->file, table->rows.line,
                             "no column '%s'; expected name,params,flops,activation",
                             layers_names[c]);
    return 0;
}

static int layers_number(const struct layers_table *table, enum layers_column column,
                         double *number, struct cs_err *err)
{
    const char *text = table->rows.cells[table->place[column]];
    char *end;

    *number = strtod(text, &end);
    if (end == text || *end || !(*number >= 0 && *number <= layers_most))
        return cs_err_at(err, CS_EINPUT, table->file, table->rows.line,
                         "%s '%.40s' is not a number from 0 to 1e18", layers_names[column], text);
    return 0;
}

/* ---- blocks ---- */

/* A product with these FLOPs, and of these parameters as a square matrix;
 * without parameters a cube. */
static struct cs_matmul layers_matmul(double params, double flops)
{
    double side = params > 0 ? sqrt(params) : cs_cube_root(flops / 2);

    return (struct cs_matmul){
        .rows = params > 0 ? flops / (2 * params) : side,
        .inner = side,
        .columns = side,
        .count = 1,
        .weights = params > 0,
    };
}

static void layers_add(struct layers_table *table, const char *name,
                       const double numbers[LAYERS_COLUMNS])
{
    struct cs_train_block *block;
    uint64_t *tensor;
    struct cs_matmul *matmul;

    table->blocks = cs_vector_room_in(table->arena, table->blocks, table->count + 1, &table->room,
                                      sizeof(*table->blocks));
    tensor = cs_arena_alloc(table->arena, 1, sizeof(*tensor));
    matmul = cs_arena_alloc(table->arena, 1, sizeof(*matmul));
    *tensor = (uint64_t)numbers[LAYERS_PARAMS];
    *matmul = layers_matmul(numbers[LAYERS_PARAMS], numbers[LAYERS_FLOPS]);
    block = &table->blocks[table->count++];
    *block = (struct cs_train_block){
        .name = cs_arena_text(table->arena, name),
        .repeat = 1,
        .first = table->count - 1,
        .tensors = tensor,
        .tensor_count = numbers[LAYERS_PARAMS] >= 1,
        .matmuls = matmul,
        .matmul_count = numbers[LAYERS_FLOPS] > 0,
        .elementwise = 2 * numbers[LAYERS_ACTIVATION], /* written and read */
        .kernels = 1,
        .stored = numbers[LAYERS_ACTIVATION],
        .output = numbers[LAYERS_ACTIVATION],
    };
}

static int layers_row(struct layers_table *table, struct cs_err *err)
{
    double numbers[LAYERS_COLUMNS] = {0};
    uint32_t count = (uint32_t)table->rows.count;
    int code = 0;

    if (count != table->columns)
        return cs_err_at(err, CS_EINPUT, table->file, table->rows.line, "%u values; expected %u",
                         count, table->columns);
    for (uint32_t c = LAYERS_PARAMS; c < LAYERS_COLUMNS && !code; c++)
        code = layers_number(table, (enum layers_column)c, &numbers[c], err);
    if (code)
        return code;
    if (table->count == LAYERS_MAX)
        return cs_err_at(err, CS_EINPUT, table->file, table->rows.line, "more than %d layers",
                         LAYERS_MAX);
    layers_add(table, table->rows.cells[table->place[LAYERS_NAME]], numbers);
    return 0;
}

static int layers_finish(const struct layers_table *table, struct cs_train_model *model,
                         struct cs_err *err)
{
    *model = (struct cs_train_model){
        .name = table->file,
        .about = "a table of layers",
        .source = table->file,
        .blocks = table->blocks,
        .block_count = table->count,
        .optimizer_words = 2,
    };
    for (uint32_t b = 0; b < table->count; b++)
        model->parameters += table->blocks[b].tensor_count ? (double)*table->blocks[b].tensors : 0;
    if (!table->columns || !table->count)
        return cs_err_at(
            err, CS_EINPUT, table->file, 0,
            "no layers; expected a line name,params,flops,activation and a line per layer");
    return model->parameters >= 1
               ? 0
               : cs_err_at(err, CS_EINPUT, table->file, 0, "no layer has parameters");
}

static int layers_read(struct cs_doc_text text, struct cs_arena *arena,
                       struct cs_train_model *model, struct cs_model_division *division,
                       struct cs_err *err)
{
    struct layers_table table = {.file = text.file, .arena = arena};
    struct cs_csv_rows *rows = &table.rows;
    int code;

    (void)division;
    *rows = (struct cs_csv_rows){
        .file = text.file, .at = text.text, .end = text.text + text.length, .arena = arena};
    while (!(code = cs_csv_rows_next(rows, err)) && rows->count) {
        layers_trim(&table);
        if (rows->count == 1 && !*rows->cells[0])
            continue; /* blanks alone */
        code = table.columns ? layers_row(&table, err) : layers_header(&table, err);
        if (code)
            break;
    }
    return code ? code : layers_finish(&table, model, err);
}

const struct cs_model_input cs_model_input_layers = {
    .name = "layers",
    .about = "a CSV of layers: name,params,flops,activation",
    .suffixes = {".csv"},
    .read = layers_read,
};
