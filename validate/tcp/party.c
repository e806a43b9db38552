#include "validate/tcp/member.h"

#include "sim/base/clock.h"
#include "sim/base/collections/vector.h"
#include "sim/program/lanes.h"
#include "validate/tcp/receives.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    EVENTS = 16,
    READ_BYTES = 1 << 20, /* of one peer before the next one */
    IDLE_MS = 100,        /* between looks at the deadline */
};

/* A message on its way into a socket. */
struct outgoing {
    uint8_t head[CS_TCP_HEAD];
    struct cs_tcp_runs runs;
    size_t sent; /* of the head and the runs */
    uint32_t lane;
};

/* Messages to a peer: items first to count, in order. */
struct party_peer {
    int socket;
    bool watched; /* for room to write */
    struct outgoing *items;
    uint32_t first, count, room;
    struct cs_tcp_inbox inbox;
};

struct cs_tcp_party {
    struct cs_tcp_links links;
    int events; /* of epoll */
    struct party_peer *peers;
    struct cs_tcp_buffers buffers;
    struct cs_tcp_receives receives;
    struct cs_lanes lanes;
    uint32_t lane_room;
    uint32_t *sends; /* by lane: of the round, not yet taken by the kernel */
    uint32_t *ready; /* lanes whose round is over */
    uint32_t ready_count;
    uint32_t open_lanes;
    struct cs_ops ops;
};

/* ---- lanes ---- */

static void party_op_done(void *ctx, uint32_t lane)
{
    struct cs_tcp_party *party = ctx;

    if (cs_lane_op_done(&party->lanes.lane[lane]))
        party->ready[party->ready_count++] = lane;
}

/* After a round: lanes that wait for the lane have their op done. */
static void party_wake(struct cs_tcp_party *party, uint32_t lane)
{
    uint32_t waiter = 0;

    for (;;) {
        waiter = cs_lanes_take_waiter(&party->lanes, lane, waiter);
        if (waiter == CS_NO_LANE)
            return;
        party_op_done(party, waiter++);
    }
}

/* ---- ops ---- */

static struct cs_tcp_runs party_runs(struct cs_tcp_party *party, const struct cs_op *op)
{
    return cs_tcp_buffers_runs(&party->buffers, op->buffer, op->blocks, op->amount);
}

static bool party_is_sent(struct cs_tcp_party *party, const struct cs_tcp_runs *runs)
{
    for (uint32_t i = 0; i < party->ops.count; i++) {
        const struct cs_op *op = &party->ops.op[i];
        struct cs_tcp_runs sent;

        if (op->kind != CS_OP_SEND || op->blocks.count == 0)
            continue;
        sent = party_runs(party, op);
        if (cs_tcp_runs_overlap(&sent, runs))
            return true;
    }
    return false;
}

static struct cs_tcp_receive party_receive(struct cs_tcp_party *party, const struct cs_op *op,
                                           uint32_t lane)
{
    struct cs_tcp_receive receive = {
        .runs = party_runs(party, op),
        .lane = lane,
        .adds =
            op->blocks.count > 0 && (op->kind == CS_OP_RECV_REDUCE || op->kind == CS_OP_REDUCE)};

    receive.waits = receive.adds && party_is_sent(party, &receive.runs);
    return receive;
}

static void party_send(struct cs_tcp_party *party, const struct cs_op *op, uint32_t lane)
{
    struct party_peer *peer = &party->peers[op->peer];
    struct cs_tcp_head head = {cs_op_channel(party->buffers.program, lane, op), 0};
    struct outgoing *item;

    if (peer->first > 0 && peer->first + peer->count == peer->room) {
        memmove(peer->items, peer->items + peer->first, peer->count * sizeof(*peer->items));
        peer->first = 0;
    }
    peer->items = cs_vector_room(peer->items, peer->first + peer->count + 1, &peer->room,
                                 sizeof(*peer->items));
    item = &peer->items[peer->first + peer->count++];
    *item = (struct outgoing){.runs = party_runs(party, op), .lane = lane};
    head.bytes = item->runs.bytes;
    cs_tcp_head_write(&head, item->head);
    party->sends[lane]++;
}

