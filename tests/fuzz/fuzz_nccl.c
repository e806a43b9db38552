/*
 * Fuzz target: topology files of NCCL.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("nccl:", data, size);
    return 0;
}
