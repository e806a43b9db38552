/*
 * Fuzz target: matrices of rocm-smi.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("rocm-smi:", data, size);
    return 0;
}
