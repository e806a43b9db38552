#include "validate/cuda/session.cuh"

#include <time.h>

namespace
{

enum {
    PIECE = 256, /* where pieces of memory begin */
};

bool is_agent(const struct cs_stand *stand, uint32_t party)
{
    return party >= stand->plan->ranks;
}

uint32_t party_of(const struct cs_stand *stand, uint32_t lane)
{
    return lane / stand->plan->lanes;
}

bool keeps_on_host(const struct cs_stand *stand, uint32_t party)
{
    return is_agent(stand, party) && stand->ask->servers == CS_ASK_HOST;
}

/* ---- where things are ---- */

uint32_t vector_place(const struct cs_stand *stand, uint32_t party)
{
    return keeps_on_host(stand, party) ? (uint32_t)CS_AREA_HOST
                                       : cs_stand_gpu_of(stand, party);
}

uint32_t slot_place(const struct cs_stand *stand,
                    const struct cs_plan_link *link)
{
    uint32_t sender = party_of(stand, link->sender);
    uint32_t receiver = party_of(stand, link->receiver);

    if (stand->ask->transport != CS_ASK_DEVICE ||
        keeps_on_host(stand, sender) || keeps_on_host(stand, receiver))
        return CS_AREA_HOST;
    return cs_stand_gpu_of(stand, receiver);
}

/* On the GPU where it is waited for, unless GPUs do not reach each other. */
uint32_t count_place(const struct cs_stand *stand, uint32_t party)
{
    if (stand->ask->transport != CS_ASK_DEVICE && stand->gpus > 1)
        return CS_AREA_HOST;
    return cs_stand_gpu_of(stand, party);
}

char *take(const struct cs_stand *stand, struct cs_area *area, uint64_t bytes)
{
    char *piece = stand->dry ? NULL : area->base + area->used;

    area->used += (bytes + PIECE - 1) / PIECE * PIECE;
    return piece;
}

void lay_out_vectors(struct cs_stand *stand)
{
    for (uint32_t party = 0; party < stand->plan->parties; party++) {
        struct cs_area *area =
            &stand->areas[CS_AREA_VECTORS][vector_place(stand, party)];

        stand->outputs[party] = take(stand, area, stand->bytes);
        if (stand->plan->needs_input && !is_agent(stand, party))
            stand->inputs[party] = take(stand, area, stand->bytes);
    }
}

void lay_out_links(struct cs_stand *stand)
{
    uint64_t counts = (uint64_t)stand->channels * CS_WARP_COUNT_WORDS * 4;
    uint64_t slots =
        (uint64_t)stand->channels * stand->ask->depth * stand->ask->slice_bytes;

    for (uint32_t i = 0; i < stand->plan->link_count; i++) {
        const struct cs_plan_link *link = &stand->plan->links[i];
        uint32_t sender = count_place(stand, party_of(stand, link->sender));
        uint32_t receiver = count_place(stand, party_of(stand, link->receiver));
        struct cs_warp_link *to = &stand->links[i];

        to->slots =
            take(stand, &stand->areas[CS_AREA_SLOTS][slot_place(stand, link)],
                 slots);
        to->at_sender = (uint32_t *)take(
            stand, &stand->areas[CS_AREA_COUNTS][sender], counts);
        to->at_receiver = (uint32_t *)take(
            stand, &stand->areas[CS_AREA_COUNTS][receiver], counts);
    }
}

/* What belongs to each kernel alone, zeroed before each run. */
void lay_out_start(struct cs_stand *stand)
{
    uint64_t blocks = (uint64_t)stand->plan->lane_count * stand->channels;

    for (uint32_t gpu = 0; gpu < stand->gpus; gpu++) {
        struct cs_gpu_program *program = &stand->programs[gpu];
        struct cs_area *area = &stand->areas[CS_AREA_COUNTS][gpu];

        program->warp.progress = (uint32_t *)take(stand, area, 4 * blocks);
        program->times = (uint64_t *)take(stand, area, 16 * blocks);
        program->arrived = (uint32_t *)take(stand, area, 4);
        program->stuck =
            (struct cs_gpu_stuck *)take(stand, area, sizeof(*program->stuck));
        stand->wrong[gpu] = (unsigned long long *)take(stand, area, 8);
    }
}

int grow(struct cs_stand *stand, uint32_t place, struct cs_area *area)
{
    char **base = &area->base;
    cudaError_t status;
    int code;

    if (area->used <= area->capacity)
        return 0;
    if (*base && place == CS_AREA_HOST)
        cudaFreeHost(*base);
    else if (*base)
        cudaFree(*base);
    *base = NULL;
    area->capacity = 0;
    status = place == CS_AREA_HOST ? cs_gpu_pin(base, area->used)
                                   : cudaMalloc((void **)base, area->used);
    if (status == cudaSuccess) {
        area->capacity = area->used;
        return 0;
    }
    cudaGetLastError();
    code = cs_gpu(stand->err,
                  place == CS_AREA_HOST ? "pinned memory" : "memory of a GPU",
                  status);
    /* Anything else is no matter of the size. */
    return status == cudaErrorMemoryAllocation ? CS_STAND_NO_ROOM : code;
}

int grow_all(struct cs_stand *stand)
{
    int code = 0;

    for (uint32_t place = 0; place < CS_AREAS && !code; place++) {
        if (place < stand->gpus)
            code = cs_stand_select(stand, place);
        for (int kind = 0; kind < CS_AREA_KINDS && !code; kind++)
            code = grow(stand, place, &stand->areas[kind][place]);
    }
    return code;
}

/* ---- tables of a kernel ---- */

/* Copies `count` things to a device; NULL in the first pass. */
template <typename T>
const T *send(struct cs_stand *stand, uint32_t gpu, const T *from,
              uint64_t count, int *code)
{
    struct cs_area *area = &stand->areas[CS_AREA_TABLES][gpu];
    char *to = take(stand, area, count * sizeof(T));

    if (!stand->dry && !*code && count > 0)
        *code = cs_gpu(
            stand->err, "copying a table",
            cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice));
    return (const T *)to;
}

