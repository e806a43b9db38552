#include "validate/tcp/receives.h"

#include <inttypes.h>
#include <stdlib.h>

void cs_tcp_receives_init(struct cs_tcp_receives *receives, uint32_t self)
{
    *receives = (struct cs_tcp_receives){.self = self};
    cs_mailbox_init(&receives->box);
}

void cs_tcp_receives_free(struct cs_tcp_receives *receives)
{
    for (uint32_t i = 0; i < receives->pool.count; i++)
        free(receives->receive[i].held);
    free(receives->receive);
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
    struct cs_pool *pool = &receives->pool;
    uint32_t index;

    if (cs_pool_is_full(pool))
        receives->receive = cs_grow(receives->receive, cs_pool_enlarge(pool), sizeof(*what));
    index = cs_pool_take(pool, &receives->receive->next, sizeof(*what));
    receives->receive[index] = *what;
    return index;
}

static void receives_drop(struct cs_tcp_receives *receives, uint32_t index)
{
    cs_pool_give(&receives->pool, index, &receives->receive[index].next);
    receives->receive[index].lane = CS_NONE;
}

static int receives_refuse(uint32_t peer, uint64_t sent, uint64_t expected, struct cs_err *err)
{
    return cs_err_set(err, CS_EANSWER,
                      "party %u sent a message of %" PRIu64 " bytes where %" PRIu64 " are expected",
                      peer, sent, expected);
}

/* A message of a receive is complete in `held`, which is freed or kept. */
static void receives_settle(struct cs_tcp_receives *receives, uint32_t index, uint8_t *held)
{
    struct cs_tcp_receive *receive = &receives->receive[index];
    uint32_t lane = receive->lane;

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
    receives_drop(receives, index);
    receives->finished(receives->ctx, lane);
}

void cs_tcp_receives_keep(struct cs_tcp_receives *receives, const struct cs_tcp_receive *what,
                          uint8_t *held)
{
    receives_settle(receives, receives_new(receives, what), held);
}

