"""Run the public suite data-apis/array-api-tests against one of the namespaces.

The suite is no dependency of the project: clone it (with its submodule ``array-api``) beside the
checkout, install its ``ndindex`` where Python finds it, and pass the path:

    python tests/standard/run_array_api_tests.py --suite ../array-api-tests

The report lists what failed; the exit status is pytest's. Tests named in
``tensorflow-xfails.txt`` are expected to fail under ``--namespace tensorflow``; ``--bare`` ignores
the list. Anything after ``--`` goes to pytest.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
XFAILS = HERE / "tensorflow-xfails.txt"
MODULES = {
    "tensorflow": "tensorflow_adapter",
    "numpy": "array_api_compat.numpy",
    "torch": "array_api_compat.torch",
    "jax": "jax.numpy",
}


def expected_failures(path: Path = XFAILS) -> dict[str, str]:
    """Test ids that are expected to fail, each with the reason behind its ``#``."""
    entries = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        test, _, reason = line.partition(" # ")
        if test.strip() and not test.startswith("#"):
            entries[test.strip()] = reason.strip()
    return entries


def main(argv: list[str] | None = None) -> int:
    """Run the suite and return pytest's exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", type=Path, required=True, help="checkout of array-api-tests")
    parser.add_argument("--namespace", choices=sorted(MODULES), default="tensorflow")
    parser.add_argument(
        "--functions",
        action="store_true",
        help="test the functions at.* with that framework's arrays, not its namespace",
    )
    parser.add_argument("--max-examples", type=int, default=100)
    parser.add_argument("--bare", action="store_true", help="ignore the list of expected failures")
    parser.add_argument("--shrink", action="store_true", help="minimise failing examples (slow)")
    parser.add_argument("pytest_args", nargs="*", help="arguments for pytest, after --")
    options = parser.parse_args(argv)

    suite = options.suite.resolve()
    if not (suite / "array_api_tests").is_dir():
        parser.error(f"--suite {suite} holds no array_api_tests")
    if not (suite / "array-api" / "src").is_dir():
        parser.error(f"--suite {suite} lacks its submodule array-api")
    if importlib.util.find_spec("ndindex") is None:
        parser.error("the suite needs the package ndindex")

    environment = dict(os.environ)
    module = "anytensor_adapter" if options.functions else MODULES[options.namespace]
    environment["ARRAY_API_TESTS_MODULE"] = module
    environment["ANYTENSOR_SUITE_BACKEND"] = options.namespace
    environment["ARRAY_API_TESTS_VERSION"] = "2024.12"
    environment.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    environment.setdefault("CUDA_VISIBLE_DEVICES", "")
    environment.setdefault("JAX_ENABLE_X64", "1")
    environment["PYTHONPATH"] = os.pathsep.join([str(HERE), *filter(None, [environment.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["--max-examples", str(options.max_examples), "--disable-deadline"]
    if not options.shrink:
        command += ["-p", "no_shrinking"]
    if not any("array_api_tests" in argument for argument in options.pytest_args):
        command.append("array_api_tests")
    with tempfile.TemporaryDirectory() as scratch:
        if options.namespace == "tensorflow" and not options.bare:
            # The suite reads bare ids, one a line.
            ids = Path(scratch) / "xfails.txt"
            ids.write_text("\n".join(expected_failures()) + "\n", encoding="utf-8")
            command += ["--xfails-file", str(ids)]
        return subprocess.call([*command, *options.pytest_args], cwd=suite, env=environment)


if __name__ == "__main__":
    raise SystemExit(main())
