#include "validate/gpu/model.h"

#include "algorithms/schedules/export.h"
#include "sim/base/text.h"
#include "sim/engine/exec.h"
#include "sim/models/models.h"
#include "validate/cuda/op_table.h"
#include "validate/cuda/slot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t gpus_of(const struct cs_gpu_query *query)
{
    return query->gpus > 1 ? query->gpus : 1;
}

/* Of the GPU that has most. */
static uint32_t ranks_of_gpu(const struct cs_gpu_query *query)
{
    return (query->ranks + gpus_of(query) - 1) / gpus_of(query);
}

double cs_gpu_footprint(const struct cs_gpu_query *query)
{
    bool inputs = cs_same(query->algorithm, "naive");

    return (double)query->bytes * ranks_of_gpu(query) * (inputs ? 2 : 1);
}

/* ---- the machine of one question ---- */

/* Links of a party, which are one server. */
enum port {
    OUT, /* to slots of its GPU, or of the host */
    IN,
    FAR, /* out to slots of another GPU */
    PORTS,
};

/* Links of a GPU; the first three are its memory, which is one server. */
enum medium {
    MEMORY, /* what is put and got */
    READ,   /* what is put elsewhere */
    WRITE,  /* what is got that was put from elsewhere */
    EGRESS,
    INGRESS,
    MEDIA,
    SERVERS = MEDIA - WRITE,
};

/* Links of the host; what crosses twice is on the same server. */
enum pcie {
    UP,
    DOWN,
    UP_TWICE,
    DOWN_TWICE,
    LANES,
    SETUPS = UP_TWICE,
};

enum {
    HOPS_MAX = 6,
};

/* What a party does beyond the first slice of a message out and in. */
struct turns {
    double looks; /* more of them in a round: each moves what is ready */
    double moves; /* more messages that are sent, or arrive, together */
    double moved; /* bytes sent and received */
    uint64_t sent, arrived; /* the last round, from 1, that messages are of */
};

/* What a program does, counted op by op. */
struct tally {
    double adds, adding_rounds;
    double reducers; /* that add at once: adds a round in which somebody does */
    double moved;    /* bytes that all ports send and receive */
    double touched;  /* bytes of vectors that are read or written */
    double largest;  /* bytes of the largest message */
    double slices;   /* that are sent, of all messages and channels */
    double sends, sending_rounds; /* messages; rounds in which somebody sends */
    struct turns *turns;          /* by party */
    /* Bytes that are received, by who sends in the same round and who does not. */
    double received, received_alone;
};

struct machine {
    const struct cs_gpu_model *model;
    const struct cs_gpu_query *query;
    const struct cs_program *program;
    struct cs_net net;
    bool eager; /* a send is done when the bytes have left */
    const char *link_model;
    double out_Bps, in_Bps, far_Bps, gamma_s; /* of a rank: seconds a byte */
    double put_Bps, get_Bps;                  /* of all blocks of a GPU */
    double peer_Bps;
    double up_Bps, down_Bps;
    double alpha_s, far_alpha_s;
    double sync_s, move_s, far_sync_s; /* of a look, and a slice more */
    double hop_s;   /* the first slice's way out of memory of the host */
    double start_s; /* of a run beyond its messages */
    double sum_s;   /* of a kernel that adds up, beyond what it adds */
    struct tally tally;
};

static bool through_host(const struct machine *machine)
{
    return !cs_same(machine->query->transport, "device");
}

static bool by_engines(const struct machine *machine)
{
    return cs_same(machine->query->transport, "copy");
}

static bool is_host_server(const struct machine *machine, uint32_t party)
{
    return party >= machine->query->ranks && machine->query->servers_on_host;
}

/* Ranks are in blocks on GPUs, servers on the first. */
static uint32_t gpu_of(const struct machine *machine, uint32_t party)
{
    uint32_t ranks = machine->query->ranks;

    return party < ranks
               ? (uint32_t)((uint64_t)party * gpus_of(machine->query) / ranks)
               : 0;
}

static uint32_t gpu_model_port(uint32_t party, enum port which)
{
    return PORTS * party + which;
}

static uint32_t gpu_model_medium(const struct machine *machine, uint32_t gpu,
                                 enum medium which)
{
    return PORTS * machine->net.party_count + MEDIA * gpu + which;
}

static uint32_t gpu_model_pcie(const struct machine *machine, enum pcie which)
{
    return PORTS * machine->net.party_count + MEDIA * gpus_of(machine->query) +
           which;
}

