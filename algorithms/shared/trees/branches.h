/*
 * Tree branches: what trees of a machine can consist of, and what each branch loads.
 *
 * Of the whole machine a vertex is a rank and a branch a message from rank to rank,
 * along the machine's route.  Of identical nodes, of g ranks each, the trees are made
 * for one node of each class, with g vertices a class:
 *
 *     CS_BRANCHES_EACH   every node is the home of a copy of each tree; 2 classes, the
 *                        home node and all others.  Node i of a tree's copy sends to
 *                        all other nodes; messages home come from node i + 1.
 *     CS_BRANCHES_CHAIN  the home is the root's node alone; the next ones are a class
 *                        each, and the last class is a chain of all others: a rank of
 *                        the chain that receives from another node sends to the equal
 *                        rank of the node after it.  Messages to other classes leave the
 *                        chain's end.
 *
 * Loads are those of all copies.  Resources that the same branches use on the same
 * hops of their routes are one row, with their number as the capacity; copies
 * load them equally, or (on fabrics that know the difference between nodes) nearly.
 *
 * Branches whose route passes a third rank are left out: two messages through that
 * rank use the same links.
 */
#pragma once

#include "sim/net/net.h"

enum cs_branches_of {
    CS_BRANCHES_WHOLE,
    CS_BRANCHES_EACH,
    CS_BRANCHES_CHAIN,
};

/* In which direction messages use the trees. */
enum cs_tree_use {
    CS_TREES_DOWN = 1,
    CS_TREES_UP = 2,
    CS_TREES_BOTH = 3,
};

struct cs_branches_request {
    enum cs_branches_of of;
    enum cs_tree_use use;
    uint32_t ranks;
    uint32_t group;   /* ranks of a node, with consecutive numbers */
    uint32_t root;    /* of a chain */
    uint32_t classes; /* of nodes, at least 2 and at most the number of nodes */
};

/* Seconds of a row for a byte of the branch. */
struct cs_branch_load {
    uint32_t row;
    double s_per_byte;
};

struct cs_branches {
    struct cs_branches_request request;
    uint32_t vertices;
    uint32_t home; /* vertices of a class; those of the first class can be roots */
    uint32_t rows;
    double *capacity; /* of each row */
    /* Loads of branch b, from * vertices + to: first[b] to first[b + 1]. */
    uint32_t branches;
    uint32_t *first;
    bool *exists;
    struct cs_branch_load *load;
};

/* O(routes), of a machine of n nodes at most 16 n a branch. */
struct cs_branches cs_branches_of(const struct cs_net *net,
                                  const struct cs_branches_request *request,
                                  struct cs_arena *arena);
