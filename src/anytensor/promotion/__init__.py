"""Bring the operands of one call onto one backend and to one dtype, and sizes to sizes."""

from anytensor.promotion.align import align, align_arrays, to_host
from anytensor.promotion.decorator import promote
from anytensor.promotion.options import CopyWarning, promote_options
from anytensor.promotion.sizes import as_size

__all__ = ["CopyWarning", "align", "align_arrays", "as_size", "promote", "promote_options", "to_host"]
