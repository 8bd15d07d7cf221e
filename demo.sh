#!/bin/sh
# The main job: the ramp study of Leine et al. 2021, explicit against implicit rotor, 1000 rocks each.
# Installs what is missing, builds the program, runs it and draws the figure.
set -eu
cd "$(dirname "$0")"

./setup.sh
# Kernels for a GPU where there is one; they take as long to compile as all the rest.
cuda=OFF
if nvidia-smi -L >/dev/null 2>&1; then cuda=ON; fi
cmake --preset demo -DSCREE_CUDA=$cuda
cmake --build --preset demo
./build/release/scree compare configs/rock_ramp.toml --maps=5 --set 'maps.extent=[-60, -150, 600, 150]' \
  -o rock_ramp.h5 --force
docs/ramp_figure.sh rock_ramp.h5 rock_ramp.png
./build/release/scree report rock_ramp.h5 -o rock_ramp.html --force --quiet

cat <<END

Result:  rock_ramp.h5        (every rock; all columns and tests: ./build/release/scree info rock_ramp.h5 --all)
Page:    rock_ramp.html      (open it in a browser: map, figures, paths, tables)
Figure:  rock_ramp.png       (as docs/ramp.png)
Program: build/release/scree (--help; docs/study.md)
More:    cmake --preset release && cmake --build --preset release
         adds benchmarks, tests and, with nvcc, CUDA; ./check.sh builds and passes the tests, optimised less
END
