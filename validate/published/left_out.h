/*
 * Predictions of a site with parameters that were estimated without the tables
 * of the site.
 *
 * The parameters of NCCL's cost model (nccl_parameters.def) are estimates from
 * the published tables; an error on a table that took part is no error of a
 * prediction.  For each site the parameters are estimated again from the rest:
 *
 *     minimise over the healthy tables of NCCL and RCCL of the rest
 *         sum of soft_l1(weight * ln(predicted / measured))
 *       + sum of (PRIOR_WEIGHT * ln(value / prior) / spread)^2
 *
 * ln(time) is linear in ln(parameter) around the shipped values; the prediction itself is exact.  Derivatives at the estimate,
 * again until the objective rests, move the mean error of a site by less than a
 * tenth (twelve sites compared).  The influence of a site on the form
 * of the model remains.
 *
 *     predict   parameters x tables evaluations for the derivatives, then
 *               O(rows * parameters of a row^2) for each site
 */
#ifndef CS_VALIDATE_PUBLISHED_LEFT_OUT_H
#define CS_VALIDATE_PUBLISHED_LEFT_OUT_H

#include "validate/published/prediction.h"

/* Sets time_s[CS_PREDICTOR_LEFT_OUT] of the answers' rows for NCCL and RCCL; the
 * rows of other libraries stay NAN.  `basis` are the answers to estimate from; a
 * site without a table in the basis keeps the shipped parameters. */
void cs_left_out_predict(const struct cs_published_answer *basis,
                         uint32_t basis_count,
                         struct cs_published_answer *answers, uint32_t count,
                         struct cs_arena *arena);

#endif
