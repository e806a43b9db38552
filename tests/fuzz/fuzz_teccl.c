/*
 * Fuzz target: schedules of teccl, see import.h.
 */
#include "tests/fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_import(&cs_importer_teccl, data, size);
}
