#include "scenarios/explain/choices.h"

#include "scenarios/options/options.h"
#include "scenarios/run/case/finish.h"
#include "tests/fixture.h"

#include <unistd.h>

/* The choices of a command line: `words` between spaces. */
static char *choices_of(const char *words)
{
    const struct cs_option_tables tables = {.shared = cs_scenario_options,
                                            .command = CS_FOR_EXPLAIN};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_scenario scenario;
    struct cs_text out = {0}, asked = {0};
    char *copy = strdup(words), *argv[16];
    int argc = 0;

    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    cs_scenario_init(&scenario, &arena);
    assert_done_of(words, cs_options_read(tables, argc, argv, &scenario, &err) ||
                              cs_scenario_finish(&scenario, &err));
    cs_choices_asked(&scenario, 4, &asked);
    cs_choices_write(asked.data, &out);
    cs_text_free(&asked);
    free(copy);
    return out.data;
}

static void has(const char *words, const char *part)
{
    char *choices = choices_of(words);

    if (!strstr(choices, part))
        fail_msg("%s: no %s in ... %s", words, part, strstr(choices, "\"asked\""));
    free(choices);
}

TEST(the_form_begins_with_what_was_asked)
{
    const char *words = "--topo dgx.yaml --algo tree --size 4MB";

    has(words, "\"topo\":\"dgx\",\"text\":\"\"");
    has(words, "\"size\":\"4 MB\",\"collective\":\"all-reduce\",\"algo\":\"tree\"");
    has(words, "\"options\":\"\",\"ranks\":4}");
    has("--topo switch:ranks=4 --algo ring --size 2882880", "\"size\":\"2882880 B\"");
    has("--topo dgx-h100 --nodes 2 --algo ring",
        "\"topo\":\"cluster:node=dgx-h100,nodes=2\",\"text\":\"\"");
}

TEST(other_options_stay_as_words)
{
    has("--topo dgx --algo double-tree --chunks 8 --link-model fluid --fault gpu0-nvswitch:down",
        "\"options\":\"--chunks=8 --link-model=fluid --fault=gpu0-nvswitch:down\"");
}

TEST(the_machine_of_a_file_is_its_text)
{
    char name[] = "/tmp/choices-XXXXXX";
    int file = mkstemp(name);
    FILE *out = fdopen(file, "w");
    char words[100];

    assert_non_null(out);
    fputs("name: two\ndevices:\n  gpu: {kind: gpu, count: 2}\n", out);
    assert_int_equal(fclose(out), 0);
    snprintf(words, sizeof(words), "--algo ring --topo %s", name);
    has(words, "\"topo\":\"\",\"text\":\"name: two\\u000adevices:\\u000a  gpu: {kind: gpu, count: "
               "2}\\u000a\"");
    assert_int_equal(unlink(name), 0);
}

TEST(the_registries_are_offered)
{
    char *choices = choices_of("--topo dgx --algo ring");

    for (size_t i = 0; i < cs_algo_count; i++)
        assert_non_null(strstr(choices, cs_algos[i]->name));
    for (size_t i = 0; i < cs_machine_file_count; i++)
        assert_non_null(strstr(choices, cs_machine_files[i].name));
    free(choices);
}
