/*
 * Fuzz target: trees and blocks of Slurm.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("slurm:", data, size);
    return 0;
}
