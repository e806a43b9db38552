#include "topo/placement/fault.h"

#include "tests/fixture.h"

static struct cs_fault fault_of(const char *text, struct cs_arena *arena)
{
    struct cs_fault fault;

    assert_done_of(text, cs_fault_read(text, &fault, arena, &err));
    return fault;
}

/* Opens the machine, with one fault or two, as it is at that time. */
static int open_with(struct machine *machine, const char *spec, const char *const texts[2],
                     uint64_t at_ps, struct cs_err *err)
{
    struct cs_fault faults[2];
    uint32_t count = 0;
    int code;

    machine_open(machine, spec, 0, 0);
    for (; count < 2 && texts[count]; count++)
        faults[count] = fault_of(texts[count], &machine->arena);
    code = cs_faults_apply(faults, count, at_ps, &machine->graph, err);
    if (!code)
        cs_lower(&machine->graph, &machine->net, &machine->arena);
    return code;
}

static double rate_between(const struct machine *machine, uint32_t src, uint32_t dst)
{
    uint32_t links[16];
    uint32_t hops = machine->net.route(machine->net.route_ctx, src, dst, links);
    double least_Bps = machine->net.links[links[0]].rate_Bps;

    for (uint32_t i = 1; i < hops; i++)
        if (machine->net.links[links[i]].rate_Bps < least_Bps)
            least_Bps = machine->net.links[links[i]].rate_Bps;
    return least_Bps;
}

ARENA_TEST(a_fault_is_read)
{
    struct cs_fault fault = fault_of("a-b:rate=25%@2ms", arena);

    assert_string_equal(fault.where, "a-b");
    assert_true(fault.rate == 0.25);
    assert_int_equal(fault.at_ps, 2000000000);
    assert_true(fault_of("a:down", arena).rate == 0);
    assert_true(fault_of("a:up@1us", arena).rate == 1);
}

ARENA_TEST(planners_know_announced_rates_and_what_is_down)
{
    struct cs_fault slow = fault_of("a-b:rate=25%", arena);
    struct cs_fault known = fault_of("a-b:rate=25%,announced", arena);
    struct cs_fault down = fault_of("a:down", arena);
    struct cs_fault later = fault_of("a:rate=25%@2ms", arena);

    assert_true(cs_fault_is_hidden(&slow));
    assert_true(cs_fault_planned(slow).rate == 1);
    assert_false(cs_fault_is_hidden(&known));
    assert_true(cs_fault_planned(known).rate == 0.25);
    assert_true(cs_fault_planned(down).rate == 0);
    assert_false(cs_fault_is_hidden(&later)); /* no part of the start */
}

TEST(announced_is_a_word_of_rates_of_the_start)
{
    static const char *const wrong[][2] = {
        {"a:down,announced", "'announced' is for rates"},
        {"a:rate=50%,announced@2ms", "'announced' is for faults of the start"},
        {"a:rate=50%,anounced", "expected rate=50%,announced"},
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_fault fault;
        struct cs_err err = {0};

        assert_int_equal(cs_fault_read(wrong[i][0], &fault, &arena, &err), CS_EINPUT);
        assert_non_null(strstr(err.text, wrong[i][1]));
    }
}

MACHINE_TEST(half_of_the_lanes_is_half_of_the_rate)
{
    const char *const texts[2] = {"ws[0-1]-switch:rate=50%", NULL};
    CS_AT_END(machine_close) struct machine healthy;

    machine_open(&healthy, "gbe-4", 0, 0);
    assert_int_equal(open_with(machine, "gbe-4", texts, 0, NULL), 0);
    assert_true(rate_between(machine, 1, 3) == 0.5 * rate_between(&healthy, 1, 3));
    assert_true(rate_between(machine, 2, 3) == rate_between(&healthy, 2, 3));
}

MACHINE_TEST(a_route_avoids_wires_that_are_down)
{
    uint32_t links[16];

    assert_int_equal(
        open_with(machine, "dgx-1", (const char *const[]){"gpu0-gpu3:down", NULL}, 0, NULL), 0);
    assert_true(machine->net.route(machine->net.route_ctx, 0, 1, links) > 1);
}

/* A GPU sends over NVLink to the one whose adapter is on the rail of the receiver,
 * which a search does not find. */
