"""LHASA version 2 by xgboost on one thread, for `cargo bench -p lahar-hazards --bench fires_and_slides`.

usage: python lhasa_xgboost.py MODEL.json   (pip install xgboost-cpu numpy)
"""
import sys
import time

import numpy as np
import xgboost

booster = xgboost.Booster()
booster.load_model(sys.argv[1])
booster.set_param({"nthread": 1})
random = np.random.default_rng(1)
cells = 200_000
rows = np.column_stack([
    np.floor(random.random(cells) * 5), random.random(cells) * 45, random.random(cells),
    random.random(cells), random.random(cells) * 80, random.random(cells) * 3,
])
seconds = []
for _ in range(5):
    begin = time.perf_counter()
    booster.predict(xgboost.DMatrix(rows, feature_names=booster.feature_names, nthread=1))
    seconds.append(time.perf_counter() - begin)
seconds.sort()
print(f"xgboost, 1 thread: fastest {cells / seconds[0]:.2e} cells a second, "
      f"middle {cells / seconds[2]:.2e}")
