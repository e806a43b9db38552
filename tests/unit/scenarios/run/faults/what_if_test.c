/* What-if: the effect of each loss, printed and kept. */
#include "scenarios/run/faults/what_if.h"

#include "tests/unit/scenarios/run/opened.h"

struct table {
    struct opened opened;
    char *text;
    int code;
};

/* The table of the options; to be freed. */
static void tabulate(struct table *table, int argc, char **argv)
{
    CS_AT_END(cs_progress_line_close) struct cs_progress_line display = {.messages = stderr};
    struct cs_cli cli = {.messages = stderr, .progress = &display};
    size_t length;

    if (opened_finish(&table->opened, argc, argv))
        fail_msg("%s", table->opened.err.text);
    table->opened.which = cs_case_of(&table->opened.scenario, 0);
    table->text = NULL;
    cli.out = open_memstream(&table->text, &length);
    assert_non_null(cli.out);
    table->code = cs_what_if(&cli, &table->opened.which, NULL, &table->opened.err);
    fclose(cli.out);
}

static void table_free(struct table *table)
{
    free(table->text);
    opened_free(&table->opened);
}

#define TABLE_TEST(name) TEST_OF(struct table, table, table_free, name)

TABLE_TEST(every_link_of_a_switch_disconnects_its_rank)
{
    tabulate(table, WORDS("--topo", "switch:ranks=3", "--algo", "ring", "--what-if", "each-link",
                          "--csv"));
    assert_int_equal(table->code, 0);
    assert_non_null(strstr(table->text, "rank0-switch,,,true,"));
    assert_non_null(strstr(table->text, "rank2-switch,,,true,"));
}

TABLE_TEST(a_link_with_alternate_routes_only_slows_the_run)
{
    tabulate(table, WORDS("--topo", "dgx-1", "--algo", "ring", "--size", "8MB", "--what-if",
                          "each-link", "--csv"));
    assert_int_equal(table->code, 0);
    assert_non_null(strstr(table->text, "gpu0-gpu4,"));
    assert_null(strstr(table->text, ",,,true,"));
}

TABLE_TEST(a_machine_without_adapters_has_no_table)
{
    tabulate(table, WORDS("--topo", "switch:ranks=3", "--algo", "ring", "--what-if", "each-nic"));
    assert_int_equal(table->code, CS_EINPUT);
    assert_string_equal(table->text, "");
}
