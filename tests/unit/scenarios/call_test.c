#include "scenarios/call.h"

#include "tests/test.h"

/* A call in a host's process: what it prints, and its error. */
struct answer {
    char *out, *messages;
    struct cs_err err;
    int status;
};

static struct answer call(int argc, const char *const *argv)
{
    struct answer answer = {0};
    size_t bytes[2];
    struct cs_cli cli = {.out = open_memstream(&answer.out, &bytes[0]),
                         .messages = open_memstream(&answer.messages, &bytes[1])};
    struct cs_progress_line progress = {.messages = cli.messages};

    assert_non_null(cli.out);
    assert_non_null(cli.messages);
    cli.progress = &progress;
    answer.status = cs_call(&cli, argc, (char **)argv, &answer.err);
    cs_progress_line_close(&progress);
    assert_int_equal(fclose(cli.out), 0);
    assert_int_equal(fclose(cli.messages), 0);
    return answer;
}

#define CALL(...)                                                       \
    call((int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)), \
         (const char *[]){__VA_ARGS__, NULL})

static void answer_free(struct answer *answer)
{
    free(answer->out);
    free(answer->messages);
}

TEST(an_error_is_returned_and_printed)
{
    CS_AT_END(answer_free) struct answer text = CALL("run", "--topo", "dgx", "--algo", "rnig");
    CS_AT_END(answer_free)
    struct answer json = CALL("run", "--topo", "dgx", "--algo", "rnig", "--json");

    assert_int_equal(text.status, 2);
    assert_string_equal(text.out, "");
    assert_memory_equal(text.messages, "collsim: ", 9);
    assert_memory_equal(text.messages + 9, text.err.text, strlen(text.err.text));
    assert_int_equal(json.status, 2);
    assert_string_equal(json.messages, "");
    assert_string_equal(json.err.text, text.err.text);
    assert_non_null(strstr(json.out, "\"exit\": 2"));
}

/* A document that was printed before the error has it as its first member. */
TEST(a_document_has_the_error_behind_its_answer)
{
    struct answer answer =
        CALL("train", "--topo", "rtx4090", "--model", "llama2-70b", "--batch", "1", "--json");

    assert_int_equal(answer.status, 1);
    assert_true(answer.err.text[0] != '\0');
    assert_memory_equal(answer.out, "{\n  \"error\": ", 13);
    assert_non_null(strstr(answer.out, "\"training\": ["));
    answer_free(&answer);
}

TEST(what_is_no_command_is_answered)
{
    static const char *const none[] = {NULL};
    struct answer version = CALL("version"), help = CALL("help"), same = CALL("--help");
    struct answer of_run = CALL("help", "run"), unknown = CALL("dgx-1"), empty = call(0, none);

    assert_memory_equal(version.out, "collsim ", 8);
    assert_string_equal(help.out, same.out);
    assert_int_equal(help.status + same.status + of_run.status + empty.status, 0);
    assert_non_null(strstr(of_run.out, "--topo"));
    assert_int_equal(unknown.status, 2);
    assert_non_null(strstr(unknown.err.text, "did you mean 'collsim --topo dgx-1'?"));
    assert_non_null(strstr(empty.out, "all-reduce of 1 GiB"));
    answer_free(&version);
    answer_free(&help);
    answer_free(&same);
    answer_free(&of_run);
    answer_free(&unknown);
    answer_free(&empty);
}

/* Without the path of the program. */
TEST(a_host_starts_no_processes)
{
    CS_AT_END(answer_free) struct answer bench = CALL("bench"), help = CALL("bench", "--help");

    assert_int_equal(bench.status, 3);
    assert_non_null(strstr(bench.err.text, "'collsim bench'"));
    assert_int_equal(help.status, 0);
}

TEST(options_are_found_by_command)
{
    const struct cs_command *run = NULL, *explain = NULL;

    assert_done(cs_call_find("run", &run, &err));
    assert_done(cs_call_find("explain", &explain, &err));
    assert_true(cs_call_option(run, "--fault")->repeats);
    assert_false(cs_call_option(run, "--size")->repeats);
    assert_non_null(cs_call_option(run, "--json"));
    assert_null(cs_call_option(explain, "--json"));
    assert_null(cs_call_option(run, "--siez"));
}
