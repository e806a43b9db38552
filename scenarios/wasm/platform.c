/*
 * The platform of collsim.wasm: a program in a page, with words in and texts out.
 *
 * Has the functions of the sources that the build for WebAssembly leaves out (WASM_WITHOUT
 * of the Makefile): those with processes, signals, files, SQLite, expat and zlib.  There are
 * no files: a machine is one of the library, or a text.
 */
#include "scenarios/wasm/platform.h"

#include "reports/explain/explain.h"
#include "reports/figures/plot/gnuplot.h"
#include "reports/results/files.h"
#include "reports/results/store/store.h"
#include "scenarios/options/signals.h"
#include "scenarios/run/command/workers.h"
#include "sim/base/cores.h"
#include "sim/base/file.h"
#include "sim/base/mem.h"
#include "topo/documents/xml.h"

#include <string.h>
#include <unistd.h>

/* ---- libc ---- */

/* Debian's compiler-rt for wasm32 has a stack protector. */
extern unsigned long platform_guard __asm__("__stack_chk_guard");
unsigned long platform_guard = 0x5bd1e995;

_Noreturn void platform_smashed(void) __asm__("__stack_chk_fail");
_Noreturn void platform_smashed(void)
{
    abort();
}

struct platform_sort {
    size_t size;
    int (*compare)(const void *, const void *, void *);
    void *ctx;
};

/* Merges the ascending items from `at` to `middle` with those to `end`, in `room`. */
static void merge_runs(char *items, char *room, const size_t bounds[3],
                       const struct platform_sort *sort)
{
    size_t i = bounds[0], j = bounds[1], size = sort->size;

    for (size_t k = bounds[0]; k < bounds[2]; k++) {
        bool left =
            j == bounds[2] ||
            (i < bounds[1] && sort->compare(items + i * size, items + j * size, sort->ctx) <= 0);
        size_t *from = left ? &i : &j;

        memcpy(room + k * size, items + (*from)++ * size, size);
    }
    memcpy(items + bounds[0] * size, room + bounds[0] * size, (bounds[2] - bounds[0]) * size);
}

/* glibc's merge sort keeps the order of equal items, wasi-libc's smoothsort does not. */
void platform_qsort_r(void *items, size_t count, size_t size,
                      int (*compare)(const void *, const void *, void *),
                      void *ctx) __asm__("qsort_r");
void platform_qsort_r(void *items, size_t count, size_t size,
                      int (*compare)(const void *, const void *, void *), void *ctx)
{
    const struct platform_sort sort = {size, compare, ctx};
    char *room = cs_grow(NULL, count + 1, size);

    for (size_t run = 1; run < count; run *= 2)
        for (size_t at = 0; at + run < count; at += 2 * run) {
            size_t end = at + 2 * run;
            const size_t bounds[3] = {at, at + run, end < count ? end : count};

            merge_runs(items, room, bounds, &sort);
        }
    free(room);
}

static int compare_plain(const void *a, const void *b, void *ctx)
{
    return (*(int (**)(const void *, const void *))ctx)(a, b);
}

void platform_qsort(void *items, size_t count, size_t size,
                    int (*compare)(const void *, const void *)) __asm__("qsort");
void platform_qsort(void *items, size_t count, size_t size,
                    int (*compare)(const void *, const void *))
{
    platform_qsort_r(items, count, size, compare_plain, (void *)&compare);
}

/* ---- processes and signals ---- */

uint32_t cs_cores_count(void)
{
    return 1;
}

double cs_process_bytes(void)
{
    return (double)(uintptr_t)sbrk(0); /* the whole memory */
}

/* The caller computes the items itself. */
int cs_cores_run(const struct cs_cores *cores, void *results)
{
    (void)cores, (void)results;
    return CS_ECANNOT;
}

bool cs_run_workers_apply(const struct cs_run_group *group)
{
    (void)group;
    return false;
}

int cs_run_workers(const struct cs_run_group *group, uint64_t first, struct cs_run_keeper keeper,
                   struct cs_err *err)
{
    (void)group, (void)first, (void)keeper, (void)err;
    return CS_ECANNOT;
}

