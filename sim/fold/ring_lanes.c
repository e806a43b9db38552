#include "sim/fold/region_state.h"

#include "sim/base/random.h"
#include "sim/fold/request.h"

struct ring_reader {
    struct regions *regions;
    struct cs_cut cut;
    struct cs_ops ops;
    uint32_t *channels; /* by lane: of its messages */
    uint32_t *links;    /* room for a route */
};

/* The ops of a round that move data: the send and the receive, or NULL. */
struct ring_round {
    const struct cs_op *send, *receive;
};

static bool is_receive(const struct cs_op *op)
{
    return op->kind == CS_OP_RECV || op->kind == CS_OP_RECV_REDUCE;
}

/* False where the round has anything but up to one send and one receive. */
static bool ring_read(struct ring_reader *reader, uint32_t lane, uint64_t k,
                      struct ring_round *round)
{
    const struct regions *regions = reader->regions;

    *round = (struct ring_round){0};
    cs_program_read(regions->program, (struct cs_at){lane / regions->each, lane % regions->each, k},
                    &reader->ops);
    for (uint32_t i = 0; i < reader->ops.count; i++) {
        const struct cs_op *op = &reader->ops.op[i];

        if (op->kind == CS_OP_SEND && op->leaves == CS_LEAVES_AT_ONCE && !round->send)
            round->send = op;
        else if (is_receive(op) && !round->receive)
            round->receive = op;
        else
            return false;
    }
    return round->send || round->receive;
}

static uint32_t lane_of_peer(const struct regions *regions, uint32_t lane, const struct cs_op *op)
{
    return op ? op->peer * regions->each + lane % regions->each : CS_NONE;
}

