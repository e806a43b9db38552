/*
 * Words of a line, and numbers with the digits that a benchmark printed.
 */
#pragma once

#include "algorithms/collective.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_LOG_WORDS_MAX = 40,
};

/* A printed number lies within half a unit of its last digit. */
struct cs_log_number {
    double value, low, high;
};

/* Cuts the line at blanks; the words point into the line. */
uint32_t cs_log_words(char *line, char *words[CS_LOG_WORDS_MAX]);

bool cs_log_whole(const char *word, uint64_t *number);
bool cs_log_number(const char *word, struct cs_log_number *number);

/* Bytes of a type of nccl-tests or OSU; 0: not a type. */
uint32_t cs_log_type_bytes(const char *word);

/* The collective of a program's name, "./build/all_reduce_perf", "all_reduce_perf_mpi"
 * or "osu_allreduce"; NULL: not such a name. */
const struct cs_collective *cs_log_collective_of(const char *word);
