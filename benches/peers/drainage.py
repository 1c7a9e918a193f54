"""pyflwdir and pysheds over the ground of `cargo bench -p lahar-hazards --bench drainage`.

usage: drainage.py   (pyflwdir 0.5.12 and pysheds, see setup.sh)
"""
import time
import numpy as np
import pyflwdir


def ground(n):
    y, x = np.mgrid[0:n, 0:n].astype(float)
    hashed = ((np.arange(n)[:, None] * 73856093) ^ (np.arange(n)[None, :] * 19349663)) % 1000
    return (0.05 * y + 40.0 * np.sin(x / 211.0) * np.cos(y / 307.0)
            + 8.0 * np.sin(x / 41.0) * np.sin(y / 29.0) + 0.001 * hashed)


def best(name, cells, work, repeats=3):
    fastest, result = float("inf"), None
    for _ in range(repeats):
        start = time.perf_counter()
        result = work()
        fastest = min(fastest, time.perf_counter() - start)
    print(f"{name:<36} {fastest:.3f} s, {fastest / cells * 1e9:.0f} ns a cell", flush=True)
    return result


for n in (1000, 3200):
    z = ground(n)
    print(f"{n} x {n}")
    filled, codes = best("pyflwdir fill and directions", n * n, lambda: pyflwdir.dem.fill_depressions(z))
    flow = best("pyflwdir from_array", n * n, lambda: pyflwdir.from_array(codes, ftype="d8", check_ftype=False))
    area = best("pyflwdir accumulation", n * n,
                lambda: pyflwdir.from_array(codes, ftype="d8", check_ftype=False).upstream_area("cell"))
    best("pyflwdir height above drainage", n * n, lambda: flow.hand(area > 1000, z))

try:
    from pysheds.grid import Grid
    from pysheds.view import Raster, ViewFinder
    from affine import Affine
    for n in (1000, 3200):
        z = ground(n)
        print(f"{n} x {n}")
        view = ViewFinder(affine=Affine(10, 0, 0, 0, -10, n * 10), shape=z.shape, nodata=np.float64(-9999))
        dem = Raster(z, viewfinder=view)
        grid = Grid.from_raster(dem)
        filled = best("pysheds fill_depressions", n * n, lambda: grid.fill_depressions(dem), 2)
        flat = best("pysheds resolve_flats", n * n, lambda: grid.resolve_flats(filled), 2)
        codes = best("pysheds flowdir", n * n, lambda: grid.flowdir(flat), 2)
        area = best("pysheds accumulation", n * n, lambda: grid.accumulation(codes), 2)
        best("pysheds compute_hand", n * n, lambda: grid.compute_hand(codes, dem, area > 1000), 2)
except ImportError as missing:
    print(f"pysheds is not there: {missing}")
