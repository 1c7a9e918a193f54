#!/bin/sh
# Makes the Python environment of the peers that benches are compared with. Not part of CI.
#
# usage: benches/peers/setup.sh FOLDER
set -eu
python3 -m venv "$1"
"$1/bin/pip" install --quiet numpy rasterio==1.4.4 netCDF4
