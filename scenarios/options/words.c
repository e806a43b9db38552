#include "scenarios/options/words.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/documents/parameters.h"

#include <stdbool.h>
#include <string.h>

int cs_options_each(struct cs_option_list list, const char *words, struct cs_err *err)
{
    const char *all = words;
    int code = 0;

    while (!code) {
        size_t length = cs_parameters_span(words, ',');
        char *word = cs_arena_text_n(list.arena, words, length);

        if (!*all)
            return cs_err_set(err, CS_EINPUT, "the list is empty");
        if (length == 0)
            return cs_err_set(err, CS_EINPUT, "empty entry in the list '%.40s'", all);
        code = list.take(list.target, cs_parameters_bare(word), err);
        if (words[length] == '\0')
            break;
        words += length + 1;
    }
    return code;
}

int cs_options_refuse(struct cs_option_names known, const char *value, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT, "no %s called '%.40s'%s", known.what, value,
                      cs_hint_all(value, known.names, known.count).text);
}

/* ---- shells ---- */

void cs_shell_add(struct cs_text *out, const char *word)
{
    bool plain = *word && !word[strcspn(word, " '\"\\$&|;<>()*?[]#~`!\t\n")];

    cs_text_add(out, plain ? " " : " '");
    for (const char *c = word; *c; ++c)
        if (*c == '\'')
            cs_text_add(out, "'\\''");
        else
            cs_text_add_n(out, c, 1);
    cs_text_add(out, plain ? "" : "'");
}
