# Children of `collsim measure cuda`, in place of collsim-cuda: one that
# answers, and those that hang, crash, print rubbish or cannot run here.
$ printf '#!/bin/sh\necho "{\\"collsim_cuda\\": 1, \\"kind\\": \\"timer\\", \\"time_s\\": 3e-8}"\nfor word; do case $word in /dev/fd/*) head -n 4 $word >&2;; esac; done; echo "$*" | sed "s,/dev/fd/[0-9]*,TABLE," >&2; exit 0\n' > good; printf '#!/bin/sh\nexec sleep 20\n' > hangs; printf '#!/bin/sh\nkill -SEGV $$\n' > crashes; printf '#!/bin/sh\necho "{\\"collsim_cuda\\": 1, \\"kind\\": \\"machine\\"}"; echo "Bus error (core dumped)"; exec sleep 20\n' > rubbish; printf '#!/bin/sh\necho "collsim-cuda: no CUDA-capable device is detected" >&2; exit 3\n' > none; printf '#!/bin/sh\necho "$*" | sed "s,/dev/fd/[0-9]*,TABLE," >&2; exit 1\n' > wrong; printf '#!/bin/sh\nexit 0\n' > silent; chmod +x good hangs crashes rubbish none wrong silent; touch closed
? 0
$ collsim measure cuda --ranks 2,4 --size 1MiB --program ./good
{"collsim_cuda": 1, "kind": "timer", "time_s": 3e-8}
{"collsim_cuda": 1, "kind": "timer", "time_s": 3e-8}
$ collsim measure cuda --ranks 2 --size 1MiB --program ./hangs --timeout 200ms
collsim: ./hangs did not end within 0.2 s and was killed
? 3
$ collsim measure cuda --ranks 2 --size 1MiB --program ./crashes
collsim: ./crashes was ended by signal 11 (Segmentation fault)
? 3
$ collsim measure cuda --ranks 2 --size 1MiB --program ./rubbish
{"collsim_cuda": 1, "kind": "machine"}
collsim: ./rubbish:2: not a measurement: expected a JSON object
? 3
$ collsim measure cuda --ranks 2 --size 1MiB --program ./none
collsim: collsim-cuda: no CUDA-capable device is detected
? 3
$ collsim measure cuda --ranks 2 --size 1MiB --program ./nothing
collsim: './nothing' is missing (built without CUDA); run 'make collsim-cuda' on a node with nvcc
? 3
$ collsim measure cuda --ranks 3 -b 4KiB -e 1MiB -f 4 --dtype fp16 --with "--transport host --runs 50" --program ./wrong
collsim: run --table TABLE -b 4096B -e 1048576B -f 4 --dtype fp16 --transport host --runs 50
? 1
$ collsim measure cuda --ranks 4 --size 1MiB --delay rank=3,20us --program ./wrong
collsim: run --table TABLE -b 1048576B -e 1048576B -f 2 --dtype fp32 --delay rank=3,20us
? 1
$ collsim measure cuda --ranks 2,4 --size 1MiB --delay rank=3,20us --program ./good
collsim: --delay: rank 3 of 2 ranks, which are numbered from 0
? 2
$ collsim measure cuda --ranks 4 --delay 3,20us --program ./good
collsim: --delay: '3,20us'; expected a rank and a time above 0, as in rank=3,20us
? 2
$ collsim measure cuda --calibrate --delay rank=3,20us --program ./good
collsim: --delay is for the run of a collective, not for --calibrate
? 2
$ collsim measure cuda --calibrate --program ./wrong
collsim: calibrate
? 1
$ collsim measure cuda --dtype fp64 --program ./good
collsim: collsim-cuda reduces fp32 and fp16, not fp64
? 2
$ collsim measure cuda --algo bruck --collective all-to-all --ranks 4 --program ./good
collsim: 'bruck' moves blocks to other places, which a table cannot express
? 2
$ collsim measure cuda --timeout 3 --program ./good
collsim: --timeout: '3' has no unit; write 3 ns, 3 us or 3 ms
? 2
$ collsim measure
collsim: measure requires a device; write 'collsim measure cuda' or 'collsim measure tcp'
? 2
$ collsim measure cuda --ranks 2 --program ./good -o /dev/full
collsim: cannot write '/dev/full': No space left on device
? 3
$ collsim measure cuda --ranks 2 --program ./silent
collsim: ./silent ended without a measurement
? 3
$ collsim measure cuda --ranks 2 --program ./closed
collsim: cannot start './closed': Permission denied
? 3
$ collsim measure cuda --ranks 2 --program ./good --db runs.db
collsim: --db belongs to 'collsim run' and has no effect here; leave it out
? 2
$ collsim measure cuda --ranks 2 --program ./good --json
{
  "error": "--json belongs to 'collsim run' and has no effect here; leave it out",
  "exit": 2
}
? 2
# All of it, by a script that is part of the program.
$ collsim measure cuda --all --with --dry | grep stage
stage 1, facts:
stage 2, self-test:
stage 3, rates:
stage 4, runs:
stage 5, PCIe:
stage 6, grid:
$ collsim measure cuda --all
collsim: --all requires --out DIR, which lets a stopped measurement continue; --with --dry prints the plan
? 2
$ collsim measure cuda --all --out all --program ./none 2>/dev/null | grep -o 'nothing can run here.*'
nothing can run here: collsim-cuda: no CUDA-capable device is detected
$ ls -d all 2>/dev/null
? 2
$ collsim measure cuda --all --out all --with "--stage 9" --program ./none 2>&1
measure.sh: no stage '9'; expected 1 to 6
collsim: the measurement ended with exit status 2
? 2

