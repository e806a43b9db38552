/*
 * Tables: the programs that are measured on a GPU, as files.
 *
 * ALGORITHM-RANKS.table of ring, naive, tree and ps for 2, 3, 4, 8 and 16 ranks,
 * which validation is about; of schedules that are held out, for 8; and of every
 * algorithm for all-reduce for 3 and 4 ranks, to test kernels by.  An algorithm
 * that takes another number of ranks is left out there.
 *
 * They are the tables of `collsim export --format table`, and need nothing
 * beyond algorithms/ and libc: write-tables is this and a main.
 */
#ifndef CS_VALIDATE_GPU_TABLES_H
#define CS_VALIDATE_GPU_TABLES_H

#include "sim/base/err.h"

/* Into a folder that exists; CS_ECANNOT where a file cannot be written. */
int cs_gpu_tables_write(const char *dir, struct cs_err *err);

#endif
