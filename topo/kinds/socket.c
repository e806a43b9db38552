#include "topo/kinds/socket.h"

#include "sim/base/text.h"
#include "topo/kinds/link_kind.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Intel's models by the first CPU of each generation of UPI. */
static const char *intel_kind(const struct cs_socket *socket)
{
    long model = socket->model ? strtol(socket->model, NULL, 10) : 0;

    if (!socket->family || !cs_same(socket->family, "6") || model < 0x55)
        return "qpi";
    if (model < 0x8f)
        return "upi";
    return model < 0xcf ? "upi2" : "upi2-20g";
}

/* xGMI-3 from Genoa (family 19h, models 10h and a0h) and Turin (1ah); family is
 * fh and 16 times the extended family, as NCCL writes it. */
static const char *amd_kind(const struct cs_socket *socket)
{
    long family = socket->family ? strtol(socket->family, NULL, 10) : 0;
    long part = socket->model ? strtol(socket->model, NULL, 10) >> 4 : 0;

    if (family >= 0xbf || (family == 0xaf && (part == 0x1 || part == 0xa)))
        return "xgmi-socket-32g";
    return "xgmi-socket";
}

const char *cs_socket_kind(const struct cs_socket *socket)
{
    const char *arch = socket->arch ? socket->arch : "";
    const char *vendor = socket->vendor ? socket->vendor : "";

    if (strncmp(arch, "ppc64", 5) == 0)
        return "power9-smp";
    if (cs_same(arch, "arm64") || cs_same(arch, "aarch64"))
        return "arm-socket";
    if (cs_same(vendor, "AuthenticAMD"))
        return amd_kind(socket);
    if (cs_same(vendor, "CentaurHauls") || cs_same(vendor, "  Shanghai  "))
        return "zpi";
    return cs_same(vendor, "GenuineIntel") ? intel_kind(socket) : NULL;
}

enum cs_cpu_vendor cs_socket_vendor(const struct cs_socket *socket)
{
    const char *arch = socket->arch ? socket->arch : "";
    const char *vendor = socket->vendor ? socket->vendor : "";

    if (strncmp(arch, "ppc64", 5) == 0)
        return CS_CPU_IBM;
    if (cs_same(arch, "arm64") || cs_same(arch, "aarch64"))
        return CS_CPU_ARM;
    if (cs_same(vendor, "AuthenticAMD"))
        return CS_CPU_AMD;
    if (cs_same(vendor, "CentaurHauls") || cs_same(vendor, "  Shanghai  "))
        return CS_CPU_ZHAOXIN;
    return cs_same(vendor, "GenuineIntel") ? CS_CPU_INTEL : CS_CPU_UNKNOWN;
}

void cs_sockets_join(struct cs_graph *graph, const uint32_t *cpus, uint32_t count, const char *kind,
                     const char *name, uint32_t line)
{
    enum cs_cpu_vendor vendor = graph->devices[cpus[0]].vendor;
    uint32_t middle;

    if (count < 3 || (vendor != CS_CPU_AMD && vendor != CS_CPU_UNKNOWN)) {
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = a + 1; b < count; b++)
                cs_link_kind_join(graph, cpus[a], cpus[b], kind, 0)->line = line;
        return;
    }
    middle = cs_graph_add_device(graph, (struct cs_device){.name = name,
                                                           .kind = CS_DEVICE_SWITCH,
                                                           .host = graph->devices[cpus[0]].host});
    for (uint32_t a = 0; a < count; a++)
        cs_link_kind_join(graph, cpus[a], middle, kind, 0)->line = line;
}
