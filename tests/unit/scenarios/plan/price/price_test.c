#include "scenarios/plan/price/price.h"

#include "tests/near.h"
#include "topo/formats/source.h"

static const struct cs_price_options standard = {
    .lifetime_s = 4 * 31557600.0, .energy_usd = 0.12, .pue = 1.2};

static double network_per_gpu(uint32_t gpus, uint64_t boxes, uint64_t cables)
{
    struct cs_price_list list = cs_price_list_of(&standard, "dgx-h100", 50e9);
    struct cs_inventory inventory = {
        .nodes = gpus / 8, .gpus = gpus, .boxes = boxes, .cables = cables};

    return cs_plan_cost_of(&inventory, &list, &standard).network_usd / gpus;
}

/* A cost sheet of August 2024 (docs.google.com/spreadsheets 1Ft3RbeZ...): switches,
 * and the price of switches, cables and optics.  512 GPUs are eight rails of a box. */
TEST(published_networks_have_the_published_price)
{
    static const struct {
        uint32_t gpus, networks, boxes;
        double usd;
    } rows[] = {
        {512, 8, 8, 963840},         {1024, 1, 48, 4349440},      {2048, 1, 96, 8698880},
        {4096, 2, 192, 17397760},    {8192, 4, 384, 34795520},    {16384, 8, 768, 69591040},
        {32768, 1, 2560, 216678400}, {65536, 1, 5120, 433356800},
    };

    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); ++r) {
        uint32_t gpus = rows[r].gpus, networks = rows[r].networks;
        struct cs_clos clos = cs_clos_of(gpus / networks, 0, 0, 64);
        double usd =
            network_per_gpu(gpus, networks * clos.boxes, gpus + networks * clos.cables) * gpus;

        assert_int_equal(networks * clos.boxes, rows[r].boxes);
        assert_within(usd, rows[r].usd, 0.05 * rows[r].usd);
    }
    assert_within(network_per_gpu(1024, 48, 2048), 4250, 4250 * 0.05);
    assert_within(network_per_gpu(32768, 2560, 98304), 6610, 6610 * 0.05);
}

/* A figure without the year of its source is worth nothing in two years. */
TEST(every_price_has_a_dated_source)
{
    uint32_t nodes = 0;

    for (size_t p = 0; p < cs_price_count; ++p) {
        const struct cs_price *price = &cs_prices[p];
        bool is_of_machine = price->kind == CS_PRICE_NODE || price->kind == CS_PRICE_RENT;
        bool is_known = !is_of_machine;

        for (size_t f = 0; f < cs_machine_file_count && !is_known; ++f)
            is_known = !strcmp(cs_machine_files[f].name, price->name);
        if (!is_known)
            fail_msg("'%s' is no machine of the library", price->name);
        if (price->usd > 0 && !strstr(price->usd_source, "20") &&
            !strstr(price->usd_source, "datastorage.com"))
            fail_msg("%s: the source of the price has no year", price->name);
        if (price->usd_low > 0)
            assert_true(price->usd_low <= price->usd && price->usd <= price->usd_high);
        nodes += price->kind == CS_PRICE_NODE && price->usd > 0;
        for (size_t o = 0; o < p; ++o)
            assert_false(price->kind == cs_prices[o].kind &&
                         !strcmp(price->name, cs_prices[o].name));
    }
    assert_true(nodes >= 12);
}

/* Rail-only with 256 GPUs in a domain saves 38 to 77 % of the network of 32,768
 * GPUs, by the switches' radix (Wang et al., arXiv 2307.12169). */
TEST(rail_only_saves_the_published_share)
{
    double all = network_per_gpu(32768, 2560, 98304);
    struct cs_clos rail = cs_clos_of(128, 0, 0, 64), wide = cs_clos_of(128, 0, 0, 128);

    assert_within(1 - network_per_gpu(32768, 256 * rail.boxes, 256 * rail.cables + 32768) / all,
                  0.38, 0.05);
    /* A switch of 128 ports at the price of two. */
    assert_within(1 - network_per_gpu(32768, 512 * wide.boxes, 256 * wide.cables + 32768) / all,
                  0.77, 0.06);
}

/* The payload of 400 Gb/s is 48.5 GB/s, of 200 Gb/s 24.2, of 100 Gb/s 12.1. */
TEST(a_port_s_payload_names_its_switch)
{
    static const struct {
        double port_Bps;
        const char *name;
    } ports[] = {
        {48.5e9, "64-port 400G"}, {50e9, "64-port 400G"},       {45e9, "40-port 200G"},
        {24.2e9, "40-port 200G"}, {12.1e9, "36-port 100G"},     {12.5e9, "36-port 100G"},
        {100e9, "64-port 800G"},  {1.18e8, "48-port Ethernet"},
    };

    for (size_t p = 0; p < sizeof(ports) / sizeof(*ports); ++p)
        assert_string_equal(
            cs_price_list_of(&standard, "dgx-h100", ports[p].port_Bps).name[CS_PRICE_SWITCH],
            ports[p].name);
}

