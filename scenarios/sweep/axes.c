#include "scenarios/sweep/axes.h"

#include "sim/base/file.h"
#include "sim/base/random.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/yaml.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const uint64_t cases_max = UINT64_C(1) << 40;

/* ---- values of an axis ---- */

/* The values of a name, before they are put beside those of a zip. */
struct axis_values {
    const char **items;
    uint32_t count;
};

static int values_of_list(const struct cs_doc *doc, uint32_t node, struct cs_arena *arena,
                          struct axis_values *values, struct cs_err *err)
{
    int code = 0;

    values->items = cs_arena_alloc(arena, doc->nodes[node].count, sizeof(*values->items));
    for (uint32_t item = doc->nodes[node].first; item != CS_DOC_NONE && !code;
         item = doc->nodes[item].next) {
        const char *text;

        code = cs_doc_want_text(doc, item, "a value", &text, err);
        if (!code)
            values->items[values->count++] = cs_arena_text(arena, text);
    }
    return code;
}

/* A range's bounds are sizes where `from` has a unit. */
struct axis_range {
    bool is_bytes;
    uint64_t from, to, step, factor;
};

static int range_number(const struct cs_doc *doc, uint32_t map, const char *name, bool is_bytes,
                        uint64_t *number, struct cs_err *err)
{
    uint32_t node = cs_doc_get(doc, map, name);
    struct cs_err inner = {0};
    const char *text;
    int code = cs_doc_want_text(doc, node, name, &text, err);

    if (code)
        return code;
    code = is_bytes ? cs_units_nccl_bytes(text, number, &inner)
                    : cs_units_count(text, 0, UINT64_C(1) << 62, number, &inner);
    return code ? cs_doc_err(doc, node, err, "%s: %s", name, inner.text) : 0;
}

static int range_read(const struct cs_doc *doc, uint32_t node, struct axis_range *range,
                      struct cs_err *err)
{
    static const char *const names[] = {"from", "to", "step", "factor", NULL};
    bool has_step = cs_doc_get(doc, node, "step") != CS_DOC_NONE;
    bool has_factor = cs_doc_get(doc, node, "factor") != CS_DOC_NONE;
    const char *from;
    int code = cs_doc_want_keys(doc, node, "a range", names, err);

    *range = (struct axis_range){.step = 1};
    if (code)
        return code;
    if (cs_doc_get(doc, node, "from") == CS_DOC_NONE ||
        cs_doc_get(doc, node, "to") == CS_DOC_NONE || (has_step && has_factor))
        return cs_doc_err(doc, node, err, "expected {from: A, to: B} with 'step' or 'factor'");
    code = cs_doc_want_text(doc, cs_doc_get(doc, node, "from"), "from", &from, err);
    if (code)
        return code;
    range->is_bytes = strspn(from, "0123456789") != strlen(from);
    code = range_number(doc, node, "from", range->is_bytes, &range->from, err);
    if (!code)
        code = range_number(doc, node, "to", range->is_bytes, &range->to, err);
    if (!code && has_step)
        code = range_number(doc, node, "step", range->is_bytes, &range->step, err);
    if (!code && has_factor)
        code = range_number(doc, node, "factor", false, &range->factor, err);
    if (code)
        return code;
    if (range->to < range->from || !range->step ||
        (has_factor && (range->factor < 2 || !range->from)))
        return cs_doc_err(
            doc, node, err,
            "the range is empty or endless; expected from <= to, a step above 0, a factor from 2");
    return 0;
}

static int values_of_range(const struct cs_doc *doc, uint32_t node, struct cs_arena *arena,
                           struct axis_values *values, struct cs_err *err)
{
    struct axis_range range;
    uint64_t count = 0;
    int code = range_read(doc, node, &range, err);