static uint32_t gpu_model_route(void *ctx, uint32_t src, uint32_t dst,
                                uint32_t *links)
{
    const struct machine *machine = ctx;
    uint32_t from = gpu_of(machine, src);
    uint32_t to = gpu_of(machine, dst);
    bool host = through_host(machine) || is_host_server(machine, src) ||
                is_host_server(machine, dst);
    uint32_t hops = 0;

    if (by_engines(machine)) {
        links[0] = gpu_model_pcie(machine, UP);
        links[1] = gpu_model_pcie(machine, DOWN);
        return 2;
    }
    links[hops++] = gpu_model_port(src, !host && from != to ? FAR : OUT);
    if (host) {
        /* The server's vector is there too (model.h). */
        links[hops++] = gpu_model_pcie(
            machine, is_host_server(machine, dst) ? UP_TWICE : UP);
        links[hops++] =
            gpu_model_pcie(machine, is_host_server(machine, src) ||
                                            is_host_server(machine, dst)
                                        ? DOWN_TWICE
                                        : DOWN);
    } else if (from == to) {
        links[hops++] = gpu_model_medium(machine, from, MEMORY);
    } else {
        links[hops++] = gpu_model_medium(machine, from, READ);
        links[hops++] = gpu_model_medium(machine, from, EGRESS);
        links[hops++] = gpu_model_medium(machine, to, INGRESS);
        links[hops++] = gpu_model_medium(machine, to, WRITE);
    }
    links[hops++] = gpu_model_port(dst, IN);
    return hops;
}

/* How often the thread block of one channel looks in a round beyond its first
 * look: a slice of each op that is ready is moved at a time, and costs once. */
static uint64_t looks_of(const struct cs_slot_cut *cut, uint32_t channel,
                         const struct cs_ops *ops)
{
    uint64_t most = 0;
    uint32_t i;

    for (i = 0; i < ops->count; i++) {
        const struct cs_op *op = &ops->op[i];
        uint64_t slices = op->kind == CS_OP_WAIT
                              ? 0
                              : cs_slot_slices(cut, channel, op->blocks.first,
                                               op->blocks.count);

        most = slices > most ? slices : most;
    }
    return most > 0 ? most - 1 : 0;
}

static bool has_sends(const struct cs_ops *ops)
{
    bool sends = false;
    uint32_t i;

    for (i = 0; i < ops->count; i++)
        sends |= ops->op[i].kind == CS_OP_SEND;
    return sends;
}

static void count_op(struct tally *tally, const struct cs_op *op, double bytes,
                     bool sends)
{
    bool adds = op->kind == CS_OP_RECV_REDUCE;

    tally->adds += adds;
    tally->moved += bytes;
    tally->touched += bytes * (adds ? 2 : 1);
    tally->largest = fmax(tally->largest, bytes);
    if (op->kind != CS_OP_SEND)
        *(sends ? &tally->received : &tally->received_alone) += bytes;
}

/* The last channel to be done counts. */
static double looks_of_all(const struct cs_slot_cut *slots,
                           const struct cs_ops *ops)
{
    uint64_t looks = 0;
    uint32_t i;

    for (i = 0; i < slots->channels; i++) {
        uint64_t here = looks_of(slots, i, ops);

        looks = here > looks ? here : looks;
    }
    return (double)looks;
}

/* A message that is sent in round k: who sends or gets more than one of them
 * moves one after the other. */
static void count_message(struct tally *tally, uint64_t k, uint32_t from,
                          uint32_t to)
{
    struct turns *sender = &tally->turns[from];
    struct turns *receiver = &tally->turns[to];

    sender->moves += sender->sent == k + 1;
    sender->sent = k + 1;
    receiver->moves += receiver->arrived == k + 1;
    receiver->arrived = k + 1;
    tally->sends++;
}

static uint64_t slices_of(const struct cs_slot_cut *slots,
                          const struct cs_op *op)
{
    uint64_t slices = 0;
    uint32_t i;

    for (i = 0; i < slots->channels; i++)
        slices += cs_slot_slices(slots, i, op->blocks.first, op->blocks.count);
    return slices;
}

static void count_round(struct machine *machine, const struct cs_cut *cut,
                        const struct cs_slot_cut *slots, uint32_t party,
                        uint64_t k, const struct cs_ops *ops)
{
    struct tally *tally = &machine->tally;
    struct turns *turns = &tally->turns[party];
    bool sends = has_sends(ops);
    uint32_t i;

    for (i = 0; i < ops->count; i++) {
        const struct cs_op *op = &ops->op[i];
        double bytes = (double)cs_op_bytes(cut, op);

        if (op->kind == CS_OP_WAIT)
            continue;
        count_op(tally, op, bytes, sends);
        turns->moved += bytes;
        if (op->kind != CS_OP_SEND)
            continue;
        tally->slices += (double)slices_of(slots, op);
        count_message(tally, k, party, op->peer);
    }
    turns->looks += looks_of_all(slots, ops);
}

/* Round k of every lane; whether there is one. */
static bool gpu_model_count_rounds(struct machine *machine,
                                   const struct cs_cut *cut,
                                   const struct cs_slot_cut *slots,
                                   struct cs_ops *ops, uint64_t k)
{
    const struct cs_program *program = machine->program;
    uint32_t lanes = cs_program_parties(program) * program->lanes;
    double adds = machine->tally.adds;
    double sends = machine->tally.sends;
    bool any = false;
    uint32_t i;

