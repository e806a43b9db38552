/*
 * lab: predict, run, explain.  quiz: the same questions, drawn by a seed.
 */
#include "reports/results/endings.h"
#include "reports/results/files.h"
#include "scenarios/commands.h"
#include "scenarios/course/course.h"
#include "scenarios/explain/choices.h"
#include "sim/base/file.h"
#include "sim/base/hint.h"

#include <assert.h>
#include <string.h>

enum course_form {
    COURSE_BY_NAME,
    COURSE_MD,
    COURSE_GIFT,
    COURSE_HTML,
    COURSE_JSON,
};

static const char *const course_forms[] = {"md", "gift", "html", "json", NULL};

enum {
    QUESTIONS = 10,
    DRAWS_MAX = 64,  /* for a question that is none of those before */
    QUIZ_OPTIONS = 2 /* the first options, which a lab does not have */
};
static const char quiz_name[] = "quiz";

struct course_options {
#define OPTIONS "scenarios/course/options.def"
#include "scenarios/options/members.def"
};

static const struct cs_option course_options[] = {
#define TARGET  struct course_options
#define OPTIONS "scenarios/course/options.def"
#include "scenarios/options/entries.def"
};

/* ---- texts ---- */

/* "1-latency" is also "1" and "latency". */
static const struct cs_library_file *course_named(const char *name)
{
    for (size_t i = 0; i < cs_lab_count; i++) {
        const char *full = cs_labs[i].name;
        const char *dash = strchr(full, '-');

        if (cs_same(full, name) || (dash && cs_same(dash + 1, name)) ||
            (dash && *name && strspn(name, "123456789") == strlen(name) &&
             strncmp(full, name, strlen(name)) == 0))
            return &cs_labs[i];
    }
    return NULL;
}

/* A lab of the program, or a file of the user. */
static int course_open(const char *name, struct cs_arena *arena, struct cs_course *course,
                       struct cs_err *err)
{
    const struct cs_library_file *file = course_named(name);
    const char *names[CS_COURSE_TASKS_MAX];
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    size_t count = 0;
    int code;

    if (file)
        return cs_course_read(name, file->text, arena, course, err);
    for (; count < cs_lab_count && count < CS_COURSE_TASKS_MAX; count++)
        names[count] = cs_labs[count].name;
    if (!cs_ends_in(name, ".md"))
        return cs_err_set(err, CS_EINPUT, "no lab called '%.40s', nor a file .md%s", name,
                          cs_hint_all(name, names, count).text);
    code = cs_file_read(name, CS_COURSE_BYTES_MAX, &text, err);
    if (!code)
        code = cs_course_read(name, cs_text_str(&text), arena, course, err);
    return code;
}

static int lab_list(const struct cs_cli *cli, struct cs_err *err)
{
    int code = 0;

    for (size_t i = 0; i < cs_lab_count && !code; i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_course *course = cs_arena_alloc(&arena, 1, sizeof(*course));

        code = cs_course_read(cs_labs[i].name, cs_labs[i].text, &arena, course, err);
        if (!code && !cs_same(cs_labs[i].name, quiz_name))
            fprintf(cli->out, "%-12s%s\n", cs_labs[i].name, course->title);
    }
    return code;
}

/* ---- lessons ---- */

struct quiz {
    struct cs_random *random;
    struct cs_arena *arena;
    struct cs_lesson_task *task;
    uint32_t count;
};

/* Draws a question of the kind that is none of the `count` before; false in *is_new
 * where its values allow none, as far as DRAWS_MAX draws show. */
static int quiz_draw(const struct cs_course *course, const struct cs_course_task *from,
                     struct quiz *quiz, bool *is_new, struct cs_err *err)
{
    struct cs_lesson_task *task = &quiz->task[quiz->count];
    int code = 0;

    *is_new = false;
    for (uint32_t draw = 0; draw < DRAWS_MAX && !*is_new && !code; draw++) {
        code = cs_course_solve(course, from, quiz->random, quiz->arena, task, err);
        *is_new = !code;
        for (uint32_t i = 0; i < quiz->count && *is_new; i++)
            *is_new = strcmp(quiz->task[i].question, task->question) != 0;
    }
    quiz->count += *is_new;
    return code;
}

/* Each kind once, in an order that is drawn, then all again; fewer questions where all
 * differ. */
static int quiz_solve(const struct cs_course *course, const struct course_options *given,
                      struct cs_arena *arena, struct cs_lesson *lesson, struct cs_err *err)
{
    struct quiz quiz = {.random = cs_random_open(given->seed, quiz_name),
                        .arena = arena,
                        .task = cs_arena_alloc(arena, given->questions, sizeof(*quiz.task))};
    uint32_t order[CS_COURSE_TASKS_MAX];
    bool is_new = true, any = true;
    int code = 0;

    for (uint32_t i = 0; i < course->count; i++)
        order[i] = i;
    while (any && quiz.count < given->questions && !code) {
        any = false;
        cs_random_shuffle(quiz.random, order, course->count);
        for (uint32_t i = 0; i < course->count && quiz.count < given->questions && !code; i++) {
            code = quiz_draw(course, &course->task[order[i]], &quiz, &is_new, err);
            any = any || is_new;
        }
    }
    cs_random_close(quiz.random);
    *lesson = (struct cs_lesson){
        cs_arena_printf(arena, "%s, seed %llu", course->title, (unsigned long long)given->seed),
        course->intro, quiz.task, quiz.count};
    return code;
}

