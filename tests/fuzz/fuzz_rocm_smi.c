/*
 * Fuzz target: matrices of rocm-smi.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("rocm-smi:")