/* The lanes that a device does. */
uint32_t lanes_of(const struct cs_stand *stand, uint32_t gpu, uint32_t *lanes)
{
    uint32_t count = 0;

    for (uint32_t lane = 0; lane < stand->plan->lane_count; lane++)
        if (cs_stand_gpu_of(stand, party_of(stand, lane)) == gpu)
            lanes[count++] = lane;
    return count;
}

int send_tables(struct cs_stand *stand, uint32_t gpu, const uint64_t *starts,
                uint32_t *lanes)
{
    const struct cs_plan *plan = stand->plan;
    struct cs_gpu_program *program = &stand->programs[gpu];
    struct cs_warp_program *warp = &program->warp;
    uint32_t *ready[CS_GPUS_MAX];
    int code = cs_stand_select(stand, gpu);

    for (uint32_t i = 0; i < stand->gpus; i++)
        ready[i] = stand->programs[i].ready_here;
    warp->rounds = send(stand, gpu, plan->rounds, plan->lane_count + 1, &code);
    warp->ops_of = send(stand, gpu, plan->ops_of, plan->round_count + 1, &code);
    warp->ops = send(stand, gpu, plan->ops, plan->op_count, &code);
    warp->links = send(stand, gpu, stand->links, plan->link_count, &code);
    warp->inputs = send(stand, gpu, stand->inputs, plan->parties, &code);
    warp->outputs = send(stand, gpu, stand->outputs, plan->parties, &code);
    warp->cut.starts = send(stand, gpu, starts, plan->blocks + 1, &code);
    program->lanes_here_count = lanes_of(stand, gpu, lanes);
    program->lanes_here =
        send(stand, gpu, lanes, program->lanes_here_count, &code);
    program->ready = send(stand, gpu, ready, stand->gpus, &code);
    return code;
}

