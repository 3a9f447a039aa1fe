"""The arrays of each backend, made from NumPy's, for tests that run over all of them."""

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow as tf
import torch

MAKERS: dict[str, Any] = {
    "numpy": np.asarray,
    "torch": lambda a: torch.from_numpy(np.array(a)),
    "jax": jnp.asarray,
    "tensorflow": tf.constant,
}
every_backend = pytest.mark.parametrize("backend", list(MAKERS))
