"""``python -m anytensor``: the backends that are installed here, and whether each passes a self-check."""

from __future__ import annotations

import sys

from anytensor._version import __version__
from anytensor.selfcheck import check_backends, format_table


def main() -> int:
    """Print the table; return 1 if an installed backend fails, else 0."""
    rows = check_backends()
    print(f"anytensor {__version__}\n")
    print(format_table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
