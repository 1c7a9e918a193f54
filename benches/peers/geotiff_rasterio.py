"""Reads what `cargo bench -p lahar-formats --bench geotiff FOLDER` wrote, and writes it again.

usage: geotiff_rasterio.py FOLDER   (needs rasterio 1.4.4; see setup.sh)
"""
import sys, time
import numpy as np, rasterio

folder = sys.argv[1]
for name, more in [("plain", {}), ("deflate", dict(compress="deflate", predictor=3))]:
    reads, writes = [], []
    for _ in range(5):
        start = time.perf_counter()
        with rasterio.open(f"{folder}/lahar-{name}.tif") as file:
            values, profile = file.read(1).astype("float64"), file.profile
        reads.append(time.perf_counter() - start)
        profile.update(driver="GTiff", dtype="float32", tiled=True, blockxsize=256, blockysize=256, **more)
        start = time.perf_counter()
        with rasterio.open(f"{folder}/gdal-{name}.tif", "w", **profile) as out:
            out.write(values.astype("float32"), 1)
        writes.append(time.perf_counter() - start)
    print(f"rasterio {name:<8} write {min(writes):.3f} s, read {min(reads):.3f} s")

import glob
rows, columns = np.mgrid[0:301, 0:270]
expected = ((37 * rows + 11 * columns) % 200).astype("float64")
missing = (rows + columns) % 13 == 5
files = sorted(glob.glob(f"{folder}/matrix/*.tif"))
for path in files:
    with rasterio.open(path) as file:
        band = file.read(1, masked=True)
        assert (band.mask == missing).all(), path
        assert (band.data.astype("float64")[~missing] == expected[~missing]).all(), path
        assert file.crs.to_epsg() == 32613 and file.nodata == 255, path
        assert tuple(file.transform)[:6] == (10, 0, 450000, 0, -10, 4440000), path
        if path.endswith("-cog.tif"):
            assert file.overviews(1), path
print(f"rasterio reads {len(files)} kinds of file as lahar wrote them")
