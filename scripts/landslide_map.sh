#!/bin/sh
# Shallow slides on a real elevation model with its mapped landslide, by `lahar` alone: three maps, their
# hit rates and false alarms for this one event, and a picture.
#
# usage: scripts/landslide_map.sh FOLDER_WITH_DEM OUT
#
# FOLDER_WITH_DEM holds `pre_runout_DEM.asc` and `landslide_polygon.asc` of a slide in Washington State
# (../shared/sci-data/dem_landlab). Real are the elevation and the slide's source. Soil and storm are
# made: textbook values of a silty sand, not fitted to the slide.
set -eu
from=$1 out=$2
lahar=${LAHAR:-lahar}
mkdir -p "$out"
"$lahar" --json capabilities run shallow-landslide-map \
    "elevation=@$from/pre_runout_DEM.asc,m,local" \
    "mapped_slides=@$from/landslide_polygon.asc,1,local" \
    "soil_depth=1.5 m" "cohesion=3 kPa" "friction_angle=33 deg" "unit_weight=18 kN/m3" \
    "transmissivity=0.00015 m2/s" "saturated_conductivity=0.00001 m/s" \
    "hydraulic_diffusivity=0.00005 m2/s" "recharge=50 mm/d" "water_table_depth=1.2 m" \
    "infiltration=12 mm/h" "storm_duration=12 h" "time=12 h" slide_type=shallow \
    --save "steady_safety=$out/steady_safety.tif" --save "transient_safety=$out/transient_safety.tif" \
    --save "hazard_class=$out/hazard_class.tif" > "$out/report.json"
# Lines about the mapped source.
"$lahar" capabilities picture --elevation "$from/pre_runout_DEM.asc,m,local" \
    --classes "$out/hazard_class.tif,1,local" --basins "$from/landslide_polygon.asc,1,local" \
    "$out/landslides.png"
