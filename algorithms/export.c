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
    const char *names[sizeof(cs_exporters) / sizeof(*cs_exporters)];
    struct cs_text list = {0};
    const char *near;
    size_t i;
    int code;

    for (i = 0; i < cs_exporter_count; i++) {
        *exporter = cs_exporters[i];
        names[i] = (*exporter)->name;
        if (cs_same(names[i], name))
            break;
        cs_text_printf(&list, "%s%s", i ? " or " : "", names[i]);
    }
    near = i < cs_exporter_count ? name : cs_nearest(name, names, i);
    code = near == name
               ? 0
               : cs_err_set(err, CS_EINPUT, "no format called '%.40s'; %s%s%s",
                            name, near ? "did you mean '" : "expected ",
                            near ? near : cs_text_str(&list), near ? "'?" : "");
    cs_text_free(&list);
    return code;
}
