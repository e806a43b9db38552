#include "validate/gpu/gates.h"

#include "sim/base/text.h"
#include "topo/documents/yaml.h"

/* ---- files ---- */

/* The name of the key `setup` in files of former versions. */
#define FORMER_SETUP "way"

static int read_texts(const struct cs_doc *doc, uint32_t gate, struct cs_comparison_group *group,
                      struct cs_err *err)
{
    const struct {
        const char *key;
        const char **text;
    } items[] = {
        {"gpu", &group->gpu},
        {"algorithm", &group->algorithm},
        {"setup", &group->setup},
    };
    size_t i;
    int code = 0;

    for (i = 0; i < sizeof(items) / sizeof(*items) && !code; i++) {
        uint32_t node = cs_doc_get(doc, gate, items[i].key);

        if (node == CS_DOC_NONE && items[i].text == &group->setup)
            node = cs_doc_get(doc, gate, FORMER_SETUP);
        if (node == CS_DOC_NONE)
            return cs_doc_err(doc, gate, err, "the gate has no '%s'", items[i].key);
        code = cs_doc_want_text(doc, node, items[i].key, items[i].text, err);
    }
    return code;
}

static int read_limits(const struct cs_doc *doc, uint32_t gate, struct cs_comparison_group *group,
                       struct cs_err *err)
{
    uint32_t sizes = cs_doc_get(doc, gate, "sizes");
    uint32_t median = cs_doc_get(doc, gate, "median");
    uint32_t p90 = cs_doc_get(doc, gate, "p90");
    uint32_t runs = cs_doc_get(doc, gate, "runs");
    uint32_t copies = cs_doc_get(doc, gate, "copies");
    const char *text = "";
    int code;

    if (sizes == CS_DOC_NONE || median == CS_DOC_NONE || p90 == CS_DOC_NONE || runs == CS_DOC_NONE)
        return cs_doc_err(doc, gate, err, "a gate has 'sizes', 'runs', 'median' and 'p90'");
    code = cs_doc_want_text(doc, sizes, "sizes", &text, err);
    if (!code && !cs_same(text, "small") && !cs_same(text, "large"))
        code = cs_doc_err(doc, sizes, err, "'sizes' is '%.40s'; expected small or large", text);
    group->large = cs_same(text, "large");
    if (!code)
        code = cs_doc_want_fraction(doc, median, "median", &group->median_gate, err);
    if (!code)
        code = cs_doc_want_fraction(doc, p90, "p90", &group->p90_gate, err);
    if (!code && copies != CS_DOC_NONE)
        code = cs_doc_want_fraction(doc, copies, "copies", &group->copies_gate, err);
    if (!code)
        code = cs_doc_want_count(doc, runs, "runs", INT32_MAX, &group->count_gate, err);
    return code;
}

/* The group that a gate names, or NULL. */
static struct cs_comparison_group *gated_group(const struct cs_comparison *comparison,
                                               const struct cs_comparison_group *wanted)
{
    size_t i;

    for (i = 0; i < comparison->group_count; i++) {
        struct cs_comparison_group *group = &comparison->groups[i];

        if (group->large == wanted->large && cs_same(group->gpu, wanted->gpu) &&
            cs_same(group->algorithm, wanted->algorithm) && cs_same(group->setup, wanted->setup))
            return group;
    }
    return NULL;
}

static int read_gate(const struct cs_doc *doc, uint32_t gate, struct cs_comparison *comparison,
                     struct cs_err *err)
{
    static const char *const keys[] = {"gpu",    "algorithm", "setup",  "runs",       "sizes",
                                       "median", "p90",       "copies", FORMER_SETUP, NULL};
    struct cs_comparison_group wanted = {0};
    struct cs_comparison_group *group;
    int code = cs_doc_want_keys(doc, gate, "a gate", keys, err);

    if (!code)
        code = read_texts(doc, gate, &wanted, err);
    if (!code)
        code = read_limits(doc, gate, &wanted, err);
    if (code)
        return code;
    group = gated_group(comparison, &wanted);
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
    static const char *const keys[] = {"gates", NULL};
    struct cs_doc doc;
    uint32_t list;
    uint32_t gate;
    int code = cs_yaml_read_file(cs_arena_text(arena, path), &doc, arena, err);

    if (!code)
        code = cs_doc_want_map(&doc, 0, "a file of gates", err);
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
    for (gate = code ? CS_DOC_NONE : doc.nodes[list].first; gate != CS_DOC_NONE && !code;
         gate = doc.nodes[gate].next)
        code = cs_doc_want_map(&doc, gate, "a gate", err) ? CS_EINPUT
                                                          : read_gate(&doc, gate, comparison, err);
    return code;
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
    size_t i;
    int code = 0;

    for (i = 0; i < comparison->group_count && !code; i++)
        if (comparison->groups[i].gated)
            code = gates_judge(&comparison->groups[i], err);
    return code;
}

int cs_comparison_sound(const struct cs_comparison *comparison, struct cs_err *err)
{
    size_t i;

    for (i = 0; i < comparison->run_count; i++) {
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
    size_t i;

    for (i = 0; i < comparison->group_count; i++) {
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
