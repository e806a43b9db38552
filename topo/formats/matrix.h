/*
 * Matrices as nvidia-smi, rocm-smi and amd-smi print, or as pasted into a text.
 * Columns of amd-smi are bus ids.
 *
 *             GPU0    GPU1    NIC0    CPU Affinity    NUMA Affinity
 *     GPU0     X      NV4     PIX     0-23            0
 *     GPU1    NV4      X      SYS     24-47           1
 *
 * Columns are separated by tabs, spaces, bars, stars and backquotes of Markdown
 * or terminal escapes.  A heading, or the affinities, may precede the first column.  Rows and ends
 * of rows may be missing.  An empty line or a title ends the matrix.
 *
 *     read    O(bytes + columns^2)
 */
#pragma once

#include "topo/formats/source.h"

#include <stdbool.h>
#include <stdint.h>

struct cs_doc_text;

struct cs_arena;

struct cs_err;

enum {
    CS_MATRIX_COLUMNS_MAX = 128, /* invented; the largest seen has 26 */
};

struct cs_matrix {
    const char **names; /* of columns and rows: "GPU0", "mlx5_2" */
    const char **cells; /* row by row; NULL: missing */
    /* By row, in the order of headings: CPU affinity, NUMA affinity, NUMA node
     * of the GPU; NULL: missing. */
    const char **cpus, **numa, **gpu_numa;
    unsigned *lines; /* by row; 0: missing row */
    unsigned line;   /* of the header */
    uint32_t columns;
    /* Places of the headings behind the columns, from 1 on; 0: missing. */
    uint32_t cpus_heading, numa_heading, gpu_numa_heading;
};

static inline const char *cs_matrix_cell(const struct cs_matrix *matrix, uint32_t row,
                                         uint32_t column)
{
    return matrix->cells[row * matrix->columns + column];
}

/* Reads the first matrix behind a line with `title`, or the first of the
 * file for NULL. CS_EINPUT without a matrix. */
int cs_matrix_read(struct cs_doc_text text, const char *title, struct cs_matrix *matrix,
                   struct cs_arena *arena, struct cs_err *err);

/* Room for n columns and rows, all missing. */
void cs_matrix_make(struct cs_matrix *matrix, uint32_t n, struct cs_arena *arena);

/* Whether the text has a matrix. */
bool cs_matrix_is_in(struct cs_doc_text text);

/* "GPU" and digits. */
bool cs_matrix_is_gpu(const char *name);
