/*
 * What a fold takes whose ranks move blocks of two lengths.
 *
 * Where every link and every adder serves one lane, which uses it again when it
 * has done with it, nothing waits: a round is done when its slowest op is, and
 * that takes as long as on an idle machine.  So the lanes of the representatives
 * are gone through once, with times that are sums (sum.h): what an op takes
 * with a short block, and by what it takes longer if its block is a long one,
 * which depends on the copy.  Where an op of a round is slower in some copies
 * and faster in others, there is a lower and an upper bound; in the end they
 * must meet.
 */
#include "sim/base/units.h"
#include "sim/fold/state.h"
#include "sim/fold/sum.h"
#include "sim/program/matching.h"

#include <stdlib.h>
#include <string.h>

enum {
    FLOWS_MAX = 1 << 10,
    COUNTS_MAX = 1 << 25, /* flows x pieces: 128 MiB */
};

/* When something is done: bounds, and in the run of the longest blocks.  `high`
 * counts where they are apart; until then both are `low`. */
struct due {
    struct cs_sum low, high;
    uint64_t longest_ps;
    bool apart;
};

/* What a message takes where nothing else is. */
struct trip {
    struct cs_path path;
    uint64_t *busy_ps; /* by link of its way */
};

/* Messages of a lane to one rank, all of the same parts of pieces. */
struct pace_flow {
    uint32_t lane;
    uint32_t to;
    struct cs_blocks parts; /* of piece 0 */
    uint32_t hops;
    uint32_t *links;     /* classes */
    uint32_t *resources; /* of them, or CS_NOBODY if it is nobody's */
    struct turn *copies; /* of its links */
    struct turn *resource_copies;
    uint64_t bytes[2]; /* of a short one, of a long one */
    struct trip trip[2];
    uint64_t round; /* + 1, of the last message */
    /* Messages of each piece; in the end of all pieces before. */
    uint32_t *count;
    uint32_t next; /* of the lane, or CS_NOBODY */
};

struct walker {
    uint64_t round, rounds;
    struct due start, end;
    uint32_t pending, ended;  /* ops of the round */
    uint32_t flow, last_flow; /* or CS_NOBODY */
    uint64_t sums;            /* + 1, the last round in which it added up */
};

/* A message that is due, or a receive that is posted. */
struct pace_parcel {
    struct due due;
    uint32_t lane;
    uint32_t piece;
    struct turn from;    /* a receive: which copy sends */
    uint64_t take_ps[3]; /* to add up a short, a long, the longest piece */
    uint32_t next;       /* of those that are unused */
};

struct user {
    uint32_t lane; /* + 1; 0: nobody */
    struct turn copy;
    uint64_t round;
};

struct pace {
    struct cs_fold *fold;
    const struct quotient *quotient;
    const struct cs_fold_run *run;
    struct cs_circle_of_pieces circle;
    struct cs_arena arena;
    struct cs_mailbox box;
    struct cs_ops ops, folded;
    struct walker *walkers;
    struct pace_flow *flows;
    uint32_t flow_count;
    struct user *users; /* server */
    uint32_t *reducers; /* rank -> lane + 1; 0: nobody */
    uint32_t *ready;    /* lanes that go on */
    uint32_t ready_count;
    struct pace_parcel *parcels;
    uint32_t parcel_count, parcel_capacity, unused;
    struct cs_progress progress;
    bool stopped;
};

/* ---- flows ---- */

/* Two ranks, one message. */
struct probe {
    uint32_t src, dst, to;
    uint64_t bytes;
};

static uint64_t probe_rounds(const void *ctx, uint32_t rank, uint32_t lane)
{
    const struct probe *probe = ctx;

    (void)lane;
    return rank == probe->src || rank == probe->dst;
}

static void probe_round(const void *ctx, uint32_t rank, uint32_t lane,
                        uint64_t k, struct cs_ops *ops)
{
    const struct probe *probe = ctx;

    (void)lane;
    (void)k;
    if (rank == probe->src)
        cs_ops_push(ops, (struct cs_op){.kind = CS_OP_SEND,
                                        .peer = probe->dst,
                                        .source = probe->to,
                                        .amount = probe->bytes});
    if (rank == probe->dst)
        cs_ops_push(ops, (struct cs_op){.kind = CS_OP_RECV,
                                        .peer = probe->src,
                                        .amount = probe->bytes});
}

