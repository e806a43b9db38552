/*
 * Fuzz target: matrices of nvidia-smi.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("nvidia-smi:")