    for (i = 0; i < lanes; i++) {
        uint32_t party = i / program->lanes;
        uint32_t lane = i % program->lanes;

        if (k >= program->rounds(program->ctx, party, lane))
            continue;
        any = true;
        ops->count = 0;
        program->round(program->ctx, party, lane, k, ops);
        count_round(machine, cut, slots, party, k, ops);
    }
    machine->tally.adding_rounds += machine->tally.adds > adds;
    machine->tally.sending_rounds += machine->tally.sends > sends;
    return any;
}

/* Slices are cut as kernels cut them. */
static void count_all(struct machine *machine, struct cs_arena *arena)
{
    struct tally *tally = &machine->tally;
    struct cs_cut cut = cs_cut_of(machine->program);
    uint64_t *starts =
        cs_arena_alloc(arena, (size_t)cut.blocks + 1, sizeof(*starts));
    struct cs_slot_cut slots = {
        .starts = starts,
        .blocks = cut.blocks,
        .channels = machine->query->channels,
        .slice_bytes = (uint32_t)machine->query->slice_bytes,
    };
    struct cs_ops ops = {0};
    uint64_t k = 0;

    tally->turns =
        cs_arena_alloc(arena, machine->net.party_count, sizeof(*tally->turns));
    for (k = 0; k <= cut.blocks; k++)
        starts[k] = cs_cut_start(&cut, (uint32_t)k);
    for (k = 0; gpu_model_count_rounds(machine, &cut, &slots, &ops, k); k++)
        continue;
    if (tally->adding_rounds > 0)
        tally->reducers = tally->adds / tally->adding_rounds;
    cs_ops_free(&ops);
}

/* A port's rate with what its looks and slices take beyond their copies. */
static double with_turns(const struct machine *machine, uint32_t party,
                         double rate_Bps, double sync_s)
{
    const struct turns *turns = &machine->tally.turns[party];

    if (!(rate_Bps > 0) || !(turns->moved > 0))
        return rate_Bps;
    return 1 / (1 / rate_Bps +
                (sync_s * turns->looks + machine->move_s * turns->moves) /
                    turns->moved);
}

/* The number's type, if it was measured by itself. */
static enum cs_gpu_rate add_of(const struct machine *machine)
{
    return machine->query->element_bytes == 2 &&
                   machine->model->curves[CS_GPU_ADD16].count > 0
               ? CS_GPU_ADD16
               : CS_GPU_ADD;
}

/* What an add takes longer than a get, by blocks of which `sharers` groups are
 * at work. */
static double extra_s(const struct machine *machine, enum cs_gpu_rate get,
                      enum cs_gpu_rate add, double sharers)
{
    double blocks = machine->query->channels * sharers;
    double footprint = cs_gpu_footprint(machine->query);
    double get_Bps = cs_gpu_rate(machine->model, get, blocks, footprint);
    double add_Bps = cs_gpu_rate(machine->model, add, blocks, footprint);

    return fmax(0, sharers * (1 / add_Bps - 1 / get_Bps));
}

/* The slots of a link, and who puts and gets there. */
struct ends {
    enum cs_gpu_slots slots;
    enum cs_gpu_rate put, get; /* of the messages to and fro */
    double out_Bps, in_Bps;    /* of a port, as it is simulated */
    /* Of the medium that puts and gets share; 0: they share none. */
    double put_Bps, get_Bps;
};

/* Bytes of a message's first slice. */
static double first_of(const struct machine *machine)
{
    return fmin((double)machine->query->slice_bytes,
                machine->tally.largest / machine->query->channels);
}

/* What a slice of a message to and fro takes beyond its copies, which are put
 * and got one after the other. */
static double beyond_copies_s(const struct machine *machine,
                              const struct ends *ends, double slice)
{
    const struct cs_gpu_model *model = machine->model;

    return cs_gpu_ping_s(&model->pings[ends->slots], slice) -
           slice / cs_gpu_rate(model, ends->put, 1, 0) -
           slice / cs_gpu_rate(model, ends->get, 1, 0);
}

/* What put and get of a message's first slices take one after the other, beyond
 * what ports and a medium that all take at once are simulated to take. */
static double in_turn_s(const struct machine *machine, const struct ends *ends)
{
    const struct tally *tally = &machine->tally;
    double sharers = fmax(1, tally->sends / fmax(1, tally->sending_rounds));
    double bytes = first_of(machine) * machine->query->channels;
    double out_s = bytes / ends->out_Bps;
    double in_s = bytes / ends->in_Bps;
    double put_s = ends->put_Bps > 0 ? sharers * bytes / ends->put_Bps : 0;
    double get_s = ends->get_Bps > 0 ? sharers * bytes / ends->get_Bps : 0;

    return fmax(0, fmax(out_s, put_s) + fmax(in_s, get_s) -
                       fmax(fmax(out_s, in_s), put_s + get_s));
}

