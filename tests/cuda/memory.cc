/*
 * Memory of the emulated GPUs: pieces between pages that no access may touch, and
 * the GPUs that may reach them.
 */
#include "emulator.h"

#include <map>

#include <sys/mman.h>

namespace
{

struct piece {
    size_t bytes;
    int place;
};

std::map<const char *, piece> pieces; /* by first address */
uint64_t used[EMU_PLACES];
bool allowed[EMU_PLACES][EMU_PLACES];

const piece *piece_of(const char *at, const char **begin)
{
    auto found = pieces.upper_bound(at);

    if (found == pieces.begin())
        return NULL;
    --found;
    *begin = found->first;
    return at < found->first + (found->second.bytes + 4095) / 4096 * 4096 + 4096
               ? &found->second
               : NULL;
}

} // namespace

bool emu_allocate(int place, void **at, size_t bytes)
{
    size_t room = (bytes + 4095) / 4096 * 4096;
    char *begin;

    *at = NULL;
    if (place != EMU_HOST && used[place] + room > emu_settings.memory_bytes)
        return false;
    begin = (char *)mmap(NULL, room + 8192, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED ||
        mprotect(begin + 4096, room, PROT_READ | PROT_WRITE))
        emu_fail("no memory");
    pieces[begin + 4096] = {bytes, place};
    used[place] += room;
    *at = begin + 4096;
    return true;
}

bool emu_free(int place, void *at)
{
    auto found = pieces.find((char *)at);
    size_t room;

    if (found == pieces.end() ||
        (found->second.place == EMU_HOST) != (place == EMU_HOST))
        return false;
    room = (found->second.bytes + 4095) / 4096 * 4096;
    used[found->second.place] -= room;
    munmap((char *)at - 4096, room + 8192);
    pieces.erase(found);
    return true;
}

uint64_t emu_used(int place)
{
    return used[place];
}

void emu_allow(int device, int peer)
{
    allowed[device][peer] = true;
}

bool emu_allowed(int device, int place)
{
    return device == place || place == EMU_HOST || allowed[device][place];
}

int emu_place_of(const void *at, size_t bytes, const char *what)
{
    const char *begin = NULL;
    const piece *piece = piece_of((const char *)at, &begin);

    if (!piece)
        return -1;
    if ((const char *)at + bytes > begin + piece->bytes)
        emu_fail("%s of %zu bytes at %zu of a piece of %zu bytes", what, bytes,
                 (size_t)((const char *)at - begin), piece->bytes);
    return piece->place;
}
