"""Tensor code written once, run on NumPy, JAX, PyTorch and TensorFlow."""
