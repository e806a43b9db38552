/*
 * Parties whose peer is a test at the other end of a socket pair.
 */
#include "validate/tcp/member.h"

#include "sim/base/clock.h"
#include "tests/test.h"
#include "validate/tcp/pattern.h"
#include "validate/tcp/wire.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    BYTES = 64,
};

struct stand {
    struct cs_tcp_pattern pattern;
    struct cs_program program;
    int sockets[2]; /* of party 0: none, to the test */
    int test;
    struct cs_tcp_party *party;
};

/* Party 0 of two that exchange BYTES bytes. */
static void stand_open(struct stand *stand)
{
    struct cs_err err = {0};
    struct cs_tcp_links links = {stand->sockets, 2, 0, CS_TCP_SLEEP};
    int pair[2];

    stand->pattern = (struct cs_tcp_pattern){CS_TCP_BOTH, 1, BYTES};
    stand->program = cs_tcp_pattern_program(&stand->pattern);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    stand->sockets[0] = -1;
    stand->sockets[1] = pair[0];
    stand->test = pair[1];
    stand->party = cs_tcp_party_new(&links, &err);
    assert_non_null(stand->party);
    cs_tcp_party_prepare(stand->party, &stand->program);
}

static void stand_close(struct stand *stand)
{
    cs_tcp_party_free(stand->party);
    close(stand->sockets[1]);
    if (stand->test >= 0)
        close(stand->test);
}

static int stand_run(struct stand *stand, struct cs_err *err)
{
    return cs_tcp_party_run(stand->party, cs_clock_ns() + 200000000, err);
}

static void stand_say(const struct stand *stand, uint32_t channel, uint64_t bytes, size_t body)
{
    struct cs_tcp_head head = {channel, bytes};
    uint8_t text[CS_TCP_HEAD + 4 * BYTES] = {0};

    cs_tcp_head_write(&head, text);
    assert_int_equal(write(stand->test, text, CS_TCP_HEAD + body), CS_TCP_HEAD + body);
}

TEST(an_exchange_ends_with_both_messages)
{
    CS_AT_END(stand_close) struct stand stand;
    uint8_t got[CS_TCP_HEAD + BYTES];

    stand_open(&stand);
    stand_say(&stand, 0, BYTES, BYTES);
    assert_done(stand_run(&stand, &err));
    assert_int_equal(read(stand.test, got, sizeof(got)), sizeof(got));
    assert_memory_equal(got, "CSM1", 4);
}

static void refused(size_t count, const char *bytes, const char *expected)
{
    CS_AT_END(stand_close) struct stand stand;
    struct cs_err err = {0};

    stand_open(&stand);
    assert_int_equal(write(stand.test, bytes, count), count);
    assert_int_equal(stand_run(&stand, &err), CS_EANSWER);
    if (!strstr(err.text, expected))
        fail_msg("'%s' has no '%s'", err.text, expected);
}

TEST(rubbish_is_refused)
{
    refused(20, "GET / HTTP/1.0\r\n\r\n..", "expected the head of a frame");
    refused(5, "CSM1x", "did not end before the deadline");
}

TEST(wrong_lengths_are_refused)
{
    struct stand stand;

    stand_open(&stand);
    stand_say(&stand, 0, BYTES + 4, BYTES);
    assert_refused(stand_run(&stand, &err), CS_EANSWER,
                   "party 1 sent a message of 68 bytes where 64 are expected");
    stand_close(&stand);

    stand_open(&stand);
    stand_say(&stand, 7, UINT64_MAX, BYTES);
    assert_refused_with(stand_run(&stand, &err), CS_EANSWER, "more than the program has");
    stand_close(&stand);
}

TEST(a_peer_that_leaves_is_named)
{
    CS_AT_END(stand_close) struct stand stand;

    stand_open(&stand);
    stand_say(&stand, 0, BYTES, BYTES / 2);
    close(stand.test);
    stand.test = -1;
    assert_refused(stand_run(&stand, &err), CS_EANSWER, "rank 1 closed its connection");
}

TEST(hellos_survive_the_wire)
{
    struct cs_tcp_hello hello = {3, 0x123456789abcdef0};
    struct cs_tcp_hello got;
    struct cs_tcp_head head;
    uint8_t bytes[CS_TCP_HEAD];

    cs_tcp_hello_write(&hello, bytes);
    assert_done(cs_tcp_hello_read(bytes, &got, &err));
    assert_int_equal(got.party, 3);
    assert_int_equal(got.session, hello.session);
    assert_refused(cs_tcp_head_read(bytes, &head, &err), CS_EANSWER,
                   "expected the head of a frame ('CSM1'), got the bytes 43 53 48 31");
}
