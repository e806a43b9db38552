# Deliberate bugs, each off unless EMU_MUTANT is its number; for `sed -z -E`
# behind rewrite.sed.  selftest.sh has their names, and how each is caught.

# warp.h
s/emu_release\(at, value, (EMU_\w+)\)/emu_mutant(1) ? emu_store(at, value) : &/g
s/value = emu_acquire\(at, (EMU_\w+)\)/value = emu_mutant(2) ? emu_load(at) : emu_acquire(at, \1)/g
s/(__syncwarp\(\);)(\s*yes = fn\(warp, threadIdx\.x\);\s*)(__syncwarp\(\);)/if (!emu_mutant(3)) \1\2if (!emu_mutant(3)) \3/
s/if \((work->op\.after & warp->pending)\)/if (!emu_mutant(4) \&\& (\1))/
s/(uint32_t sends = )(work->op\.behind & warp->pending);/\1emu_mutant(5) ? 0 : \2;/
s/\*\(volatile uint32_t \*\)work->own = work->mine;/if (!emu_mutant(6)) &/
s/(warp->now - program->rounds\[warp->lane\])(, 0\);)/\1 + (emu_mutant(7) ? 1 : 0)\2/
s/(span\.adds = )(work->op\.kind == CS_TABLE_ADD);/\1!emu_mutant(8) \&\& \2;/

# slot.h
s/return written - read < depth;/return written - read < depth + (emu_mutant(9) ? 1 : 0);/
s/return written != read;/return emu_mutant(10) || written != read;/
s/(cut->slice_bytes - )(cs_slot_phase\(cursor->at\));/\1(emu_mutant(11) ? 0 : \2);/

# span.cuh
s/return at < span\.bytes - tail \?/return at + (emu_mutant(12) ? sizeof(T) : 0) < span.bytes - tail ?/

# program.cu
s/(__syncthreads\(\);)(\s*if \(threadIdx\.x < WARP\)\s*cs_warp_finish)/if (!emu_mutant(13)) \1\2/
s/(__syncthreads\(\);)(\s*return shared->ready != 0;)/if (!emu_mutant(14)) \1\2/

# session.cu, session_memory.cu
s/(program\.warp\.system = )(host \|\| session->gpus > 1);/\1!emu_mutant(15) \&\& (\2);/
s/if \(!code\)(\s*code = settle_copies\(session\);)/if (!code \&\& !emu_mutant(16))\1/

# staged.cu
s/if \((work->mine >= staged->program\.depth)\)/if (\1 \&\& !emu_mutant(17))/
s/(wait_for\(staged, lane->streams\[IN\], staged->filled\[event\]\);)/if (!emu_mutant(18)) \1/
s/if \((warp->now != round)\)/if (\1 \&\& !emu_mutant(19))/
s/if \(work->op\.behind\)/if (work->op.behind \&\& !emu_mutant(20))/
s/if \(span\.adds && lane->slices >= TEMPS\)/if (span.adds \&\& lane->slices >= TEMPS \&\& !emu_mutant(21))/
s/(wait_for\(staged, lane->streams\[ADD\], staged->drained\[event\]\);)/if (!emu_mutant(22)) \1/
