/*
 * validate training: predictions of published training steps, with scores.
 */
#ifndef CS_SCENARIOS_VALIDATE_TRAINING_H
#define CS_SCENARIOS_VALIDATE_TRAINING_H

#include "scenarios/options/command.h"

/* The command line; texts are NULL where not given. */
struct cs_training_request {
    const char *directory; /* of the four files; NULL: built in */
    const char *table;     /* one table alone */
    enum cs_format format;
    uint32_t worst; /* rows to print, worst first */
    bool points, scores, gated, estimate, leave_out;
};

/* Prints what is asked for and judges the scores last: CS_EANSWER for a score
 * that is worse than recorded, CS_EINPUT for an unknown table. */
int cs_validate_training(const struct cs_cli *cli, const struct cs_training_request *request,
                         struct cs_err *err);

#endif
