#include "validate/tcp/receives.h"

#include <inttypes.h>
#include <string.h>

/* Numbers of an inbox's targets: receives are even, strays odd. */
static uint32_t receives_number(uint32_t index, bool stray)
{
    return index << 1 | stray;
}

void cs_tcp_receives_init(struct cs_tcp_receives *receives, uint32_t self)
{
    *receives = (struct cs_tcp_receives){.self = self};
    cs_mailbox_init(&receives->box);
}

void cs_tcp_receives_free(struct cs_tcp_receives *receives)
{
    uint32_t i;

    for (i = 0; i < receives->receive_pool.count; i++)
        free(receives->receive[i].held);
    for (i = 0; i < receives->stray_pool.count; i++)
        free(receives->stray[i].held);
    free(receives->receive);
    free(receives->stray);
    cs_mailbox_free(&receives->box);
    *receives = (struct cs_tcp_receives){0};
}

void cs_tcp_receives_clear(struct cs_tcp_receives *receives)
{
    struct cs_tcp_receives kept = *receives;

    cs_tcp_receives_free(receives);
    cs_tcp_receives_init(receives, kept.self);
    receives->finished = kept.finished;
    receives->ctx = kept.ctx;
}

static uint32_t receives_new(struct cs_tcp_receives *receives, const struct cs_tcp_receive *what)
{
    struct cs_pool *pool = &receives->receive_pool;
    uint32_t index;

    if (cs_pool_is_full(pool))
        receives->receive = cs_grow(receives->receive, cs_pool_enlarge(pool), sizeof(*what));
    index = cs_pool_take(pool, &receives->receive->next, sizeof(*what));
    receives->receive[index] = *what;
    receives->receive[index].held = NULL;
    receives->receive[index].complete = false;
    return index;
}

static uint32_t receives_new_stray(struct cs_tcp_receives *receives)
{
    struct cs_pool *pool = &receives->stray_pool;
    uint32_t index;

    if (cs_pool_is_full(pool))
        receives->stray = cs_grow(receives->stray, cs_pool_enlarge(pool), sizeof(*receives->stray));
    index = cs_pool_take(pool, &receives->stray->next, sizeof(*receives->stray));
    receives->stray[index] = (struct cs_tcp_stray){.receive = CS_NONE};
    return index;
}

static int receives_refuse(uint32_t peer, uint64_t sent, uint64_t expected, struct cs_err *err)
{
    return cs_err_set(err, CS_EANSWER,
                      "party %u sent a message of %" PRIu64 " bytes where %" PRIu64 " are expected",
                      peer, sent, expected);
}

/* The end of a receive; its number may be used again. */
static void receives_end(struct cs_tcp_receives *receives, uint32_t index)
{
    uint32_t lane = receives->receive[index].lane;

    cs_pool_give(&receives->receive_pool, index, &receives->receive[index].next);
    receives->receive[index].lane = CS_NONE;
    receives->finished(receives->ctx, lane);
}

/* A message of a receive is complete in `held`, which is freed or kept. */
static void receives_settle(struct cs_tcp_receives *receives, uint32_t index, uint8_t *held)
{
    struct cs_tcp_receive *receive = &receives->receive[index];

    if (receive->waits) {
        receive->held = held;
        receive->complete = true;
        return;
    }
    if (held && receive->adds)
        cs_tcp_runs_add(&receive->runs, 0, held, receive->runs.bytes);
    else if (held)
        cs_tcp_runs_put(&receive->runs, 0, held, receive->runs.bytes);
    free(held);
    receives_end(receives, index);
}

void cs_tcp_receives_keep(struct cs_tcp_receives *receives, const struct cs_tcp_receive *what,
                          uint8_t *held)
{
    receives_settle(receives, receives_new(receives, what), held);
}

