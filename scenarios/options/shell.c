#include "scenarios/options/shell.h"

#include <stdbool.h>
#include <string.h>

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