int cs_gnuplot_draw(const char *file, const struct cs_text *script, enum cs_gnuplot_script after,
                    struct cs_err *err)
{
    (void)script, (void)after;
    return cs_err_set(err, CS_ECANNOT, "a page has no gnuplot for '%s'", file);
}

struct cs_signals *cs_signals_new(void)
{
    return NULL;
}

void cs_signals_free(struct cs_signals *signals)
{
    (void)signals;
}

void cs_signals_listen(struct cs_signals *signals, bool is_json)
{
    (void)signals, (void)is_json;
}

void cs_signals_hold(struct cs_signals *signals)
{
    (void)signals;
}

void cs_signals_drop(struct cs_signals *signals)
{
    (void)signals;
}

void cs_signals_release(struct cs_signals *signals)
{
    (void)signals;
}

bool cs_signals_take(struct cs_signals *signals)
{
    (void)signals;
    return false;
}

void cs_signals_time(struct cs_signals *signals, int file, bool is_terminal)
{
    (void)signals, (void)file, (void)is_terminal;
}

bool cs_signals_untime(struct cs_signals *signals)
{
    (void)signals;
    return false;
}

/* ---- pages ---- */

bool cs_explain_has_engine(void)
{
    return false;
}

void cs_explain_html(const struct cs_story *story, struct cs_text *out)
{
    (void)story;
    cs_text_add(out, "A page writes no page.\n");
}

/* ---- files ---- */

static int no_files(const char *path, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT, "'%s': a page has no files; expected a name, or the text",
                      path);
}

int cs_file_open(const char *path, struct cs_file *file, struct cs_err *err)
{
    *file = (struct cs_file){.fd = -1};
    return no_files(path, err);
}

int cs_file_read(const char *path, size_t bytes_max, struct cs_text *text, struct cs_err *err)
{
    (void)bytes_max, (void)text;
    return no_files(path, err);
}

int cs_files_write_path(const char *path, const struct cs_text *content, struct cs_err *err)
{
    (void)content;
    return no_files(path, err);
}

int cs_file_refuse(const char *path, const char *verb, struct cs_err *err)
{
    (void)verb;
    return no_files(path, err);
}

int cs_files_write(const char *dir, const char *name, const struct cs_text *content,
                   struct cs_err *err)
{
    (void)dir, (void)content;
    return no_files(name, err);
}

int cs_files_write_parts(const char *path, const struct cs_files_source *source, struct cs_err *err)
{
    (void)source;
    return no_files(path, err);
}

int cs_files_check_new(const char *path, bool force, struct cs_err *err)
{
    (void)force;
    return path ? no_files(path, err) : 0;
}

int cs_files_mkdirs(const char *path, struct cs_err *err)
{
    return no_files(path, err);
}

const char *cs_files_name(const char *path)
{
    return path;
}

int cs_xml_read_file(const char *path, struct cs_doc *doc, struct cs_arena *arena,
                     struct cs_err *err)
{
    (void)doc, (void)arena;
    return no_files(path, err);
}

int cs_xml_read_text(struct cs_doc_text text, struct cs_doc *doc, struct cs_arena *arena,
                     struct cs_err *err)
{
    (void)doc, (void)arena;
    return cs_err_set(err, CS_ECANNOT, "%s: a page reads YAML, no XML", text.file);
}

int cs_store_open_waiting(const char *path, enum cs_store_mode mode,
                          const struct cs_database_wait *wait, struct cs_store **store,
                          struct cs_err *err)
{
    (void)mode, (void)wait;
    *store = NULL;
    return no_files(path, err);
}

int cs_store_put(struct cs_store *store, const struct cs_record *record, struct cs_err *err)
{
    (void)store, (void)record, (void)err;
    return CS_ECANNOT;
}

int cs_store_find(struct cs_store *store, const struct cs_record *query, struct cs_records *records,
                  struct cs_err *err)
{
    (void)store, (void)query, (void)records, (void)err;
    return CS_ECANNOT;
}

void cs_store_close(struct cs_store *store)
{
    (void)store;
}