    if (code)
        return code;
    for (uint64_t v = range.from; v <= range.to && count <= CS_SWEEP_VALUES_MAX;
         v = range.factor ? v * range.factor : v + range.step)
        ++count;
    if (count > CS_SWEEP_VALUES_MAX)
        return cs_doc_err(doc, node, err, "more than %d values", CS_SWEEP_VALUES_MAX);
    values->items = cs_arena_alloc(arena, count, sizeof(*values->items));
    for (uint64_t v = range.from; values->count < count;
         v = range.factor ? v * range.factor : v + range.step) {
        char text[40];

        snprintf(text, sizeof(text), range.is_bytes ? "%lluB" : "%llu", (unsigned long long)v);
        values->items[values->count++] = cs_arena_text(arena, text);
    }
    return 0;
}

static int values_read(const struct cs_doc *doc, uint32_t node, struct cs_arena *arena,
                       struct axis_values *values, struct cs_err *err)
{
    int code;

    *values = (struct axis_values){0};
    if (doc->nodes[node].kind == CS_DOC_MAP)
        code = values_of_range(doc, node, arena, values, err);
    else
        code = cs_doc_want_list(doc, node, doc->nodes[node].key, err);
    if (!code && doc->nodes[node].kind == CS_DOC_LIST)
        code = values_of_list(doc, node, arena, values, err);
    if (!code && !values->count)
        code = cs_doc_err(doc, node, err, "'%s' has no values", doc->nodes[node].key);
    return code;
}

/* ---- axes ---- */

/* The next axis; NULL: too many. */
static struct cs_sweep_axis *axis_begin(const struct cs_doc *doc, uint32_t node,
                                        struct cs_sweep *sweep, struct cs_err *err)
{
    struct cs_sweep_axis *axis = &sweep->axes[sweep->axis_count];

    if (sweep->axis_count == CS_SWEEP_AXES_MAX) {
        (void)cs_doc_err(doc, node, err, "more than %d axes", CS_SWEEP_AXES_MAX);
        return NULL;
    }
    ++sweep->axis_count;
    *axis = (struct cs_sweep_axis){.line = doc->nodes[node].line};
    return axis;
}

static int axes_read(const struct cs_doc *doc, uint32_t map, struct cs_arena *arena,
                     struct cs_sweep *sweep, struct cs_err *err)
{
    int code = cs_doc_want_map(doc, map, "'axes'", err);

    if (code)
        return code;
    for (uint32_t node = doc->nodes[map].first; node != CS_DOC_NONE && !code;
         node = doc->nodes[node].next) {
        struct cs_sweep_axis *axis = axis_begin(doc, node, sweep, err);
        struct axis_values values = {0};

        if (!axis)
            return CS_EINPUT;
        code = values_read(doc, node, arena, &values, err);
        axis->names[axis->name_count++] = cs_arena_text(arena, doc->nodes[node].key);
        axis->values = values.items;
        axis->count = values.count;
    }
    return code;
}

static void zip_fill(const struct axis_values *all, struct cs_sweep_axis *axis,
                     struct cs_arena *arena)
{
    axis->values =
        cs_arena_alloc(arena, (uint64_t)axis->count * axis->name_count, sizeof(*axis->values));
    for (uint32_t i = 0; i < axis->count; ++i)
        for (uint32_t n = 0; n < axis->name_count; ++n) {
            assert(all[n].items); /* as many as the axis has */
            axis->values[(size_t)i * axis->name_count + n] = all[n].items[i];
        }
}

static int zip_read(const struct cs_doc *doc, uint32_t map, struct cs_arena *arena,
                    struct cs_sweep *sweep, struct cs_err *err)
{
    struct axis_values all[CS_SWEEP_NAMES_MAX] = {{0}};
    struct cs_sweep_axis *axis = axis_begin(doc, map, sweep, err);
    int code = axis ? cs_doc_want_map(doc, map, "'zip'", err) : CS_EINPUT;

