/*
 * What GPUs there are.  Clocks as they are now come from NVML, which is
 * opened at run time and may be missing.
 */
#include "validate/cuda/gpu.cuh"

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

/* The little of NVML that is used; NVML API reference, nvmlClockType_t. */
struct cs_gpu_nvml {
    void *library;
    int (*init)(void);
    int (*shutdown)(void);
    int (*by_pci)(const char *pci, void **device);
    int (*clock)(void *device, int type, unsigned *MHz);
    int (*driver)(char *text, unsigned length);
};

/* Of the sources, where git says it. */
#ifndef CS_COMMIT
#    define CS_COMMIT ""
#endif

namespace
{

enum {
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEMORY = 2,
    PIN_TRIES = 4,
    PIN_PAUSE_NS = 300000000,
};

void open_nvml(struct cs_gpu_machine *machine)
{
    struct cs_gpu_nvml *nvml =
        (struct cs_gpu_nvml *)cs_grow(NULL, 1, sizeof(*nvml));
    struct {
        void **function;
        const char *name;
    } symbols[] = {
        {(void **)&nvml->init, "nvmlInit_v2"},
        {(void **)&nvml->shutdown, "nvmlShutdown"},
        {(void **)&nvml->by_pci, "nvmlDeviceGetHandleByPciBusId_v2"},
        {(void **)&nvml->clock, "nvmlDeviceGetClockInfo"},
        {(void **)&nvml->driver, "nvmlSystemGetDriverVersion"},
    };
    bool whole;

    *nvml = {};
    nvml->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    whole = nvml->library != NULL;
    for (auto &symbol : symbols)
        if (whole) {
            *symbol.function = dlsym(nvml->library, symbol.name);
            whole = *symbol.function != NULL;
        }
    if (whole && nvml->init() == 0) {
        nvml->driver(machine->driver_text, sizeof(machine->driver_text));
        machine->nvml = nvml;
        return;
    }
    if (nvml->library)
        dlclose(nvml->library);
    free(nvml);
}

/* A clock of every GPU as it is now, "1980,1755"; "" when it is not known. */
void put_clocks(const struct cs_gpu_machine *machine, const char *key, int type,
                struct cs_jsonl *line)
{
    struct cs_text text = {};

