/*
 * Fuzz target: transports in YAML.  Whatever the text, reading it gives numbers
 * that a machine can be fitted with, or CS_EINPUT and a sentence.
 */
#include "tests/fuzz/insist.h"
#include "topo/documents/yaml.h"
#include "topo/transports/transport.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_doc_text text = {"fuzz.yaml", (const char *)data, size};
    struct cs_transport transport;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_doc doc;
    int code = cs_yaml_read_text(text, &doc, &arena, &err);

    if (!code)
        code = cs_transport_read(&doc, &transport, &err);
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code && (err.text[0] == '\0') == (code == CS_OK));
    if (!code) {
        insist(transport.name && transport.source && transport.about);
        insist(transport.payload > 0 && transport.payload <= 1);
        insist(transport.inject_Bps >= 0 && transport.reduce_Bps >= 0);
    }
    return 0;
}