void cs_tcp_receives_release(struct cs_tcp_receives *receives, uint32_t lane)
{
    uint32_t i;

    for (i = 0; i < receives->receive_pool.count; i++) {
        struct cs_tcp_receive *receive = &receives->receive[i];
        uint8_t *held = receive->held;

        if (receive->lane != lane || !receive->waits)
            continue;
        receive->waits = false;
        receive->held = NULL;
        if (receive->complete)
            receives_settle(receives, i, held);
    }
}

/* A complete message that had no receive, and its receive. */
static void receives_unite(struct cs_tcp_receives *receives, uint32_t number, uint32_t receive)
{
    struct cs_tcp_stray *stray = &receives->stray[number];
    uint8_t *held = stray->held;

    stray->held = NULL;
    receives->stray_bytes -= stray->bytes;
    cs_pool_give(&receives->stray_pool, number, &stray->next);
    receives_settle(receives, receive, held);
}

static struct cs_mail_key receives_key(const struct cs_tcp_receives *receives, uint32_t peer,
                                       uint32_t channel)
{
    return (struct cs_mail_key){receives->self, peer, channel};
}

int cs_tcp_receives_post(struct cs_tcp_receives *receives, uint32_t peer, uint32_t channel,
                         const struct cs_tcp_receive *what, struct cs_err *err)
{
    struct cs_mail_key key = receives_key(receives, peer, channel);
    uint32_t index = receives_new(receives, what);
    uint32_t number = cs_mailbox_post(&receives->box, &key, index);
    struct cs_tcp_stray *stray;

    if (number == CS_NONE)
        return 0;
    stray = &receives->stray[number];
    if (stray->bytes != what->runs.bytes)
        return receives_refuse(peer, stray->bytes, what->runs.bytes, err);
    stray->receive = index;
    if (stray->complete)
        receives_unite(receives, number, index);
    return 0;
}

/* ---- calls of an inbox ---- */

static int receives_place_stray(struct cs_tcp_receives *receives, uint32_t peer,
                                const struct cs_tcp_head *head, uint32_t index,
                                struct cs_tcp_target *target, struct cs_err *err)
{
    struct cs_tcp_stray *stray = &receives->stray[index];

    if (head->bytes > receives->stray_bytes_max - receives->stray_bytes)
        return cs_err_set(err, CS_EANSWER,
                          "party %u sent a message of %" PRIu64 " bytes, more than the program has",
                          peer, head->bytes);
    receives->stray_bytes += head->bytes;
    stray->bytes = head->bytes;
    stray->peer = peer;
    target->hold = true;
    target->number = receives_number(index, true);
    return 0;
}

int cs_tcp_receives_place(struct cs_tcp_receives *receives, uint32_t peer,
                          const struct cs_tcp_head *head, struct cs_tcp_target *target,
                          struct cs_err *err)
{
    struct cs_mail_key key = receives_key(receives, peer, head->channel);
    const struct cs_tcp_receive *receive;
    uint32_t stray;
    uint32_t index;

    stray = receives_new_stray(receives);
    index = cs_mailbox_arrive(&receives->box, &key, stray);
    if (index == CS_NONE)
        return receives_place_stray(receives, peer, head, stray, target, err);
    cs_pool_give(&receives->stray_pool, stray, &receives->stray[stray].next);
    receive = &receives->receive[index];
    if (head->bytes != receive->runs.bytes)
        return receives_refuse(peer, head->bytes, receive->runs.bytes, err);
    target->runs = receive->runs;
    target->adds = receive->adds;
    target->hold = receive->waits;
    target->number = receives_number(index, false);
    return 0;
}

void cs_tcp_receives_done(struct cs_tcp_receives *receives, const struct cs_tcp_target *target,
                          uint8_t *held)
{
    uint32_t index = target->number >> 1;
    struct cs_tcp_stray *stray;

    if (!(target->number & 1)) {
        receives_settle(receives, index, held);
        return;
    }
    stray = &receives->stray[index];
    stray->complete = true;
    stray->held = held;
    if (stray->receive != CS_NONE)
        receives_unite(receives, index, stray->receive);
}
