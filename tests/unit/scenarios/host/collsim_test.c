#include "scenarios/host/collsim.h"

#include "tests/test.h"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

static struct collsim *ring_on_dgx(const char *size)
{
    struct collsim *call = collsim_new("run");

    collsim_set(call, "topo", "dgx");
    collsim_set(call, "algo", "ring");
    collsim_set(call, "size", size);
    return call;
}

/* The standard output of a command line of the program, which a test runs beside. */
static char *program(const char *words, char *text, size_t bytes)
{
    char line[512];
    FILE *out;
    size_t got;

    snprintf(line, sizeof(line), "%s %s", getenv("COLLSIM") ? getenv("COLLSIM") : "./collsim",
             words);
    out = popen(line, "r");
    assert_non_null(out);
    got = fread(text, 1, bytes - 1, out);
    text[got] = '\0';
    (void)pclose(out);
    return text;
}

TEST(a_call_answers_what_the_program_answers)
{
    static char text[1 << 16];
    struct collsim *call = ring_on_dgx("1MiB");
    double ranks = 0, time_s = 0, proved = 0;

    assert_int_equal(collsim_run(call), COLLSIM_OK);
    assert_string_equal(collsim_output(call),
                        program("--topo dgx --algo ring --size 1MiB --json", text, sizeof(text)));
    assert_string_equal(collsim_error(call), "");
    assert_int_equal(collsim_number(call, "runs.0.ranks", &ranks), 0);
    assert_true(ranks == 8);
    assert_int_equal(collsim_number(call, "runs.0.time_s", &time_s), 0);
    assert_true(time_s > 40e-6 && time_s < 50e-6);
    assert_int_equal(collsim_number(call, "runs.1.time_s", &time_s), -1);
    assert_int_equal(collsim_number(call, "runs.time_s", &time_s), -1);
    assert_int_equal(collsim_number(call, "runs.0.algorithm", &time_s), -1);
    assert_int_equal(collsim_number(call, "runs.0.tim", &time_s), -1);
    assert_int_equal(collsim_number(call, "runs", &time_s), -1);
    assert_int_equal(collsim_number(call, "", &proved), -1);
    collsim_unset(call, "json");
    assert_int_equal(collsim_run(call), COLLSIM_OK);
    assert_string_equal(collsim_output(call),
                        program("--topo dgx --algo ring --size 1MiB", text, sizeof(text)));
    collsim_free(call);
}

TEST(a_wrong_call_has_the_sentence_of_the_program)
{
    struct collsim *call = ring_on_dgx("1MiB");
    double status = 0;

    collsim_set(call, "algo", "rnig");
    assert_int_equal(collsim_run(call), COLLSIM_INPUT);
    assert_non_null(strstr(collsim_error(call), "did you mean 'ring'"));
    assert_int_equal(collsim_number(call, "exit", &status), 0);
    assert_true(status == COLLSIM_INPUT);
    collsim_set(call, "algo", "ring");
    assert_int_equal(collsim_run(call), COLLSIM_OK);
    assert_string_equal(collsim_error(call), "");
    collsim_set(call, "siez", "1MiB");
    assert_int_equal(collsim_run(call), COLLSIM_INPUT);
    assert_non_null(strstr(collsim_error(call), "unknown option '--siez'; did you mean '--size'"));
    collsim_free(call);
    call = collsim_new("rnu");
    assert_int_equal(collsim_run(call), COLLSIM_INPUT);
    assert_non_null(strstr(collsim_error(call), "did you mean 'run'"));
    collsim_free(call);
}

