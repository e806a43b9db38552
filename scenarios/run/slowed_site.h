/*
 * The site of a library under slowness that is not announced.
 *
 * A library that does not know of a slow link gives the link its share of the
 * traffic, and waits for the last byte: links of one role work at the pace of the
 * slowest that carries traffic.  One of eight adapters at 10 % of its rate makes
 * every adapter one of 10 %.  The choice of the library remains that of the machine
 * without the slowness.
 *
 *     site   cs_site_read, and O(ranks x hops + slow wires x wires)
 */
#ifndef CS_SCENARIOS_RUN_SLOWED_SITE_H
#define CS_SCENARIOS_RUN_SLOWED_SITE_H

#include "algorithms/libraries/site/site.h"
#include "scenarios/run/case/run.h"

/* Reads the machine of an open run as the library plans for it, and as the traffic
 * meets it; *planned and *site are equal without hidden faults.  CS_EINPUT as
 * cs_site_read. */
int cs_slowed_site_read(const struct cs_run *run, struct cs_site *planned, struct cs_site *site);

#endif
