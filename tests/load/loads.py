"""How large a load is: small in ``make test``, full in ``make load``; and the backends that bear it."""

from __future__ import annotations

import os
from typing import Any

import jax.numpy as jnp
import numpy as np
import tensorflow as tf
import torch

FULL = os.environ.get("ANYTENSOR_LOAD") == "full"

MAKERS: dict[str, Any] = {
    "numpy": np.array,
    "torch": torch.tensor,
    "jax": jnp.array,
    "tensorflow": tf.constant,
}


def size(small: int, full: int) -> int:
    return full if FULL else small


def report(text: str) -> None:
    """Print a figure of the full run; ``make load`` shows what is printed."""
    if FULL:
        print(f"\n{text}")
