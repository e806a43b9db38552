#include "reports/explain.h"
void cs_explain_svg(const struct cs_story *story, struct cs_text *out)
{
    (void)story;
    (void)out;
}
void cs_explain_gnuplot(const struct cs_story *story, const char *name,
                        struct cs_text *out)
{
    (void)story;
    (void)out;
    (void)name;
}
