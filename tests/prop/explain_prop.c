/*
 * Every algorithm of the registry can be explained: its steps end with what
 * is promised, and every picture of them is well-formed.
 */
#include "reports/explain/explain.h"
#include "scenarios/run/simulate.h"
#include "tests/fixture.h"

enum {
    RANKS_MAX = 8,
    MANY_RANKS = 20, /* more than digits; 64 take all algorithms too long */
    COLUMNS_MAX = 100,
    DEPTH_MAX = 64,
    BYTES = 720720 * 4, /* divides by every number of ranks there is */
};

/* ---- tags ---- */

struct tags {
    char open[DEPTH_MAX][24];
    size_t depth;
};

static bool is_void(const char *name)
{
    static const char *const names[] = {"meta", "input", "br", "img", "hr"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (cs_same(names[i], name))
            return true;
    return false;
}

static const char *close_tag(struct tags *tags, const char *at)
{
    size_t length = strcspn(at, ">");
    const char *open = tags->depth ? tags->open[tags->depth - 1] : "";

    if (strlen(open) != length || strncmp(open, at, length) != 0)
        fail_msg("</%.*s> closes <%s>", (int)length, at, open);
    tags->depth--;
    return at + length + 1;
}

/* Behind the tag, and behind what is in it where that is no markup. */
static const char *open_tag(struct tags *tags, const char *at)
{
    const char *end = strchr(at, '>');
    size_t length = strcspn(at, " >/\n");
    char name[24], closing[30];

    assert_non_null(end);
    assert_true(length > 0 && length < sizeof(name));
    snprintf(name, sizeof(name), "%.*s", (int)length, at);
    if (end[-1] == '/' || is_void(name))
        return end + 1;
    snprintf(closing, sizeof(closing), "</%s>", name);
    if (cs_same(name, "script") || cs_same(name, "style")) {
        end = strstr(end, closing);
        assert_non_null(end);
        return end + strlen(closing);
    }
    assert_true(tags->depth < DEPTH_MAX);
    memcpy(tags->open[tags->depth++], name, sizeof(name));
    return end + 1;
}

static void is_balanced(const char *page)
{
    struct tags tags = {.depth = 0};

    if (strncmp(page, "<!DOCTYPE html>", 15) == 0)
        page += 15;
    while (*page) {
        if (*page != '<')
            page++;
        else if (page[1] == '/')
            page = close_tag(&tags, page + 2);
        else
            page = open_tag(&tags, page + 1);
    }
    assert_int_equal(tags.depth, 0);
}

/* ---- stories ---- */

static void fits_a_terminal(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");

        if (length > COLUMNS_MAX)
            fail_msg("%zu columns: %.*s", length, (int)length, text);
        if (length)
            assert_int_not_equal(text[length - 1], ' ');
        text += length + (text[length] == '\n');
    }
}

static void ends_as_promised(const struct cs_steps *steps, const char *name)
{
    uint32_t rank, block;

    for (rank = 0; rank < steps->ranks; rank++)
        for (block = 0; block < steps->blocks; block++)
            if (steps->owed[rank * steps->blocks + block] &&
                !cs_steps_holding(steps, steps->count, rank, block)->complete)
                fail_msg("%s: rank %u of %u lacks block %u", name, rank, steps->ranks, block);
}

static void adds_up(const struct cs_steps *steps, const struct cs_record *record)
{
    assert_int_equal(steps->message_count, record->messages);
    for (uint32_t i = 0; i < steps->message_count; i++)
        assert_true(steps->messages[i].arrived_ps <= record->time_ps);
    if (steps->count == 0)
        return;
    assert_int_equal(steps->steps[steps->count - 1].bytes, record->bytes_sent_total);
    assert_int_equal(steps->steps[steps->count - 1].time_ps, record->time_ps);
}

static void is_drawn_in_digits(const struct cs_story *story)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    cs_explain_text(story, CS_STYLE_PLAIN, &text);
    fits_a_terminal(cs_text_str(&text));
    text.length = 0;
    cs_explain_gnuplot(story, "it's.gif", &text);
    assert_non_null(strstr(text.data, "set output 'it''s.gif'\n"));
    assert_null(strstr(text.data, "nan"));
}

static void is_drawn(const struct cs_story *story)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    if (story->steps->ranks <= CS_STEPS_DIGIT_RANKS_MAX)
        is_drawn_in_digits(story);
    cs_explain_html(story, &text);
    is_balanced(cs_text_str(&text));
    assert_null(strstr(text.data, "@DATA@"));
    text.length = 0;
    cs_explain_svg(story, &text);
    is_balanced(cs_text_str(&text));
    assert_null(strstr(text.data, "nan"));
}

/* False where the algorithm does not take so many ranks. */
static bool report(const struct cs_algo *algo, uint32_t ranks, uint32_t channels)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_scenario scenario;
    struct cs_case which = {.algo = algo, .bytes = BYTES, .ranks = ranks};
    struct cs_record record = {0};
    struct cs_steps steps = {0};
    struct cs_story story = {.record = &record,
                             .steps = &steps,
                             .promise = algo->collective->about,
                             .about = algo->about,
                             .formula = algo->formula};
    struct cs_err err = {0};
    int code;

    cs_scenario_init(&scenario, &arena);
    scenario.topo = "switch:ranks=32,bandwidth=10GB/s,latency=1us,gamma=100GB/s";
    scenario.collective = algo->collective;
    scenario.call.chunks = 3;
    scenario.call.channels = channels;
    scenario.call.group = 2;
    which.scenario = &scenario;
    code = cs_simulate_steps(&which, &arena, &record, &steps, &err);
    if (code && code != CS_EINPUT && code != CS_SIMULATE_REFUSED)
        fail_msg("%s %s, %u ranks: %s", algo->collective->name, algo->name, ranks, err.text);
    if (!code) {
        ends_as_promised(&steps, algo->name);
        adds_up(&steps, &record);
        is_drawn(&story);
    }
    return !code;
}

/* ---- properties ---- */

TEST(every_algorithm_can_be_explained)
{
    uint32_t ranks;

    for (size_t i = 0; i < cs_algo_count; i++) {
        uint32_t reported = 0;

        for (ranks = 2; ranks <= RANKS_MAX; ranks++)
            reported += report(cs_algos[i], ranks, 0);
        if (fixture_takes(i)) {
            reported += report(cs_algos[i], CS_STEPS_DIGIT_RANKS_MAX, 0);
            reported += report(cs_algos[i], MANY_RANKS, 0);
        }
        if (!reported)
            print_message("%s %s takes none of these calls\n", cs_algos[i]->collective->name,
                          cs_algos[i]->name);
    }
}

TEST(lanes_side_by_side_can_be_explained)
{
    for (size_t i = 0; i < cs_algo_count; i++)
        report(cs_algos[i], 4, 2);
}

TEST(one_rank_has_nothing_to_do)
{
    assert_true(report(cs_algos[0], 1, 0));
}
