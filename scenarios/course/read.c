#include "scenarios/course/course.h"

#include "sim/base/text.h"

#include <string.h>

struct course_reader {
    struct cs_course *course;
    struct cs_arena *arena;
    struct cs_err *err;
    uint32_t line;
    struct cs_text text; /* of the open paragraph */
    const char **to;     /* where it is kept; NULL: in no place yet */
};

#define COMPLAIN(reader, ...) \
    cs_err_at((reader)->err, CS_EINPUT, (reader)->course->file, (reader)->line, __VA_ARGS__)

static struct cs_course_task *course_task(const struct course_reader *reader)
{
    struct cs_course *course = reader->course;

    return course->count ? &course->task[course->count - 1] : NULL;
}

/* The open text goes to its place. */
static void course_close_text(struct course_reader *reader)
{
    struct cs_text *text = &reader->text;

    while (text->length && text->data[text->length - 1] == '\n')
        text->data[--text->length] = '\0';
    if (reader->to)
        *reader->to = cs_arena_text(reader->arena, cs_text_str(text));
    cs_text_free(text);
    reader->to = NULL;
}

/* The key is the code at the end of the question. */
static int course_close_task(struct course_reader *reader)
{
    struct cs_course_task *task = course_task(reader);
    char *end, *begin;

    course_close_text(reader);
    if (!task)
        return 0;
    reader->line = task->line;
    if (!task->question || !task->explanation)
        return COMPLAIN(reader, "a task without %s; expected a paragraph that begins with **%s.**",
                        task->question ? "its reason" : "a question",
                        task->question ? "Explain" : "Predict");
    end = strrchr(task->question, '`');
    if (end)
        *end = '\0';
    begin = end ? strrchr(task->question, '`') : NULL;
    if (!begin || end[1])
        return COMPLAIN(reader, "a question without a key; expected `RUN.time_s` at its end");
    *begin = '\0';
    task->key = begin + 1;
    while (begin > task->question && (begin[-1] == ' ' || begin[-1] == '\n'))
        *--begin = '\0';
    return 0;
}

static int course_open_task(struct course_reader *reader, const char *title)
{
    struct cs_course *course = reader->course;
    uint32_t line = reader->line;
    int code = course_close_task(reader);

    reader->line = line;
    if (code)
        return code;
    if (course->count == CS_COURSE_TASKS_MAX)
        return COMPLAIN(reader, "more than %d tasks", CS_COURSE_TASKS_MAX);
    course->task[course->count++] = (struct cs_course_task){.title = title, .line = line};
    return 0;
}

/* "    NAME: OPTIONS", "    NAME = VALUES" */
static int course_read_item(struct course_reader *reader, const char *at)
{
    struct cs_course_task *task = course_task(reader);
    size_t length, space;

    at += strspn(at, " ");
    length = strcspn(at, " :=");
    space = strspn(at + length, " ");
    if (!task || !length || (at[length + space] != ':' && at[length + space] != '='))
        return COMPLAIN(reader, "expected 'NAME: OPTIONS' or 'NAME = VALUES' in a task");
    if (task->item_count == CS_COURSE_LINES_MAX)
        return COMPLAIN(reader, "more than %d runs and draws of a task", CS_COURSE_LINES_MAX);
    task->item[task->item_count++] = (struct cs_course_line){
        .name = cs_arena_text_n(reader->arena, at, length),
        .text = at + length + space + 1,
        .line = reader->line,
        .draws = at[length + space] == '=',
    };
    return 0;
}

/* The text behind the mark, where the line has it. */
static const char *course_behind(const char *line, const char *mark)
{
    size_t length = strlen(mark);

    return strncmp(line, mark, length) ? NULL : line + length;
}

/* The rest of a line that begins a text; NULL: it begins none. */
static const char *course_open_text(struct course_reader *reader, const char *line)
{
    struct cs_course_task *task = course_task(reader);
    const char *title = course_behind(line, "# ");
    const char *question = task ? course_behind(line, "**Predict.** ") : NULL;
    const char *reason = task ? course_behind(line, "**Explain.** ") : NULL;

    if (!title && !question && !reason)
        return NULL;
    course_close_text(reader);
    if (title) {
        reader->course->title = title;
        reader->to = &reader->course->intro;
        return "";
    }
    reader->to = question ? &task->question : &task->explanation;
    return question ? question : reason;
}

static int course_read_line(struct course_reader *reader, const char *line)
{
    const char *rest;

    if (course_behind(line, "    "))
        return course_read_item(reader, line);
    if (course_behind(line, "## "))
        return course_open_task(reader, line + strlen("## "));
    rest = course_open_text(reader, line);
    line = rest ? rest : line;
    if (!reader->to && *line)
        return COMPLAIN(reader, "text of no paragraph; expected '# TITLE', '## TASK', "
                                "'**Predict.** ' or '**Explain.** ' before it");
    if (*line || reader->text.length)
        cs_text_printf(&reader->text, "%s\n", line);
    return 0;
}

int cs_course_read(const char *file, const char *text, struct cs_arena *arena,
                   struct cs_course *course, struct cs_err *err)
{
    struct course_reader reader = {.course = course, .arena = arena, .err = err};
    int code = 0;

    *course = (struct cs_course){.file = file, .progress = course->progress};
    for (const char *at = text; *at && !code;) {
        size_t length = strcspn(at, "\n");

        reader.line++;
        code = course_read_line(&reader, cs_arena_text_n(arena, at, length));
        at += length + (at[length] == '\n');
    }
    if (!code)
        code = course_close_task(&reader);
    cs_text_free(&reader.text);
    if (!code && (!course->title || !course->intro || !course->count))
        code = cs_err_at(err, CS_EINPUT, file, 1,
                         "no course; expected '# TITLE', an introduction and '## TASK'");
    return code;
}
