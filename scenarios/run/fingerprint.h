/*
 * Fingerprints: numbers that tell programs, and runs, apart.
 *
 * Equal ones give equal fingerprints; different ones the same with a chance of
 * 2^-64, where all of them is looked at.
 */
#ifndef CS_SCENARIOS_RUN_FINGERPRINT_H
#define CS_SCENARIOS_RUN_FINGERPRINT_H

#include "scenarios/run/run.h"

/* How much of a program is looked at, evenly spread, at the most. */
struct cs_sample {
    uint32_t ranks, lanes, rounds;
};

/* O(rounds that are looked at). */
uint64_t cs_fingerprint_program(const struct cs_program *program,
                                struct cs_sample sample);

/*
 * Of an opened stage: what machine, program and options come to, whatever the
 * files are called that they were read from.  Of an imported schedule all is
 * looked at, of others a sample: their names, sizes and options are told by the
 * record.  Never 0.  O(links + devices).
 */
uint64_t cs_fingerprint_run(const struct cs_run *run);

#endif
