#include "scenarios/course/course.h"

#include "reports/results/fields.h"
#include "scenarios/explain/choices.h"
#include "scenarios/explain/story.h"
#include "scenarios/options/options.h"
#include "sim/base/hint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS_MAX = 64,
    SOLVED_NAME_MAX = 64,
};

/* A task that is being solved. */
struct course_solver {
    const struct cs_course *course;
    const struct cs_course_task *from;
    struct cs_lesson_task *task;
    struct cs_arena *arena;
    const char *drawn[CS_COURSE_LINES_MAX]; /* by item; NULL: a run */
    uint32_t line;
    struct cs_err *err;
};

#define COMPLAIN(solver, ...) \
    cs_err_at((solver)->err, CS_EINPUT, (solver)->course->file, (solver)->line, __VA_ARGS__)

/* ---- draws ---- */

/* The word of the number, of words between spaces. */
static const char *solver_word(struct course_solver *solver, const char *text, uint64_t number)
{
    const char *at = text + strspn(text, " ");

    for (; number > 0 && *at; number--) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    return cs_arena_text_n(solver->arena, at, strcspn(at, " "));
}

static uint64_t solver_count_words(const char *at)
{
    uint64_t count = 0;

    for (at += strspn(at, " "); *at; at += strspn(at, " "), count++)
        at += strcspn(at, " ");
    return count;
}

static int solver_draw(struct course_solver *solver, struct cs_random *random)
{
    for (uint32_t i = 0; i < solver->from->item_count; i++) {
        const struct cs_course_line *item = &solver->from->item[i];
        uint64_t count = item->draws ? solver_count_words(item->text) : 0;

        solver->line = item->line;
        if (item->draws && !count)
            return COMPLAIN(solver, "no values for '%s'", item->name);
        if (item->draws)
            solver->drawn[i] =
                solver_word(solver, item->text, random ? cs_random_below(random, count) : 0);
    }
    return 0;
}

/* ---- results ---- */

/* The run of the name; NULL with an error. */
static const struct cs_lesson_run *solver_run_named(const struct course_solver *solver,
                                                    const char *name, size_t length)
{
    const char *names[CS_LESSON_RUNS_MAX];

    for (uint32_t i = 0; i < solver->task->run_count; i++) {
        names[i] = solver->task->run[i].name;
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return &solver->task->run[i];
    }
    (void)COMPLAIN(solver, "no run called '%.*s'%s", (int)length, name,
                   cs_hint_all(name, names, solver->task->run_count).text);
    return NULL;
}

static int solver_field(const struct course_solver *solver, const char *name,
                        const struct cs_field **field)
{
    size_t count = cs_record_fields.count;
    const char **names = cs_arena_alloc(solver->arena, count, sizeof(*names));

    for (size_t i = 0; i < count; i++) {
        *field = &cs_record_fields.item[i];
        names[i] = (*field)->value.name;
        if (cs_same(names[i], name))
            return 0;
    }
    return COMPLAIN(solver, "no result called '%s'%s", name,
                    cs_hint(name, names, count, "'collsim --csv' lists them").text);
}

/* A number with its unit, as people read it. */
static void solver_set_number(struct course_solver *solver, const char *shown, double tolerance)
{
    struct cs_lesson_task *task = solver->task;
    const char *space = strchr(shown, ' ');

    task->kind = CS_LESSON_NUMBER;
    task->key = cs_arena_text(solver->arena, shown);
    task->number = strtod(shown, NULL);
    task->unit = cs_arena_text(solver->arena, space ? space + 1 : "");
    task->tolerance = tolerance;
}

/* "RUN.RESULT" */
static int solver_set_result(struct course_solver *solver, const struct cs_lesson_run *run,
                             const char *name, double *real)
{
    const struct cs_record *record = run->story.record;
    const struct cs_field *field = NULL;
    struct cs_sheet_cell cell = {.known = true};
    CS_AT_END(cs_text_free) struct cs_text shown = {0};
    bool counts = cs_same(name, "steps");
    int code = counts ? 0 : solver_field(solver, name, &field);

    if (code)
        return code;
    if (field)
        cell = cs_field_cell(field, record);
    if (field && cs_sheet_is_text(field->value.kind)) {
        solver->task->kind = CS_LESSON_WORD;
        solver->task->key = cell.is.text;
        return 0;
    }
    if (!cell.known)
        return COMPLAIN(solver, "'%s' of '%s' is not known", name, run->name);
    if (!field)
        *real = run->story.steps->count;
    else
        *real = cs_sheet_is_real(field->value.kind)
                    ? cell.is.real
                    : (double)cs_column_number(&field->value, record);
    if (field && field->value.kind != CS_SHEET_COUNT && field->value.member.type != CS_MEMBER_U32) {
        cs_field_show(field, record, &shown);
        solver_set_number(solver, cs_text_str(&shown), .05);
    } else {
        cs_text_printf(&shown, "%.0f", *real);
        solver_set_number(solver, cs_text_str(&shown), 0);
    }
    return 0;
}