    if (code)
        return code;
    for (uint32_t node = doc->nodes[map].first; node != CS_DOC_NONE && !code;
         node = doc->nodes[node].next) {
        struct axis_values *values = &all[axis->name_count];

        if (axis->name_count == CS_SWEEP_NAMES_MAX)
            return cs_doc_err(doc, node, err, "more than %d options in a zip", CS_SWEEP_NAMES_MAX);
        code = values_read(doc, node, arena, values, err);
        if (!code && axis->name_count && values->count != axis->count)
            code = cs_doc_err(doc, node, err,
                              "%u values beside %u of '%s'; the lists of a zip have one length",
                              values->count, axis->count, axis->names[0]);
        axis->names[axis->name_count++] = cs_arena_text(arena, doc->nodes[node].key);
        axis->count = values->count;
    }
    if (!code && !axis->name_count)
        code = cs_doc_err(doc, map, err, "'zip' is empty");
    if (!code)
        zip_fill(all, axis, arena);
    return code;
}

static int zips_read(const struct cs_doc *doc, uint32_t node, struct cs_arena *arena,
                     struct cs_sweep *sweep, struct cs_err *err)
{
    int code = 0;

    if (doc->nodes[node].kind != CS_DOC_LIST)
        return zip_read(doc, node, arena, sweep, err);
    for (uint32_t map = doc->nodes[node].first; map != CS_DOC_NONE && !code;
         map = doc->nodes[map].next)
        code = zip_read(doc, map, arena, sweep, err);
    return code;
}

/* ---- the file ---- */

static int fixed_read(const struct cs_doc *doc, uint32_t node, struct cs_arena *arena,
                      struct cs_sweep *sweep, struct cs_err *err)
{
    struct cs_sweep_option *option = &sweep->fixed[sweep->fixed_count];
    const char *text;
    int code;

    if (doc->nodes[node].kind == CS_DOC_LIST)
        return cs_doc_err(doc, node, err, "%s is a list; lists of values stand below 'axes:'",
                          doc->nodes[node].key);
    code = cs_doc_want_text(doc, node, doc->nodes[node].key, &text, err);
    if (code || !strcmp(text, "false"))
        return code;
    if (sweep->fixed_count == CS_SWEEP_FIXED_MAX)
        return cs_doc_err(doc, node, err, "more than %d options", CS_SWEEP_FIXED_MAX);
    option->name = cs_arena_text(arena, doc->nodes[node].key);
    option->value = strcmp(text, "true") ? cs_arena_text(arena, text) : NULL;
    sweep->fixed_lines[sweep->fixed_count++] = doc->nodes[node].line;
    return 0;
}

static int node_read(const struct cs_doc *doc, uint32_t node, struct cs_arena *arena,
                     struct cs_sweep *sweep, struct cs_err *err)
{
    const char *key = doc->nodes[node].key;

    if (!strcmp(key, "about")) {
        sweep->about = cs_arena_text(arena, doc->nodes[node].text ? doc->nodes[node].text : "");
        return 0;
    }
    if (!strcmp(key, "zip"))
        return zips_read(doc, node, arena, sweep, err);
    if (!strcmp(key, "axes"))
        return 0; /* behind the zips */
    return fixed_read(doc, node, arena, sweep, err);
}

/* An option may stand once. */
static int check_names(const struct cs_sweep *sweep, struct cs_err *err)
{
    struct cs_sweep_option options[CS_SWEEP_OPTIONS_MAX];
    uint32_t count = cs_sweep_options(sweep, 0, options);

    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < i; ++k)
            if (!strcmp(options[i].name, options[k].name))
                return cs_err_set(err, CS_EINPUT,
                                  "%s: '%s' stands twice, among options, axes and zip", sweep->file,
                                  options[i].name);
    return 0;
}

static int count_cases(struct cs_sweep *sweep, struct cs_err *err)
{
    sweep->cases = 1;
    for (uint32_t a = 0; a < sweep->axis_count; ++a) {
        sweep->cases *= sweep->axes[a].count;
        if (sweep->cases > cases_max)
            return cs_err_set(err, CS_EINPUT, "%s: more than 2^40 cases; shorten an axis",
                              sweep->file);
    }
    return 0;
}

/* ---- the hash ---- */

/* The content of a file that a value names; a number, of which a range has up to a
 * million, names none. */
