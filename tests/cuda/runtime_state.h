/*
 * The state of CUDA's runtime for the emulated GPUs: devices.cc and runtime.cc.
 */
#pragma once

#include "emulator.h"

#include <set>

/* The end of a stream or an event: ops, or nodes during a capture. */
struct emu_front {
    std::vector<emu_op *> ops;
    std::vector<size_t> nodes;
};

struct emu_stream {
    int device;
    bool blocking; /* ordered with the default stream */
    emu_front front;
    struct emu_capture *capture;
};

namespace emu
{

struct runtime {
    int device;
    cudaError_t last;
    emu_stream defaults[EMU_GPUS_MAX];
    std::set<cudaStream_t> streams;
};
extern struct runtime runtime;

/* Keeps an error for cudaGetLastError. */
cudaError_t keep(cudaError_t status);

} // namespace emu
