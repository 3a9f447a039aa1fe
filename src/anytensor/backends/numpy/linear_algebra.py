"""Products of half precision: accumulated in float32, and bfloat16 (float32 in ml_dtypes) kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import array_api_compat.numpy as xp
import numpy as np

__all__ = ["matmul", "tensordot", "vecdot"]


def _wide(function: Callable[..., Any]) -> Callable[..., Any]:
    def product(x1: Any, x2: Any, /, **options: Any) -> Any:
        if x1.dtype.kind == "V" or x1.dtype == np.float16:
            return np.asarray(function(x1.astype(np.float32), x2.astype(np.float32), **options)).astype(
                x1.dtype
            )
        return np.asarray(function(x1, x2, **options))

    return product


matmul = _wide(xp.matmul)
tensordot = _wide(xp.tensordot)
vecdot = _wide(xp.vecdot)
