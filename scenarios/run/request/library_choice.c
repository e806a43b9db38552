#include "scenarios/run/request/library_choice.h"

#include "algorithms/libraries/profile.h"
#include "scenarios/options/words.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <string.h>

static bool library_is_listed(const struct cs_library_choice *by, const char *engine)
{
    for (uint32_t i = 0; i < by->engine_count; i++)
        if (by->engines[i] ? engine && cs_same(by->engines[i], engine) : !engine)
            return true;
    return false;
}

/* A cs_option_fn, by the word of --algo. */
static int library_add_engine(void *target, const char *word, struct cs_err *err)
{
    struct cs_library_choice *by = target;
    const char *engine = cs_same(word, "auto") ? NULL : word;

    if (cs_same(word, "all") || cs_same(word, "any"))
        return cs_err_set(err, CS_EINPUT,
                          "--algo %s is for simulations; with --library name algorithms of %s, or "
                          "leave --algo out for its choice",
                          word, by->library->name);
    if (library_is_listed(by, engine))
        return cs_err_set(err, CS_EINPUT, "algorithm '%.40s' is listed twice", word);
    by->engines[by->engine_count++] = engine;
    return 0;
}

/* Names have no capital letters; "NCCL=2.27" is "nccl=2.27". */
static const char *lower_case(struct cs_arena *arena, const char *name)
{
    char *text = cs_arena_text(arena, name);

    for (char *at = text; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return text;
}

int cs_library_choose(struct cs_scenario *scenario, struct cs_err *err)
{
    struct cs_library_choice *by = &scenario->by;
    const char *names = scenario->algo_names ? scenario->algo_names : "auto";
    int code = cs_profile_find(scenario->library_name, scenario->arena, &by->library, &by->version,
                               &by->profile, err);

    if (code)
        return code;
    if (!by->profile)
        scenario->library_name = lower_case(scenario->arena, scenario->library_name);
    if (scenario->buffers && by->library->launches_kernels)
        return cs_err_set(
            err, CS_EINPUT,
            "--buffers has no effect on %s, whose kernels read GPU memory; leave it out",
            by->library->name);
    if (scenario->launch && !by->library->launches_kernels &&
        !(by->library->owns_gpus && scenario->launch == CS_CALL_ONE_PROCESS))
        return cs_err_set(err, CS_EINPUT,
                          "--launch has no effect on %s, which starts no kernels; leave it out",
                          by->library->name);
    if (scenario->settings && !by->library->has_settings)
        return cs_err_set(err, CS_EINPUT, "--setting is for NCCL and RCCL; %s has none",
                          by->library->name);
    by->engines = cs_arena_alloc(scenario->arena, strlen(names) + 1, sizeof(const char *));
    return cs_options_each((struct cs_option_list){scenario->arena, library_add_engine, by}, names,
                           err);
}

int cs_library_choose_one(struct cs_scenario *scenario, struct cs_err *err)
{
    int code = cs_library_choose(scenario, err);

    if (code || scenario->by.engine_count <= 1)
        return code;
    return cs_err_set(err, CS_EINPUT, "a log is of one algorithm; expected --algo NAME");
}

const char *cs_library_engine(const struct cs_scenario *scenario)
{
    return scenario->by.engine_count ? scenario->by.engines[0] : NULL;
}