/*
 * What a message takes beyond its copies.  A port that sends and receives in a
 * round does one after the other, as a message to and fro does; but two ports
 * that do one each are simulated to do so at once: for the share of bytes that
 * are received so, what is missing is added.
 */
static double alpha_of(const struct machine *machine, const struct ends *ends)
{
    const struct tally *tally = &machine->tally;
    double all = tally->received + tally->received_alone;
    double alone = all > 0 ? tally->received_alone / all : 0;

    return fmax(0, beyond_copies_s(machine, ends, first_of(machine))) +
           alone * in_turn_s(machine, ends);
}

/* A slice that is less than a full one waits for memory as long: half of what it
 * takes, put and got, more than a full one does beyond its copies. */
static void set_turns(struct machine *machine, const struct ends *ends)
{
    double full = (double)machine->query->slice_bytes;

    machine->sync_s = machine->model->pings[ends->slots].sync_s;
    machine->move_s =
        fmax(0, (beyond_copies_s(machine, ends, first_of(machine)) -
                 beyond_copies_s(machine, ends, full)) /
                    2);
}

static void set_device(struct machine *machine)
{
    const struct cs_gpu_model *model = machine->model;
    double blocks = machine->query->channels;
    double parties = gpus_of(machine->query) > 1 ? ranks_of_gpu(machine->query)
                                                 : machine->net.party_count;
    double footprint = cs_gpu_footprint(machine->query);
    double sharers = fmax(1, machine->tally.reducers / gpus_of(machine->query));
    struct ends ends = {
        .slots = CS_GPU_ON_DEVICE,
        .put = CS_GPU_PUT,
        .get = CS_GPU_GET,
        .out_Bps = cs_gpu_rate(model, CS_GPU_PUT, blocks, footprint),
        .in_Bps = cs_gpu_rate(model, CS_GPU_GET, blocks, footprint),
        .put_Bps = cs_gpu_rate(model, CS_GPU_PUT, blocks * parties, footprint),
        .get_Bps = cs_gpu_rate(model, CS_GPU_GET, blocks * parties, footprint),
    };

    machine->alpha_s = alpha_of(machine, &ends);
    set_turns(machine, &ends);
    machine->start_s = model->pings[CS_GPU_ON_DEVICE].start_s;
    machine->out_Bps = ends.out_Bps;
    machine->in_Bps = ends.in_Bps;
    machine->put_Bps = ends.put_Bps;
    machine->get_Bps = ends.get_Bps;
    machine->gamma_s =
        fmax(extra_s(machine, CS_GPU_GET, add_of(machine), 1),
             extra_s(machine, CS_GPU_GET, add_of(machine), sharers));
}

/* Links between GPUs; memory at their ends is set. */
static int set_peers(struct machine *machine, struct cs_err *err)
{
    const struct cs_gpu_model *model = machine->model;
    const struct cs_gpu_query *query = machine->query;
    uint32_t gpus = gpus_of(machine->query);
    double blocks = query->channels;
    double all = blocks * ranks_of_gpu(machine->query);
    double footprint = cs_gpu_footprint(machine->query);
    const struct cs_gpu_pings *pings = &model->pings[CS_GPU_ON_PEER];
    struct ends ends = {
        .slots = CS_GPU_ON_PEER, .put = CS_GPU_PEER_PUT, .get = CS_GPU_GET};

    if (machine->program->agents > 0 && query->servers_on_host)
        return cs_err_set(err, CS_ECANNOT,
                          "servers in memory of the host are not calibrated "
                          "for %u GPUs",
                          gpus);
    if (!(cs_gpu_ring_rate(model, gpus, 1, footprint) > 0) ||
        model->curves[CS_GPU_PEER_PUT].count == 0 || pings->count == 0 ||
        pings->sync_s < 0)
        return cs_err_set(err, CS_ECANNOT,
                          "links between %u GPUs are not calibrated", gpus);
    ends.out_Bps = cs_gpu_rate(model, CS_GPU_PEER_PUT, blocks, footprint);
    ends.in_Bps = cs_gpu_rate(model, CS_GPU_GET, blocks, footprint);
    machine->far_alpha_s = alpha_of(machine, &ends);
    machine->start_s = fmax(machine->start_s, pings->start_s);
    machine->far_sync_s = pings->sync_s;
    machine->far_Bps = ends.out_Bps;
    machine->peer_Bps =
        fmin(cs_gpu_rate(model, CS_GPU_PEER_PUT, all, footprint),
             cs_gpu_ring_rate(model, gpus, all, footprint));
    return 0;
}

