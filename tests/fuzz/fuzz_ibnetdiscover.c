/*
 * Fuzz target: fabrics of ibnetdiscover.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("ibnetdiscover:", data, size);
    return 0;
}