TEST(routes_that_cross_no_lost_wire_stay)
{
    static const char spec[] = "cluster:node=dgx-h100,nodes=3,fabric=rail";
    struct machine healthy, machine;
    uint32_t before[16], after[16];

    machine_open(&healthy, spec, 0, 0);
    assert_int_equal(
        open_with(&machine, spec, (const char *const[]){"n1.nic5:down", NULL}, 0, NULL), 0);
    for (uint32_t pair = 0; pair < 24 * 24; pair++) {
        uint32_t src = pair / 24;
        uint32_t dst = pair % 24;
        uint32_t hops, kept;

        if (src == dst)
            continue;
        hops = healthy.net.route(healthy.net.route_ctx, src, dst, before);
        kept = machine.net.route(machine.net.route_ctx, src, dst, after);
        for (uint32_t i = 0; i < kept; i++)
            assert_false(machine.net.links[after[i]].down);
        for (uint32_t i = 0; i < hops; i++)
            if (machine.net.links[before[i]].down)
                hops = 0;
        if (hops) {
            assert_int_equal(kept, hops);
            assert_memory_equal(after, before, hops * sizeof(*before));
        }
    }
    machine_close(&healthy);
    machine_close(&machine);
}

/* Hops from rank 0 to rank 1 when the link between them is down. */
static uint32_t hops_round(const char *spec)
{
    const char *const texts[2] = {"rank0-rank1:down", NULL};
    CS_AT_END(machine_close) struct machine machine;
    uint32_t links[64];

    assert_int_equal(open_with(&machine, spec, texts, 0, NULL), 0);
    return machine.net.route(machine.net.route_ctx, 0, 1, links);
}

TEST(ranks_of_a_direct_network_forward_on_detours)
{
    assert_int_equal(hops_round("ring:ranks=3"), 2);
    assert_int_equal(hops_round("ring:ranks=9"), 8);
    assert_int_equal(hops_round("torus:dims=4x4"), 3);
    assert_int_equal(hops_round("hypercube:ranks=4"), 3);
}

MACHINE_TEST(a_direct_network_can_be_disconnected)
{
    const char *const texts[2] = {"rank0-rank1:down", "rank3-rank4:down"};

    assert_refused(open_with(machine, "ring:ranks=8", texts, 0, &err), CS_EINPUT,
                   "rank3-rank4:down: ring: 'rank1' cannot be reached from 'rank0'");
}

MACHINE_TEST(a_search_in_too_large_a_machine_is_rejected)
{
    const char *const texts[2] = {"switch-rank0:down", NULL};

    assert_refused_with(open_with(machine, "switch:ranks=20000", texts, 0, &err), CS_EINPUT,
                        "too large to search routes");
}

MACHINE_TEST(disconnected_ranks_are_reported)
{
    const char *const texts[2] = {"ws2:down", NULL};
    struct cs_err err = {0};

    assert_int_equal(open_with(machine, "gbe-4", texts, 0, &err), CS_EINPUT);
    assert_non_null(strstr(err.text, "ws2:down: "));
    assert_non_null(strstr(err.text, "cannot be reached"));
}

/* The one that cuts, and not the one that was given last. */
MACHINE_TEST(the_error_names_the_fault_that_disconnects)
{
    const char *const texts[2] = {"ws2:down", "ws0:rate=50%"};
    struct cs_err err = {0};

    assert_int_equal(open_with(machine, "gbe-4", texts, 0, &err), CS_EINPUT);
    assert_ptr_equal(strstr(err.text, "ws2:down: "), err.text);
}

TEST(a_temporary_disconnection_is_no_error)
{
    const char *const texts[2] = {"ws0:down@1ms", "ws0:up@2ms"};
    struct machine machine;
    uint32_t links[16];

    assert_int_equal(open_with(&machine, "gbe-4", texts, 1000000000, NULL), 0);
    assert_int_equal(machine.net.route(machine.net.route_ctx, 0, 1, links), 0);
    assert_int_equal(machine.net.route(machine.net.route_ctx, 1, 2, links), 2);
    assert_true(machine.net.links[0].down || machine.net.links[1].down);
    machine_close(&machine);
    assert_int_equal(open_with(&machine, "gbe-4", texts, 2000000000, NULL), 0);
    assert_int_equal(machine.net.route(machine.net.route_ctx, 0, 1, links), 2);
    machine_close(&machine);
}

MACHINE_TEST(a_link_that_is_down_carries_nothing_and_keeps_its_rate)
{
    const char *const texts[2] = {"ws0:down@1ms", "ws0:up@2ms"};
    struct cs_wire *wire;

    assert_int_equal(open_with(machine, "gbe-4", texts, 1000000000, NULL), 0);
    wire = &machine->graph.wires[0];
    assert_true(wire->down);
    assert_true(cs_wire_effective(wire) == 0);
    assert_true(cs_wire_when_up(wire) == cs_wire_effective(&machine->graph.wires[1]));
    assert_true(machine->net.links[0].down && machine->net.links[1].down);
    assert_true(machine->net.links[0].rate_Bps == machine->net.links[2].rate_Bps);
    assert_false(machine->net.links[2].down || machine->net.links[3].down);
}

