"""The search finds a planted fault; the long runner keeps what it found and goes on where it stopped."""

import importlib.util
import json
from pathlib import Path

import fuzz_profile
import numpy as np
import pytest
from fuzz_cases import Case, check
from fuzz_values import arrays, narrow, spread
from hypothesis import strategies as st

import anytensor as at
from anytensor.testing import prepare

SPEC = importlib.util.spec_from_file_location("fuzz_runner", Path(__file__).parent / "__main__.py")
runner = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(runner)


@pytest.fixture(autouse=True)
def small_profile():
    before = fuzz_profile._current
    fuzz_profile.use(fuzz_profile.Profile())
    yield
    fuzz_profile.use(before)


def case_of(function, rule="own"):
    return Case("abs", function, (np.array([-1.0, 2.0], np.float32),), np.abs, rule)


FAULTS = {
    "a value": case_of(lambda x: at.abs(x) + 1e-3),
    "a dtype": case_of(lambda x: at.astype(at.abs(x), "float64")),
    "a shape": case_of(lambda x: at.abs(x)[None]),
    "an error": case_of(lambda x: at.reshape(x, (3,))),
    "another type": case_of(lambda x: [float(v) for v in x]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_case_that_is_wrong_fails(fault):
    case = FAULTS[fault]
    with pytest.raises((AssertionError, AttributeError, ValueError)):
        check(case, prepare(case.function, "numpy")(*case.arrays))
    check(case_of(at.abs), prepare(at.abs, "torch")(*case.arrays))


def test_a_planted_fault_is_found_and_counted():
    seen = []

    def holds(x):
        seen.append(x)
        assert not np.isnan(x).any()

    with pytest.raises(AssertionError):
        fuzz_profile.search("planted", arrays("float32"), holds, 60)
    assert 1 < len(seen) <= 60


def test_the_small_profile_draws_the_same_every_time():
    drawn = [[], []]
    for found in drawn:
        fuzz_profile.search("same", st.integers(), found.append, 20)
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == 20


def test_arrays_have_every_size_and_special_value():
    found = []
    fuzz_profile.search("sizes", arrays("float32"), found.append, 300)
    assert {0, 1} <= {x.size for x in found}
    assert {0, 1, 2, 3, 4} == {x.ndim for x in found}
    whole = np.concatenate([x.ravel() for x in found])
    assert np.isnan(whole).any()
    assert {np.inf, -np.inf} <= set(whole.tolist())
    assert (np.signbit(whole) & (whole == 0)).any()
    assert narrow(found[0].astype(np.float64), "jax").dtype == np.float32


def test_spread_draws_all_alike():
    counts = dict.fromkeys("abcde", 0)

    def count(letter):
        counts[letter] += 1

    fuzz_profile.search("spread", spread("abcde"), count, 300)
    assert min(counts.values()) >= 20


class Fake:
    """Stands for pytest: two tests, the first of which fails until it is mended."""

    def __init__(self):
        self.broken, self.calls, self.session = True, [], None

    def __call__(self, path, *options):
        recorder = runner.Recorder()
        recorder.ids = ["a.py::test_a", "a.py::test_b"]
        if "--collect-only" not in options:
            self.calls.append((path.rsplit("::")[-1], fuzz_profile._current.seed))
            recorder.failure = "it is wrong" if self.broken and path.endswith("test_a") else ""
            self.session.stopping = len(self.calls) >= 2
        return recorder


def run(folder, fake, monkeypatch):
    monkeypatch.setattr(runner, "run_pytest", fake)
    fake.calls = []
    fake.session = runner.Session(folder, 1.0, 1, "")
    return fake.session.run()


def test_a_finding_is_kept_and_the_run_goes_on(tmp_path, monkeypatch, capsys):
    fake = Fake()
    assert run(tmp_path, fake, monkeypatch) == 1
    assert fake.calls == [("test_a", 1), ("test_b", 1)]
    assert "FOUND by a.py::test_a, seed 1\nit is wrong" in capsys.readouterr().out
    state = json.loads((tmp_path / "state.json").read_text())
    assert state["tests"] == {"a.py::test_a": [1], "a.py::test_b": [1]}
    assert list(state["open"]) == ["a.py::test_a"]
    fake.broken = False
    assert run(tmp_path, fake, monkeypatch) == 0
    assert fake.calls == [("test_a", 2), ("test_b", 2)]
    assert "closed: a.py::test_a" in capsys.readouterr().out


def test_a_process_that_ended_in_a_test_is_a_finding(tmp_path, monkeypatch, capsys):
    (tmp_path / "state.json").write_text(json.dumps({"running": "a.py::test_b"}))
    fake = Fake()
    fake.broken = False
    assert run(tmp_path, fake, monkeypatch) == 0
    assert "the process ended in it" in capsys.readouterr().out


def test_a_signal_ends_the_run_after_a_test(tmp_path, monkeypatch):
    session = runner.Session(tmp_path, 1.0, 1, "")
    session.stop(15, None)
    assert session.stopping
    with pytest.raises(KeyboardInterrupt):
        session.stop(15, None)