/* Of the boxes with 800 Gb/s, those with the ports that the user asks for. */
TEST(ports_choose_the_box)
{
    struct cs_price_options options = standard;
    struct cs_price_list list = cs_price_list_of(&options, "dgx-b300", 100e9);

    assert_int_equal(list.switch_ports, 64);
    assert_true(list.usd[CS_PRICE_SWITCH] > 0);
    options.switch_ports = 144;
    list = cs_price_list_of(&options, "dgx-b300", 100e9);
    assert_string_equal(list.name[CS_PRICE_SWITCH], "144-port 800G");
    assert_true(isnan(list.usd[CS_PRICE_SWITCH]));
    /* No box of the list has as many: not the price of another. */
    options.switch_ports = 32;
    list = cs_price_list_of(&options, "dgx-h100", 50e9);
    assert_int_equal(list.switch_ports, 32);
    assert_true(isnan(list.usd[CS_PRICE_SWITCH]) && isnan(list.watts[CS_PRICE_SWITCH]));
}

/* 4 nodes, 2 switches and 30 cables of round figures, over 1000 h at 0.1 $/kWh. */
TEST(costs_add_up_nodes_switches_and_cables)
{
    struct cs_price_options options = {.lifetime_s = 3.6e6, .energy_usd = 0.1, .pue = 1.5};
    struct cs_price_list list = {.usd = {1000, 200, 10}, .watts = {500, 100, 2}};
    struct cs_inventory inventory = {.nodes = 4, .boxes = 2, .cables = 30};
    struct cs_plan_cost cost = cs_plan_cost_of(&inventory, &list, &options);

    assert_within(cost.node_usd, 4000, 1e-9);
    assert_within(cost.network_usd, 400 + 300, 1e-9);
    assert_within(cost.capital_usd, 4700, 1e-9);
    assert_within(cost.network_watts, 200 + 60, 1e-9);
    assert_within(cost.watts, 1.5 * 2260, 1e-9);
    assert_within(cost.energy_usd_per_h, 0.339, 1e-9);
    assert_within(cost.usd_per_h, 4.7 + 0.339, 1e-9);
}

static void assert_range(struct cs_price_range range, double low, double high)
{
    assert_within(range.low, low, 1e-9 * low);
    assert_within(range.high, high, 1e-9 * high);
}

/* Prices reach from the lowest to the highest published, else 20 % about a node's and
 * 30 % about a switch's or cable's; power from .76 of a node's maximum, 20 % about
 * others'.  The user's figures are exact. */
TEST(figures_have_the_range_of_their_source)
{
    struct cs_price_options options = standard;
    struct cs_price_list list = cs_price_list_of(&standard, "dgx-h100", 50e9);

    assert_range(list.usd_range[CS_PRICE_NODE], 270000, 317000);
    assert_range(list.usd_range[CS_PRICE_SWITCH], 36000, 50000);
    assert_range(list.usd_range[CS_PRICE_CABLE], 705, 1320);
    assert_range(list.watts_range[CS_PRICE_NODE], 0.76 * 10200, 10200);
    assert_range(list.watts_range[CS_PRICE_SWITCH], 0.8 * 747, 1.2 * 747);
    assert_range(list.watts_range[CS_PRICE_CABLE], 0.8 * 17, 1.2 * 17);
    assert_range(list.usd_range[CS_PRICE_RENT], 1.75, 6.16);
    assert_int_equal(list.switch_ports, 64);
    for (int kind = 0; kind < CS_PRICE_RENT; ++kind)
        assert_true(strlen(list.usd_source[kind]) > 20 && strlen(list.watts_source[kind]) > 20);
    list = cs_price_list_of(&standard, "dgx", 12.5e9);
    assert_range(list.usd_range[CS_PRICE_NODE], 0.8 * 199000, 1.2 * 199000);
    assert_true(isnan(list.usd[CS_PRICE_SWITCH]));
    options.usd.of[CS_PRICE_NODE] = 5;
    options.watts.of[CS_PRICE_CABLE] = 3;
    list = cs_price_list_of(&options, "dgx-h100", 50e9);
    assert_range(list.usd_range[CS_PRICE_NODE], 5, 5);
    assert_range(list.watts_range[CS_PRICE_CABLE], 3, 3);
    assert_range(list.usd_range[CS_PRICE_SWITCH], 36000, 50000);
}

TEST(unknown_prices_stay_unknown)
{
    struct cs_price_list list = cs_price_list_of(&standard, "mi325x", 50e9);
    struct cs_inventory inventory = {.nodes = 2, .boxes = 1, .cables = 16};
    struct cs_plan_cost cost = cs_plan_cost_of(&inventory, &list, &standard);

    assert_true(isnan(cost.capital_usd));
    assert_false(isnan(cost.network_usd));
    assert_true(isnan(cost.usd_per_h));
}

