#!/bin/sh
# Makes the Python environment of the peers that benches are compared with. Not part of CI.
#
# usage: benches/peers/setup.sh FOLDER
set -eu
python3 -m venv "$1"
"$1/bin/pip" install --quiet numpy scipy pandas rasterio==1.4.4 netCDF4
# Without its dependencies, one of which would compile GDAL; openquake.sep needs none of them.
"$1/bin/pip" install --quiet --no-deps openquake.engine==3.26.2
# Floods and drainage: landlab asks for a `requireit` whose later releases lack a name it imports,
# and pysheds for a numpy that still has `in1d`. anuga gets an environment of its own.
"$1/bin/pip" install --quiet landlab==2.11.0 pyflwdir==0.5.12 pysheds==0.5 "requireit<0.3" "numpy<2.4"
python3 -m venv "$1/anuga"
"$1/anuga/bin/pip" install --quiet anuga==4.2.0
