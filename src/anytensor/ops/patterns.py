"""einops' functions under ``at.*``: its pattern language works on the arrays of every backend.

einops' ``repeat`` is ``einops_repeat`` here, for ``repeat`` is the array function.
"""

from __future__ import annotations

from einops import einsum, pack, rearrange, reduce, unpack
from einops import repeat as einops_repeat

__all__ = ["einops_repeat", "einsum", "pack", "rearrange", "reduce", "unpack"]