/* Sends one message on the idle machine. */
static bool make_trip(struct pace *pace, const struct pace_flow *flow,
                      uint32_t is_long, struct trip *trip)
{
    const struct cs_fold *fold = pace->fold;
    const struct probe probe = {
        .src = flow->lane / fold->program.lanes,
        .dst = member_of(&fold->group, flow->to).of,
        .to = flow->to,
        .bytes = flow->bytes[is_long],
    };
    struct cs_program program = fold->program;
    const struct cs_exec_request request = {.program = &program,
                                            .net = &fold->net,
                                            .model = pace->run->model,
                                            .params = pace->run->params,
                                            .eager = pace->run->eager};
    struct cs_arena arena = {0};
    struct cs_exec_result result;
    uint32_t i;
    int code;

    program.lanes = 1;
    program.ctx = &probe;
    program.rounds = probe_rounds;
    program.round = probe_round;
    code = cs_exec_run_watched(&request, &arena, &result, NULL);
    if (!code) {
        trip->path = result.path;
        trip->busy_ps = cs_arena_alloc(&pace->arena, flow->hops + 1,
                                       sizeof(*trip->busy_ps));
        for (i = 0; i < flow->hops; i++)
            trip->busy_ps[i] = result.use[flow->links[i]].busy_ps;
    }
    cs_arena_free(&arena);
    return !code;
}

/* Which links and servers it uses, of those that a message can wait for. */
static void find_links(struct pace *pace, struct pace_flow *flow)
{
    const struct quotient *quotient = pace->quotient;
    const struct cs_net *net = quotient->net;
    uint32_t room = net->max_hops + 1;
    uint32_t src = flow->lane / pace->fold->program.lanes;
    uint32_t i;

    flow->links = cs_arena_alloc(&pace->arena, room, sizeof(uint32_t));
    flow->resources = cs_arena_alloc(&pace->arena, room, sizeof(uint32_t));
    flow->copies = cs_arena_alloc(&pace->arena, room, sizeof(struct turn));
    flow->resource_copies =
        cs_arena_alloc(&pace->arena, room, sizeof(struct turn));
    flow->hops = net->route(net->route_ctx, src, flow->to, flow->links);
    for (i = 0; i < flow->hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, flow->links[i]);
        struct place place = place_of(&quotient->link, flow->links[i]);
        uint32_t class = quotient->link.class_of[place.number] - 1;

        flow->copies[i] = flow->resource_copies[i] =
            copy_of(&quotient->group, &quotient->link, place);
        if (!quotient->own_resources)
            flow->resource_copies[i] =
                copy_of(&quotient->group, &quotient->resource,
                        place_of(&quotient->resource, link.resource));
        flow->links[i] = class;
        flow->resources[i] = link.ps_per_byte == 0
                                 ? CS_NOBODY
                                 : pace->fold->net.links[class].resource;
    }
}

/* Takes the servers for the lane: false if another one, or the same of another
 * copy, has one of them. */
static bool take_resources(struct pace *pace, const struct pace_flow *flow)
{
    uint32_t i;

    for (i = 0; i < flow->hops; i++) {
        struct user *user;

        if (flow->resources[i] == CS_NOBODY)
            continue;
        user = &pace->users[flow->resources[i]];
        if (user->lane && (user->lane != flow->lane + 1 ||
                           user->copy.row != flow->resource_copies[i].row))
            return false;
        user->lane = flow->lane + 1;
        user->copy = flow->resource_copies[i];
    }
    return true;
}

