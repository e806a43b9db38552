/*
 * Fuzz target: matrices of nvidia-smi.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("nvidia-smi:", data, size);
    return 0;
}
