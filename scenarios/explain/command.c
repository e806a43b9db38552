/*
 * explain: a run step by step, for learning and teaching.
 */
#include "reports/figures/plot/gnuplot.h"
#include "reports/results/endings.h"
#include "reports/results/files.h"
#include "scenarios/commands.h"
#include "scenarios/explain/choices.h"
#include "scenarios/explain/story.h"
#include "scenarios/run/command/unused_options.h"
#include "scenarios/run/memory.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

enum picture {
    PICTURE_TEXT,
    PICTURE_HTML,
    PICTURE_JSON,
    PICTURE_SVG,
    PICTURE_GIF,
    PICTURE_TIKZ,
    PICTURES
};

static const char *const picture_names[PICTURES + 1] = {"text", "html", "json", "svg",
                                                        "gif",  "tikz", NULL};

struct cmd_explain_requested {
    struct cs_scenario scenario; /* first: the target of shared options */
    enum picture picture;
    bool chosen; /* --format was given */
#define OPTIONS "scenarios/explain/options.def"
#include "scenarios/options/members.def"
};

static int cmd_explain_set_format(void *target, const char *value, struct cs_err *err)
{
    struct cmd_explain_requested *requested = target;

    requested->chosen = true;
    for (int i = 0; i < PICTURES; i++) {
        requested->picture = (enum picture)i;
        if (!strcasecmp(value, picture_names[i]))
            return 0;
    }
    return cs_options_refuse((struct cs_option_names){"format", picture_names, PICTURES}, value,
                             err);
}

static const struct cs_option explain_options[] = {
#define TARGET  struct cmd_explain_requested
#define OPTIONS "scenarios/explain/options.def"
#include "scenarios/options/entries.def"
};

/* ---- the command line ---- */

/* --format, else the ending of the file name. */
static int choose_picture(struct cmd_explain_requested *requested, struct cs_err *err)
{
    size_t format;
    int code;

    if (requested->chosen || !requested->out || !cs_endings_has(requested->out))
        return cs_endings_check("--out", requested->out, picture_names[requested->picture], err);
    code = cs_endings_choose("--out", requested->out, picture_names, &format, err);
    if (!code)
        requested->picture = (enum picture)format;
    return code;
}

static int cmd_explain_finish(const struct cs_cli *cli, struct cmd_explain_requested *requested,
                              struct cs_err *err)
{
    int code = cs_story_finish(&requested->scenario, cli->progress, err);

    if (!code)
        code = choose_picture(requested, err);
    if (!code)
        code = cs_memory_check(&requested->scenario, err);
    if (!code && requested->picture == PICTURE_GIF && !requested->out)
        code = cs_err_set(err, CS_EINPUT, "a GIF requires a file; give --out FILE.gif");
    return code ? code : cs_files_check_new(requested->out, requested->scenario.force, err);
}

/* ---- output ---- */

static int draw_gif(const struct cmd_explain_requested *requested, const struct cs_story *story,
                    struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text script = {0};

    assert(requested->out); /* see cmd_explain_check() */
    cs_explain_gnuplot(story, cs_files_name(requested->out), &script);
    return cs_gnuplot_draw(requested->out, &script, CS_GNUPLOT_REMOVE, err);
}

static void write_page(const struct cmd_explain_requested *requested, const struct cs_story *story,
                       struct cs_text *text)
{
    struct cs_story full = *story;
    CS_AT_END(cs_text_free) struct cs_text asked = {0}, choices = {0};

    cs_choices_asked(&requested->scenario, story->steps->ranks, &asked);
    cs_choices_write(cs_text_str(&asked), &choices);
    full.choices = choices.data;
    cs_explain_html(&full, text);
}

static int write_story(const struct cs_cli *cli, const struct cmd_explain_requested *requested,
                       const struct cs_story *story, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    enum cs_style style = requested->out ? CS_STYLE_PLAIN : cli->style;
    bool in_digits = requested->picture == PICTURE_TEXT || requested->picture == PICTURE_GIF;
    int code;

    if (in_digits && story->steps->ranks > CS_STEPS_DIGIT_RANKS_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "%s takes up to %d ranks, not %u; --format html, json or svg takes %d",
                          picture_names[requested->picture], CS_STEPS_DIGIT_RANKS_MAX,
                          story->steps->ranks, CS_STEPS_RANKS_MAX);
    if (requested->picture == PICTURE_GIF) {
        code = draw_gif(requested, story, err);
        if (!code)
            cs_cli_wrote(cli, requested->out);
        return code;
    }
    switch (requested->picture) {
    case PICTURE_HTML:
        write_page(requested, story, &text);
        break;
    case PICTURE_JSON:
        cs_explain_json(story, &text);
        break;
    case PICTURE_SVG:
        cs_explain_svg(story, &text);
        break;
    case PICTURE_TIKZ:
        cs_explain_tikz(story, &text);
        break;
    default:
        cs_explain_text(story, style, &text);
    }
    return cs_cli_write(cli, requested->out, &text, err);
}

/* ---- the command ---- */

static int cmd_explain_explain(const struct cs_cli *cli,
                               const struct cmd_explain_requested *requested, struct cs_err *err)
{
    const struct cs_scenario *scenario = &requested->scenario;
    struct cs_text notes = {0};
    struct cs_story story;
    int code = cs_story_make(scenario, &story, &notes, err);

    if (!code)
        cs_unused_options_simulate(&scenario->given, &notes);
    /* What the machine's file leaves open, and what the machine may not be able to do: the
     * picture does not show it. */
    cs_cli_note(cli, &notes);
    cs_text_free(&notes);
    if (!code && scenario->memory)
        code = cs_memory_write(scenario,
                               &(struct cs_memory_account){story.record, NULL, story.steps}, err);
    if (!code)
        cs_cli_wrote(cli, scenario->memory);
    return code ? code : write_story(cli, requested, &story, err);
}

static int explain_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cmd_explain_requested requested = {0};
    int code;

    cs_scenario_init(&requested.scenario, &arena);
    requested.scenario.reading = cs_cli_watch(cli, "reading", 0, 1);
    code = cs_options_read(cs_command_explain.options, argc, argv, &requested, err);
    if (!code)
        code = cmd_explain_finish(cli, &requested, err);
    if (!code)
        code = cmd_explain_explain(cli, &requested, err);
    return code;
}

const struct cs_command cs_command_explain = {
    .name = "explain",
    .usage =
        "collsim explain [[--algo] NAME] [--ranks N] [--format FORMAT] [--out FILE] [OPTION ...]",
    .about = "show an algorithm step by step: text, page, time diagram, slide, GIF",
    .options = {.own = explain_options,
                .shared = cs_scenario_options,
                .command = CS_FOR_EXPLAIN,
                .alone = cs_scenario_alone},
    .notes = "Up to 16 ranks, as page, drawing or JSON 64; default size 4 MB, default pipeline 4 "
             "chunks.\n"
             "  collsim explain --algo ring --ranks 4\n"
             "  collsim explain --algo ring --ranks 8 --out ring.html\n",
    .run = explain_run,
};
