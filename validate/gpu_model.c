#include "validate/gpu_model.h"

#include "algorithms/export.h"
#include "sim/base/text.h"
#include "sim/exec.h"
#include "validate/cuda/op_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rates ---- */

static const struct {
    const char *role, *slots, *vectors;
} rate_forms[CS_GPU_RATES] = {
    {"put", "device", "device"}, {"get", "device", "device"},
    {"add", "device", "device"}, {"copy", "device", "device"},
    {"put", "host", "device"},   {"get", "host", "device"},
    {"add", "host", "device"},   {"duplex", "host", "device"},
    {"put", "host", "host"},     {"get", "host", "host"},
    {"add", "host", "host"},
};

static bool is_rate(const struct cs_measured *m, int rate)
{
    return m->kind == CS_MEASURED_STREAM &&
           cs_same(m->role, rate_forms[rate].role) &&
           cs_same(m->slots, rate_forms[rate].slots) &&
           cs_same(m->vectors, rate_forms[rate].vectors);
}

static int by_blocks(const void *first, const void *second)
{
    const struct cs_gpu_point *a = first;
    const struct cs_gpu_point *b = second;

    if (a->blocks != b->blocks)
        return a->blocks < b->blocks ? -1 : 1;
    return (a->vector_bytes > b->vector_bytes) -
           (a->vector_bytes < b->vector_bytes);
}

static void make_curve(const struct cs_measurements *all,
                       struct cs_gpu_model *model, int rate,
                       struct cs_arena *arena)
{
    struct cs_gpu_curve *curve = &model->curves[rate];
    size_t i;

    curve->points = cs_arena_alloc(arena, all->count, sizeof(*curve->points));
    for (i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];

        if (!is_rate(m, rate) || !cs_same(m->gpu, model->gpu))
            continue;
        model->slice_bytes = m->slice_bytes;
        model->threads = m->threads;
        curve->points[curve->count++] = (struct cs_gpu_point){
            .blocks = (double)m->blocks,
            .vector_bytes = (double)m->vector_bytes,
            .rate_Bps = (double)m->bytes / m->time_s,
        };
    }
    if (curve->count > 0)
        qsort(curve->points, curve->count, sizeof(*curve->points), by_blocks);
}

enum end {
    SMALLEST,
    LARGEST,
};

/* The points of one number of blocks: how many from `first` on. */
static size_t same_blocks(const struct cs_gpu_curve *curve, size_t first)
{
    size_t end = first;

    while (end < curve->count &&
           curve->points[end].blocks == curve->points[first].blocks)
        end++;
    return end - first;
}

static double between(const struct cs_gpu_point *below,
                      const struct cs_gpu_point *above, double blocks)
{
    double share =
        log(blocks / below->blocks) / log(above->blocks / below->blocks);

    return below->rate_Bps * pow(above->rate_Bps / below->rate_Bps, share);
}

/* By powers of the number of blocks, at one end of the sizes.  Fewer blocks
 * than measured are slower in proportion, more are no faster. */
static double rate_at_end(const struct cs_gpu_curve *curve, double blocks,
                          enum end end)
{
    const struct cs_gpu_point *below = NULL;
    size_t first;
    size_t count;

    for (first = 0; first < curve->count; first += count) {
        const struct cs_gpu_point *here = &curve->points[first];

        count = same_blocks(curve, first);
        if (end == LARGEST)
            here += count - 1;
        if (blocks <= here->blocks)
            return below ? between(below, here, blocks)
                         : here->rate_Bps * blocks / here->blocks;
        below = here;
    }
    return below ? below->rate_Bps : 0;
}

/* How far from small to large vectors that size is, 0 to 1: from the number of
 * blocks that was measured at most sizes. */
