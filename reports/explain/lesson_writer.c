#include "reports/explain/lesson.h"

#include "reports/results/html.h"

#include <math.h>
#include <string.h>

/* ---- Markdown ---- */

/* A factor needs no unit: the question is how many times. */
static void lesson_add_question(const struct cs_lesson_task *task, struct cs_text *out)
{
    bool is_factor = strcmp(task->unit, "times") == 0 || strcmp(task->unit, "x") == 0;

    cs_text_add(out, task->question);
    if (task->kind == CS_LESSON_NUMBER && *task->unit && !is_factor)
        cs_text_printf(out, " (in %s)", task->unit);
}

void cs_lesson_questions(const struct cs_lesson *lesson, struct cs_text *out)
{
    cs_text_printf(out, "# %s\n\n%s\n", lesson->title, lesson->intro);
    for (uint32_t i = 0; i < lesson->count; i++) {
        const struct cs_lesson_task *task = &lesson->task[i];

        cs_text_printf(out, "\n## %u. %s\n\n", i + 1, task->title);
        lesson_add_question(task, out);
        cs_text_add(out, "\n");
        for (uint32_t k = 0; task->kind == CS_LESSON_CHOICE && k < task->run_count; k++)
            cs_text_printf(out, "%s- %s\n", k ? "" : "\n", task->run[k].name);
    }
}

void cs_lesson_markdown(const struct cs_lesson *lesson, struct cs_text *out)
{
    cs_lesson_questions(lesson, out);
    cs_text_add(out, "\n# Keys\n");
    for (uint32_t i = 0; i < lesson->count; i++) {
        const struct cs_lesson_task *task = &lesson->task[i];

        cs_text_printf(out, "\n%u. **%s**. %s\n\n", i + 1, task->key, task->explanation);
        for (uint32_t k = 0; k < task->run_count; k++)
            cs_text_printf(out, "       collsim explain %s\n", task->run[k].command);
    }
}

/* ---- GIFT ---- */

static void gift_add(struct cs_text *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("~=#{}:\\", *text))
            cs_text_add(out, "\\");
        cs_text_add_n(out, *text == '\n' ? " " : text, 1);
    }
}

/* A key is within the rounding of its four digits; an estimate within its tolerance. */
static void gift_add_answer(const struct cs_lesson_task *task, struct cs_text *out)
{
    if (task->kind == CS_LESSON_NUMBER)
        cs_text_printf(out, "#%.10g:%.4g", task->number, fabs(task->number) * task->tolerance);
    for (uint32_t i = 0; task->kind == CS_LESSON_CHOICE && i < task->run_count; i++) {
        cs_text_add(out, strcmp(task->run[i].name, task->key) ? " ~" : " =");
        gift_add(out, task->run[i].name);
    }
    if (task->kind == CS_LESSON_WORD) {
        cs_text_add(out, "=");
        gift_add(out, task->key);
    }
    cs_text_add(out, "\n#### ");
    gift_add(out, task->explanation);
}

void cs_lesson_gift(const struct cs_lesson *lesson, struct cs_text *out)
{
    cs_text_printf(out, "// %s\n", lesson->title);
    for (uint32_t i = 0; i < lesson->count; i++) {
        const struct cs_lesson_task *task = &lesson->task[i];
        CS_AT_END(cs_text_free) struct cs_text question = {0};

        lesson_add_question(task, &question);
        cs_text_printf(out, "\n::%u. ", i + 1);
        gift_add(out, task->title);
        cs_text_add(out, "::[markdown]");
        gift_add(out, cs_text_str(&question));
        cs_text_add(out, " {");
        gift_add_answer(task, out);
        cs_text_add(out, "}\n");
    }
}

/* ---- JSON ---- */

static void lesson_add_member(struct cs_text *out, const char *name, const char *text)
{
    cs_text_printf(out, "\"%s\":", name);
    cs_html_add_json(out, text);
    cs_text_add(out, ",");
}

static void lesson_add_run(const struct cs_lesson_run *run, struct cs_text *out)
{
    cs_text_add(out, "{");
    lesson_add_member(out, "name", run->name);
    lesson_add_member(out, "command", run->command);
    cs_text_printf(out, "\"asked\":%s}", run->asked ? run->asked : "null");
}

void cs_lesson_json(const struct cs_lesson *lesson, struct cs_text *out)
{
    static const char *const kinds[CS_LESSON_KINDS] = {"number", "choice", "word"};

    cs_text_add(out, "{");
    lesson_add_member(out, "title", lesson->title);
    lesson_add_member(out, "intro", lesson->intro);
    cs_text_add(out, "\"tasks\":[");
    for (uint32_t i = 0; i < lesson->count; i++) {
        const struct cs_lesson_task *task = &lesson->task[i];

        cs_text_add(out, i ? ",\n{" : "\n{");
        lesson_add_member(out, "title", task->title);
        lesson_add_member(out, "question", task->question);
        lesson_add_member(out, "explanation", task->explanation);
        lesson_add_member(out, "kind", kinds[task->kind]);
        lesson_add_member(out, "key", task->key);
        lesson_add_member(out, "unit", task->unit);
        cs_text_printf(out, "\"number\":%.10g,\"tolerance\":%g,\"runs\":[", task->number,
                       task->tolerance);
        for (uint32_t k = 0; k < task->run_count; k++) {
            cs_text_add(out, k ? "," : "");
            lesson_add_run(&task->run[k], out);
        }
        cs_text_add(out, "]}");
    }
    cs_text_add(out, "]}\n");
}