void cs_tcp_receives_release(struct cs_tcp_receives *receives, uint32_t lane)
{
    for (uint32_t i = 0; i < receives->pool.count; i++) {
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
    struct cs_tcp_receive stray;

    if (number == CS_NONE)
        return 0;
    stray = receives->receive[number];
    if (stray.runs.bytes != what->runs.bytes)
        return receives_refuse(peer, stray.runs.bytes, what->runs.bytes, err);
    receives_drop(receives, index);
    receives->stray_bytes -= stray.runs.bytes;
    receives->receive[number] = *what;
    if (stray.complete)
        receives_settle(receives, number, stray.held);
    return 0;
}

/* ---- calls of an inbox ---- */

static int tcp_receives_place(struct cs_tcp_receives *receives, uint32_t peer,
                              const struct cs_tcp_head *head, struct cs_tcp_target *target,
                              struct cs_err *err)
{
    struct cs_mail_key key = receives_key(receives, peer, head->channel);
    const struct cs_tcp_receive unknown = {.runs.bytes = head->bytes, .lane = CS_NONE};
    uint32_t stray = receives_new(receives, &unknown);
    uint32_t index = cs_mailbox_arrive(&receives->box, &key, stray);
    const struct cs_tcp_receive *receive;

    if (index == CS_NONE) {
        if (head->bytes > receives->stray_bytes_max - receives->stray_bytes)
            return cs_err_set(err, CS_EANSWER,
                              "party %u sent a message of %" PRIu64
                              " bytes, more than the program has",
                              peer, head->bytes);
        receives->stray_bytes += head->bytes;
        target->hold = true;
        target->number = stray;
        return 0;
    }
    receives_drop(receives, stray);
    receive = &receives->receive[index];
    if (head->bytes != receive->runs.bytes)
        return receives_refuse(peer, head->bytes, receive->runs.bytes, err);
    target->runs = receive->runs;
    target->adds = receive->adds;
    target->hold = receive->waits;
    target->number = index;
    return 0;
}

static void tcp_receives_done(struct cs_tcp_receives *receives, const struct cs_tcp_target *target,
                              uint8_t *held)
{
    struct cs_tcp_receive *receive = &receives->receive[target->number];

    if (receive->lane != CS_NONE) {
        receives_settle(receives, target->number, held);
        return;
    }
    receive->complete = true;
    receive->held = held;
}

enum {
    STAGE_BYTES = 256 << 10, /* sums stay in the cache of a core */
};

void cs_tcp_inbox_open(struct cs_tcp_inbox *inbox, uint32_t peer, struct cs_tcp_receives *receives)
{
    *inbox = (struct cs_tcp_inbox){.receives = receives, .peer = peer};
}

void cs_tcp_inbox_free(struct cs_tcp_inbox *inbox)
{
    free(inbox->stage);
    free(inbox->held);
    *inbox = (struct cs_tcp_inbox){0};
}

/* The rest of the first run, or of the second. */
static struct cs_tcp_run inbox_direct(const struct cs_tcp_inbox *inbox)
{
    const struct cs_tcp_run *run = inbox->target.runs.run;
    uint64_t offset = inbox->arrived;

    if (offset >= run->bytes) {
        offset -= run->bytes;
        run++;
    }
    return (struct cs_tcp_run){run->at + offset, run->bytes - offset};
}

struct cs_tcp_run cs_tcp_inbox_room(struct cs_tcp_inbox *inbox)
{
    uint64_t left = inbox->bytes - inbox->arrived;

    if (inbox->head_bytes < CS_TCP_HEAD)
        return (struct cs_tcp_run){inbox->head + inbox->head_bytes,
                                   CS_TCP_HEAD - inbox->head_bytes};
    if (inbox->target.hold)
        return (struct cs_tcp_run){inbox->held + inbox->arrived, left};
    if (!inbox->target.adds)
        return inbox_direct(inbox);
    if (!inbox->stage)
        inbox->stage = cs_grow(NULL, STAGE_BYTES, 1);
    if (left > STAGE_BYTES - inbox->staged)
        left = STAGE_BYTES - inbox->staged;
    return (struct cs_tcp_run){inbox->stage + inbox->staged, left};
}

static void inbox_finish(struct cs_tcp_inbox *inbox)
{
    uint8_t *held = inbox->held;

    inbox->head_bytes = 0;
    inbox->held = NULL;
    tcp_receives_done(inbox->receives, &inbox->target, held);
}

static int inbox_begin(struct cs_tcp_inbox *inbox, struct cs_err *err)
{
    struct cs_tcp_head head;
    int code = cs_tcp_head_read(inbox->head, &head, err);

    inbox->target = (struct cs_tcp_target){0};
    inbox->arrived = 0;
    inbox->staged = 0;
    if (!code)
        code = tcp_receives_place(inbox->receives, inbox->peer, &head, &inbox->target, err);
    if (code)
        return code;
    inbox->bytes = head.bytes;
    if (inbox->target.hold)
        inbox->held = cs_grow(NULL, head.bytes + 1, 1);
    if (head.bytes == 0)
        inbox_finish(inbox);
    return 0;
}

int cs_tcp_inbox_took(struct cs_tcp_inbox *inbox, size_t bytes, struct cs_err *err)
{
    if (inbox->head_bytes < CS_TCP_HEAD) {
        inbox->head_bytes += (uint32_t)bytes;
        return inbox->head_bytes == CS_TCP_HEAD ? inbox_begin(inbox, err) : 0;
    }
    inbox->arrived += bytes;
    if (inbox->target.adds && !inbox->target.hold) {
        inbox->staged += bytes;
        if (inbox->staged == STAGE_BYTES || inbox->arrived == inbox->bytes) {
            cs_tcp_runs_add(&inbox->target.runs, inbox->arrived - inbox->staged, inbox->stage,
                            inbox->staged);
            inbox->staged = 0;
        }
    }
    if (inbox->arrived == inbox->bytes)
        inbox_finish(inbox);
    return 0;
}