static uint64_t mix_file(uint64_t hash, const char *path)
{
    struct cs_err ignored = {0};
    struct stat status;
    CS_AT_END(cs_text_free) struct cs_text content = {0};

    if (!path || !path[strspn(path, "0123456789")] || stat(path, &status) ||
        !S_ISREG(status.st_mode))
        return hash;
    if (!cs_file_read(path, SIZE_MAX, &content, &ignored)) {
        for (size_t i = 0; i < content.length; ++i)
            hash = cs_mix64(hash ^ (unsigned char)content.data[i]);
        hash = cs_mix64(hash ^ UINT64_C(257));
    }
    return hash;
}

static uint64_t hash_of(const struct cs_sweep *sweep)
{
    uint64_t hash = cs_mix_text(1, "collsim sweep");

    for (uint32_t f = 0; f < sweep->fixed_count; ++f) {
        hash = cs_mix_text(hash, sweep->fixed[f].name);
        hash = cs_mix_text(hash, sweep->fixed[f].value);
        hash = mix_file(hash, sweep->fixed[f].value);
    }
    for (uint32_t a = 0; a < sweep->axis_count; ++a) {
        const struct cs_sweep_axis *axis = &sweep->axes[a];

        for (uint32_t n = 0; n < axis->name_count; ++n)
            hash = cs_mix_text(hash, axis->names[n]);
        for (uint32_t v = 0; v < axis->count * axis->name_count; ++v)
            hash = mix_file(cs_mix_text(hash, axis->values[v]), axis->values[v]);
    }
    return hash ? hash : 1;
}

int cs_sweep_read(const char *file, struct cs_arena *arena, struct cs_sweep *sweep,
                  struct cs_err *err)
{
    struct cs_doc doc;
    uint32_t axes;
    int code = cs_yaml_read_file(file, &doc, arena, err);

    *sweep = (struct cs_sweep){.file = file, .about = ""};
    if (!code)
        code = cs_doc_want_map(&doc, 0, "a sweep", err);
    if (code)
        return code;
    for (uint32_t node = doc.nodes[0].first; node != CS_DOC_NONE && !code;
         node = doc.nodes[node].next)
        code = node_read(&doc, node, arena, sweep, err);
    axes = cs_doc_get(&doc, 0, "axes");
    if (!code && axes != CS_DOC_NONE)
        code = axes_read(&doc, axes, arena, sweep, err);
    if (!code && !sweep->axis_count)
        code = cs_err_set(err, CS_EINPUT, "%s: no axes; expected axes: {size: [1KiB, 1MiB]}", file);
    if (!code)
        code = check_names(sweep, err);
    if (!code)
        code = count_cases(sweep, err);
    if (!code)
        sweep->hash = hash_of(sweep);
    return code;
}

/* ---- cases ---- */

uint32_t cs_sweep_options(const struct cs_sweep *sweep, uint64_t number,
                          struct cs_sweep_option options[CS_SWEEP_OPTIONS_MAX])
{
    uint32_t count = sweep->fixed_count;
    uint32_t index[CS_SWEEP_AXES_MAX];

    if (count)
        memcpy(options, sweep->fixed, count * sizeof(*options));
    for (uint32_t a = sweep->axis_count; a-- > 0;) {
        index[a] = (uint32_t)(number % sweep->axes[a].count);
        number /= sweep->axes[a].count;
    }
    for (uint32_t a = 0; a < sweep->axis_count; ++a) {
        const struct cs_sweep_axis *axis = &sweep->axes[a];

        for (uint32_t n = 0; n < axis->name_count; ++n)
            options[count++] = (struct cs_sweep_option){
                axis->names[n], axis->values[(size_t)index[a] * axis->name_count + n]};
    }
    return count;
}

void cs_sweep_name(const struct cs_sweep *sweep, uint64_t number, struct cs_text *out)
{
    struct cs_sweep_option options[CS_SWEEP_OPTIONS_MAX];
    uint32_t count = cs_sweep_options(sweep, number, options);

    for (uint32_t i = sweep->fixed_count; i < count; ++i)
        cs_text_printf(out, "%s%s=%s", i > sweep->fixed_count ? " " : "", options[i].name,
                       options[i].value);
}
