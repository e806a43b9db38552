/*
 * Recorded scores: the gate of published measurements.
 *
 * score.csv has the columns of `collsim validate published --scores --csv`,
 * written by a version of this program.  A later version fails where a score of
 * a library's tables is worse than the record allows (record.h), or where a table is
 * no longer predicted.  Scores of sites left out (left_out.h) are recorded by
 * `--leave-out --scores --csv`, and judged where they are computed.
 *
 *     read    O(bytes)
 */
#pragma once

#include "validate/lines/record.h"
#include "validate/published/score.h"

struct cs_recorded_score {
    const char *group, *name, *sizes;
    uint32_t tables;
    double median, p90;
    double left_median, left_p90; /* NAN: not recorded */
};

/* Lines are struct cs_recorded_score. */
extern const struct cs_record_form cs_published_record;

/* The sheet of scores, which is the record as CSV; the caller frees. */
void cs_published_score_sheet(const struct cs_published_score *scores, uint32_t count,
                              struct cs_sheet *sheet);

/* Sets the scores of sites left out that were not computed, for show, where the
 * record has the same number of tables. */
void cs_recorded_scores_recall(const struct cs_recorded_lines *recorded,
                               struct cs_published_score *scores, uint32_t count);

/* CS_EANSWER for the first score of a library that is worse than recorded, and
 * for a recorded score without a counterpart. */
int cs_recorded_scores_judge(const struct cs_recorded_lines *recorded,
                             const struct cs_published_score *scores, uint32_t count,
                             struct cs_err *err);
