#include "algorithms/export.h"

#define EXPORTER(name) extern const struct cs_exporter cs_exporter_##name;
#include "algorithms/exporters.def"
#undef EXPORTER

const struct cs_exporter *const cs_exporters[] = {
#define EXPORTER(name) &cs_exporter_##name,
#include "algorithms/exporters.def"
#undef EXPORTER
};

const size_t cs_exporter_count = sizeof(cs_exporters) / sizeof(*cs_exporters);

int cs_exporter_choose(const char *name, const struct cs_exporter **exporter,
                       struct cs_err *err)
{
    struct cs_text list = {0};
    size_t i;
    int code;

    for (i = 0; i < cs_exporter_count; i++) {
        *exporter = cs_exporters[i];
        if (cs_same((*exporter)->name, name))
            break;
        cs_text_printf(&list, "%s%s", i ? " or " : "", (*exporter)->name);
    }
    code = i < cs_exporter_count
               ? 0
               : cs_err_set(err, CS_EINPUT,
                            "no format called '%.40s'; expected %s", name,
                            cs_text_str(&list));
    cs_text_free(&list);
    return code;
}
