"""Mutation check: change one thing in a room's code, and see whether the room's tests notice.

``python .ci/mutation.py run`` after ``pip install --target build/mutation/site cosmic-ray``; the settings
stand in ``mutation.toml``. cosmic-ray makes the mutants. Its own runner writes each into the file and starts
a process for it, where importing four frameworks costs eight seconds: here they are imported once, and each
mutant has a fork of that process, which compiles the mutated text in place of the file. Nothing is written
but the results, one line a mutant, in ``build/mutation``; a mutant with a verdict there is not run again.
"""

from __future__ import annotations

import argparse
import ast
import collections
import gc
import hashlib
import importlib
import importlib.machinery
import json
import linecache
import os
import resource
import sys
import time
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tomllib

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "mutation"
SOURCE = ROOT / "src" / "anytensor"
RESULTS = WORK / "results.jsonl"
SETTINGS = tomllib.loads((ROOT / ".ci" / "mutation.toml").read_text())
LIMIT = 300  # processor seconds that one stage may take: a mutant that never ends is a killed one

# With None among their arguments these raise TypeError at once: such a mutant tells nothing of the tests.
TRIVIAL = (
    "isinstance",
    "issubclass",
    "len",
    "list",
    "int",
    "range",
    "zip",
    "enumerate",
    "hasattr",
    "getattr",
)

Place = tuple[int, int]


def main() -> None:
    """Make the mutants, run those without a verdict, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("action", choices=("list", "run", "again", "table"), help="again: only the survivors")
    parser.add_argument("rooms", nargs="*", help="names of rooms; all unless given")
    parser.add_argument("--until", type=int, help="run only so many stages, to see the survivors early")
    arguments = parser.parse_args()
    rooms = arguments.rooms or list(SETTINGS["rooms"])
    sys.path.append(str(WORK / "site"))
    mutants = [mutant for room in rooms for mutant in mutants_of(room)]
    current = {mutant["id"] for mutant in mutants}
    if arguments.action == "table":
        table(rooms, current)
        return
    if arguments.action == "list":
        for mutant in mutants:
            print(mutant["id"], mutant["change"], sep="\t")
        print(len(mutants), "mutants")
        return
    verdicts = {r["id"]: r for r in read_results()}
    if arguments.action == "again":
        mutants = [m for m in mutants if verdicts.get(m["id"], {}).get("verdict") == "survived"]
    else:
        mutants = [m for m in mutants if m["id"] not in verdicts]
    preload()
    for room in rooms:
        check_unmutated(room, arguments.until)
    for place, mutant in enumerate(mutants):
        result = judge(mutant, arguments.until)
        with RESULTS.open("a") as file:
            file.write(json.dumps(result) + "\n")
        print(f"{place + 1}/{len(mutants)}", result["verdict"], result["id"], result["change"], flush=True)
    table(rooms, current)


# --- mutants ---


def mutants_of(room: str) -> Iterator[dict[str, Any]]:
    """Yield every mutant of a room: id, file, the changed line and the whole mutated text."""
    for name in SETTINGS["rooms"][room]["files"]:
        text = (SOURCE / name).read_text()
        left_out = list(left_out_of(ast.parse(text), text))
        seen, alike = {None, compiled(text)}, collections.Counter[str]()
        for operator, start, mutated in [*by_cosmic_ray(text), *by_statement(text)]:
            code = compiled(mutated)
            if code in seen or any(first <= start < last for first, last in left_out):
                continue
            seen.add(code)  # two operators may make the same change, or one that the compiler takes back
            changed = change(text, mutated)
            alike[changed] += 1
            digest = hashlib.sha256(f"{changed}:{alike[changed]}".encode()).hexdigest()[:10]
            yield {
                "id": f"{name}:{operator}:{digest}",  # the same when the lines above change
                "line": start[0],
                "room": room,
                "file": name,
                "change": changed,
                "text": mutated,
            }


def compiled(text: str) -> Any:
    """Return what Python makes of a text, less where it stands; None if nothing."""

    def strip(code: Any) -> Any:
        if not isinstance(code, types.CodeType):
            return type(code).__name__, repr(code)
        return code.co_code, code.co_names, code.co_varnames, tuple(strip(one) for one in code.co_consts)

    try:
        return strip(compile(text, "", "exec"))
    except SyntaxError:
        return None


def by_cosmic_ray(text: str) -> Iterator[tuple[str, Place, str]]:
    """Yield (operator, position, mutated text) for the operators of cosmic-ray that are chosen."""
    plugins = importlib.import_module("cosmic_ray.plugins")
    mutate_code = importlib.import_module("cosmic_ray.mutating").mutate_code
    trees = importlib.import_module("cosmic_ray.ast")
    nodes = list(trees.ast_nodes(trees.get_ast(text)))
    for name in plugins.operator_names():
        short = name.partition("/")[2]
        if short not in SETTINGS["operators"]:
            continue
        operator = plugins.get_operator(name)()
        starts = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        for occurrence, start in enumerate(starts):
            yield short, start, mutate_code(text, operator, occurrence)


def by_statement(text: str) -> Iterator[tuple[str, Place, str]]:
    """Yield mutants that cosmic-ray has no operator for: a statement or an argument left out, `in` turned."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Delete, ast.AugAssign)) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        ):
            yield "DeleteStatement", place(node), replaced(text, node, "pass")
        elif isinstance(node, ast.Return) and node.value is not None:
            yield "ReturnNone", place(node), replaced(text, node, "return None")
        elif isinstance(node, ast.Call) and ast.unparse(node.func) not in TRIVIAL:
            for argument in node.args:
                if isinstance(argument, (ast.Name, ast.Subscript, ast.Attribute)):
                    yield "ArgumentNone", place(argument), replaced(text, argument, "None")
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            code = ast.get_source_segment(text, node) or ""
            old, new = (" in ", " not in ") if isinstance(node.ops[0], ast.In) else (" not in ", " in ")
            yield "TurnIn", place(node), replaced(text, node, code.replace(old, new, 1))


