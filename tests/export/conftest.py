"""Let the cases use the small layers and graphs of the neighbouring folders' tests."""

import sys
from pathlib import Path

sys.path[1:1] = [str(Path(__file__).parents[1] / folder) for folder in ("jraph", "hetero")]