static double place_of(const struct cs_gpu_curve *curve, double vector_bytes)
{
    const struct cs_gpu_point *best = curve->points;
    size_t most = 0;
    size_t first;
    size_t i;
    double from;
    double to;
    double here;

    for (first = 0; first < curve->count; first += same_blocks(curve, first))
        if (same_blocks(curve, first) > most) {
            most = same_blocks(curve, first);
            best = &curve->points[first];
        }
    if (most < 2)
        return 0;
    from = 1 / best[0].rate_Bps;
    to = 1 / best[most - 1].rate_Bps;
    for (i = 0; i + 1 < most && best[i + 1].vector_bytes <= vector_bytes; i++)
        continue;
    here = 1 / best[i].rate_Bps;
    if (i + 1 < most && vector_bytes > best[i].vector_bytes)
        here += (1 / best[i + 1].rate_Bps - here) *
                log(vector_bytes / best[i].vector_bytes) /
                log(best[i + 1].vector_bytes / best[i].vector_bytes);
    if (fabs(to - from) < 1e-3 * to)
        return vector_bytes >= best[most - 1].vector_bytes;
    return fmin(1, fmax(0, (here - from) / (to - from)));
}

double cs_gpu_rate(const struct cs_gpu_model *model, enum cs_gpu_rate what,
                   double blocks, double vector_bytes)
{
    const struct cs_gpu_curve *curve = &model->curves[what];
    double place;
    double small;
    double large;

    if (curve->count == 0)
        return 0;
    place = place_of(curve, vector_bytes);
    small = rate_at_end(curve, blocks, SMALLEST);
    large = rate_at_end(curve, blocks, LARGEST);
    return 1 / ((1 - place) / small + place / large);
}

/* ---- latencies and engines ---- */

static double least_s(const struct cs_measurements *all, const char *gpu,
                      enum cs_measured_kind kind, const char *name)
{
    uint64_t bytes = UINT64_MAX;
    double time_s = 0;
    size_t i;

    for (i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];

        if (m->kind != kind || !cs_same(m->gpu, gpu) || m->bytes >= bytes ||
            !cs_same(kind == CS_MEASURED_MEMCPY ? m->way : m->transport, name))
            continue;
        bytes = m->bytes;
        time_s = m->time_s;
    }
    return time_s;
}

static double engine_rate(const struct cs_measurements *all, const char *gpu)
{
    double rate_Bps = 0;
    size_t i;

    for (i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];

        if (m->kind == CS_MEASURED_MEMCPY && cs_same(m->gpu, gpu) &&
            cs_same(m->way, "both"))
            rate_Bps = fmax(rate_Bps, (double)m->bytes / m->time_s);
    }
    return rate_Bps;
}

/* Large copies within the GPU. */
static double copy_rate(const struct cs_measurements *all, const char *gpu)
{
    const struct cs_measured *most = NULL;
    size_t i;

    for (i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];

        if (m->kind == CS_MEASURED_MEMCPY && cs_same(m->gpu, gpu) &&
            cs_same(m->way, "d2d") && (!most || m->bytes > most->bytes))
            most = m;
    }
    return most ? (double)most->bytes / most->time_s : 0;
}

/* The message to and fro of most bytes, at least two slices, below `below`. */
static const struct cs_measured *longest_pingpong(
    const struct cs_measurements *all, const struct cs_gpu_model *model,
    const char *transport, uint64_t below)
{
    const struct cs_measured *most = NULL;
    size_t i;

    for (i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];

        if (m->kind == CS_MEASURED_PINGPONG && cs_same(m->gpu, model->gpu) &&
            cs_same(m->transport, transport) &&
            m->slice_bytes == model->slice_bytes &&
            m->bytes >= 2 * m->slice_bytes && m->bytes < below &&
            (!most || m->bytes > most->bytes))
            most = m;
    }
    return most;
}

/* Of two long messages: what one more slice takes beyond its copy.  The sender
 * fills one slot while the receiver empties another; the slower one counts. */
static double sync_of(const struct cs_measurements *all,
                      const struct cs_gpu_model *model, const char *transport,
                      enum cs_gpu_rate put, enum cs_gpu_rate get)
{
    const struct cs_measured *longer =
        longest_pingpong(all, model, transport, UINT64_MAX);
    const struct cs_measured *shorter =
        longer ? longest_pingpong(all, model, transport, longer->bytes) : NULL;
    double rate_Bps =
        fmin(cs_gpu_rate(model, put, 1, 0), cs_gpu_rate(model, get, 1, 0));
    double slice = (double)model->slice_bytes;

