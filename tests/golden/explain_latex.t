# needs: pdflatex
# A drawing in time for slides: LaTeX compiles it, also with characters of its own.
$ printf 'name: "a_b 50%% #1 {}"\nclasses:\n  fast: {rate: 50 GB/s, latency: 1 us}\ndevices:\n  gpu: {kind: gpu, count: 2}\nlinks:\n  - {from: gpu0, to: gpu1, class: fast}\n' >m.yaml; collsim explain --algo ring --topo m.yaml --out ring.tikz; collsim explain --algo tree --ranks 8 --size 1MB --out tree.tikz
wrote ring.tikz
wrote tree.tikz
$ printf '%s\n' '\documentclass{article}' '\usepackage{tikz}' '\begin{document}' '\input{ring.tikz}' '\input{tree.tikz}' '\end{document}' >slide.tex; pdflatex -interaction=nonstopmode slide.tex >log; echo $?; grep -c '^!' log
0
0
? 1
