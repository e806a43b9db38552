# Comparison with recorded measurements; the figures are in the tests' own.
$ collsim validate --data nothing.jsonl
collsim: cannot open 'nothing.jsonl': No such file or directory
? 2
$ mkdir empty; collsim validate --data empty
collsim: no measurements recorded in empty; 'make measure-cuda' on a computer with a GPU makes them
? 3
$ collsim validate
collsim: no measurements recorded in validate/data; 'make measure-cuda' on a computer with a GPU makes them
? 3
$ echo 'Bus error' >rubbish.jsonl; collsim validate --data rubbish.jsonl
collsim: rubbish.jsonl:1: not a measurement, which is a JSON object
? 2
$ echo '{"collsim_cuda": 1, "kind": "run", "gpu": "X", "algorithm": "ring", "dtype": "fp32", "transport": "device", "ranks": 2, "bytes": 1024, "channels": 1, "time_s": 1e-5}' >bare.jsonl; collsim validate --data bare.jsonl
collsim: 'X' is not calibrated: there is no stream of role put
? 2
