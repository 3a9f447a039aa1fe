"""Run every case and write the tables of ``docs/differences.md``: ``python -m differences`` in ``docs``."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

from differences.page import write

PAGE = Path(__file__).parents[1] / "differences.md"


def main() -> None:
    """Run and write."""
    PAGE.write_text(write(PAGE.read_text()))


if __name__ == "__main__":
    main()