/* A copy within the party goes through memory of its own, so that the two
 * places may overlap. */
static void party_copy(struct cs_tcp_party *party, const struct cs_op *op, uint32_t lane)
{
    struct cs_tcp_receive what = party_receive(party, op, lane);
    struct cs_tcp_runs from =
        cs_tcp_buffers_runs(&party->buffers, op->source_buffer,
                            (struct cs_blocks){op->source, op->blocks.count}, op->amount);
    uint8_t *held = cs_grow(NULL, from.bytes + 1, 1);

    assert(from.bytes == what.runs.bytes);
    memcpy(held, from.run[0].at, from.run[0].bytes);
    if (from.run[1].bytes > 0)
        memcpy(held + from.run[0].bytes, from.run[1].at, from.run[1].bytes);
    cs_tcp_receives_keep(&party->receives, &what, held);
}

static int party_start_op(struct cs_tcp_party *party, const struct cs_op *op, uint32_t lane,
                          struct cs_err *err)
{
    const struct cs_program *program = party->buffers.program;
    struct cs_tcp_receive receive;

    switch (op->kind) {
    case CS_OP_SEND:
        party_send(party, op, lane);
        return 0;
    case CS_OP_RECV:
    case CS_OP_RECV_REDUCE:
        receive = party_receive(party, op, lane);
        return cs_tcp_receives_post(&party->receives, op->peer, cs_op_channel(program, lane, op),
                                    &receive, err);
    case CS_OP_COPY:
    case CS_OP_REDUCE:
        party_copy(party, op, lane);
        return 0;
    case CS_OP_WAIT:
        if (cs_lanes_wait(&party->lanes, lane, op))
            party_op_done(party, lane);
        return 0;
    default:
        return cs_err_set(err, CS_EINPUT,
                          "the program computes beside its messages, which is not run over TCP");
    }
}

/* Starts the next rounds of the lane up to one with ops. */
static int party_start_round(struct cs_tcp_party *party, uint32_t lane, struct cs_err *err)
{
    const struct cs_program *program = party->buffers.program;
    struct cs_lane *state = &party->lanes.lane[lane];
    int code = 0;

    party->ops.count = 0;
    while (party->ops.count == 0 && state->round < state->rounds) {
        program->round(program->ctx, (struct cs_at){party->links.self, lane, state->round},
                       &party->ops);
        if (party->ops.count == 0) {
            state->round++;
            party_wake(party, lane);
        }
    }
    if (party->ops.count == 0) {
        party->open_lanes--;
        return 0;
    }
    state->pending = party->ops.count;
    for (uint32_t i = 0; i < party->ops.count && !code; i++)
        code = party_start_op(party, &party->ops.op[i], lane, err);
    return code;
}

/* ---- sockets ---- */

static int party_gone(const struct cs_tcp_party *party, uint32_t peer, int number,
                      struct cs_err *err)
{
    char name[CS_PARTY_NAME];

    cs_party_name(party->buffers.program, peer, name);
    if (number == 0 || number == ECONNRESET || number == EPIPE)
        return cs_err_set(err, CS_EANSWER, "%s closed its connection", name);
    return cs_err_set(err, CS_EANSWER, "the connection to %s failed: %s", name, strerror(number));
}

/* Parts of a message that are not sent. */
static int outgoing_parts(struct outgoing *item, struct iovec parts[3])
{
    struct cs_tcp_run all[3] = {{item->head, CS_TCP_HEAD}, item->runs.run[0], item->runs.run[1]};
    size_t skip = item->sent;
    int count = 0;

    for (int i = 0; i < 3; i++) {
        if (skip >= all[i].bytes) {
            skip -= all[i].bytes;
            continue;
        }
        parts[count++] = (struct iovec){all[i].at + skip, all[i].bytes - skip};
        skip = 0;
    }
    return count;
}

