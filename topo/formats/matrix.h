/*
 * Matrices as nvidia-smi and rocm-smi print them, or as people paste them.
 *
 *             GPU0    GPU1    NIC0    CPU Affinity    NUMA Affinity
 *     GPU0     X      NV4     PIX     0-23            0
 *     GPU1    NV4      X      SYS     24-47           1
 *
 * Columns are told by words alone: tabs, blanks, the bars of Markdown and
 * terminal escapes stand for each other.  Rows and ends of rows may be missing;
 * they are cells nobody wrote.  The matrix ends at an empty line.
 *
 *     read    O(bytes + columns^2)
 */
#ifndef CS_TOPO_FORMATS_MATRIX_H
#define CS_TOPO_FORMATS_MATRIX_H

#include "topo/formats/source.h"

enum {
    CS_MATRIX_COLUMNS_MAX = 128, /* invented; the largest seen has 26 */
};

struct cs_matrix {
    const char **names; /* of columns and rows: "GPU0", "mlx5_2" */
    const char **cells; /* row by row; NULL where nothing is written */
    const char **tails; /* of each row: the word behind its cells, or NULL */
    unsigned *lines;    /* of each row; 0: it is not there */
    unsigned line;      /* of the header */
    uint32_t columns;
};

static inline const char *cs_matrix_cell(const struct cs_matrix *matrix,
                                         uint32_t row, uint32_t column)
{
    return matrix->cells[row * matrix->columns + column];
}

/* The first matrix behind a line that has `title` in it; NULL: the first.
 * CS_EINPUT where there is none. */
int cs_matrix_read(struct cs_source_text text, const char *title,
                   struct cs_matrix *matrix, struct cs_arena *arena,
                   struct cs_err *err);

/* Whether there is one. */
bool cs_matrix_is_in(struct cs_source_text text);

/* "GPU" and digits. */
bool cs_matrix_is_gpu(const char *name);

#endif
