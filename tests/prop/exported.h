/*
 * Exports that are read back: proven, and as long as the program that was written.
 */
#pragma once

#include "algorithms/schedules/export.h"
#include "algorithms/schedules/import.h"

#include "tests/fixture.h"

#include <math.h>

/* A call on a machine; `tolerance` of the time, as the order of two messages that
 * come at the same moment is open. */
struct exported {
    struct machine *machine;
    const struct cs_algo *algo;
    struct cs_call call;
    double tolerance;
};

static inline int exported_read(const struct exported *of, const char *format,
                                const struct cs_text *text, uint64_t time_ps, struct cs_err *err)
{
    const struct cs_proof_options options = {.seed = fixture_seed()};
    struct cs_call call = of->call;
    struct cs_program program;
    struct cs_proof proof;
    struct cs_algo algo;
    size_t i = 0;
    int code;

    while (!cs_same(cs_importers[i]->name, format))
        i++;
    code = cs_importers[i]->read((struct cs_import_text){format, text->data, text->length},
                                 &of->machine->arena, &algo, err);
    if (code)
        return code;
    if (algo.vector_bytes) {
        call.elements = algo.vector_bytes;
        call.element_bytes = 1;
    }
    call.schedule = algo.schedule;
    program = cs_algo_program(&algo, &call);
    code = cs_proof_run(&program, &options, &proof, err);
    if (!code) {
        double back_ps = (double)machine_run(of->machine, &program, "fifo").time_ps;

        if (!(fabs(back_ps / (double)time_ps - 1) < of->tolerance))
            code = cs_err_set(err, CS_EANSWER,
                              "as %s it takes %.0f ps when read back, %" PRIu64 " ps before",
                              format, back_ps, time_ps);
    }
    return code;
}

/* Writes the program of the call in each format and reads it back; the code and what
 * is wrong. */
static inline int exported_check(const struct exported *of, struct cs_err *err)
{
    static const char *const formats[] = {"msccl", "goal"};
    struct cs_program program = cs_algo_program(of->algo, &of->call);
    const struct cs_export what = {.algo = of->algo,
                                   .program = &program,
                                   .reduce_ps_per_byte =
                                       of->machine->net.parties[0].reduce_ps_per_byte};
    uint64_t time_ps = machine_run(of->machine, &program, "fifo").time_ps;
    int code = 0;

    for (size_t i = 0; i < 2 && !code; i++) {
        const struct cs_exporter *exporter;
        CS_AT_END(cs_text_free) struct cs_text text = {0};

        code = cs_exporter_choose(formats[i], &exporter, err);
        if (!code)
            code = exporter->write(&what, &text, err);
        if (!code)
            code = exported_read(of, formats[i], &text, time_ps, err);
    }
    return code;
}