    if (!shorter || !(rate_Bps > 0))
        return -1;
    return fmax(0, slice * (longer->time_s - shorter->time_s) /
                           (double)(longer->bytes - shorter->bytes) -
                       slice / rate_Bps);
}

int cs_gpu_model_make(const struct cs_measurements *all, const char *gpu,
                      struct cs_arena *arena, struct cs_gpu_model *model,
                      struct cs_err *err)
{
    int rate;

    *model = (struct cs_gpu_model){.gpu = gpu};
    for (rate = 0; rate < CS_GPU_RATES; rate++)
        make_curve(all, model, rate, arena);
    model->alpha_s = least_s(all, gpu, CS_MEASURED_PINGPONG, "device");
    model->host_alpha_s = least_s(all, gpu, CS_MEASURED_PINGPONG, "host");
    model->engine_alpha_s = least_s(all, gpu, CS_MEASURED_MEMCPY, "d2h") +
                            least_s(all, gpu, CS_MEASURED_MEMCPY, "h2d");
    model->engine_Bps = engine_rate(all, gpu);
    model->copy_Bps = copy_rate(all, gpu);
    model->sync_s = sync_of(all, model, "device", CS_GPU_PUT, CS_GPU_GET);
    model->host_sync_s =
        sync_of(all, model, "host", CS_GPU_HOST_PUT, CS_GPU_HOST_GET);
    for (rate = CS_GPU_PUT; rate <= CS_GPU_COPY; rate++)
        if (model->curves[rate].count == 0)
            return cs_err_set(err, CS_EINPUT,
                              "'%s' is not calibrated: there is no stream of "
                              "role %s",
                              gpu, rate_forms[rate].role);
    if (!(model->alpha_s > 0))
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is not calibrated: there is no pingpong", gpu);
    if (model->sync_s < 0)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is not calibrated: there are no two pingpongs "
                          "of several slices",
                          gpu);
    return 0;
}

/* ---- the machine of one question ---- */

/* Links: of each party one out and one in, which are one server; then memory,
 * PCIe up, PCIe down.  A party on the host takes more of PCIe for each byte. */
enum medium {
    MEMORY,
    UP,
    DOWN,
    MEDIA,
};

enum {
    HOPS_MAX = 6,
};

/* What a program does, counted op by op. */
struct tally {
    double adds, adding_rounds;
    double reducers; /* that add at once: adds a round in which somebody does */
    double moved;    /* bytes that all ports send and receive */
    double touched;  /* bytes of vectors that are read or written */
    double syncs;    /* slices of thread blocks beyond a round's first */
};

struct machine {
    const struct cs_gpu_model *model;
    const struct cs_gpu_question *question;
    const struct cs_program *program;
    struct cs_net net;
    double out_Bps, in_Bps, gamma_s; /* of a rank: seconds a byte */
    double memory_Bps, up_Bps, down_Bps;
    double alpha_s;
    struct tally tally;
};

static bool through_host(const struct machine *machine)
{
    return !cs_same(machine->question->transport, "device");
}

static bool by_engines(const struct machine *machine)
{
    return cs_same(machine->question->transport, "copy");
}

static bool is_host_server(const struct machine *machine, uint32_t party)
{
    return party >= machine->question->ranks &&
           machine->question->servers_on_host;
}

static uint32_t medium(const struct machine *machine, enum medium which)
{
    return 2 * machine->net.party_count + which;
}

static uint32_t route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct machine *machine = ctx;
    bool host = through_host(machine) || is_host_server(machine, src) ||
                is_host_server(machine, dst);
    uint32_t hops = 0;

    links[hops++] = 2 * src;
    if (host) {
        links[hops++] = medium(machine, UP);
        links[hops++] = medium(machine, DOWN);
    } else {
        links[hops++] = medium(machine, MEMORY);
    }
    links[hops++] = 2 * dst + 1;
    return hops;
}

