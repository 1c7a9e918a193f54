"""Makes the ground and the burn of the sample analysis: a valley with side gullies that never was.

usage: make_sample_terrain.py FOLDER

Writes valley.asc (elevation, m) and burn.asc (dNBR times 1000), 64 rows of 48 cells of 10 m. The
roughness is drawn from a generator with a fixed seed, so the files are the same wherever they are
made.
"""

import math
import pathlib
import random
import sys

ROWS, COLUMNS, SIDE, SEED = 64, 48, 10, 20180109
HEAD = f"ncols {COLUMNS}\nnrows {ROWS}\nxllcorner 0\nyllcorner 0\ncellsize {SIDE}\nNODATA_value -9999\n"


def height(row, column, draw):
    """A trunk valley that falls to the south, gullies down both sides, some roughness."""
    across = abs(column - 0.5 * COLUMNS) * SIDE
    down = 0.32 * SIDE * (ROWS - row)
    gullies = 6 * (1 - math.cos(2 * math.pi * (row + 0.35 * across / SIDE) / 16))
    return 300 + down + 0.62 * across + gullies * min(1, across / 60) + draw.uniform(-0.4, 0.4)


def severity(row, column, draw):
    """Burned but for the lowest rows and a patch in the east."""
    unburned = row > 56 or math.hypot(row - 30, column - 44) < 6
    return 0 if unburned else round(430 + draw.gauss(0, 60))


def write(path, cell):
    draw = random.Random(SEED)
    lines = (" ".join(cell(row, column, draw) for column in range(COLUMNS)) for row in range(ROWS))
    path.write_text(HEAD + "\n".join(lines) + "\n")


folder = pathlib.Path(sys.argv[1])
write(folder / "valley.asc", lambda *at: f"{height(*at):.1f}")
write(folder / "burn.asc", lambda *at: str(severity(*at)))