/* "holds RANK CHUNK STEP" */
static int solver_set_holding(struct course_solver *solver, const struct cs_lesson_run *run,
                              const char *words)
{
    const struct cs_steps *steps = run->story.steps;
    CS_AT_END(cs_text_free) struct cs_text shown = {0};
    uint32_t rank, chunk, step;
    const char *at = words;

    if (!cs_text_take_number(&at, "holds ", &rank) || !cs_text_take_number(&at, " ", &chunk) ||
        !cs_text_take_number(&at, " ", &step) || rank >= steps->parties || chunk >= steps->blocks ||
        step > steps->count || steps->ranks > CS_STEPS_DIGIT_RANKS_MAX)
        return COMPLAIN(solver,
                        "'%s'; expected 'holds RANK CHUNK STEP' of %u ranks, %u chunks and %u "
                        "steps, at most %d ranks",
                        words, steps->ranks, steps->blocks, steps->count, CS_STEPS_DIGIT_RANKS_MAX);
    cs_explain_holding(steps, cs_steps_holding(steps, step, rank, chunk), &shown);
    solver->task->kind = CS_LESSON_WORD;
    solver->task->key = cs_arena_text(solver->arena, shown.length ? shown.data : "none");
    return 0;
}

/* "RUN.RESULT" in the key of the task, and as a number. */
static int solver_set_one(struct course_solver *solver, const char *text, double *real)
{
    const struct cs_lesson_run *run;
    const char *point = strrchr(text, '.');

    if (!point)
        return COMPLAIN(solver, "'%s'; expected RUN.RESULT", text);
    run = solver_run_named(solver, text, (size_t)(point - text));
    if (!run)
        return CS_EINPUT;
    if (strncmp(point + 1, "holds ", strlen("holds ")) == 0)
        return solver_set_holding(solver, run, point + 1);
    return solver_set_result(solver, run, point + 1, real);
}

/* The run with the least or most of a result. */
static int solver_set_choice(struct course_solver *solver, const char *name, double sign)
{
    struct cs_lesson_task *task = solver->task;
    const char *best = NULL;
    double least = 0;

    for (uint32_t i = 0; i < task->run_count; i++) {
        double real = 0;
        int code = solver_set_result(solver, &task->run[i], name, &real);

        if (code)
            return code;
        if (best && sign * real == least)
            return COMPLAIN(solver, "'%s' and '%s' have the same %s", best, task->run[i].name,
                            name);
        if (!best || sign * real < least) {
            best = task->run[i].name;
            least = sign * real;
        }
    }
    task->kind = CS_LESSON_CHOICE;
    task->key = best;
    return best ? 0 : COMPLAIN(solver, "a choice without runs");
}

static int solver_set_ratio(struct course_solver *solver, const char *text, const char *slash)
{
    char shown[SOLVED_NAME_MAX];
    double above = 0, below = 0;
    int code = solver_set_one(solver, cs_arena_text_n(solver->arena, text, (size_t)(slash - text)),
                              &above);

    if (!code)
        code = solver_set_one(solver, slash + strlen(" / "), &below);
    if (!code && !(below > 0))
        return COMPLAIN(solver, "'%s' divides by zero", text);
    if (code)
        return code;
    (void)snprintf(shown, sizeof(shown), "%.3g times", above / below);
    solver_set_number(solver, shown, .05);
    return 0;
}

static int solver_set_key(struct course_solver *solver, const char *text)
{
    const char *slash = strstr(text, " / ");
    double real;

    if (strncmp(text, "least ", strlen("least ")) == 0)
        return solver_set_choice(solver, text + strlen("least "), 1);
    if (strncmp(text, "most ", strlen("most ")) == 0)
        return solver_set_choice(solver, text + strlen("most "), -1);
    return slash ? solver_set_ratio(solver, text, slash) : solver_set_one(solver, text, &real);
}

