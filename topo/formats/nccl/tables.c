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

/* Compute capabilities from `first` to `last` have links of the kind. */
static const struct nccl_nvlink {
    const char *kind;
    long first, last;
    const char *attribute;
} nccl_nvlinks[] = {
    {"nvlink5", 100, LONG_MAX, "sm=\"100\""}, {"nvlink4", 90, 99, "sm=\"90\""},
    {"nvlink3-bridge", 86, 86, "sm=\"86\""},  {"nvlink3", 80, 89, "sm=\"80\""},
    {"nvlink2", 70, 79, "sm=\"70\""},         {"nvlink1", 60, 69, "sm=\"60\""},
};

/* Chips whose name has the stem have links of the kind; RCCL printed the number
 * alone in older versions. */
static const struct nccl_xgmi {
    const char *kind, *stem, *old_stem, *attribute;
} nccl_xgmis[] = {
    {"xgmi-mi350", "gfx95", "gfx95", "gcn=\"gfx950\""},
    {"xgmi-mi300", "gfx94", "94", "gcn=\"gfx942\""},
    {"xgmi-mi250", "gfx90a", "91", "gcn=\"gfx90a\""},
    {"xgmi-mi100", "", "", "gcn=\"gfx908\""},
};

enum {
    NVLINKS = sizeof(nccl_nvlinks) / sizeof(*nccl_nvlinks),
    XGMIS = sizeof(nccl_xgmis) / sizeof(*nccl_xgmis),
};

const char *cs_nccl_nvlink_kind(const char *sm)
{
    long capability = sm ? strtol(sm, NULL, 10) : 0;

    for (size_t i = 0; i < NVLINKS; i++)
        if (capability >= nccl_nvlinks[i].first && capability <= nccl_nvlinks[i].last)
            return nccl_nvlinks[i].kind;
    return "nvlink3"; /* NCCL's default is SM80_NVLINK_BW */
}

const char *cs_nccl_xgmi_kind(const char *gcn)
{
    size_t i = 0;

    while (i < XGMIS - 1 && (!gcn || (!cs_nccl_begins(gcn, nccl_xgmis[i].stem) &&
                                      !cs_nccl_begins(gcn, nccl_xgmis[i].old_stem))))
        i++;
    return nccl_xgmis[i].kind;
}

static bool nccl_is_class(const char *class_name, const char *kind)
{
    return strncmp(class_name, kind, strlen(kind)) == 0;
}

const char *cs_nccl_gpu_attribute(const char *class_name, const char **kind)
{
    for (size_t i = 0; i < NVLINKS; i++)
        if (nccl_is_class(class_name, nccl_nvlinks[i].kind)) {
            *kind = nccl_nvlinks[i].kind;
            return nccl_nvlinks[i].attribute;
        }
    for (size_t i = 0; i < XGMIS; i++)
        if (nccl_is_class(class_name, nccl_xgmis[i].kind)) {
            *kind = nccl_xgmis[i].kind;
            return nccl_xgmis[i].attribute;
        }
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
    for (size_t i = 0; i < sizeof(nccl_cpus) / sizeof(*nccl_cpus); i++)
        if (nccl_is_class(class_name, nccl_cpus[i].kind)) {
            *kind = nccl_cpus[i].kind;
            return nccl_cpus[i].attributes;
        }
    return NULL;
}
