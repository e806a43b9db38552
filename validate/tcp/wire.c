#include "validate/tcp/wire.h"

#include <string.h>

static void wire_put(uint8_t *out, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        out[i] = (uint8_t)(number >> 8 * i);
}

static uint64_t wire_get(const uint8_t *in, unsigned bytes)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < bytes; i++)
        number |= (uint64_t)in[i] << 8 * i;
    return number;
}

static void wire_write(const char *magic, uint32_t small, uint64_t large, uint8_t out[CS_TCP_HEAD])
{
    memcpy(out, magic, 4);
    wire_put(out + 4, small, 4);
    wire_put(out + 8, large, 8);
}

static int wire_check(const uint8_t *in, const char *magic, const char *what, struct cs_err *err)
{
    if (memcmp(in, magic, 4) == 0)
        return 0;
    return cs_err_set(err, CS_EANSWER, "expected %s ('%s'), got the bytes %02x %02x %02x %02x",
                      what, magic, in[0], in[1], in[2], in[3]);
}

void cs_tcp_hello_write(const struct cs_tcp_hello *hello, uint8_t out[CS_TCP_HEAD])
{
    wire_write("CSH1", hello->party, hello->session, out);
}

void cs_tcp_head_write(const struct cs_tcp_head *head, uint8_t out[CS_TCP_HEAD])
{
    wire_write("CSM1", head->channel, head->bytes, out);
}

int cs_tcp_hello_read(const uint8_t in[CS_TCP_HEAD], struct cs_tcp_hello *hello, struct cs_err *err)
{
    hello->party = (uint32_t)wire_get(in + 4, 4);
    hello->session = wire_get(in + 8, 8);
    return wire_check(in, "CSH1", "a hello", err);
}

int cs_tcp_head_read(const uint8_t in[CS_TCP_HEAD], struct cs_tcp_head *head, struct cs_err *err)
{
    head->channel = (uint32_t)wire_get(in + 4, 4);
    head->bytes = wire_get(in + 8, 8);
    return wire_check(in, "CSM1", "the head of a frame", err);
}