TEST(user_s_figures_replace_published_ones)
{
    struct cs_price_options options = standard;
    struct cs_price_list list;

    assert_done(cs_price_read_usd("node=250kUSD,cable=1USD", &options.usd, &err));
    assert_done(cs_price_read_watts("switch=1.5kW", &options.watts, &err));
    list = cs_price_list_of(&options, "mi300x", 50e9);
    assert_within(list.usd[CS_PRICE_NODE], 250000, 0);
    assert_within(list.usd[CS_PRICE_CABLE], 1, 0);
    assert_within(list.usd[CS_PRICE_SWITCH], 36000, 0);
    assert_within(list.watts[CS_PRICE_SWITCH], 1500, 0);
    assert_string_equal(list.usd_source[CS_PRICE_NODE], "given by the user");
    assert_done(cs_price_read_usd("[node:gpu=l4,gpus=4]=40k,dgx-b200=500k", &options.usd, &err));
    assert_within(cs_price_list_of(&options, "node:gpu=l4,gpus=4", 50e9).usd[CS_PRICE_NODE], 40e3,
                  0);
    assert_within(cs_price_list_of(&options, "dgx-b200", 50e9).usd[CS_PRICE_NODE], 500e3, 0);
}

TEST(units_of_figures_have_their_factor)
{
    static const struct {
        const char *text;
        double seconds;
    } times[] = {{"250ms", 0.25}, {"30 s", 30},   {"2m", 120},      {"2min", 120},
                 {"3h", 10800},   {"2d", 172800}, {"1y", 31557600}, {"4years", 126230400}};
    struct cs_price_own usd = {.node_count = 0}, watts = {.node_count = 0};
    double value;

    for (size_t t = 0; t < sizeof(times) / sizeof(*times); ++t) {
        assert_done(cs_number_read(times[t].text, &cs_number_span, &value, &err));
        assert_within(value, times[t].seconds, 1e-9);
    }
    assert_done(cs_number_read("0.25USD/kWh", &cs_price_energy, &value, &err));
    assert_within(value, 0.25, 0);
    assert_done(cs_price_read_usd("node=2MUSD,switch=3kUSD,cable=7USD", &usd, &err));
    assert_within(usd.of[CS_PRICE_NODE], 2e6, 0);
    assert_within(usd.of[CS_PRICE_SWITCH], 3e3, 0);
    assert_within(usd.of[CS_PRICE_CABLE], 7, 0);
    assert_done(cs_price_read_usd("300k,switch=5000", &usd, &err));
    assert_within(usd.of[CS_PRICE_NODE], 3e5, 0);
    assert_within(usd.of[CS_PRICE_SWITCH], 5e3, 0);
    assert_done(cs_price_read_usd("300k\u20ac,switch=5kEUR", &usd, &err));
    assert_within(usd.of[CS_PRICE_NODE], 3.48e5, 1e-9);
    assert_within(usd.of[CS_PRICE_SWITCH], 5.8e3, 1e-9);
    assert_done(cs_number_read("300B", &cs_number_tokens, &value, &err));
    assert_within(value, 3e11, 0);
    assert_done(cs_price_read_watts("node=0.01MW,switch=1.5kW,cable=7W", &watts, &err));
    assert_within(watts.of[CS_PRICE_NODE], 1e4, 1e-9);
    assert_within(watts.of[CS_PRICE_SWITCH], 1.5e3, 0);
    assert_within(watts.of[CS_PRICE_CABLE], 7, 0);
}

/* 0 would leave the published figure. */
TEST(a_figure_of_0_is_refused)
{
    static const char *const zero[] = {"rent=0", "dgx-h100=0", "0", "node=1k,cable=0USD"};

    for (size_t z = 0; z < sizeof(zero) / sizeof(*zero); ++z) {
        struct cs_price_own usd = {.node_count = 0};

        assert_refused_with(cs_price_read_usd(zero[z], &usd, &err), CS_EINPUT, "is not above 0");
    }
}

TEST(bad_figures_are_refused_with_the_expectation)
{
    static const char *const bad[] = {"node",      "node=",       "node=3W", "node=-3USD",
                                      "node=3GBP", "node=nanUSD", "=3USD",   "node=1e999USD"};
    struct cs_price_own usd = {.node_count = 0};
    double seconds;

    for (size_t b = 0; b < sizeof(bad) / sizeof(*bad); ++b) {
        assert_refused_with(cs_price_read_usd(bad[b], &usd, &err), CS_EINPUT, "expected");
    }
    assert_done(cs_number_read("4y", &cs_number_span, &seconds, &err));
    assert_within(seconds, 4 * 365.25 * 86400, 0);
    assert_done(cs_number_read("10m", &cs_number_span, &seconds, &err));
    assert_within(seconds, 600, 0);
    assert_int_equal(cs_number_read("4", &cs_number_span, &seconds, NULL), CS_EINPUT);
}
