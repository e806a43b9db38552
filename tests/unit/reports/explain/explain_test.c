/* Explain: names of parties, contents and blocks; the four documents. */
#include "reports/explain/explain.h"

#include "tests/fixture.h"
#include "tests/unit/reports/sample.h"

static const struct cs_steps four = {.ranks = 4, .parties = 5, .blocks = 4};
static const struct cs_steps sixteen = {.ranks = 16, .parties = 16, .blocks = 4, .sums = true};

static void holds(const struct cs_steps *steps, uint16_t ranks, const char *expected)
{
    const struct cs_holding holding = {.ranks = ranks, .origin = CS_STEPS_MIXED};
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    cs_explain_holding(steps, &holding, &text);
    assert_string_equal(cs_text_str(&text), expected);
}

TEST(long_runs_of_ranks_are_abbreviated_above_eight_ranks)
{
    holds(&four, 0xf, "0123");
    holds(&four, 0, "");
    holds(&sixteen, 0xf, "0-3");
    holds(&sixteen, 0xf7, "0124-7");
    holds(&sixteen, 0xffff, "0-f");
    holds(&sixteen, 0x8001, "0f");
}

static void names(const struct cs_steps *steps, struct cs_blocks blocks, const char *expected)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    cs_explain_blocks(steps, blocks, &text);
    assert_string_equal(cs_text_str(&text), expected);
}

TEST(a_run_of_blocks_may_wrap)
{
    names(&four, (struct cs_blocks){2, 1}, "2");
    names(&four, (struct cs_blocks){1, 3}, "1-3");
    names(&four, (struct cs_blocks){3, 2}, "3-0");
    names(&four, (struct cs_blocks){0, 4}, "all");
    names(&four, (struct cs_blocks){0, 0}, "");
}

static void party_is(const struct cs_steps *steps, const char *agent_kind, uint32_t party,
                     const char *expected)
{
    const struct cs_record record = {.agent_kind = agent_kind};
    const struct cs_story story = {.record = &record, .steps = steps};
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    cs_explain_party(&story, party, &text);
    assert_string_equal(cs_text_str(&text), expected);
}

TEST(a_single_server_has_no_number)
{
    const struct cs_steps two = {.ranks = 4, .parties = 6};

    party_is(&four, "server", 3, "rank 3");
    party_is(&four, "server", 4, "server");
    party_is(&two, "server", 5, "server 1");
}

TEST(a_switch_that_reduces_is_no_server)
{
    const struct cs_steps two = {.ranks = 4, .parties = 6};

    party_is(&four, "switch", 3, "rank 3");
    party_is(&four, "switch", 4, "switch");
    party_is(&two, "switch", 5, "switch 1");
}

/* A ring of three ranks without simulated times. */
struct lesson {
    struct cs_arena arena;
    struct cs_record record;
    struct cs_steps steps;
    struct cs_story story;
};

static void lesson_open(struct lesson *lesson)
{
    struct cs_call call = {.ranks = 3, .elements = 3, .element_bytes = 4};
    struct cs_program program = fixture_program("ring", "allreduce", &call);

    *lesson = (struct lesson){.record = sample_ring()};
    assert_done(cs_steps_of(&program, &lesson->arena, &lesson->steps, &err));
    lesson->story = (struct cs_story){.record = &lesson->record,
                                      .steps = &lesson->steps,
                                      .promise = "every <rank> ends",
                                      .about = "neighbours",
                                      .formula = "2 (p-1) alpha"};
}

TEXT_TEST(the_page_escapes_texts)
{
    struct lesson lesson;

    lesson_open(&lesson);
    cs_explain_html(&lesson.story, out);
    assert_null(strstr(cs_text_str(out), "<rank>"));
    assert_null(strstr(cs_text_str(out), "@DATA@"));
    assert_null(strstr(cs_text_str(out), "@FORM@"));
    /* Without choices there is nothing to run. */
    assert_null(strstr(cs_text_str(out), "id=\"engine\""));
    assert_non_null(strstr(cs_text_str(out), "without the engine"));
    assert_non_null(strstr(cs_text_str(out), "\"shape\":\"ring\""));
    cs_arena_free(&lesson.arena);
}

TEXT_TEST(the_drawing_has_a_line_per_message)
{
    struct lesson lesson;
    size_t lines = 0;

    lesson_open(&lesson);
    cs_explain_svg(&lesson.story, out);
    for (const char *at = cs_text_str(out); (at = strstr(at, "stroke-width=\"2.5\"")); at++)
        lines++;
    assert_int_equal(lines, lesson.steps.message_count + 2); /* and the key */
    cs_arena_free(&lesson.arena);
}

TEXT_TEST(a_slide_has_an_arrow_per_message_and_escaped_texts)
{
    struct lesson lesson;
    size_t lines = 0;

    lesson_open(&lesson);
    lesson.record.topology = "a_b & 50%";
    cs_explain_tikz(&lesson.story, out);
    for (const char *at = cs_text_str(out); (at = strstr(at, "-latex] (")); at++)
        lines++;
    assert_int_equal(lines, lesson.steps.message_count + 2);
    assert_non_null(strstr(cs_text_str(out), "a\\_b \\& 50\\%"));
    cs_arena_free(&lesson.arena);
}

TEXT_TEST(the_animation_repeats_the_last_frame)
{
    struct lesson lesson;
    size_t frames = 0;

    lesson_open(&lesson);
    cs_explain_gnuplot(&lesson.story, "it's.gif", out);
    for (const char *at = cs_text_str(out); (at = strstr(at, "plot '-'")); at++)
        frames++;
    assert_int_equal(frames, lesson.steps.count + 1 + 3);
    assert_non_null(strstr(cs_text_str(out), "set output 'it''s.gif'"));
    cs_arena_free(&lesson.arena);
}
