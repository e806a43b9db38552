#include "validate/claims/medium.h"

#include <stddef.h>

struct medium {
    const char *name;
    const char *about;
    const char *spec;
    const char *rival;
};

static const struct medium media[CS_MEDIA] = {
    {"shared bus", "one transfer at a time in the whole system, at beta",
     "bus:ranks=%u,bandwidth=10GB/s,latency=0us", NULL},
    {"half duplex", "a port that sends or receives, at beta; a switch with buffers between",
     "switch:ranks=%u,bandwidth=10GB/s,latency=0us,duplex=half", NULL},
    {"one-port full duplex", "a port that sends and receives at beta at once",
     "switch:ranks=%u,bandwidth=10GB/s,latency=0us", NULL},
    {"mesh", "a link of beta in each direction between every two ranks: p-1 ports",
     "mesh:ranks=%u,bandwidth=10GB/s,latency=0us", NULL},
    {"broadcast medium", "one transmission at a time, heard by all",
     "bus:ranks=%u,bandwidth=10GB/s,latency=0us", "overhear"},
    {"in-network reduction", "full-duplex ports, and a switch that reduces",
     "switch:ranks=%u,bandwidth=10GB/s,latency=0us", "sharp"},
};

const char *cs_medium_name(enum cs_medium medium)
{
    return media[medium].name;
}

const char *cs_medium_about(enum cs_medium medium)
{
    return media[medium].about;
}

const char *cs_medium_spec(enum cs_medium medium)
{
    return media[medium].spec;
}

const char *cs_medium_rival(enum cs_medium medium)
{
    return media[medium].rival;
}
