/*
 * Fuzz target: schedules in GOAL, see import.h.
 */
#include "tests/fuzz/import.h"

FUZZ_IMPORT(1)
