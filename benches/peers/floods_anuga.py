"""anuga over a ground like that of `cargo bench -p lahar-hazards --bench floods`: 500 x 500 squares
of four triangles each, second order in space and time.

usage: floods_anuga.py   (anuga 4.2.0, see setup.sh)
"""
import sys
import time
import numpy as np
import anuga

n = int(sys.argv[1]) if len(sys.argv) > 1 else 500
size = 10.0
domain = anuga.rectangular_cross_domain(n, n, len1=n * size, len2=n * size)
domain.set_flow_algorithm("DE1")  # second order, two stages
domain.set_store(False)
domain.set_quiet(True) if hasattr(domain, "set_quiet") else None
if "omp" in sys.argv:
    domain.set_multiprocessor_mode(2)


def height(x, y):
    row, column = n - y / size, x / size
    return 0.002 * size * (n - row) + 0.4 * np.sin(column / 37.0) * np.cos(row / 53.0)


domain.set_quantity("elevation", height, location="centroids")
domain.set_quantity("friction", 0.03)
domain.set_quantity("stage", lambda x, y: height(x, y) + 0.5, location="centroids")
wall = anuga.Reflective_boundary(domain)
domain.set_boundary({side: wall for side in ("left", "right", "top", "bottom")})
triangles = domain.number_of_elements
for _ in domain.evolve(yieldstep=1.0, finaltime=1.0):
    pass
for end in (6.0, 11.0, 16.0):
    before = domain.number_of_steps if hasattr(domain, "number_of_steps") else 0
    count = 0
    start, busy = time.perf_counter(), time.process_time()
    for _ in domain.evolve(yieldstep=5.0, finaltime=end):
        count += domain.number_of_steps
    wall_s, cpu = time.perf_counter() - start, time.process_time() - busy
    print(f"anuga {triangles} triangles: {count} steps, {count * triangles / wall_s / 1e6:.2f} million "
          f"triangle-steps a second, {count * triangles / cpu / 1e6:.2f} a CPU second", flush=True)
