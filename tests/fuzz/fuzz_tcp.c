/*
 * Fuzz target: a peer that sends rubbish to a party of a TCP team.
 */
#include "algorithms/algo.h"
#include "tests/fuzz/insist.h"
#include "validate/tcp/member.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte chooses the algorithm, the second the peer of each part. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"ring", "naive", "recursive-doubling", "gather-bcast"};
    static const int sockets[] = {-1, -1, -1, -1};
    struct cs_tcp_links links = {sockets, 4, 1, CS_TCP_SLEEP};
    struct cs_hockney hockney = {1e-6, 1e9, 0};
    struct cs_call call = {.ranks = 4, .elements = 32, .element_bytes = 4};
    struct cs_tcp_party *party;
    struct cs_program program;
    struct cs_err err = {0};
    const struct cs_algo *algo;
    size_t half;

    if (size < 2)
        return 0;
    algo = cs_algo_find(names[data[0] % 4], &cs_collective_allreduce);
    cs_algo_resolve(algo, &call, &hockney);
    program = cs_algo_program(algo, &call);
    party = cs_tcp_party_new(&links, &err);
    insist(party != NULL);
    cs_tcp_party_prepare(party, &program);
    insist(cs_tcp_party_start(party, &err) == 0);
    half = (size - 2) / 2;
    if (cs_tcp_party_feed(party, data[1] % 4, data + 2, half, &err) == 0)
        cs_tcp_party_feed(party, data[1] / 4 % 4, data + 2 + half, size - 2 - half, &err);
    insist(err.code == CS_OK || err.code == CS_EANSWER);
    cs_tcp_party_free(party);
    return 0;
}
