/*
 * Corrections of a fit carried to calls that it has not seen, on other nodes or of
 * other collectives.
 *
 * What a fit learns of a table is in part the machine's, which other calls share, and
 * in part the error of the model for the table's collective and nodes, which they
 * do not.  With the first by Student's t of a degree of freedom and the second of the
 * size CS_OWN_ERROR, a correction d = ln(fitted / own) is carried as
 *
 *     d d^2 / (d^2 + CS_OWN_ERROR^2)
 *
 * a wire of another kind whole, a few per cent hardly.
 */
#pragma once

#include "algorithms/libraries/library.h"

/* The error that all rows of a table share and no other table has, of ln(time): half
 * of the error of a table is that of its collective and nodes (two tables of one
 * published machine have a correlation of .55). */
#define CS_OWN_ERROR .07

/* The time to expect of a call by the library's own parameters and by those that were
 * fitted to other calls. */
double cs_carried_s(double own_s, double fitted_s);

/* Times by fitted parameters, all parts and the interval, as far as they are carried; `own_s` is
 * the total by the library's. */
void cs_carry(double own_s, struct cs_library_time *time);
