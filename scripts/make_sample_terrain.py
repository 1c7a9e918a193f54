"""Makes the ground and the burn of the sample analysis: a valley with side gullies that never was.

usage: make_sample_terrain.py FOLDER

Writes valley.asc (elevation, m) and burn.asc (dNBR times 1000), 72 rows of 72 cells of 10 m. The
roughness is drawn from a generator with a fixed seed, so the files are the same wherever they are
made.
"""

import math
import pathlib
import random
import sys

ROWS, COLUMNS, SIDE, SEED = 72, 72, 10, 20180109
HEAD = f"ncols {COLUMNS}\nnrows {ROWS}\nxllcorner 0\nyllcorner 0\ncellsize {SIDE}\nNODATA_value -9999\n"


def height(row, column, draw):
    """Three valleys that fall to the south, the western one steep and the eastern one gentle."""
    valley = column // 24
    across = abs(column % 24 - 11.5) * SIDE
    steep = (0.75, 0.45, 0.12)[valley]
    down = (0.40, 0.30, 0.14)[valley] * SIDE * (ROWS - row)
    ridge = 120 - (0.75, 0.45, 0.12)[valley] * 115
    rough = draw.uniform(-0.3, 0.3)
    return 300 + down + steep * across + ridge + 2 * math.sin(row / 5) + rough


def severity(row, column, draw):
    """Burned in the west and the middle, patchily in the east, not at all in the lowest rows."""
    share = (1.0, 0.9, 0.45)[column // 24]
    burned = row < 64 and draw.random() < share
    return max(0, round(draw.gauss(460 if burned else 40, 50)))


def write(path, cell):
    draw = random.Random(SEED)
    lines = (" ".join(cell(row, column, draw) for column in range(COLUMNS)) for row in range(ROWS))
    path.write_text(HEAD + "\n".join(lines) + "\n")


folder = pathlib.Path(sys.argv[1])
write(folder / "valley.asc", lambda *at: f"{height(*at):.1f}")
write(folder / "burn.asc", lambda *at: str(severity(*at)))
