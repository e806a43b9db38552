# Published training steps: the choice of a table, mistakes, and the form of the
# output.  Scores change with the model; tests/system/training_score.sh has the
# gate.
$ collsim validate training --table vtrain_multi
collsim: --table: no table 'vtrain_multi'; did you mean 'vtrain-multi'?
? 2
$ collsim validate --table vtrain-multi
collsim: --table is for training steps; expected 'collsim validate training --table ...'
? 2
$ collsim validate training --class nvswitch
collsim: --class is for published tables; expected 'collsim validate published --class ...'
? 2
$ collsim validate training --out x
collsim: --out is not for training steps; expected --points, --csv or --json
? 2
$ collsim validate training --data nowhere
collsim: cannot open 'nowhere/machines.csv': No such file or directory
? 2
$ collsim validate training --table korthikanti --points --csv | cut -d, -f1-3,8-16,23
table,model,machine,gpus,tensor,pipeline,chunks,context,data,micro_batch,accumulation,measured_s,calibrates
korthikanti,GPT 22B,selene,8,8,1,1,1,1,4,1,1.42,true
korthikanti,GPT 22B,selene,8,8,1,1,1,1,4,1,1.1,false
korthikanti,GPT 175B,selene,64,8,8,3,1,1,1,64,18.13,true
korthikanti,GPT 175B,selene,64,8,8,3,1,1,1,64,13.75,false
korthikanti,GPT 530B,selene,280,8,35,3,1,1,1,280,49.05,true
korthikanti,GPT 530B,selene,280,8,35,3,1,1,1,280,37.83,false
$ collsim validate training --table fms-fsdp --scores --json | head -9
{
  "scores": [
    {
      "table": "fms-fsdp",
      "decided_by": "both",
      "rows": 4,
      "served": 4,
      "scored": 0,
      "mean": null,

# Where a search places the layouts of publishers.
$ collsim validate training --layouts --table nemo-2602 | sed -nE '$s/[0-9]+ (first|among)/N \1/gp'
Of 14 published layouts 'collsim train --system auto' has N first and N among its first three.

$ collsim validate --layouts
collsim: --layouts is for training steps; expected 'collsim validate training --layouts ...'
? 2