/* Both passes: what there is of memory, then where. */
int lay_out(struct cs_stand *stand, const uint64_t *starts)
{
    uint32_t *lanes = (uint32_t *)cs_arena_alloc(
        &stand->arena, stand->plan->lane_count, sizeof(*lanes));
    int code = 0;

    for (int kind = 0; kind < CS_AREA_KINDS; kind++)
        for (struct cs_area &area : stand->areas[kind])
            area.used = 0;
    lay_out_vectors(stand);
    lay_out_links(stand);
    lay_out_start(stand);
    for (uint32_t gpu = 0; gpu < stand->gpus; gpu++) {
        uint32_t place =
            stand->gpus > 1 && stand->ask->transport ? CS_AREA_HOST : gpu;

        stand->programs[gpu].ready_here =
            (uint32_t *)take(stand, &stand->areas[CS_AREA_COUNTS][place],
                             (uint64_t)stand->gpus * CS_WARP_COUNT_WORDS * 4);
    }
    for (uint32_t gpu = 0; gpu < stand->gpus && !code; gpu++)
        code = send_tables(stand, gpu, starts, lanes);
    return code;
}

/* How many channels each GPU holds the lanes of that it does, the least of it:
 * all blocks of a GPU have to be resident at once, or they wait for ever. */
int most_channels(struct cs_stand *stand, uint32_t *most)
{
    uint32_t *lanes = (uint32_t *)cs_arena_alloc(
        &stand->arena, stand->plan->lane_count, sizeof(*lanes));
    int code = 0;

    *most = UINT32_MAX;
    for (uint32_t gpu = 0; gpu < stand->gpus && !code; gpu++) {
        uint32_t count = lanes_of(stand, gpu, lanes);
        uint32_t resident = 0;

        code = cs_stand_select(stand, gpu);
        if (!code)
            code =
                cs_gpu_resident(&stand->shape, (int)gpu, &resident, stand->err);
        if (count > 0 && resident / count < *most)
            *most = resident / count;
    }
    return code;
}

int choose_channels(struct cs_stand *stand)
{
    const struct cs_ask *ask = stand->ask;
    uint32_t most;
    int code = most_channels(stand, &most);

    if (code)
        return code;
    stand->channels = ask->channels
                          ? ask->channels
                          : cs_plan_channels(stand->plan, stand->bytes, most,
                                             ask->channel_bytes);
    if (ask->transport == CS_ASK_COPY)
        stand->channels = 1;
    else if (stand->channels > most)
        return cs_err_set(stand->err, CS_EINPUT,
                          "%u channels of %u lanes on %u GPUs, and thread "
                          "blocks of %u threads can be resident together for "
                          "%u channels; take fewer channels, threads or ranks",
                          stand->channels, stand->plan->lane_count, stand->gpus,
                          stand->shape.threads, most);
    return 0;
}

/* ---- one run ---- */

int synchronize(struct cs_stand *stand)
{
    int code = 0;

    for (uint32_t gpu = 0; gpu < stand->gpus && !code; gpu++)
        code = cs_gpu(stand->err, "waiting for a GPU",
                      cudaStreamSynchronize(stand->streams[gpu]));
    return code;
}

/* Tables were copied from memory that is not pinned, on another stream than
 * kernels run on, which does not wait for it. */
int settle_copies(struct cs_stand *stand)
{
    int code = 0;

    for (uint32_t gpu = 0; gpu < stand->gpus && !code; gpu++) {
        code = cs_stand_select(stand, gpu);
        if (!code)
            code =
                cs_gpu(stand->err, "copying tables", cudaDeviceSynchronize());
    }
    return code;
}

/* Pinned memory is set by the first GPU, which is faster than one processor of
 * the host. */
int set_bytes(struct cs_stand *stand, enum cs_area_kind kind, int value)
{
    int code = 0;

    for (uint32_t place = 0; place < CS_AREAS && !code; place++) {
        struct cs_area *area = &stand->areas[kind][place];
        uint32_t gpu = place == CS_AREA_HOST ? 0 : place;

        if (area->used == 0)
            continue;
        code = cs_stand_select(stand, gpu);
        if (!code)
            code = cs_gpu(stand->err, "setting memory",
                          cudaMemsetAsync(area->base, value, area->used,
                                          stand->streams[gpu]));
    }
    return code;
}

