#!/bin/sh
# A fire on a real elevation model with made fuels and weather, by `lahar` alone: arrival, flames and
# outlines by two methods, and a picture.
#
# usage: scripts/fire_growth_map.sh DEM.asc FOLDER
#
# DEM.asc is in degrees (EPSG:4326) and metres; the SRTM tile near Boulder, Colorado, of
# ../shared/sci-data/dem_landlab is one. Real is the elevation. Made are the fuels (grass below 2550 m,
# timber with an understory up to 2800 m, timber litter above), the moisture and a wind that turns from
# west to northwest.
set -eu
dem=$1 out=$2
lahar=${LAHAR:-lahar}
mkdir -p "$out"

# Made fuels by height, on the cells of the elevation model.
awk '/^[A-Za-z]/ { print; next }
     { for (i = 1; i <= NF; i++) $i = $i < 2550 ? 102 : $i < 2800 ? 165 : 188; print }' \
    "$dem" > "$out/fuel_degrees.asc"

# Both in metres, on the same cells of 30 m.
"$lahar" capabilities run grid-reproject "grid=@$dem,m,EPSG:4326" "system=32613 1" "cell=30 1" \
    interpolation=bilinear --save "result=$out/elevation.tif" > /dev/null
"$lahar" capabilities run grid-reproject "grid=@$out/fuel_degrees.asc,1,EPSG:4326" "system=32613 1" \
    "cell=30 1" interpolation=nearest --save "result=$out/fuel.tif" > /dev/null

# Six hours; the wind is that of a weather station at ten metres, a value an hour.
cat > "$out/weather.json" <<JSON
{"elevation": {"file": "$out/elevation.tif", "unit": "m"},
 "fuel_model": {"file": "$out/fuel.tif"},
 "wind_speed_series": {"values": [14, 18, 22, 25, 22, 16], "unit": "km/h",
                       "step": {"value": 1, "unit": "h"}},
 "wind_from_series": {"values": [270, 275, 285, 300, 310, 315], "unit": "deg",
                      "step": {"value": 1, "unit": "h"}},
 "wind_height": "10m", "moisture_1h": "5 %", "moisture_10h": "6 %", "moisture_100h": "8 %",
 "moisture_herbs": "60 %", "moisture_wood": "90 %",
 "start_x": "457500 m", "start_y": "4443000 m", "duration": "6 h", "perimeter_step": "1 h"}
JSON
for method in minimum-travel-time level-set; do
    "$lahar" --json capabilities run $method-fire-growth --input "$out/weather.json" \
        --save "arrival=$out/$method-arrival.tif" --save "burned=$out/$method-burned.tif" \
        --save "flame_length=$out/$method-flame_length.tif" \
        --save "intensity=$out/$method-intensity.tif" \
        --save "perimeters=$out/$method-perimeters.geojson" > "$out/$method.json"
done

# Flames of less than 1.2 m, up to 2.4 m, and longer: hand crews, engines, neither.
"$lahar" capabilities run grid-threshold "grid=@$out/minimum-travel-time-flame_length.tif,m" \
    "limit=1.2 1" --save "result=$out/flames_above_1_2.asc" > /dev/null
"$lahar" capabilities run grid-threshold "grid=@$out/minimum-travel-time-flame_length.tif,m" \
    "limit=2.4 1" --save "result=$out/flames_above_2_4.asc" > /dev/null
"$lahar" capabilities run grid-threshold "grid=@$out/minimum-travel-time-arrival.tif,min" \
    "limit=0 1" --save "result=$out/burned.asc" > /dev/null
awk 'FNR == 1 { file++ }
     file == 1 && /^[0-9. -]/ { a[FNR] = $0; next }
     file == 2 && /^[0-9. -]/ { b[FNR] = $0; next }
     file == 3 && /^[A-Za-z]/ { print; next }
     file == 3 { n = split($0, c, " "); split(a[FNR], x, " "); split(b[FNR], y, " ")
       for (i = 1; i <= n; i++) printf "%d ", (c[i] > 0) ? 1 + (x[i] > 0) + (y[i] > 0) : 0
       print "" }' \
    "$out/flames_above_1_2.asc" "$out/flames_above_2_4.asc" "$out/burned.asc" > "$out/classes.asc"
"$lahar" capabilities picture --elevation "$out/elevation.tif" \
    --classes "$out/classes.asc,1,EPSG:32613" "$out/fire.png"
