"""A test that reaches for the network fails; one that talks to this machine does not."""

from __future__ import annotations

import socket
import threading
import urllib.request
from collections.abc import Callable

import pytest

# RFC 5737 keeps this address for documentation: nothing is there.
NOWHERE = "192.0.2.1"

CALLS: dict[str, Callable[[], object]] = {
    "create_connection": lambda: socket.create_connection((NOWHERE, 80), timeout=1),
    "connect": lambda: socket.socket().connect((NOWHERE, 80)),
    "connect_ex": lambda: socket.socket().connect_ex((NOWHERE, 80)),
    "version 6": lambda: socket.socket(socket.AF_INET6).connect(("2001:db8::1", 80, 0, 0)),
    "a name": lambda: socket.getaddrinfo("example.invalid", 80),
    "bytes": lambda: socket.getaddrinfo(b"example.invalid", 80),
}


@pytest.mark.parametrize("call", list(CALLS))
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_connection_outwards_is_refused(call: str) -> None:
    with pytest.raises(PermissionError, match="reached for the network"):
        CALLS[call]()


def test_a_page_is_refused() -> None:
    with pytest.raises(OSError, match="reached for the network"):
        urllib.request.urlopen(f"http://{NOWHERE}/")


def test_this_machine_is_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        greeter = threading.Thread(target=lambda: server.accept()[0].close())
        greeter.start()
        for host in ("127.0.0.1", "localhost"):
            assert socket.getaddrinfo(host, port)
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            assert connection.recv(1) == b""
        greeter.join()


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no such sockets on this system")
def test_a_pair_of_sockets_is_left_alone() -> None:
    one, other = socket.socketpair()
    with one, other:
        one.sendall(b"a")
        assert other.recv(1) == b"a"