struct cs_gpu_vector vector_at(const struct cs_stand *stand, char *at)
{
    struct cs_gpu_vector vector = {at, stand->elements, stand->shape.dtype};

    return vector;
}

int fill_party(struct cs_stand *stand, uint32_t party)
{
    uint32_t gpu = cs_stand_gpu_of(stand, party);
    struct cs_gpu_vector output = vector_at(stand, stand->outputs[party]);
    int code = cs_stand_select(stand, gpu);

    if (!code && is_agent(stand, party))
        return cs_gpu(
            stand->err, "emptying a server",
            cudaMemsetAsync(output.at, 0, stand->bytes, stand->streams[gpu]));
    if (!code)
        code = cs_gpu_fill(&output, party, stand->streams[gpu], stand->err);
    if (!code && stand->plan->needs_input) {
        struct cs_gpu_vector input = vector_at(stand, stand->inputs[party]);

        code = cs_gpu_fill(&input, party, stand->streams[gpu], stand->err);
    }
    return code;
}

int start_all(struct cs_stand *stand)
{
    int code = 0;

    for (uint32_t gpu = 0; gpu < stand->gpus && !code; gpu++) {
        cudaStream_t stream = stand->streams[gpu];

        code = cs_stand_select(stand, gpu);
        if (!code)
            code = cs_gpu(stand->err, "an event",
                          cudaEventRecord(stand->events[gpu][0], stream));
        if (!code)
            code = cs_gpu_launch(&stand->shape, &stand->programs[gpu], stream,
                                 stand->err);
        if (!code)
            code = cs_gpu(stand->err, "an event",
                          cudaEventRecord(stand->events[gpu][1], stream));
    }
    return code;
}

int tell_stuck(struct cs_stand *stand, const struct cs_gpu_stuck *stuck)
{
    const struct cs_table_op *op = &stand->table->ops[stuck->op];

    if (stuck->where == CS_GPU_STUCK_START)
        return cs_err_set(stand->err, CS_EANSWER,
                          "the thread blocks did not all start before the "
                          "deadline");
    return cs_err_at(stand->err, CS_EANSWER, stand->table->file, op->line,
                     "party %u, channel %u waited in round %u until the "
                     "deadline; %u slices moved here, %u at the other side",
                     op->party, stuck->channel, stuck->round, stuck->mine,
                     stuck->other);
}

/* What the clock of a device says, and whether something was stuck. */
int read_gpu(struct cs_stand *stand, uint32_t gpu, struct cs_stand_run *run)
{
    const struct cs_gpu_program *program = &stand->programs[gpu];
    uint32_t blocks = program->lanes_here_count * stand->channels;
    uint64_t *times = stand->times;
    struct cs_gpu_stuck stuck;
    float event_ms = 0;
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
    int code = cs_stand_select(stand, gpu);

    if (!code)
        code = cs_gpu(stand->err, "reading what was stuck",
                      cudaMemcpy(&stuck, program->stuck, sizeof(stuck),
                                 cudaMemcpyDeviceToHost));
    if (!code && stuck.where)
        code = tell_stuck(stand, &stuck);
    if (!code)
        code = cs_gpu(stand->err, "reading times",
                      cudaMemcpy(times, program->times, 16 * (size_t)blocks,
                                 cudaMemcpyDeviceToHost));
    if (!code)
        code = cs_gpu(stand->err, "reading events",
                      cudaEventElapsedTime(&event_ms, stand->events[gpu][0],
                                           stand->events[gpu][1]));
    for (uint32_t i = 0; i < blocks; i++) {
        first = times[2 * i] < first ? times[2 * i] : first;
        last = times[2 * i + 1] > last ? times[2 * i + 1] : last;
    }
    if (!code && blocks > 0 && (double)(last - first) * 1e-9 > run->device_s)
        run->device_s = (double)(last - first) * 1e-9;
    if (event_ms * 1e-3 > run->event_s)
        run->event_s = event_ms * 1e-3;
    return code;
}

