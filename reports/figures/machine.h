/*
 * Machine: what was given to --topo, as words that tell machines of one name
 * apart.
 *
 * "fat-tree:ranks=64,oversubscription=3" has the words fat-tree, ranks=64 and
 * oversubscription=3.  Words that say how large a generated machine is (ranks,
 * nodes, gpus, dims) change along a figure over ranks and do not count there.
 *
 *     order   O(letters)
 *     apart   O(runs x words of both)
 */
#ifndef CS_REPORTS_FIGURES_MACHINE_H
#define CS_REPORTS_FIGURES_MACHINE_H

#include "reports/figures/report.h"
#include "sim/base/mem.h"

enum cs_machine_words {
    CS_MACHINE_ALL,
    CS_MACHINE_BUT_SIZE, /* less those that say how large it is */
};

/* As strcmp, of the words that count. */
int cs_machine_order(const char *spec, const char *other,
                     enum cs_machine_words words);

/* "oversubscription=3, radix=8": the words that not all machines of that name
 * in `data` have, less the number of ranks if it is the run's; "" where these
 * are all alike. */
const char *cs_machine_apart(const struct cs_report_data *data,
                             const struct cs_record *run,
                             enum cs_machine_words words,
                             struct cs_arena *arena);

#endif
