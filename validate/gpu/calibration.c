#include "validate/gpu/calibration.h"

#include "sim/base/text.h"

#include <string.h>

/* The name of a later calibration is greater as a text (measured.h). */
enum age {
    OLDEST,
    NEWEST,
};

enum wholeness {
    WHOLE, /* ended, without failed parts */
    ENDED,
    ANY,
};

/* Whether a line proves that a calibration is as whole as required. */
static bool is_enough(const struct cs_measured *m, enum wholeness least)
{
    if (least == ANY)
        return m->kind == CS_MEASURED_STREAM || m->kind == CS_MEASURED_PINGPONG;
    return m->kind == CS_MEASURED_CALIBRATED && !m->failed[0] &&
           (least == ENDED || m->part.failed_parts == 0);
}

static const char *find_calibration(const struct cs_measurements *all, const char *card,
                                    enum wholeness least, enum age age)
{
    const char *found = NULL;
    size_t i;

    for (i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];
        int order = found ? strcmp(m->calibration, found) : 0;

        if (cs_same(cs_measured_card(m), card) && is_enough(m, least) &&
            (!found || (age == NEWEST ? order > 0 : order < 0)))
            found = m->calibration;
    }
    return found;
}

const char *cs_calibration_newest(const struct cs_measurements *all, const char *card)
{
    const char *found = NULL;
    int least;

    for (least = WHOLE; least <= ANY && !found; least++)
        found = find_calibration(all, card, (enum wholeness)least, NEWEST);
    return found ? found : "";
}

const char *cs_calibration_oldest(const struct cs_measurements *all, const char *card)
{
    return find_calibration(all, card, WHOLE, OLDEST);
}

bool cs_calibration_has(const char *card, const char *calibration, const struct cs_measured *line)
{
    return cs_same(cs_measured_card(line), card) && cs_same(line->calibration, calibration) &&
           !line->failed[0];
}
