"""The rooms whose strategies, tables and oracles the searches share."""

import sys
from pathlib import Path

for _room in ("ops", "contract", "jraph", "tree"):
    _path = str(Path(__file__).parents[1] / _room)
    if _path not in sys.path:
        sys.path.append(_path)
