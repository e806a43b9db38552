#include "scenarios/explain/choices.h"

#include "algorithms/algo.h"
#include "reports/results/html.h"
#include "sim/base/file.h"
#include "sim/base/units.h"
#include "topo/formats/source.h"

#include <inttypes.h>
#include <string.h>

enum {
    TEXT_MAX = 1 << 20 /* bytes of a machine in a page */
};

static void add_pair(struct cs_text *out, const char *before, const char *a, const char *b)
{
    cs_text_add(out, before);
    cs_html_add_json(out, a);
    cs_text_add(out, ",");
    cs_html_add_json(out, b);
}

/* [name, description, whether it has a size] */
static void choices_add_collectives(struct cs_text *out)
{
    cs_text_add(out, "\"collectives\":[");
    for (size_t i = 0; i < cs_collective_count; i++) {
        const struct cs_collective *collective = cs_collectives[i];

        add_pair(out, i ? ",\n[" : "\n[", collective->name, collective->about);
        cs_text_printf(out, ",%d]", !collective->is_signal);
    }
    cs_text_add(out, "],\n");
}

/* [collective, name, description, whether it searches for trees, which takes long] */
static void choices_add_algorithms(struct cs_text *out)
{
    cs_text_add(out, "\"algorithms\":[");
    for (size_t i = 0; i < cs_algo_count; i++) {
        add_pair(out, i ? ",\n[" : "\n[", cs_algos[i]->collective->name, cs_algos[i]->name);
        cs_text_add(out, ",");
        cs_html_add_json(out, cs_algos[i]->about);
        cs_text_printf(out, ",%d]", cs_algos[i]->takes_trees);
    }
    cs_text_add(out, "],\n");
}

static void choices_add_machines(struct cs_text *out)
{
    cs_text_add(out, "\"machines\":[");
    for (size_t i = 0; i < cs_machine_file_count; i++) {
        cs_text_add(out, i ? "," : "");
        cs_html_add_json(out, cs_machine_files[i].name);
    }
    cs_text_add(out, "],\n");
}

/* The machine of the library, also as "NAME.yaml"; NULL: none. */
static const char *choices_library_name(const char *topo)
{
    for (size_t i = 0; i < cs_machine_file_count; i++) {
        const char *name = cs_machine_files[i].name;
        size_t length = strlen(name);

        if (strncmp(topo, name, length) == 0 &&
            (topo[length] == '\0' || cs_same(topo + length, ".yaml")))
            return name;
    }
    return NULL;
}

/* A name or a generator stays; a text, or that of a file, is a member of its own. */
static void choices_add_machine(const char *topo, struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_err none = {0};
    bool is_text = cs_topo_is_text(topo);
    bool is_file = !is_text && cs_file_read(topo, TEXT_MAX, &text, &none) == 0;
    const char *name = is_file ? NULL : choices_library_name(topo);

    if (is_text)
        cs_text_add(&text, topo);
    is_text |= is_file;
    topo = name ? name : topo;
    cs_text_add(out, "\"topo\":");
    cs_html_add_json(out, is_text ? "" : topo);
    cs_text_add(out, ",\"text\":");
    cs_html_add_json(out, is_text ? cs_text_str(&text) : "");
}

/* That reads back as the same number. */
static void choices_add_size(uint64_t bytes, struct cs_text *out)
{
    if (bytes % 1024 == 0 || bytes % 1000000 == 0)
        cs_text_printf(out, ",\"size\":\"%s\"", cs_show_bytes(bytes).text);
    else
        cs_text_printf(out, ",\"size\":\"%" PRIu64 " B\"", bytes);
}

/* Whether the form has a field for the option, or its outcome is in the machine's, or it
 * concerns files. */
static bool choices_has_field(const char *name)
{
    static const char *const names[] = {"topo",   "collective", "algo",  "size",  "begin", "end",
                                        "factor", "ranks",      "nodes", "gpus",  "nics",  "fabric",
                                        "format", "out",        "force", "memory"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (cs_same(names[i], name))
            return true;
    return false;
}

/* The other options as words between spaces; a value has none: "4 MB" is "4MB". */
static void choices_add_options(const struct cs_option_log *given, struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text words = {0};

    for (uint32_t i = 0; i < given->count; i++) {
        const struct cs_given *item = &given->items[i];

        if (item->implied || item->is_alone || choices_has_field(item->option->name))
            continue;
        cs_text_printf(&words, "%s--%s%s%s", words.length ? " " : "", item->cleared ? "no-" : "",
                       item->option->name, *item->value ? "=" : "");
        for (const char *at = item->value; *at; at++)
            cs_text_add_n(&words, at, *at != ' ');
    }
    cs_text_add(out, ",\"options\":");
    cs_html_add_json(out, cs_text_str(&words));
}

void cs_choices_asked(const struct cs_scenario *scenario, uint32_t ranks, struct cs_text *out)
{
    cs_text_add(out, "{");
    choices_add_machine(scenario->topo, out);
    choices_add_size(scenario->sizes[0], out);
    cs_text_add(out, ",\"collective\":");
    cs_html_add_json(out, scenario->algos[0]->collective->name);
    cs_text_add(out, ",\"algo\":");
    cs_html_add_json(out, scenario->algos[0]->name);
    choices_add_options(&scenario->given, out);
    cs_text_printf(out, ",\"ranks\":%u}", ranks);
}

void cs_choices_write(const char *asked, struct cs_text *out)
{
    cs_text_add(out, "{");
    choices_add_collectives(out);
    choices_add_algorithms(out);
    choices_add_machines(out);
    cs_text_printf(out, "\"asked\":%s}", asked);
}
