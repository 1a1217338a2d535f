# SPDX-License-Identifier: MIT
"""Run every command with closed, full and broken streams, and with ASCII-only output.

``python -m tests.benchmarks.faults.output_streams [--only NAME,...]``: each command of the table is run in each of
`SURROUNDINGS`, in a separate process and library. It leaves the same files as with open streams, its exit code tells
whether its output is complete, and it prints no traceback.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from focal_photos.browser.cli.commands import COMMANDS
from focal_photos.browser.cli.output import BROKEN_PIPE, OUTPUT_LOST
from tests.benchmarks.common.shim import REPOSITORY, fast_folder
from tests.benchmarks.faults.kills import Place, contents

PLAIN: Final = "all open"
_C_LOCALE: Final = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
_FAULTY: Final = re.compile(r"Traceback|Exception ignored|fault of the program|Error:")


class Surrounding(NamedTuple):
    """Streams of a process."""

    redirected: str = ""
    """Shell redirections."""
    environment: Mapping[str, str] = {}
    """Environment variables to set."""
    lost: int = 0
    """Exit code of a command that succeeds but whose output is lost; 0 if no output is lost."""
    says: bool = True
    """Whether standard error is writable."""
    gone: bool = False
    """Whether standard output is a pipe without a reader."""


SURROUNDINGS: Final = {
    PLAIN: Surrounding(),
    "output closed": Surrounding(">&-", lost=OUTPUT_LOST),
    "errors closed": Surrounding("2>&-", says=False),
    "input closed": Surrounding("<&-"),
    "output and errors closed": Surrounding(">&- 2>&-", lost=OUTPUT_LOST, says=False),
    "all closed": Surrounding("<&- >&- 2>&-", lost=OUTPUT_LOST, says=False),
    "output full": Surrounding(">/dev/full", lost=OUTPUT_LOST),
    "output full, unbuffered": Surrounding(">/dev/full", {"PYTHONUNBUFFERED": "1"}, lost=OUTPUT_LOST),
    "errors full": Surrounding("2>/dev/full", says=False),
    "output and errors full": Surrounding(">/dev/full 2>/dev/full", lost=OUTPUT_LOST, says=False),
    "reader gone": Surrounding(lost=BROKEN_PIPE, gone=True),
    "reader gone, errors closed": Surrounding("2>&-", lost=BROKEN_PIPE, says=False, gone=True),
    "output in ASCII": Surrounding(environment={"PYTHONIOENCODING": "ascii"}),
    "locale C": Surrounding(environment=_C_LOCALE),
    "locale C, output closed": Surrounding(">&-", _C_LOCALE, lost=OUTPUT_LOST),
}
"""Surroundings by name; the others are compared with the first."""


class Run(NamedTuple):
    """Result of a command: exit code, output, and files and libraries afterwards."""

    code: int
    output: bytes
    said: str
    left: dict[str, Any]


def prepare(folder: Path) -> Place:
    """Make a small library in `folder` whose path, photos and tags are not ASCII."""
    place = Place(folder / "Fotos \u00e4")
    place.folder.mkdir()
    place.prepare()
    for words in (["tag", place.photos[3], "+K\u00e4se"], ["searches", "--save", "K\u00e4se", "tag:K\u00e4se"]):
        if place.run(words):
            raise RuntimeError(f"focal {' '.join(words)} failed")
    return place


def samples(place: Place) -> dict[str, list[str]]:
    """Return arguments for every command of the table; a command without samples is run without arguments."""
    known = place.samples(random.Random(0), 0)
    known |= {
        "tag Umlaut": ["tag", place.photos[5], "+K\u00fcche"],
        "tags --json": ["tags", "--json"],
        "list --json": ["list", "--json"],
        "export to standard output": ["export"],
        "export --json": ["export", "--json"],
        "index --json": ["index", "--json"],
        "settings list": ["settings"],
    }
    tried = {words[0] for words in known.values()}
    return {**known, **{name: [name] for name in COMMANDS if name not in tried}}


def run(place: Place, words: list[str], surrounding: Surrounding) -> Run:
    """Run a command in a surrounding; the library keeps the changes."""
    if "--library" not in words:
        words = [*words, "--library", str(place.library)]
    script = f'exec "$@" {surrounding.redirected}'
    command = ["sh", "-c", script, "sh", sys.executable, "-m", "focal_photos.browser", *words]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))},
        **{"PYTHONPATH": str(REPOSITORY), "OPENBLAS_NUM_THREADS": "1", "LANG": "C.UTF-8"},
        **surrounding.environment,
    }
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        reader, writer = os.pipe()
        os.close(reader)
        try:
            done = subprocess.run(
                command,
                cwd=place.folder,
                stdout=writer if surrounding.gone else output,
                stderr=errors,
                env=environment,
                timeout=300,
                check=False,
            )
        finally:
            os.close(writer)
        output.seek(0)
        errors.seek(0)
        return Run(done.returncode, output.read(), errors.read().decode("utf-8", "replace"), left(place))


def left(place: Place) -> dict[str, Any]:
    """Return the contents of all libraries in the folder of a place, and the names of all other files."""
    libraries = sorted(path.parent for path in place.folder.rglob("catalog.sqlite") if "replaced" not in path.parts)
    files = {
        str(path.relative_to(place.folder))
        for path in place.folder.rglob("*")
        if path.is_file() and not any(path.is_relative_to(one) for one in libraries)
    }
    return {"files": sorted(files), **{str(one.relative_to(place.folder)): contents(one) for one in libraries}}


def judge(plain: Run, found: Run, surrounding: Surrounding) -> list[str]:
    """Return the problems of a run, compared with the run with open streams."""
    problems = []
    if fault := _FAULTY.search(found.said):
        problems.append(f"it printed {fault[0]}: {found.said.strip()[-300:]}")
    wanted = surrounding.lost if surrounding.lost and plain.output and not plain.code else plain.code
    if found.code != wanted:
        problems.append(f"it ended with {found.code} instead of {wanted}: {found.said.strip()[-300:]}")
    if surrounding.says and wanted == OUTPUT_LOST and "output" not in found.said:
        problems.append(f"it does not say that its output is lost: {found.said!r}")
    if found.left != plain.left:
        keys = [key for key in {**plain.left, **found.left} if plain.left.get(key) != found.left.get(key)]
        problems.append(f"it left something else in {', '.join(keys)}")
    if not surrounding.lost and bool(found.output) != bool(plain.output):
        problems.append(f"its output is {found.output[:80]!r} instead of {plain.output[:80]!r}")
    return problems


def try_command(place: Place, made: Path, words: list[str], names: list[str]) -> dict[str, list[str]]:
    """Run a command in some surroundings, each in a copy of the folder `made`; return the problems of each."""
    runs = {}
    for name in [PLAIN, *names]:
        shutil.copytree(made, place.folder, symlinks=True)
        try:
            runs[name] = run(place, words, SURROUNDINGS[name])
        finally:
            shutil.rmtree(place.folder)
    return {name: judge(runs[PLAIN], runs[name], SURROUNDINGS[name]) for name in [PLAIN, *names]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="NAME,...", help="commands, by their names in the output")
    options = parser.parse_args()
    only = frozenset(filter(None, options.only.split(",")))
    begun, wrong, count = time.perf_counter(), [], 0
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
        place = prepare(Path(folder))
        tried = {kind: words for kind, words in samples(place).items() if not only or kind in only}
        made = place.folder.rename(Path(folder) / "made")
        for kind, words in tried.items():
            found = try_command(place, made, words, [name for name in SURROUNDINGS if name != PLAIN])
            lines = [f"{kind}, {name}: {problem}" for name, problems in found.items() for problem in problems]
            print(f"{kind}: {len(lines)} problems", *lines, sep="\n  ", flush=True)
            wrong += lines
            count += len(found)
    took = time.perf_counter() - begun
    print(
        f"{count} runs of {len(tried)} commands in {len(SURROUNDINGS)} surroundings: "
        f"{len(wrong)} problems; {took:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