static int set_host(struct machine *machine, struct cs_err *err)
{
    const struct cs_gpu_model *model = machine->model;
    double blocks = machine->query->channels;
    double all = blocks * machine->net.party_count;
    double footprint = cs_gpu_footprint(machine->query);
    double both_Bps = cs_gpu_rate(model, CS_GPU_HOST_BOTH, all, footprint);
    const struct cs_gpu_pings *pings = &model->pings[CS_GPU_ON_HOST];
    struct ends ends = {.slots = CS_GPU_ON_HOST,
                        .put = CS_GPU_HOST_PUT,
                        .get = CS_GPU_HOST_GET};

    if (!(both_Bps > 0) || pings->count == 0 || pings->sync_s < 0)
        return cs_err_set(err, CS_ECANNOT,
                          "slots in memory of the host are not calibrated");
    ends.out_Bps = cs_gpu_rate(model, CS_GPU_HOST_PUT, blocks, footprint);
    ends.in_Bps = cs_gpu_rate(model, CS_GPU_HOST_GET, blocks, footprint);
    machine->alpha_s = alpha_of(machine, &ends);
    set_turns(machine, &ends);
    machine->start_s = pings->start_s;
    machine->out_Bps = ends.out_Bps;
    machine->in_Bps = ends.in_Bps;
    machine->up_Bps = machine->down_Bps = both_Bps / 2;
    machine->gamma_s = extra_s(machine, CS_GPU_HOST_GET, CS_GPU_HOST_ADD, 1);
    return 0;
}

enum {
    ADD_BLOCKS = 64, /* that add up a slice, see validate/cuda/staged.cu */
};

/* Copy engines do copies one after the other; a small one keeps its engine busy
 * for longer than its bytes take. */
static double with_copies(const struct machine *machine)
{
    const struct cs_gpu_model *model = machine->model;
    const struct tally *tally = &machine->tally;

    return 1 / (1 / model->engine_Bps +
                model->engine_copy_s * tally->slices / (tally->moved / 2));
}

static int set_engines(struct machine *machine, struct cs_err *err)
{
    const struct cs_gpu_model *model = machine->model;
    double slice = (double)machine->query->slice_bytes;
    double largest = machine->tally.largest;
    double footprint = cs_gpu_footprint(machine->query);

    if (!(model->engine_Bps > 0) || !(model->engine_alpha_s > 0))
        return cs_err_set(err, CS_ECANNOT, "copy engines are not calibrated");
    slice = fmin(slice, largest);
    machine->link_model = "fifo";
    machine->eager = true;
    machine->alpha_s = model->engine_alpha_s - 2 * model->engine_copy_s;
    machine->start_s = model->graph_s;
    machine->sum_s = model->engine_sum_s;
    machine->up_Bps = machine->down_Bps = with_copies(machine);
    machine->hop_s = slice / machine->up_Bps;
    machine->gamma_s =
        slice / largest /
        cs_gpu_rate(model, add_of(machine), ADD_BLOCKS, footprint);
    return 0;
}

static int set_host_servers(struct machine *machine, struct cs_err *err)
{
    const struct cs_gpu_model *model = machine->model;
    const struct cs_gpu_pings *pings = &model->pings[CS_GPU_ON_HOST];
    double blocks = machine->query->channels;
    double vector = (double)machine->query->bytes;
    struct ends ends = {.slots = CS_GPU_ON_HOST,
                        .put = CS_GPU_HOST_PUT,
                        .get = CS_GPU_HOST_GET};

    if (model->curves[CS_GPU_SERVER_ADD].count == 0 ||
        model->curves[CS_GPU_SERVER_PUT].count == 0 ||
        model->curves[CS_GPU_HOST_PUT].count == 0 ||
        model->curves[CS_GPU_HOST_GET].count == 0 ||
        model->curves[CS_GPU_HOST_BOTH].count == 0 || pings->count == 0 ||
        pings->sync_s < 0)
        return cs_err_set(err, CS_ECANNOT,
                          "servers in memory of the host are not calibrated");
    ends.out_Bps = cs_gpu_rate(model, CS_GPU_HOST_PUT, blocks, vector);
    ends.in_Bps = cs_gpu_rate(model, CS_GPU_SERVER_ADD, blocks, vector);
    machine->alpha_s = alpha_of(machine, &ends);
    set_turns(machine, &ends);
    machine->start_s = fmax(machine->start_s, pings->start_s);
    machine->up_Bps = machine->down_Bps =
        cs_gpu_rate(model, CS_GPU_HOST_BOTH, blocks * machine->net.party_count,
                    0) /
        2;
    return 0;
}

static int check_requested_shape(const struct machine *machine,
                                 struct cs_err *err)
{
    const struct cs_gpu_query *query = machine->query;
    const struct cs_gpu_model *model = machine->model;

    if (query->slice_bytes == model->slice_bytes &&
        query->threads == model->threads && query->depth == model->depth)
        return 0;
    return cs_err_set(err, CS_ECANNOT,
                      "%llu slots of %llu bytes by %llu threads are not "
                      "calibrated",
                      (unsigned long long)query->depth,
                      (unsigned long long)query->slice_bytes,
                      (unsigned long long)query->threads);
}

