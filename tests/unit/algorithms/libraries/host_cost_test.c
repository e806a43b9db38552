/* Messages, copies and sums of processes, by hand. */
#include "algorithms/libraries/host_cost.h"

#include "tests/unit/algorithms/libraries/round_host.h"

static struct cs_site small_site(void)
{
    return (struct cs_site){
        .ranks = 8,
        .nodes = 2,
        .node_ranks = 4,
        .maker = CS_MAKER_NVIDIA,
        .socket_Bps = 20e9,
        .host_Bps = 150e9,
        .adapters = 1,
        .adapter_Bps = 12.1e9,
        .node_Bps = 12.1e9,
        .net = CS_NET_IB,
    };
}

static void a_message_inside_a_node_is_a_copy_by_one_core(void **state)
{
    struct cs_host_cost host = round_host();

    (void)state;
    assert_us(cs_host_inside_s(&host, 4000, 4), 1 + 1);
    /* 40 flows x 3 bytes share 240 GB/s: 2 GB/s each. */
    assert_us(cs_host_inside_s(&host, 4000, 40), 1 + 2);
}

static void messages_out_of_a_node_share_its_adapter(void **state)
{
    struct cs_host_cost host = round_host();

    (void)state;
    assert_us(cs_host_between_s(&host, 8000, 1), 2 + .1 + 4);
    assert_us(cs_host_between_s(&host, 8000, 10), 2 + 1 + 8);
    assert_us(cs_host_between_s(&host, 80000, 1), 2 + .1 + 5 + 10);
    assert_us(cs_host_between_s(&host, 80000, 4), 2 + .4 + 5 + 32);
}

static void partners_beyond_the_ranks_of_a_node_are_in_another(void **state)
{
    struct cs_host_cost host = round_host();

    (void)state;
    assert_us(cs_host_exchange_s(&host, 4000, 2, 4),
              cs_host_inside_s(&host, 4000, 4) * 1e6);
    assert_us(cs_host_exchange_s(&host, 4000, 4, 4),
              cs_host_between_s(&host, 4000, 4) * 1e6);
    /* Three members: some partners at a distance of 2 are outside. */
    assert_us(cs_host_exchange_s(&host, 4000, 2, 3),
              cs_host_between_s(&host, 4000, 2) * 1e6);
}

static void a_ring_step_is_the_mean_of_its_hops(void **state)
{
    struct cs_host_cost host = round_host();

    (void)state;
    /* Three hops of 2 us, one of 2 + .1 + 2 us. */
    assert_us(cs_host_ring_step_s(&host, 4000), (3 * 2 + 4.1) / 4);
}

static void working_sets_beyond_the_caches_slow_copies_and_sums(void **state)
{
    struct cs_host_cost host = round_host();

    (void)state;
    cs_host_cost_touch(&host, 10e6);
    assert_us(cs_host_copy_s(&host, 4000), 1);
    /* 4 x 20 MB: half is cached, half at half the rate. */
    cs_host_cost_touch(&host, 20e6);
    assert_us(cs_host_copy_s(&host, 4000), 1.5);
    assert_us(cs_host_sum_s(&host, 4000), 3);
}

static void a_pageable_copy_passes_a_buffer_and_pcie(void **state)
{
    struct cs_host_cost host = round_host();

    (void)state;
    assert_us(cs_host_stage_s(&host, 12000), 8 + 3 + 1);
}

/* Without GPUDirect a message passes host memory: cudaMemcpy on either side,
 * 8 us and 10 GB/s, of at most a fragment of 100 kB. */
static void gpu_messages_without_gpudirect_pass_host_memory(void **state)
{
    struct cs_host_cost host = round_host();

    (void)state;
    host.buffers = CS_BUFFERS_DEVICE;
    host.device_eager_bytes = 10000;
    host.device_stream_Bps = 10e9;
    host.device_fragment_bytes = 100000;
    assert_us(cs_host_between_s(&host, 8000, 1), 2 + .1 + 4 + 2 * (8 + .8));
    assert_us(cs_host_between_s(&host, 80000, 1),
              2 + .1 + 5 + 10 + 2 * (8 + 8));
    assert_us(cs_host_between_s(&host, 800000, 1),
              2 + .1 + 5 + 100 + 2 * (8 + 10));
}