/* Slices that a channel's thread block makes of a message. */
static double slices_of(const struct machine *machine, const struct cs_cut *cut,
                        struct cs_blocks blocks)
{
    double part = (double)machine->question->channels *
                  (double)machine->question->slice_bytes;
    double slices = 0;
    uint32_t i;

    for (i = 0; i < blocks.count; i++) {
        uint32_t block = (blocks.first + i) % cut->blocks;
        uint64_t bytes =
            cs_cut_start(cut, block + 1) - cs_cut_start(cut, block);

        slices += ceil((double)bytes / part);
    }
    return slices;
}

static void count_round(struct machine *machine, const struct cs_cut *cut,
                        const struct cs_ops *ops)
{
    struct tally *tally = &machine->tally;
    double sent = 0;
    double received = 0;
    uint32_t i;

    for (i = 0; i < ops->count; i++) {
        const struct cs_op *op = &ops->op[i];
        bool adds = op->kind == CS_OP_RECV_REDUCE;
        double bytes = (double)cs_op_bytes(cut, op);

        if (op->kind == CS_OP_WAIT)
            continue;
        tally->adds += adds;
        tally->moved += bytes;
        tally->touched += bytes * (adds ? 2 : 1);
        *(op->kind == CS_OP_SEND ? &sent : &received) +=
            slices_of(machine, cut, op->blocks);
    }
    tally->syncs += fmax(0, fmax(sent, received) - 1);
}

/* Round k of every lane; whether there is one. */
static bool count_rounds(struct machine *machine, const struct cs_cut *cut,
                         struct cs_ops *ops, uint64_t k)
{
    const struct cs_program *program = machine->program;
    uint32_t lanes = cs_program_parties(program) * program->lanes;
    double adds = machine->tally.adds;
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
        count_round(machine, cut, ops);
    }
    machine->tally.adding_rounds += machine->tally.adds > adds;
    return any;
}

static void count_all(struct machine *machine)
{
    struct tally *tally = &machine->tally;
    struct cs_cut cut = cs_cut_of(machine->program);
    struct cs_ops ops = {0};
    uint64_t k = 0;

    while (count_rounds(machine, &cut, &ops, k))
        k++;
    if (tally->adding_rounds > 0)
        tally->reducers = tally->adds / tally->adding_rounds;
    cs_ops_free(&ops);
}

/* A port's rate with what its slices take beyond their copies. */
static double with_syncs(const struct machine *machine, double rate_Bps,
                         double sync_s)
{
    const struct tally *tally = &machine->tally;

    if (!(rate_Bps > 0) || !(tally->moved > 0))
        return rate_Bps;
    return 1 / (1 / rate_Bps + sync_s * tally->syncs / tally->moved);
}

/* What an add takes longer than a get, by blocks of which `sharers` groups are
 * at work. */
static double extra_s(const struct machine *machine, enum cs_gpu_rate get,
                      enum cs_gpu_rate add, double sharers, double footprint)
{
    double blocks = machine->question->channels * sharers;
    double get_Bps = cs_gpu_rate(machine->model, get, blocks, footprint);
    double add_Bps = cs_gpu_rate(machine->model, add, blocks, footprint);

    return fmax(0, sharers * (1 / add_Bps - 1 / get_Bps));
}

static double footprint_of(const struct machine *machine)
{
    const struct cs_gpu_question *question = machine->question;
    bool inputs = cs_same(question->algorithm, "naive");

    return (double)question->bytes * question->ranks * (inputs ? 2 : 1);
}

