#include "algorithms/libraries/profile.h"

#include "sim/base/hint.h"
#include "sim/base/order.h"
#include "sim/base/random.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/values.h"
#include "topo/documents/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds of values: a time of a step or a share of a rate beyond them is a
 * slip of the file's. */
static const double value_least = 1e-9;
static const double value_most = 1e9;

bool cs_profile_is_file(const char *text)
{
    size_t length = strlen(text);

    return strchr(text, '/') || (length > 5 && cs_same(text + length - 5, ".yaml")) ||
           (length > 4 && cs_same(text + length - 4, ".yml"));
}

/* ---- parameters ---- */

static int profile_parameter(const struct cs_doc *doc, uint32_t node,
                             const struct cs_parameters *set, uint32_t *parameter,
                             struct cs_err *err)
{
    const char *names[CS_PARAMETERS_MAX];
    const char *key = doc->nodes[node].key;

    for (uint32_t k = 0; k < set->count; k++) {
        names[k] = set->items[k].name;
        if (cs_same(names[k], key)) {
            *parameter = k;
            return 0;
        }
    }
    return cs_doc_err(doc, node, err, "no parameter '%.40s'%s", key,
                      cs_hint(key, names, set->count, NULL).text);
}

/* "6.1 us" or, of a share, "0.93". */
static int profile_value(const struct cs_doc *doc, uint32_t node, const struct cs_parameter *info,
                         double *value, struct cs_err *err)
{
    bool is_share = cs_same(info->unit, "1");
    const char *text;
    char *end;
    int code = cs_doc_want_text(doc, node, "'value'", &text, err);

    if (code)
        return code;
    *value = strtod(text, &end);
    while (*end == ' ')
        end++;
    if (end != text && cs_same(end, is_share ? "" : info->unit) && *value >= value_least &&
        *value <= value_most)
        return 0;
    return cs_doc_err(doc, node, err, "'%.40s' is no value of %s; expected a number above 0%s%s",
                      text, info->name, is_share ? "" : " in ", is_share ? "" : info->unit);
}

static int profile_read_parameter(const struct cs_doc *doc, uint32_t node,
                                  struct cs_profile *profile, struct cs_err *err)
{
    const struct cs_parameters *set = profile->library->parameters;
    uint32_t k = 0;
    uint32_t value;
    uint32_t error;
    int code = profile_parameter(doc, node, set, &k, err);

    if (!code)
        code = cs_doc_want_map(doc, node, set->items[k].name, err);
    if (code)
        return code;
    value = cs_doc_get(doc, node, "value");
    error = cs_doc_get(doc, node, "standard_error");
    if (value == CS_DOC_NONE)
        return cs_doc_err(doc, node, err, "%s has no 'value'", set->items[k].name);
    code = profile_value(doc, value, &set->items[k], &profile->values[k], err);
    if (!code && error != CS_DOC_NONE)
        code = cs_doc_want_fraction(doc, error, "'standard_error'", &profile->errors[k], err);
    return code;
}

static int profile_read_parameters(const struct cs_doc *doc, struct cs_profile *profile,
                                   struct cs_err *err)
{
    uint32_t list = cs_doc_get(doc, 0, "parameters");
    uint32_t node;
    int code = 0;

    if (list == CS_DOC_NONE)
        return cs_doc_err(doc, 0, err, "no 'parameters'; expected a profile of collsim fit");
    code = cs_doc_want_map(doc, list, "'parameters'", err);
    if (code)
        return code;
    for (node = doc->nodes[list].first; node != CS_DOC_NONE && !code; node = doc->nodes[node].next)
        code = profile_read_parameter(doc, node, profile, err);
    return code;
}

/* ---- rows ---- */

static int profile_read_rows(const struct cs_doc *doc, struct cs_arena *arena,
                             struct cs_profile *profile, struct cs_err *err)
{
    uint32_t list = cs_doc_get(doc, 0, "rows");
    uint32_t node;
    int code = 0;

    if (list == CS_DOC_NONE)
        return 0;
    code = cs_doc_want_list(doc, list, "'rows'", err);
    if (code)
        return code;
    if (doc->nodes[list].count > CS_PROFILE_ROWS_MAX)
        return cs_doc_err(doc, list, err, "%u rows; expected at most %d", doc->nodes[list].count,
                          CS_PROFILE_ROWS_MAX);
    profile->rows = cs_arena_alloc(arena, doc->nodes[list].count + 1, sizeof(*profile->rows));
    for (node = doc->nodes[list].first; node != CS_DOC_NONE; node = doc->nodes[node].next) {
        const char *text = doc->nodes[node].text;
        size_t digits = text ? strspn(text, "0123456789abcdef") : 0;

        if (digits != 16 || text[digits])
            return cs_doc_err(doc, node, err,
                              "'%.40s' is no hash of a row; expected 16 hexadecimal digits",
                              text ? text : "");
        profile->rows[profile->row_count++] = strtoull(text, NULL, 16);
    }
    qsort(profile->rows, profile->row_count, sizeof(*profile->rows), cs_order_of_wide_numbers);
    return 0;
}

/* ---- calls ---- */

static int profile_bytes(const struct cs_value *as, const char *text, void *member,
                         struct cs_err *err)
{
    (void)as;
    return cs_units_bytes(text, member, err);
}

static int profile_collective(const struct cs_value *as, const char *text, void *member,
                              struct cs_err *err)
{
    (void)as;
    return cs_collective_want(text, member, err);
}

#define OF_CALL(name, form, member, ...) \
    CS_VALUE(name, form, struct cs_profile_calls, member, __VA_ARGS__)

