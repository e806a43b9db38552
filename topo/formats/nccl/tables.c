#include "topo/formats/nccl/tables.h"

#include "sim/base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct cs_nccl_pcie cs_nccl_pcies[] = {
    {"pcie1", "2.5 GT/s PCIe", "2.5 GT/s"}, {"pcie2", "5.0 GT/s PCIe", "5 GT/s"},
    {"pcie3", "8.0 GT/s PCIe", "8 GT/s"},   {"pcie4", "16.0 GT/s PCIe", "16 GT/s"},
    {"pcie5", "32.0 GT/s PCIe", "32 GT/s"}, {"pcie6", "64.0 GT/s PCIe", "64 GT/s"},
};

const size_t cs_nccl_pcie_count = sizeof(cs_nccl_pcies) / sizeof(*cs_nccl_pcies);

const char *cs_nccl_pcie_kind(const char *speed)
{
    for (size_t i = 0; i < cs_nccl_pcie_count; i++)
        if (cs_same(speed, cs_nccl_pcies[i].speed) || cs_same(speed, cs_nccl_pcies[i].old_speed))
            return cs_nccl_pcies[i].kind;
    return NULL;
}

bool cs_nccl_begins(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

/* Links of GPUs.  Compute capabilities from `first` to `last` have NVLinks of the kind;
 * chips whose name has the stem xGMI links: RCCL printed the number alone in older
 * versions.  The reader maps the attribute back to the kind. */
static const struct nccl_link {
    const char *kind, *attribute;
    long first, last;
    const char *stem, *old_stem;
} nccl_links[] = {
    {"nvlink5", "sm=\"100\"", 100, LONG_MAX, NULL, NULL},
    {"nvlink4", "sm=\"90\"", 90, 99, NULL, NULL},
    {"nvlink3-bridge", "sm=\"86\"", 86, 86, NULL, NULL},
    {"nvlink3", "sm=\"80\"", 80, 89, NULL, NULL},
    {"nvlink2", "sm=\"70\"", 70, 79, NULL, NULL},
    {"nvlink1", "sm=\"60\"", 60, 69, NULL, NULL},
    {"xgmi-mi350", "gcn=\"gfx950\"", 1, 0, "gfx95", "gfx95"},
    {"xgmi-mi300", "gcn=\"gfx942\"", 1, 0, "gfx94", "94"},
    {"xgmi-mi250", "gcn=\"gfx90a\"", 1, 0, "gfx90a", "91"},
    {"xgmi-mi100", "gcn=\"gfx908\"", 1, 0, "", ""},
};

enum {
    LINKS = sizeof(nccl_links) / sizeof(*nccl_links)
};

const char *cs_nccl_nvlink_kind(const char *sm)
{
    long capability = sm ? strtol(sm, NULL, 10) : 0;

    for (size_t i = 0; i < LINKS; i++)
        if (capability >= nccl_links[i].first && capability <= nccl_links[i].last)
            return nccl_links[i].kind;
    return "nvlink3"; /* NCCL's default is SM80_NVLINK_BW */
}

const char *cs_nccl_xgmi_kind(const char *gcn)
{
    size_t i = 0;

    while (i < LINKS - 1 && (!gcn || !nccl_links[i].stem ||
                             (!cs_nccl_begins(gcn, nccl_links[i].stem) &&
                              !cs_nccl_begins(gcn, nccl_links[i].old_stem))))
        i++;
    return nccl_links[i].kind;
}

const char *cs_nccl_gpu_attribute(const char *class_name, const char **kind)
{
    for (size_t i = 0; i < LINKS; i++) {
        *kind = nccl_links[i].kind;
        if (strncmp(class_name, *kind, strlen(*kind)) == 0)
            return nccl_links[i].attribute;
    }
    *kind = NULL;
    return NULL;
}

/* NCCL derives the link between sockets from the CPU; the inverse of
 * cs_socket_kind. */
static const struct {
    const char *kind, *attributes;
} nccl_cpus[] = {
    {"xgmi-socket-32g", "arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"175\" modelid=\"17\""},
    {"xgmi-socket", "arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"175\" modelid=\"49\""},
    {"upi2-20g", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"207\""},
    {"upi2", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\""},
    {"upi", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"85\""},
    {"qpi", "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"63\""},
    {"zpi", "arch=\"x86_64\" vendor=\"CentaurHauls\""},
    {"power9-smp", "arch=\"ppc64\""},
    {"arm-socket", "arch=\"arm64\""},
    {"nvlink-c2c", "arch=\"arm64\""},
};

const char *cs_nccl_cpu_attributes(const char *class_name, const char **kind)
{
    for (size_t i = 0; i < sizeof(nccl_cpus) / sizeof(*nccl_cpus); i++) {
        *kind = nccl_cpus[i].kind;
        if (strncmp(class_name, *kind, strlen(*kind)) == 0)
            return nccl_cpus[i].attributes;
    }
    *kind = NULL;
    return NULL;
}
