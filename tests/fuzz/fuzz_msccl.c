/*
 * Fuzz target: schedules in MSCCL, see import.h.
 */
#include "tests/fuzz/import.h"

FUZZ_IMPORT(0)
