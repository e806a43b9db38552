/*
 * Options: machines that are too large to simulate rank by rank.
 */
#include "scenarios/run/scenario.h"

static int set_fold(void *target, const char *value, struct cs_err *err)
{
    static const char *const names[] = {"auto", "on", "off"};
    struct cs_scenario *scenario = target;
    size_t i;

    for (i = 0; i < 3; i++) {
        scenario->fold = (enum cs_folding)i;
        if (cs_same(value, names[i]))
            return 0;
    }
    return cs_options_refuse((struct cs_option_names){"folding", names, 3},
                             value, err);
}

static const struct cs_option options[] = {
    {"fold", 0, "HOW",
     "simulate ranks that are interchangeable once: auto, on (or say why not), "
     "off  [auto]",
     set_fold},
    {0},
};

const struct cs_option_group cs_options_scale = {
    .name = "scale",
    .about = "very many ranks",
    .options = options,
};
