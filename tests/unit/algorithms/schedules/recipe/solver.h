/* A schedule of a solver: it is read, checked and proven. */
#pragma once

#include "algorithms/importer.h"
#include "algorithms/schedules/schedule.h"
#include "sim/proof/proof.h"
#include "tests/fixture.h"

#include <string.h>

/* Ops of all lanes and ranks, proven; the call's chunks. */
static inline uint64_t solver_ops(const struct cs_importer *importer, const char *text,
                                  const char *collective, uint32_t ranks, uint32_t chunks)
{
    struct cs_call call = {.ranks = ranks, .elements = 840, .element_bytes = 4, .chunks = chunks};
    struct cs_proof_options options = {.seed = 1};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_program program;
    struct cs_proof proof;
    struct cs_algo algo;
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    uint64_t count = 0;

    assert_done(
        importer->read((struct cs_import_text){"f", text, strlen(text)}, &arena, &algo, &err));
    assert_string_equal(algo.collective->name, collective);
    call.schedule = algo.schedule;
    algo.settle(&call);
    assert_done(cs_algo_check(&algo, &call, &err));
    program = cs_algo_program(&algo, &call);
    assert_done(cs_proof_run(&program, &options, &proof, &err));
    for (uint32_t i = 0; i < ranks * program.lanes; i++)
        for (uint64_t k = 0; k < cs_program_rounds(&program, i / program.lanes, i % program.lanes);
             k++) {
            cs_program_read(&program, (struct cs_at){i / program.lanes, i % program.lanes, k},
                            &ops);
            count += ops.count;
        }
    return count;
}

static inline void solver_refused(const struct cs_importer *importer, const char *text,
                                  const char *sentence)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_algo algo;

    assert_refused(
        importer->read((struct cs_import_text){"f", text, strlen(text)}, &arena, &algo, &err),
        CS_EINPUT, sentence);
}
