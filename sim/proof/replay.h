/*
 * Replay: a program without time, carrying a value for each block it moves.
 *
 * Lanes take turns, a round each, so that nobody runs far ahead and few
 * messages are under way.  A sender goes on when its message is received, or
 * when nobody can go on otherwise: what it sends stays in use for as long as
 * it might, so that whoever writes there meanwhile is found.  What a value is and how two are added up is the
 * caller's (struct cs_algebra); only blocks of the window have values.  The
 * input never changes; scratch is kept whole, so a program that uses it or
 * moves blocks needs the window to be everything.
 *
 * A SEND is done when it has been received, which is stricter than execution:
 * a program must not count on messages that wait for their receive.
 *
 * Checked on the way, each naming rank, round and chunk: a receive that gets
 * other blocks than it expects, a party that waits for ever, a message that
 * nobody receives, ops of one round that disturb each other, lanes that race for a
 * block or a connection (races.h), a sum that the algebra refuses.
 */
#ifndef CS_SIM_PROOF_REPLAY_H
#define CS_SIM_PROOF_REPLAY_H

#include "sim/base/err.h"
#include "sim/engine/progress.h"
#include "sim/program/program.h"

enum {
    CS_NEVER_WRITTEN = UINT32_MAX
};

struct cs_replay;

/* One end of a move, which is a message and the receive that took it, or one
 * block that a copy or sum within a party moved: then both ends are the same
 * round of one lane. */
struct cs_replay_end {
    uint32_t party;
    uint32_t lane;
    uint64_t round;
    uint32_t place; /* of the op in its round */
    enum cs_buffer buffer;
    struct cs_blocks blocks;
};

struct cs_replay_move {
    struct cs_replay_end from;
    struct cs_replay_end to;
    bool adds;              /* to what was there; else replaces it */
    uint64_t amount;        /* bytes, where there are no blocks */
    const uint64_t *values; /* of the blocks in the window, in their order */
};

struct cs_algebra {
    /* What `rank` comes with in `block`; agents come with 0, nothing. */
    uint64_t (*initial)(const void *ctx, uint32_t rank, uint32_t block);
    /* a + b in *sum, or false: they must not be added.  Not called for an
     * agent's block that holds nothing, which takes what is added. */
    bool (*add)(const void *ctx, uint64_t a, uint64_t b, uint64_t *sum);
    const void *ctx;
    /* Called when a rank has done its reduce-scatter rounds; may be NULL. */
    void (*scattered)(void *watcher, const struct cs_replay *replay,
                      uint32_t rank);
    /* Called when a move is done, in an order in which causes come before
     * effects; may be NULL. */
    void (*moved)(void *watcher, const struct cs_replay_move *move);
    void *watcher;
    const struct cs_monitor *monitor; /* NULL: none */
    /* Where races take several replays (cs_races_parts), they are looked for in
     * part `order_part` - 1 of the parties, and nowhere with 0. */
    uint32_t order_part;
};

struct cs_replay_window {
    uint32_t first;
    uint32_t count;
};

/* Replays the whole program; the replay holds what the ranks hold at the end.
 * `*result` is made in any case and freed by the caller. */
int cs_replay_run(const struct cs_program *program,
                  const struct cs_algebra *algebra,
                  struct cs_replay_window window, struct cs_replay **result,
                  struct cs_err *err);
void cs_replay_free(struct cs_replay *replay);

/* What `party` holds in a block of the window, and the round in which it was
 * last received into it (CS_NEVER_WRITTEN). */
uint64_t cs_replay_value(const struct cs_replay *replay, uint32_t party,
                         uint32_t block);
uint32_t cs_replay_written(const struct cs_replay *replay, uint32_t party,
                           uint32_t block);

/* Whether several lanes of a party may have used a block or a channel; else one
 * order of them is as good as any.  Known where no races were looked for. */
bool cs_replay_shares(const struct cs_replay *replay);
uint64_t cs_replay_messages(const struct cs_replay *replay);

#endif
