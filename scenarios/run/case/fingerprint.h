/*
 * Fingerprints: 64-bit hashes of programs and of runs.
 *
 * Equal programs have equal fingerprints; two different programs collide with a
 * probability of 2^-64, provided that every round is hashed.
 */
#pragma once

#include "scenarios/run/case/run.h"

/* The largest part of a program that is hashed, evenly spread. */
struct cs_fingerprint_sample {
    uint32_t ranks, lanes, rounds;
};

/* O(sampled rounds). */
uint64_t cs_fingerprint_program(const struct cs_program *program,
                                struct cs_fingerprint_sample sample);

/*
 * The fingerprint of an open run: of machine, program and hidden options, without
 * the names of files.  Imported schedules are hashed completely, built-in
 * algorithms by a sample, as the record has the name, size and parameters.
 * Never 0.  O(links + devices).
 */
uint64_t cs_fingerprint_run(const struct cs_run *run);