static struct pace_flow *pace_new_flow(struct pace *pace, uint32_t lane,
                                       uint32_t to, struct cs_blocks parts)
{
    const struct sizes *sizes = &pace->quotient->sizes;
    struct pace_flow *flow = &pace->flows[pace->flow_count];

    if (pace->flow_count == FLOWS_MAX ||
        (uint64_t)(pace->flow_count + 1) * sizes->pieces > COUNTS_MAX)
        return NULL;
    *flow = (struct pace_flow){.lane = lane, .to = to, .parts = parts};
    flow->bytes[0] = short_bytes(sizes, parts);
    flow->bytes[1] = long_bytes(sizes, parts);
    find_links(pace, flow);
    if (!take_resources(pace, flow) ||
        !make_trip(pace, flow, 0, &flow->trip[0]) ||
        !make_trip(pace, flow, 1, &flow->trip[1]) ||
        cs_path_ps(&flow->trip[0].path) > cs_path_ps(&flow->trip[1].path) ||
        flow->trip[0].path.latency_ps != flow->trip[1].path.latency_ps)
        return NULL;
    flow->count =
        cs_arena_alloc(&pace->arena, sizes->pieces + 1, sizeof(*flow->count));
    flow->next = pace->walkers[lane].flow;
    pace->walkers[lane].flow = pace->flow_count++;
    return flow;
}

static bool is_of_flow(const struct pace_flow *flow, uint32_t to,
                       struct cs_blocks parts)
{
    return flow->to == to && flow->parts.first == parts.first &&
           flow->parts.count == parts.count;
}

static struct pace_flow *flow_of(struct pace *pace, uint32_t lane,
                                 const struct cs_op *op)
{
    struct walker *walker = &pace->walkers[lane];
    struct cs_blocks parts = {
        op->blocks.first % pace->quotient->sizes.cut.parts, op->blocks.count};
    uint32_t i = walker->last_flow;

    if (i != CS_NOBODY && is_of_flow(&pace->flows[i], op->peer, parts))
        return &pace->flows[i];
    for (i = walker->flow; i != CS_NOBODY; i = pace->flows[i].next)
        if (is_of_flow(&pace->flows[i], op->peer, parts))
            break;
    if (i == CS_NOBODY && !pace_new_flow(pace, lane, op->peer, parts))
        return NULL;
    walker->last_flow = i == CS_NOBODY ? pace->flow_count - 1 : i;
    return &pace->flows[walker->last_flow];
}

/* Of the messages of a round none goes over a server of another. */
static bool is_first_of_round(struct pace *pace, const struct pace_flow *flow)
{
    uint64_t round = pace->walkers[flow->lane].round + 1;
    uint32_t i;

    for (i = 0; i < flow->hops; i++) {
        struct user *user;

        if (flow->resources[i] == CS_NOBODY)
            continue;
        user = &pace->users[flow->resources[i]];
        if (user->round == round)
            return false;
        user->round = round;
    }
    return true;
}

/* ---- times ---- */

static void pace_add_path(struct cs_path *path, const struct cs_path *by)
{
    path->latency_ps += by->latency_ps;
    path->bandwidth_ps += by->bandwidth_ps;
    path->reduction_ps += by->reduction_ps;
    path->wait_ps += by->wait_ps;
}

static void pace_split(struct due *due)
{
    if (!due->apart)
        due->high = due->low;
    due->apart = true;
}

/* The piece takes `weight_ps` more if it is long. */
static void pace_add_piece(const struct pace *pace, struct due *due,
                           const struct cs_segment *segment)
{
    if (!due->apart && cs_sum_has_room(&due->low)) {
        cs_sum_add(&due->low, &pace->circle, segment, CS_AT_LEAST);
        return;
    }
    pace_split(due);
    cs_sum_add(&due->low, &pace->circle, segment, CS_AT_LEAST);
    cs_sum_add(&due->high, &pace->circle, segment, CS_AT_MOST);
}

static void add_trip(const struct pace *pace, struct due *due,
                     const struct pace_flow *flow, uint32_t piece)
{
    const struct cs_path *path = &flow->trip[0].path;
    const struct cs_path *longer = &flow->trip[1].path;
    const struct cs_segment segment = {.weight_ps = cs_path_ps(longer) -
                                                    cs_path_ps(path),
                                       .first = piece,
                                       .length = 1};
    bool is_long = may_be_long(&pace->quotient->sizes, piece);

    pace_add_path(&due->low.sure, path);
    pace_add_path(&due->high.sure, path);
    pace_add_piece(pace, due, &segment);
    due->longest_ps += cs_path_ps(is_long ? longer : path);
}

