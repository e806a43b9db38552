#include "algorithms/schedules/export.h"

#include "algorithms/schedules/import.h"
#include "algorithms/schedules/ordered.h"
#include "algorithms/schedules/schedule.h"
#include "sim/base/hint.h"
#include "sim/base/stream.h"
#include "sim/proof/proof.h"

#include <string.h>

const struct cs_exporter *const cs_exporters[] = {
#define EXPORTER(name) &cs_exporter_##name,
#include "algorithms/schedules/exporters.def"
#undef EXPORTER
};

const size_t cs_exporter_count = sizeof(cs_exporters) / sizeof(*cs_exporters);

int cs_exporter_choose(const char *name, const struct cs_exporter **exporter, struct cs_err *err)
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

/* ---- MSCCL and MSCCL++ ---- */

int cs_export_check_gpus(const struct cs_export *what, const char *format, bool reads_input,
                         struct cs_err *err)
{
    const struct cs_collective *collective = what->algo->collective;

    if (what->program->agents)
        return cs_err_set(err, CS_EINPUT,
                          "%s has GPUs only, but %s has %u parameter servers or reducing switches",
                          format, what->algo->name, what->program->agents);
    if (collective->is_signal)
        return cs_err_set(err, CS_EINPUT, "%s messages carry data, but messages of a %s are empty",
                          format, collective->name);
    if (reads_input && collective == &cs_collective_reducescatter)
        return cs_err_set(
            err, CS_EINPUT,
            "the output of a reduce-scatter in %s is one part of the vector; %s needs "
            "the whole vector",
            format, what->algo->name);
    return 0;
}

char cs_export_place(const struct cs_export *what, bool in_place, uint32_t rank, uint8_t buffer,
                     uint32_t *first)
{
    const struct cs_program *program = what->program;
    bool gathers = what->algo->collective == &cs_collective_allgather;

    if (buffer == CS_INPUT && gathers)
        *first -= rank * (program->blocks / program->ranks);
    if (buffer == CS_INPUT || (buffer == CS_OUTPUT && in_place && !gathers))
        return 'i';
    return buffer == CS_OUTPUT ? 'o' : 's';
}

const char *cs_export_title(const struct cs_export *what)
{
    return cs_import_named(what->algo->name) ? "imported" : what->algo->name;
}

/* ---- phases ---- */

/* Ends of phases, in ninths of the time: as measured with GOAL files of 1,024 and
 * 2,048 ranks. */
enum {
    PHASE_READ = 5,
    PHASE_PROVE = 6,
    PHASE_MAKE = 9,
};

struct export_phase {
    struct cs_monitor_part part;
    struct cs_monitor monitor;
};

/* The monitor of a phase between two ends; NULL where the whole has none. */
static const struct cs_monitor *export_watch(const struct cs_monitor *whole, uint64_t from,
                                             uint64_t to, struct export_phase *phase)
{
    phase->part = (struct cs_monitor_part){
        .whole = whole, .part = from, .parts = PHASE_MAKE, .longer = to - from - 1};
    phase->monitor = (struct cs_monitor){cs_monitor_part_update, &phase->part};
    return whole ? &phase->monitor : NULL;
}

static int export_count(const struct cs_monitor *monitor, uint32_t made, uint32_t all,
                        struct cs_err *err)
{
    return cs_monitor_count(monitor, made < all ? made : all, all)
               ? 0
               : cs_err_set(err, CS_ESTOPPED, "stopped");
}

/* ---- verification ---- */

/* Formats that can be read back have an importer with the name of the
 * exporter. */
static const struct cs_importer *export_importer_of(const struct cs_exporter *exporter)
{
    for (size_t i = 0; i < cs_importer_count; i++)
        if (cs_same(cs_importers[i]->name, exporter->name))
            return cs_importers[i];
    return NULL;
}

static int export_prove_program(const struct cs_program *program, const struct cs_monitor *monitor,
                                struct cs_err *err)
{
    const struct cs_proof_options options = {.seed = 1, .monitor = monitor};
    struct cs_proof proof;

    return cs_proof_run(program, &options, &proof, err);
}

/* Proves a schedule that was read back.  One element per chunk: the proof does
 * not depend on the size. */
static int export_prove_algo(const struct cs_algo *algo, uint32_t parties,
                             const struct cs_monitor *monitor, struct cs_err *err)
{
    const struct cs_schedule *schedule = algo->schedule;
    struct cs_call call = {.ranks = parties, .element_bytes = 1};
    struct cs_program program;
    int code;

    call.elements = algo->vector_bytes ? algo->vector_bytes : schedule->blocks;
    call.schedule = schedule;
    code = cs_algo_check(algo, &call, err);
    if (code)
        return code;
    program = cs_algo_program(algo, &call);
    return export_prove_program(&program, monitor, err);
}

static int export_prove_text(const struct cs_importer *importer, const struct cs_text *text,
                             uint32_t parties, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_algo algo = {0};
    int code = importer->read((struct cs_import_text){"export", cs_text_str(text), text->length},
                              &arena, &algo, err);

    if (!code && algo.launches != CS_LAUNCHES_UNKNOWN && algo.launches < CS_LAUNCHES_HALVES)
        code = cs_err_set(err, CS_EANSWER, "%s", algo.remark);
    if (!code)
        code = export_prove_algo(&algo, parties, NULL, err);
    return code;
}