TEST(a_later_disconnection_is_reported_in_the_graph)
{
    const char *const texts[2] = {"ws0:rate=50%", "ws2:down@1ms"};
    struct machine machine;

    assert_int_equal(open_with(&machine, "gbe-4", texts, 0, NULL), 0);
    assert_null(machine.graph.cut);
    machine_close(&machine);
    assert_int_equal(open_with(&machine, "gbe-4", texts, 1000000000, NULL), 0);
    assert_ptr_equal(strstr(machine.graph.cut, "ws2:down@1ms: "), machine.graph.cut);
    assert_non_null(strstr(machine.graph.cut, "links: ws2-switch"));
    assert_true(machine.net.links[0].rate_Bps > 0);
    machine_close(&machine);
}

TEST(an_up_without_effect_is_noted)
{
    const char *const texts[2] = {"ws0:down@1ms", "ws1:up@2ms"};
    struct machine machine;

    assert_int_equal(open_with(&machine, "gbe-4", texts, 1000000000, NULL), 0);
    assert_int_equal(machine.graph.note_count, 0);
    machine_close(&machine);
    assert_int_equal(open_with(&machine, "gbe-4", texts, 2000000000, NULL), 0);
    assert_int_equal(machine.graph.note_count, 1);
    assert_string_equal(machine.graph.notes[0],
                        "fault ws1:up@2ms has no effect: no link is down or slower at that time");
    machine_close(&machine);
}

TEST(the_last_fault_in_time_determines_the_state)
{
    const char *const texts[2] = {"ws0:up@5ms", "ws0:rate=10%@2ms"};
    CS_AT_END(machine_close) struct machine healthy;
    struct machine machine;

    machine_open(&healthy, "gbe-4", 0, 0);
    assert_int_equal(open_with(&machine, "gbe-4", texts, 0, NULL), 0);
    assert_true(rate_between(&machine, 0, 1) == rate_between(&healthy, 0, 1));
    machine_close(&machine);
    assert_int_equal(open_with(&machine, "gbe-4", texts, 2000000000, NULL), 0);
    assert_true(rate_between(&machine, 0, 1) < 0.11 * rate_between(&healthy, 0, 1));
    machine_close(&machine);
    assert_int_equal(open_with(&machine, "gbe-4", texts, 5000000000, NULL), 0);
    assert_true(rate_between(&machine, 0, 1) == rate_between(&healthy, 0, 1));
    machine_close(&machine);
}

static void refused(const char *text, const char *why)
{
    const char *const texts[2] = {text, NULL};
    CS_AT_END(machine_close) struct machine machine;
    struct cs_err err = {0};

    assert_int_equal(open_with(&machine, "gbe-4", texts, 0, &err), CS_EINPUT);
    if (!strstr(err.text, why))
        fail_msg("'%s' says: %s", text, err.text);
}

TEST(unknown_names_are_reported)
{
    refused("swich:down", "did you mean 'switch'?");
    refused("ws0-ws1:down", "'gbe-4' has no link ws0-ws1; ws0 has links to switch");
    refused("ws[0-9]:down", "no device 'ws4'");
    refused("ws[0-99999]:down", "too many devices");
    refused("ws[:down", "");
}

static void unreadable(const char *text, const char *why)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_fault fault;
    struct cs_err err = {0};

    assert_int_equal(cs_fault_read(text, &fault, &arena, &err), CS_EINPUT);
    if (!strstr(err.text, why))
        fail_msg("'%s' says: %s", text, err.text);
}

TEST(malformed_faults_are_rejected)
{
    unreadable("", "is not a fault");
    unreadable("gpu0", "is not a fault");
    unreadable(":down", "is not a fault");
    unreadable("gpu0:broken", "is not a state");
    unreadable("gpu0:rate=150%", "must be above 0");
    unreadable("gpu0:rate=0%", "must be above 0");
    unreadable("gpu0:down@2", "unit");
}

/* Four adapters of a GPU are one port: each has its name, and a quarter. */
TEST(a_lost_adapter_takes_a_share_from_the_port)
{
    static const struct {
        const char *texts[2];
        double share;
    } cases[] = {
        {{"n0.nic1:down", NULL}, 0.75},
        {{"n0.nic0:down", NULL}, 0.75},
        {{"n0.nic[0-1]:down", NULL}, 0.5},
        {{"n0.nic1:down", "n0.nic3:rate=50%"}, 0.625},
        {{"n0.nic2:down", "n0.nic2:up@1ms"}, 1},
        {{"n0.nic[0-3]:rate=10%", NULL}, 0.1},
        {{"n0.nic4:down", NULL}, 1},
    };
    static const char spec[] = "cluster:node=p5,nodes=2,fabric=rail";
    CS_AT_END(machine_close) struct machine healthy;

    machine_open(&healthy, spec, 0, 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        CS_AT_END(machine_close) struct machine machine;

        assert_int_equal(open_with(&machine, spec, cases[i].texts, UINT64_C(2000000000), NULL), 0);
        assert_within(rate_between(&machine, 0, 8) / rate_between(&healthy, 0, 8), cases[i].share,
                      1e-9);
    }
}
