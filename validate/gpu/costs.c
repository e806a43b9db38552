#include "validate/gpu/machine.h"

#include <math.h>

/* The add that was calibrated for the element type; fp32's where fp16 was not
 * measured. */
static enum cs_gpu_rate add_rate_of(const struct cs_calibrated_machine *machine)
{
    return machine->query->element_bytes == 2 && machine->model->curves[CS_GPU_ADD16].count > 0
               ? CS_GPU_ADD16
               : CS_GPU_ADD;
}

/* Seconds a byte that an add takes longer than a get, when `sharers` ranks' blocks
 * reduce at the same time. */
static double extra_add_s(const struct cs_calibrated_machine *machine, enum cs_gpu_rate get,
                          enum cs_gpu_rate add, double sharers)
{
    double blocks = machine->query->channels * sharers;
    double footprint = cs_gpu_footprint(machine->query);
    double get_Bps = cs_gpu_rate(machine->model, get, blocks, footprint);
    double add_Bps = cs_gpu_rate(machine->model, add, blocks, footprint);

    return fmax(0, sharers * (1 / add_Bps - 1 / get_Bps));
}

/* The slots of a link, with the rates of the thread blocks that put and get. */
struct slot_ends {
    enum cs_gpu_slots slots;
    enum cs_gpu_rate put, get; /* the curves of the ping-pong's copies */
    double out_Bps, in_Bps;    /* of a port in the simulation */
    double put_Bps, get_Bps;   /* of a shared medium; 0: no shared medium */
};

/* Bytes of a message's first slice. */
static double first_slice_bytes(const struct cs_calibrated_machine *machine)
{
    return fmin((double)machine->query->slice_bytes,
                machine->tally.largest / machine->query->channels);
}

/* Seconds of a ping-pong message of one slice beyond the put and the get, which
 * run one after the other in a ping-pong. */
static double beyond_copies_s(const struct cs_calibrated_machine *machine,
                              const struct slot_ends *ends, double slice)
{
    const struct cs_gpu_model *model = machine->model;

    return cs_gpu_ping_s(&model->pings[ends->slots], slice) -
           slice / cs_gpu_rate(model, ends->put, 1, 0) -
           slice / cs_gpu_rate(model, ends->get, 1, 0);
}

/* Seconds that a put followed by a get takes longer than the simulation, which
 * overlaps the two ports and the medium of a message. */
static double serial_excess_s(const struct cs_calibrated_machine *machine,
                              const struct slot_ends *ends)
{
    const struct cs_gpu_tally *tally = &machine->tally;
    double sharers = fmax(1, tally->sends / fmax(1, tally->sending_rounds));
    double bytes = first_slice_bytes(machine) * machine->query->channels;
    double out_s = bytes / ends->out_Bps;
    double in_s = bytes / ends->in_Bps;
    double put_s = ends->put_Bps > 0 ? sharers * bytes / ends->put_Bps : 0;
    double get_s = ends->get_Bps > 0 ? sharers * bytes / ends->get_Bps : 0;

    return fmax(0, fmax(out_s, put_s) + fmax(in_s, get_s) - fmax(fmax(out_s, in_s), put_s + get_s));
}

/*
 * The latency of a message beyond the copies.  A port that sends and receives
 * in a round serialises the two, as a ping-pong does.  Two ports with one
 * direction each overlap in the simulation, while real slices are put and then
 * got: alpha adds the difference for the share of bytes that arrive at ports
 * that only receive.
 *
 * Through PCIe the difference is between two extremes.  Where PCIe serves slices in
 * the order of arrival, the first slices are got while later slices are put, and
 * nothing is to be added; where all channels share PCIe fairly, all slices are put
 * before any slice is got, of all messages.  One message is added.
 */
static double alpha_of(const struct cs_calibrated_machine *machine, const struct slot_ends *ends)
{
    const struct cs_gpu_tally *tally = &machine->tally;
    double all = tally->received + tally->received_alone;
    double alone = all > 0 ? tally->received_alone / all : 0;

    return fmax(0, beyond_copies_s(machine, ends, first_slice_bytes(machine))) +
           alone * serial_excess_s(machine, ends);
}

/* Costs of passes and queued messages.  A slice shorter than a full one waits for
 * memory as long as a full one: half of a short slice's time beyond the copies,
 * less a full slice's, is the put's share, half the get's. */
static void set_pass_costs(struct cs_calibrated_machine *machine, const struct slot_ends *ends)
{
    double full = (double)machine->query->slice_bytes;

    machine->latencies.sync_s = machine->model->pings[ends->slots].sync_s;
    machine->latencies.queue_s =
        fmax(0, (beyond_copies_s(machine, ends, first_slice_bytes(machine)) -
                 beyond_copies_s(machine, ends, full)) /
                    2);
}

