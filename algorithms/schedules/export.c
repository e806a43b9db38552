#include "algorithms/schedules/export.h"

#include "algorithms/schedules/import.h"
#include "algorithms/schedules/schedule.h"
#include "sim/base/hint.h"
#include "sim/proof/proof.h"

#define EXPORTER(name) extern const struct cs_exporter cs_exporter_##name;
#include "algorithms/schedules/exporters.def"
#undef EXPORTER

const struct cs_exporter *const cs_exporters[] = {
#define EXPORTER(name) &cs_exporter_##name,
#include "algorithms/schedules/exporters.def"
#undef EXPORTER
};

const size_t cs_exporter_count = sizeof(cs_exporters) / sizeof(*cs_exporters);

int cs_exporter_choose(const char *name, const struct cs_exporter **exporter,
                       struct cs_err *err)
{
    const char *names[sizeof(cs_exporters) / sizeof(*cs_exporters)];
    size_t i;

    for (i = 0; i < cs_exporter_count; i++) {
        *exporter = cs_exporters[i];
        names[i] = (*exporter)->name;
        if (cs_same(names[i], name))
            return 0;
    }
    return cs_err_set(err, CS_EINPUT, "no format called '%.40s'%s", name,
                      cs_hint_all(name, names, i).text);
}

/* ---- verification ---- */

/* Formats that can be read back have an importer with the name of the
 * exporter. */
static const struct cs_importer *export_importer_of(
    const struct cs_exporter *exporter)
{
    size_t i;

    for (i = 0; i < cs_importer_count; i++)
        if (cs_same(cs_importers[i]->name, exporter->name))
            return cs_importers[i];
    return NULL;
}

static int export_prove_program(const struct cs_program *program,
                                struct cs_err *err)
{
    const struct cs_proof_options options = {.seed = 1};
    struct cs_proof proof;

    return cs_proof_run(program, &options, &proof, err);
}

/* Reads the text back and proves the schedule.  One element per chunk: the proof
 * does not depend on the size. */
static int export_prove_text(const struct cs_importer *importer,
                             const struct cs_text *text, uint32_t parties,
                             struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct cs_algo algo = {0};
    struct cs_call call = {.ranks = parties, .element_bytes = 1};
    struct cs_program program;
    int code = importer->read(
        (struct cs_import_text){"export", cs_text_str(text), text->length},
        &arena, &algo, err);

    if (!code) {
        const struct cs_schedule *schedule = algo.schedule;

        call.elements =
            algo.vector_bytes ? algo.vector_bytes : schedule->blocks;
        call.schedule = schedule;
        code = cs_algo_check(&algo, &call, err);
    }
    if (!code) {
        program = cs_algo_program(&algo, &call);
        code = export_prove_program(&program, err);
    }
    cs_arena_free(&arena);
    return code;
}

int cs_export_write(const struct cs_exporter *exporter,
                    const struct cs_export *what, struct cs_text *out,
                    struct cs_err *err)
{
    const struct cs_importer *importer = export_importer_of(exporter);
    struct cs_err why = {0};
    int code = importer ? 0 : export_prove_program(what->program, err);

    if (!code)
        code = exporter->write(what, out, err);
    if (code || !importer ||
        export_prove_text(importer, out, cs_program_parties(what->program),
                          &why) == 0)
        return code;
    /* An error of the program itself takes precedence. */
    code = export_prove_program(what->program, err);
    if (code)
        return code;
    return cs_err_set(err, CS_EANSWER,
                      "verification of the exported %s schedule of %s failed: "
                      "%s",
                      exporter->name, what->algo->name, why.text);
}
