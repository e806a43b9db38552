# Link classes: what headers take of a link, and what links bring to a rank.

$ for mtu in 576 1500 9000; do collsim --topo "fat-tree:ranks=4,radix=8,link=100gbe mtu=$mtu" --size 4GiB --csv | tail -1 | cut -d, -f11,18; done
10666987283.382816,rank0 -> leaf0 (100gbe mtu=576)
11767599349.530525,rank0 -> leaf0 (100gbe mtu=1500)
12374495816.553288,rank0 -> leaf0 (100gbe mtu=9000)

$ collsim --topo 'fat-tree:ranks=4,link=nvlink3 mtu=9000'
collsim: link class 'nvlink3' takes no 'mtu'
? 2

$ collsim --topo 'fat-tree:ranks=4,link=100gbe mtu=100'
collsim: 'mtu=100' of link class '100gbe' is out of range; expected 576 to 9216
? 2

$ collsim --topo 'fat-tree:ranks=4,link=pcie4 x16 mps=200'
collsim: 'mps=200' of link class 'pcie4' is out of range; expected 128 to 4096, a power of two
? 2

$ collsim list topologies --csv | grep -E '^(topology|dgx|mi300x|ascend910|gbe-4),' | cut -d, -f1-8
topology,ranks,gpus,nics,links,links_of_a_rank,payload,effective
ascend910,8,8,8,34,hccs,90 GB/s,90 GB/s
dgx,8,8,8,29,nvlink3,300 GB/s,240 GB/s
gbe-4,4,0,0,5,gbe,125 MB/s,117.7 MB/s
mi300x,8,8,8,53,xgmi-mi300,448 GB/s,336 GB/s

$ collsim list links --csv | grep -E '^(link|pcie4|10gbe|hbm-h100),' | cut -d, -f1-7
link,of_one,payload,effective,efficiency,latency,packets
hbm-h100,path,1.675 TB/s,1.274 TB/s,76.1 %,500 ns,
pcie4,lane,1.969 GB/s,1.5 GB/s,76.2 %,500 ns,mps
10gbe,port,1.25 GB/s,1.177 GB/s,94.1 %,3.61 us,mtu

$ collsim list packets --csv | grep -E '^(link|pcie4|ib-ndr),(packets|mps|mtu=4096)' | cut -d, -f1-7
link,packets,efficiency,of_one,x4,x8,x16
pcie4,mps=128,84.2 %,1.658 GB/s,6.633 GB/s,13.27 GB/s,26.53 GB/s
pcie4,mps=256,91.4 %,1.8 GB/s,7.202 GB/s,14.4 GB/s,28.81 GB/s
pcie4,mps=512,95.5 %,1.881 GB/s,7.524 GB/s,15.05 GB/s,30.1 GB/s
pcie4,mps=1024,97.7 %,1.924 GB/s,7.697 GB/s,15.39 GB/s,30.79 GB/s
pcie4,mps=2048,98.8 %,1.946 GB/s,7.786 GB/s,15.57 GB/s,31.14 GB/s
pcie4,mps=4096,99.4 %,1.958 GB/s,7.831 GB/s,15.66 GB/s,31.32 GB/s
ib-ndr,mtu=4096,99.3 %,49.66 GB/s,,,
