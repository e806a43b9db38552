# What ranks hold over time, drawn.
# needs: gnuplot

$ collsim --topo switch:ranks=4,gamma=1GB/s --algo oneshot --size 4MB --memory held.png | grep 'peak rank'
wrote held.png
  peak rank                 12 MB         buffer memory in addition to the vectors

$ head -c 4 held.png | od -An -c
 211   P   N   G

$ collsim explain --algo ring --ranks 4 --memory vectors.svg >vectors.out && grep -c '</svg>' vectors.svg
wrote vectors.svg
1

$ grep -o "title '[a-z, ]*'" vectors.svg.gp
title 'stale partial sums'
title 'live partial sums'
title 'extra copies'
title 'result, one copy'

$ collsim explain --algo ring --ranks 1 --memory one.svg >one.out && grep -c '</svg>' one.svg
wrote one.svg
1
