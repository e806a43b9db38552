/*
 * What the fuzz targets of schedules share: whatever the text, reading it gives
 * a program that the prover can judge, or CS_EINPUT and a sentence.  A reader
 * that runs a schedule may judge it, too: CS_EANSWER.
 */
#pragma once

#include "algorithms/schedules/import.h"
#include "algorithms/schedules/schedule.h"
#include "sim/proof/proof.h"
#include "tests/fuzz/insist.h"

#include <stdint.h>

enum {
    CELLS_MAX = 1 << 16 /* larger programs are read but not proven */
};

static inline void judge(const struct cs_algo *algo)
{
    const struct cs_schedule *schedule = algo->schedule;
    struct cs_call call = {.ranks = schedule->ranks,
                           .elements = schedule->blocks,
                           .element_bytes = 1,
                           .schedule = schedule};
    struct cs_proof_options options = {.seed = 1};
    struct cs_program program;
    struct cs_proof proof;
    struct cs_err err = {0};
    int code;

    if ((uint64_t)schedule->ranks * (schedule->lanes + schedule->blocks + schedule->scratch) >
        CELLS_MAX)
        return;
    if (cs_algo_check(algo, &call, NULL)) {
        insist(algo->settle != NULL); /* a text refuses numbers of ranks */
        return;
    }
    program = cs_algo_program(algo, &call);
    code = cs_proof_run(&program, &options, &proof, &err);
    insist(code == CS_OK || code == CS_EANSWER);
    insist(err.code == code);
}

/* One text for one importer. */
static inline int fuzz_import(const struct cs_importer *importer, const uint8_t *data, size_t size)
{
    struct cs_import_text text = {"fuzz", (const char *)data, size};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_algo algo;
    int code = importer->read(text, &arena, &algo, &err);

    insist(code == CS_OK || code == CS_EINPUT || code == CS_EANSWER);
    insist(err.code == code);
    if (!code)
        judge(&algo);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The target of an importer, by its number. */
#define FUZZ_IMPORT(number)                                      \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) \
    {                                                            \
        return fuzz_import(cs_importers[number], data, size);    \
    }
