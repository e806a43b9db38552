#include "validate/claims/formula.h"

#include <math.h>

struct formula_text {
    const char *bytes;
    const char *time;
};

static const struct formula_text formula_texts[CS_FORMULAS] = {
    [CS_FORMULA_NONE] = {"-", "-"},
    [CS_FORMULA_V] = {"V", "V/beta"},
    [CS_FORMULA_PV] = {"pV", "pV/beta"},
    [CS_FORMULA_TWO_PV] = {"2pV", "2pV/beta"},
    [CS_FORMULA_P1V] = {"(p-1)V", "(p-1)V/beta"},
    [CS_FORMULA_PP1V] = {"p(p-1)V", "p(p-1)V/beta"},
    [CS_FORMULA_TWO_P1V] = {"2(p-1)V", "2(p-1)V/beta"},
    [CS_FORMULA_P1V_P] = {"(p-1)V/p", "(p-1)V/(p beta)"},
    [CS_FORMULA_TWO_P1V_P] = {"2(p-1)V/p", "2(p-1)V/(p beta)"},
    [CS_FORMULA_FOUR_P1V_P] = {"4(p-1)V/p", "4(p-1)V/(p beta)"},
    [CS_FORMULA_TWO_V_P] = {"2V/p", "2V/(p beta)"},
    [CS_FORMULA_TWO_V] = {"2V", "2V/beta"},
    [CS_FORMULA_FOUR_V] = {"4V", "4V/beta"},
    [CS_FORMULA_V_CHUNK] = {"(1+1/k)V", "(1+1/k)V/beta, k chunks"},
    [CS_FORMULA_LEAST] = {"minimum", "the minimum time"},
};

const char *cs_formula_bytes(enum cs_formula formula)
{
    return formula_texts[formula].bytes;
}

const char *cs_formula_time(enum cs_formula formula)
{
    return formula_texts[formula].time;
}

double cs_formula_value(enum cs_formula formula, double p, double v, double chunks)
{
    switch (formula) {
    case CS_FORMULA_V:
        return v;
    case CS_FORMULA_PV:
        return p * v;
    case CS_FORMULA_TWO_PV:
        return 2 * p * v;
    case CS_FORMULA_P1V:
        return (p - 1) * v;
    case CS_FORMULA_PP1V:
        return p * (p - 1) * v;
    case CS_FORMULA_TWO_P1V:
        return 2 * (p - 1) * v;
    case CS_FORMULA_P1V_P:
        return (p - 1) * v / p;
    case CS_FORMULA_TWO_P1V_P:
        return 2 * (p - 1) * v / p;
    case CS_FORMULA_FOUR_P1V_P:
        return 4 * (p - 1) * v / p;
    case CS_FORMULA_TWO_V_P:
        return 2 * v / p;
    case CS_FORMULA_V_CHUNK:
        return (1 + 1 / chunks) * v;
    default:
        return (double)NAN;
    }
}

enum cs_formula cs_formula_odd_unbuffered(enum cs_formula formula)
{
    switch (formula) {
    case CS_FORMULA_TWO_P1V:
        return CS_FORMULA_TWO_PV;
    case CS_FORMULA_TWO_P1V_P:
        return CS_FORMULA_TWO_V;
    case CS_FORMULA_FOUR_P1V_P:
        return CS_FORMULA_FOUR_V;
    default:
        return CS_FORMULA_NONE;
    }
}
