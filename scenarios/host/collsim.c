#include "scenarios/host/collsim.h"

#include "scenarios/call.h"
#include "sim/base/mem.h"
#include "topo/documents/json_tokens.h"

#include <locale.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define PUBLIC __attribute__((visibility("default")))

/* An option as a word of a command line, "--size=1MiB": a value is no option of its own. */
struct host_word {
    char *text;
    size_t name; /* bytes of "--size"; 0: no option */
};

struct collsim {
    char *command;
    struct host_word *words;
    size_t count;
    collsim_progress *progress;
    void *context;
    bool stopped, lost; /* lost: an option, for lack of memory */
    /* Of the last run: */
    char *output, *notes;
    struct cs_err err;
};

PUBLIC const char *collsim_version(void)
{
    return CS_VERSION;
}

/* ---- lack of memory ---- */

static void host_leave(void *ctx)
{
    siglongjmp(*(sigjmp_buf *)ctx, 1);
}

/* False where memory was exhausted. */
static bool host_try(void (*work)(void *ctx), void *ctx)
{
    sigjmp_buf here;
    const struct cs_mem_leave before =
        cs_mem_on_exhaustion((struct cs_mem_leave){host_leave, &here});
    bool done = sigsetjmp(here, 1) == 0;

    if (done)
        work(ctx);
    cs_mem_on_exhaustion(before);
    return done;
}

/* ---- options ---- */

static char *host_copy(const char *text)
{
    size_t bytes = strlen(text) + 1;

    return memcpy(cs_grow(NULL, bytes, 1), text, bytes);
}

/* The option of the call's command; NULL: none. */
static const struct cs_option *host_option(const struct collsim *call, const char *name)
{
    const struct cs_command *command;
    const struct cs_option *option = NULL;
    struct cs_err none = {0};
    CS_AT_END(cs_text_free) struct cs_text word = {0};

    cs_text_printf(&word, "--%s", name);
    if (cs_call_find(call->command, &command, &none) == 0)
        option = cs_call_option(command, cs_text_str(&word));
    return option;
}

struct host_new {
    const char *command;
    struct collsim *made;
};

static void host_make(void *ctx)
{
    struct host_new *of = ctx;
    struct collsim *call = cs_grow(NULL, 1, sizeof(*call));

    *call = (struct collsim){.command = host_copy(of->command)};
    if (host_option(call, "json"))
        collsim_set(call, "json", NULL);
    of->made = call;
}

PUBLIC struct collsim *collsim_new(const char *command)
{
    struct host_new of = {command, NULL};

    return host_try(host_make, &of) ? of.made : NULL;
}

struct host_asked {
    const struct collsim *call;
    const char *option;
    bool repeats;
};

static void host_look(void *ctx)
{
    struct host_asked *asked = ctx;
    const struct cs_option *known = host_option(asked->call, asked->option);

    asked->repeats = known && known->repeats;
}

PUBLIC int collsim_repeats(const struct collsim *call, const char *option)
{
    struct host_asked asked = {call, option, false};

    return host_try(host_look, &asked) && asked.repeats;
}

PUBLIC void collsim_free(struct collsim *call)
{
    if (!call)
        return;
    for (size_t i = 0; i < call->count; i++)
        free(call->words[i].text);
    free(call->words);
    free(call->command);
    free(call->output);
    free(call->notes);
    free(call);
}

/* Another form of the output, as --csv, is in place of --json. */
static void host_change_form(struct collsim *call, const char *name)
{
    const struct cs_option *option = host_option(call, name), *json = host_option(call, "json");

    if (option && json && option != json && option->type == CS_OPTION_FLAG &&
        option->place == json->place && option->size == json->size)
        collsim_unset(call, "json");
}

struct host_added {
    struct collsim *call;
    const char *option, *value;
};

static void host_add(void *ctx)
{
    const struct host_added *added = ctx;
    struct collsim *call = added->call;
    const char *option = added->option, *value = added->value;
    struct host_word word = {.name = option ? strlen(option) + 2 : 0};
    struct cs_text text = {0};

    if (option)
        host_change_form(call, option);
    cs_text_printf(&text, "%s%s%s%s", option ? "--" : "", option ? option : "",
                   option && value ? "=" : "", value ? value : "");
    word.text = host_copy(cs_text_str(&text));
    cs_text_free(&text);
    call->words = cs_grow(call->words, call->count + 1, sizeof(*call->words));
    call->words[call->count++] = word;
}

PUBLIC void collsim_add(struct collsim *call, const char *option, const char *value)
{
    struct host_added added = {call, option, value};

    call->lost |= !host_try(host_add, &added);
}

PUBLIC void collsim_unset(struct collsim *call, const char *option)
{
    size_t name = strlen(option) + 2, kept = 0;

    for (size_t i = 0; i < call->count; i++)
        if (call->words[i].name == name && strncmp(call->words[i].text + 2, option, name - 2) == 0)
            free(call->words[i].text);
        else
            call->words[kept++] = call->words[i];
    call->count = kept;
}

PUBLIC void collsim_set(struct collsim *call, const char *option, const char *value)
{
    collsim_unset(call, option);
    collsim_add(call, option, value);
}

