/*
 * Fuzz target: topologies of SimAI.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("simai:")