static void add_take(const struct pace *pace, struct due *due,
                     const struct pace_parcel *parcel)
{
    const struct cs_segment segment = {.weight_ps = parcel->take_ps[1] -
                                                    parcel->take_ps[0],
                                       .first = parcel->piece,
                                       .length = 1,
                                       .share = CS_OF_REDUCTION};

    if (parcel->take_ps[1] == 0)
        return;
    due->low.sure.reduction_ps += parcel->take_ps[0];
    due->high.sure.reduction_ps += parcel->take_ps[0];
    pace_add_piece(pace, due, &segment);
    due->longest_ps += parcel->take_ps[2];
}

/* *due becomes the later of both. */
static void wait_for(const struct pace *pace, struct due *due,
                     const struct due *other)
{
    uint64_t longest_ps = due->longest_ps > other->longest_ps
                              ? due->longest_ps
                              : other->longest_ps;
    struct due apart;

    if (!due->apart && !other->apart) {
        if (cs_sum_exceeds(&due->low, &other->low, &pace->circle)) {
            due->longest_ps = longest_ps;
            return;
        }
        if (cs_sum_exceeds(&other->low, &due->low, &pace->circle)) {
            *due = *other;
            due->longest_ps = longest_ps;
            return;
        }
    }
    apart = *other;
    pace_split(&apart);
    pace_split(due);
    due->low = cs_sum_max(&due->low, &apart.low, &pace->circle, CS_AT_LEAST);
    due->high = cs_sum_max(&due->high, &apart.high, &pace->circle, CS_AT_MOST);
    due->longest_ps = longest_ps;
}

/* One op of the lane is done.  Of equals the last one counts, as a receive does
 * behind a send: the chain that follows a block is the one whose pieces are
 * long together. */
static void op_ends(struct pace *pace, uint32_t lane, struct due due)
{
    struct walker *walker = &pace->walkers[lane];

    if (walker->ended++ > 0)
        wait_for(pace, &due, &walker->end);
    walker->end = due;
    if (--walker->pending == 0)
        pace->ready[pace->ready_count++] = lane;
}

/* ---- parcels ---- */

static uint32_t pace_new_parcel(struct pace *pace)
{
    uint32_t i = pace->unused;

    if (i != CS_NOBODY) {
        pace->unused = pace->parcels[i].next;
        return i;
    }
    if (pace->parcel_count == pace->parcel_capacity) {
        pace->parcel_capacity =
            pace->parcel_capacity ? 2 * pace->parcel_capacity : 64;
        pace->parcels = cs_grow(pace->parcels, pace->parcel_capacity,
                                sizeof(*pace->parcels));
    }
    return pace->parcel_count++;
}

static void pace_drop_parcel(struct pace *pace, uint32_t number)
{
    pace->parcels[number].next = pace->unused;
    pace->unused = number;
}

/* A message and its receive: done when both are there, and it is added up. */
static void pace_hand_over(struct pace *pace, uint32_t message,
                           uint32_t receive)
{
    const struct pace_parcel *parcel = &pace->parcels[receive];
    uint32_t lane = parcel->lane;
    struct due due = pace->parcels[message].due;
    uint32_t by = parcel->from.row * pace->fold->group.orbits;

    cs_sum_move(&due.low, &pace->circle, by);
    if (due.apart)
        cs_sum_move(&due.high, &pace->circle, by);
    wait_for(pace, &due, &parcel->due);
    add_take(pace, &due, parcel);
    pace_drop_parcel(pace, message);
    pace_drop_parcel(pace, receive);
    op_ends(pace, lane, due);
}

/* ---- rounds ---- */

