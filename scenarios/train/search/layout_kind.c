#include "scenarios/train/search/layout_kind.h"

static const char *const layout_parts[CS_LAYOUT_PARTS] = {
    "sharding", "tp", "pp", "cp", "ep", "full recomputation",
};

const uint64_t cs_layout_published = UINT64_C(0x7a027f405f455f);

uint32_t cs_layout_kind(const struct cs_train_job *job)
{
    const struct cs_train_degrees *degrees = &job->degrees;
    const bool parts[CS_LAYOUT_PARTS] = {
        degrees->data_kind >= CS_DATA_ZERO2,
        degrees->tensor > 1,
        degrees->pipeline > 1,
        degrees->context > 1,
        cs_train_expert(job) > 1,
        degrees->recompute == CS_RECOMPUTE_FULL,
    };
    uint32_t kind = 0;

    for (uint32_t p = 0; p < CS_LAYOUT_PARTS; ++p)
        kind |= (uint32_t)parts[p] << p;
    return kind;
}

void cs_layout_note(const struct cs_train_job *job, struct cs_text *out)
{
    uint32_t kind = cs_layout_kind(job);
    const char *between = "; no published step has ";

    if (!job->model->transformer.layers || cs_layout_published >> kind & 1)
        return;
    for (uint32_t p = 0; p < CS_LAYOUT_PARTS; ++p)
        if (kind >> p & 1) {
            cs_text_printf(out, "%s%s", between,
                           p ? layout_parts[p] : cs_data_kind_names[job->degrees.data_kind]);
            between = " with ";
        }
}
