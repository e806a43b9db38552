/*
 * Explain: the steps of one run as pictures, for teaching.
 *
 * The story is borrowed: a record, its steps, and texts about the
 * algorithm.  Every writer appends to `out` and cannot fail.  A set of ranks
 * is written with one digit a rank, 0-9 and a-f; among more than eight, runs
 * of four or more as "0-3".
 */
#ifndef CS_REPORTS_EXPLAIN_EXPLAIN_H
#define CS_REPORTS_EXPLAIN_EXPLAIN_H

#include "reports/results/record.h"
#include "reports/results/table.h"
#include "sim/base/text.h"
#include "sim/proof/steps.h"

struct cs_story {
    const struct cs_record *record;
    const struct cs_steps *steps;
    const char *promise; /* of the collective: "every rank ends with ..." */
    const char *about;   /* of the algorithm, one line */
    const char *formula;
};

/* A table of the contents of each rank after every step; at most 100 columns. */
void cs_explain_text(const struct cs_story *story, enum cs_style style,
                     struct cs_text *out);

/* One page with a player and without other files. */
void cs_explain_html(const struct cs_story *story, struct cs_text *out);

/* A drawing of the messages in time: a row for each party, time to the
 * right. */
void cs_explain_svg(const struct cs_story *story, struct cs_text *out);

/* A gnuplot script that draws the steps as an animated GIF of that name. */
void cs_explain_gnuplot(const struct cs_story *story, const char *name,
                        struct cs_text *out);

/* ---- shared by the writers ---- */

/* "ring allreduce of 4 MB on switch, 4 ranks, fp32, model fifo" */
void cs_explain_title(const struct cs_story *story, struct cs_text *out);

/* "rank 3", "server", "server 1" */
void cs_explain_party(const struct cs_steps *steps, uint32_t party,
                      struct cs_text *out);

/* The ranks that contributed, with the block of origin where the position does
 * not show it: "0-3", "02", "1.3", "" for nothing. */
void cs_explain_holding(const struct cs_steps *steps,
                        const struct cs_holding *holding, struct cs_text *out);

/* "2", "2-4", "6-1" (round the end), "all": the blocks of a message; "" for
 * a message without data. */
void cs_explain_blocks(const struct cs_steps *steps, struct cs_blocks blocks,
                       struct cs_text *out);

#endif