static bool send_op(struct pace *pace, uint32_t lane, const struct cs_op *op,
                    const struct cs_op *folded)
{
    uint32_t lanes = pace->fold->program.lanes;
    struct pace_flow *flow = flow_of(pace, lane, op);
    uint32_t piece = piece_of(&pace->quotient->sizes.cut, op->blocks);
    struct cs_mail_key key = {
        folded->peer, lane / lanes,
        cs_op_channel(&pace->fold->program, lane % lanes, folded)};
    uint32_t number, receive;
    struct due due;

    if (!flow || !is_first_of_round(pace, flow))
        return false;
    flow->count[piece]++;
    due = pace->walkers[lane].start;
    add_trip(pace, &due, flow, piece);
    number = pace_new_parcel(pace);
    pace->parcels[number].due = due;
    receive = cs_mailbox_arrive(&pace->box, &key, number);
    if (receive != CS_NOBODY)
        pace_hand_over(pace, number, receive);
    op_ends(pace, lane, due);
    return true;
}

/* How long the party adds up such a block. */
static uint64_t take_of(const struct pace *pace, uint32_t rank, uint64_t bytes)
{
    const struct cs_net_party *party = &pace->fold->net.parties[rank];

    return cs_slowed_ps(
        party,
        cs_time_after(party->reduce_overhead_ps,
                      cs_time_up((double)bytes * party->reduce_ps_per_byte)));
}

/* What is received, or moved within the rank.  False if its adder serves
 * another lane, or serves twice in a round. */
static bool open_parcel(struct pace *pace, uint32_t lane,
                        const struct cs_op *op, struct pace_parcel *parcel)
{
    const struct sizes *sizes = &pace->quotient->sizes;
    uint32_t rank = lane / pace->fold->program.lanes;
    struct walker *walker = &pace->walkers[lane];

    *parcel = (struct pace_parcel){.due = walker->start, .lane = lane};
    parcel->piece = piece_of(&sizes->cut, op->blocks);
    if (op->kind == CS_OP_RECV)
        return true;
    parcel->take_ps[0] = take_of(pace, rank, short_bytes(sizes, op->blocks));
    parcel->take_ps[1] = take_of(pace, rank, long_bytes(sizes, op->blocks));
    parcel->take_ps[2] = parcel->take_ps[may_be_long(sizes, parcel->piece)];
    if (parcel->take_ps[1] == 0)
        return true;
    if ((pace->reducers[rank] && pace->reducers[rank] != lane + 1) ||
        walker->sums == walker->round + 1)
        return false;
    pace->reducers[rank] = lane + 1;
    walker->sums = walker->round + 1;
    return true;
}

static bool receive_op(struct pace *pace, uint32_t lane, const struct cs_op *op,
                       const struct cs_op *folded)
{
    uint32_t lanes = pace->fold->program.lanes;
    uint32_t number = pace_new_parcel(pace);
    struct cs_mail_key key = {
        lane / lanes, folded->peer,
        cs_op_channel(&pace->fold->program, lane % lanes, folded)};
    uint32_t message;

    if (!open_parcel(pace, lane, op, &pace->parcels[number]))
        return false;
    pace->parcels[number].from = member_of(&pace->fold->group, op->peer).copy;
    message = cs_mailbox_post(&pace->box, &key, number);
    if (message != CS_NOBODY)
        pace_hand_over(pace, message, number);
    return true;
}

static bool local_op(struct pace *pace, uint32_t lane, const struct cs_op *op)
{
    struct pace_parcel parcel;

    if (!open_parcel(pace, lane, op, &parcel))
        return false;
    add_take(pace, &parcel.due, &parcel);
    op_ends(pace, lane, parcel.due);
    return true;
}

static bool pace_start_op(struct pace *pace, uint32_t lane, uint32_t i)
{
    const struct cs_op *op = &pace->ops.op[i];
    const struct cs_op *folded = &pace->folded.op[i];

    if (!is_in_a_piece(&pace->quotient->sizes.cut, op->blocks) ||
        op->leaves != CS_LEAVES_AT_ONCE)
        return false;
    switch (op->kind) {
    case CS_OP_SEND:
        return send_op(pace, lane, op, folded);
    case CS_OP_RECV:
    case CS_OP_RECV_REDUCE:
        return receive_op(pace, lane, op, folded);
    case CS_OP_COPY:
    case CS_OP_REDUCE:
        return local_op(pace, lane, op);
    default:
        return false;
    }
}