    for (int i = 0; i < machine->count && machine->nvml; i++) {
        unsigned MHz = 0;
        void *handle;

        if (machine->nvml->by_pci(machine->devices[i].pci, &handle) == 0)
            machine->nvml->clock(handle, type, &MHz);
        cs_text_printf(&text, "%s%u", i ? "," : "", MHz);
    }
    cs_jsonl_text(line, key, cs_text_str(&text));
    cs_text_free(&text);
}

void put_names(const struct cs_gpu_machine *machine, struct cs_jsonl *line)
{
    struct cs_text text = {};

    for (int i = 0; i < machine->count; i++)
        cs_text_printf(&text, "%s%s", i ? ", " : "", machine->devices[i].name);
    cs_jsonl_text(line, "gpu_names", cs_text_str(&text));
    cs_text_free(&text);
}

void put_date(struct cs_jsonl *line)
{
    time_t now = time(NULL);
    struct tm utc;
    char text[32];

    gmtime_r(&now, &utc);
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
    cs_jsonl_text(line, "date", text);
}

int attribute(enum cudaDeviceAttr name, int device)
{
    int value = 0;

    return cudaDeviceGetAttribute(&value, name, device) == cudaSuccess ? value
                                                                       : 0;
}

void put_uuid(const cudaUUID_t *uuid, char *to, size_t size)
{
    size_t length = (size_t)snprintf(to, size, "GPU");

    for (size_t i = 0; i < sizeof(uuid->bytes); i++)
        length += (size_t)snprintf(
            to + length, size - length, "%s%02x",
            i == 0 || (i >= 4 && i <= 10 && i % 2 == 0) ? "-" : "",
            (unsigned char)uuid->bytes[i]);
}

int look_at(int number, struct cs_gpu_device *device, struct cs_err *err)
{
    struct cudaDeviceProp properties;
    int code = cs_gpu(err, "looking at a GPU",
                      cudaGetDeviceProperties(&properties, number));

    if (code)
        return code;
    snprintf(device->name, sizeof(device->name), "%s", properties.name);
    put_uuid(&properties.uuid, device->uuid, sizeof(device->uuid));
    device->capability = 10 * properties.major + properties.minor;
    device->processors = properties.multiProcessorCount;
    device->memory_bytes = properties.totalGlobalMem;
    device->l2_bytes = (uint64_t)properties.l2CacheSize;
    device->bus_width = properties.memoryBusWidth;
    device->clock_kHz = (uint64_t)attribute(cudaDevAttrClockRate, number);
    device->memory_clock_kHz =
        (uint64_t)attribute(cudaDevAttrMemoryClockRate, number);
    return cs_gpu(
        err, "where a GPU is",
        cudaDeviceGetPCIBusId(device->pci, sizeof(device->pci), number));
}

int pair(enum cudaDeviceP2PAttr name, int from, int to)
{
    int value = 0;

    if (cudaDeviceGetP2PAttribute(&value, name, from, to) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return value;
}

void read_peers(struct cs_gpu_machine *machine)
{
    char *peer = machine->peers;
    char *rank = machine->ranks;

    for (int from = 0; from < machine->count; from++) {
        for (int to = 0; to < machine->count; to++) {
            bool reaches = from != to &&
                           pair(cudaDevP2PAttrAccessSupported, from, to) != 0;
            bool atomics = reaches && pair(cudaDevP2PAttrNativeAtomicSupported,
                                           from, to) != 0;
            int place =
                reaches ? pair(cudaDevP2PAttrPerformanceRank, from, to) : 0;

            *peer++ = from == to ? 'x' : atomics ? 'n' : reaches ? 'p' : '-';
            *rank++ = !reaches ? '-' : place < 10 ? (char)('0' + place) : '9';
        }
        *peer++ = from + 1 < machine->count ? ',' : '\0';
        *rank++ = from + 1 < machine->count ? ',' : '\0';
    }
}

} // namespace

/* What CUDA says, and which driver it would take. */
static int count_gpus(struct cs_gpu_machine *machine, struct cs_err *err)
{
    cudaError_t status = cudaGetDeviceCount(&machine->count);

    if (status != cudaErrorInsufficientDriver ||
        cudaDriverGetVersion(&machine->driver) != cudaSuccess ||
        machine->driver == 0)
        return cs_gpu(err, "looking for GPUs", status);
    return cs_err_set(err, CS_ECANNOT,
                      "looking for GPUs: %s (%s): the driver is one of CUDA "
                      "%d.%d, this program is built with %d.%d; build it "
                      "with a toolkit of the driver's major version",
                      cudaGetErrorString(status), cudaGetErrorName(status),
                      machine->driver / 1000, machine->driver % 1000 / 10,
                      CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}

int cs_gpu_look(struct cs_gpu_machine *machine, struct cs_err *err)
{
    int code = count_gpus(machine, err);
    int i;

    if (!code && machine->count > CS_GPUS_MAX)
        machine->count = CS_GPUS_MAX;
    if (!code)
        code = cs_gpu(err, "the driver's version",
                      cudaDriverGetVersion(&machine->driver));
    if (!code)
        code = cs_gpu(err, "the runtime's version",
                      cudaRuntimeGetVersion(&machine->runtime));
    for (i = 0; i < machine->count && !code; i++)
        code = look_at(i, &machine->devices[i], err);
    if (code)
        return code;
    read_peers(machine);
    open_nvml(machine);
    return 0;
}

cudaError_t cs_gpu_pin(char **memory, uint64_t bytes)
{
    const struct timespec pause = {0, PIN_PAUSE_NS};
    cudaError_t status = cudaErrorMemoryAllocation;

    for (int i = 0; i < PIN_TRIES && status == cudaErrorMemoryAllocation; i++) {
        if (i)
            nanosleep(&pause, NULL);
        status = cudaHostAlloc((void **)memory, bytes,
                               cudaHostAllocPortable | cudaHostAllocMapped);
        cudaGetLastError();
    }
    return status;
}

int cs_gpu_reach(uint32_t from, uint32_t to, struct cs_err *err)
{
    cudaError_t status;
    int code = cs_gpu(err, "choosing a GPU", cudaSetDevice((int)from));

    if (code)
        return code;
    status = cudaDeviceEnablePeerAccess((int)to, 0);
    cudaGetLastError();
    if (status == cudaSuccess || status == cudaErrorPeerAccessAlreadyEnabled)
        return 0;
    return cs_err_set(err, CS_ECANNOT,
                      "GPU %u does not reach GPU %u: %s; take --transport host",
                      from, to, cudaGetErrorString(status));
}

void cs_gpu_close(struct cs_gpu_machine *machine)
{
    if (!machine->nvml)
        return;
    machine->nvml->shutdown();
    dlclose(machine->nvml->library);
    free(machine->nvml);
}

void cs_gpu_line(const struct cs_gpu_machine *machine, const char *kind,
                 struct cs_jsonl *line)
{
    const struct cs_gpu_device *device = &machine->devices[0];

    cs_jsonl_u64(line, "collsim_cuda", 1);
    cs_jsonl_text(line, "kind", kind);
    cs_jsonl_text(line, "version", CS_VERSION);
    cs_jsonl_text(line, "commit", CS_COMMIT);
    if (machine->calibration[0])
        cs_jsonl_text(line, "calibration", machine->calibration);
    put_date(line);
    cs_jsonl_text(line, "command", machine->command);
    cs_jsonl_text(line, "gpu", device->name);
    cs_jsonl_text(line, "uuid", device->uuid);
    cs_jsonl_text(line, "pci", device->pci);
    cs_jsonl_u64(line, "gpus", (uint64_t)machine->count);
    put_names(machine, line);
    cs_jsonl_u64(line, "capability", (uint64_t)device->capability);
    cs_jsonl_u64(line, "processors", (uint64_t)device->processors);
    cs_jsonl_u64(line, "l2_bytes", device->l2_bytes);
    cs_jsonl_u64(line, "memory_bytes", device->memory_bytes);
    cs_jsonl_u64(line, "bus_bits", (uint64_t)device->bus_width);
    cs_jsonl_u64(line, "clock_kHz", device->clock_kHz);
    cs_jsonl_u64(line, "memory_clock_kHz", device->memory_clock_kHz);
    put_clocks(machine, "clocks_now_MHz", NVML_CLOCK_SM, line);
    put_clocks(machine, "memory_now_MHz", NVML_CLOCK_MEMORY, line);
    cs_jsonl_text(line, "driver", machine->driver_text);
    cs_jsonl_u64(line, "driver_cuda", (uint64_t)machine->driver);
    cs_jsonl_u64(line, "runtime_cuda", (uint64_t)machine->runtime);
    cs_jsonl_text(line, "peers", machine->peers);
    cs_jsonl_text(line, "peer_ranks", machine->ranks);
}

void cs_gpu_line_rate(const struct cs_gpu_machine *machine,
                      enum cs_datasheet_path path, double rate_Bps, bool whole,
                      struct cs_jsonl *line)
{
    const struct cs_gpu_device *device = &machine->devices[0];
    struct cs_datasheet_rate rate = {path, rate_Bps,
                                     1e3 * (double)device->clock_kHz, whole};
    struct cs_datasheet_verdict verdict =
        cs_datasheet_judge(cs_datasheet_find(device->name), &rate);

    if (!(verdict.limit_Bps > 0))
        return;
    cs_jsonl_real(line, "path_Bps", rate_Bps);
    cs_jsonl_real(line, "limit_Bps", verdict.limit_Bps);
    cs_jsonl_text(line, "limit_source", verdict.source);
    if (verdict.suspect[0])
        cs_jsonl_text(line, "suspect", verdict.suspect);
}

void cs_gpu_line_sample(struct cs_jsonl *line, const char *name,
                        const struct cs_sample *sample)
{
    struct cs_sample_figures figures = cs_sample_figures_of(sample);
    const struct {
        const char *suffix;
        double value;
    } items[] = {
        {"s", figures.median},        {"mean_s", figures.mean},
        {"least_s", figures.least},   {"p10_s", figures.p10},
        {"p90_s", figures.p90},       {"most_s", figures.most},
        {"middle_s", figures.middle},
    };
    char key[64];

    for (const auto &item : items) {
        snprintf(key, sizeof(key), "%s_%s", name, item.suffix);
        cs_jsonl_real(line, key, item.value);
    }
}

void cs_gpu_put(struct cs_jsonl *line)
{
    fputs(cs_jsonl_end(line), stdout);
    fflush(stdout);
    cs_jsonl_free(line);
}
