#include "scenarios/claims/redundancy.h"

#include "validate/claims/claims.h"

#include <math.h>

enum {
    REDUNDANCY_RANKS = 8
};

struct redundancy_row {
    const struct cs_algo *algo;
    struct cs_redundancy bytes; /* over V */
    double ratio;               /* sent over redundant */
    bool equal;
    const char *why;
};

#define AT(member) CS_AT(struct redundancy_row, member)
static const struct cs_sheet_column redundancy_columns[] = {
    {"collective", "collective", NULL, CS_SHEET_TEXT,
     CS_VIA2(struct redundancy_row, algo, collective, name)},
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT, CS_VIA(struct redundancy_row, algo, name)},
    {"sent_per_v", "sent", "of V", CS_SHEET_REAL, AT(bytes.sent)},
    {"redundant_per_v_after_reduce_scatter", "redundant", "after scatter", CS_SHEET_REAL,
     AT(bytes.scattered), CS_WHEN(struct redundancy_row, bytes.has_scatter)},
    {"redundant_per_v", "redundant", "of V", CS_SHEET_REAL, AT(bytes.left)},
    {"sent_per_redundant", "sent /", "redundant", CS_SHEET_REAL, AT(ratio)},
    {"equal", "equal", NULL, CS_SHEET_BOOL, AT(equal)},
    {"why", "why", NULL, CS_SHEET_TEXT, AT(why)},
};

/* The meaning of sent / redundant.  A phase of least volume leaves a redundant
 * byte per byte sent; the second of two phases overwrites the redundant bytes of
 * the first. */
static const char *why_ratio(const struct cs_algo *algo, const struct cs_redundancy *redundancy)
{
    bool two_phases = algo->collective == &cs_collective_allreduce;
    double over = redundancy->sent / redundancy->left - (two_phases ? 2 : 1);

    if (over > 1e-9)
        return two_phases ? "sends more than two least phases" : "sends more than the least volume";
    return two_phases ? "two phases of least volume, one redundancy left"
                      : "one phase of least volume";
}

static void add_redundancy(struct cs_sheet *sheet, const struct cs_algo *algo,
                           const struct cs_redundancy *redundancy)
{
    cs_sheet_row(sheet, &(struct redundancy_row){
                            .algo = algo,
                            .bytes = *redundancy,
                            .ratio = redundancy->sent / redundancy->left,
                            .equal = fabs(redundancy->sent - redundancy->left) < 1e-9,
                            .why = why_ratio(algo, redundancy),
                        });
}

/* Every algorithm that reduces or replicates and takes this number of ranks. */
static int fill_redundancy(struct cs_sheet *sheet, struct cs_err *err)
{
    static const struct cs_collective *const about[] = {
        &cs_collective_reducescatter, &cs_collective_allgather, &cs_collective_allreduce};
    struct cs_redundancy redundancy;
    int code = 0;

    for (size_t c = 0; c < 3 && !code; c++)
        for (size_t i = 0; i < cs_algo_count && !code; i++) {
            if (cs_algos[i]->collective != about[c])
                continue;
            code = cs_claim_redundancy(cs_algos[i], REDUNDANCY_RANKS, &redundancy, err);
            if (code == CS_EINPUT) { /* another number of ranks is required */
                *err = (struct cs_err){0};
                code = 0;
            } else if (!code) {
                add_redundancy(sheet, cs_algos[i], &redundancy);
            }
        }
    return code;
}

int cs_redundancy_print(const struct cs_cli *cli, enum cs_format format, struct cs_err *err)
{
    struct cs_sheet sheet = {0};
    int code;

    cs_sheet_begin(&sheet, "redundancy", CS_COLUMNS(redundancy_columns));
    code = fill_redundancy(&sheet, err);
    if (format == CS_FORMAT_TEXT)
        fprintf(cli->out,
                "redundancy against traffic, %d ranks on a switch: equal in the phases of least "
                "volume,\nwhere each block that is sent makes one copy or one stale sum; nowhere "
                "else\n\n",
                REDUNDANCY_RANKS);
    if (!code)
        cs_cli_sheet_end(cli, &sheet, format);
    return code;
}