static void get_ops(struct pace *pace, uint32_t lane, uint64_t round)
{
    const struct cs_program *of = pace->quotient->of;
    const struct cs_program *program = &pace->fold->program;
    uint32_t rank = lane / program->lanes;

    pace->ops.count = pace->folded.count = 0;
    of->round(of->ctx, rank, lane % program->lanes, round, &pace->ops);
    program->round(program->ctx, rank, lane % program->lanes, round,
                   &pace->folded);
}

/* The next round of the lane, and the next ones while they are empty. */
static bool pace_start_round(struct pace *pace, uint32_t lane)
{
    struct walker *walker = &pace->walkers[lane];
    uint32_t i;

    for (; walker->round < walker->rounds; walker->round++) {
        pace->progress.rounds_begun++;
        get_ops(pace, lane, walker->round);
        if (pace->ops.count == 0)
            continue;
        walker->ended = 0;
        walker->pending = pace->ops.count;
        for (i = 0; i < pace->ops.count; i++)
            if (!pace_start_op(pace, lane, i))
                return false;
        return true;
    }
    return true;
}

static bool pace_go_on(struct pace *pace)
{
    const struct cs_monitor *monitor = pace->run->monitor;

    if (monitor && pace->progress.rounds_begun % CS_MONITOR_STEPS == 0 &&
        !monitor->update(monitor->ctx, &pace->progress))
        pace->stopped = true;
    return !pace->stopped;
}

/* Goes through all rounds; false if that cannot be done so simply. */
static bool pace_walk(struct pace *pace)
{
    uint32_t lanes = pace->fold->program.ranks * pace->fold->program.lanes;
    uint32_t i;

    for (i = 0; i < lanes; i++)
        if (!pace_start_round(pace, i))
            return false;
    while (pace->ready_count > 0) {
        uint32_t lane = pace->ready[--pace->ready_count];
        struct walker *walker = &pace->walkers[lane];

        walker->start = walker->end;
        walker->round++;
        if (!pace_go_on(pace) || !pace_start_round(pace, lane))
            return false;
    }
    for (i = 0; i < lanes; i++)
        if (pace->walkers[i].round < pace->walkers[i].rounds)
            return false;
    return true;
}

/* ---- what it comes to ---- */

/* The time of the whole, where bounds meet. */
static bool settle_time(const struct pace *pace, struct cs_exec_result *result)
{
    uint32_t lanes = pace->fold->program.ranks * pace->fold->program.lanes;
    struct cs_path most = {0};
    uint64_t high_ps = 0;
    uint64_t longest_ps = 0;
    uint32_t i;

    for (i = 0; i < lanes; i++) {
        const struct due *due = &pace->walkers[i].start;
        struct cs_path low = cs_sum_most(&due->low, &pace->circle);
        struct cs_path high =
            due->apart ? cs_sum_most(&due->high, &pace->circle) : low;

        if (cs_path_ps(&low) >= cs_path_ps(&most))
            most = low;
        if (cs_path_ps(&high) > high_ps)
            high_ps = cs_path_ps(&high);
        if (due->longest_ps > longest_ps)
            longest_ps = due->longest_ps;
    }
    /* The simulation must have come to the same, of the longest blocks. */
    if (high_ps != cs_path_ps(&most) || longest_ps != result->time_ps)
        return false;
    result->time_ps = high_ps;
    result->path = most;
    return true;
}

/* Messages of each piece become messages of all pieces before it. */
static void sum_counts(const struct pace *pace)
{
    uint32_t pieces = pace->circle.pieces;
    uint32_t i, piece;

    for (i = 0; i < pace->flow_count; i++) {
        uint32_t *count = pace->flows[i].count;
        uint32_t before = 0;

        for (piece = 0; piece <= pieces; piece++) {
            uint32_t own = piece < pieces ? count[piece] : 0;

            count[piece] = before;
            before += own;
        }
    }
}

/* Messages of the flow, and how many of them are long in that copy. */
static uint32_t flow_messages(const struct pace *pace,
                              const struct pace_flow *flow)
{
    return flow->count[pace->circle.pieces];
}