/* With GPUDirect the CPU reads short messages through a window: .5 GB/s; long
 * ones go from GPU to GPU. */
static void short_gpu_messages_are_read_by_the_cpu(void **state)
{
    struct cs_host_cost host = round_host();

    (void)state;
    host.buffers = CS_BUFFERS_DEVICE;
    host.device_window = true;
    host.device_window_s = 1e-6;
    host.device_read_Bps = 0.5e9;
    host.device_eager_bytes = 10000;
    host.device_meet_s = 12e-6;
    host.device_links_Bps = 50e9;
    assert_us(cs_host_inside_s(&host, 8000, 1), 1 + 1 + 16);
    assert_us(cs_host_inside_s(&host, 100000, 1), 12 + 2);
}

static void cores_are_as_fast_as_the_memory_of_their_cpu(void **state)
{
    struct cs_site site = small_site();
    struct cs_host_cost slow, fast;

    (void)state;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &slow, NULL),
                     0);
    site.host_Bps *= 2;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &fast, NULL),
                     0);
    assert_true(
        fabs(slow.copy_Bps / (cs_host_parameters[CS_HOST_COPY] * 150e9) - 1) <
        1e-9);
    assert_true(fabs(fast.copy_Bps / slow.copy_Bps - 2) < 1e-9);
}

static void several_nodes_without_a_network_are_refused(void **state)
{
    struct cs_site site = small_site();
    struct cs_host_cost host;
    struct cs_err err = {0};

    (void)state;
    site.net = CS_NET_NONE;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &host, &err),
                     CS_ECANNOT);
    assert_non_null(strstr(err.text, "no network adapters"));
    site.nodes = 1;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &host, NULL),
                     0);
}

static void every_parameter_has_a_unit_a_source_and_a_spread(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_HOST_PARAMETERS; i++) {
        const struct cs_parameter *row = &cs_host_parameter_set.items[i];

        assert_true(row->value > 0 && row->spread >= 0 && row->spread < 1);
        assert_true(strlen(row->unit) > 0 && strlen(row->cause) > 0);
    }
}

/* Bridges of pairs leave the other GPUs of a node to PCIe. */
static void links_count_where_they_join_all_gpus(void **state)
{
    struct cs_site site = small_site();
    struct cs_host_cost host;

    (void)state;
    site.link_Bps = 300e9;
    site.gpu_path = CS_PATH_RELAY;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &host, NULL),
                     0);
    assert_true(host.device_links_Bps > 0);
    site.gpu_path = CS_PATH_SOCKET;
    assert_int_equal(cs_host_cost_of(&site, cs_host_parameters, &host, NULL),
                     0);
    assert_true(host.device_links_Bps == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_count_where_they_join_all_gpus),
        cmocka_unit_test(a_message_inside_a_node_is_a_copy_by_one_core),
        cmocka_unit_test(messages_out_of_a_node_share_its_adapter),
        cmocka_unit_test(partners_beyond_the_ranks_of_a_node_are_in_another),
        cmocka_unit_test(a_ring_step_is_the_mean_of_its_hops),
        cmocka_unit_test(working_sets_beyond_the_caches_slow_copies_and_sums),
        cmocka_unit_test(a_pageable_copy_passes_a_buffer_and_pcie),
        cmocka_unit_test(gpu_messages_without_gpudirect_pass_host_memory),
        cmocka_unit_test(short_gpu_messages_are_read_by_the_cpu),
        cmocka_unit_test(cores_are_as_fast_as_the_memory_of_their_cpu),
        cmocka_unit_test(several_nodes_without_a_network_are_refused),
        cmocka_unit_test(every_parameter_has_a_unit_a_source_and_a_spread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