static void party_watch(struct cs_tcp_party *party, uint32_t number, bool for_room)
{
    struct party_peer *peer = &party->peers[number];
    struct epoll_event event = {.events = EPOLLIN | (for_room ? (uint32_t)EPOLLOUT : 0),
                                .data.u32 = number};

    if (peer->watched == for_room)
        return;
    peer->watched = for_room;
    epoll_ctl(party->events, EPOLL_CTL_MOD, peer->socket, &event);
}

static void party_sent(struct cs_tcp_party *party, struct party_peer *peer)
{
    uint32_t lane = peer->items[peer->first].lane;

    peer->first++;
    if (--peer->count == 0)
        peer->first = 0;
    party_op_done(party, lane);
    if (--party->sends[lane] == 0)
        cs_tcp_receives_release(&party->receives, lane);
}

/* Writes until the kernel takes no more. */
static int party_flush(struct cs_tcp_party *party, uint32_t number, struct cs_err *err)
{
    struct party_peer *peer = &party->peers[number];

    while (peer->count > 0) {
        struct outgoing *item = &peer->items[peer->first];
        struct iovec parts[3];
        int count = outgoing_parts(item, parts);
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
        ssize_t wrote = sendmsg(peer->socket, &message, MSG_NOSIGNAL);

        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0 && errno != EAGAIN)
            return party_gone(party, number, errno, err);
        if (wrote < 0) {
            party_watch(party, number, true);
            return 0;
        }
        item->sent += (size_t)wrote;
        if (item->sent == CS_TCP_HEAD + item->runs.bytes)
            party_sent(party, peer);
    }
    party_watch(party, number, false);
    return 0;
}

static int party_read(struct cs_tcp_party *party, uint32_t number, struct cs_err *err)
{
    struct party_peer *peer = &party->peers[number];
    size_t left = READ_BYTES;

    while (left > 0) {
        struct cs_tcp_run room = cs_tcp_inbox_room(&peer->inbox);
        size_t most = room.bytes < left ? room.bytes : left;
        ssize_t got = read(peer->socket, room.at, most);
        int code;

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return 0;
        if (got <= 0)
            return party_gone(party, number, got < 0 ? errno : 0, err);
        code = cs_tcp_inbox_took(&peer->inbox, (size_t)got, err);
        if (code)
            return code;
        if ((size_t)got < most)
            return 0;
        left -= (size_t)got;
    }
    return 0;
}

int cs_tcp_party_feed(struct cs_tcp_party *party, uint32_t peer, const uint8_t *bytes, size_t count,
                      struct cs_err *err)
{
    struct cs_tcp_inbox *inbox = &party->peers[peer].inbox;
    int code = 0;

    while (count > 0 && !code) {
        struct cs_tcp_run room = cs_tcp_inbox_room(inbox);
        size_t part = room.bytes < count ? room.bytes : count;

        memcpy(room.at, bytes, part);
        bytes += part;
        count -= part;
        code = cs_tcp_inbox_took(inbox, part, err);
    }
    return code;
}

/* ---- the loop ---- */

/* Starts rounds until every lane waits for messages. */
static int party_advance(struct cs_tcp_party *party, struct cs_err *err)
{
    int code = 0;

    while (!code) {
        while (party->ready_count > 0 && !code) {
            uint32_t lane = party->ready[--party->ready_count];

            party_wake(party, lane);
            code = party_start_round(party, lane, err);
        }
        for (uint32_t i = 0; i < party->links.count && !code; i++)
            if (party->peers[i].count > 0 && !party->peers[i].watched)
                code = party_flush(party, i, err);
        if (party->ready_count == 0)
            break;
    }
    return code;
}

static int party_serve(struct cs_tcp_party *party, struct cs_err *err)
{
    struct epoll_event events[EVENTS];
    int timeout = party->links.waiting == CS_TCP_POLL ? 0 : IDLE_MS;
    int count = epoll_wait(party->events, events, EVENTS, timeout);
    int code = 0;

    for (int i = 0; i < count && !code; i++) {
        if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))
            code = party_read(party, events[i].data.u32, err);
        if (events[i].events & EPOLLOUT && !code)
            code = party_flush(party, events[i].data.u32, err);
    }
    return code;
}

