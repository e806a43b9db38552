/*
 * A call of the library is a command line of the program: random ones, right and wrong, by
 * one handle after the other's options, have the same output, notes and status, byte by byte.
 */
#include "scenarios/host/collsim.h"
#include "sim/base/text.h"
#include "tests/fixture.h"

#include <sys/wait.h>
#include <unistd.h>

enum {
    TRIALS = 60,
    VALUES = 8,
};

/* An option with some of its values, of which the last is wrong; NULL: a switch. */
static const struct {
    const char *command, *name;
    const char *values[VALUES];
    uint32_t count;
    uint32_t every; /* given once in so many lines */
} options[] = {
    {"run", "topo", {"dgx", "dgx-1", "mi250x", "switch:ranks=6", "ib-2xdgx", "dgxx"}, 6, 1},
    {"run", "algo", {"ring", "tree", "auto", "recursive-doubling", "multi-ring", "rnig"}, 6, 2},
    {"run",
     "collective",
     {"all-reduce", "all-gather", "broadcast", "all-to-all", "gather-all"},
     5,
     3},
    {"run", "size", {"1KiB", "3000000", "64KiB,1MiB", "16MiB", "1 furlong"}, 5, 2},
    {"run", "link-model", {"fifo", "fluid", "loggp", "packt"}, 4, 5},
    {"run", "library", {"nccl", "rccl", "mpi", "nickel"}, 4, 6},
    {"run", "jitter", {"exponential,mean=2us", "normal,mean=1us,sd=1us", "normal,mean=1us"}, 3, 6},
    {"run", "runs", {"3", "20", "0"}, 3, 6},
    {"run", "fault", {"gpu0-gpu1:down", "gpu0-nvswitch:rate=50%", "gpu0:gone"}, 3, 8},
    {"run", "csv", {NULL}, 1, 4},
    {"run", "fold", {"off", "on", "of"}, 3, 8},
    {"train", "topo", {"dgx", "dgx-h100", "rtx4090", "dgxx"}, 4, 1},
    {"train", "model", {"resnet50", "gpt2-xl", "llama2-7b", "resnet51"}, 4, 1},
    {"train", "batch", {"8", "128", "1", "many"}, 4, 2},
    {"train", "system", {"ddp", "zero1", "pipeline", "zorro"}, 4, 3},
    {"check", "topo", {"dgx", "switch:ranks=6", "dgxx"}, 3, 1},
    {"check", "algo", {"ring", "auto", "tree", "rnig"}, 4, 1},
    {"check", "collective", {"all-gather", "reduce-scatter", "none"}, 3, 3},
    {"why", "topo", {"dgx-1", "switch:ranks=4", "dgxx"}, 3, 1},
    {"why", "algo", {"ring", "rnig"}, 2, 1},
    {"why", "size", {"64KiB", "1MiB", "much"}, 3, 1},
};
static const char *const commands[] = {"run", "run", "run", "train", "check", "why", "rnu"};

/* A slow machine shows progress, which a call does not. */
static void without_progress(struct cs_text *messages)
{
    char *at = messages->data, *kept = at, *end;

    for (; at && *at; at = end) {
        const char *shown;

        end = strchr(at, '\n');
        end = end ? end + 1 : at + strlen(at);
        shown = strstr(at, " to go\n");
        if (!shown || shown >= end) {
            memmove(kept, at, (size_t)(end - at));
            kept += end - at;
        }
    }
    if (kept)
        *kept = '\0';
}

/* Both of a process: standard output, messages, status. */
static int run_program(const char *line, struct cs_text *out, struct cs_text *messages)
{
    const char *program = getenv("COLLSIM");
    char file[] = "/tmp/host-prop-XXXXXX", bytes[4096];
    CS_AT_END(cs_text_free) struct cs_text shell = {0};
    size_t got;
    FILE *pipe;
    int kept = mkstemp(file), status;

    assert_true(kept >= 0);
    cs_text_printf(&shell, "%s %s 2>%s", program ? program : "./collsim", line, file);
    pipe = popen(cs_text_str(&shell), "r");
    assert_non_null(pipe);
    while ((got = fread(bytes, 1, sizeof(bytes), pipe)) > 0)
        cs_text_add_n(out, bytes, got);
    status = pclose(pipe);
    while ((got = (size_t)read(kept, bytes, sizeof(bytes))) > 0 && got <= sizeof(bytes))
        cs_text_add_n(messages, bytes, got);
    close(kept);
    (void)unlink(file);
    without_progress(messages);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Gives the call one option or takes it back, and appends it to the line. */
static void set_option(struct cs_random *random, size_t i, struct collsim *call,
                       struct cs_text *line)
{
    const char *name = options[i].name;
    const char *value = options[i].values[cs_random_below(
        random,
        cs_random_below(random, 4) ? options[i].count - (options[i].count > 1) : options[i].count)];

    collsim_unset(call, name);
    if (cs_random_below(random, options[i].every))
        return;
    if (cs_same(name, "csv"))
        collsim_unset(call, "json");
    collsim_set(call, name, value);
    cs_text_printf(line, value ? " '--%s=%s'" : " --%s", name, value);
}

TEST(a_call_is_a_command_line)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("host");
    struct collsim *calls[sizeof(commands) / sizeof(*commands)];

    for (size_t c = 0; c < sizeof(commands) / sizeof(*commands); c++)
        calls[c] = collsim_new(commands[c]);
    for (int trial = 0; trial < TRIALS; trial++) {
        size_t c = cs_random_below(random, sizeof(commands) / sizeof(*commands));
        CS_AT_END(cs_text_free) struct cs_text line = {0}, out = {0}, messages = {0};
        int status;

        cs_text_printf(&line, "%s", commands[c]);
        if (c + 1 < sizeof(commands) / sizeof(*commands)) {
            cs_text_add(&line, " --json");
            collsim_set(calls[c], "json", NULL);
        }
        for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
            if (cs_same(options[i].command, commands[c]))
                set_option(random, i, calls[c], &line);
        if (strstr(cs_text_str(&line), " --csv"))
            memcpy(strstr(line.data, " --json"), "       ", 7);
        status = run_program(cs_text_str(&line), &out, &messages);
        if (collsim_run(calls[c]) != status ||
            strcmp(collsim_output(calls[c]), cs_text_str(&out)) != 0 ||
            strcmp(collsim_notes(calls[c]), cs_text_str(&messages)) != 0)
            fail_msg("collsim %s\nprogram (%d):\n%.400s\n%.400s\ncall:\n%.400s\n%.400s",
                     cs_text_str(&line), status, cs_text_str(&out), cs_text_str(&messages),
                     collsim_output(calls[c]), collsim_notes(calls[c]));
    }
    for (size_t c = 0; c < sizeof(commands) / sizeof(*commands); c++)
        collsim_free(calls[c]);
}
