/*
 * new: write an algorithm as text, to be changed and proven.
 */
#include "scenarios/commands.h"
#include "scenarios/new/templates.h"
#include "sim/base/hint.h"

#include <string.h>
#include <unistd.h>

struct new_options {
#define OPTIONS "scenarios/new/options.def"
#include "scenarios/options/members.def"
};

static const struct cs_option new_options[] = {
#define TARGET  struct new_options
#define OPTIONS "scenarios/new/options.def"
#include "scenarios/options/entries.def"
};

static const char language[] =
    "# What rank r of p does. Operations of a line start together; the next line follows.\n"
    "#   send [in|scratch] block B [count N] to RANK      recv, add [scratch] block B from RANK\n"
    "#   copy, sum block B to block C                     wait lane L round K\n"
    "#   for NAME in X..Y:   if X:   else:   lane X:   let NAME = X   require X\n"
    "# p, r, root, chunks and V (bytes) are known; % and / round down, as in Python; block\n"
    "# numbers go around. Prove it with: collsim check --algo FILE.cs --ranks 2-64\n\n";

/* The text under the name of the file. */
static void new_write(const struct cs_template *template, const char *name, struct cs_text *out)
{
    const char *slash = strrchr(name, '/');

    cs_text_printf(out, "collsim-table 1\nalgorithm   %s\n", slash ? slash + 1 : name);
    cs_text_add(out, language);
    cs_text_printf(out, "# %s\n%s", template->about, template->text);
}

static int new_template(const char *like, const struct cs_template **template, struct cs_err *err)
{
    const char *names[CS_TEMPLATES_MAX];

    *template = cs_templates;
    for (size_t i = 0; i < cs_template_count; i++) {
        names[i] = cs_templates[i].name;
        *template = like && cs_same(like, names[i]) ? &cs_templates[i] : *template;
    }
    if (!like || cs_same(like, (*template)->name))
        return 0;
    return cs_err_set(err, CS_EINPUT, "--like: no template called '%.40s'%s", like,
                      cs_hint_all(like, names, cs_template_count).text);
}

/* Whether a word, or a path's last part, names an algorithm. */
static bool new_is_name(const char *word)
{
    const char *slash = strrchr(word, '/');
    const char *name = slash ? slash + 1 : word;

    return *name && !cs_same(name, ".cs");
}

static int new_file(const struct cs_cli *cli, const struct new_options *given, const char *name,
                    struct cs_err *err)
{
    const struct cs_template *template;
    CS_AT_END(cs_text_free) struct cs_text path = {0};
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = new_template(given->like, &template, err);

    cs_text_printf(&path, "%s%s", name, cs_ends_in(name, ".cs") ? "" : ".cs");
    if (!code && !given->force && access(cs_text_str(&path), F_OK) == 0)
        code = cs_err_set(err, CS_EINPUT, "'%.200s' exists; expected another name, or --force",
                          cs_text_str(&path));
    if (!code) {
        new_write(template, name, &text);
        code = cs_cli_write(cli, cs_text_str(&path), &text, err);
    }
    return code;
}

static int new_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    struct new_options given = {0};
    bool is_named = argc > 0 && argv[0][0] != '-';
    int code =
        cs_options_read(cs_command_new.options, argc - is_named, argv + is_named, &given, err);

    if (!code && (!is_named || !new_is_name(argv[0])))
        code = cs_err_set(err, CS_EINPUT, "expected collsim new NAME [--like NAME]");
    return code ? code : new_file(cli, &given, argv[0], err);
}

static void new_add_templates(struct cs_text *out)
{
    cs_text_add(out, "\ntemplates:\n");
    for (size_t i = 0; i < cs_template_count; i++)
        cs_text_printf(out, "  %-20s%s\n", cs_templates[i].name, cs_templates[i].about);
}

const struct cs_command cs_command_new = {
    .name = "new",
    .usage = "collsim new NAME [--like NAME]",
    .about = "write an algorithm of your own as text, to be changed, proven and run",
    .options = {.own = new_options},
    .notes = "Writes NAME.cs, which --algo NAME.cs runs and 'collsim check' proves.\n",
    .add_help = new_add_templates,
    .run = new_run,
};