/* Slots on the GPU: all ranks' blocks share memory. */
static void set_device(struct cs_calibrated_machine *machine)
{
    const struct cs_gpu_model *model = machine->model;
    double blocks = machine->query->channels;
    double parties = cs_gpu_query_gpus(machine->query) > 1
                         ? cs_gpu_query_ranks_per_gpu(machine->query)
                         : machine->net.party_count;
    double footprint = cs_gpu_footprint(machine->query);
    double sharers = fmax(1, machine->tally.reducers / cs_gpu_query_gpus(machine->query));
    struct slot_ends ends = {
        .slots = CS_GPU_ON_DEVICE,
        .put = CS_GPU_PUT,
        .get = CS_GPU_GET,
        .out_Bps = cs_gpu_rate(model, CS_GPU_PUT, blocks, footprint),
        .in_Bps = cs_gpu_rate(model, CS_GPU_GET, blocks, footprint),
        .put_Bps = cs_gpu_rate(model, CS_GPU_PUT, blocks * parties, footprint),
        .get_Bps = cs_gpu_rate(model, CS_GPU_GET, blocks * parties, footprint),
    };

    machine->latencies.alpha_s = alpha_of(machine, &ends);
    set_pass_costs(machine, &ends);
    machine->latencies.start_s = model->pings[CS_GPU_ON_DEVICE].start_s;
    machine->rates.out_Bps = ends.out_Bps;
    machine->rates.in_Bps = ends.in_Bps;
    machine->rates.put_Bps = ends.put_Bps;
    machine->rates.get_Bps = ends.get_Bps;
    machine->rates.gamma_s = fmax(extra_add_s(machine, CS_GPU_GET, add_rate_of(machine), 1),
                                  extra_add_s(machine, CS_GPU_GET, add_rate_of(machine), sharers));
}

/* Links between GPUs; set_device has set the memory at both ends. */
static int set_peers(struct cs_calibrated_machine *machine, struct cs_err *err)
{
    const struct cs_gpu_model *model = machine->model;
    const struct cs_gpu_query *query = machine->query;
    uint32_t gpus = cs_gpu_query_gpus(machine->query);
    double blocks = query->channels;
    double all = blocks * cs_gpu_query_ranks_per_gpu(machine->query);
    double footprint = cs_gpu_footprint(machine->query);
    const struct cs_gpu_pings *pings = &model->pings[CS_GPU_ON_PEER];
    struct slot_ends ends = {.slots = CS_GPU_ON_PEER, .put = CS_GPU_PEER_PUT, .get = CS_GPU_GET};

    if (machine->program->agents > 0 && query->servers_on_host)
        return cs_err_set(err, CS_ECANNOT, "servers in host memory are not calibrated for %u GPUs",
                          gpus);
    if (!(cs_gpu_ring_rate(model, gpus, 1, footprint) > 0) ||
        model->curves[CS_GPU_PEER_PUT].count == 0 || pings->count == 0 || pings->sync_s < 0)
        return cs_err_set(err, CS_ECANNOT, "links between %u GPUs are not calibrated", gpus);
    ends.out_Bps = cs_gpu_rate(model, CS_GPU_PEER_PUT, blocks, footprint);
    ends.in_Bps = cs_gpu_rate(model, CS_GPU_GET, blocks, footprint);
    machine->latencies.remote_alpha_s = alpha_of(machine, &ends);
    machine->latencies.start_s = fmax(machine->latencies.start_s, pings->start_s);
    machine->latencies.remote_sync_s = pings->sync_s;
    machine->rates.remote_Bps = ends.out_Bps;
    machine->rates.peer_Bps = fmin(cs_gpu_rate(model, CS_GPU_PEER_PUT, all, footprint),
                                   cs_gpu_ring_rate(model, gpus, all, footprint));
    return 0;
}

/* Slots in host memory: all ranks share PCIe. */
static int set_host(struct cs_calibrated_machine *machine, struct cs_err *err)
{
    const struct cs_gpu_model *model = machine->model;
    double blocks = machine->query->channels;
    double all = blocks * machine->net.party_count;
    double footprint = cs_gpu_footprint(machine->query);
    double both_Bps = cs_gpu_rate(model, CS_GPU_HOST_BOTH, all, footprint);
    const struct cs_gpu_pings *pings = &model->pings[CS_GPU_ON_HOST];
    struct slot_ends ends = {
        .slots = CS_GPU_ON_HOST, .put = CS_GPU_HOST_PUT, .get = CS_GPU_HOST_GET};

    if (!(both_Bps > 0) || pings->count == 0 || pings->sync_s < 0)
        return cs_err_set(err, CS_ECANNOT, "slots in host memory are not calibrated");
    ends.out_Bps = cs_gpu_rate(model, CS_GPU_HOST_PUT, blocks, footprint);
    ends.in_Bps = cs_gpu_rate(model, CS_GPU_HOST_GET, blocks, footprint);
    machine->latencies.alpha_s = alpha_of(machine, &ends);
    set_pass_costs(machine, &ends);
    machine->latencies.start_s = pings->start_s;
    machine->rates.out_Bps = ends.out_Bps;
    machine->rates.in_Bps = ends.in_Bps;
    machine->rates.up_Bps = machine->rates.down_Bps = both_Bps / 2;
    machine->rates.gamma_s = extra_add_s(machine, CS_GPU_HOST_GET, CS_GPU_HOST_ADD, 1);
    return 0;
}

