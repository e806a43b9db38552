#include "scenarios/train/system.h"

#include "sim/base/hint.h"

#include <string.h>

#define SYSTEM(name) extern const struct cs_train_system cs_train_system_##name;
#include "scenarios/train/systems.def"
#undef SYSTEM

const struct cs_train_system *const cs_train_systems[] = {
#define SYSTEM(name) &cs_train_system_##name,
#include "scenarios/train/systems.def"
#undef SYSTEM
};

const size_t cs_train_system_count =
    sizeof(cs_train_systems) / sizeof(*cs_train_systems);

int cs_train_system_find(const char *name,
                         const struct cs_train_system **system,
                         struct cs_err *err)
{
    const char *names[sizeof(cs_train_systems) / sizeof(*cs_train_systems)];

    for (size_t s = 0; s < cs_train_system_count; ++s) {
        names[s] = cs_train_systems[s]->name;
        if (!strcmp(names[s], name)) {
            *system = cs_train_systems[s];
            return 0;
        }
    }
    return cs_err_set(err, CS_EINPUT, "no training system called '%.40s'%s",
                      name,
                      cs_hint_all(name, names, cs_train_system_count).text);
}

struct cs_train_traffic cs_train_system_traffic(
    const struct cs_train_system *system, const struct cs_train_job *job)
{
    return system->traffic ? system->traffic(job) : cs_train_traffic_of(job);
}