static int set_device(struct machine *machine)
{
    const struct cs_gpu_model *model = machine->model;
    const struct cs_gpu_question *question = machine->question;
    double blocks = question->channels;
    double all = blocks * machine->net.party_count;
    double footprint = footprint_of(machine);
    double put_Bps = cs_gpu_rate(model, CS_GPU_PUT, all, footprint);
    double get_Bps = cs_gpu_rate(model, CS_GPU_GET, all, footprint);

    machine->alpha_s = model->alpha_s;
    machine->out_Bps =
        with_syncs(machine, cs_gpu_rate(model, CS_GPU_PUT, blocks, footprint),
                   model->sync_s);
    machine->in_Bps =
        with_syncs(machine, cs_gpu_rate(model, CS_GPU_GET, blocks, footprint),
                   model->sync_s);
    machine->memory_Bps = 1 / (1 / put_Bps + 1 / get_Bps);
    machine->gamma_s =
        fmax(extra_s(machine, CS_GPU_GET, CS_GPU_ADD, 1, footprint),
             extra_s(machine, CS_GPU_GET, CS_GPU_ADD, machine->tally.reducers,
                     footprint));
    return 0;
}

static int set_host(struct machine *machine, struct cs_err *err)
{
    const struct cs_gpu_model *model = machine->model;
    double blocks = machine->question->channels;
    double all = blocks * machine->net.party_count;
    double footprint = footprint_of(machine);
    double both_Bps = cs_gpu_rate(model, CS_GPU_HOST_BOTH, all, footprint);

    if (!(both_Bps > 0) || !(model->host_alpha_s > 0) || model->host_sync_s < 0)
        return cs_err_set(err, CS_ECANNOT,
                          "slots in memory of the host are not calibrated");
    machine->alpha_s = model->host_alpha_s;
    machine->out_Bps = with_syncs(
        machine, cs_gpu_rate(model, CS_GPU_HOST_PUT, blocks, footprint),
        model->host_sync_s);
    machine->in_Bps = with_syncs(
        machine, cs_gpu_rate(model, CS_GPU_HOST_GET, blocks, footprint),
        model->host_sync_s);
    machine->up_Bps = machine->down_Bps = both_Bps / 2;
    machine->gamma_s =
        extra_s(machine, CS_GPU_HOST_GET, CS_GPU_HOST_ADD, 1, footprint);
    return 0;
}

static int set_engines(struct machine *machine, struct cs_err *err)
{
    const struct cs_gpu_model *model = machine->model;
    double footprint = footprint_of(machine);

    if (!(model->engine_Bps > 0) || !(model->engine_alpha_s > 0))
        return cs_err_set(err, CS_ECANNOT, "copy engines are not calibrated");
    machine->alpha_s = model->engine_alpha_s;
    machine->out_Bps = machine->in_Bps = 2 * model->engine_Bps;
    machine->up_Bps = machine->down_Bps = model->engine_Bps;
    machine->gamma_s = 1 / cs_gpu_rate(model, CS_GPU_ADD, 64, footprint);
    return 0;
}

static int set_rates(struct machine *machine, struct cs_err *err)
{
    const struct cs_gpu_model *model = machine->model;
    int code;

    if (by_engines(machine))
        return set_engines(machine, err);
    if (machine->question->slice_bytes != model->slice_bytes ||
        machine->question->threads != model->threads)
        return cs_err_set(err, CS_ECANNOT,
                          "slices of %llu bytes by %llu threads are not "
                          "calibrated",
                          (unsigned long long)machine->question->slice_bytes,
                          (unsigned long long)machine->question->threads);
    if (through_host(machine))
        return set_host(machine, err);
    code = set_device(machine);
    if (!code && machine->program->agents > 0 &&
        machine->question->servers_on_host) {
        double blocks = machine->question->channels;

        if (model->curves[CS_GPU_SERVER_ADD].count == 0 ||
            model->curves[CS_GPU_SERVER_PUT].count == 0 ||
            model->curves[CS_GPU_HOST_BOTH].count == 0 ||
            model->host_sync_s < 0)
            return cs_err_set(err, CS_ECANNOT,
                              "servers in memory of the host are not "
                              "calibrated");
        machine->alpha_s = fmax(model->alpha_s, model->host_alpha_s);
        machine->up_Bps = machine->down_Bps =
            cs_gpu_rate(model, CS_GPU_HOST_BOTH,
                        blocks * machine->net.party_count, 0) /
            2;
    }
    return code;
}

