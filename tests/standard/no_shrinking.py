"""Pytest plugin: Hypothesis reports the first failing example instead of minimising it for minutes."""

import pytest
from hypothesis import Phase, settings


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    # After the suite's own conftest, whose profile (number of examples) is kept.
    settings.register_profile(
        "no-shrinking", settings(), phases=[Phase.explicit, Phase.generate], deadline=None
    )
    settings.load_profile("no-shrinking")