/* ---- texts ---- */

/* What stands between braces: a draw, or a result of a run. */
static int solver_add_braced(struct course_solver *solver, const char *name, struct cs_text *out)
{
    struct cs_lesson_task kept = *solver->task;
    int code;

    for (uint32_t i = 0; i < solver->from->item_count; i++)
        if (solver->drawn[i] && cs_same(solver->from->item[i].name, name)) {
            cs_text_add(out, solver->drawn[i]);
            return 0;
        }
    code = solver_set_key(solver, name);
    if (!code)
        cs_text_add(out, solver->task->key);
    *solver->task = kept;
    return code;
}

static int solver_expand(struct course_solver *solver, const char *text, const char **expanded)
{
    struct cs_text out = {0};
    int code = 0;

    while (*text && !code) {
        size_t length = strcspn(text, "{");
        const char *end = text[length] ? strchr(text + length, '}') : NULL;

        cs_text_add_n(&out, text, end ? length : strlen(text));
        if (end)
            code = solver_add_braced(solver,
                                     cs_arena_text_n(solver->arena, text + length + 1,
                                                     (size_t)(end - text) - length - 1),
                                     &out);
        text = end ? end + 1 : text + strlen(text);
    }
    *expanded = cs_text_keep(&out, solver->arena);
    return code;
}

/* ---- runs ---- */

static int solver_read_words(struct course_solver *solver, const char *command,
                             struct cs_scenario *scenario)
{
    static const struct cs_option_tables tables = {
        .shared = cs_scenario_options, .command = CS_FOR_EXPLAIN, .alone = cs_scenario_alone};
    char *words[WORDS_MAX];
    uint64_t count = solver_count_words(command);

    if (count > WORDS_MAX)
        return COMPLAIN(solver, "more than %d words", WORDS_MAX);
    for (uint64_t i = 0; i < count; i++)
        words[i] = (char *)solver_word(solver, command, i);
    return cs_options_read(tables, (int)count, words, scenario, solver->err);
}

static int solver_run(struct course_solver *solver, const struct cs_course_line *item)
{
    struct cs_lesson_run *run = &solver->task->run[solver->task->run_count];
    struct cs_scenario *scenario = cs_arena_alloc(solver->arena, 1, sizeof(*scenario));
    struct cs_text asked = {0};
    int code;

    solver->line = item->line;
    if (solver->task->run_count == CS_LESSON_RUNS_MAX)
        return COMPLAIN(solver, "more than %d runs of a task", CS_LESSON_RUNS_MAX);
    code = solver_expand(solver, item->name, &run->name);
    if (!code)
        code = solver_expand(solver, item->text + strspn(item->text, " "), &run->command);
    cs_scenario_init(scenario, solver->arena);
    if (!code)
        code = solver_read_words(solver, run->command, scenario);
    if (!code)
        code = cs_story_finish(scenario, solver->course->progress, solver->err);
    if (!code)
        code = cs_story_make(scenario, &run->story, &asked, solver->err);
    cs_text_free(&asked); /* notes, which explain prints */
    if (code)
        return code;
    cs_choices_asked(scenario, run->story.steps->ranks, &asked);
    run->asked = cs_text_keep(&asked, solver->arena);
    solver->task->run_count++;
    return 0;
}

int cs_course_solve(const struct cs_course *course, const struct cs_course_task *from,
                    struct cs_random *random, struct cs_arena *arena, struct cs_lesson_task *task,
                    struct cs_err *err)
{
    struct course_solver solver = {
        .course = course, .from = from, .task = task, .arena = arena, .err = err};
    const char *key;
    int code;

    *task = (struct cs_lesson_task){.unit = "", .key = ""};
    code = solver_draw(&solver, random);
    for (uint32_t i = 0; i < from->item_count && !code; i++)
        if (!from->item[i].draws)
            code = solver_run(&solver, &from->item[i]);
    if (code && strncmp(err->text, course->file, strlen(course->file)) != 0)
        cs_err_prefix(err, "%s:%u", course->file, solver.line);
    solver.line = from->line;
    if (!code)
        code = solver_expand(&solver, from->key, &key);
    if (!code)
        code = solver_set_key(&solver, key);
    if (!code)
        code = solver_expand(&solver, from->title, &task->title);
    if (!code)
        code = solver_expand(&solver, from->question, &task->question);
    if (!code)
        code = solver_expand(&solver, from->explanation, &task->explanation);
    return code;
}
