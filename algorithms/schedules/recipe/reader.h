/*
 * Reader of a recipe: lines become steps; blocks stay open until a line has less
 * indentation.
 */
#pragma once

#include "algorithms/schedules/recipe/words.h"

enum {
    CS_RECIPE_ACTS = 5 /* send, recv, add, copy, sum */
};

enum cs_recipe_block {
    CS_BLOCK_FOR,
    CS_BLOCK_IF,
    CS_BLOCK_ELSE,
    CS_BLOCK_LANE
};

/* A block whose lines follow. */
struct cs_open_block {
    enum cs_recipe_block kind;
    uint32_t indent; /* of its first line */
    uint32_t inside; /* of the lines in it; 0: none yet */
    uint32_t step;   /* whose target is its end */
    uint32_t slot, line;
};

struct cs_recipe_reader {
    struct cs_word_reader words;
    struct cs_recipe *recipe;
    struct cs_recipe_step *steps;
    uint32_t step_room;
    struct cs_open_block blocks[CS_RECIPE_DEPTH_MAX];
    uint32_t depth;
    bool is_over; /* behind `end` */
};

#define CS_RECIPE_COMPLAIN(reader, ...)                                                   \
    cs_err_at((reader)->words.err, CS_EINPUT, (reader)->words.file, (reader)->words.line, \
              __VA_ARGS__)

/* Adds a step of the line. */
struct cs_recipe_step *cs_recipe_add(struct cs_recipe_reader *reader, enum cs_recipe_kind kind);

/* Operations that start together, from the first one on. */
int cs_recipe_read_round(struct cs_recipe_reader *reader);

/* Behind `op`, as an export writes it. */
int cs_recipe_read_place(struct cs_recipe_reader *reader);

/* Fills in the words that begin an operation, and returns their number. */
size_t cs_recipe_act_names(const char *names[CS_RECIPE_ACTS]);