/* An error of the program itself takes precedence over `why`. */
static int export_blame(const struct cs_exporter *exporter, const struct cs_export *what,
                        const struct cs_err *why, struct cs_err *err)
{
    int code = export_prove_program(what->program, NULL, err);

    if (code)
        return code;
    return cs_err_set(err, CS_EANSWER, "verification of the exported %s schedule of %s failed: %s",
                      exporter->name, what->algo->name, why->text);
}

/* Appends the text and reads it back.  `why`: the text is wrong; `err`: the program cannot be
 * written. */
static int export_write_once(const struct cs_exporter *exporter, const struct cs_export *what,
                             struct cs_text *out, struct cs_err *why, struct cs_err *err)
{
    const struct cs_importer *importer = export_importer_of(exporter);
    int code = exporter->write(what, out, err);

    if (!code && importer && out->length > CS_IMPORT_BYTES_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "the %s schedule of %s has %zu MiB; expected at most %d MiB, which can "
                          "be read back: fewer chunks or ranks",
                          exporter->name, what->algo->name, (out->length + (1 << 20) - 1) >> 20,
                          CS_IMPORT_BYTES_MAX >> 20);
    if (code)
        return code;
    return importer ? export_prove_text(importer, out, cs_program_parties(what->program), why)
                    : export_prove_program(what->program, NULL, err);
}

/* Where thread blocks would race that lanes do not, the sums are put in order. */
int cs_export_write(const struct cs_exporter *exporter, const struct cs_export *what,
                    struct cs_text *out, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err why = {0}, again = {0}, refusal = {0};
    size_t start = out->length;
    struct cs_export ordered = *what;
    struct cs_program program;
    int code = export_write_once(exporter, what, out, &why, &refusal);

    if (why.code && cs_ordered_of(what->program, &arena, &program)) {
        out->length = start;
        ordered.program = &program;
        code = export_write_once(exporter, &ordered, out, &again, &refusal);
    }
    if (code && !refusal.code)
        return export_blame(exporter, what, &why, err);
    return code ? cs_err_set(err, code, "%s", refusal.text) : 0;
}

/* ---- parts ---- */

/* The parts as a stream for the importer; an error of the writer is kept. */
struct export_source {
    const struct cs_exporter *exporter;
    void *writer;
    struct cs_text part;
    size_t at;
    const struct cs_monitor *monitor;
    uint32_t made, all; /* parts */
    struct cs_err *err;
};

static int export_fill(void *ctx, char *to, size_t room, size_t *got, struct cs_err *err)
{
    struct export_source *source = ctx;
    size_t left = source->part.length - source->at;

    if (left == 0) {
        source->part.length = source->at = 0;
        if (source->exporter->part(source->writer, &source->part, source->err) ||
            export_count(source->monitor, ++source->made, source->all, source->err))
            return cs_err_set(err, source->err->code, "%s", source->err->text);
        left = source->part.length;
    }
    *got = left < room ? left : room;
    memcpy(to, cs_text_str(&source->part) + source->at, *got);
    source->at += *got;
    return 0;
}

/* `why`: the text is wrong; `err`: the program cannot be written. */
static int export_prove_parts(const struct cs_export_parts *parts, const struct cs_export *what,
                              struct cs_err *why, struct cs_err *err)
{
    const struct cs_exporter *exporter = parts->exporter;
    const struct cs_importer *importer = export_importer_of(exporter);
    struct export_phase phase;
    struct export_source source = {.exporter = exporter,
                                   .monitor = export_watch(parts->monitor, 0, PHASE_READ, &phase),
                                   .all = parts->all,
                                   .err = err};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_algo algo = {0};
    struct cs_stream stream;
    int code = exporter->open(what, &arena, &source.writer, err);

    if (!code) {
        cs_stream_open(&stream, "export", export_fill, &source);
        code = importer->stream(&stream, &arena, &algo, why);
        cs_stream_close(&stream);
    }
    if (!code)
        code =
            export_prove_algo(&algo, cs_program_parties(what->program),
                              export_watch(parts->monitor, PHASE_READ, PHASE_PROVE, &phase), why);
    cs_text_free(&source.part);
    return code;
}

int cs_export_open(const struct cs_exporter *exporter, const struct cs_export *what,
                   struct cs_arena *arena, struct cs_export_parts *parts, struct cs_err *err)
{
    struct cs_err why = {0};
    int code;

    *parts = (struct cs_export_parts){.monitor = parts->monitor,
                                      .all = cs_program_parties(what->program),
                                      .exporter = exporter,
                                      .what = what};
    if (!exporter->open)
        return cs_export_write(exporter, what, &parts->whole, err);
    code = export_prove_parts(parts, what, &why, err);
    if (code == CS_ESTOPPED)
        return cs_err_set(err, code, "stopped");
    if (code)
        return err->code ? err->code : export_blame(exporter, what, &why, err);
    return exporter->open(what, arena, &parts->writer, err);
}

int cs_export_part(void *parts, struct cs_text *out, struct cs_err *err)
{
    struct cs_export_parts *own = parts;
    struct export_phase phase;
    int code;

    if (own->exporter->open) {
        code = own->exporter->part(own->writer, out, err);
        return code ? code
                    : export_count(export_watch(own->monitor, PHASE_PROVE, PHASE_MAKE, &phase),
                                   ++own->made, own->all, err);
    }
    cs_text_add_n(out, cs_text_str(&own->whole), own->whole.length);
    own->whole.length = 0;
    return 0;
}

void cs_export_close(struct cs_export_parts *parts)
{
    cs_text_free(&parts->whole);
}
