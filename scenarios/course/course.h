/*
 * Course: labs and quizzes as Markdown, whose keys are computed.
 *
 *     # TITLE
 *     An introduction.
 *
 *     ## TITLE OF A TASK
 *
 *         p = 4 8 16                             a name, and what a quiz draws for it
 *         few: --algo ring --ranks {p}           a run, and the options of collsim explain
 *         many: --algo ring --ranks 16
 *
 *     **Predict.** How many times as long does the second one take? `many.time_s / few.time_s`
 *
 *     **Explain.** It takes {many.time_s}, and the first one {few.time_s}.
 *
 * The code at the end of the question is its key:
 *
 *     RUN.RESULT, RUN.RESULT / RUN.RESULT    a result as in --csv, or `steps`
 *     least RESULT, most RESULT              the name of a run
 *     RUN.holds RANK CHUNK STEP              the ranks whose contributions are in the chunk
 *
 * All but the last two also stand between braces in a text.
 *
 *     read   O(bytes)         solve   the runs of a task
 */
#pragma once

#include "reports/explain/lesson.h"
#include "sim/base/err.h"
#include "sim/base/random.h"
#include "topo/formats/source.h"

struct cs_progress_line;

enum {
    CS_COURSE_BYTES_MAX = 1 << 20,
    CS_COURSE_TASKS_MAX = 64,
    CS_COURSE_LINES_MAX = 8, /* of a task */
};

/* "NAME: OPTIONS" or "NAME = VALUES" */
struct cs_course_line {
    const char *name, *text;
    uint32_t line;
    bool draws;
};

struct cs_course_task {
    const char *title, *question, *explanation, *key;
    struct cs_course_line item[CS_COURSE_LINES_MAX];
    uint32_t item_count, line;
};

struct cs_course {
    struct cs_progress_line *progress; /* of searches, as by --algo auto; the caller's */
    const char *file, *title, *intro;
    struct cs_course_task task[CS_COURSE_TASKS_MAX];
    uint32_t count;
};

/* The labs and the quiz of the program, by name. */
extern const struct cs_library_file cs_labs[];
extern const size_t cs_lab_count;

/* Reads a text; what is kept is in the arena.  CS_EINPUT with file and line. */
int cs_course_read(const char *file, const char *text, struct cs_arena *arena,
                   struct cs_course *course, struct cs_err *err);

/* Draws what is to be drawn (NULL: the first values), runs the task and computes its key. */
int cs_course_solve(const struct cs_course *course, const struct cs_course_task *from,
                    struct cs_random *random, struct cs_arena *arena, struct cs_lesson_task *task,
                    struct cs_err *err);
