# Every file that a command writes is named, and one whose ending it does not write is refused.

$ collsim synth --topo dgx --collective all-gather -s 1MiB --out s.xml 2>&1 >/dev/null | grep wrote
wrote s.xml
$ collsim synth --topo dgx --collective all-gather -s 1MiB --out s.xyz
collsim: --out: 's.xyz' does not end in .xml, .goal, .txt, .json, .table or .cs
? 2
$ collsim topo export --topo dgx --out dgx.json
collsim: --out: 'dgx.json' does not end in .yaml or .yml, as files of format yaml do
? 2
$ collsim train --topo dgx --model resnet50 --trace step.json 2>&1 >/dev/null | grep wrote
wrote step.json
$ collsim train --topo dgx --model resnet50 --trace step.xyz
collsim: --trace: 'step.xyz' does not end in .json
? 2
$ collsim train --topo dgx --model resnet50 --gpus 4,8 --plot step.svg 2>&1 >/dev/null | grep wrote
wrote step.svg
$ collsim train --topo dgx --model resnet50 --gpus 4,8 --plot step.xyz
collsim: --plot: 'step.xyz' does not end in .svg or .png
? 2
$ collsim plan --model resnet50 --gpus 8 --out plan.xyz
collsim: --out: 'plan.xyz' does not end in .html, .htm, .md or .markdown
? 2
$ collsim explain --algo ring --ranks 4 --out ring.xyz
collsim: --out: 'ring.xyz' does not end in .txt, .text, .html, .htm, .json, .svg, .gif, .tikz or .tex
? 2
$ collsim --topo dgx --algo ring --memory held.xyz
collsim: --memory: 'held.xyz' does not end in .txt, .text, .json, .csv, .svg or .png
? 2
$ collsim --topo dgx --algo ring --trace run.xyz
collsim: --trace: 'run.xyz' does not end in .json
? 2