int reach_peers(struct cs_stand *stand)
{
    int code = 0;

    for (uint32_t from = 0; from < stand->gpus; from++)
        for (uint32_t to = 0; to < stand->gpus && !code; to++)
            if (from != to)
                code = cs_gpu_reach(from, to, stand->err);
    return code;
}

/* Seconds of a clock that only goes on. */
double host_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* GPUs that had nothing to do, while memory was asked for, are kept busy for as
 * long, so that their clocks are up again. */
int keep_warm(struct cs_stand *stand)
{
    double idle_ns = 1e9 * (host_s() - stand->busy_s);
    uint64_t ns = idle_ns < CS_GPU_WARM_NS ? (uint64_t)idle_ns : CS_GPU_WARM_NS;
    int code = 0;

    for (uint32_t gpu = 0; gpu < stand->gpus && !code; gpu++) {
        code = cs_stand_select(stand, gpu);
        if (!code)
            code = cs_gpu_warm(ns, stand->streams[gpu], stand->err);
    }
    return code ? code : synchronize(stand);
}

int open_gpus(struct cs_stand *stand)
{
    int code = 0;

    for (uint32_t gpu = 0; gpu < stand->gpus && !code; gpu++) {
        code = cs_stand_select(stand, gpu);
        if (!code)
            code = cs_gpu(stand->err, "a stream",
                          cudaStreamCreateWithFlags(&stand->streams[gpu],
                                                    cudaStreamNonBlocking));
        for (int i = 0; i < 2 && !code; i++)
            code = cs_gpu(stand->err, "an event",
                          cudaEventCreate(&stand->events[gpu][i]));
    }
    return code;
}

} // namespace

uint32_t cs_stand_element_bytes(uint32_t dtype)
{
    return dtype == CS_ASK_FP16 ? 2 : 4;
}

uint32_t cs_stand_gpu_of(const struct cs_stand *stand, uint32_t party)
{
    return is_agent(stand, party) ? 0
                                  : party * stand->gpus / stand->plan->ranks;
}

int cs_stand_select(struct cs_stand *stand, uint32_t gpu)
{
    return cs_gpu(stand->err, "choosing a GPU", cudaSetDevice((int)gpu));
}

int cs_stand_open(struct cs_stand *stand, const struct cs_op_table *table,
                  const struct cs_plan *plan)
{
    int code;

    stand->table = table;
    stand->plan = plan;
    stand->gpus = stand->ask->gpus;
    if ((int)stand->gpus > stand->machine->count)
        return cs_err_set(stand->err, CS_ECANNOT,
                          "--gpus %u, and this computer has %d", stand->gpus,
                          stand->machine->count);
    if (stand->gpus > plan->ranks)
        return cs_err_set(stand->err, CS_EINPUT, "--gpus %u for %u ranks",
                          stand->gpus, plan->ranks);
    for (uint32_t i = 0; i < plan->op_count; i++)
        stand->waits = stand->waits || plan->ops[i].kind == CS_TABLE_WAIT;
    code = open_gpus(stand);
    if (!code && stand->ask->transport == CS_ASK_DEVICE)
        code = reach_peers(stand);
    return code;
}

void cs_stand_size(struct cs_stand *stand, uint32_t dtype, uint64_t bytes)
{
    uint32_t each = cs_stand_element_bytes(dtype);

    stand->elements = bytes / each;
    stand->bytes = stand->elements * each;
    stand->shape.dtype = dtype;
    stand->shape.threads = stand->ask->threads;
    stand->channels = 0;
}