static int set_rates(struct machine *machine, struct cs_err *err)
{
    int code = 0;

    machine->link_model = "fluid";
    if (through_host(machine) && gpus_of(machine->query) > 1)
        return cs_err_set(err, CS_ECANNOT,
                          "%u GPUs through memory of the host are not "
                          "calibrated",
                          gpus_of(machine->query));
    if (by_engines(machine))
        return set_engines(machine, err);
    code = check_requested_shape(machine, err);
    if (code)
        return code;
    if (through_host(machine))
        code = set_host(machine, err);
    else
        set_device(machine);
    if (!code && gpus_of(machine->query) > 1)
        code = set_peers(machine, err);
    if (!code && machine->program->agents > 0 &&
        machine->query->servers_on_host)
        code = set_host_servers(machine, err);
    return code;
}

/* ---- the net ---- */

static uint64_t ps_of(double seconds)
{
    return (uint64_t)(fmax(0, seconds) * 1e12 + 0.5);
}

static void set_link(struct machine *machine, uint32_t link, uint32_t server,
                     double rate_Bps, double latency_s)
{
    machine->net.links[link] = (struct cs_net_link){
        .rate_Bps = rate_Bps > 0 ? rate_Bps : 1, /* no way goes there */
        .latency_ps = ps_of(latency_s),
        .resource = server,
        .from = link,
        .to = link + machine->net.link_count,
    };
}

static void set_party(struct machine *machine, uint32_t party)
{
    const struct cs_gpu_model *model = machine->model;
    double blocks = machine->query->channels;
    double out_Bps = machine->out_Bps;
    double in_Bps = machine->in_Bps;
    double gamma_s = machine->gamma_s;
    double half_s = machine->alpha_s / 2; /* at each end */
    bool serves = is_host_server(machine, party);
    double vector = serves ? (double)machine->query->bytes : 0;

    if (serves || (machine->up_Bps > 0 && !through_host(machine))) {
        out_Bps =
            cs_gpu_rate(model, serves ? CS_GPU_SERVER_PUT : CS_GPU_HOST_PUT,
                        blocks, vector);
        in_Bps =
            cs_gpu_rate(model, serves ? CS_GPU_SERVER_ADD : CS_GPU_HOST_GET,
                        blocks, vector);
    }
    if (serves)
        gamma_s = 0; /* the add's rate has it */
    out_Bps = with_turns(machine, party, out_Bps, machine->sync_s);
    in_Bps = with_turns(machine, party, in_Bps, machine->sync_s);
    set_link(machine, gpu_model_port(party, OUT), party, out_Bps, half_s);
    set_link(machine, gpu_model_port(party, IN), party, in_Bps, half_s);
    set_link(machine, gpu_model_port(party, FAR), party,
             with_turns(machine, party, machine->far_Bps, machine->far_sync_s),
             machine->far_alpha_s - half_s);
    machine->net.parties[party] =
        (struct cs_net_party){.node = party,
                              .reduce_ps_per_byte = gamma_s * 1e12,
                              .reduce_overhead_ps = ps_of(machine->sum_s)};
}

static void set_gpu(struct machine *machine, uint32_t gpu)
{
    uint32_t server = machine->net.party_count + SERVERS * gpu;
    double both_Bps = 1 / (1 / machine->put_Bps + 1 / machine->get_Bps);

    set_link(machine, gpu_model_medium(machine, gpu, MEMORY), server, both_Bps,
             0);
    set_link(machine, gpu_model_medium(machine, gpu, READ), server,
             machine->put_Bps, 0);
    set_link(machine, gpu_model_medium(machine, gpu, WRITE), server,
             machine->get_Bps, 0);
    set_link(machine, gpu_model_medium(machine, gpu, EGRESS), server + 1,
             machine->peer_Bps, 0);
    set_link(machine, gpu_model_medium(machine, gpu, INGRESS), server + 2,
             machine->peer_Bps, 0);
}

static void build_net(struct machine *machine, struct cs_arena *arena)
{
    struct cs_net *net = &machine->net;
    uint32_t parties = net->party_count;
    uint32_t gpus = gpus_of(machine->query);
    uint32_t i;

    net->link_count = PORTS * parties + MEDIA * gpus + LANES;
    net->resource_count = parties + SERVERS * gpus + SETUPS;
    net->node_count = 2 * net->link_count;
    net->links = cs_arena_alloc(arena, net->link_count, sizeof(*net->links));
    net->parties = cs_arena_alloc(arena, parties, sizeof(*net->parties));
    net->route = gpu_model_route;
    net->route_ctx = machine;
    net->max_hops = HOPS_MAX;
    for (i = 0; i < parties; i++)
        set_party(machine, i);
    for (i = 0; i < gpus; i++)
        set_gpu(machine, i);
    i = parties + SERVERS * gpus;
    /* Copy engines have no ports; a slice waits until all of it is there. */
    set_link(machine, gpu_model_pcie(machine, UP), i + UP, machine->up_Bps,
             by_engines(machine) ? machine->alpha_s / 2 : 0);
    set_link(machine, gpu_model_pcie(machine, DOWN), i + DOWN,
             machine->down_Bps,
             by_engines(machine) ? machine->alpha_s / 2 + machine->hop_s : 0);
    set_link(machine, gpu_model_pcie(machine, UP_TWICE), i + UP,
             machine->up_Bps / 2, 0);
    set_link(machine, gpu_model_pcie(machine, DOWN_TWICE), i + DOWN,
             machine->down_Bps / 2, 0);
    cs_net_finish(net);
}

