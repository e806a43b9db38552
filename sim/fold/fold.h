/*
 * Folding: interchangeable ranks are simulated once.
 *
 * The search finds a group of automorphisms of machine and program under which
 * every element but the neutral element moves every rank, and every used link
 * and resource.  The ranks then fall into orbits of equal size; one rank of
 * each orbit is simulated, on one link of each orbit of links, and the history
 * of the remaining ranks is the image of the simulated history.
 *
 * Three families of groups are tried, for s from the period of the colours on:
 * r -> r + g s (mod p), a rotation; r -> r xor g s; and rotations in two
 * directions, of nodes and inside all nodes.  The colour of a rank follows from
 * its operations and its wires, refined by the colours of its message partners.
 * A candidate is then checked: the routes of every pair of ranks that exchange
 * messages (from one block of nodes, where routes move with the nodes); the rounds of every rank, completely up to CS_FOLD_ROUNDS, beyond
 * by a random sample (of rotations in two directions also the first and the
 * last round of each rank).
 *
 * Rotations inside of nodes, of any number of consecutive ranks, enlarge a rotation of nodes; or
 * hold alone where nodes are not equal, as over leaves that are not full.  Ranks of one place in
 * their nodes then become neighbours, and ranks are renumbered.  Ranks of different nodes of a row
 * keep their order in every copy, whatever their places.
 *
 * Where a program orders the lanes of a rank by turns (struct cs_program), a
 * permutation of ranks may exchange channels as well: the group is then searched by
 * following messages (search.h), and ranks and lanes are renumbered.
 * Agents that serve ranks (struct cs_program, served) are moved along: an agent is
 * split by channel, so that a permutation of the ranks of a node moves the parts of
 * the switch of that node (renumber.h).  The parts have no queue in common, as such
 * agents add at the rate of arrival; what an agent holds at most is counted as
 * the sum of what its parts hold at most.
 *
 * The result equals that of the unfolded run to the picosecond where the order
 * of events of equal time is the same in every copy, or has no effect:
 *
 *   - Messages that reach a link at one time are served in the order of their
 *     histories: times first, and in the end the place of the lanes that launched
 *     them, by lane and then by rank (sim/engine/round.h).  Only the last step
 *     refers to ranks, and the group keeps the order of ranks (that of the program,
 *     where it has one) within a block of `orbits` ranks.  The simulated run watches
 *     for messages from different blocks that reach the last step (struct cs_tie);
 *     such a run is not folded by this group, but may be by a smaller one, whose blocks
 *     are larger: of ranks of a node that meet at an adapter, by that of nodes.
 *   - Max-min fair shares (model fluid) are the same in every copy, but for the order
 *     in which a solver sums rates: in runs of minutes an end may be off by a picosecond
 *     in one copy, and what it reaches takes another turn (5e-6 of 150 s seen).  Of two
 *     resources with one level either may hold a flow back: where a route has one
 *     that only the sender uses and another one, the division of a wait into
 *     bandwidth and waiting may differ, and nothing else (is_cause_open).
 *   - In further models (folds_queues is false) a run in which a message or a sum
 *     waited is not folded.
 *
 * Where the vector does not divide into equal blocks, ranks of one orbit move
 * blocks of two lengths, and each rank has times of its own.  The simulated run
 * then gives every message the length of the longest message of its orbit.
 *
 *   Lower bound: where every link and reducer serves a single lane, and the
 *   lane returns to the resource only after its previous use, no message can
 *   queue, whatever the lengths; so the simulated run is no shorter.
 *   Upper bound: one of the chains that lead to the end, moved by some element
 *   of the group, has long blocks only; so the real run is no shorter either.
 *
 * Both conditions are checked (pace.c), and link traffic is counted for every
 * rank.  Buffer memory in addition to the vectors is that of the longest blocks.
 *
 * Rings over groups of ranks without common links, such as the nodes of a fat tree,
 * are simulated group by group, with jumps over the rounds that repeat in each
 * (regions.h): also where no two ranks do the same, and every rank represents
 * itself.
 */
#pragma once

#include "sim/fold/request.h"

/*
 * Finds the largest group.  *fold and all its parts are in the arena; without a
 * group *fold is NULL and *why the reason.  Program and net must outlive *fold.
 * CS_ESTOPPED where the monitor requests a stop.
 * O(ranks + pairs x copies + rounds of a rank) time; O(links) memory, counting
 * identical nodes once.
 */
int cs_fold_find(const struct cs_fold_request *request, struct cs_arena *arena,
                 struct cs_fold **fold, const char **why, struct cs_err *err);

/*
 * Runs the quotient and extends the result to all ranks, except for `use`,
 * indexed by link of fold->net, and `events`, the number of simulated events.
 * Returns CS_FOLD_WAITED, soon, where a message or sum queued and the model or
 * unequal blocks allow none, CS_FOLD_TIED where the order of ranks decides,
 * CS_FOLD_UNEVEN where blocks have two lengths and the longer blocks are not proven
 * to set the time, and CS_FOLD_ALONE where every rank represents itself and regions
 * save nothing; the result is then invalid.  Further codes are those of cs_exec_run.
 */
int cs_fold_run(struct cs_fold *fold, const struct cs_fold_run *run, struct cs_arena *arena,
                struct cs_exec_result *result, struct cs_err *err);

/* Whether messages cross that link of the net of the request.  O(1). */
bool cs_fold_uses(const struct cs_fold *fold, uint32_t link);
