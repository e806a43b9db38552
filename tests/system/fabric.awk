# A fabric in the form of ibnetdiscover: hosts with an adapter on each of `rails` networks of
# leaves with `down` hosts and `spines` spines, with a cable between each leaf and spine for
# each `trunk`.
#
#     awk -v hosts=128 -v rails=4 -v down=32 -v spines=8 -v trunk=4 -v out="r0l1s2t0 r1h5" -f tests/system/fabric.awk
#
# `out` lists cables that are missing: "r0l1s2t0" by rail, leaf, spine and number, "r1h5" by rail
# and host.
function id(kind, n) { return sprintf("%s-%016x", kind, 4096 + n) }
function leaf(r, l) { return r * (leaves + spines) + l }
function spine(r, s) { return r * (leaves + spines) + leaves + s }
function ca(h, r) { return 100000 + h * rails + r }
function is_out(name) { return index(" " out " ", " " name " ") > 0 }
BEGIN {
    leaves = int((hosts + down - 1) / down)
    print "#\n# Topology file: generated on Sat Nov 28 12:00:00 2026\n#"
    for (r = 0; r < rails; r++) {
        for (l = 0; l < leaves; l++) {
            printf "\nvendid=0x2c9\ndevid=0xd2f2\nswitchguid=0x%x(%x)\nSwitch\t64 \"%s\"\t\t# \"MF0;rail%d-leaf%d:MQM9700/U1\" enhanced port 0 lid 1 lmc 0\n", leaf(r, l), leaf(r, l), id("S", leaf(r, l)), r, l
            for (h = l * down; h < hosts && h < (l + 1) * down; h++)
                if (!is_out("r" r "h" h))
                    printf "[%d]\t\"%s\"[1](1) \t\t# \"node%d mlx5_%d\" lid 5 4xNDR\n", h - l * down + 1, id("H", ca(h, r)), h, r
            for (s = 0; s < spines; s++)
                for (t = 0; t < trunk; t++)
                    if (!is_out("r" r "l" l "s" s "t" t))
                        printf "[%d]\t\"%s\"[%d]\t\t# \"MF0;rail%d-spine%d:MQM9700/U1\" lid 3 4xNDR\n", down + s * trunk + t + 1, id("S", spine(r, s)), l * trunk + t + 1, r, s
        }
        for (s = 0; s < spines; s++) {
            printf "\nvendid=0x2c9\nswitchguid=0x%x(%x)\nSwitch\t64 \"%s\"\t\t# \"MF0;rail%d-spine%d:MQM9700/U1\" enhanced port 0 lid 3 lmc 0\n", spine(r, s), spine(r, s), id("S", spine(r, s)), r, s
            for (l = 0; l < leaves; l++)
                for (t = 0; t < trunk; t++)
                    if (!is_out("r" r "l" l "s" s "t" t))
                        printf "[%d]\t\"%s\"[%d]\t\t# \"MF0;rail%d-leaf%d:MQM9700/U1\" lid 1 4xNDR\n", l * trunk + t + 1, id("S", leaf(r, l)), down + s * trunk + t + 1, r, l
        }
    }
    for (h = 0; h < hosts; h++)
        for (r = 0; r < rails; r++)
            if (!is_out("r" r "h" h))
                printf "\nvendid=0x2c9\ncaguid=0x%x\nCa\t1 \"%s\"\t\t# \"node%d mlx5_%d\"\n[1](1) \t\"%s\"[%d]\t\t# lid 5 lmc 0 \"MF0;rail%d-leaf%d:MQM9700/U1\" lid 1 4xNDR\n", ca(h, r), id("H", ca(h, r)), h, r, id("S", leaf(r, int(h / down))), h % down + 1, r, int(h / down)
}
