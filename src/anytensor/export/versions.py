"""Which packages an export needs, and which versions are known not to work together."""

from __future__ import annotations

import importlib.metadata
import re

__all__ = ["require", "require_tf2onnx", "require_torch_exporter"]


def _version(package: str) -> tuple[int, ...] | None:
    """Return the installed version's numbers, or None."""
    try:
        text = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def require(function: str, *packages: str) -> None:
    """Check that packages are installed.

    Raises:
        ImportError: If one is not; the message says what to install.
    """
    absent = [package for package in packages if _version(package) is None]
    if absent:
        raise ImportError(
            f"{function} needs {' and '.join(packages)}; not installed: {', '.join(absent)}. "
            f"pip install {' '.join(absent)}"
        )


def require_torch_exporter(function: str) -> None:
    """Check what ``torch.onnx.export(dynamo=True)`` needs.

    Raises:
        ImportError: If a package is missing, or PyTorch is too old to say that it is exporting.
    """
    require(function, "torch", "onnx", "onnxscript")
    version = _version("torch") or ()
    if version < (2, 7):
        raise ImportError(
            f"{function} needs torch 2.7 or later, got {'.'.join(map(str, version))}: earlier ones do not "
            "tell a function that it is being exported"
        )


def require_tf2onnx(function: str) -> None:
    """Check what a conversion by tf2onnx needs.

    Raises:
        ImportError: If a package is missing, or the versions are known not to work together.
    """
    require(function, "tensorflow", "tf2onnx", "onnx")
    converter, numpy = _version("tf2onnx") or (), _version("numpy") or ()
    if converter < (1, 17) and numpy >= (2,):
        # tensorflow-onnx issue 2373: it reads np.cast, which NumPy 2 has no more.
        raise ImportError(
            f"{function}: tf2onnx {'.'.join(map(str, converter))} does not work with NumPy "
            f"{'.'.join(map(str, numpy))} (np.cast is gone). pip install 'tf2onnx>=1.17', or 'numpy<2'"
        )
    if converter < (1, 16):
        raise ImportError(
            f"{function} needs tf2onnx 1.16 or later, got {'.'.join(map(str, converter))}: earlier ones know "
            "no reduction of ScatterND and no opset 18"
        )
