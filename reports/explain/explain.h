/*
 * Explain: the steps of a run as pictures, for teaching.
 *
 * The story is borrowed: a record, its steps, and texts about the
 * algorithm.  Every writer appends to `out` and cannot fail.  A set of ranks has
 * a digit per rank, 0-9 and a-f; above eight ranks, four or more consecutive
 * ranks are written "0-3".
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
    const char *about;   /* of the algorithm, a line */
    const char *formula;
};

/* A table of the contents of every rank after every step; at most 100
 * columns. */
void cs_explain_text(const struct cs_story *story, enum cs_style style, struct cs_text *out);

/* A page with a player, without further files. */
void cs_explain_html(const struct cs_story *story, struct cs_text *out);

/* A drawing of the messages in time: a row per party, time to the
 * right. */
void cs_explain_svg(const struct cs_story *story, struct cs_text *out);

/* A gnuplot script for an animated GIF of the steps with the name. */
void cs_explain_gnuplot(const struct cs_story *story, const char *name, struct cs_text *out);

/* ---- shared by the writers ---- */

/* "ring all-reduce of 4 MB on switch, 4 ranks, fp32, model fifo" */
void cs_explain_title(const struct cs_story *story, struct cs_text *out);

/* What an agent is: "server" or "switch". */
const char *cs_explain_agent(const struct cs_story *story);

/* "rank 3", "server", "switch 1" */
void cs_explain_party(const struct cs_story *story, uint32_t party, struct cs_text *out);

/* The contributing ranks, with the block of origin if not implied by the
 * position: "0-3", "02", "1.3", "" for an empty block. */
void cs_explain_holding(const struct cs_steps *steps, const struct cs_holding *holding,
                        struct cs_text *out);

/* "2", "2-4", "6-1" (round the end), "all": the blocks of a message; "" for
 * a message without data. */
void cs_explain_blocks(const struct cs_steps *steps, struct cs_blocks blocks, struct cs_text *out);

#endif
