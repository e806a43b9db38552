#include "algorithms/bounds/rates/master.h"

#include <math.h>

enum {
    NONE = CS_MASTER_NONE,
    SETTLE_MAX = 1000
};

/* Relative to loads of about 1 in a row. */
static const double tiny = 1e-11;

static uint32_t master_rows(const struct cs_master *master)
{
    return master->resources + master->sources;
}

static double *master_row(const struct cs_master *master, uint32_t row)
{
    return &master->inverse[(size_t)row * master_rows(master)];
}

/* The places of entries other than 0 in a row; most are 0. */
static uint32_t master_find_filled(struct cs_master *master, uint32_t row)
{
    const double *own = master_row(master, row);
    uint32_t count = 0;

    for (uint32_t k = 0; k < master_rows(master); k++)
        if (own[k] != 0)
            master->filled[count++] = k;
    return count;
}

/* Replaces the basic variable of a row by the entering variable. */
static void master_pivot(struct cs_master *master, uint32_t row)
{
    double *own = master_row(master, row);
    double pivot = master->column[row];
    uint32_t filled = master_find_filled(master, row);
    const uint32_t *at = master->filled;

    for (uint32_t k = 0; k < filled; k++)
        own[at[k]] /= pivot;
    master->value[row] /= pivot;
    for (uint32_t i = 0; i < master_rows(master); i++) {
        double factor = master->column[i];
        double *other = master_row(master, i);

        if (i == row || factor == 0)
            continue;
        for (uint32_t k = 0; k < filled; k++)
            other[at[k]] -= factor * own[at[k]];
        master->value[i] -= factor * master->value[row];
    }
}

/* The loads other than 0; most are 0. */
static uint32_t master_find_loads(struct cs_master *master, const double *loads)
{
    uint32_t count = 0;

    for (uint32_t r = 0; r < master->resources; r++)
        if (loads[r] != 0)
            master->filled[count++] = r;
    return count;
}

/* The entry of a row in the column of a routing, whose loads are `filled`. */
static double master_entry(const struct cs_master *master, uint32_t row, uint32_t source,
                           const double *loads, uint32_t filled)
{
    const double *own = master_row(master, row);
    double sum = own[master->resources + source];

    for (uint32_t k = 0; k < filled; k++)
        sum += own[master->filled[k]] * loads[master->filled[k]];
    return sum;
}

/* The column of a routing in terms of the basis. */
static void master_express(struct cs_master *master, uint32_t source, const double *loads,
                           uint32_t filled)
{
    for (uint32_t i = 0; i < master_rows(master); i++)
        master->column[i] = master_entry(master, i, source, loads, filled);
}

static void master_express_slack(struct cs_master *master, uint32_t resource)
{
    for (uint32_t i = 0; i < master_rows(master); i++)
        master->column[i] = master_row(master, i)[resource];
}

static void master_express_theta(struct cs_master *master)
{
    for (uint32_t i = 0; i < master_rows(master); i++) {
        const double *row = master_row(master, i);

        master->column[i] = 0;
        for (uint32_t r = 0; r < master->resources; r++)
            master->column[i] -= row[r] * master->capacity[r];
    }
}

/* The row with the least limit of the entering variable, or NONE. */
static uint32_t master_leaving(const struct cs_master *master)
{
    uint32_t best = NONE;
    double least = (double)INFINITY;

    for (uint32_t i = 0; i < master_rows(master); i++) {
        double by = master->column[i];
        double limit;

        if (by <= tiny || i == master->theta_row)
            continue;
        limit = fmax(master->value[i], 0) / by;
        if (limit < least - tiny || (limit < least + tiny && by > master->column[best])) {
            least = fmin(least, limit);
            best = i;
        }
    }
    return best;
}

