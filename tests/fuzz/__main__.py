"""The long fuzz run: ``make fuzz``, or ``python tests/fuzz --minutes 60``.

Rounds of every search in ``tests/fuzz``, each round with a seed of its own, until the time is over. A second
run goes on where the first one stopped: ``.fuzz/state.json`` has the rounds of each test and its findings,
``.fuzz/examples`` the failing examples, which are tried again first. Exit status 1 while a finding is open.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import gc
import io
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent)]

import fuzz_profile  # noqa: E402  # beside this file

EMPTY: dict[str, Any] = {
    "minutes": 0.0,
    "sessions": 0,
    "tests": {},
    "examples": {},
    "open": {},
    "running": None,
}


class Recorder:
    """A pytest plugin: the tests that there are, and how one of them went."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.failure = ""

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note the tests that are left."""
        self.ids = [item.nodeid for item in session.items]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what failed."""
        if report.failed:
            self.failure = report.longreprtext

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be read."""
        if report.failed:
            self.failure = report.longreprtext


def run_pytest(*arguments: str) -> Recorder:
    """Run pytest in this process, quietly."""
    recorder = Recorder()
    with contextlib.redirect_stdout(io.StringIO()):
        # Plain, since pytest rewrites no module that is loaded already, Hypothesis among them.
        options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--timeout=0", "--assert=plain")
        status = pytest.main([*arguments, *options, "--tb=short"], [recorder])
    if status == pytest.ExitCode.INTERRUPTED and not recorder.failure:
        raise KeyboardInterrupt
    return recorder


def forget_compilations() -> None:
    """Free what the frameworks keep for every shape that was compiled."""
    if "jax" in sys.modules:
        sys.modules["jax"].clear_caches()
    if "torch" in sys.modules and hasattr(sys.modules["torch"], "_dynamo"):
        sys.modules["torch"]._dynamo.reset()
    gc.collect()


class Session:
    """One run over the state that earlier ones left."""

    def __init__(self, folder: Path, minutes: float, factor: int, select: str) -> None:
        self.folder, self.minutes, self.factor, self.select = folder, minutes, factor, select
        self.path = folder / "state.json"
        kept = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.state = {**copy.deepcopy(EMPTY), **kept}
        self.started, self.stopping = time.monotonic(), False
        self.before = self.state["minutes"]
        if self.state["running"]:
            self.found(self.state["running"], -1, "the process ended in it")
        self.state["sessions"] += 1

    def stop(self, number: int, frame: Any) -> None:
        """End after the test that runs now; at a second signal at once."""
        if self.stopping:
            raise KeyboardInterrupt
        self.stopping = True

    def save(self) -> None:
        """Write the state whole, so that a run that is killed leaves a readable one."""
        self.state["minutes"] = self.before + (time.monotonic() - self.started) / 60
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps(self.state, indent=1, sort_keys=True))
        os.replace(fresh, self.path)

    def found(self, test: str, seed: int, report: str) -> None:
        """Keep and print a finding."""
        self.state["open"][test] = {"seed": seed, "report": report}
        print(f"\n--- FOUND by {test}, seed {seed}\n{report}\n", flush=True)

    def collect(self) -> list[str]:
        """Return the tests, the least run first."""
        chosen = ["-k", self.select] if self.select else []
        own = ("--ignore", str(HERE / "test_fuzz_runner.py"))  # of this file, and no search
        recorder = run_pytest(str(HERE), "--collect-only", *own, *chosen)
        if recorder.failure or not recorder.ids:
            raise SystemExit(f"no tests to run: {recorder.failure}")
        rounds = self.state["tests"]
        if not self.select:  # a test that is gone has no finding
            self.state["open"] = {t: found for t, found in self.state["open"].items() if t in recorder.ids}
        return sorted(recorder.ids, key=lambda test: len(rounds.get(test, ())))

    def run(self) -> int:
        """Run tests until the time is over."""
        tests = self.collect()
        limit = self.started + 60 * self.minutes
        number = 0
        while True:
            for test in tests:
                if self.stopping or time.monotonic() > limit:
                    return self.end()
                self.run_one(test)
            number += 1
            print(f"round {number} of this run done, {self.summary()}", flush=True)
            forget_compilations()
            tests = self.collect()

    def run_one(self, test: str) -> None:
        """Run one test with the next seed."""
        seeds = self.state["tests"].setdefault(test, [])
        seed = 1 + max(seeds, default=0)
        self.state["running"] = test
        self.save()
        profile = fuzz_profile.Profile(self.factor, seed, self.folder / "examples")
        fuzz_profile.use(profile)
        began = time.monotonic()
        recorder = run_pytest(str(ROOT / test))
        took = time.monotonic() - began
        count = sum(profile.examples.values())
        seeds.append(seed)
        self.state["examples"][test] = self.state["examples"].get(test, 0) + count
        self.state["running"] = None
        if recorder.failure:
            self.found(test, seed, recorder.failure)
        elif self.state["open"].pop(test, None):
            print(f"--- closed: {test}", flush=True)
        print(f"{test} seed {seed}: {count} examples in {took:.1f} s", flush=True)
        self.save()

    def summary(self) -> str:
        """Say how much has run."""
        state = self.state
        rounds = sum(len(seeds) for seeds in state["tests"].values())
        return (
            f"{rounds} runs of {len(state['tests'])} tests, {sum(state['examples'].values())} examples, "
            f"{state['minutes']:.0f} minutes in {state['sessions']} sessions, {len(state['open'])} open"
        )

    def end(self) -> int:
        """Save, say how it went, and return the exit status."""
        self.save()
        print(self.summary())
        for test, finding in sorted(self.state["open"].items()):
            print(f"open: {test}, seed {finding['seed']}")
        return 1 if self.state["open"] else 0


def main() -> int:
    """Read the options and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--factor", type=int, default=1, help="times the examples of a round")
    parser.add_argument("--folder", type=Path, default=ROOT / ".fuzz")
    parser.add_argument("-k", dest="select", default="", help="as pytest's -k")
    options = parser.parse_args()
    os.chdir(ROOT)
    session = Session(options.folder, options.minutes, options.factor, options.select)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, session.stop)
    try:
        return session.run()
    except KeyboardInterrupt:
        session.state["running"] = None
        session.end()
        return 130


if __name__ == "__main__":
    sys.exit(main())
