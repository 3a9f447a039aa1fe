"""Discrete Fourier transforms: the standard's ``fft`` extension, on any backend, as ``at.fft``."""

from anytensor.ops.fft.frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from anytensor.ops.fft.real import hfft, ihfft, irfft, irfftn, rfft, rfftn
from anytensor.ops.fft.transforms import fft, fftn, ifft, ifftn

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]
