/*
 * What GPUs there are.  Clocks as they are now come from NVML, which is
 * opened at run time and may be missing.
 */
#include "validate/cuda/gpu.cuh"

#include <dlfcn.h>
#include <string.h>

namespace
{

/* The little of NVML that is used; NVML API reference, nvmlClockType_t. */
struct nvml {
    void *library;
    int (*init)(void);
    int (*shutdown)(void);
    int (*by_pci)(const char *pci, void **device);
    int (*clock)(void *device, int type, unsigned *MHz);
    int (*driver)(char *text, unsigned length);
};

enum {
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEMORY = 2,
};

bool open_nvml(struct nvml *nvml)
{
    nvml->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!nvml->library)
        return false;
    *(void **)&nvml->init = dlsym(nvml->library, "nvmlInit_v2");
    *(void **)&nvml->shutdown = dlsym(nvml->library, "nvmlShutdown");
    *(void **)&nvml->by_pci =
        dlsym(nvml->library, "nvmlDeviceGetHandleByPciBusId_v2");
    *(void **)&nvml->clock = dlsym(nvml->library, "nvmlDeviceGetClockInfo");
    *(void **)&nvml->driver =
        dlsym(nvml->library, "nvmlSystemGetDriverVersion");
    if (nvml->init && nvml->shutdown && nvml->by_pci && nvml->clock &&
        nvml->driver && nvml->init() == 0)
        return true;
    dlclose(nvml->library);
    return false;
}

void read_clocks(struct cs_gpu_machine *machine)
{
    struct nvml nvml;
    int i;

    if (!open_nvml(&nvml))
        return;
    nvml.driver(machine->driver_text, sizeof(machine->driver_text));
    for (i = 0; i < machine->count; i++) {
        struct cs_gpu_device *device = &machine->devices[i];
        unsigned MHz = 0;
        void *handle;

        if (nvml.by_pci(device->pci, &handle) != 0)
            continue;
        if (nvml.clock(handle, NVML_CLOCK_SM, &MHz) == 0)
            device->clock_now_MHz = MHz;
        if (nvml.clock(handle, NVML_CLOCK_MEMORY, &MHz) == 0)
            device->memory_now_MHz = MHz;
    }
    nvml.shutdown();
    dlclose(nvml.library);
}

int attribute(enum cudaDeviceAttr name, int device)
{
    int value = 0;

    return cudaDeviceGetAttribute(&value, name, device) == cudaSuccess ? value
                                                                       : 0;
}

int look_at(int number, struct cs_gpu_device *device, struct cs_err *err)
{
    struct cudaDeviceProp properties;
    int code = cs_gpu(err, "looking at a GPU",
                      cudaGetDeviceProperties(&properties, number));

    if (code)
        return code;
    snprintf(device->name, sizeof(device->name), "%s", properties.name);
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

int cs_gpu_look(struct cs_gpu_machine *machine, struct cs_err *err)
{
    int code =
        cs_gpu(err, "looking for GPUs", cudaGetDeviceCount(&machine->count));
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
    read_clocks(machine);
    return 0;
}

void cs_gpu_line(const struct cs_gpu_machine *machine, const char *kind,
                 struct cs_jsonl *line)
{
    const struct cs_gpu_device *device = &machine->devices[0];

    cs_jsonl_u64(line, "collsim_cuda", 1);
    cs_jsonl_text(line, "kind", kind);
    cs_jsonl_text(line, "gpu", device->name);
    cs_jsonl_u64(line, "gpus", (uint64_t)machine->count);
    cs_jsonl_u64(line, "capability", (uint64_t)device->capability);
    cs_jsonl_u64(line, "processors", (uint64_t)device->processors);
    cs_jsonl_u64(line, "l2_bytes", device->l2_bytes);
    cs_jsonl_u64(line, "memory_bytes", device->memory_bytes);
    cs_jsonl_u64(line, "bus_bits", (uint64_t)device->bus_width);
    cs_jsonl_u64(line, "clock_kHz", device->clock_kHz);
    cs_jsonl_u64(line, "memory_clock_kHz", device->memory_clock_kHz);
    cs_jsonl_u64(line, "clock_now_MHz", device->clock_now_MHz);
    cs_jsonl_u64(line, "memory_now_MHz", device->memory_now_MHz);
    cs_jsonl_text(line, "driver", machine->driver_text);
    cs_jsonl_u64(line, "driver_cuda", (uint64_t)machine->driver);
    cs_jsonl_u64(line, "runtime_cuda", (uint64_t)machine->runtime);
    cs_jsonl_text(line, "peers", machine->peers);
    cs_jsonl_text(line, "peer_ranks", machine->ranks);
}

void cs_gpu_line_sample(struct cs_jsonl *line, const char *name,
                        const struct cs_sample *sample)
{
    struct cs_sample_figures figures = cs_sample_figures_of(sample);
    const struct {
        const char *suffix;
        double value;
    } items[] = {
        {"s", figures.median},    {"least_s", figures.least},
        {"p10_s", figures.p10},   {"p90_s", figures.p90},
        {"most_s", figures.most},
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