static uint32_t long_messages(const struct pace *pace,
                              const struct pace_flow *flow, uint32_t row)
{
    const struct cs_circle_of_pieces *circle = &pace->circle;
    uint32_t by = (uint32_t)((uint64_t)row * circle->step % circle->pieces);
    uint32_t first = by ? circle->pieces - by : 0;
    uint64_t end = (uint64_t)first + circle->longer;

    if (end <= circle->pieces)
        return flow->count[end] - flow->count[first];
    return flow_messages(pace, flow) - flow->count[first] +
           flow->count[end - circle->pieces];
}

/* What short ones and long ones of the flow come to in that copy. */
static uint64_t flow_total(const struct pace *pace,
                           const struct pace_flow *flow, uint32_t row,
                           const uint64_t each[2])
{
    uint64_t longs = long_messages(pace, flow, row);

    return longs * each[1] + (flow_messages(pace, flow) - longs) * each[0];
}

/* What all ranks send, and the most that one does; false if that is too much
 * to be counted. */
static bool settle_bytes(struct pace *pace, struct cs_exec_result *result)
{
    uint32_t ranks = pace->fold->group.orbits;
    uint64_t *bytes = cs_arena_alloc(&pace->arena, ranks, sizeof(*bytes));
    uint32_t row, i;

    result->bytes_sent = result->bytes_sent_max = 0;
    for (row = 0; row < pace->fold->group.rows; row++) {
        memset(bytes, 0, ranks * sizeof(*bytes));
        for (i = 0; i < pace->flow_count; i++) {
            const struct pace_flow *flow = &pace->flows[i];
            uint32_t rank = flow->lane / pace->fold->program.lanes;

            bytes[rank] += flow_total(pace, flow, row, flow->bytes);
            if (bytes[rank] > result->bytes_sent_max)
                result->bytes_sent_max = bytes[rank];
        }
        for (i = 0; i < ranks; i++)
            if (__builtin_add_overflow(result->bytes_sent, bytes[i],
                                       &result->bytes_sent))
                return false;
    }
    return true;
}

/* The flows that use a link of a class, and by which of their hops. */
struct pace_crossing {
    uint32_t flow, hop;
    uint32_t next; /* or CS_NOBODY */
};

static uint32_t *find_crossings(struct pace *pace,
                                struct pace_crossing **crossings)
{
    uint32_t classes = pace->fold->net.link_count;
    uint32_t *first = cs_arena_alloc(&pace->arena, classes, sizeof(*first));
    uint32_t count = 0;
    uint32_t i, hop;

    for (i = 0; i < pace->flow_count; i++)
        count += pace->flows[i].hops;
    *crossings = cs_arena_alloc(&pace->arena, count + 1, sizeof(**crossings));
    for (i = 0; i < classes; i++)
        first[i] = CS_NOBODY;
    for (i = count = 0; i < pace->flow_count; i++)
        for (hop = 0; hop < pace->flows[i].hops; hop++, count++) {
            uint32_t class = pace->flows[i].links[hop];

            (*crossings)[count] = (struct pace_crossing){i, hop, first[class]};
            first[class] = count;
        }
    return first;
}

/* What that link of a class does. */
static struct cs_link_use pace_use_of(const struct pace *pace, struct turn copy,
                                      const struct pace_crossing *crossings,
                                      uint32_t number)
{
    struct cs_link_use use = {0};

    for (; number != CS_NOBODY; number = crossings[number].next) {
        const struct pace_crossing *crossing = &crossings[number];
        const struct pace_flow *flow = &pace->flows[crossing->flow];
        struct turn back =
            inverse(&pace->fold->group, flow->copies[crossing->hop]);
        uint32_t row = compose(&pace->fold->group, copy, back).row;
        const uint64_t busy_ps[2] = {flow->trip[0].busy_ps[crossing->hop],
                                     flow->trip[1].busy_ps[crossing->hop]};

        use.busy_ps += flow_total(pace, flow, row, busy_ps);
        use.bytes += flow_total(pace, flow, row, flow->bytes);
        use.messages += flow_messages(pace, flow);
    }
    return use;
}

