/*
 * Lesson: questions whose keys the program computed, for a course.
 *
 * A lab has an order, a quiz has questions that a seed drew; both are tasks: predict the
 * key, run, read why.  All texts belong to the caller; between backquotes they are code.
 * Writers append to `out` and cannot fail.
 */
#pragma once

#include "reports/explain/explain.h"

enum {
    CS_LESSON_RUNS_MAX = 4 /* of a task */
};

struct cs_lesson_run {
    const char *name, *command; /* "ring", "--algo ring ..." */
    const char *asked;          /* the case of the form in a page, as JSON; or NULL */
    struct cs_story story;
};

enum cs_lesson_kind {
    CS_LESSON_NUMBER,
    CS_LESSON_CHOICE, /* the name of a run */
    CS_LESSON_WORD,
    CS_LESSON_KINDS,
};

struct cs_lesson_task {
    const char *title, *question, *explanation;
    enum cs_lesson_kind kind;
    const char *key;  /* "1.863 ms", or a name */
    double number;    /* of NUMBER: 1.863 */
    const char *unit; /* of NUMBER: "ms", or "" */
    double tolerance; /* of NUMBER, relative; 0: a count */
    struct cs_lesson_run run[CS_LESSON_RUNS_MAX];
    uint32_t run_count;
};

struct cs_lesson {
    const char *title, *intro;
    const struct cs_lesson_task *task;
    uint32_t count;
};

/* Markdown: the questions; the same, then their keys and reasons. */
void cs_lesson_questions(const struct cs_lesson *lesson, struct cs_text *out);
void cs_lesson_markdown(const struct cs_lesson *lesson, struct cs_text *out);

/* GIFT, which Moodle and other learning platforms import. */
void cs_lesson_gift(const struct cs_lesson *lesson, struct cs_text *out);

/* The data of a lab's page. */
void cs_lesson_json(const struct cs_lesson *lesson, struct cs_text *out);
