"""Settings that hold for every test: quiet frameworks, the CPU, no network, no skips under ``make test``."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

import no_network

no_network.forbid()

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("JAX_PLATFORMS", "cpu")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[Any]:
    """Fail a skipped test under ``make test``: its environment has every framework."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("ANYTENSOR_ALL_INSTALLED"):
        report.outcome = "failed"
        report.longrepr = f"skipped where every framework must be installed: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[Any]:
    """The same for a file that skips itself whole."""
    report = yield
    if report.skipped and os.environ.get("ANYTENSOR_ALL_INSTALLED"):
        report.outcome = "failed"
        report.longrepr = f"skipped where every framework must be installed: {report.longrepr}"
    return report
