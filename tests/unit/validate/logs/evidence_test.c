/* Statements of a log for and against a cause. */
#include "validate/logs/diagnosis.h"

#include "tests/fixture.h"

extern const struct cs_library cs_library_nccl;

/* Two nodes with 8 adapters and GPUDirect. */
static const struct cs_site site = {.ranks = 16,
                                    .nodes = 2,
                                    .node_ranks = 8,
                                    .adapters = 8,
                                    .net = CS_NET_IB,
                                    .gdr = true,
                                    .link_Bps = 1,
                                    .node_Bps = 8};

static struct cs_evidence evidence_of(const struct cs_log_facts *facts, const char *name,
                                      double now, double of)
{
    const struct cs_library_request request = {.site = &site};
    const struct cs_changed none = cs_changed_none(&cs_library_nccl, &request);
    const struct cs_cause cause = {.name = name};
    struct cs_changed changed = none;

    changed.now = now;
    changed.of = of;
    changed.word = "ll";
    return cs_evidence_weigh(facts, &cause, &none, &changed);
}

TEST(a_silent_log_leaves_every_cause)
{
    const struct cs_log_facts facts = {0};

    for (uint32_t i = 0; i < cs_cause_count; i++) {
        assert_true(evidence_of(NULL, cs_causes[i].name, 4, 8).factor == 1);
        assert_true(evidence_of(&facts, cs_causes[i].name, 4, 8).factor == 1);
    }
}

TEST(the_count_of_adapters_decides_the_level)
{
    const struct cs_log_facts facts = {.adapters = 4};
    struct cs_evidence evidence = evidence_of(&facts, "adapters", 4, 8);

    assert_true(evidence.factor == CS_EVIDENCE_FOR);
    assert_string_equal(evidence.fact, "4 adapters");
    assert_true(evidence_of(&facts, "adapters", 2, 8).factor == CS_EVIDENCE_AGAINST);
}

TEST(sockets_rule_tcp_in_and_ib_rules_tcp_out)
{
    const struct cs_log_facts socket = {.network = "Socket"};
    const struct cs_log_facts ib = {.network = "IB"};

    assert_true(evidence_of(&socket, "tcp", 0, 0).factor == CS_EVIDENCE_FOR);
    assert_true(evidence_of(&socket, "no-gdr", 0, 0).factor == CS_EVIDENCE_AGAINST);
    assert_true(evidence_of(&ib, "tcp", 0, 0).factor == CS_EVIDENCE_AGAINST);
}

TEST(sockets_over_one_interface_are_tcp_over_one_adapter)
{
    const struct cs_log_facts one = {.network = "Socket", .adapters = 1, .channels = 4};

    assert_true(evidence_of(&one, "tcp-one-adapter", 1, 8).factor > CS_EVIDENCE_FOR);
    assert_string_equal(evidence_of(&one, "tcp-one-adapter", 1, 8).fact, "network Socket");
    assert_true(evidence_of(&one, "tcp", 0, 0).factor < 1);
    assert_true(evidence_of(&one, "channels", 4, 16).factor == 1); /* follow from the adapter */
}

TEST(gpudirect_and_paths_are_read)
{
    const struct cs_log_facts off = {.staged = true, .adapter_path = "PHB"};
    const struct cs_log_facts on = {.gdr = true, .adapter_path = "PIX"};

    assert_true(evidence_of(&off, "no-gdr", 0, 0).factor == CS_EVIDENCE_FOR);
    assert_true(evidence_of(&off, "host-path", 0, 0).factor == CS_EVIDENCE_FOR);
    assert_true(evidence_of(&on, "no-gdr", 0, 0).factor == CS_EVIDENCE_AGAINST);
    assert_true(evidence_of(&on, "host-path", 0, 0).factor <= CS_EVIDENCE_AGAINST);
}

TEST(channels_of_a_node_are_by_peers_or_by_host_memory)
{
    const struct cs_log_facts shared = {.shared = true};
    const struct cs_log_facts peers = {.peers = true};
    const struct cs_log_facts both = {.shared = true, .peers = true};

    assert_true(evidence_of(&shared, "no-peer-access", 0, 0).factor == CS_EVIDENCE_FOR);
    assert_string_equal(evidence_of(&shared, "no-peer-access", 0, 0).fact, "GPUs by SHM");
    assert_true(evidence_of(&peers, "no-peer-access", 0, 0).factor == CS_EVIDENCE_AGAINST);
    assert_true(evidence_of(&both, "no-peer-access", 0, 0).factor == 1);
}

TEST(variables_and_their_absence_count)
{
    const struct cs_log_facts net = {.settings = "NCCL_NET_GDR_LEVEL=PIX, NCCL_NET=Socket"};
    const struct cs_log_facts set = {.settings = "NCCL_ALGO=Ring, NCCL_PROTO=LL", .channels = 16};
    const struct cs_log_facts not_set = {.channels = 16};
    const struct cs_log_facts but = {.settings = "NCCL_PROTO=^LL128, NCCL_IB_DISABLE=1"};

    assert_true(evidence_of(&set, "protocol", 0, 0).factor == CS_EVIDENCE_FOR);
    assert_true(evidence_of(&not_set, "protocol", 0, 0).factor == CS_EVIDENCE_SILENT);
    assert_true(evidence_of(&but, "no-ll128", 0, 0).factor == CS_EVIDENCE_FOR);
    assert_true(evidence_of(&but, "tcp-one-adapter", 1, 8).factor == CS_EVIDENCE_FOR);
    assert_true(evidence_of(&net, "tcp", 0, 0).factor == CS_EVIDENCE_FOR);
}

TEST(a_call_by_another_protocol_rules_a_forced_one_out)
{
    struct cs_log_choice choice = {"", 8, "ring", "ll128", 1};
    const struct cs_log_facts facts = {.choices = &choice, .choice_count = 1};

    assert_true(evidence_of(&facts, "protocol", 0, 0).factor == CS_EVIDENCE_AGAINST);
    assert_true(evidence_of(&facts, "no-ll128", 0, 0).factor == CS_EVIDENCE_AGAINST);
    assert_true(evidence_of(&facts, "no-nvls", 0, 0).factor == 1);
}
