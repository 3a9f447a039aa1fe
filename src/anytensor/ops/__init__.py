"""The Array API standard as ``at.*``, in rooms named after the standard's chapters."""

from anytensor.ops.manipulation import *  # noqa: F403
