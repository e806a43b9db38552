/* Table of losses: order of the rows, and the title of a stopped table. */
#include "scenarios/run/faults/losses.h"

#include "tests/unit/scenarios/run/opened.h"

/* The printed table; to be freed. */
static char *printed(struct opened *opened, struct cs_loss *items, uint32_t count, uint32_t tried)
{
    struct cs_losses losses = {items, count};
    struct cs_cli cli = {0};
    struct cs_loss_table table = {&cli, &opened->which, &losses, tried, 1e-3};
    char *text = NULL;
    size_t length;

    cli.out = open_memstream(&text, &length);
    cli.messages = stderr;
    assert_non_null(cli.out);
    cs_loss_table_print(&table, 0);
    fclose(cli.out);
    return text;
}

static struct cs_loss loss(const char *where, double down_s, double half_s)
{
    return (struct cs_loss){.where = where, .down_s = down_s, .half_s = half_s, .bottleneck = ""};
}

OPENED_TEST(losses_that_disconnect_precede_the_slowest)
{
    struct cs_loss items[] = {loss("a-b", 2e-3, 1e-3), loss("c-d", 4e-3, 1e-3),
                              loss("e-f", (double)NAN, 2e-3)};
    char *text;

    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring"));
    text = printed(opened, items, 3, 3);
    assert_non_null(strstr(text, "e-f"));
    assert_true(strstr(text, "e-f") < strstr(text, "c-d"));
    assert_true(strstr(text, "c-d") < strstr(text, "a-b"));
    assert_non_null(strstr(text, "effect of losing each of 3 in use"));
    free(text);
}

OPENED_TEST(a_stopped_table_counts_the_simulated_losses)
{
    struct cs_loss items[] = {loss("a-b", 2e-3, 1e-3), loss("c-d", 4e-3, 1e-3)};
    char *text;

    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring"));
    text = printed(opened, items, 2, 1);
    assert_non_null(strstr(text, "the first 1 of 2 in use"));
    assert_null(strstr(text, "c-d"));
    free(text);
}