enum {
    ADD_BLOCKS = 64, /* of the reducing kernel, see validate/cuda/staged.cu */
};

/* The rate of copy engines.  Copies of an engine are serial, and a small copy
 * occupies the engine for longer than its bytes take. */
static double with_copies(const struct cs_calibrated_machine *machine)
{
    const struct cs_gpu_model *model = machine->model;
    const struct cs_gpu_tally *tally = &machine->tally;

    return 1 / (1 / model->engine_Bps + model->engine_copy_s * tally->slices / (tally->moved / 2));
}

/* Copy engines: one graph of copies and reducing kernels.  Half of a
 * message's latency is at each engine, without the time that occupies the
 * engine, which with_copies counts. */
static int set_engines(struct cs_calibrated_machine *machine, struct cs_err *err)
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
    machine->latencies.alpha_s = model->engine_alpha_s - 2 * model->engine_copy_s;
    machine->latencies.start_s = model->graph_s;
    machine->latencies.sum_s = model->engine_sum_s;
    machine->rates.up_Bps = machine->rates.down_Bps = with_copies(machine);
    machine->latencies.hop_s = slice / machine->rates.up_Bps;
    machine->rates.gamma_s =
        slice / largest / cs_gpu_rate(model, add_rate_of(machine), ADD_BLOCKS, footprint);
    return 0;
}

/* Parameter servers with slots and vector in host memory. */
static int set_host_servers(struct cs_calibrated_machine *machine, struct cs_err *err)
{
    const struct cs_gpu_model *model = machine->model;
    const struct cs_gpu_pings *pings = &model->pings[CS_GPU_ON_HOST];
    double blocks = machine->query->channels;
    double vector = (double)machine->query->bytes;
    struct slot_ends ends = {
        .slots = CS_GPU_ON_HOST, .put = CS_GPU_HOST_PUT, .get = CS_GPU_HOST_GET};

    if (model->curves[CS_GPU_SERVER_ADD].count == 0 ||
        model->curves[CS_GPU_SERVER_PUT].count == 0 || model->curves[CS_GPU_HOST_PUT].count == 0 ||
        model->curves[CS_GPU_HOST_GET].count == 0 || model->curves[CS_GPU_HOST_BOTH].count == 0 ||
        pings->count == 0 || pings->sync_s < 0)
        return cs_err_set(err, CS_ECANNOT, "servers in host memory are not calibrated");
    ends.out_Bps = cs_gpu_rate(model, CS_GPU_HOST_PUT, blocks, vector);
    ends.in_Bps = cs_gpu_rate(model, CS_GPU_SERVER_ADD, blocks, vector);
    machine->latencies.alpha_s = alpha_of(machine, &ends);
    set_pass_costs(machine, &ends);
    machine->latencies.start_s = fmax(machine->latencies.start_s, pings->start_s);
    machine->rates.up_Bps = machine->rates.down_Bps =
        cs_gpu_rate(model, CS_GPU_HOST_BOTH, blocks * machine->net.party_count, 0) / 2;
    return 0;
}

/* Rates depend on slices, threads and slots: a run with different ones is not
 * calibrated. */
static int check_calibrated_shape(const struct cs_calibrated_machine *machine, struct cs_err *err)
{
    const struct cs_gpu_query *query = machine->query;
    const struct cs_gpu_model *model = machine->model;

    if (query->slice_bytes == model->slice_bytes && query->threads == model->threads &&
        query->depth == model->depth)
        return 0;
    return cs_err_set(err, CS_ECANNOT,
                      "%llu slots of %llu bytes by %llu threads are not calibrated",
                      (unsigned long long)query->depth, (unsigned long long)query->slice_bytes,
                      (unsigned long long)query->threads);
}

int cs_gpu_costs_set(struct cs_calibrated_machine *machine, struct cs_err *err)
{
    int code = 0;

    machine->link_model = "fluid";
    if (cs_gpu_query_through_host(machine->query) && cs_gpu_query_gpus(machine->query) > 1)
        return cs_err_set(err, CS_ECANNOT, "%u GPUs through host memory are not calibrated",
                          cs_gpu_query_gpus(machine->query));
    if (cs_gpu_query_by_engines(machine->query))
        return set_engines(machine, err);
    code = check_calibrated_shape(machine, err);
    if (code)
        return code;
    if (cs_gpu_query_through_host(machine->query))
        code = set_host(machine, err);
    else
        set_device(machine);
    if (!code && cs_gpu_query_gpus(machine->query) > 1)
        code = set_peers(machine, err);
    if (!code && machine->program->agents > 0 && machine->query->servers_on_host)
        code = set_host_servers(machine, err);
    return code;
}