static void set_link(struct machine *machine, uint32_t link, uint32_t server,
                     double rate_Bps)
{
    /* The latency is half at each end. */
    uint64_t half_ps = (uint64_t)(machine->alpha_s * 0.5e12 + 0.5);

    machine->net.links[link] = (struct cs_net_link){
        .rate_Bps = rate_Bps > 0 ? rate_Bps : 1, /* no way goes there */
        .latency_ps = server < machine->net.party_count ? half_ps : 0,
        .server = server,
        .from = link,
        .to = link + machine->net.link_count,
    };
}

static void set_party(struct machine *machine, uint32_t party)
{
    const struct cs_gpu_model *model = machine->model;
    double blocks = machine->question->channels;
    double out_Bps = machine->out_Bps;
    double in_Bps = machine->in_Bps;
    double gamma_s = machine->gamma_s;
    bool moves_to_host = !is_host_server(machine, party) &&
                         !through_host(machine) && machine->up_Bps > 0;

    if (is_host_server(machine, party) && !through_host(machine)) {
        out_Bps = cs_gpu_rate(model, CS_GPU_SERVER_PUT, blocks, 0);
        in_Bps = cs_gpu_rate(model, CS_GPU_SERVER_ADD, blocks, 0);
        gamma_s = 0;
    } else if (moves_to_host) {
        out_Bps = cs_gpu_rate(model, CS_GPU_HOST_PUT, blocks, 0);
        in_Bps = cs_gpu_rate(model, CS_GPU_HOST_GET, blocks, 0);
    }
    if (machine->up_Bps > 0 && !through_host(machine)) {
        out_Bps = with_syncs(machine, out_Bps, model->host_sync_s);
        in_Bps = with_syncs(machine, in_Bps, model->host_sync_s);
    }
    set_link(machine, 2 * party, party, out_Bps);
    set_link(machine, 2 * party + 1, party, in_Bps);
    machine->net.parties[party] = (struct cs_net_party){
        .node = party, .reduce_ps_per_byte = gamma_s * 1e12};
}

static void build_net(struct machine *machine, struct cs_arena *arena)
{
    struct cs_net *net = &machine->net;
    uint32_t parties = net->party_count;
    uint32_t party;

    net->link_count = 2 * parties + MEDIA;
    net->server_count = parties + MEDIA;
    net->node_count = 2 * net->link_count;
    net->links = cs_arena_alloc(arena, net->link_count, sizeof(*net->links));
    net->parties = cs_arena_alloc(arena, parties, sizeof(*net->parties));
    net->route = route;
    net->route_ctx = machine;
    net->max_hops = HOPS_MAX;
    for (party = 0; party < parties; party++)
        set_party(machine, party);
    set_link(machine, medium(machine, MEMORY), parties + MEMORY,
             machine->memory_Bps);
    set_link(machine, medium(machine, UP), parties + UP, machine->up_Bps);
    set_link(machine, medium(machine, DOWN), parties + DOWN, machine->down_Bps);
    cs_net_finish(net);
}

/* ---- predictions ---- */

/* The medium shared by all, and a rank's two ways through it at once. */
static struct cs_hockney textbook(const struct machine *machine)
{
    double shared_Bps =
        through_host(machine) ? machine->up_Bps : machine->memory_Bps;
    double port_Bps = 1 / (1 / machine->out_Bps + 1 / machine->in_Bps);