/* ---- predictions ---- */

/* What goes to and from servers one after the other: the first one's port, and
 * the medium that all cross. */
static double rate_of_servers(const struct machine *machine, double shared_Bps)
{
    uint32_t party = machine->query->ranks;
    const struct cs_net_link *links = machine->net.links;

    if (is_host_server(machine, party))
        shared_Bps = machine->down_Bps / 2;
    return fmin(shared_Bps,
                2 / (1 / links[gpu_model_port(party, OUT)].rate_Bps +
                     1 / links[gpu_model_port(party, IN)].rate_Bps));
}

/* The medium shared by all, and a rank's two ways through it at once; to peers
 * the slowest of both. */
static struct cs_hockney gpu_model_textbook(const struct machine *machine)
{
    double shared_Bps = through_host(machine)
                            ? machine->up_Bps
                            : 1 / (1 / machine->put_Bps + 1 / machine->get_Bps);
    double beta_Bps = shared_Bps / ranks_of_gpu(machine->query);
    uint32_t agents = machine->program->agents;
    const struct cs_net_link *links = machine->net.links;

    if (!by_engines(machine))
        beta_Bps =
            fmin(beta_Bps, 1 / (1 / links[gpu_model_port(0, OUT)].rate_Bps +
                                1 / links[gpu_model_port(0, IN)].rate_Bps));
    if (gpus_of(machine->query) > 1)
        beta_Bps = fmin(fmin(beta_Bps, machine->peer_Bps),
                        1 / (1 / links[gpu_model_port(0, FAR)].rate_Bps +
                             1 / links[gpu_model_port(0, IN)].rate_Bps));
    if (agents > 0)
        beta_Bps = rate_of_servers(machine, shared_Bps);
    return (struct cs_hockney){
        .alpha_s =
            fmax(machine->alpha_s, machine->far_alpha_s) + machine->hop_s,
        .beta_Bps = beta_Bps,
        .gamma_s_per_byte =
            machine->net.parties[agents > 0 ? machine->query->ranks : 0]
                .reduce_ps_per_byte *
            1e-12,
    };
}

/* The best that any number of blocks did with vectors of about that size or
 * more; L2 makes smaller ones faster, never larger ones. */
static double best_rate(const struct cs_gpu_curve *curve, double footprint)
{
    double from = 0;
    double best_Bps = 0;
    size_t i;

    for (i = 0; i < curve->count; i++)
        if (curve->points[i].vector_bytes <= footprint)
            from = fmax(from, curve->points[i].vector_bytes);
    for (i = 0; i < curve->count; i++)
        if (curve->points[i].vector_bytes >= from)
            best_Bps = fmax(best_Bps, curve->points[i].rate_Bps);
    return best_Bps;
}

static double bound_s(const struct machine *machine)
{
    const struct cs_gpu_curve *curves = machine->model->curves;
    double footprint = cs_gpu_footprint(machine->query);

    return (double)machine->query->bytes * ranks_of_gpu(machine->query) /
           fmax(best_rate(&curves[CS_GPU_COPY], footprint),
                best_rate(&curves[CS_GPU_PUT], footprint));
}

/* A byte that is copied is read and written. */
static double copies_s(const struct machine *machine)
{
    if (!(machine->model->copy_Bps > 0) || through_host(machine) ||
        machine->up_Bps > 0 || gpus_of(machine->query) > 1)
        return 0;
    return machine->tally.touched / 2 / machine->model->copy_Bps;
}

static int gpu_model_simulate(struct machine *machine,
                              const struct cs_algo *algo,
                              const struct cs_call *call,
                              struct cs_arena *arena,
                              struct cs_gpu_prediction *answer,
                              struct cs_err *err)
{
    struct cs_exec_request request = {.program = machine->program,
                                      .net = &machine->net};
    struct cs_exec_result result;
    struct cs_hockney hockney;
    int code = set_rates(machine, err);

    if (!code) {
        build_net(machine, arena);
        request.model = cs_link_model_find(machine->link_model);
        request.eager = machine->eager;
        code = cs_exec_run_watched(&request, arena, &result, err);
    }
    if (!code) {
        hockney = gpu_model_textbook(machine);
        answer->time_s = machine->start_s + (double)result.time_ps * 1e-12;
        answer->closed_form_s =
            machine->start_s + cs_algo_closed_form_s(algo, call, &hockney);
        answer->bound_s = bound_s(machine);
        answer->copies_s = copies_s(machine);
    }
    return code;
}

