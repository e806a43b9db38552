/*
 * Folding: ranks that are interchangeable are simulated once.
 *
 * Looked for is a group of automorphisms of machine and program together under
 * which every rank, and every link and server that is used, is moved by every
 * element but the neutral one.  The ranks then fall into orbits of equal size;
 * one rank of each is simulated, on one link of each orbit of links, and what
 * happens to the others is the image of what happens to it.
 *
 * Three families are tried, r -> r + g s (mod p), a rotation, r -> r xor g s,
 * and rotations in two directions, of nodes and inside all nodes, for s from
 * the period of the colours on: ranks get a colour by what they do
 * and what their wires are, refined by the colours of those they exchange
 * messages with.  A candidate is then checked: the routes of every pair of
 * ranks that exchange messages, all of them; the rounds of every rank, all of
 * them up to CS_FOLD_ROUNDS, else as many drawn at random (of rotations in two
 * directions the first and the last of each rank, too).
 *
 * The result is that of the unfolded run to the picosecond as long as nothing
 * depends on the order of events of equal time, which the group need not
 * respect.  It cannot where nothing ever waits, so a run in which a message
 * stood before a busy link, or a sum before a busy adder, is not folded.
 *
 * Where the vector does not divide into equal blocks, ranks that are alike move
 * blocks of two lengths, and each rank has times of its own.  Simulated is then
 * a run in which every message is as long as the longest that it stands for.
 * That run is no shorter than the real one, where every link and adder serves
 * one lane, which uses it again only when it has done with it: then nothing can
 * wait, whatever the lengths.  And it is no longer, where one of the chains that
 * lead to its end, moved by some element of the group, has long blocks only.
 * Both are checked (pace.c), and what is sent over each link is counted for
 * every rank.  Only what ranks hold beside their vectors is that of the longest
 * blocks.
 */
#ifndef CS_SIM_FOLD_FOLD_H
#define CS_SIM_FOLD_FOLD_H

#include "sim/engine/exec.h"

enum {
    CS_FOLD_ROUNDS = 1 << 20
};

/* Ranks below `orbits` are simulated; the blocks of as many ranks, in rows of so
 * many columns, are what they stand for.  ranks = orbits x copies, copies =
 * rows x columns. */
struct cs_fold_group {
    bool is_xor; /* of rows; else rows and columns go round */
    uint32_t ranks;
    uint32_t orbits;
    uint32_t copies;
    uint32_t rows, columns;
};

struct cs_fold {
    struct cs_fold_group group;
    uint64_t rounds;  /* of all ranks together, or UINT64_MAX if more */
    uint64_t checked; /* of these */
    bool uneven;      /* ranks that are alike move blocks of two lengths */
    /* What stands for all; only cs_exec_run knows what to do with it. */
    struct cs_program program;
    struct cs_net net;
    uint32_t *link; /* of the net: the first of the machine's it stands for, or
                       of these the first that is busy longest, once it is run */
    const void *quotient; /* fold.c's own */
};

/* What is to be folded. */
struct cs_fold_request {
    const struct cs_program *program;
    const struct cs_net *net;
    uint64_t seed;
    const struct cs_monitor *monitor; /* NULL: none */
};

/*
 * Looks for the largest group.  *fold is in the arena as all its parts, or NULL
 * and *why tells why not.  Program and net must outlive it.  CS_ESTOPPED where
 * the pulse says so.
 * O(ranks + pairs x copies + rounds of a rank) time; O(links) memory, where
 * computers alike count as one.
 */
int cs_fold_find(const struct cs_fold_request *request, struct cs_arena *arena,
                 struct cs_fold **fold, const char **why, struct cs_err *err);

/*
 * Runs it, and makes the result that of all ranks, but for `use`, which is by
 * link of fold->net, and `events`, which are those that were simulated.
 * Returns CS_FOLD_WAITED where something waited, CS_FOLD_UNEVEN where blocks
 * are of two lengths and the longer ones were not proven to set the time; the
 * result is then worthless.  Other codes are those of cs_exec_run.
 */
enum {
    CS_FOLD_WAITED = 1,
    CS_FOLD_UNEVEN = 2,
};

/* With what it is run. */
struct cs_fold_run {
    const struct cs_link_model *model;
    const struct cs_monitor *monitor;     /* NULL: none */
    const struct cs_model_params *params; /* of the model; NULL: defaults */
    bool eager;                           /* as in struct cs_exec_request */
};

int cs_fold_run(struct cs_fold *fold, const struct cs_fold_run *run,
                struct cs_arena *arena, struct cs_exec_result *result,
                struct cs_err *err);

#endif
