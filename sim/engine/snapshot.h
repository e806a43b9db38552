/*
 * The state of a run relative to the time of the run, for comparison.
 *
 * A snapshot has every value that the further course depends on: pending events
 * in order, messages and receives by content, lanes, queues and free times of
 * resources and reducers.  Times are relative to now, rounds are relative to the
 * round of the lane, and values without further effect are left out: a resource
 * that is free before now is idle, however long.  Two equal snapshots of one run
 * have the same continuation as long as the further ops of the lanes are equal.
 *
 * Beside the state a snapshot has the amounts that grow: rounds of lanes, totals
 * of links and parties, critical paths of messages and receives, in the order of
 * the state.
 *
 *     take, equals   O(state log state)
 */
#ifndef CS_SIM_ENGINE_SNAPSHOT_H
#define CS_SIM_ENGINE_SNAPSHOT_H

#include "sim/engine/state.h"

enum cs_snapshot_owner {
    CS_PATH_OF_MESSAGE,
    CS_PATH_OF_RECEIVE,
    CS_PATH_OF_LANE,
};

/* The path of a message or receive in flight, or of a lane with an op that has
 * ended now. */
struct cs_snapshot_path {
    struct cs_path path;
    uint32_t number;
    enum cs_snapshot_owner of;
};

struct cs_snapshot {
    uint64_t now_ps;
    uint64_t added;  /* events */
    uint64_t *words; /* the state */
    uint32_t count, room;
    struct cs_snapshot_path *paths;
    uint32_t path_count, path_room;
    uint64_t *rounds;        /* by lane */
    uint64_t *sent_bytes;    /* by party */
    struct cs_link_use *use; /* by link */
    uint64_t messages, bytes_sent, waits, delivered, rounds_begun;
};

/* A snapshot zeroed with {0} is empty and may be taken again and again. */
void cs_snapshot_take(struct cs_snapshot *snapshot, const struct exec *exec);
void cs_snapshot_free(struct cs_snapshot *snapshot);

bool cs_snapshot_equals(const struct cs_snapshot *a,
                        const struct cs_snapshot *b);

/* A hash of times of events and of pending ops: different for different states,
 * mostly.  O(events + lanes). */
uint64_t cs_snapshot_hash(const struct exec *exec);

#endif
