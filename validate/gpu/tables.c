#include "validate/gpu/tables.h"

#include "algorithms/algo.h"
#include "algorithms/schedules/export.h"
#include "sim/base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Chunks are settled for 1 MiB of fp32 (cs_gpu_settle_table does the same). */
enum {
    ELEMENTS = 1 << 18,
    ELEMENT_BYTES = 4,
    /* Of all parties: a lane takes a thread block at least, and blocks wait for
     * each other, so all are resident together; the smallest GPU in use (T4) has
     * 40 multiprocessors. */
    LANES_MAX = 80,
};

static const char *const measured[] = {"ring", "naive", "tree", "ps"};

static const char *const held_out[] = {"recursive-doubling", "rabenseifner", "circulant",
                                       "double-tree",        "twoshot",      "direct",
                                       "bidirectional-ring", "chain"};

static int write_file(const char *path, const struct cs_text *text, struct cs_err *err)
{
    FILE *file = fopen(path, "wb");
    bool whole = file && fwrite(text->data, 1, text->length, file) == text->length;

    if (file && fclose(file) == 0 && whole)
        return 0;
    return cs_err_set(err, CS_ECANNOT, "cannot write '%s': %s", path, strerror(errno));
}

static int make_text(const struct cs_algo *algo, const struct cs_call *call, struct cs_text *text,
                     struct cs_err *err)
{
    struct cs_program program = cs_algo_program(algo, call);
    struct cs_export what = {.algo = algo, .program = &program, .call = call};
    const struct cs_exporter *exporter;
    int code = cs_exporter_choose("table", &exporter, err);

    return code ? code : exporter->write(&what, text, err);
}

/* Writes no file where the algorithm, the format or a GPU refuses the call. */
static int gpu_tables_write_table(const char *dir, const struct cs_algo *algo, uint32_t ranks,
                                  struct cs_err *err)
{
    struct cs_call call = {.ranks = ranks, .elements = ELEMENTS, .element_bytes = ELEMENT_BYTES};
    struct cs_hockney hockney = {1e-6, 1e12, 0};
    struct cs_program program;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_err why = {0};
    int code = 0;

    if (cs_algo_check(algo, &call, &why))
        return 0;
    cs_algo_resolve(algo, &call, &hockney);
    program = cs_algo_program(algo, &call);
    if (cs_program_parties(&program) * program.lanes <= LANES_MAX &&
        !make_text(algo, &call, &text, &why))
        code = write_file(cs_arena_printf(&arena, "%s/%s-%u.table", dir, algo->name, ranks), &text,
                          err);
    return code;
}

static bool is_among(const char *name, const char *const *names, size_t count)
{
    bool any = false;

    for (size_t i = 0; i < count; i++)
        any |= cs_same(name, names[i]);
    return any;
}

static bool is_wanted(const char *name, uint32_t ranks)
{
    if (ranks == 3 || ranks == 4)
        return true;
    return is_among(name, measured, sizeof(measured) / sizeof(*measured)) ||
           (ranks == 8 && is_among(name, held_out, sizeof(held_out) / sizeof(*held_out)));
}

int cs_gpu_tables_write(const char *dir, struct cs_err *err)
{
    static const uint32_t ranks[] = {2, 3, 4, 8, 16};
    int code = 0;

    for (size_t i = 0; i < cs_algo_count; i++)
        for (size_t k = 0; k < sizeof(ranks) / sizeof(*ranks) && !code; k++)
            if (cs_algos[i]->collective == &cs_collective_allreduce &&
                is_wanted(cs_algos[i]->name, ranks[k]))
                code = gpu_tables_write_table(dir, cs_algos[i], ranks[k], err);
    return code;
}