/* What a question asks for, as the simulator has it. */
struct requested {
    const struct cs_algo *algo;
    struct cs_call call;
    struct cs_program program;
};

/* The program refers to `asked`. */
static int request_run(const struct cs_gpu_query *query,
                       struct requested *requested, struct cs_err *err)
{
    /* Chunks are those that were run; the machine is not asked. */
    struct cs_hockney hockney = {1e-6, 1e12, 0};
    int code = cs_algo_choose(query->algorithm, &cs_collective_allreduce,
                              &requested->algo, err);

    requested->call = (struct cs_call){
        .ranks = query->ranks,
        .elements = query->bytes / query->element_bytes,
        .element_bytes = query->element_bytes,
        .chunks = query->chunks,
        .shards = query->shards,
        .slices = query->slices,
    };
    if (!code)
        code = cs_algo_check(requested->algo, &requested->call, err);
    if (code)
        return code;
    cs_algo_resolve(requested->algo, &requested->call, &hockney);
    requested->program = cs_algo_program(requested->algo, &requested->call);
    return 0;
}

static int gpu_model_write_table(const struct requested *requested,
                                 struct cs_arena *arena, const char **table,
                                 struct cs_err *err)
{
    struct cs_export what = {.algo = requested->algo,
                             .program = &requested->program,
                             .call = &requested->call};
    const struct cs_exporter *exporter;
    struct cs_text text = {0};
    int code = cs_exporter_choose("table", &exporter, err);

    if (!code)
        code = exporter->write(&what, &text, err);
    *table = cs_arena_printf(arena, "%016" PRIx64,
                             cs_op_table_hash(cs_text_str(&text), text.length));
    cs_text_free(&text);
    return code;
}

int cs_gpu_table(const struct cs_gpu_query *query, struct cs_arena *arena,
                 const char **table, struct cs_err *err)
{
    struct requested requested;
    int code = request_run(query, &requested, err);

    return code ? code : gpu_model_write_table(&requested, arena, table, err);
}

/* Settled as tables are written (tables.h): for a megabyte. */
int cs_gpu_settle_table(struct cs_gpu_query *query, struct cs_arena *arena,
                        struct cs_gpu_shape_of_table *shape, struct cs_err *err)
{
    struct cs_gpu_query settled = *query;
    struct requested requested;
    int code;

    *shape = (struct cs_gpu_shape_of_table){1, 1, 0};
    settled.bytes = 1 << 20;
    settled.element_bytes = 4;
    code = request_run(&settled, &requested, err);
    if (code)
        return code;
    query->chunks = requested.call.chunks;
    query->shards = requested.call.shards;
    query->slices = requested.call.slices;
    *shape = (struct cs_gpu_shape_of_table){
        .blocks = requested.program.blocks,
        .lanes =
            cs_program_parties(&requested.program) * requested.program.lanes,
        .agents = requested.program.agents,
    };
    return gpu_model_write_table(&requested, arena, &query->table, err);
}

/* What is simulated is what was run, op by op. */
static int check_table(const struct cs_gpu_query *query,
                       const struct requested *requested, struct cs_err *err)
{
    struct cs_arena arena = {0};
    const char *table;
    int code = gpu_model_write_table(requested, &arena, &table, err);

    if (!code && !query->table[0])
        code =
            cs_err_set(err, CS_ECANNOT, "it is not told which table was run");
    else if (!code && !cs_same(table, query->table))
        code =
            cs_err_set(err, CS_ECANNOT,
                       "table %.16s was run, which is not '%s' as it is made "
                       "here (%s)",
                       query->table, requested->algo->name, table);
    cs_arena_free(&arena);
    return code;
}

int cs_gpu_predict(const struct cs_gpu_model *model,
                   const struct cs_gpu_query *query,
                   struct cs_gpu_prediction *answer, struct cs_err *err)
{
    struct machine machine = {.model = model, .query = query};
    struct cs_arena arena = {0};
    struct requested requested;
    int code;

    if (query->gpus > query->ranks)
        return cs_err_set(err, CS_EINPUT, "%u GPUs for %u ranks", query->gpus,
                          query->ranks);
    if (query->slice_bytes == 0 || query->channels == 0)
        return cs_err_set(err, CS_ECANNOT,
                          "it is not told what slices or channels there were");
    code = request_run(query, &requested, err);
    if (!code)
        code = check_table(query, &requested, err);
    if (code)
        return code;
    machine.program = &requested.program;
    machine.net.party_count = cs_program_parties(&requested.program);
    count_all(&machine, &arena);
    code = gpu_model_simulate(&machine, requested.algo, &requested.call, &arena,
                              answer, err);
    cs_arena_free(&arena);
    return code;
}
