#include "topo/kinds/gpu_kind.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/kinds/link_kind.h"

#include <strings.h>

const struct cs_gpu_kind cs_gpu_kinds[] = {
#define GPU_KIND(name, link, links, pcie, maker, generation, peer_access, source) \
    {#name, link, links, pcie, CS_GPU_##maker, generation, peer_access, source},
#include "topo/kinds/gpu_kinds.def"
#undef GPU_KIND
};

enum {
    KINDS = sizeof(cs_gpu_kinds) / sizeof(*cs_gpu_kinds)
};

const size_t cs_gpu_kind_count = KINDS;

int cs_gpu_kind_find(const char *name, const struct cs_gpu_kind **kind, struct cs_err *err)
{
    const char *names[KINDS];

    for (size_t i = 0; i < KINDS; i++) {
        names[i] = cs_gpu_kinds[i].name;
        if (strcasecmp(name, names[i]) == 0) {
            *kind = &cs_gpu_kinds[i];
            return 0;
        }
    }
    return cs_err_set(err, CS_EINPUT, "no GPU called '%.40s'%s", name,
                      cs_hint(name, names, KINDS, "'collsim list gpus' shows all").text);
}

bool cs_gpu_kind_has_links(const struct cs_gpu_kind *kind, const char *word)
{
    const struct cs_link_kind *link = cs_link_kind_get(kind->link);
    const char *own = link ? cs_link_families[link->family].word : NULL;

    return own && cs_same(own, word);
}

const struct cs_gpu_kind *cs_gpu_kind_guess(const char *word, uint32_t links)
{
    for (size_t i = 0; i < KINDS; i++)
        if (cs_gpu_kinds[i].links == links && cs_gpu_kind_has_links(&cs_gpu_kinds[i], word))
            return &cs_gpu_kinds[i];
    return NULL;
}

const struct cs_gpu_kind *cs_gpu_kind_of_pci(uint32_t vendor, uint32_t device)
{
    static const struct {
        uint32_t vendor, device;
        const char *name;
    } ids[] = {
#define GPU_ID(vendor, device, name) {vendor, device, #name},
#include "topo/kinds/gpu_ids.def"
#undef GPU_ID
    };
    const struct cs_gpu_kind *kind = NULL;

    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
        if (ids[i].vendor == vendor && ids[i].device == device)
            (void)cs_gpu_kind_find(ids[i].name, &kind, NULL);
    return kind;
}

const struct cs_gpu_kind *cs_gpu_kind_of_generation(enum cs_gpu_maker maker, uint32_t generation,
                                                    uint32_t links)
{
    const struct cs_gpu_kind *best = NULL;
    int merit = -1;

    for (size_t i = 0; i < KINDS; i++) {
        const struct cs_gpu_kind *kind = &cs_gpu_kinds[i];
        bool fits = kind->links == links;
        int own = fits ? 1 + kind->peer_access : 0;

        if (kind->maker == maker && kind->generation == generation && own > merit) {
            best = kind;
            merit = own;
        }
    }
    return best;
}

const struct cs_gpu_kind *cs_gpu_kind_of_link(const char *link)
{
    for (size_t i = 0; i < KINDS; i++)
        if (cs_same(cs_gpu_kinds[i].link, link))
            return &cs_gpu_kinds[i];
    return NULL;
}
