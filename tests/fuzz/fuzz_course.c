/*
 * Fuzz target: labs, see scenarios/course/course.h.  Keys are read by the runs that they
 * name, so that the texts of the tasks are those of a lab that was read.
 */
#include "scenarios/course/course.h"
#include "sim/base/text.h"
#include "tests/fuzz/insist.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_course *course = cs_arena_alloc(&arena, 1, sizeof(*course));
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_err err = {0};

    cs_text_add_n(&text, (const char *)data, size);
    if (cs_course_read("lab", cs_text_str(&text), &arena, course, &err))
        insist(err.code == CS_EINPUT && err.text[0]);
    else
        for (uint32_t i = 0; i < course->count; i++)
            insist(course->task[i].key && course->task[i].question && course->task[i].explanation);
    return 0;
}
