#!/bin/sh
# The main job: the ramp study of Leine et al. 2021, explicit against implicit rotor, 1000 rocks each.
# Installs what is missing, builds, runs and draws the figure.
set -eu
cd "$(dirname "$0")"

./setup.sh
cmake --preset release
cmake --build --preset release --target scree
./build/release/scree compare configs/rock_ramp.toml -o rock_ramp.h5 --force
docs/ramp_figure.sh rock_ramp.h5 docs/ramp.png

echo
echo "Result:  rock_ramp.h5        (every rock; ./build/release/scree info rock_ramp.h5)"
echo "Figure:  docs/ramp.png"
echo "Program: build/release/scree (--help; README.md, A first study of your own)"