/* Of each class of links the one that is busy longest, the machine's first of
 * equals. */
static void settle_links(struct pace *pace, struct cs_exec_result *result)
{
    const struct quotient *quotient = pace->quotient;
    struct pace_crossing *crossings;
    uint32_t *first = find_crossings(pace, &crossings);
    uint32_t i;

    for (i = 0; i < pace->fold->net.link_count; i++)
        if (first[i] != CS_NOBODY)
            result->use[i] = (struct cs_link_use){0};
    for (i = 0; i < quotient->net->link_count; i++) {
        struct place place = place_of(&quotient->link, i);
        uint32_t class = quotient->link.class_of[place.number] - 1;
        struct cs_link_use use;

        if (class == CS_NOBODY || first[class] == CS_NOBODY)
            continue;
        use =
            pace_use_of(pace, copy_of(&quotient->group, &quotient->link, place),
                        crossings, first[class]);
        if (use.busy_ps <= result->use[class].busy_ps)
            continue;
        result->use[class] = use;
        pace->fold->link[class] = i;
    }
}

/* ---- all of it ---- */

bool cs_fold_keeps_pace(const struct cs_fold *fold,
                        const struct cs_fold_run *run)
{
    const struct cs_link_model *model = run->model;

    return !fold->program.handshake && fold->program.main_lanes == 0 &&
           !model->ignores_links && !model->is_compat && !model->release &&
           !(run->eager && model->takes_eager) &&
           !(model->shares_buffers && run->params &&
             model->shares_buffers(run->params));
}

static void open_pace(struct pace *pace)
{
    const struct cs_program *program = &pace->fold->program;
    uint32_t lanes = program->ranks * program->lanes;
    uint32_t i;

    pace->circle =
        (struct cs_circle_of_pieces){.pieces = pace->quotient->sizes.pieces,
                                     .longer = pace->quotient->sizes.cut.longer,
                                     .step = pace->quotient->sizes.orbits};
    pace->unused = CS_NOBODY;
    pace->walkers = cs_arena_alloc(&pace->arena, lanes, sizeof(*pace->walkers));
    pace->flows = cs_arena_alloc(&pace->arena, FLOWS_MAX, sizeof(*pace->flows));
    pace->users = cs_arena_alloc(&pace->arena, pace->fold->net.resource_count,
                                 sizeof(*pace->users));
    pace->reducers =
        cs_arena_alloc(&pace->arena, program->ranks, sizeof(*pace->reducers));
    pace->ready = cs_arena_alloc(&pace->arena, lanes, sizeof(*pace->ready));
    cs_mailbox_init(&pace->box);
    for (i = 0; i < lanes; i++) {
        pace->walkers[i].rounds = program->rounds(
            program->ctx, i / program->lanes, i % program->lanes);
        pace->walkers[i].flow = pace->walkers[i].last_flow = CS_NOBODY;
        pace->progress.rounds += pace->walkers[i].rounds;
    }
}

static void close_pace(struct pace *pace)
{
    free(pace->parcels);
    cs_ops_free(&pace->ops);
    cs_ops_free(&pace->folded);
    cs_mailbox_free(&pace->box);
    cs_arena_free(&pace->arena);
}

static bool pace_settle(struct pace *pace, struct cs_exec_result *result)
{
    if (!pace_walk(pace) || !settle_time(pace, result))
        return false;
    sum_counts(pace);
    if (!settle_bytes(pace, result))
        return false;
    settle_links(pace, result);
    return true;
}

int cs_fold_pace(struct cs_fold *fold, const struct cs_fold_run *run,
                 struct cs_exec_result *result, struct cs_err *err)
{
    struct pace pace = {.fold = fold, .quotient = fold->quotient, .run = run};
    bool is_settled;

    open_pace(&pace);
    is_settled = pace_settle(&pace, result);
    close_pace(&pace);
    if (pace.stopped)
        return cs_err_set(err, CS_ESTOPPED,
                          "stopped in the account of unequal blocks");
    return is_settled ? 0 : CS_FOLD_UNEVEN;
}
