"""The conformance kit: hold a portable function to one answer on every backend, eager and compiled.

Importing this package imports no framework and needs no test framework. Running a function imports the
installed frameworks that it runs on, by ``importlib``, in one runner room for each.
"""

from anytensor.testing.comparison import assert_trees_close
from anytensor.testing.portable import assert_portable, prepare, run_portable
from anytensor.testing.report import Difference, Outcome, Report
from anytensor.testing.variant_table import Variant, variants

__all__ = [
    "Difference",
    "Outcome",
    "Report",
    "Variant",
    "assert_portable",
    "assert_trees_close",
    "prepare",
    "run_portable",
    "variants",
]