# Options of `measure tcp`; what runs is in tests/system/tcp.sh.
$ collsim measure tcp --topo dgx
collsim: --topo has no effect here; the hosts are those of --hosts
? 2
$ collsim measure tcp --drop 60%
collsim: --drop: '60%' is more than 50 %
? 2
$ collsim measure tcp --change 500Mb/s
collsim: --change: '500Mb/s' has no time; expected RATE@TIME, as in 500Mb/s@200ms
? 2
$ collsim measure tcp --dtype fp64
collsim: elements are integers of 4 bytes here, not fp64
? 2
$ collsim measure tcp --hosts 1
collsim: --hosts: '1' is out of range; expected 2 to 32
? 2
$ collsim measure tcp --poll --plain
collsim: --plain has no effect with --poll, which never uses the real-time class
? 2
$ collsim measure tcp --delay 100us
collsim: --delay is for 'collsim measure cuda'; --latency delays packets
? 2
$ collsim measure tcp --rate 0.5b/s
collsim: --rate is too low; expected 1 kb/s or more
? 2
$ collsim measure tcp --change 1b/s@1ms
collsim: --change: '1b/s@1ms' is too low; expected 1 kb/s or more
? 2
$ collsim measure tcp --socket-buffer 1KiB
collsim: --socket-buffer is too small; expected 2 KiB or more
? 2
$ collsim measure tcp --hosts 2 --ranks 4
collsim: --ranks 4 are more than --hosts 2; each rank has a host of its own
? 2
$ collsim measure tcp --calibrate --ranks 4
collsim: --ranks has no effect with --calibrate, which uses all --hosts
? 2
$ collsim measure tcp --algo auto
collsim: --algo auto chooses by the model, which a measurement does not use; expected names or all
? 2
$ collsim measure tcp --all
collsim: --all is for 'collsim measure cuda'
? 2
$ collsim measure tcp --algo rabenseifner --ranks 3 --collective all-to-all
collsim: no algorithm called 'rabenseifner' for all-to-all; expected pairwise, direct, relay, bruck, rails, torus, multipath
? 2
$ collsim measure tcp --ranks 4,1
collsim: --ranks 1; expected 2 ranks or more
? 2
$ collsim measure tcp --ranks 40 --size 64KiB
collsim: 40 parties, more than 32 hosts
? 2
$ collsim validate tcp --data nothing.jsonl
collsim: cannot open 'nothing.jsonl': No such file or directory
? 2
$ collsim validate tcp --scores
collsim: --scores is for published tables; expected 'collsim validate published --scores ...'
? 2
