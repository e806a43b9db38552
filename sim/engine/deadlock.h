/*
 * Deadlock: the error when events run out before the program is done.
 */
#ifndef CS_SIM_ENGINE_DEADLOCK_H
#define CS_SIM_ENGINE_DEADLOCK_H

#include "sim/engine/state.h"

/* Reports the waiting parties and their causes. */
int cs_exec_report_deadlock(const struct exec *exec);

/* Fails where a message has arrived that is never received. */
int cs_exec_check_mail(const struct exec *exec);

#endif
