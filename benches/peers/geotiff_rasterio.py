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
