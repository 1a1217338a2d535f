# SPDX-License-Identifier: MIT
"""Prints how much of each room the tests ran: ``make test COVERAGE=yes`` leaves the data for it.

Of worker processes that end by force nothing is known: lines that only these run count as missed.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections import defaultdict
from pathlib import Path

import coverage

_ROOMS_OF = ("browser/catalog", "browser/operations", "learners")
_NAMED = 3
"""Files named for a room: those with the most lines that no test runs."""


def room_of(file: str) -> str:
    """Return the room of a file: ``learners/core`` for ``learners/core/linalg.py``."""
    floor = next(floor for floor in _ROOMS_OF if file.startswith(floor + "/"))
    inside = Path(file).relative_to(floor).parts
    return floor if len(inside) == 1 else f"{floor}/{inside[0]}"


def main() -> None:
    """Print the table."""
    data = coverage.Coverage()
    data.load()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        data.json_report(outfile=str(report))
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    lines: dict[str, int] = defaultdict(int)
    missed: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for file, found in files.items():
        room = room_of(Path(file).as_posix())
        lines[room] += found["summary"]["num_statements"]
        if found["summary"]["missing_lines"]:
            missed[room].append((found["summary"]["missing_lines"], Path(file).name))
    out = io.StringIO()
    out.write(f"{'room':<34}{'lines':>7}{'run':>7}   most lines that no test runs\n")
    for room in sorted(lines):
        without = sum(count for count, _ in missed[room])
        worst = ", ".join(f"{name} {count}" for count, name in sorted(missed[room], reverse=True)[:_NAMED])
        share = 100 * (1 - without / lines[room]) if lines[room] else 100.0
        out.write(f"{room:<34}{lines[room]:>7}{share:>6.1f}%   {worst}\n")
    print(out.getvalue(), end="")


if __name__ == "__main__":
    main()
