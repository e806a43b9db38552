#include "scenarios/course/course.h"

#include "scenarios/options/progress_line.h"

#include "tests/fixture.h"

enum {
    DRAWS = 12 /* of each task of the quiz */
};

static void solve(const struct cs_course *course, uint32_t i, struct cs_random *random)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_lesson_task task;

    assert_done(cs_course_solve(course, &course->task[i], random, &arena, &task, &err));
    assert_true(*task.key && *task.question && *task.explanation && task.run_count);
    assert_null(strpbrk(task.question, "{}`"));
    assert_null(strpbrk(task.explanation, "{}`"));
    if (task.kind == CS_LESSON_NUMBER)
        assert_true(isfinite(task.number) && task.number > 0);
}

TEST(every_task_of_the_program_has_a_key)
{
    struct cs_random *random = cs_random_open(1, "test");
    struct cs_progress_line progress = {.messages = stderr};

    for (size_t i = 0; i < cs_lab_count; i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_course course = {.progress = &progress};

        assert_done(cs_course_read(cs_labs[i].name, cs_labs[i].text, &arena, &course, &err));
        for (uint32_t k = 0; k < course.count; k++) {
            solve(&course, k, NULL);
            for (uint32_t n = 0; n < DRAWS && strcmp(cs_labs[i].name, "quiz") == 0; n++)
                solve(&course, k, random);
        }
    }
    cs_random_close(random);
}
