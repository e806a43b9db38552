/*
 * Evidence: what the messages of a library state about a cause.
 *
 * A log with NCCL_DEBUG=INFO names network, adapters, paths, channels, NVLS,
 * variables and choices.  A statement rules a cause in (its weight counts
 * CS_EVIDENCE_FOR times) or out (CS_EVIDENCE_AGAINST); several statements
 * multiply.  Where a cause is ruled in, the machine as described is ruled out.
 *
 *     weigh   O(choices)
 */
#ifndef CS_VALIDATE_LOGS_EVIDENCE_H
#define CS_VALIDATE_LOGS_EVIDENCE_H

#include "validate/logs/causes.h"
#include "validate/logs/log.h"

/* Between certain and silent: a message can belong to another communicator. */
#define CS_EVIDENCE_FOR     1e4
#define CS_EVIDENCE_AGAINST 1e-6
/* The log has messages, and none of a kind that the cause would print. */
#define CS_EVIDENCE_SILENT .05

enum {
    CS_EVIDENCE_FACT = 80,
};

struct cs_evidence {
    double factor;               /* 1: the log is silent */
    char fact[CS_EVIDENCE_FACT]; /* of the strongest statement; "": none */
};

/* The statements about a level of a cause: `none` is the case before the
 * change.  `facts` may be NULL. */
struct cs_evidence cs_evidence_weigh(const struct cs_log_facts *facts, const struct cs_cause *cause,
                                     const struct cs_changed *none,
                                     const struct cs_changed *changed);

#endif
