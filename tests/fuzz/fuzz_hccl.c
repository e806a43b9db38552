/*
 * Fuzz target: rank tables of HCCL.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("hccl:")
