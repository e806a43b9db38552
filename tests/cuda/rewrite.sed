# CUDA C++ to C++, for `sed -z -E`: what a host compiler cannot read.  Whatever
# is left of it is an error of build.sh.

# One function for both sides: the branch is taken when it runs.
s/#ifdef __CUDA_ARCH__\n([^#]*)#else\n([^#]*)#endif/if (emu_here) {\n\1} else {\n\2}/g

# The PTX that is known.
s/asm volatile\("ld\.acquire\.(sys|gpu)\.u32 %0, \[%1\];"\s*: "=r"\((\w+)\)\s*: "l"\((\w+)\)\s*: "memory"\)/\2 = emu_acquire(\3, EMU_\1)/g
s/asm volatile\("st\.release\.(sys|gpu)\.u32 \[%0\], %1;"\s*::\s*"l"\((\w+)\), "r"\((\w+)\)\s*: "memory"\)/emu_release(\2, \3, EMU_\1)/g
s/asm volatile\("mov\.u64 %0, %globaltimer;"\s*: "=l"\((\w+)\)\)/\1 = emu_now()/g

s/__shared__ ([^;]*) (\w+);/\1 \&\2 = emu_shared<\1>();/g

# KERNEL<<<blocks, threads, bytes, stream>>>(values)
s/<<</\x01/g
s/>>>/\x02/g
s/(\w+(<\w+>)?)(\s*)\x01([^\x02]*)\x02\(/emu_start(EMU_KERNEL(\1),\3\4)(/g
# Which type a kernel's parameter has.
s/\(const void \*\)(kernel_of\()/\1/g
s/\bNULL\b/nullptr/g

# Grids of kernels that go through all of a vector with any grid, regions of
# benchmarks, and times for which GPUs are kept busy: smaller ones.
s/VECTOR_BLOCKS = [0-9]+/VECTOR_BLOCKS = 3/
s/VECTOR_THREADS = [0-9]+/VECTOR_THREADS = 32/
s/ADD_BLOCKS = [0-9]+/ADD_BLOCKS = 3/
s/ADD_THREADS = [0-9]+/ADD_THREADS = 32/
s/(CS_GPU_WARM_NS \(\(uint64_t\))500000000/\11000/
s/(CS_BENCH_BYTES \(\(uint64_t\))1 << 30/\11 << 18/
s/\(uint64_t\)256 << 20/(uint64_t)1 << 18/g
s/\(uint64_t\)32 << 20/(uint64_t)1 << 17/g
s/\(uint64_t\)4 << 20/(uint64_t)1 << 16/g