/* The number of rounds, of `count`, that have the property: the first ones do. */
static uint32_t count_first(struct ring_reader *reader, uint32_t lane, uint32_t count,
                            bool (*of)(struct ring_reader *reader, uint32_t lane, uint64_t k))
{
    uint32_t low = 0;
    uint32_t high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (of(reader, lane, middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool ring_sums(struct ring_reader *reader, uint32_t lane, uint64_t k)
{
    struct ring_round round;

    return ring_read(reader, lane, k, &round) && round.receive &&
           round.receive->kind == CS_OP_RECV_REDUCE;
}

/* Whether message k is longer than the last one. */
static bool ring_is_longer(struct ring_reader *reader, uint32_t lane, uint64_t k)
{
    const struct ring_lane *fixed = &reader->regions->fixed[lane];
    struct ring_round round;

    return ring_read(reader, lane, k + fixed->idle, &round) && round.send &&
           cs_op_bytes(&reader->cut, round.send) > fixed->bytes;
}

/* Whether the round is that of the lane's ring or line. */
static bool ring_keeps(struct ring_reader *reader, uint32_t lane, uint64_t k)
{
    const struct regions *regions = reader->regions;
    const struct ring_lane *fixed = &regions->fixed[lane];
    bool sends = fixed->to != CS_NONE && k >= fixed->idle;
    bool receives = k < fixed->receives;
    enum cs_op_kind kind = k < fixed->sums ? CS_OP_RECV_REDUCE : CS_OP_RECV;
    struct ring_round round;

    if (!ring_read(reader, lane, k, &round) || !round.send != !sends || !round.receive != !receives)
        return false;
    if (sends && (lane_of_peer(regions, lane, round.send) != fixed->to ||
                  round.send->channel != reader->channels[lane] ||
                  cs_op_bytes(&reader->cut, round.send) !=
                      ring_lane_bytes(fixed, (uint32_t)k - fixed->idle)))
        return false;
    return !receives || (round.receive->kind == kind &&
                         lane_of_peer(regions, lane, round.receive) == fixed->from &&
                         round.receive->channel == reader->channels[fixed->from] &&
                         cs_op_bytes(&reader->cut, round.receive) ==
                             ring_lane_bytes(&regions->fixed[fixed->from], (uint32_t)k));
}

/* Sizes by the first and the last message, and the number of the longer ones. */
static void read_sizes(struct ring_reader *reader, uint32_t lane, struct ring_round last)
{
    struct ring_lane *fixed = &reader->regions->fixed[lane];
    struct ring_round first;

    fixed->bytes = cs_op_bytes(&reader->cut, last.send);
    if (!ring_read(reader, lane, fixed->idle, &first) || !first.send ||
        cs_op_bytes(&reader->cut, first.send) <= fixed->bytes)
        return;
    fixed->more = cs_op_bytes(&reader->cut, first.send) - fixed->bytes;
    fixed->longer = count_first(reader, lane, fixed->rounds - fixed->idle, ring_is_longer);
}

/* Neighbours, channel and sizes by the first round and the last. */
static bool read_lane(struct ring_reader *reader, uint32_t lane)
{
    const struct regions *regions = reader->regions;
    struct ring_lane *fixed = &regions->fixed[lane];
    struct cs_at first = {lane / regions->each, lane % regions->each, 0};
    uint64_t rounds = cs_program_rounds(regions->program, first.party, first.lane);
    struct ring_round round;

    if (rounds == 0 || rounds >= UINT32_MAX || !ring_read(reader, lane, 0, &round))
        return false;
    fixed->rounds = (uint32_t)rounds;
    fixed->idle = !round.send;
    fixed->from = lane_of_peer(regions, lane, round.receive);
    if (!ring_read(reader, lane, rounds - 1, &round))
        return false;
    fixed->to = lane_of_peer(regions, lane, round.send);
    fixed->receives = fixed->from == CS_NONE ? 0 : fixed->rounds - !round.receive;
    if (round.send) {
        reader->channels[lane] = round.send->channel;
        read_sizes(reader, lane, round);
    }
    fixed->sums = count_first(reader, lane, fixed->receives, ring_sums);
    return true;
}

static bool read_route(struct ring_reader *reader, uint32_t lane, struct cs_arena *arena)
{
    const struct regions *regions = reader->regions;
    const struct cs_net *net = regions->net;
    struct ring_lane *fixed = &regions->fixed[lane];
    uint32_t src = lane / regions->each;
    struct ring_round round;
    uint32_t *route, to;

    if (fixed->to == CS_NONE)
        return true;
    if (!ring_read(reader, lane, fixed->idle, &round) || !round.send)
        return false;
    to = regions->program->folded ? round.send->source : round.send->peer;
    fixed->hops = net->route(net->route_ctx, src, to, reader->links);
    route = cs_arena_alloc(arena, fixed->hops, sizeof(*route));
    for (uint32_t i = 0; i < fixed->hops; i++) {
        route[i] = reader->links[i];
        fixed->latency_ps += net->links[route[i]].latency_ps;
    }
    fixed->route = route;
    if (net->origins) {
        struct cs_origin *origins = cs_arena_alloc(arena, fixed->hops + 1, sizeof(*origins));

        net->origins(net->route_ctx, src, to, origins);
        fixed->origins = origins;
    }
    return fixed->hops > 0;
}

/* Whether the messages of the lane are those that the next one receives. */
static bool lane_is_received(const struct regions *regions, uint32_t lane)
{
    const struct ring_lane *fixed = &regions->fixed[lane];

    if (fixed->from != CS_NONE && regions->fixed[fixed->from].to != lane)
        return false;
    return fixed->to == CS_NONE ||
           (regions->fixed[fixed->to].from == lane &&
            regions->fixed[fixed->to].receives == fixed->rounds - fixed->idle);
}

/* From the starts of lines on; those of rings have none. */
static void add_latencies(const struct regions *regions)
{
    for (uint32_t start = 0; start < regions->lane_count; start++) {
        uint32_t lane = regions->fixed[start].from == CS_NONE ? start : CS_NONE;
        uint64_t at_ps = 0;

        for (; lane != CS_NONE; lane = regions->fixed[lane].to)
            at_ps = regions->fixed[lane].begins_ps =
                cs_time_after(at_ps, regions->fixed[lane].latency_ps);
    }
}

static bool read_lanes(struct ring_reader *reader, struct cs_arena *arena)
{
    struct regions *regions = reader->regions;

    for (uint32_t lane = 0; lane < regions->lane_count; lane++) {
        const struct ring_lane *fixed = &regions->fixed[lane];

        if (!read_lane(reader, lane) || !read_route(reader, lane, arena))
            return false;
        regions->rounds += fixed->rounds;
        regions->messages += fixed->to == CS_NONE ? 0 : fixed->rounds - fixed->idle;
    }
    for (uint32_t lane = 0; lane < regions->lane_count; lane++)
        if (!lane_is_received(regions, lane))
            return false;
    add_latencies(regions);
    return true;
}

/* The first and the last rounds of each kind, of every lane. */
static bool ends_keep(struct ring_reader *reader)
{
    const struct regions *regions = reader->regions;

    for (uint32_t lane = 0; lane < regions->lane_count; lane++) {
        const struct ring_lane *fixed = &regions->fixed[lane];
        const uint32_t ends[] = {1, fixed->sums, fixed->idle + fixed->longer, fixed->receives,
                                 fixed->rounds};

        for (uint32_t i = 0; i < 5; i++)
            for (uint32_t k = ends[i] ? ends[i] - 1 : 0; k <= ends[i] && k < fixed->rounds; k++)
                if (!ring_keeps(reader, lane, k))
                    return false;
    }
    return true;
}

static bool all_keep(struct ring_reader *reader)
{
    const struct regions *regions = reader->regions;

    for (uint32_t lane = 0; lane < regions->lane_count; lane++)
        for (uint64_t k = 0; k < regions->fixed[lane].rounds; k++)
            if (!ring_keeps(reader, lane, k))
                return false;
    return true;
}

static bool drawn_keep(struct ring_reader *reader, uint64_t seed)
{
    const struct regions *regions = reader->regions;
    uint64_t state = cs_mix64(seed);

    for (uint64_t i = 0; i < CS_FOLD_DRAWN; i++) {
        uint32_t lane = (uint32_t)(cs_mix64(state + 2 * i) % regions->lane_count);

        if (!ring_keeps(reader, lane, cs_mix64(state + 2 * i + 1) % regions->fixed[lane].rounds))
            return false;
    }
    return true;
}

bool cs_ring_lanes_read(struct regions *regions, uint64_t seed, uint64_t *checked,
                        struct cs_arena *arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct ring_reader reader = {.regions = regions, .cut = cs_cut_of(regions->program)};
    bool is_read;

    regions->fixed = cs_arena_alloc(arena, regions->lane_count, sizeof(*regions->fixed));
    reader.channels = cs_arena_alloc(&scratch, regions->lane_count, sizeof(*reader.channels));
    reader.links = cs_arena_alloc(&scratch, regions->net->max_hops, sizeof(*reader.links));
    is_read = read_lanes(&reader, arena);
    *checked = regions->rounds <= CS_FOLD_ROUNDS ? regions->rounds : CS_FOLD_DRAWN;
    is_read = is_read && ends_keep(&reader) &&
              (regions->rounds <= CS_FOLD_ROUNDS ? all_keep(&reader) : drawn_keep(&reader, seed));
    cs_ops_free(&reader.ops);
    return is_read;
}
