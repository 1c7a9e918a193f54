"""Nowicki Jessee 2018 and Zhu 2017 over ten million cells by openquake.sep, beside
`cargo bench -p lahar-hazards --bench rasters`.

usage: sep_openquake.py   (see setup.sh)
"""
import time
import numpy as np
from openquake.sep.landslide.probability import nowicki_jessee_2018, LITHOLOGY_TABLE, LANDCOVER_TABLE
from openquake.sep.liquefaction.liquefaction import zhu_etal_2017_general

n = 10_000_000
draw = np.random.default_rng(1)
pgv, slope, cti = draw.uniform(0.5, 150, n), draw.uniform(0, 1.5, n), draw.uniform(0, 20, n)
rock = draw.choice([k for k in LITHOLOGY_TABLE if isinstance(k, str)], n)
cover = draw.choice([k for k in LANDCOVER_TABLE if isinstance(k, str)], n)
vs30, rain = draw.uniform(100, 900, n), draw.uniform(0, 3000, n)
dw, wtd = draw.uniform(0, 20, n), draw.uniform(0, 60, n)


def show(name, work, repeats=5):
    wall, cpu = [], []
    for _ in range(repeats):
        start, busy = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - start)
        cpu.append(time.process_time() - busy)
    print(f"openquake.sep {name}: fastest {min(wall):.3f} s, {min(cpu):.3f} s of CPU, {min(wall) / n * 1e9:.1f} ns a cell", flush=True)


show("Nowicki Jessee 2018", lambda: nowicki_jessee_2018(pgv=pgv, slope=slope, lithology=rock, landcover=cover, cti=cti), 2)
show("Zhu 2017 general", lambda: zhu_etal_2017_general(pgv=pgv, vs30=vs30, dw=dw, wtd=wtd, precip=rain))
