/* Calls of a library: the record of a cost model. */
#include "scenarios/run/library_call.h"

#include "tests/unit/scenarios/run/opened.h"

struct calls {
    struct opened opened;
    struct cs_library_calls calls;
    struct cs_record record;
};

static void calls_free(struct calls *calls)
{
    opened_free(&calls->opened);
}

static void calls_open(struct calls *calls, int argc, char **argv)
{
    struct opened *opened = &calls->opened;

    if (opened_finish(opened, argc, argv))
        fail_msg("%s", opened->err.text);
    opened->which =
        (struct cs_case){.scenario = &opened->scenario,
                         .ranks = opened->scenario.ranks ? opened->scenario.ranks[0] : 0,
                         .notes = &opened->notes};
    if (cs_library_calls_open(&opened->which, &opened->arena, &calls->calls, &opened->err))
        fail_msg("%s", opened->err.text);
}

/* The call of the first size and algorithm. */
static int calls_call(struct calls *calls)
{
    return cs_library_call(&calls->calls, calls->opened.scenario.sizes[0],
                           calls->opened.scenario.by.engines[0], &calls->record);
}

static void calls_record(struct calls *calls, int argc, char **argv)
{
    calls_open(calls, argc, argv);
    if (calls_call(calls))
        fail_msg("%s", calls->opened.err.text);
}

#define CALLS_TEST(name) TEST_OF(struct calls, calls, calls_free, name)

CALLS_TEST(a_record_has_the_library_and_parts_that_sum_to_the_time)
{
    const struct cs_record *record = &calls->record;
    uint64_t parts;

    calls_record(calls, WORDS("--topo", "dgx-h100", "--library", "nccl=2.27", "--size", "64MiB"));
    parts = record->launch_ps + record->step_latency_ps + record->transfer_ps;
    assert_string_equal(record->library, "nccl=2.27");
    assert_string_equal(record->model, "nccl=2.27");
    assert_string_equal(record->collective, "all-reduce");
    assert_int_equal(record->ranks, 8);
    assert_int_equal(record->bytes, 64 << 20);
    assert_true(record->algorithm[0] && record->protocol[0]);
    assert_true(record->library_channels > 0);
    assert_true(record->time_ps > 0);
    assert_true(llabs((long long)(parts - record->time_ps)) <= 3);
    assert_true(record->low_s < (double)record->time_ps * 1e-12);
    assert_true(record->high_s > (double)record->time_ps * 1e-12);
    assert_true(isnan(record->closed_form_s));
    assert_true(record->fingerprint != 0);
}

CALLS_TEST(rates_are_those_of_nccl_tests)
{
    const struct cs_record *record = &calls->record;
    double expected;

    calls_record(calls, WORDS("--topo", "dgx-h100", "--library", "nccl", "--size", "1GiB"));
    expected = 1073741824. / ((double)record->time_ps * 1e-12);
    assert_true(fabs(record->algbw_Bps / expected - 1) < 1e-6);
    assert_true(fabs(record->busbw_Bps / (expected * 7 / 4) - 1) < 1e-6);
}

CALLS_TEST(a_forced_engine_and_protocol_are_those_of_the_record)
{
    calls_record(calls, WORDS("--topo", "dgx-h100", "--library", "nccl", "--algo", "tree",
                              "--protocol", "simple"));
    assert_string_equal(calls->record.algorithm, "tree");
    assert_string_equal(calls->record.protocol, "simple");
}

/* A process that starts eight kernels takes longer than a process per GPU. */
TEST(one_process_starts_a_call_on_one_node_by_default)
{
    struct calls one, each, by_default;

    calls_record(&one, WORDS("--topo", "dgx", "--library", "nccl", "--size", "8B", "--launch",
                             "one-process"));
    calls_record(&each, WORDS("--topo", "dgx", "--library", "nccl", "--size", "8B", "--launch",
                              "process-per-gpu"));
    calls_record(&by_default, WORDS("--topo", "dgx", "--library", "nccl", "--size", "8B"));
    assert_true(each.record.time_ps < one.record.time_ps);
    assert_int_equal(by_default.record.time_ps, one.record.time_ps);
    assert_string_equal(by_default.record.parameters, "launch=one-process");
    assert_string_equal(by_default.record.parameter[0].chosen_by, "library");
    assert_string_equal(one.record.parameter[0].chosen_by, "user");
    opened_free(&one.opened);
    opened_free(&each.opened);
    opened_free(&by_default.opened);
}