void cs_master_begin(struct cs_master *master, uint32_t resources, uint32_t sources,
                     const double *capacity, const double *loads, struct cs_arena *arena)
{
    size_t rows = (size_t)resources + sources;
    uint32_t worst = 0;

    *master = (struct cs_master){.resources = resources,
                                 .sources = sources,
                                 .capacity = capacity,
                                 .inverse = cs_arena_alloc(arena, rows * rows, sizeof(double)),
                                 .value = cs_arena_alloc(arena, rows, sizeof(double)),
                                 .column = cs_arena_alloc(arena, rows, sizeof(double)),
                                 .filled = cs_arena_alloc(arena, rows, sizeof(uint32_t)),
                                 .basis = cs_arena_alloc(arena, rows, sizeof(uint32_t)),
                                 .routings = sources,
                                 .theta_row = NONE};
    for (uint32_t i = 0; i < rows; i++) {
        master_row(master, i)[i] = 1;
        master->value[i] = i < resources ? 0 : 1;
        master->basis[i] = i < resources ? NONE : i - resources;
    }
    for (uint32_t s = 0; s < sources; s++) {
        const double *own = &loads[(size_t)s * resources];

        master_express(master, s, own, master_find_loads(master, own));
        master_pivot(master, resources + s);
    }
    /* Slacks are now minus the loads; theta makes the worst slack 0. */
    for (uint32_t r = 0; r < resources; r++)
        if (master->value[r] / capacity[r] < master->value[worst] / capacity[worst])
            worst = r;
    master_express_theta(master);
    master_pivot(master, worst);
    master->theta_row = worst;
}

/* The row of theta times the right-hand sides of the program, whatever
 * cs_master_perturb has added. */
double cs_master_theta(const struct cs_master *master)
{
    const double *row = master_row(master, master->theta_row);
    double sum = 0;

    for (uint32_t s = 0; s < master->sources; s++)
        sum += row[master->resources + s];
    return sum;
}

double cs_master_price(const struct cs_master *master, uint32_t resource)
{
    return -master_row(master, master->theta_row)[resource];
}

/* The column in the row of theta is the source's price less the cost of the
 * routing: the reduced cost with the sign changed. */
bool cs_master_enter(struct cs_master *master, uint32_t source, const double *loads)
{
    uint32_t filled = master_find_loads(master, loads);
    uint32_t row;

    if (master_entry(master, master->theta_row, source, loads, filled) <= tiny)
        return false;
    master_express(master, source, loads, filled);
    row = master_leaving(master);
    if (row == NONE)
        return false;
    master_pivot(master, row);
    master->basis[row] = master->routings++;
    return true;
}

void cs_master_shares(const struct cs_master *master, double *share)
{
    for (uint32_t i = 0; i < master->routings; i++)
        share[i] = 0;
    for (uint32_t i = 0; i < master_rows(master); i++)
        if (master->basis[i] != NONE)
            share[master->basis[i]] = fmax(master->value[i], 0);
}

/* A negative price would make routes of negative length; entering the slack of
 * the resource, the most negative first, raises the price. */
bool cs_master_settle(struct cs_master *master)
{
    for (uint32_t i = 0; i < SETTLE_MAX; i++) {
        uint32_t least = 0;
        uint32_t row;

        for (uint32_t r = 1; r < master->resources; r++)
            if (cs_master_price(master, r) < cs_master_price(master, least))
                least = r;
        if (cs_master_price(master, least) >= -tiny)
            return true;
        master_express_slack(master, least);
        row = master_leaving(master);
        if (row == NONE)
            return false;
        master_pivot(master, row);
        master->basis[row] = NONE;
    }
    return false;
}

/* Multiples of the golden ratio spread the amounts evenly, all different. */
void cs_master_perturb(struct cs_master *master)
{
    static const double least = 5e-7, golden = 0.6180339887498949;

    for (uint32_t i = 0; i < master_rows(master); i++)
        if (i != master->theta_row)
            master->value[i] = fmax(master->value[i], 0) + least * (1 + fmod(golden * (i + 1), 1));
}
