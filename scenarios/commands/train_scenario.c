#include "scenarios/commands/train_scenario.h"

#include "scenarios/commands/command.h"
#include "scenarios/commands/train_given.h"
#include "topo/documents/yaml.h"

#include <stdio.h>
#include <string.h>

enum {
    SCENARIO_OPTION = 64 /* bytes of an option's name */
};

/* A value of the file as arguments: "--key VALUE", or "--key" for true. */
static int scenario_option(const struct cs_doc *doc, uint32_t node,
                           struct cs_train_options *given, struct cs_err *err)
{
    const char *key = doc->nodes[node].key;
    char option[SCENARIO_OPTION], *argv[2] = {option, NULL};
    struct cs_err inner = {0};
    const char *text;
    int code = cs_doc_want_text(doc, node, key, &text, err);

    if (code)
        return code;
    if (!strcmp(key, "scenario"))
        return cs_doc_err(doc, node, err,
                          "a scenario does not include other scenarios");
    if (!strcmp(text, "false"))
        return 0;
    snprintf(option, sizeof(option), "--%.60s", key);
    argv[1] = cs_arena_text(given->scenario.arena, text);
    code = cs_options_read(cs_command_train.options,
                           strcmp(text, "true") ? 2 : 1, argv, given, &inner);
    return code ? cs_doc_err(doc, node, err, "%s", inner.text) : 0;
}

int cs_train_set_scenario(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;
    struct cs_doc doc;
    int code = cs_yaml_read_file(value, &doc, given->scenario.arena, err);

    if (!code)
        code = cs_doc_want_map(&doc, 0, "a scenario", err);
    if (code)
        return code;
    for (uint32_t node = doc.nodes[0].first; node != CS_DOC_NONE && !code;
         node = doc.nodes[node].next)
        if (strcmp(doc.nodes[node].key, "about") != 0)
            code = scenario_option(&doc, node, given, err);
    return code;
}
