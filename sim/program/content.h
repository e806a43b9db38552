/*
 * Content: what ranks have at the start of a program, and are owed at its end.
 */
#pragma once

/* Contribution and promised result of a rank. Piece r is the r-th of `ranks`
 * pieces of the vector; the vector is cut into a single piece only without
 * promises about pieces. */
enum cs_content {
    CS_EVERY_RANK, /* every rank has (is owed) the whole vector */
    CS_OWN_BLOCK,  /* rank r has (is owed) piece r */
    CS_ROOT,       /* the root has (is owed) the vector, the rest nothing */
    CS_TRANSPOSED, /* rank r is owed piece r of every rank, in their order */
    CS_SHIFTED,    /* rank r is owed the vector of rank r - 1, cyclically */
    CS_NOTHING,    /* no result is promised */
};
