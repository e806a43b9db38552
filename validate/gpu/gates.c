#include "validate/gpu/gates.h"

#include "sim/base/text.h"
#include "topo/documents/values.h"
#include "topo/documents/yaml.h"

/* ---- files ---- */

int cs_gates_each(const char *path, struct cs_arena *arena, cs_gate_fn *read, void *ctx,
                  struct cs_err *err)
{
    static const char *const keys[] = {"gates", NULL};
    struct cs_doc doc;
    uint32_t list;
    int code = cs_yaml_read_file(cs_arena_text(arena, path), &doc, arena, err);

    if (!code)
        code = cs_doc_want_keys(&doc, 0, "a file of gates", keys, err);
    if (code)
        return code;
    list = cs_doc_get(&doc, 0, "gates");
    if (list == CS_DOC_NONE)
        return cs_doc_err(&doc, 0, err, "expected 'gates'");
    code = cs_doc_want_list(&doc, list, "'gates'", err);
    if (!code && doc.nodes[list].first == CS_DOC_NONE)
        code = cs_doc_err(&doc, list, err, "'gates' is empty");
    for (uint32_t gate = doc.nodes[list].first; gate != CS_DOC_NONE && !code;
         gate = doc.nodes[gate].next)
        code = read(ctx, &doc, gate, err);
    return code;
}

#define GATE(name, form, member, ...) \
    CS_VALUE(name, form, struct cs_comparison_group, member, __VA_ARGS__)
static const struct cs_value gate_values[] = {
    GATE("gpu", cs_value_text, gpu, .is_needed = true),
    GATE("algorithm", cs_value_text, algorithm, .is_needed = true),
    GATE("setup", cs_value_text, setup),
    GATE("way", cs_value_text, setup), /* in files of former versions */
    GATE("sizes", cs_value_either, large, .words = {"small", "large"}, .is_needed = true),
    GATE("runs", cs_value_count, count_gate, .most = INT32_MAX, .is_needed = true),
    GATE("median", cs_value_fraction, median_gate, .is_needed = true),
    GATE("p90", cs_value_fraction, p90_gate, .is_needed = true),
    GATE("copies", cs_value_fraction, copies_gate),
};

/* The group that a gate names, or NULL. */
static struct cs_comparison_group *gated_group(const struct cs_comparison *comparison,
                                               const struct cs_comparison_group *wanted)
{
    for (size_t i = 0; i < comparison->group_count; i++) {
        struct cs_comparison_group *group = &comparison->groups[i];

        if (group->large == wanted->large && cs_same(group->gpu, wanted->gpu) &&
            cs_same(group->algorithm, wanted->algorithm) && cs_same(group->setup, wanted->setup))
            return group;
    }
    return NULL;
}

static int read_gate(void *ctx, const struct cs_doc *doc, uint32_t gate, struct cs_err *err)
{
    struct cs_comparison_group wanted = {0};
    struct cs_comparison_group *group;

    if (cs_doc_read_values(doc, gate, "the gate", CS_VALUES(gate_values), &wanted, err))
        return CS_EINPUT;
    if (!wanted.setup)
        return cs_doc_err(doc, gate, err, "the gate has no 'setup'");
    group = gated_group(ctx, &wanted);
    if (!group)
        return cs_doc_err(doc, gate, err, "no measured group for this gate");
    if (group->gated)
        return cs_doc_err(doc, gate, err, "a second gate for the same group");
    group->gated = true;
    group->median_gate = wanted.median_gate;
    group->p90_gate = wanted.p90_gate;
    group->count_gate = wanted.count_gate;
    group->copies_gate = wanted.copies_gate;
    return 0;
}

int cs_comparison_gates(struct cs_comparison *comparison, const char *path, struct cs_arena *arena,
                        struct cs_err *err)
{
    return cs_gates_each(path, arena, read_gate, comparison, err);
}

/* ---- judgement ---- */

#define COMPLAIN(group, err, code, form, ...)                                                \
    cs_err_set(err, code, "%s, %s by %s, %s sizes: " form, (group)->gpu, (group)->algorithm, \
               (group)->setup, (group)->large ? "large" : "small", __VA_ARGS__)

static int gates_judge(const struct cs_comparison_group *group, struct cs_err *err)
{
    if (group->count != group->count_gate)
        return COMPLAIN(group, err, CS_EANSWER, "%u predicted runs; the gate expects %u",
                        group->count, group->count_gate);
    if (!(group->median <= group->median_gate))
        return COMPLAIN(group, err, CS_EANSWER,
                        "the median |error| is %.3g %%, more than the gate of %.3g %%",
                        100 * group->median, 100 * group->median_gate);
    if (!(group->p90 <= group->p90_gate))
        return COMPLAIN(group, err, CS_EANSWER,
                        "the 90th percentile of |error| is %.3g %%, more than the gate of %.3g %%",
                        100 * group->p90, 100 * group->p90_gate);
    if (group->copies_gate > 0 && group->copies_count == 0)
        return COMPLAIN(group, err, CS_EANSWER,
                        "the gate has 'copies', but no vectors are %d times L2",
                        CS_COMPARISON_BEYOND);
    if (!(group->copies >= group->copies_gate))
        return COMPLAIN(group, err, CS_EANSWER,
                        "the kernel reaches %.3g %% of plain copies, less than the gate of %.3g %%",
                        100 * group->copies, 100 * group->copies_gate);
    return 0;
}

int cs_comparison_judge(const struct cs_comparison *comparison, struct cs_err *err)
{
    int code = 0;

    for (size_t i = 0; i < comparison->group_count && !code; i++)
        if (comparison->groups[i].gated)
            code = gates_judge(&comparison->groups[i], err);
    return code;
}

int cs_comparison_sound(const struct cs_comparison *comparison, struct cs_err *err)
{
    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct cs_measured *m = comparison->runs[i].measured;

        if (m->run.wrong > 0)
            return cs_err_at(err, CS_EANSWER, m->file, m->line, "the run has %llu wrong sums",
                             (unsigned long long)m->run.wrong);
    }
    return 0;
}

int cs_comparison_gated(const struct cs_comparison *comparison, struct cs_err *err)
{
    uint32_t count = 0;

    for (size_t i = 0; i < comparison->group_count; i++) {
        const struct cs_comparison_group *group = &comparison->groups[i];

        count += group->count;
        if (group->count > 0 && !group->gated)
            return COMPLAIN(group, err, CS_EINPUT, "%u runs without a gate in gates.yaml",
                            group->count);
        if (group->copies_count > 0 && !(group->copies_gate > 0) &&
            cs_same(group->algorithm, "ring"))
            return COMPLAIN(group, err, CS_EINPUT,
                            "%u runs far beyond L2, but the gate has no 'copies'",
                            group->copies_count);
    }
    if (count == 0)
        return cs_err_set(err, CS_EANSWER, "no run could be predicted");
    return 0;
}
