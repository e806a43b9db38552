/*
 * Fuzz target: trees and blocks of Slurm.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("slurm:")