CALLS_TEST(several_nodes_have_a_process_per_gpu_by_default)
{
    calls_record(calls, WORDS("--topo", "ib-2xdgx", "--library", "nccl"));
    assert_string_equal(calls->record.parameters, "launch=process-per-gpu");
}

/* NVLS moves V into and out of a rank, schedules of ranks 2(p-1)/p V; the bound of
 * the machine is that of NVLS for both. */
TEST(the_bound_of_nvls_counts_reductions_in_switches)
{
    struct calls nvls, ring;

    calls_record(&nvls, WORDS("--topo", "dgx-h100", "--library", "nccl", "--algo", "nvls", "--size",
                              "8GiB"));
    calls_record(&ring, WORDS("--topo", "dgx-h100", "--library", "nccl", "--algo", "ring", "--size",
                              "8GiB"));
    assert_true(nvls.record.lower_bound_s < .6 * ring.record.own_bound_s);
    assert_true(nvls.record.lower_bound_s == ring.record.lower_bound_s);
    assert_true(isnan(nvls.record.own_bound_s));
    assert_true(isnan(ring.record.reachable_s));
    opened_free(&nvls.opened);
    opened_free(&ring.opened);
}

CALLS_TEST(a_time_that_is_the_bound_has_an_interval_above_it)
{
    char thin[] = "cluster:node=oci-a100,nodes=7,fabric=fat-tree,radix=8,oversubscription=2";

    calls_record(calls, WORDS("--topo", thin, "--library", "nccl", "--collective", "reduce-scatter",
                              "--protocol", "ll128", "--size", "512MiB"));
    assert_true(calls->record.low_s == calls->record.lower_bound_s);
    assert_true(calls->record.low_s <= (double)calls->record.time_ps * 1e-12);
    assert_true(calls->record.high_s > 1.1 * calls->record.lower_bound_s);
}

CALLS_TEST(fewer_ranks_are_a_smaller_site)
{
    calls_record(calls, WORDS("--topo", "ib-2xdgx", "--library", "nccl", "--ranks", "4"));
    assert_int_equal(calls->calls.site.ranks, 4);
    assert_int_equal(calls->calls.site.nodes, 1);
    assert_int_equal(calls->record.ranks, 4);
}

static void refused(int argc, char **argv, int code, const char *part)
{
    CS_AT_END(calls_free) struct calls calls;

    calls_open(&calls, argc, argv);
    assert_int_equal(calls_call(&calls), code);
    assert_int_equal(calls.opened.err.code, code);
    if (!strstr(calls.opened.err.text, part))
        fail_msg("'%s' lacks '%s'", calls.opened.err.text, part);
}

TEST(a_call_beyond_the_library_is_refused_with_the_reason)
{
    refused(WORDS("--topo", "dgx", "--library", "nccl", "--algo", "rnig"), CS_EINPUT,
            "did you mean 'ring'");
    refused(WORDS("--topo", "dgx", "--library", "nccl", "--protocol", "ll64"), CS_EINPUT,
            "expected ll, ll128, simple");
    refused(WORDS("--topo", "dgx", "--library", "nccl", "--algo", "nvls"), CS_ECANNOT,
            "NCCL has no nvls");
    refused(WORDS("--topo", "dgx", "--library", "nccl", "--collective", "barrier"), CS_ECANNOT,
            "barrier");
    refused(WORDS("--topo", "dgx", "--library", "rccl"), CS_ECANNOT, "GPUs of AMD");
    refused(WORDS("--topo", "100gbe-8", "--library", "nccl"), CS_ECANNOT, "GPUs of NVIDIA");
    refused(WORDS("--topo", "dgx", "--library", "nccl", "--ranks", "1"), CS_ECANNOT, "one rank");
    refused(WORDS("--topo", "mi300x", "--library", "rccl", "--algo", "nvls"), CS_EINPUT,
            "RCCL has no algorithm 'nvls'; expected tree");
    refused(WORDS("--topo", "cluster:node=mi300x,nodes=2", "--library", "rccl", "--algo", "direct"),
            CS_ECANNOT, "RCCL's direct exchange needs xGMI");
}

TEST(equal_calls_have_equal_fingerprints)
{
    struct calls a, b, other;

    calls_record(&a, WORDS("--topo", "dgx", "--library", "nccl"));
    calls_record(&b, WORDS("--topo", "dgx", "--library", "nccl"));
    calls_record(&other, WORDS("--topo", "dgx", "--library", "nccl", "--protocol", "ll"));
    assert_true(a.record.fingerprint == b.record.fingerprint);
    assert_true(a.record.fingerprint != other.record.fingerprint);
    opened_free(&a.opened);
    opened_free(&b.opened);
    opened_free(&other.opened);
}
