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

static const struct cs_op *ring_round(struct ring_reader *reader, uint32_t lane, uint64_t k)
{
    const struct regions *regions = reader->regions;
    cs_program_read(regions->program, (struct cs_at){lane / regions->each, lane % regions->each, k},
                    &reader->ops);
    return reader->ops.op;
}

/* A send to one peer, then a receive. */
static bool ring_has_form(const struct cs_ops *ops)
{
    return ops->count == 2 && ops->op[0].kind == CS_OP_SEND &&
           ops->op[0].leaves == CS_LEAVES_AT_ONCE &&
           (ops->op[1].kind == CS_OP_RECV || ops->op[1].kind == CS_OP_RECV_REDUCE);
}

static bool ring_sums(struct ring_reader *reader, uint64_t k)
{
    return ring_round(reader, 0, k)[1].kind == CS_OP_RECV_REDUCE;
}

/* The rounds of lane 0 with sums, which are the first ones. */
static uint32_t count_sums(struct ring_reader *reader)
{
    uint32_t low = 0;
    uint32_t high = reader->regions->rounds;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (ring_sums(reader, middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether the round is that of the lane's ring. */
static bool ring_keeps(struct ring_reader *reader, uint32_t lane, uint64_t k)
{
    const struct regions *regions = reader->regions;
    const struct ring_lane *fixed = &regions->fixed[lane];
    const struct cs_op *op = ring_round(reader, lane, k);
    enum cs_op_kind kind = k < regions->sums ? CS_OP_RECV_REDUCE : CS_OP_RECV;

    return ring_has_form(&reader->ops) && op[1].kind == kind &&
           op[0].peer == fixed->to / regions->each && op[1].peer == fixed->from / regions->each &&
           op[0].channel == reader->channels[lane] &&
           op[1].channel == reader->channels[fixed->from] &&
           cs_op_bytes(&reader->cut, &op[0]) == fixed->bytes &&
           cs_op_bytes(&reader->cut, &op[1]) == regions->fixed[fixed->from].bytes;
}

/* Neighbours, channel and size by the first round. */
static bool read_lane(struct ring_reader *reader, uint32_t lane)
{
    const struct regions *regions = reader->regions;
    struct ring_lane *fixed = &regions->fixed[lane];
    const struct cs_op *op;

    if (cs_program_rounds(regions->program, lane / regions->each, lane % regions->each) !=
        regions->rounds)
        return false;
    op = ring_round(reader, lane, 0);
    if (!ring_has_form(&reader->ops))
        return false;
    fixed->to = op[0].peer * regions->each + lane % regions->each;
    fixed->from = op[1].peer * regions->each + lane % regions->each;
    fixed->bytes = cs_op_bytes(&reader->cut, &op[0]);
    reader->channels[lane] = op[0].channel;
    return true;
}

static bool read_route(struct ring_reader *reader, uint32_t lane, struct cs_arena *arena)
{
    const struct regions *regions = reader->regions;
    const struct cs_net *net = regions->net;
    struct ring_lane *fixed = &regions->fixed[lane];
    const struct cs_op *op = ring_round(reader, lane, 0);
    uint32_t src = lane / regions->each;
    uint32_t to = regions->program->folded ? op->source : op->peer;
    uint32_t *route;

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

static bool read_lanes(struct ring_reader *reader, struct cs_arena *arena)
{
    const struct regions *regions = reader->regions;

    for (uint32_t lane = 0; lane < regions->lane_count; lane++)
        if (!read_lane(reader, lane) || !read_route(reader, lane, arena))
            return false;
    for (uint32_t lane = 0; lane < regions->lane_count; lane++)
        if (regions->fixed[regions->fixed[lane].to].from != lane)
            return false;
    return true;
}

/* The first and the last rounds with sums and without, of every lane. */
static bool ends_keep(struct ring_reader *reader)
{
    const struct regions *regions = reader->regions;
    const uint64_t looks[] = {0, regions->sums - 1, regions->sums, regions->rounds - 1};

    for (uint32_t lane = 0; lane < regions->lane_count; lane++)
        for (uint32_t i = 0; i < 4; i++)
            if (looks[i] < regions->rounds && !ring_keeps(reader, lane, looks[i]))
                return false;
    return true;
}

static bool all_keep(struct ring_reader *reader)
{
    const struct regions *regions = reader->regions;

    for (uint32_t lane = 0; lane < regions->lane_count; lane++)
        for (uint64_t k = 0; k < regions->rounds; k++)
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

        if (!ring_keeps(reader, lane, cs_mix64(state + 2 * i + 1) % regions->rounds))
            return false;
    }
    return true;
}

static bool read_program(struct ring_reader *reader, uint64_t seed, uint64_t *checked,
                         struct cs_arena *arena)
{
    struct regions *regions = reader->regions;
    uint64_t all = (uint64_t)regions->lane_count * regions->rounds;

    if (!read_lanes(reader, arena))
        return false;
    regions->sums = count_sums(reader);
    *checked = all <= CS_FOLD_ROUNDS ? all : CS_FOLD_DRAWN;
    return ends_keep(reader) &&
           (all <= CS_FOLD_ROUNDS ? all_keep(reader) : drawn_keep(reader, seed));
}

bool cs_ring_lanes_read(struct regions *regions, uint64_t seed, uint64_t *checked,
                        struct cs_arena *arena)
{
    const struct cs_program *program = regions->program;
    struct cs_arena scratch = {0};
    struct ring_reader reader = {.regions = regions, .cut = cs_cut_of(program)};
    uint64_t rounds = cs_program_rounds(program, 0, 0);
    bool is_read;

    if (rounds == 0 || rounds >= UINT32_MAX)
        return false;
    regions->rounds = (uint32_t)rounds;
    regions->fixed = cs_arena_alloc(arena, regions->lane_count, sizeof(*regions->fixed));
    reader.channels = cs_arena_alloc(&scratch, regions->lane_count, sizeof(*reader.channels));
    reader.links = cs_arena_alloc(&scratch, regions->net->max_hops, sizeof(*reader.links));
    is_read = read_program(&reader, seed, checked, arena);
    cs_ops_free(&reader.ops);
    cs_arena_free(&scratch);
    return is_read;
}
