/*
 * Machine: the argument of --topo, as words that distinguish machines with
 * a common name.
 *
 * "fat-tree:ranks=64,oversubscription=3" has the words fat-tree, ranks=64 and
 * oversubscription=3.  Words for the size of a generated machine (ranks, nodes,
 * gpus, dims) change along a figure over ranks and are ignored for such figures.
 *
 *     index   O(letters of all runs)
 *     order   O(letters)
 *     apart   O(letters)
 */
#pragma once

#include "reports/results/record.h"
#include "sim/base/mem.h"

#include <stddef.h>

/* How many machines of a name have each word. */
struct cs_machine_index;

/* The input of a report: runs in the order of the database. */
struct cs_report_data {
    const struct cs_record *records;
    size_t count;
    const struct cs_machine_index *machines;
};

/* The runs, which the caller keeps, with the index in the arena. */
struct cs_report_data cs_machine_data(const struct cs_record *records, size_t count,
                                      struct cs_arena *arena);

enum cs_machine_words {
    CS_MACHINE_ALL,
    CS_MACHINE_BUT_SIZE, /* without words for the size */
};

/* As strcmp, for the chosen words. */
int cs_machine_order(const char *spec, const char *other, enum cs_machine_words words);

/* "oversubscription=3, radix=8": the parameters that the machine's name leaves
 * out, and the words missing from a machine with the name in `data`, without the
 * word for the run's number of ranks; "" without either. */
const char *cs_machine_apart(const struct cs_report_data *data, const struct cs_record *run,
                             enum cs_machine_words words, struct cs_arena *arena);
