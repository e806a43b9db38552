# Drawings of a run that another program makes.
# needs: gnuplot

# The script of a GIF that was drawn is not left behind.
$ collsim explain --algo ring --ranks 3 --out ring.gif; ls
wrote ring.gif
ring.gif