int cs_stand_set(struct cs_stand *stand, uint32_t dtype, uint64_t bytes)
{
    const struct cs_plan *plan = stand->plan;
    uint32_t each = cs_stand_element_bytes(dtype);
    bool host =
        stand->ask->transport != CS_ASK_DEVICE ||
        (stand->ask->servers == CS_ASK_HOST && plan->parties > plan->ranks);
    struct cs_gpu_program program = {};
    uint64_t *starts;
    int code;

    cs_arena_free(&stand->arena);
    cs_stand_size(stand, dtype, bytes);
    code = choose_channels(stand);
    if (code)
        return code;
    stand->times = (uint64_t *)cs_arena_alloc(
        &stand->arena, 2 * (size_t)plan->lane_count * stand->channels, 8);
    starts = cs_plan_starts(plan, stand->elements, each, &stand->arena);
    stand->inputs =
        (char **)cs_arena_alloc(&stand->arena, plan->parties, sizeof(char *));
    stand->outputs =
        (char **)cs_arena_alloc(&stand->arena, plan->parties, sizeof(char *));
    stand->links = (struct cs_warp_link *)cs_arena_alloc(
        &stand->arena, plan->link_count, sizeof(*stand->links));
    program.warp.cut.blocks = plan->blocks;
    program.warp.cut.channels = stand->channels;
    program.warp.cut.slice_bytes = stand->ask->slice_bytes;
    program.warp.depth = stand->ask->depth;
    program.warp.lanes = plan->lanes;
    program.warp.system = host || stand->gpus > 1;
    program.warp.waits = stand->waits;
    program.devices = stand->gpus;
    program.deadline_ns = stand->ask->deadline_ps / 1000;
    for (uint32_t gpu = 0; gpu < stand->gpus; gpu++) {
        program.device = gpu;
        stand->programs[gpu] = program;
    }
    stand->dry = true;
    code = lay_out(stand, starts);
    if (!code)
        code = grow_all(stand);
    stand->dry = false;
    if (!code)
        code = lay_out(stand, starts);
    if (!code)
        code = settle_copies(stand);
    return code ? code : keep_warm(stand);
}

int cs_stand_prepare(struct cs_stand *stand)
{
    int code = set_bytes(stand, CS_AREA_VECTORS, CS_PATTERN_POISON);

    if (!code)
        code = set_bytes(stand, CS_AREA_SLOTS, CS_PATTERN_POISON);
    if (!code)
        code = set_bytes(stand, CS_AREA_COUNTS, 0);
    for (uint32_t party = 0; party < stand->plan->parties && !code; party++)
        code = fill_party(stand, party);
    return code ? code : synchronize(stand);
}

/* Adds up what the devices have counted. */
static int read_wrong(struct cs_stand *stand, uint64_t *wrong)
{
    int code = synchronize(stand);

    *wrong = 0;
    for (uint32_t gpu = 0; gpu < stand->gpus && !code; gpu++) {
        unsigned long long count = 0;

        code = cs_gpu(stand->err, "reading what is wrong",
                      cudaMemcpy(&count, stand->wrong[gpu], sizeof(count),
                                 cudaMemcpyDeviceToHost));
        *wrong += count;
    }
    return code;
}

int cs_stand_check(struct cs_stand *stand, uint32_t ranks, uint64_t *wrong)
{
    uint32_t rank = 0;
    int code = 0;

    /* Ranks are in blocks on GPUs. */
    for (uint32_t gpu = 0; gpu < stand->gpus && !code; gpu++) {
        struct cs_gpu_results results = {
            {}, 0, stand->elements, stand->shape.dtype};

        for (; rank < stand->plan->ranks && cs_stand_gpu_of(stand, rank) == gpu;
             rank++)
            results.at[results.count++] = stand->outputs[rank];
        code = cs_stand_select(stand, gpu);
        if (!code)
            code = cs_gpu_verify(&results, ranks, stand->wrong[gpu],
                                 stand->streams[gpu], stand->err);
    }
    if (!code)
        code = read_wrong(stand, wrong);
    stand->busy_s = host_s();
    return code;
}