def left_out_of(tree: ast.AST, text: str) -> Iterator[tuple[Place, Place]]:
    """Yield the spans that are not mutated: annotations, ``__all__``, overloads, the making of errors."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.arg, ast.AnnAssign)) and node.annotation is not None:
            yield span(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            if node.returns is not None:
                yield span(node.returns)
            if any(ast.unparse(decorator) == "overload" for decorator in node.decorator_list):
                first = node.decorator_list[0]
                yield (first.lineno, 0), span(node)[1]
        elif isinstance(node, (ast.Raise, ast.Import, ast.ImportFrom)):
            yield span(node)
        elif isinstance(node, ast.Assign):
            target = ast.unparse(node.targets[0])
            # A TypeVar or an alias is for type checkers, and a message is for readers.
            if target in ("__all__", "F", "Key", "message", "where"):
                yield span(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "warnings.warn":
            yield span(node.args[0])


def place(node: Any) -> Place:
    """Return where a node begins."""
    return node.lineno, node.col_offset


def span(node: Any) -> tuple[Place, Place]:
    """Return where a node begins and ends."""
    return place(node), (node.end_lineno, node.end_col_offset)


def replaced(text: str, node: Any, new: str) -> str:
    """Return text with what a node covers exchanged; the line count stays."""
    lines = text.splitlines(keepends=True)
    first, last = node.lineno - 1, node.end_lineno - 1
    head = lines[first].encode()[: node.col_offset].decode()
    tail = lines[last].encode()[node.end_col_offset :].decode()
    return "".join([*lines[:first], head + new + tail, *["\n"] * (last - first), *lines[last + 1 :]])


def change(old: str, new: str) -> str:
    """Return the first line that differs, before and after."""
    for before, after in zip(old.splitlines(), new.splitlines(), strict=False):
        if before != after:
            return f"{before.strip()}  ->  {after.strip()}"
    return "a line is gone"


# --- running ---


def preload() -> None:
    """Import what every mutant needs and none changes; nothing may start a thread."""
    os.environ.update(
        CUDA_VISIBLE_DEVICES="",
        JAX_PLATFORMS="cpu",
        OMP_NUM_THREADS="1",
        PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
        TF_CPP_MIN_LOG_LEVEL="3",
    )
    warnings.simplefilter("ignore")
    for name in SETTINGS["preload"]:
        importlib.import_module(name)
    sys.path.insert(0, str(ROOT / "src"))
    os.chdir(ROOT)
    assert "anytensor" not in sys.modules
    # Else the collector walks, and so copies, all that the frameworks made, in each fork: a second each.
    gc.collect()
    gc.freeze()


def check_unmutated(room: str, until: int | None) -> None:
    """Run the stages of a room on the code as it is: a test that fails anyway would kill everything."""
    for selection in SETTINGS["rooms"][room]["stages"][:until]:
        began = time.monotonic()
        code, killer = forked(None, selection)
        assert code == 0, f"{room}: the tests fail without any mutation: {killer}"
        print(f"{room}: unmutated, {' '.join(selection)}: {time.monotonic() - began:.1f} s", flush=True)


def judge(mutant: dict[str, Any], until: int | None) -> dict[str, Any]:
    """Run a mutant through its room's stages until a test fails; return what is written down."""
    began = time.monotonic()
    for selection in SETTINGS["rooms"][mutant["room"]]["stages"][:until]:
        code, killer = forked(mutant, selection)
        if code != 0:
            break
    kept = {key: mutant[key] for key in ("id", "room", "file", "line", "change")}
    verdict = "killed" if code != 0 else "survived"
    return {**kept, "verdict": verdict, "by": killer, "s": round(time.monotonic() - began, 1)}


