#!/bin/sh
# Makes the Python environment of the peers that benches are compared with. Not part of CI.
#
# usage: benches/peers/setup.sh FOLDER
set -eu
python3 -m venv "$1"
"$1/bin/pip" install --quiet numpy scipy pandas rasterio==1.4.4 netCDF4
# Without its dependencies, one of which would compile GDAL; openquake.sep needs none of them.
"$1/bin/pip" install --quiet --no-deps openquake.engine==3.26.2
