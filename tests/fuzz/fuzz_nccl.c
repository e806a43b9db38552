/*
 * Fuzz target: topology files of NCCL.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("nccl:")