def forked(mutant: dict[str, Any] | None, selection: list[str]) -> tuple[int, str]:
    """Run tests in a fork of this process; return the exit code and the first failure."""
    output = WORK / "output.txt"
    child = os.fork()
    if child == 0:
        try:
            run_tests(mutant, selection, output)
        finally:
            os._exit(99)
    _, status = os.waitpid(child, 0)
    lines = output.read_text(errors="replace").splitlines()
    failures = [line for line in lines if line.startswith(("FAILED", "ERROR", "E  "))]
    return os.waitstatus_to_exitcode(status), next(reversed(failures), "")[:200]


def run_tests(mutant: dict[str, Any] | None, selection: list[str], output: Path) -> None:
    """Be the child: put the mutant in its file's place, run pytest, leave."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    descriptor = os.open(output, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    sys.dont_write_bytecode = True
    if mutant is not None:
        install(str(SOURCE / mutant["file"]), mutant["text"])
    pytest = importlib.import_module("pytest")
    flags = ["-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider", "-p", "pytest_timeout"]
    flags += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # the plugins are imported already
    code = pytest.main([*flags, *selection])
    sys.stdout.flush()
    os._exit(int(code))


def install(path: str, text: str) -> None:
    """Let the import of a file compile another text, which inspect and AutoGraph see too."""
    loader = importlib.machinery.SourceFileLoader
    ordinary = loader.get_code

    def get_code(self: Any, fullname: str) -> Any:
        if self.path == path:
            return compile(text, path, "exec", dont_inherit=True)
        return ordinary(self, fullname)

    loader.get_code = get_code  # type: ignore[method-assign]
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)


# --- results ---


def read_results() -> list[dict[str, Any]]:
    """Return the last verdict of each mutant."""
    if not RESULTS.exists():
        return []
    results = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    return list({result["id"]: result for result in results}.values())


def table(rooms: list[str], current: set[str]) -> None:
    """Print the counts of each room, then the survivors, of the mutants that the code has now."""
    results = [result for result in read_results() if result["id"] in current]
    counts = collections.Counter((result["room"], result["verdict"]) for result in results)
    print("| Room | Mutants | Killed | Survived | |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for room in [*rooms, "all"]:
        chosen = rooms if room == "all" else [room]
        killed = sum(counts[one, "killed"] for one in chosen)
        survived = sum(counts[one, "survived"] for one in chosen)
        share = 100 * killed / max(killed + survived, 1)
        print(f"| {room} | {killed + survived} | {killed} | {survived} | {share:.1f} % |")
    print(f"{sum(result['s'] for result in results) / 60:.0f} minutes")
    for result in results:
        if result["verdict"] == "survived":
            print(
                f"{result['file']}:{result['line']}", result["id"].split(":")[1], result["change"], sep="\t"
            )


if __name__ == "__main__":
    main()
