"""landlab's OverlandFlow over the ground of `cargo bench -p lahar-hazards --bench floods`.

usage: floods_landlab.py   (landlab 2.11.0, see setup.sh)
"""
import time
import numpy as np
from landlab import RasterModelGrid
from landlab.components import OverlandFlow

n, steps = 1000, 40
grid = RasterModelGrid((n, n), xy_spacing=10.0)
y, x = np.mgrid[0:n, 0:n].astype(float)
rows_from_top = n - 1 - y
z = 0.002 * 10.0 * (n - rows_from_top) + 0.4 * np.sin(x / 37.0) * np.cos(rows_from_top / 53.0)
grid.add_field("topographic__elevation", z.ravel(), at="node")
grid.add_full("surface_water__depth", 0.5, at="node")
grid.set_closed_boundaries_at_grid_edges(True, True, True, True)
flow = OverlandFlow(grid, mannings_n=0.03, theta=0.8, alpha=0.7, rainfall_intensity=1e-5)
flow.calc_time_step()
flow.overland_flow(dt=1.0)
for _ in range(3):
    start, busy = time.perf_counter(), time.process_time()
    for _ in range(steps):
        flow.overland_flow(dt=flow.calc_time_step())
    wall, cpu = time.perf_counter() - start, time.process_time() - busy
    print(f"landlab OverlandFlow {n} x {n}: {steps * n * n / wall / 1e6:.2f} million cell-steps a second, "
          f"{steps * n * n / cpu / 1e6:.2f} a CPU second", flush=True)
