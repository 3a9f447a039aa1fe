"""Tests reach no network: a connection to anything but this machine is an error."""

from __future__ import annotations

import socket
from typing import Any

__all__ = ["forbid"]

_LOCAL = ("127.", "localhost", "::1")
_connect, _connect_ex, _getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo


def forbid() -> None:
    """Let Python's sockets connect to this machine only; what C code opens by itself is not seen."""
    socket.socket.connect = connect  # type: ignore[method-assign]
    socket.socket.connect_ex = connect_ex  # type: ignore[method-assign]
    socket.getaddrinfo = getaddrinfo


def connect(self: socket.socket, address: Any) -> None:
    _check(self.family, address)
    _connect(self, address)


def connect_ex(self: socket.socket, address: Any) -> int:
    _check(self.family, address)
    return _connect_ex(self, address)


def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
    _check(socket.AF_INET, (host,))
    return _getaddrinfo(host, *args, **kwargs)


def _check(family: int, address: Any) -> None:
    if family not in (socket.AF_INET, socket.AF_INET6):
        return  # a socket in the file system, such as those of multiprocessing
    host = address[0]
    host = host.decode() if isinstance(host, bytes) else host
    if host is not None and not host.startswith(_LOCAL):
        raise PermissionError(f"a test reached for the network: {host}")
