#!/bin/sh
# Puts the example tasks and the terrain that they name into a folder, ready for `lahar analyse`.
#
# usage: examples/prepare.sh SCI_DATA FOLDER
#
# SCI_DATA is a copy of the small inputs with the elevation models of landlab's tutorials
# (dem_landlab/, MIT; SRTM and USGS elevations are in the public domain) and, where you have it, NASA's
# lhasa/model.json. Real are the elevations and that model. Made are the burns (one value of dNBR inside
# an outline that nobody mapped, none outside), the fuels and the detections of fire.
#
# LAHAR  the program (default: `lahar` on the path)
set -eu
data=$1/dem_landlab out=$2
lahar=${LAHAR:-lahar}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
cp -R "$here/tasks/." "$out/"
postfire=$out/postfire-debris-flow/terrain shaken=$out/ground-failure/terrain
flooded=$out/flood/terrain burning=$out/wildfire/terrain models=$out/landslide/models
mkdir -p "$postfire" "$shaken" "$flooded" "$burning" "$models"

run() { "$lahar" capabilities run "$@" >/dev/null; }

# Near Boulder, Colorado: a window of 70 by 70 cells of an SRTM tile in degrees, brought to cells
# of 10 m, at which the models were calibrated; that adds no detail to what was measured every 90 m.
tile="$data/SRTMGL3_40.09_-105.56_40.209999999999994_-105.44.asc"
srtm=$postfire/srtm.asc
awk -v left=30 -v top=40 -v side=70 '
    NF == 2 { head[$1] = $2; next }
    !written {
        written = 1
        printf "ncols %d\nnrows %d\n", side, side
        printf "xllcorner %.12f\n", head["xllcorner"] + left * head["cellsize"]
        printf "yllcorner %.12f\n", head["yllcorner"] + (head["nrows"] - top - side) * head["cellsize"]
        printf "cellsize %s\nNODATA_value %s\n", head["cellsize"], head["NODATA_value"]
    }
    {
        row++
        if (row <= top || row > top + side) next
        for (c = left + 1; c <= left + side; c++) printf "%s%s", $c, c < left + side ? " " : "\n"
    }' "$tile" >"$srtm"
run rasterise "shapes=@$here/burns/boulder.geojson" "like=@$srtm,m,EPSG:4326" "value=450 1" \
    --save "result=$postfire/burn.tif"
run grid-reproject "grid=@$srtm,m,EPSG:4326" "system=32613 1" "cell=10 1" \
    interpolation=bilinear --save "result=$postfire/boulder.tif"
run grid-reproject "grid=@$postfire/burn.tif" "system=32613 1" "cell=10 1" \
    interpolation=nearest --save "result=$postfire/boulder_dnbr.tif"
rm "$postfire/burn.tif" "$srtm"
# The global landslide model works on cells of about 250 m.
run grid-reproject "grid=@$tile,m,EPSG:4326" "system=32613 1" "cell=250 1" \
    interpolation=bilinear --save "result=$shaken/boulder.tif"

# Colorado, cells of 10 m (of 5 m, two by two), in metres from a corner.
cp "$data/hugo_site.asc" "$postfire/hugo.asc"
run rasterise "shapes=@$here/burns/hugo.geojson" "like=@$postfire/hugo.asc,m,local" \
    "value=380 1" --save "result=$postfire/hugo_dnbr.tif"
run grid-aggregate "grid=@$data/bijou_gully_subset_5m_edit_dx_filled.asc,m,local" "block=2 1" \
    statistic=mean --save "result=$postfire/bijou.asc"
run rasterise "shapes=@$here/burns/bijou.geojson" "like=@$postfire/bijou.asc,m,local" \
    "value=520 1" --save "result=$postfire/bijou_dnbr.tif"

# Western Washington, cells of 10 m: the ground before a real landslide.
cp "$data/pre_runout_DEM.asc" "$shaken/washington.asc"
cp "$data/hugo_site.asc" "$flooded/hugo.asc"
cp "$data/pre_runout_DEM.asc" "$flooded/washington.asc"

# Boulder again for fires: cells of 90 m, and fuels made by height.
run grid-reproject "grid=@$tile,m,EPSG:4326" "system=32613 1" "cell=90 1" \
    interpolation=bilinear --save "result=$burning/boulder.tif"
awk '/^[A-Za-z]/ { print; next }
     { for (i = 1; i <= NF; i++) $i = $i < 2550 ? 102 : $i < 2800 ? 165 : 188; print }' \
    "$tile" >"$burning/fuel.asc"
run grid-reproject "grid=@$burning/fuel.asc,1,EPSG:4326" "system=32613 1" "cell=90 1" \
    interpolation=nearest --save "result=$burning/boulder_fuel.tif"
rm "$burning/fuel.asc"
cp "$here/fires/boulder_detections.csv" "$burning/"

# NASA's landslide model stays yours, under its own licence; without it its task has no route.
[ ! -f "$1/lhasa/model.json" ] || cp "$1/lhasa/model.json" "$models/lhasa.json"
