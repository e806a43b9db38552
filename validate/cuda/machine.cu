/*
 * The GPUs of a machine: attributes, peer access, pinned memory.  Current clocks
 * come from NVML, which is opened at run time and may be missing.
 */
#include "validate/cuda/gpu.cuh"

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

/* NVML by hand: its header is no part of every toolkit.  NVML API reference. */
struct cs_gpu_nvml {
    void *library;
    int (*init)(void);
    int (*shutdown)(void);
    int (*by_pci)(const char *pci, void **device);
    int (*clock)(void *device, int type, unsigned *MHz);
    int (*driver)(char *text, unsigned length);
};
namespace
{

enum {
    PIN_TRIES = 4,
    PIN_PAUSE_NS = 300000000,
};

void open_nvml(struct cs_gpu_machine *machine)
{
    struct cs_gpu_nvml *nvml = (struct cs_gpu_nvml *)cs_grow(NULL, 1, sizeof(*nvml));
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

int attribute(enum cudaDeviceAttr name, int device)
{
    int value = 0;

    return cudaDeviceGetAttribute(&value, name, device) == cudaSuccess ? value : 0;
}

void put_uuid(const cudaUUID_t *uuid, char *to, size_t size)
{
    size_t length = (size_t)snprintf(to, size, "GPU");

    for (size_t i = 0; i < sizeof(uuid->bytes); i++)
        length += (size_t)snprintf(to + length, size - length, "%s%02x",
                                   i == 0 || (i >= 4 && i <= 10 && i % 2 == 0) ? "-" : "",
                                   (unsigned char)uuid->bytes[i]);
}

int look_at(int number, struct cs_gpu_device *device, struct cs_err *err)
{
    struct cudaDeviceProp properties;
    int code = cs_gpu(err, "looking at a GPU", cudaGetDeviceProperties(&properties, number));

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
    device->memory_clock_kHz = (uint64_t)attribute(cudaDevAttrMemoryClockRate, number);
    return cs_gpu(err, "where a GPU is",
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
            bool reaches = from != to && pair(cudaDevP2PAttrAccessSupported, from, to) != 0;
            bool atomics = reaches && pair(cudaDevP2PAttrNativeAtomicSupported, from, to) != 0;
            int place = reaches ? pair(cudaDevP2PAttrPerformanceRank, from, to) : 0;

            *peer++ = from == to ? 'x' : atomics ? 'n' : reaches ? 'p' : '-';
            *rank++ = !reaches ? '-' : place < 10 ? (char)('0' + place) : '9';
        }
        *peer++ = from + 1 < machine->count ? ',' : '\0';
        *rank++ = from + 1 < machine->count ? ',' : '\0';
    }
}

} // namespace

/* CUDA's own reason, and for an old driver the version that would do. */
static int count_gpus(struct cs_gpu_machine *machine, struct cs_err *err)
{
    cudaError_t status = cudaGetDeviceCount(&machine->count);

    if (status != cudaErrorInsufficientDriver ||
        cudaDriverGetVersion(&machine->driver) != cudaSuccess || machine->driver == 0)
        return cs_gpu(err, "looking for GPUs", status);
    return cs_err_set(err, CS_ECANNOT,
                      "looking for GPUs: %s (%s): the driver is one of CUDA "
                      "%d.%d, this program is built with %d.%d; build it "
                      "with a toolkit of the driver's major version",
                      cudaGetErrorString(status), cudaGetErrorName(status), machine->driver / 1000,
                      machine->driver % 1000 / 10, CUDART_VERSION / 1000,
                      CUDART_VERSION % 1000 / 10);
}

int cs_gpu_look(struct cs_gpu_machine *machine, struct cs_err *err)
{
    int code = count_gpus(machine, err);
    int i;

    if (!code && machine->count > CS_GPUS_MAX)
        machine->count = CS_GPUS_MAX;
    code = CS_GPU(err, "the driver's version", cudaDriverGetVersion(&machine->driver));
    code = CS_GPU(err, "the runtime's version", cudaRuntimeGetVersion(&machine->runtime));
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
        status = cudaHostAlloc((void **)memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
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
    return cs_err_set(err, CS_ECANNOT, "GPU %u does not reach GPU %u: %s; take --transport host",
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

unsigned cs_gpu_clock(const struct cs_gpu_machine *machine, int gpu, enum cs_gpu_clock clock)
{
    const struct cs_gpu_nvml *nvml = machine->nvml;
    unsigned MHz = 0;
    void *handle;

    if (nvml && nvml->by_pci(machine->devices[gpu].pci, &handle) == 0)
        nvml->clock(handle, clock, &MHz);
    return MHz;
}
