#include "topo/graph/link_family.h"

#include <stddef.h>
#include <string.h>

#define LINK_FAMILY(name, gpus, counted, multicast) \
    [CS_LINK_##name] = {(gpus), (counted), (multicast)},
#define LINK_STEM(stem, family)

const struct cs_link_properties cs_link_families[CS_LINK_FAMILIES] = {
#include "topo/graph/link_families.def"
};

#undef LINK_FAMILY
#undef LINK_STEM
#define LINK_FAMILY(name, gpus, counted, multicast)
#define LINK_STEM(stem, family) {(stem), CS_LINK_##family},

enum cs_link_family cs_link_family_of(const char *class_name)
{
    static const struct {
        const char *stem;
        enum cs_link_family family;
    } stems[] = {
#include "topo/graph/link_families.def"
    };

    for (size_t i = 0; i < sizeof(stems) / sizeof(*stems); i++)
        if (strncmp(class_name, stems[i].stem, strlen(stems[i].stem)) == 0)
            return stems[i].family;
    return CS_LINK_OTHER;
}
