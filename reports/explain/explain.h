/*
 * Explain: the steps of a run as pictures, for teaching.
 *
 * The story is borrowed: a record, its steps, and texts about the
 * algorithm.  Every writer appends to `out` and cannot fail.  A set of ranks has
 * a digit per rank, 0-9 and a-f; above eight ranks, four or more consecutive
 * ranks are written "0-3".
 */
#pragma once

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
    const char *choices; /* of the form in a page with the engine, as JSON; NULL: no form */
    const char *lesson;  /* of a lab's page, as JSON (lesson.h), and as text; or NULL */
    const char *text;
};

/* A table of the contents of every rank after every step; at most 100
 * columns. */
void cs_explain_text(const struct cs_story *story, enum cs_style style, struct cs_text *out);

/* The data of the player: words, times, shape, messages of every step with their times, and
 * the blocks of every party after it; above CS_STEPS_DIGIT_RANKS_MAX ranks their numbers. */
void cs_explain_json(const struct cs_story *story, struct cs_text *out);

/* A page with a player, without further files; with the engine, where it was built (make
 * wasm) and the story has choices, a form runs other cases in the page. */
void cs_explain_html(const struct cs_story *story, struct cs_text *out);

/* A drawing of the messages in time: a row per party, time to the
 * right. */
void cs_explain_svg(const struct cs_story *story, struct cs_text *out);

/* The same drawing as a tikzpicture of LaTeX. */
void cs_explain_tikz(const struct cs_story *story, struct cs_text *out);

/* A gnuplot script for an animated GIF of the steps with the name. */
void cs_explain_gnuplot(const struct cs_story *story, const char *name, struct cs_text *out);

/* Whether the program was built with the engine for pages. */
bool cs_explain_has_engine(void);

/* The engine for any page: elements of script with the engine itself and engine.js; nothing
 * without one. */
void cs_explain_engine(struct cs_text *out);

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

/*
 * Shape: the layout of the parties of a program in a drawing.
 *
 * The shape follows from the pairs of communicating parties.
 */

enum cs_shape_kind {
    CS_SHAPE_CIRCLE,    /* otherwise */
    CS_SHAPE_RING,      /* messages between neighbours only */
    CS_SHAPE_LINE,      /* a ring with open ends */
    CS_SHAPE_TREE,      /* a single path between two parties */
    CS_SHAPE_STAR,      /* messages from and to hubs only */
    CS_SHAPE_HYPERCUBE, /* partners differ in a bit */
    CS_SHAPES
};

enum {
    CS_SHAPE_NO_PARENT = UINT32_MAX
};

struct cs_shape {
    enum cs_shape_kind kind;
    uint32_t edges;                                        /* pairs of parties */
    bool edge[CS_STEPS_PARTIES_MAX][CS_STEPS_PARTIES_MAX]; /* symmetric */
    bool hub[CS_STEPS_PARTIES_MAX];
    uint32_t parent[CS_STEPS_PARTIES_MAX]; /* TREE */
    uint32_t order[CS_STEPS_PARTIES_MAX];  /* LINE: from end to end */
};

/* O(messages + parties^2). */
struct cs_shape cs_shape_of(const struct cs_steps *steps);

/* "circle", "ring", ... */
const char *cs_shape_name(enum cs_shape_kind kind);