int cs_stand_run(struct cs_stand *stand, uint32_t ranks,
                 struct cs_stand_run *run)
{
    int code = cs_stand_prepare(stand);

    run->device_s = run->event_s = 0;
    if (!code)
        code = start_all(stand);
    if (!code)
        code = synchronize(stand);
    for (uint32_t gpu = 0; gpu < stand->gpus && !code; gpu++)
        code = read_gpu(stand, gpu, run);
    return code ? code : cs_stand_check(stand, ranks, &run->wrong);
}

void cs_stand_close(struct cs_stand *stand)
{
    for (int kind = 0; kind < CS_AREA_KINDS; kind++)
        for (uint32_t place = 0; place < CS_AREAS; place++) {
            char *base = stand->areas[kind][place].base;

            if (base && place == CS_AREA_HOST)
                cudaFreeHost(base);
            else if (base)
                cudaFree(base);
        }
    for (uint32_t gpu = 0; gpu < stand->gpus; gpu++) {
        for (cudaEvent_t event : stand->events[gpu])
            if (event)
                cudaEventDestroy(event);
        if (stand->streams[gpu])
            cudaStreamDestroy(stand->streams[gpu]);
    }
    cs_arena_free(&stand->arena);
}

int cs_gpu_settle(struct cs_ask *ask, const struct cs_gpu_machine *machine,
                  struct cs_err *err)
{
    struct cs_gpu_shape shape = {CS_ASK_FP32, ask->threads};
    uint32_t resident = 0;
    int code;

    if (ask->slice_bytes > 0 || ask->task == CS_ASK_MACHINE ||
        ask->task == CS_ASK_NCCL)
        return 0;
    if (ask->transport == CS_ASK_COPY) {
        ask->slice_bytes = CS_PLAN_COPY_SLICE;
        return 0;
    }
    code = cs_gpu(err, "choosing a GPU", cudaSetDevice(0));
    if (!code)
        code = cs_gpu_resident(&shape, 0, &resident, err);
    ask->slice_bytes =
        cs_plan_slice(machine->devices[0].l2_bytes, resident, ask->depth);
    return code;
}

void cs_stand_line(const struct cs_stand *stand, struct cs_jsonl *line)
{
    const struct cs_ask *ask = stand->ask;
    char hash[17];

    snprintf(hash, sizeof(hash), "%016llx",
             (unsigned long long)stand->table->hash);

    cs_jsonl_text(line, "algorithm", stand->table->algorithm);
    cs_jsonl_text(line, "collective", stand->table->collective);
    cs_jsonl_u64(line, "ranks", stand->plan->ranks);
    cs_jsonl_u64(line, "agents", stand->plan->parties - stand->plan->ranks);
    cs_jsonl_u64(line, "lanes", stand->plan->lanes);
    cs_jsonl_u64(line, "table_blocks", stand->plan->blocks);
    cs_jsonl_u64(line, "table_parts", stand->plan->parts);
    cs_jsonl_u64(line, "chunks", stand->table->chunks);
    cs_jsonl_u64(line, "shards", stand->table->shards);
    cs_jsonl_u64(line, "slices", stand->table->slices);
    cs_jsonl_text(line, "table", hash);
    cs_jsonl_u64(line, "gpus_used", stand->gpus);
    cs_jsonl_text(line, "transport", cs_ask_transport_names[ask->transport]);
    cs_jsonl_text(line, "servers", cs_ask_transport_names[ask->servers]);
    cs_jsonl_u64(line, "bytes", stand->bytes);
    cs_jsonl_text(line, "dtype",
                  stand->shape.dtype == CS_ASK_FP16 ? "fp16" : "fp32");
    cs_jsonl_u64(line, "channels", stand->channels);
    cs_jsonl_u64(line, "slice_bytes", ask->slice_bytes);
    cs_jsonl_u64(line, "depth", ask->depth);
    cs_jsonl_u64(line, "threads", ask->threads);
    cs_jsonl_u64(line, "runs", ask->runs);
    cs_jsonl_u64(line, "warmup", ask->warmup);
}
