"""Manipulation functions of the standard: shapes, order of axes and entries, joining and splitting."""

from anytensor.ops.manipulation.joining import *  # noqa: F403
from anytensor.ops.manipulation.order import *  # noqa: F403
from anytensor.ops.manipulation.shapes import *  # noqa: F403
