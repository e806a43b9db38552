#include "validate/tcp/inbox.h"

#include <stdlib.h>

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
    cs_tcp_receives_done(inbox->receives, &inbox->target, held);
}

static int inbox_begin(struct cs_tcp_inbox *inbox, struct cs_err *err)
{
    struct cs_tcp_head head;
    int code = cs_tcp_head_read(inbox->head, &head, err);

    inbox->target = (struct cs_tcp_target){0};
    inbox->arrived = 0;
    inbox->staged = 0;
    if (!code)
        code = cs_tcp_receives_place(inbox->receives, inbox->peer, &head, &inbox->target, err);
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
