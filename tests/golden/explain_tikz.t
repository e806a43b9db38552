# A drawing in time for slides; explain_latex.t typesets it.  Characters of LaTeX's own are escaped,
# each line is one statement, braces and the environment close.
$ printf 'name: "a_b 50%% #1 {}"\nclasses:\n  fast: {rate: 50 GB/s, latency: 1 us}\ndevices:\n  gpu: {kind: gpu, count: 2}\nlinks:\n  - {from: gpu0, to: gpu1, class: fast}\n' >m.yaml; collsim explain --algo ring --topo m.yaml --out ring.tikz; collsim explain --algo tree --ranks 8 --size 1MB --out tree.tikz; grep -c 'a\\_b 50\\% \\#1 \\{\\}' ring.tikz
wrote ring.tikz
wrote tree.tikz
1
$ for f in ring tree; do awk '/^%/ { next } { gsub(/\\[{}$&#_%]/, ""); gsub(/\$[<>|]\$/, ""); gsub(/black!/, "") } /[$&#_%^~]/ || !/^\\(begin[{]tikzpicture|end[{]tikzpicture|definecolor|useasboundingbox .*;$|draw\[.*;$|fill\[.*;$|node\[.*[}];$)/ { print "not a statement: " $0 } { kinds[substr($0, 2, 4)]++; n = gsub(/[{]/, "") - gsub(/[}]/, ""); if (n) print "braces: " NR } END { print (kinds["draw"] > 0) (kinds["node"] > 0), kinds["begi"], kinds["end{"] }' $f.tikz; done
11 1 1
11 1 1

# A format in any case of letters.
$ collsim explain ring --ranks 2 --size 8 --format TIKZ | grep -c begin.tikz
1
