"""Creation on PyTorch: where array_api_compat's namespace departs from what ``at.*`` promises."""

from __future__ import annotations

from typing import Any

import torch

from anytensor.backends.torch.array import fill

__all__ = [
    "arange",
    "asarray",
    "device_of",
    "empty",
    "eye",
    "from_dlpack",
    "from_python",
    "full",
    "full_like",
    "linspace",
    "ones",
    "zeros",
]


def device_of(like: Any) -> Any:
    """Return the device of a tensor."""
    return like.device


def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Return a tensor of zeros."""
    return torch.zeros(shape, dtype=dtype, device=device)


def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Return a tensor of ones."""
    return torch.ones(shape, dtype=dtype, device=device)


def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Return a tensor whose entries are whatever the memory held."""
    return torch.empty(shape, dtype=dtype, device=device)


def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Return a tensor of one value; torch.full would read a tensor's value, breaking graph and gradient."""
    if dtype is not None:
        fill_value = fill(fill_value, dtype)
    if isinstance(fill_value, torch.Tensor):
        return fill_value.to(device=device, dtype=dtype).expand(shape).clone()
    return torch.full(shape, fill_value, dtype=dtype, device=device)


def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Return a tensor of the shape of x and of one value."""
    fill_value = fill(fill_value, x.dtype if dtype is None else dtype)
    if isinstance(fill_value, torch.Tensor):
        dtype, device = x.dtype if dtype is None else dtype, x.device if device is None else device
        return full(x.shape, fill_value, dtype=dtype, device=device)
    return torch.full_like(x, fill_value, dtype=dtype, device=device)


def arange(start: Any, stop: Any, step: Any, *, dtype: Any, device: Any = None) -> Any:
    """Return a range; empty where the step leads away from the end, which torch.arange refuses."""
    if (step > 0 and stop < start) or (step < 0 and stop > start):
        return torch.empty((0,), dtype=dtype, device=device)
    if dtype in (torch.uint16, torch.uint32, torch.uint64):
        # PyTorch 2.13 has no arange kernel for them on CPU.
        return torch.arange(start, stop, step, dtype=torch.int64, device=device).to(dtype)
    return torch.arange(start, stop, step, dtype=dtype, device=device)


def linspace(
    start: Any, stop: Any, /, num: Any, *, dtype: Any, device: Any = None, endpoint: bool = True
) -> Any:
    """Return evenly spaced values; torch.linspace bakes ``num`` into a graph and rounds integers."""
    wide = torch.complex128 if isinstance(start, complex) or isinstance(stop, complex) else torch.float64
    if device is not None and device.type == "mps":  # pragma: no cover - no Metal here
        wide = torch.complex64 if wide.is_complex else torch.float32  # Metal has no double precision
    index = torch.arange(num, dtype=torch.float64 if wide.itemsize > 4 else torch.float32, device=device)
    steps = torch.sym_max(num - 1 if endpoint else num, 1)
    values = index.to(wide) * ((stop - start) / steps) + start
    if endpoint:
        last = torch.full((), stop, dtype=wide, device=device)
        values = torch.where((index == num - 1) & (index > 0), last, values)
    if not (dtype.is_floating_point or dtype.is_complex):
        values = torch.floor(values)
    return values.to(dtype)


def eye(n_rows: Any, n_cols: Any, /, *, k: int = 0, dtype: Any, device: Any = None) -> Any:
    """Return ones on a diagonal, without a guard on the sizes."""
    rows = torch.arange(n_rows, device=device)
    columns = torch.arange(n_cols, device=device)
    return (columns == rows[:, None] + k).to(dtype)


def asarray(x: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Any:
    """Return a tensor as one of a dtype and device, its gradient kept; torch.asarray drops it (#170819)."""
    out = x.to(device=x.device if device is None else device, dtype=x.dtype if dtype is None else dtype)
    return out.clone() if copy and out is x else out


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    """Return a tensor on the memory of another library's array; torch before 2.9 takes no keyword."""
    out = torch.from_dlpack(x)
    return asarray(out, device=device, copy=copy)


def from_python(obj: Any, *, dtype: Any, device: Any = None) -> Any:
    """Return an array of Python numbers or of a nest of them."""
    return torch.tensor(obj, dtype=dtype, device=device)