/* JSON is the form of the output until another is set, and where there is no other. */
TEST(the_form_of_the_output_may_be_another)
{
    struct collsim *call = ring_on_dgx("1MiB");

    collsim_set(call, "csv", NULL);
    assert_int_equal(collsim_run(call), COLLSIM_OK);
    assert_ptr_equal(strstr(collsim_output(call), "topology,ranks,"), collsim_output(call));
    collsim_free(call);
    call = collsim_new("topo");
    collsim_add(call, NULL, "svg");
    assert_int_equal(collsim_run(call), COLLSIM_OK);
    assert_ptr_equal(strstr(collsim_output(call), "<svg "), collsim_output(call));
    collsim_free(call);
    call = collsim_new("tune");
    collsim_set(call, "topo", "dgx-h100");
    collsim_set(call, "format", "tuner");
    assert_int_equal(collsim_run(call), COLLSIM_OK);
    assert_ptr_equal(strchr(collsim_output(call), '#'), collsim_output(call));
    collsim_free(call);
}

/* A value is one, whatever it looks like. */
TEST(a_value_is_no_option)
{
    struct collsim *call = ring_on_dgx("--help");

    assert_int_equal(collsim_run(call), COLLSIM_INPUT);
    assert_non_null(strstr(collsim_error(call), "--size: '--help'"));
    collsim_free(call);
}

static const char star[] = "classes:\n"
                           "  wire: {rate: 25 GB/s, latency: 1 us}\n"
                           "devices: {gpu: {kind: gpu, count: 4}, hub: {kind: switch}}\n"
                           "links:\n"
                           "  - {from: \"gpu[0-3]\", to: hub, class: wire}\n";

TEST(a_machine_may_be_a_text)
{
    struct collsim *call = collsim_new("run");
    double ranks = 0, alone_s = 0, cluster_s = 0;

    collsim_machine(call, star);
    collsim_set(call, "algo", "ring");
    assert_int_equal(collsim_run(call), COLLSIM_OK);
    assert_int_equal(collsim_number(call, "runs.0.ranks", &ranks), 0);
    assert_true(ranks == 4);
    assert_int_equal(collsim_number(call, "runs.0.time_s", &alone_s), 0);
    collsim_machine(call, "{\"devices\": {\"gpu\": {\"kind\": \"gpu\", \"count\": 2}},\"classes\": "
                          "{\"w\": {\"rate\": \"25 GB/s\", \"latency\": \"1 us\"}},\"links\": "
                          "[{\"from\": \"gpu0\", \"to\": \"gpu1\", \"class\": \"w\"}]}");
    assert_int_equal(collsim_run(call), COLLSIM_OK);
    assert_int_equal(collsim_number(call, "runs.0.ranks", &ranks), 0);
    assert_true(ranks == 2);
    assert_int_equal(collsim_number(call, "runs.0.time_s", &cluster_s), 0);
    assert_true(cluster_s < alone_s);
    collsim_machine(call, "devices: {gpu: {kind: gpu, count: 2}}\nlinsk: []");
    assert_int_equal(collsim_run(call), COLLSIM_INPUT);
    assert_non_null(strstr(collsim_error(call), "machine:2: no key called 'linsk'"));
    collsim_machine(call, star);
    collsim_set(call, "ranks", "16");
    assert_int_equal(collsim_run(call), COLLSIM_INPUT);
    assert_string_equal(collsim_error(call),
                        "'machine' has 4 ranks; 16 requested; expected --nodes 4 --ranks 16");
    collsim_free(call);
}

TEST(words_come_before_options)
{
    static char text[1 << 16];
    struct collsim *call = collsim_new("topo");

    collsim_unset(call, "json");
    collsim_set(call, "topo", "dgx-1");
    collsim_add(call, NULL, "matrix");
    assert_int_equal(collsim_run(call), COLLSIM_OK);
    assert_string_equal(collsim_output(call), program("topo matrix dgx-1", text, sizeof(text)));
    collsim_free(call);
}

struct watching {
    int calls, stops_at;
    double least, most;
};

static int watch(void *context, const char *phase, double share)
{
    struct watching *watching = context;

    assert_non_null(phase);
    if (share < watching->least)
        watching->least = share;
    if (share > watching->most)
        watching->most = share;
    return ++watching->calls == watching->stops_at;
}

