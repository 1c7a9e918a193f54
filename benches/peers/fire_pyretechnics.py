"""The level set of pyretechnics on the case of `cargo bench -p lahar-hazards --bench fires_and_slides`.

usage: python fire_pyretechnics.py   (pip install pyretechnics==2026.10.20 numpy)
"""
import time

import numpy as np
from pyretechnics import eulerian_level_set as els
from pyretechnics.space_time_cube import SpaceTimeCube

shape = (4, 400, 400)
layers = dict(
    slope=0.0, aspect=180.0, fuel_model=145, canopy_cover=0.0, canopy_height=0.0,
    canopy_base_height=0.0, canopy_bulk_density=0.0, wind_speed_10m=15.0, upwind_direction=270.0,
    fuel_moisture_dead_1hr=0.06, fuel_moisture_dead_10hr=0.07, fuel_moisture_dead_100hr=0.08,
    fuel_moisture_live_herbaceous=0.6, fuel_moisture_live_woody=0.9, foliar_moisture=0.9,
    fuel_spread_adjustment=1.0, weather_spread_adjustment=1.0,
)
cubes = {name: SpaceTimeCube(shape, value) for name, value in layers.items()}
seconds = []
for _ in range(7):
    state = els.SpreadState(shape).ignite_cell((200, 100))
    begin = time.perf_counter()
    result = els.spread_fire_with_phi_field(cubes, state, (60, 30, 30), 0, max_duration=240.0)
    seconds.append(time.perf_counter() - begin)
state = result["spread_state"] if isinstance(result, dict) else state
try:
    arrival = state.get_full_matrices()["time_of_arrival"]
    burned = int(np.sum(arrival >= 0))
except Exception as error:
    burned = repr(error)
seconds.sort()
print(f"pyretechnics level set: fastest {seconds[0] * 1e3:.1f} ms, middle {seconds[3] * 1e3:.1f} ms, "
      f"{burned} cells")
