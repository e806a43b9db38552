/* Costs: the rates of a calibration, and the reason where one is missing. */
#include "validate/gpu/machine.h"

#include "tests/unit/validate/synthetic.h"

struct bill {
    struct cs_arena arena;
    struct cs_measurements all;
    struct cs_gpu_query query;
    struct cs_gpu_model model;
    struct cs_gpu_resolved resolved;
    struct cs_calibrated_machine machine;
    struct cs_err err;
};

/* A ring of 4 ranks with a block of a slice for each channel. */
static void bill_make(struct bill *bill)
{
    synthetic_calibrate(&bill->all);
    bill->query = (struct cs_gpu_query){.algorithm = "ring",
                                        .transport = "device",
                                        .ranks = 4,
                                        .channels = 4,
                                        .gpus = 1,
                                        .bytes = 16 * SYNTHETIC_SLICE,
                                        .element_bytes = 4,
                                        .slice_bytes = SYNTHETIC_SLICE,
                                        .threads = 512};
}

static int bill_set(struct bill *bill)
{
    struct cs_calibrated_machine *machine = &bill->machine;

    bill->err = (struct cs_err){0};
    assert_int_equal(cs_gpu_model_make(&bill->all, SYNTHETIC_GPU, &bill->arena, &bill->model, NULL),
                     0);
    assert_int_equal(cs_gpu_query_resolve(&bill->query, &bill->resolved, NULL), 0);
    *machine = (struct cs_calibrated_machine){
        .model = &bill->model,
        .query = &bill->query,
        .program = &bill->resolved.program,
        .tally = cs_gpu_tally_of(&bill->query, &bill->resolved.program, &bill->arena)};
    machine->net.party_count = cs_program_parties(machine->program);
    return cs_gpu_costs_set(machine, &bill->err);
}

static void bill_free(struct bill *bill)
{
    cs_measurements_free(&bill->all);
    cs_arena_free(&bill->arena);
}

#define BILL_TEST(name) TEST_OF(struct bill, bill, bill_free, name)

/* 4 blocks put 40 GB/s, those of 4 ranks 160 GB/s; an add takes twice a get. */
BILL_TEST(costs_on_the_device_are_those_of_the_microbenchmarks)
{
    bill_make(bill);
    assert_int_equal(bill_set(bill), 0);
    assert_near(bill->machine.rates.out_Bps, 40e9, 1e-6);
    assert_near(bill->machine.rates.put_Bps, 160e9, 1e-6);
    assert_near(bill->machine.rates.gamma_s, 1 / 20e9 - 1 / 40e9, 1e-6);
    assert_near(bill->machine.latencies.alpha_s, SYNTHETIC_ALPHA_S, 1e-6);
    assert_near(bill->machine.latencies.sync_s, SYNTHETIC_SYNC_S, 1e-6);
    assert_string_equal(bill->machine.link_model, "fluid");
}

BILL_TEST(copy_engines_run_in_the_order_of_readiness)
{
    bill_make(bill);
    synthetic_engines(&bill->all, 20e9, 1e-6);
    bill->query.transport = "copy";
    assert_int_equal(bill_set(bill), 0);
    assert_string_equal(bill->machine.link_model, "fifo");
    assert_true(bill->machine.eager);
    assert_near(bill->machine.latencies.alpha_s, 2e-6, 1e-6);
    assert_near(bill->machine.latencies.start_s, SYNTHETIC_GRAPH_S, 1e-6);
}

BILL_TEST(a_missing_microbenchmark_is_named)
{
    bill_make(bill);
    bill->query.transport = "host";
    assert_int_equal(bill_set(bill), CS_ECANNOT);
    assert_string_equal(bill->err.text, "slots in host memory are not calibrated");
    bill->query.gpus = 2;
    assert_int_equal(bill_set(bill), CS_ECANNOT);
    assert_string_equal(bill->err.text, "2 GPUs through host memory are not calibrated");
    bill->query.transport = "device";
    assert_int_equal(bill_set(bill), CS_ECANNOT);
    assert_string_equal(bill->err.text, "links between 2 GPUs are not calibrated");
    bill->query.gpus = 1;
    bill->query.threads = 256;
    assert_int_equal(bill_set(bill), CS_ECANNOT);
    assert_string_equal(bill->err.text, "0 slots of 32768 bytes by 256 threads are not calibrated");
}