static int lab_solve(const struct cs_course *course, struct cs_arena *arena,
                     struct cs_lesson *lesson, struct cs_err *err)
{
    struct cs_lesson_task *task = cs_arena_alloc(arena, course->count, sizeof(*task));
    int code = 0;

    for (uint32_t i = 0; i < course->count && !code; i++)
        code = cs_course_solve(course, &course->task[i], NULL, arena, &task[i], err);
    *lesson = (struct cs_lesson){course->title, course->intro, task, course->count};
    return code;
}

/* The page shows the first run, and has the others in its form. */
static void course_add_page(const struct cs_lesson *lesson, struct cs_text *out)
{
    const struct cs_lesson_run *first = &lesson->task[0].run[0];
    struct cs_story story = first->story;
    CS_AT_END(cs_text_free) struct cs_text choices = {0}, data = {0}, text = {0};

    cs_choices_write(first->asked, &choices);
    cs_lesson_json(lesson, &data);
    cs_lesson_questions(lesson, &text); /* the keys stay behind the prediction */
    story.choices = choices.data;
    story.lesson = data.data;
    story.text = text.data;
    cs_explain_html(&story, out);
}

static int course_write(const struct cs_cli *cli, const struct course_options *given,
                        const struct cs_lesson *lesson, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    switch (given->form) {
    case COURSE_GIFT:
        cs_lesson_gift(lesson, &text);
        break;
    case COURSE_HTML:
        course_add_page(lesson, &text);
        break;
    case COURSE_JSON:
        cs_lesson_json(lesson, &text);
        break;
    default:
        cs_lesson_markdown(lesson, &text);
    }
    return cs_cli_write(cli, given->out, &text, err);
}

/* ---- the commands ---- */

static int course_finish(struct course_options *given, struct cs_err *err)
{
    size_t form = COURSE_MD - 1;
    int code = 0;

    if (given->form)
        code = cs_endings_check("--out", given->out, course_forms[given->form - 1], err);
    else if (given->out && cs_endings_has(given->out))
        code = cs_endings_choose("--out", given->out, course_forms, &form, err);
    if (!given->form)
        given->form = (enum course_form)(form + 1);
    return code ? code : cs_files_check_new(given->out, given->force, err);
}

static int course_run(const struct cs_cli *cli, const char *name, struct course_options *given,
                      bool is_quiz, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_course *course = cs_arena_alloc(&arena, 1, sizeof(*course));
    struct cs_lesson lesson;
    int code = course_finish(given, err);

    course->progress = cli->progress;
    if (!code)
        code = course_open(name, &arena, course, err);
    if (!code)
        code = is_quiz ? quiz_solve(course, given, &arena, &lesson, err)
                       : lab_solve(course, &arena, &lesson, err);
    if (!code && is_quiz && lesson.count < given->questions)
        fprintf(cli->messages, "note: %u of %u questions: the values to draw allow no others\n",
                lesson.count, given->questions);
    if (!code && given->form == COURSE_HTML && !lesson.task[0].run_count)
        code = cs_err_set(err, CS_EINPUT, "the first task of '%.200s' has no run to show", name);
    if (!code)
        code = course_write(cli, given, &lesson, err);
    return code;
}

static int lab_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    struct course_options given = {0};
    bool is_named = argc > 0 && argv[0][0] != '-';
    int code =
        cs_options_read(cs_command_lab.options, argc - is_named, argv + is_named, &given, err);

    if (code)
        return code;
    if (!is_named && (given.form || given.out || given.force))
        return cs_err_set(err, CS_EINPUT,
                          "options of a lab without its name; expected collsim lab NAME OPTIONS");
    return is_named ? course_run(cli, argv[0], &given, false, err) : lab_list(cli, err);
}

static int quiz_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    struct course_options given = {.seed = 1, .questions = QUESTIONS};
    bool is_named = argc > 0 && argv[0][0] != '-';
    int code =
        cs_options_read(cs_command_quiz.options, argc - is_named, argv + is_named, &given, err);

    return code ? code : course_run(cli, is_named ? argv[0] : quiz_name, &given, true, err);
}

const struct cs_command cs_command_lab = {
    .name = "lab",
    .usage = "collsim lab [NAME|FILE.md] [--format FORMAT] [--out FILE]",
    .about = "a lesson: predict, run, explain; without a name, their list",
    .options = {.own = course_options + QUIZ_OPTIONS},
    .notes =
        "A lab is Markdown with commands, whose keys are computed; lab FILE.md reads your own.\n"
        "  collsim lab ring\n"
        "  collsim lab ring --out ring.html\n",
    .run = lab_run,
};

const struct cs_command cs_command_quiz = {
    .name = "quiz",
    .usage = "collsim quiz [FILE.md] [--seed N] [--questions N] [--format md|gift] [--out FILE]",
    .about = "questions with keys, drawn by a seed, for paper or Moodle",
    .options = {.own = course_options},
    .notes = "Keys are simulated and proven; another seed draws other numbers.\n"
             "  collsim quiz --seed 7 --format gift --out quiz.gift\n",
    .run = quiz_run,
};