    return (struct cs_hockney){
        .alpha_s = machine->alpha_s,
        .beta_Bps = fmin(port_Bps, shared_Bps / machine->question->ranks),
        .gamma_s_per_byte = machine->gamma_s,
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
    double footprint = footprint_of(machine);

    return (double)machine->question->bytes * machine->question->ranks /
           fmax(best_rate(&curves[CS_GPU_COPY], footprint),
                best_rate(&curves[CS_GPU_PUT], footprint));
}

/* A byte that is copied is read and written. */
static double copies_s(const struct machine *machine)
{
    if (!(machine->model->copy_Bps > 0) || through_host(machine) ||
        machine->up_Bps > 0)
        return 0;
    return machine->tally.touched / 2 / machine->model->copy_Bps;
}

static int simulate(struct machine *machine, const struct cs_algo *algo,
                    const struct cs_call *call, struct cs_gpu_answer *answer,
                    struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct cs_exec_result result;
    struct cs_hockney hockney;
    int code = set_rates(machine, err);

    if (!code) {
        build_net(machine, &arena);
        code = cs_exec_run(machine->program, &machine->net,
                           cs_link_model_find("fluid"), &arena, &result, err);
    }
    if (!code) {
        hockney = textbook(machine);
        answer->time_s = (double)result.time_ps * 1e-12;
        answer->closed_form_s = cs_algo_closed_form_s(algo, call, &hockney);
        answer->bound_s = bound_s(machine);
        answer->copies_s = copies_s(machine);
    }
    cs_arena_free(&arena);
    return code;
}

/* What a question asks for, as the simulator has it. */
struct asked {
    const struct cs_algo *algo;
    struct cs_call call;
    struct cs_program program;
};

/* The program refers to `asked`. */
static int ask_for(const struct cs_gpu_question *question, struct asked *asked,
                   struct cs_err *err)
{
    /* Chunks are those that were run; the machine is not asked. */
    struct cs_hockney hockney = {1e-6, 1e12, 0};
    int code = cs_algo_choose(question->algorithm, &cs_collective_allreduce,
                              &asked->algo, err);

    asked->call = (struct cs_call){
        .ranks = question->ranks,
        .elements = question->bytes / question->element_bytes,
        .element_bytes = question->element_bytes,
        .chunks = question->chunks,
        .shards = question->shards,
        .slices = question->slices,
    };
    if (!code)
        code = cs_algo_check(asked->algo, &asked->call, err);
    if (code)
        return code;
    cs_algo_settle(asked->algo, &asked->call, &hockney);
    asked->program = cs_algo_program(asked->algo, &asked->call);
    return 0;
}

static int write_table(const struct asked *asked, struct cs_arena *arena,
                       const char **table, struct cs_err *err)
{
    struct cs_export what = {
        .algo = asked->algo, .program = &asked->program, .call = &asked->call};
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

int cs_gpu_table(const struct cs_gpu_question *question, struct cs_arena *arena,
                 const char **table, struct cs_err *err)
{
    struct asked asked;
    int code = ask_for(question, &asked, err);

    return code ? code : write_table(&asked, arena, table, err);
}

/* What is simulated is what was run, op by op. */
static int check_table(const struct cs_gpu_question *question,
                       const struct asked *asked, struct cs_err *err)
{
    struct cs_arena arena = {0};
    const char *table;
    int code = write_table(asked, &arena, &table, err);

    if (!code && !question->table[0])
        code =
            cs_err_set(err, CS_ECANNOT, "it is not told which table was run");
    else if (!code && !cs_same(table, question->table))
        code =
            cs_err_set(err, CS_ECANNOT,
                       "table %.16s was run, which is not '%s' as it is made "
                       "here (%s)",
                       question->table, asked->algo->name, table);
    cs_arena_free(&arena);
    return code;
}

int cs_gpu_predict(const struct cs_gpu_model *model,
                   const struct cs_gpu_question *question,
                   struct cs_gpu_answer *answer, struct cs_err *err)
{
    struct machine machine = {.model = model, .question = question};
    struct asked asked;
    int code;

    if (question->gpus > 1)
        return cs_err_set(err, CS_ECANNOT,
                          "links between %u GPUs are not calibrated",
                          question->gpus);
    code = ask_for(question, &asked, err);
    if (!code)
        code = check_table(question, &asked, err);
    if (code)
        return code;
    machine.program = &asked.program;
    machine.net.party_count = cs_program_parties(&asked.program);
    count_all(&machine);
    return simulate(&machine, asked.algo, &asked.call, answer, err);
}
