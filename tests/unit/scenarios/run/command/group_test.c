/* Groups of runs: what progress says of each run. */
#include "scenarios/run/command/group.h"

#include "tests/unit/scenarios/run/opened.h"

#include <ctype.h>

/* Lines of progress, one of each update behind the first run: as on a slow
 * machine. */
struct shown {
    struct cs_progress_line display;
    struct cs_text lines;
};

static ssize_t shown_write(void *ctx, const char *bytes, size_t count)
{
    struct shown *shown = ctx;

    cs_text_add_n(&shown->lines, bytes, count);
    shown->display.shown_s = -1e9;
    return (ssize_t)count;
}

static void shown_open(struct shown *shown)
{
    *shown = (struct shown){
        .display = {.terminal = true, .part = 1, .started_s = -1e9, .shown_s = -1e9}};
    shown->display.messages =
        fopencookie(shown, "w", (cookie_io_functions_t){.write = shown_write});
    assert_non_null(shown->display.messages);
}

static void shown_close(struct shown *shown)
{
    cs_progress_line_close(&shown->display);
    (void)fclose(shown->display.messages);
    cs_text_free(&shown->lines);
}

static void ignore_event(void *ctx, const struct cs_run_event *event)
{
    (void)ctx;
    (void)event;
}

static void run_groups(struct opened *opened, struct shown *shown)
{
    struct cs_run_group group = {.scenario = &opened->scenario,
                                 .display = &shown->display,
                                 .listener = {ignore_event, NULL},
                                 .total = cs_case_count(&opened->scenario)};

    for (uint64_t i = 0; i < group.total; i += opened->scenario.algo_count) {
        CS_AT_END(cs_run_outcome_free) struct cs_run_outcome outcome;

        shown->display.started_s = -1e9;
        assert_ok(cs_run_group(&group, i, &outcome, &opened->err), &opened->err);
    }
}

/* Of a run that is planned nothing is known; the note of the run before is in an
 * arena that is gone. */
OPENED_TEST(progress_has_the_note_of_its_own_run)
{
    CS_AT_END(shown_close) struct shown shown;
    char *next;
    uint32_t notes = 0, plans = 0;

    if (opened_finish(opened,
                      WORDS("--topo", "cluster:node=gb200-nvl72,nodes=5,fabric=rail", "--algo",
                            "double-tree", "--chunks", "64", "--size", "64MiB,65MiB")))
        fail_msg("%s", opened->err.text);
    shown_open(&shown);
    run_groups(opened, &shown);
    assert_non_null(shown.lines.data);
    for (char *line = strtok_r(shown.lines.data, "\r", &next); line;
         line = strtok_r(NULL, "\r", &next)) {
        for (const char *at = line; *at; at++)
            assert_true(isprint((unsigned char)*at) || *at == '\033');
        notes += strstr(line, "; not folded: ") != NULL;
        plans += strstr(line, ": planning") != NULL;
        if (strstr(line, ": planning"))
            assert_null(strchr(line, ';'));
    }
    assert_true(notes > 0);
    assert_true(plans > 0);
}
