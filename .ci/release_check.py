"""Build what would be released, look into it, install it where no framework is, and use it there.

``make release-check``. Needs pip and its index, nothing else; writes ``dist/`` and ``build/release-check``.
"""

from __future__ import annotations

import email
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "release-check"
DIST = ROOT / "dist"
FRAMEWORKS = ("torch", "jax", "tensorflow", "keras")

SMOKE = f"""
import importlib.util, sys
frameworks = {FRAMEWORKS!r}
assert not [name for name in frameworks if importlib.util.find_spec(name)], "a framework is installed"
import numpy as np
import anytensor as at
from anytensor import hetero, jraph, testing, tree
assert "site-packages" in at.__file__, at.__file__
assert at.__version__ == sys.argv[1], at.__version__
assert not [name for name in frameworks if name in sys.modules]
ids = np.array([0, 0, -1])
x = np.array([1.0, 2.0, 4.0])
assert at.segment_sum(x, ids, 2).tolist() == [3.0, 0.0]
assert at.segment_softmax(np.array([-np.inf, -np.inf, 0.0]), ids, 2).tolist() == [0.0, 0.0, 0.0]
assert at.partition_mean(x, np.array([1, 2]), 3).tolist() == [1.0, 3.0]
assert at.rearrange(x, "n -> n 1").shape == (3, 1)
assert at.linalg.det(np.eye(2)).item() == 1.0
graph = jraph.get_fully_connected_graph(2, 1, np.ones((2, 1)))
assert jraph.batch([graph, graph]).senders.max() == 3
assert tree.map(at.negative, {{"a": x}})["a"][0] == -1.0
assert [v.backend for v in testing.variants()] == ["numpy", "numpy"]
testing.assert_portable(lambda x: at.segment_max(x, ids, 2), x)
try:
    at.segment_sum(x, ids)
except TypeError as error:
    assert "num_segments" in str(error)
else:
    raise AssertionError("num_segments may be left out")
print("smoke test passed")
"""


def main() -> None:
    """Run every step; an error ends it."""
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.rmtree(DIST, ignore_errors=True)
    builder = environment("builder")
    run(builder, "-m", "pip", "install", "--quiet", "build")
    run(builder, "-m", "build", "--outdir", DIST, ROOT)  # the wheel from the sdist, so both are complete
    (wheel,), (sdist,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    text = (ROOT / "src" / "anytensor" / "_version.py").read_text()
    version = re.findall(r'^__version__ = "(.+)"$', text, re.MULTILINE)[0]
    check_wheel(wheel, version)
    check_sdist(sdist)
    user = environment("user")
    run(user, "-m", "pip", "install", "--quiet", wheel)
    run(user, "-m", "pip", "check")
    run(user, "-c", SMOKE, version, cwd=WORK)
    run(user, "-m", "anytensor", cwd=WORK)
    print(f"{wheel.name} and {sdist.name} are fit to release")


def environment(name: str) -> Path:
    """Make an environment and return its interpreter."""
    venv.create(WORK / name, with_pip=True)
    return WORK / name / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def run(python: Path, *arguments: object, cwd: Path = ROOT) -> None:
    """Run an interpreter, without what the caller's environment would add to its path."""
    command = [str(python), *[str(argument) for argument in arguments]]
    subprocess.run([command[0], "-I", *command[1:]], cwd=cwd, check=True)


def check_wheel(wheel: Path, version: str) -> None:
    """Raise AssertionError unless a wheel has every file of the package and nothing else."""
    source = ROOT / "src"
    package = {
        str(path.relative_to(source))
        for path in (source / "anytensor").rglob("*")
        if path.suffix == ".py" or path.name == "py.typed"
    }
    info = f"anytensor-{version}.dist-info"
    about = {f"{info}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "licenses/LICENSE")}
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = email.message_from_bytes(archive.read(f"{info}/METADATA"))
    assert "anytensor/py.typed" in package
    assert names == package | about, f"left out or too much: {sorted(names ^ (package | about))}"
    assert metadata["Version"] == version
    assert metadata["License-Expression"] == "MIT"
    stated = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    required = [re.split(r"[^\w-]", line)[0] for line in stated]
    assert not set(required) & set(FRAMEWORKS), required


def check_sdist(sdist: Path) -> None:
    """Raise AssertionError unless a source distribution has what builds, tests and explains the package."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "tests/conftest.py"}
    assert needed <= names, f"left out: {sorted(needed - names)}"
    strange = [name for name in names if name.startswith((".venv", "out", "site", "build"))]
    assert not strange, f"too much: {strange[:5]}"


if __name__ == "__main__":
    main()
