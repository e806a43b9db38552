/*
 * A document of YAML that a test parses.
 */
#pragma once

#include "tests/test.h"
#include "topo/documents/yaml.h"

#include <string.h>

struct fixture {
    struct cs_arena arena;
    struct cs_doc doc;
    struct cs_err err;
};

static inline void parsed_free(struct fixture *f)
{
    cs_arena_free(&f->arena);
}

#define PARSED_TEST(name) TEST_OF(struct fixture, f, parsed_free, name)

/* In place of what was parsed, if anything. */
static inline int parse(struct fixture *f, const char *text)
{
    parsed_free(f);
    memset(f, 0, sizeof(*f));
    return cs_yaml_read_text((struct cs_doc_text){"f.yaml", text, strlen(text)}, &f->doc, &f->arena,
                             &f->err);
}

static inline void opened(struct fixture *f, const char *text)
{
    if (parse(f, text))
        fail_msg("%s", f->err.text);
}