TEST(a_long_run_is_watched_and_stopped)
{
    struct watching all = {.least = 1}, first = {.stops_at = 1};
    struct collsim *call = ring_on_dgx("256MiB");
    double interrupted = 0;

    collsim_set(call, "link-model", "packet");
    collsim_watch(call, watch, &all);
    assert_int_equal(collsim_run(call), COLLSIM_OK);
    assert_true(all.calls > 1);
    assert_true(all.most <= 1);
    collsim_watch(call, watch, &first);
    assert_int_equal(collsim_run(call), COLLSIM_STOPPED);
    assert_int_equal(first.calls, 1);
    assert_string_equal(collsim_error(call), "stopped");
    assert_int_equal(collsim_number(call, "interrupted", &interrupted), 0);
    assert_true(interrupted == 1);
    collsim_watch(call, NULL, NULL);
    assert_int_equal(collsim_run(call), COLLSIM_OK);
    collsim_free(call);
}

/* Actions of signals, children, and what is written: neither before nor after. */
TEST(the_process_stays_the_callers)
{
    struct collsim *call = ring_on_dgx("1KiB,4KiB,16KiB,64KiB,256KiB,1MiB,4MiB,16MiB");
    const int signals[] = {SIGINT, SIGTERM, SIGALRM, SIGXFSZ};
    struct sigaction before[4], after;
    sigset_t masked = {0}, unmasked = {0};

    for (int i = 0; i < 4; i++)
        assert_int_equal(sigaction(signals[i], NULL, &before[i]), 0);
    pthread_sigmask(SIG_BLOCK, NULL, &masked);
    collsim_set(call, "jobs", "8");
    collsim_set(call, "jitter", "exponential,mean=2us");
    collsim_set(call, "runs", "40");
    assert_int_equal(collsim_run(call), COLLSIM_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sigaction(signals[i], NULL, &after), 0);
        assert_true(after.sa_handler == before[i].sa_handler);
    }
    pthread_sigmask(SIG_BLOCK, NULL, &unmasked);
    assert_int_equal(memcmp(&masked, &unmasked, sizeof(masked)), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* ECHILD */
    collsim_free(call);
    call = collsim_new("bench");
    assert_int_equal(collsim_run(call), COLLSIM_CANNOT);
    assert_non_null(strstr(collsim_error(call), "bench starts processes"));
    collsim_free(call);
}

TEST(calls_leave_no_memory_behind)
{
    struct collsim *call = ring_on_dgx("1MiB");
    size_t before;

    for (int i = 0; i < 400; i++)
        assert_int_equal(collsim_run(call), COLLSIM_OK);
    before = mallinfo2().uordblks;
    for (int i = 0; i < 400; i++)
        assert_int_equal(collsim_run(call), COLLSIM_OK);
    assert_int_equal(mallinfo2().uordblks, before);
    collsim_free(call);
}

enum {
    THREADS = 4,
    RUNS = 8
};

static void *run_often(void *context)
{
    static const char *const sizes[] = {"1KiB", "1MiB", "64MiB"};
    struct collsim *call = ring_on_dgx("1KiB");
    const char *(*expected)[3] = context;

    for (int i = 0; i < RUNS * 3; i++) {
        collsim_set(call, "size", sizes[i % 3]);
        if (collsim_run(call) != COLLSIM_OK ||
            strcmp(collsim_output(call), (*expected)[i % 3]) != 0)
            break;
        expected = i + 1 < RUNS * 3 ? expected : NULL;
    }
    collsim_free(call);
    return expected; /* NULL: all runs were as expected */
}

TEST(threads_run_at_once)
{
    struct collsim *calls[3] = {ring_on_dgx("1KiB"), ring_on_dgx("1MiB"), ring_on_dgx("64MiB")};
    const char *expected[3];
    pthread_t threads[THREADS];

    for (int i = 0; i < 3; i++) {
        assert_int_equal(collsim_run(calls[i]), COLLSIM_OK);
        expected[i] = collsim_output(calls[i]);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_often, &expected), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong = NULL;

        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    for (int i = 0; i < 3; i++)
        collsim_free(calls[i]);
}
