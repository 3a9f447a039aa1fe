"""The version of the package, read by the build and by ``python -m anytensor``."""

__version__ = "0.1.0"
