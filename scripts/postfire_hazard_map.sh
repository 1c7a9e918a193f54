#!/bin/sh
# From a real elevation model to post-fire debris-flow hazard classes and a picture, by `lahar`
# alone.
#
# usage: scripts/postfire_hazard_map.sh DEM.asc FOLDER
#
# DEM.asc is in degrees (EPSG:4326) and metres; the SRTM tile near Boulder, Colorado, of
# ../shared/sci-data/dem_landlab is one. Real is the elevation. Made is the burn (one value of dNBR
# inside scripts/postfire_made_burn.geojson, none outside), the soil erodibility and the storm.
set -eu
dem=$1 out=$2
lahar=${LAHAR:-lahar}
here=$(dirname "$0")
mkdir -p "$out"

# The made burn, on the cells of the elevation model.
"$lahar" capabilities run rasterise "shapes=@$here/postfire_made_burn.geojson" \
    "like=@$dem,m,EPSG:4326" "value=450 1" --save "result=$out/burn_degrees.tif"

# Both in metres, on the same cells of 30 m.
"$lahar" capabilities run grid-reproject "grid=@$dem,m,EPSG:4326" "system=32613 1" "cell=30 1" \
    interpolation=bilinear --save "result=$out/elevation.tif"
"$lahar" capabilities run grid-reproject "grid=@$out/burn_degrees.tif" "system=32613 1" \
    "cell=30 1" interpolation=nearest --save "result=$out/dnbr.tif"

# Likelihood, volume and class of every basin in a storm of 24 mm/h over 15 minutes.
"$lahar" --json capabilities run postfire-hazard-map "elevation=@$out/elevation.tif,m" \
    "dnbr=@$out/dnbr.tif" "rainfall_intensity=24 mm/h" "soil_erodibility=0.2 fraction" \
    "smallest_basin=0.1 km2" region=western_united_states "time_since_fire=0 yr" \
    --save "hazard_class=$out/hazard_class.tif" --save "basin=$out/basin.tif" \
    --save "likelihood=$out/likelihood.tif" --save "volume=$out/volume.tif" > "$out/report.json"

"$lahar" capabilities picture --elevation "$out/elevation.tif" \
    --classes "$out/hazard_class.tif" --basins "$out/basin.tif" "$out/hazard.png"
