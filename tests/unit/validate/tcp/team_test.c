/*
 * Teams over loopback: every algorithm ends with the promised result, and a team
 * survives dead, stopped and strange peers with an error that names them.
 */
#include "algorithms/algo.h"
#include "tests/test.h"
#include "validate/tcp/pattern.h"
#include "validate/tcp/session.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#define SECOND_NS 1000000000ull

enum {
    PORT = 23456, /* of tests that must know it */
};

static const struct cs_tcp_lab loopback = {.loopback = true, .why = "a test"};

static struct cs_tcp_team_spec spec_of(const struct cs_program *const *programs, uint32_t count)
{
    return (struct cs_tcp_team_spec){
        .lab = &loopback,
        .parties = cs_program_parties(programs[0]),
        .programs = programs,
        .program_count = count,
        .plain = true,
        .deadline_ns = 20 * SECOND_NS,
    };
}

/* Whether an algorithm exists for the call; its program is in *program. */
static bool program_of(const struct cs_algo *algo, struct cs_call *call, struct cs_program *program)
{
    struct cs_hockney hockney = {50e-6, 125e6, 0};
    struct cs_err err = {0};

    if (algo->takes_relays || algo->takes_trees || algo->needs || cs_algo_check(algo, call, &err))
        return false;
    cs_algo_resolve(algo, call, &hockney);
    *program = cs_algo_program(algo, call);
    return cs_program_parties(program) > 1 && cs_program_parties(program) <= CS_TCP_PARTIES_MAX;
}

static bool computes(const struct cs_program *program)
{
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    bool found = false;
    uint32_t lane, i;

    for (lane = 0; lane < program->lanes && !found; lane++)
        if (cs_program_rounds(program, 0, lane) > 0)
            program->round(program->ctx, (struct cs_at){0, lane, 0}, &ops);
    for (i = 0; i < ops.count; i++)
        found = found || ops.op[i].kind == CS_OP_WORK;
    return found;
}

static uint32_t run_on(uint32_t ranks)
{
    uint32_t ran = 0;

    for (size_t i = 0; i < cs_algo_count; i++) {
        struct cs_call call = {.ranks = ranks, .elements = 240ull * ranks, .element_bytes = 4};
        struct cs_program program;
        const struct cs_program *list[] = {&program};
        struct cs_tcp_team_spec spec;
        struct cs_tcp_timed timed = {0};
        struct cs_tcp_team *team;
        struct cs_err err = {0};

        if (!program_of(cs_algos[i], &call, &program) || computes(&program))
            continue;
        spec = spec_of(list, 1);
        if (cs_tcp_team_start(&spec, &team, &err) || cs_tcp_team_run(team, 0, NULL, &timed, &err) ||
            cs_tcp_team_run(team, 0, NULL, &timed, &err) || timed.wrong > 0)
            fail_msg("%s %s on %u ranks: %s, %llu wrong", cs_algos[i]->collective->name,
                     cs_algos[i]->name, ranks, err.text, (unsigned long long)timed.wrong);
        cs_tcp_team_stop(team);
        ran++;
    }
    return ran;
}

TEST(every_algorithm_keeps_its_promise)
{
    assert_true(run_on(4) > 40);
    assert_true(run_on(3) > 25);
    assert_true(run_on(2) > 35);
}

/* The bytes of an all-reduce that takes a moment, in a team of four. */
struct long_run {
    struct cs_call call;
    struct cs_program program;
    const struct cs_program *list[1];
    struct cs_tcp_team *team;
};

static void long_run_start(struct long_run *run, uint64_t deadline_ns)
{
    struct cs_tcp_team_spec spec;

    memset(run, 0, sizeof(*run));
    run->call = (struct cs_call){.ranks = 4, .elements = 1 << 20, .element_bytes = 4};
    assert_true(
        program_of(cs_algo_find("ring", &cs_collective_allreduce), &run->call, &run->program));
    run->list[0] = &run->program;
    spec = spec_of(run->list, 1);
    spec.deadline_ns = deadline_ns;
    assert_done(cs_tcp_team_start(&spec, &run->team, &err));
}

/* The children of this process, in order of their start. */
static int children(pid_t out[CS_TCP_PARTIES_MAX])
{
    char path[64];
    char line[512] = "";
    FILE *file;
    char *at = line;
    char *end;
    int count = 0;

    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    file = fopen(path, "r");
    if (!file)
        return 0;
    if (!fgets(line, sizeof(line), file))
        line[0] = '\0';
    fclose(file);
    for (; count < CS_TCP_PARTIES_MAX; at = end) {
        long pid = strtol(at, &end, 10);

        if (end == at)
            break;
        out[count++] = (pid_t)pid;
    }
    return count;
}

