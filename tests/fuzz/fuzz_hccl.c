/*
 * Fuzz target: rank tables of HCCL.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("hccl:", data, size);
    return 0;
}
