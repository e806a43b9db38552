/*
 * Layouts that publishers chose, among those that a search finds (search.h).
 *
 * A layout is tensor x context x pipeline x expert degrees.  A row counts whose publisher
 * has one layout for its model, machine, GPUs and batch, and divides the model by it; the
 * tables that compare layouts do not.  The search has the row's model, machine, global
 * batch, precision and framework, with what its data parallel ranks share, and none of its
 * degrees.
 *
 *     find   a search for each row that counts
 */
#pragma once

#include "scenarios/train/score/measured_steps.h"
#include "scenarios/train/search/search.h"

struct cs_published_layout {
    const struct cs_step_row *row;
    const char *published, *first; /* "tp 4, cp 2, pp 1"; NULL: the search finds none */
    uint32_t place;                /* among the layouts found, from 1; 0: not among them */
    double loss; /* the published layout's predicted step over the first's, less 1 */
};

struct cs_published_layouts {
    struct cs_published_layout *items;
    uint32_t count;
};

/* In the order of the rows, in the arena. */
struct cs_published_layouts cs_published_layouts_find(const struct cs_measured_book *book,
                                                      struct cs_arena *arena);
