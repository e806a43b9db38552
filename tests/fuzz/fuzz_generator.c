/*
 * Fuzz target: parameters of generated machines.  Whatever stands after
 * "cluster:" and its like, there is a machine whose routes stay within its
 * links, or CS_EINPUT and a sentence.
 */
#include "tests/fuzz/insist.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    TEXT_MAX = 256,
    DIGITS_MAX = 2,      /* of a number: large machines are slow, not different */
    DIMS_DIGITS_MAX = 5, /* of numbers joined by x, as 99x99x9 */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A generator, and no long number nor a device file. */
static int is_meant(const char *spec)
{
    static const char *const names[] = {
        "cluster:",   "fat-tree:", "torus:", "dragonfly:", "dragonfly+:", "switch:",
        "hypercube:", "ring:",     "mesh:",  "bus:",       "node:"};
    size_t digits = 0;
    size_t dims_digits = 0;
    int is_path = strstr(spec, "=/") || strstr(spec, "+/");
    int found = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        found |= strncmp(spec, names[i], strlen(names[i])) == 0;
    for (; *spec && digits <= DIGITS_MAX && dims_digits <= DIMS_DIGITS_MAX; spec++) {
        bool is_digit = isdigit((unsigned char)*spec);

        digits = is_digit ? digits + 1 : 0;
        dims_digits = is_digit || *spec == 'x' ? dims_digits + is_digit : 0;
    }
    return found && digits <= DIGITS_MAX && dims_digits <= DIMS_DIGITS_MAX && !is_path;
}

static void walk(const struct cs_net *net, struct cs_arena *arena)
{
    uint32_t *links = cs_arena_alloc(arena, net->max_hops, sizeof(*links));

    for (uint32_t src = 0; src < net->party_count && src < 8; src++)
        for (uint32_t dst = 0; dst < net->party_count; dst++) {
            uint32_t hops = src == dst ? 1 : net->route(net->route_ctx, src, dst, links);

            insist(hops > 0 && hops <= net->max_hops);
            for (uint32_t i = 0; src != dst && i < hops; i++)
                insist(links[i] < net->link_count);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_topo_request request = {0};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_graph graph;
    struct cs_err err = {0};
    struct cs_net net;
    char spec[TEXT_MAX];
    int code;

    if (size >= sizeof(spec))
        return 0;
    memcpy(spec, data, size);
    spec[size] = '\0';
    if (!is_meant(spec))
        return 0;
    request.spec = spec;
    code = cs_topo_open(&request, &graph, &arena, &err);
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    if (!code) {
        cs_lower(&graph, &net, &arena);
        walk(&net, &arena);
    }
    return 0;
}
