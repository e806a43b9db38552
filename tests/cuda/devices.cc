/*
 * CUDA's runtime for the emulated GPUs: errors and devices.
 */
#include "runtime_state.h"

#include <stdio.h>

using namespace emu;

namespace emu
{

struct runtime runtime;

cudaError_t keep(cudaError_t status)
{
    if (status != cudaSuccess)
        runtime.last = status;
    return status;
}

} // namespace emu

namespace
{

enum {
    L2_BYTES = 1 << 20,
    CLOCK_KHZ = 1000000,
    DRIVER = CUDART_VERSION,
};

bool is_device(int device)
{
    return device >= 0 && device < emu_settings.gpus;
}

} // namespace

/* ---- errors ---- */

static const struct {
    cudaError_t status;
    const char *name;
} error_names[] = {
    {cudaSuccess, "cudaSuccess"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation"},
    {cudaErrorNoDevice, "cudaErrorNoDevice"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice"},
    {cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle"},
    {cudaErrorNotReady, "cudaErrorNotReady"},
    {cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported"},
    {cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched"},
    {cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined"},
    {cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation"},
    {cudaErrorCapturedEvent, "cudaErrorCapturedEvent"},
};

const char *cudaGetErrorName(cudaError_t status)
{
    for (const auto &error : error_names)
        if (error.status == status)
            return error.name;
    return "cudaErrorUnknown";
}

const char *cudaGetErrorString(cudaError_t status)
{
    return status == cudaErrorMemoryAllocation ? "out of memory"
                                               : "an emulated GPU's error";
}

cudaError_t cudaGetLastError()
{
    cudaError_t last = runtime.last;

    runtime.last = cudaSuccess;
    return last;
}

/* ---- devices ---- */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = emu_settings.gpus;
    if (emu_settings.gpus < 1 || emu_settings.gpus > EMU_GPUS_MAX)
        return keep(cudaErrorNoDevice);
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = DRIVER;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device)
{
    if (!is_device(device))
        return keep(cudaErrorInvalidDevice);
    *properties = {};
    snprintf(properties->name, sizeof(properties->name), "emulated GPU");
    properties->uuid.bytes[15] = (char)device;
    properties->totalGlobalMem = emu_settings.memory_bytes;
    properties->major = 9;
    properties->multiProcessorCount = emu_settings.processors;
    properties->l2CacheSize = L2_BYTES;
    properties->memoryBusWidth = 64;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr name, int device)
{
    if (!is_device(device))
        return keep(cudaErrorInvalidDevice);
    *value = name == cudaDevAttrMultiProcessorCount ? emu_settings.processors
                                                    : CLOCK_KHZ;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr name,
                                      int from, int to)
{
    if (!is_device(from) || !is_device(to) || from == to)
        return keep(cudaErrorInvalidDevice);
    *value = name == cudaDevP2PAttrPerformanceRank ? 0 : emu_settings.peers;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device)
{
    snprintf(text, (size_t)size, "0000:%02x:00.0", device);
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned)
{
    if (!is_device(peer) || peer == runtime.device)
        return keep(cudaErrorInvalidDevice);
    if (!emu_settings.peers)
        return keep(cudaErrorPeerAccessUnsupported);
    if (emu_allowed(runtime.device, peer))
        return keep(cudaErrorPeerAccessAlreadyEnabled);
    emu_allow(runtime.device, peer);
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    if (!is_device(device))
        return keep(cudaErrorInvalidDevice);
    runtime.device = device;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = runtime.device;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize()
{
    emu_wait_device(runtime.device);
    return cudaSuccess;
}
