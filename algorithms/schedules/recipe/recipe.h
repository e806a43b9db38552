/*
 * Recipes: algorithms as text, for any number of ranks.
 *
 *     collsim-table 1
 *     algorithm   my-ring
 *     collective  all-reduce
 *     blocks      p
 *     for step in 0..p-2:
 *         send block r-step-1 to (r+1)%p; add block r-step-2 from (r-1)%p
 *     for step in 0..p-2:
 *         send block r-step to (r+1)%p; recv block r-step-1 from (r-1)%p
 *
 * The lines behind the head are what rank r of p does; V is the size of the vector in
 * bytes, and root and chunks are those of the call.  A line of operations is a round:
 * they start together, and the next line follows when all are done.
 *
 *     send [in|out|scratch] block B [count N] to RANK
 *     recv [out|scratch] block B [count N] from RANK       replaces the blocks
 *     add  [out|scratch] block B [count N] from RANK       reduces into them
 *     copy [in|out|scratch] block B [count N] to [out|scratch] block C
 *     sum  [in|out|scratch] block B [count N] to [out|scratch] block C
 *     wait lane L round K
 *
 * Messages match in order between two ranks on a lane, or with `on CHANNEL` behind the
 * rank on that channel.  At the end of a send, `met`: it leaves when its receive is
 * posted; `behind`: behind earlier such messages to the rank.
 *
 *     let NAME = X      for NAME in X..Y:     if X:     else:     lane X:
 *     require X         refuses numbers of ranks
 *
 * Indentation ends a block, # begins a comment.  Numbers are integers of 64 bits with
 * the operators of Python (/ and % round down) and min, max, abs and log2 (rounded
 * down); block numbers go around modulo the number of blocks.
 *
 * What `collsim export --format table` writes is a recipe without loops (table_write.c):
 *
 *     op PARTY LANE ROUND send|recv|add PEER CHANNEL in|out|scratch BLOCK COUNT [met|behind]
 *     op PARTY LANE ROUND wait LANE ROUND
 *     turn PARTY LANE PLACE    order PARTY PLACE     struct cs_program's, where not the number
 *
 * A recipe becomes a list of instructions, which jump.  The rounds of a number of ranks
 * are computed once and are a schedule (schedule.h) from then on.
 */
#pragma once

#include "algorithms/schedules/schedule.h"
#include "sim/base/err.h"

enum {
    CS_RECIPE_NAMES_MAX = 64,
    CS_RECIPE_TERMS_MAX = 256, /* of one expression */
    CS_RECIPE_DEPTH_MAX = 32,  /* of blocks */
    CS_RECIPE_STACK_MAX = 32,  /* values that wait for an operator */
    CS_RECIPE_LANES_MAX = 4096,
    CS_RECIPE_ROUNDS_MAX = 1 << 22, /* of one lane */
/* Instructions of all ranks; a fuzzer is to see the end of endless loops. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    CS_RECIPE_STEPS_MAX = 1 << 18,
#else
    CS_RECIPE_STEPS_MAX = 1 << 25,
#endif
};

/* Names that every recipe has. */
enum cs_recipe_name {
    CS_RECIPE_P,
    CS_RECIPE_R,
    CS_RECIPE_V,
    CS_RECIPE_ROOT,
    CS_RECIPE_CHUNKS,
    CS_RECIPE_OWN, /* the first name of the text */
};

/* A number, a name or an operator, in the order of a stack machine. */
struct cs_recipe_term {
    uint8_t what; /* recipe/expression.c */
    int64_t value;
};

struct cs_recipe_expression {
    uint32_t first, count; /* terms; 0: absent */
};

enum cs_recipe_kind {
    CS_RECIPE_LET,     /* slot = x[0] */
    CS_RECIPE_FOR,     /* slot = x[0], slot + 1 = x[1]; to target where there is none */
    CS_RECIPE_NEXT,    /* slot += 1; to target unless beyond slot + 1 */
    CS_RECIPE_IF,      /* to target unless x[0] */
    CS_RECIPE_JUMP,    /* to target */
    CS_RECIPE_LANE,    /* slot = lane; lane = x[0] */
    CS_RECIPE_RESTORE, /* lane = slot */
    CS_RECIPE_REQUIRE, /* x[0] */
    CS_RECIPE_ROUND,   /* begins a round of the lane */
    CS_RECIPE_ACT,     /* op; block x[0], number x[1], peer or target x[2], channel x[6] */
    CS_RECIPE_WAIT,    /* lane x[0], round x[1] */
    CS_RECIPE_PLACE,   /* op of party x[3] in lane x[4] and round x[5], channel x[6] */
    CS_RECIPE_TURN,    /* place x[0] of lane x[4] of party x[3] */
    CS_RECIPE_ORDER,   /* place x[0] of party x[3] */
};

enum {
    CS_RECIPE_ARGUMENTS = 7
};

struct cs_recipe_step {
    uint8_t kind; /* enum cs_recipe_kind */
    uint32_t line;
    uint32_t slot, target; /* PLACE: the next op of another party */
    struct cs_op op;       /* kind and buffers */
    const char *text;      /* REQUIRE: the words */
    struct cs_recipe_expression x[CS_RECIPE_ARGUMENTS];
};

/* A text that was read. */
struct cs_recipe {
    const char *file;
    const struct cs_collective *collective;
    const struct cs_recipe_term *terms;
    struct cs_recipe_step *steps;
    uint32_t step_count, slots;
    struct cs_recipe_expression ranks, agents, lanes, blocks, scratch;
    bool reads_bytes; /* V */
    bool has_places;  /* turns and orders */
};

/* Reads a text; what is kept is in the arena. */
struct cs_import_text;
int cs_recipe_read(struct cs_import_text text, struct cs_arena *arena, struct cs_recipe *recipe,
                   struct cs_err *err);

/* The value; 0 and a message for a division by 0 and beyond 64 bits. */
int64_t cs_recipe_value(const struct cs_recipe *recipe, struct cs_recipe_expression x,
                        const int64_t *values, uint32_t line, struct cs_err *err);

/* The number of ranks that a text fixes, or `otherwise`. */
uint32_t cs_recipe_ranks(const struct cs_recipe *recipe, uint32_t otherwise);

/* The rounds of a call.  CS_EINPUT for a number of ranks that the recipe refuses. */
int cs_recipe_schedule(const struct cs_recipe *recipe, const struct cs_call *call,
                       struct cs_arena *arena, struct cs_schedule *schedule, struct cs_err *err);
