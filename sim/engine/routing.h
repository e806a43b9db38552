/*
 * Messages on several shortest routes: ECMP, spraying, adaptive routing.
 *
 * ECMP.  A switch chooses the next link by a hash.  A flow is a pair of network
 * ports (of parties, where the machine has no formula for its routes), whose
 * messages all take one route; with `by_pair` every connection, a
 * pair of parties and a channel, has `queue_pairs` queue pairs, each with a hash
 * of its own (the hash: cs_route_choice_hash()).  A message is spread over the
 * queue pairs in equal parts of a packet (CS_PATHS_PACKET bytes) or more: in
 * turns, slice by slice, a library has the same long-term rates, those of the
 * slowest queue pair.
 *
 * Spraying.  A message is spread over all shortest routes in equal parts, at
 * most CS_PATHS_MAX of them, from a hash of pair and round on.
 *
 * Adaptive.  Each part takes the route with the least bytes under way, in time
 * of the links: the sum over its links of the bytes of messages that have left and not
 * arrived over the rate.  Of routes of equal load the first from the hash on, of
 * CS_PATHS_MAX routes at most.  Switches know queues; bytes under way are those of
 * all switches at once, without delay.
 *
 * A part is a message of its own for the network, with latency and contention;
 * the message arrives, and leaves its sender, with the last part.  A message
 * between parties with a single shortest route stays whole.
 *
 * Cost: O(hops) a part, and with least load O(routes x hops).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum cs_paths_how {
    CS_PATHS_HASHED,
    CS_PATHS_SPRAYED,
    CS_PATHS_LEAST_LOADED,
};

enum {
    CS_PATHS_PACKET = 4096, /* bytes: the MTU of InfiniBand and RoCE */
    CS_PATHS_MAX = 64,      /* parts of a message, or routes compared */
    CS_QUEUE_PAIRS_MAX = 1024,
};

struct cs_paths {
    enum cs_paths_how how;
    uint32_t queue_pairs; /* of a connection; 0 means 1 */
    bool by_pair;         /* each queue pair has a hash; false: the flow has */
    uint64_t seed;
};

/* Whether the same message at another time takes the same routes. */
static inline bool cs_paths_are_fixed(const struct cs_paths *paths)
{
    return paths->how == CS_PATHS_HASHED;
}

/* Whether all messages of a pair take one route. */
static inline bool cs_paths_are_by_flow(const struct cs_paths *paths)
{
    return paths->how == CS_PATHS_HASHED && !paths->by_pair;
}
