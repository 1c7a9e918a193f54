#!/bin/sh
# A storm over a real elevation model by three families of flood methods, and how they differ, by
# `lahar` alone.
#
# usage: scripts/storm_flood.sh DEM.asc FOLDER
#
# DEM.asc is in degrees (EPSG:4326) and metres; the SRTM tile near Boulder, Colorado, of
# ../shared/sci-data/dem_landlab is one. Real is the elevation. Made are the storm (two hours with a
# peak of 60 mm/h), the roughness and the infiltration; the reach of the rating curve is a guess.
set -eu
dem=$1 out=$2
lahar=${LAHAR:-lahar}
mkdir -p "$out"

"$lahar" capabilities run grid-reproject "grid=@$dem,m,EPSG:4326" "system=32613 1" "cell=30 1" \
    interpolation=bilinear --save "result=$out/elevation.tif"

# Rain of every half hour.
storm="rainfall_intensity=10,60,40,10 mm/h every 30 min"

# The light and the full equations of shallow water, over six hours.
for equations in local-inertial shallow-water; do
    "$lahar" --json capabilities run "$equations-flood" "elevation=@$out/elevation.tif,m" \
        "roughness=0.05 1" "$storm" "infiltration_capacity=5 mm/h" "duration=6 h" \
        --save "highest_depth=$out/$equations.tif" --save "arrival=$out/$equations-arrival.tif" \
        --save "outflow=$out/$equations-outflow.csv" >"$out/$equations.json"
done

# Height above drainage, where the streams are those cells that gather more than 2000 others.
"$lahar" --json capabilities run hand-synthetic-rating-inundation \
    "elevation=@$out/elevation.tif,m" "stream_threshold=2000 1" "discharge=60 m3/s" \
    "reach_length=20000 m" "reach_slope=0.02 1" "roughness=0.05 1" \
    --save "depth=$out/height-above-drainage.tif" >"$out/height-above-drainage.json"

for family in local-inertial shallow-water height-above-drainage; do
    "$lahar" capabilities picture --elevation "$out/elevation.tif" \
        --values "$out/$family.tif" "$out/$family.png"
done
for family in local-inertial height-above-drainage; do
    "$lahar" capabilities picture --elevation "$out/elevation.tif" --values "$out/$family.tif" \
        --minus "$out/shallow-water.tif" "$out/$family-minus-shallow-water.png"
done
