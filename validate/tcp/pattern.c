#include "validate/tcp/pattern.h"

const char *const cs_tcp_pattern_names[CS_TCP_PATTERNS] = {
    "pingpong", "pingpongs", "one", "both", "in", "out", "pairs", "pairs-both", "sum"};

static const struct cs_blocks whole = {0, 1};

uint32_t cs_tcp_pattern_parties(const struct cs_tcp_pattern *pattern)
{
    switch (pattern->kind) {
    case CS_TCP_IN:
    case CS_TCP_OUT:
        return pattern->k + 1;
    case CS_TCP_PINGPONGS:
    case CS_TCP_PAIRS:
    case CS_TCP_PAIRS_BOTH:
        return 2 * pattern->k;
    case CS_TCP_SUM:
        return pattern->k > 1 ? pattern->k : 2;
    default:
        return 2;
    }
}

static uint64_t pattern_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_tcp_pattern *pattern = ctx;

    if (pattern->kind == CS_TCP_SUM)
        return at.party < pattern->k;
    if (pattern->kind == CS_TCP_PINGPONGS)
        return 2ull * CS_TCP_TRIPS;
    return pattern->kind == CS_TCP_PINGPONG ? 2ull * pattern->k : 1;
}

static void pattern_move(struct cs_ops *out, bool sends, uint32_t peer)
{
    if (sends)
        cs_ops_send_input(out, peer, whole);
    else
        cs_ops_recv(out, peer, whole);
}

static void pattern_star(const struct cs_tcp_pattern *pattern, uint32_t rank, struct cs_ops *out)
{
    bool centre_sends = pattern->kind == CS_TCP_OUT;

    if (rank > 0) {
        pattern_move(out, !centre_sends, 0);
        return;
    }
    /* Each message has memory of its own only in the sender: what arrives at
     * the centre is added, as no two receives may write a block at once. */
    for (uint32_t i = 1; i <= pattern->k; i++)
        if (centre_sends)
            cs_ops_send_input(out, i, whole);
        else
            cs_ops_recv_reduce(out, i, whole);
}

static void pattern_sum(const struct cs_tcp_pattern *pattern, struct cs_ops *out)
{
    (void)pattern;
    cs_ops_push(out, (struct cs_op){.kind = CS_OP_REDUCE,
                                    .buffer = CS_OUTPUT,
                                    .source_buffer = CS_INPUT,
                                    .blocks = whole});
}

static void pattern_round(const void *ctx, struct cs_at at, struct cs_ops *out)
{
    const struct cs_tcp_pattern *pattern = ctx;
    uint32_t k = cs_tcp_pattern_parties(pattern) / 2;
    uint32_t peer = at.party < k ? at.party + k : at.party - k;

    switch (pattern->kind) {
    case CS_TCP_IN:
    case CS_TCP_OUT:
        pattern_star(pattern, at.party, out);
        return;
    case CS_TCP_SUM:
        pattern_sum(pattern, out);
        return;
    case CS_TCP_BOTH:
    case CS_TCP_PAIRS_BOTH:
        pattern_move(out, true, peer);
        pattern_move(out, false, peer);
        return;
    default:
        pattern_move(out, (at.party < k) == (at.round % 2 == 0), peer);
        return;
    }
}

struct cs_program cs_tcp_pattern_program(const struct cs_tcp_pattern *pattern)
{
    return (struct cs_program){
        .ranks = cs_tcp_pattern_parties(pattern),
        .lanes = 1,
        .blocks = 1,
        .elements = pattern->bytes / 4,
        .element_bytes = 4,
        .before = CS_EVERY_RANK,
        .after = CS_NOTHING,
        .ctx = pattern,
        .rounds = pattern_rounds,
        .round = pattern_round,
    };
}