/* A text is known by its lines, of which even one has an end. */
PUBLIC void collsim_machine(struct collsim *call, const char *text)
{
    CS_AT_END(cs_text_free) struct cs_text lines = {0};

    cs_text_printf(&lines, "%s\n", text);
    collsim_set(call, "topo", cs_text_str(&lines));
}

PUBLIC void collsim_watch(struct collsim *call, collsim_progress *progress, void *context)
{
    call->progress = progress;
    call->context = context;
}

/* ---- the run ---- */

/* A run that has been stopped stays so. */
static bool host_goes_on(void *ctx, const char *phase, double share)
{
    struct collsim *call = ctx;

    if (!call->stopped && call->progress)
        call->stopped = call->progress(call->context, phase, share) != 0;
    return !call->stopped;
}

/* The command line: the words, then the options. */
static int host_words(const struct collsim *call, char **argv)
{
    int argc = 0;

    argv[argc++] = call->command;
    for (int is_option = 0; is_option < 2; is_option++)
        for (size_t i = 0; i < call->count; i++)
            if ((call->words[i].name > 0) == is_option)
                argv[argc++] = call->words[i].text;
    argv[argc] = NULL;
    return argc;
}

struct host_run {
    struct collsim *call;
    FILE *out, *messages;
    int status;
};

static void host_call(void *ctx)
{
    struct host_run *run = ctx;
    struct cs_progress_host host = {.goes_on = host_goes_on, .ctx = run->call};
    struct cs_progress_line progress = {.messages = run->messages, .host = &host};
    const struct cs_cli cli = {
        .out = run->out, .messages = run->messages, .style = CS_STYLE_PLAIN, .progress = &progress};
    char **argv = cs_grow(NULL, run->call->count + 2, sizeof(*argv));
    int argc = host_words(run->call, argv);

    run->status = cs_call(&cli, argc, argv, &run->call->err);
    cs_progress_line_close(&progress);
    free(argv);
}

/* Numbers have points, whatever the locale of the process. */
static int host_call_in_c(struct collsim *call, FILE *out, FILE *messages)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(c);
    struct host_run run = {call, out, messages, COLLSIM_CANNOT};

    if (call->lost || !host_try(host_call, &run))
        (void)cs_err_set(&call->err, CS_ECANNOT, "out of memory");
    (void)uselocale(before);
    if (c)
        freelocale(c);
    return run.status;
}

PUBLIC int collsim_run(struct collsim *call)
{
    size_t bytes[2];
    FILE *out, *messages;
    int status = COLLSIM_CANNOT;

    free(call->output);
    free(call->notes);
    call->output = call->notes = NULL;
    call->err = (struct cs_err){0};
    call->stopped = false;
    out = open_memstream(&call->output, &bytes[0]);
    messages = open_memstream(&call->notes, &bytes[1]);
    if (out && messages)
        status = host_call_in_c(call, out, messages);
    else
        (void)cs_err_set(&call->err, CS_ECANNOT, "no memory for the output");
    if (out)
        (void)fclose(out);
    if (messages)
        (void)fclose(messages);
    return status;
}

/* ---- the result ---- */

PUBLIC const char *collsim_output(const struct collsim *call)
{
    return call->output ? call->output : "";
}

PUBLIC const char *collsim_error(const struct collsim *call)
{
    return call->err.text;
}

PUBLIC const char *collsim_notes(const struct collsim *call)
{
    return call->notes ? call->notes : "";
}

/* The token of the member, or of the place in the list, whose begin was the last. */
static enum cs_json_token host_step(struct cs_json_reader *json, enum cs_json_token from,
                                    const char *name, size_t length)
{
    enum cs_json_token token = cs_json_reader_next(json);
    bool is_list = from == CS_JSON_LIST;
    char *end;
    unsigned long place = strtoul(name, &end, 10);

    if (is_list && end != name + length)
        return CS_JSON_BAD;
    while (is_list
               ? token > CS_JSON_STOPS && token != CS_JSON_LIST_END && place-- > 0
               : token == CS_JSON_KEY && (strncmp(cs_json_reader_text(json), name, length) != 0 ||
                                          cs_json_reader_text(json)[length])) {
        (void)cs_json_reader_skip(json);
        token = cs_json_reader_next(json);
    }
    return token == CS_JSON_KEY ? cs_json_reader_next(json) : token;
}

PUBLIC int collsim_number(const struct collsim *call, const char *path, double *value)
{
    const char *text = collsim_output(call);
    struct cs_json_reader *json = cs_json_reader_open(
        (struct cs_json_source){.text = text, .length = strlen(text)}, "the output");
    enum cs_json_token token = cs_json_reader_next(json);

    while (*path && (token == CS_JSON_OBJECT || token == CS_JSON_LIST)) {
        size_t length = strcspn(path, ".");

        token = host_step(json, token, path, length);
        path += length + (path[length] == '.');
    }
    if (token == CS_JSON_NUMBER)
        *value = cs_json_reader_number(json);
    else
        *value = token == CS_JSON_TRUE;
    cs_json_reader_close(json);
    return !*path && (token == CS_JSON_NUMBER || token == CS_JSON_TRUE || token == CS_JSON_FALSE)
               ? 0
               : -1;
}
