#include "scenarios/course/course.h"

#include "tests/fixture.h"

static const char mine[] =
    "# Mine\n\nHello,\nreader.\n\n## One\n\n    p = 4 8\n    a: --algo ring\n\n"
    "**Predict.** How many\nmessages?\n`a.messages`\n\n**Explain.** Because.\n";

static void read_course(const char *text, struct cs_arena *arena, struct cs_course *course)
{
    assert_done(cs_course_read("mine.md", text, arena, course, &err));
}

ARENA_TEST(texts_runs_and_draws_are_read)
{
    struct cs_course course = {0};

    read_course(mine, arena, &course);
    assert_string_equal(course.title, "Mine");
    assert_string_equal(course.intro, "Hello,\nreader.");
    assert_int_equal(course.count, 1);
    assert_string_equal(course.task[0].title, "One");
    assert_string_equal(course.task[0].question, "How many\nmessages?");
    assert_string_equal(course.task[0].key, "a.messages");
    assert_string_equal(course.task[0].explanation, "Because.");
    assert_int_equal(course.task[0].item_count, 2);
    assert_true(course.task[0].item[0].draws);
    assert_string_equal(course.task[0].item[1].name, "a");
}

TEST(each_line_left_out_is_a_mistake)
{
    static const char *const lines[] = {"# Mine",        "Hello,\nreader.", "## One",
                                        "**Predict.** ", "`a.messages`",    "**Explain.** "};

    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_course course = {0};
        const char *at = strstr(mine, lines[i]);
        CS_AT_END(cs_text_free) struct cs_text text = {0};

        assert_non_null(at);
        cs_text_add_n(&text, mine, (size_t)(at - mine));
        cs_text_add(&text, at + strlen(lines[i]));
        if (strcmp(lines[i], "Hello,\nreader.") == 0) /* an introduction may be empty */
            read_course(text.data, &arena, &course);
        else
            assert_int_equal(cs_course_read("mine.md", text.data, &arena, &course, NULL),
                             CS_EINPUT);
    }
}
