/*
 * Fuzz target: machines in YAML.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("yaml:")