static const struct cs_value call_values[] = {
    OF_CALL("collective", profile_collective, collective, .is_complete = true, .is_needed = true),
    OF_CALL("nodes", cs_value_count, nodes, .most = UINT32_MAX),
    OF_CALL("least", profile_bytes, least, .is_complete = true, .is_needed = true),
    OF_CALL("most", profile_bytes, most, .is_complete = true, .is_needed = true),
};

static int profile_read_call(const struct cs_doc *doc, uint32_t node, struct cs_profile *profile,
                             struct cs_err *err)
{
    struct cs_profile_calls call = {.nodes = 1};

    if (cs_doc_read_values(doc, node, "a call", CS_VALUES(call_values), &call, err))
        return CS_EINPUT;
    if (call.least > call.most)
        return cs_doc_err(doc, node, err, "'least' is above 'most'; expected sizes in order");
    cs_profile_add_call(profile->calls, &profile->call_count, &call);
    return 0;
}

static int profile_read_calls(const struct cs_doc *doc, struct cs_profile *profile,
                              struct cs_err *err)
{
    uint32_t list = cs_doc_get(doc, 0, "calls");
    int code = list == CS_DOC_NONE ? 0 : cs_doc_want_list(doc, list, "'calls'", err);

    if (list == CS_DOC_NONE || code)
        return code;
    for (uint32_t node = doc->nodes[list].first; node != CS_DOC_NONE && !code;
         node = doc->nodes[node].next)
        code = profile_read_call(doc, node, profile, err);
    return code;
}

/* ---- the file ---- */

static int profile_read_library(const struct cs_doc *doc, struct cs_profile *profile,
                                struct cs_err *err)
{
    uint32_t node = cs_doc_get(doc, 0, "library");
    struct cs_err why = {0};
    const char *name;
    int code;

    if (node == CS_DOC_NONE)
        return cs_doc_err(doc, 0, err, "no 'library'; expected a profile of collsim fit");
    code = cs_doc_want_text(doc, node, "'library'", &name, err);
    if (!code && cs_library_find(name, &profile->library, &profile->version, &why))
        code = cs_doc_err(doc, node, err, "%s", why.text);
    if (code)
        return code;
    if (!profile->library->parameters)
        return cs_doc_err(doc, node, err,
                          "%s has no parameters of a profile; expected nccl, rccl, mpi or gloo",
                          profile->library->name);
    cs_parameters_values(profile->library->parameters, profile->values);
    return 0;
}

static int profile_read_doc(const struct cs_doc *doc, struct cs_arena *arena,
                            struct cs_profile *profile, struct cs_err *err)
{
    static const char *const keys[] = {"profile",    "library",      "machine", "inputs",
                                       "parameters", "correlations", "noise",   "cross_validation",
                                       "calls",      "rows",         NULL};

    return cs_doc_want_keys(doc, 0, "a profile", keys, err) ||
                   profile_read_library(doc, profile, err) ||
                   profile_read_parameters(doc, profile, err) ||
                   profile_read_calls(doc, profile, err) ||
                   profile_read_rows(doc, arena, profile, err)
               ? CS_EINPUT
               : 0;
}

static void profile_begin(const char *file, struct cs_profile *profile)
{
    *profile = (struct cs_profile){.file = file};
    for (uint32_t k = 0; k < CS_PARAMETERS_MAX; k++)
        profile->errors[k] = NAN;
}

int cs_profile_read_text(const char *file, const char *text, size_t length, struct cs_arena *arena,
                         struct cs_profile *profile, struct cs_err *err)
{
    struct cs_doc doc;
    int code = cs_yaml_read_text((struct cs_doc_text){file, text, length}, &doc, arena, err);

    profile_begin(file, profile);
    return code ? code : profile_read_doc(&doc, arena, profile, err);
}

/* Reads a file; memory is in the arena.  CS_EINPUT with file and line. */
static int profile_read(const char *path, struct cs_arena *arena, struct cs_profile *profile,
                        struct cs_err *err)
{
    struct cs_doc doc;
    const char *file = cs_arena_text(arena, path);
    int code = cs_yaml_read_file(file, &doc, arena, err);

    profile_begin(file, profile);
    return code ? code : profile_read_doc(&doc, arena, profile, err);
}

int cs_profile_find(const char *text, struct cs_arena *arena, const struct cs_library **library,
                    uint32_t *version, const struct cs_profile **profile, struct cs_err *err)
{
    struct cs_profile *read;
    int code;

    *profile = NULL;
    if (!cs_profile_is_file(text))
        return cs_library_find(text, library, version, err);
    read = cs_arena_alloc(arena, 1, sizeof(*read));
    code = profile_read(text, arena, read, err);
    *profile = read;
    *library = read->library;
    *version = read->version;
    return code;
}

/* ---- hashes ---- */

uint64_t cs_profile_row_hash(const struct cs_collective *collective, uint32_t ranks, uint64_t bytes,
                             double time_s)
{
    uint64_t time_ps = (uint64_t)llround(fmin(time_s, 1e6) * 1e12);
    uint64_t hash = ranks;

    for (const char *at = collective->name; *at; at++)
        hash = cs_mix64(hash ^ (uint64_t)(unsigned char)*at);
    return cs_mix64(cs_mix64(hash ^ bytes) ^ time_ps);
}

bool cs_profile_has_row(const struct cs_profile *profile, uint64_t hash)
{
    return profile && profile->row_count &&
           bsearch(&hash, profile->rows, profile->row_count, sizeof(hash),
                   cs_order_of_wide_numbers);
}
