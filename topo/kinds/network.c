#include "topo/kinds/network.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <string.h>

const struct cs_network_kind cs_networks[CS_NETWORKS] = {
    [CS_NET_NONE] = {.name = "none", .stem = "", .plugin = "", .about = "", .source = ""},
#define NETWORK(identifier, word, of, carries, by, without, kernel, nccl, says, from) \
    [CS_NET_##identifier] = {.name = (word),                                          \
                             .stem = (of),                                            \
                             .carrier = CS_CARRIER_##carries,                         \
                             .plugin = (by),                                          \
                             .bare = CS_NET_##without,                                \
                             .tcp = CS_NET_##kernel,                                  \
                             .about = (says),                                         \
                             .source = (from)},
#include "topo/kinds/networks.def"
#undef NETWORK
};

int cs_network_find(const char *name, enum cs_network_id *network, struct cs_err *err)
{
    const char *names[CS_NETWORKS];

    for (unsigned i = 0; i < CS_NETWORKS; i++) {
        names[i] = cs_networks[i].name;
        *network = (enum cs_network_id)i;
        if (i != CS_NET_NONE && cs_same(names[i], name))
            return 0;
    }
    return cs_err_set(
        err, CS_EINPUT, "no network called '%.40s'%s", name,
        cs_hint(name, names + 1, CS_NETWORKS - 1, "'collsim list networks' has all").text);
}

enum cs_network_id cs_network_of_class(const char *class_name)
{
    for (unsigned i = 0; i < CS_NETWORKS; i++)
        if (*cs_networks[i].stem && strstr(class_name, cs_networks[i].stem))
            return (enum cs_network_id)i;
    return CS_NET_NONE;
}

enum cs_network_id cs_network_of_adapter(const char *name)
{
    static const struct {
        const char *stem;
        enum cs_network_id network;
    } stems[] = {{"rdmap", CS_NET_EFA1},
                 {"efa", CS_NET_EFA1},
                 {"cxi", CS_NET_SLINGSHOT},
                 {"hsn", CS_NET_SLINGSHOT},
                 {"hfi1", CS_NET_OMNI_PATH}};

    for (size_t i = 0; i < sizeof(stems) / sizeof(*stems); i++)
        if (strncmp(name, stems[i].stem, strlen(stems[i].stem)) == 0)
            return stems[i].network;
    return CS_NET_NONE;
}
