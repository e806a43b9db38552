/*
 * validate tcp: collectives over TCP, as predicted from a calibration and as
 * measured.
 */
#ifndef CS_SCENARIOS_VALIDATE_TCP_H
#define CS_SCENARIOS_VALIDATE_TCP_H

#include "scenarios/options/command.h"

#define CS_TCP_DATA "validate/data/tcp"

struct cs_validate_tcp {
    const char *const *paths; /* files and directories; none: CS_TCP_DATA */
    size_t path_count;
    const char *out; /* directory of figures; NULL: none */
    enum cs_format format;
    bool points;
};

/* Prints the groups, or the points.  CS_EANSWER beyond a gate or for a wrong
 * sum, CS_ECANNOT without recorded runs. */
int cs_validate_tcp(const struct cs_cli *cli, const struct cs_validate_tcp *request,
                    struct cs_err *err);

#endif
