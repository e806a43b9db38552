/*
 * Op tables: the programs that collsim-cuda measures, as files.
 *
 * ALGORITHM-RANKS.table: ring, naive, tree and ps for 2, 3, 4, 8 and 16 ranks,
 * for validation; held-out schedules for 8 ranks; every all-reduce algorithm for
 * 3 and 4 ranks, as tests of the kernels.  An algorithm without a schedule for a
 * number of ranks has no file.
 *
 * The files equal the output of `collsim export --format table`.  The module
 * needs algorithms/ and libc only, so that write-tables builds on a GPU node
 * without collsim's libraries.
 */
#pragma once

#include "sim/base/err.h"

/* Writes the files into an existing folder; CS_ECANNOT where a file cannot be
 * written. */
int cs_gpu_tables_write(const char *dir, struct cs_err *err);