TEST(a_dead_rank_is_named)
{
    pid_t pids[CS_TCP_PARTIES_MAX];
    struct cs_tcp_timed timed;
    struct long_run run;

    long_run_start(&run, 20 * SECOND_NS);
    if (children(pids) != 4)
        skip();
    kill(pids[2], SIGKILL);
    assert_refused(cs_tcp_team_run(run.team, 0, NULL, &timed, &err), CS_EANSWER,
                   "rank 2 was ended by signal 9 (Killed); the others are stopped");
    cs_tcp_team_stop(run.team);
    assert_int_equal(children(pids), 0);
}

static int stop_child(void *ctx, struct cs_err *err)
{
    (void)err;
    kill(*(pid_t *)ctx, SIGSTOP);
    return 0;
}

TEST(a_stalled_rank_meets_the_deadline)
{
    pid_t pids[CS_TCP_PARTIES_MAX];
    /* Before the start, after the preparation. */
    struct cs_tcp_interlude stop = {(uint64_t)-2000000, stop_child, &pids[1]};
    struct cs_tcp_timed timed;
    struct cs_err err = {0};
    struct long_run run;

    long_run_start(&run, SECOND_NS / 2);
    if (children(pids) != 4)
        skip();
    assert_int_equal(cs_tcp_team_run(run.team, 0, &stop, &timed, &err), CS_EANSWER);
    if (!strstr(err.text, "rank 1 does not answer; "))
        fail_msg("%s", err.text);
    assert_non_null(strstr(err.text, "deadline"));
    cs_tcp_team_stop(run.team);
    assert_int_equal(children(pids), 0);
}

TEST(a_port_in_use_is_an_error)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(PORT + 1), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct cs_tcp_pattern pattern = {CS_TCP_ONE, 1, 64};
    struct cs_program program = cs_tcp_pattern_program(&pattern);
    const struct cs_program *list[] = {&program};
    struct cs_tcp_team_spec spec = spec_of(list, 1);
    struct cs_tcp_team *team;
    int s = socket(AF_INET, SOCK_STREAM, 0);

    if (bind(s, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(s, 1) != 0) {
        close(s);
        skip();
    }
    spec.port = PORT;
    assert_refused(cs_tcp_team_start(&spec, &team, &err), CS_ECANNOT,
                   "rank 1: port 23457 of 127.0.0.1 is in use");
    assert_null(team);
    close(s);
}

TEST(unknown_congestion_control_is_an_error)
{
    struct cs_tcp_pattern pattern = {CS_TCP_BOTH, 1, 64};
    struct cs_program program = cs_tcp_pattern_program(&pattern);
    const struct cs_program *list[] = {&program};
    struct cs_tcp_team_spec spec = spec_of(list, 1);
    struct cs_tcp_team *team;

    spec.congestion = "carrots";
    assert_refused_with(cs_tcp_team_start(&spec, &team, &err), CS_ECANNOT, "'carrots'");
}

/* Parties beyond those of the pattern look on, polling or asleep. */
TEST(patterns_end_with_onlookers)
{
    int kind, waiting;

    for (kind = 0; kind < CS_TCP_PATTERNS; kind++)
        for (waiting = 0; waiting < 2; waiting++) {
            struct cs_tcp_pattern pattern = {(enum cs_tcp_pattern_kind)kind, 2, 4096};
            struct cs_program program = cs_tcp_pattern_program(&pattern);
            const struct cs_program *list[] = {&program};
            struct cs_tcp_team_spec spec = spec_of(list, 1);
            struct cs_tcp_timed timed;
            struct cs_tcp_team *team;

            spec.parties = 5;
            spec.waiting = (enum cs_tcp_waiting)waiting;
            assert_done(cs_tcp_team_start(&spec, &team, &err));
            assert_done_of(cs_tcp_pattern_names[kind],
                           cs_tcp_team_run(team, 0, NULL, &timed, &err));
            assert_true(timed.time_s > 0);
            cs_tcp_team_stop(team);
        }
}

TEST(polling_ranks_agree_too)
{
    struct cs_tcp_team_spec spec;
    struct cs_tcp_timed timed;
    struct long_run run;

    long_run_start(&run, 20 * SECOND_NS);
    cs_tcp_team_stop(run.team);
    spec = spec_of(run.list, 1);
    spec.waiting = CS_TCP_POLL;
    assert_done(cs_tcp_team_start(&spec, &run.team, &err));
    assert_done(cs_tcp_team_run(run.team, 0, NULL, &timed, &err));
    assert_int_equal(timed.wrong, 0);
    assert_true(timed.time_s > 0 && timed.cpu_s > 0);
    cs_tcp_team_stop(run.team);
}
