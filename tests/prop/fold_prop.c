/*
 * Folding never changes an answer: every algorithm on machines that are the
 * same all round, and on some that are not, simulated whole and folded.
 */
#include "sim/fold.h"

#include "tests/fixture.h"

enum {
    RANKS_MAX = 16,
    MACHINES = 6,
    MODELS = 4,
    TRIALS = 2 * MACHINES * MODELS /* with equal and with unequal blocks */
};

static const char *const machines[MACHINES] = {
    "switch:latency=0.5us,bandwidth=25GB/s",
    "switch:latency=1us,bandwidth=10GB/s,gamma=7GB/s,overhead=1us",
    "switch:latency=1us,bandwidth=10GB/s,duplex=half",
    "mesh:latency=1us,bandwidth=5GB/s",
    "ring:latency=1us,bandwidth=5GB/s",
    "bus:latency=1us,bandwidth=5GB/s",
};

static const char *const models[MODELS] = {"fifo", "fluid", "postal", "packet"};

struct trial {
    const char *machine;
    const char *model;
    struct cs_call call;
};

/* How often it worked, by algorithm. */
struct tally {
    uint32_t folded;
    uint32_t waited;
};

static void expect_same(const struct cs_algo *algo, const struct trial *trial,
                        const struct cs_exec_result *whole,
                        const struct cs_exec_result *folded)
{
    if (whole->time_ps != folded->time_ps ||
        whole->messages != folded->messages ||
        whole->bytes_sent != folded->bytes_sent ||
        whole->bytes_sent_max != folded->bytes_sent_max ||
        whole->extra_bytes_max != folded->extra_bytes_max ||
        memcmp(&whole->path, &folded->path, sizeof(whole->path)) != 0)
        fail_msg("%s %s, p = %u, %s, %s: %" PRIu64 " ps whole and %" PRIu64
                 " ps folded",
                 algo->collective->name, algo->name, trial->call.ranks,
                 trial->machine, trial->model, whole->time_ps, folded->time_ps);
}

/* The links that were simulated did what they do in the whole. */
static void expect_same_use(const struct cs_fold *fold,
                            const struct cs_exec_result *whole,
                            const struct cs_exec_result *folded)
{
    for (uint32_t i = 0; i < fold->net.link_count; i++) {
        assert_int_equal(whole->use[fold->link[i]].bytes, folded->use[i].bytes);
        assert_int_equal(whole->use[fold->link[i]].busy_ps,
                         folded->use[i].busy_ps);
    }
}

static void compare(const struct cs_algo *algo, const struct trial *trial,
                    struct tally *tally)
{
    const struct cs_link_model *model = cs_link_model_find(trial->model);
    struct cs_program program = cs_algo_program(algo, &trial->call);
    struct cs_exec_result whole;
    struct cs_exec_result folded;
    struct machine machine;
    struct cs_fold *fold;
    const char *why = NULL;
    int code;

    machine_open(&machine, trial->machine, trial->call.ranks, program.agents);
    fold = cs_fold_find(&program, &machine.net, fixture_seed(), &machine.arena,
                        &why);
    assert_true(fold || why);
    code = fold ? cs_fold_run(fold, model, &machine.arena, &folded, NULL)
                : CS_FOLD_WAITED;
    assert_true(code == 0 || code == CS_FOLD_WAITED);
    tally->waited += code == CS_FOLD_WAITED;
    if (!code) {
        whole = machine_run(&machine, &program, trial->model);
        expect_same(algo, trial, &whole, &folded);
        expect_same_use(fold, &whole, &folded);
        tally->folded++;
    }
    machine_close(&machine);
}

/* All ranks, machines and models of one algorithm. */
static struct tally compare_all(const struct cs_algo *algo)
{
    const struct cs_hockney hockney = {1e-6, 10e9, 0};
    struct tally tally = {0};

    for (uint32_t p = 2; p <= RANKS_MAX; p++)
        for (size_t i = 0; i < TRIALS; i++) {
            struct trial trial = {.machine = machines[i / MODELS % MACHINES],
                                  .model = models[i % MODELS]};

            trial.call = (struct cs_call){
                .ranks = p,
                .elements = 4800 * (uint64_t)p + (i < TRIALS / 2 ? 0 : 1),
                .element_bytes = 4,
                .group = p % 4 == 0 ? 4 : 0,
            };
            cs_algo_settle(algo, &trial.call, &hockney);
            if (cs_algo_check(algo, &trial.call, NULL) == 0)
                compare(algo, &trial, &tally);
        }
    return tally;
}

static void folding_never_changes_an_answer(void **state)
{
    uint32_t algos = 0;

    (void)state;
    for (size_t a = 0; a < cs_algo_count; a++) {
        struct tally tally = compare_all(cs_algos[a]);

        if (getenv("COLLSIM_VERBOSE"))
            print_message("%s %s: folded %u, not %u\n",
                          cs_algos[a]->collective->name, cs_algos[a]->name,
                          tally.folded, tally.waited);
        algos += tally.folded > 0;
    }
    print_message("%u of %zu algorithms fold somewhere\n", algos,
                  cs_algo_count);
    assert_true(algos >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folding_never_changes_an_answer),
    };

    return cmocka_run_group_tests_name("fold", tests, NULL, NULL);
}