int cs_tcp_party_start(struct cs_tcp_party *party, struct cs_err *err)
{
    int code = 0;

    for (uint32_t lane = 0; lane < party->lanes.each && !code; lane++)
        code = party_start_round(party, lane, err);
    return code;
}

int cs_tcp_party_run(struct cs_tcp_party *party, uint64_t deadline_ns, struct cs_err *err)
{
    int code = cs_tcp_party_start(party, err);

    if (!code)
        code = party_advance(party, err);
    while (!code && party->open_lanes > 0) {
        code = party_serve(party, err);
        if (!code)
            code = party_advance(party, err);
        if (!code && party->open_lanes > 0 && cs_clock_ns() > deadline_ns)
            code = cs_err_set(err, CS_EANSWER, "the collective did not end before the deadline");
    }
    return code;
}

/* ---- the party ---- */

struct cs_tcp_party *cs_tcp_party_new(const struct cs_tcp_links *links, struct cs_err *err)
{
    struct cs_tcp_party *party = cs_grow(NULL, 1, sizeof(*party));

    *party = (struct cs_tcp_party){.links = *links};
    party->events = epoll_create1(EPOLL_CLOEXEC);
    party->peers = cs_grow(NULL, links->count, sizeof(*party->peers));
    cs_tcp_receives_init(&party->receives, links->self);
    party->receives.finished = party_op_done;
    party->receives.ctx = party;
    for (uint32_t i = 0; i < links->count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};

        party->peers[i] = (struct party_peer){.socket = links->sockets[i]};
        cs_tcp_inbox_open(&party->peers[i].inbox, i, &party->receives);
        if (links->sockets[i] >= 0 &&
            epoll_ctl(party->events, EPOLL_CTL_ADD, links->sockets[i], &event) != 0 &&
            party->events >= 0)
            cs_err_set(err, CS_ECANNOT, "cannot watch a socket: %s", strerror(errno));
    }
    if (party->events >= 0)
        return party;
    cs_err_set(err, CS_ECANNOT, "cannot watch sockets: %s", strerror(errno));
    cs_tcp_party_free(party);
    return NULL;
}

void cs_tcp_party_free(struct cs_tcp_party *party)
{
    if (!party)
        return;
    for (uint32_t i = 0; i < party->links.count; i++) {
        cs_tcp_inbox_free(&party->peers[i].inbox);
        free(party->peers[i].items);
    }
    if (party->events >= 0)
        close(party->events);
    cs_tcp_receives_free(&party->receives);
    cs_tcp_buffers_free(&party->buffers);
    cs_ops_free(&party->ops);
    free(party->lanes.lane);
    free(party->sends);
    free(party->ready);
    free(party->peers);
    free(party);
}

void cs_tcp_party_prepare(struct cs_tcp_party *party, const struct cs_program *program)
{
    uint32_t lanes = program->lanes;

    cs_tcp_receives_clear(&party->receives);
    cs_tcp_buffers_open(&party->buffers, program, party->links.self);
    cs_tcp_buffers_fill(&party->buffers);
    if (lanes > party->lane_room) {
        party->lanes.lane = cs_grow(party->lanes.lane, lanes, sizeof(*party->lanes.lane));
        party->sends = cs_grow(party->sends, lanes, sizeof(*party->sends));
        party->ready = cs_grow(party->ready, lanes, sizeof(*party->ready));
        party->lane_room = lanes;
    }
    party->lanes.each = lanes;
    party->lanes.count = lanes;
    party->open_lanes = lanes;
    party->ready_count = 0;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        party->lanes.lane[lane] = (struct cs_lane){
            .rounds = cs_program_rounds(program, party->links.self, lane), .waits_for = CS_NO_LANE};
        party->sends[lane] = 0;
    }
    party->receives.stray_bytes_max =
        (uint64_t)cs_program_parties(program) *
            (party->buffers.cut.vector_bytes + party->buffers.room[CS_SCRATCH]) +
        (1 << 20);
}

uint64_t cs_tcp_party_check(const struct cs_tcp_party *party)
{
    return cs_tcp_buffers_check(&party->buffers);
}
