# SPDX-License-Identifier: MIT
"""Run all fault benchmarks with their full counts and write a table of the outcomes: a row per campaign and schema.

``python -m tests.benchmarks.faults.campaign [--outputs FOLDER]``: takes hours. The output of each benchmark is saved to
a file in the folder. Benchmarks with a saved output are not run again, so the campaign can be interrupted and resumed.
Rows of earlier schemas stay.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.store.migrations import migrations
from tests.benchmarks.common.report import RESULTS, Report
from tests.benchmarks.common.shim import REPOSITORY

_KILLS: Final = "faults.kills --commands 0 --window {} --review {} --audit {} --boxes {} --sidecars {} --workers {}"

DRIVERS: Final = {
    "kill-commands": (
        "faults.kills --commands 750 --window 0 --review 0 --audit 0 --boxes 0 --sidecars 0 --workers 0 --seed 1",
        "SIGKILL of commands",
    ),
    "kill-window": (_KILLS.format(260, 0, 0, 0, 0, 0), "SIGKILL of the window"),
    "kill-review": (_KILLS.format(0, 60, 0, 0, 0, 0), "SIGKILL of the window in Review"),
    "kill-audit": (_KILLS.format(0, 0, 60, 0, 0, 0), "SIGKILL of the window in an audit"),
    "kill-boxes": (_KILLS.format(0, 0, 0, 60, 0, 0), "SIGKILL of the window with boxes"),
    "kill-sidecars": (_KILLS.format(0, 0, 0, 0, 240, 0), "SIGKILL of exchanges with sidecars"),
    "kill-workers": (_KILLS.format(0, 0, 0, 0, 0, 300), "SIGKILL of single workers"),
    "failing-calls": ("faults.failing_calls", "each call of a session of 50 actions fails"),
    "failing-commands": ("faults.failing_commands --count 12 --seed 1", "calls of single commands fail"),
    "output-streams": ("faults.output_streams", "every command with closed, full and broken streams"),
    "power-failures": ("faults.power_failures --count 10000 --recordings 8", "unsynced writes dropped, kept or torn"),
    "bit-flips": ("faults.bit_flips --count 10000", "bits of the catalogue and of derived files"),
    "restoring": ("faults.restoring --count 1000", "damaged and restored by command alone"),
    "surroundings": ("faults.surroundings --count 1000", "clocks, folders, older copies, second programs"),
    "undo-and-redo": ("faults.undo_and_redo --count 10000", "everything beside a plain model"),
    "endurance": ("faults.endurance --minutes 60 --commits 5000", "a long session of the window beside readers"),
    "concurrent-writers": ("faults.concurrent_writers --writers 8 --commands 100", "commands at once, some killed"),
    "odd-names": ("faults.odd_names --count 100000", "names and folders"),
    "differential-decoding": ("decoding.differential_decoding --save", "all formats beside a second decoder"),
}
"""Commands and their descriptions by name of the output."""

_DONE: Final = re.compile(r"(\d+) (kills|points|flips|restored|events|runs|sessions|steps)\b")
_WRONG: Final = re.compile(r"(\d+) (?:problems|silent|with a problem)")
INTRODUCTION: Final = (
    "`tests/browser/test_faults.py` has short versions. All faults found are fixed and covered by tests. The schema is "
    "the version of the catalogue: 11 has audits and picks, 16 has boxes, judged regions, and regions exchanged with "
    "sidecars. Without a number, it was not recorded. Runs with other seeds or counts on one schema are joined."
)
COLUMNS: Final = ("what", "schema", "command", "count", "problems")


def outcome(said: str) -> tuple[str, str]:
    """Return the number of faults and the number of problems in the output of a benchmark."""
    done, wrong = _DONE.findall(said), [int(number) for number in _WRONG.findall(said)]
    if not done or not (wrong or "agree." in said):
        return "", "ended without a word"
    return f"{sum(int(number) for number, _ in done)} {done[-1][1]}", str(sum(wrong))


def kept_rows(report: str, anew: Collection[tuple[str, str]]) -> list[list[str]]:
    """Return the rows of a report but those of campaigns with their schemas that ran anew."""
    lines = [line for line in report.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]
    return [row for row in rows if (row[0], row[1]) not in anew]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--outputs", type=Path, default=Path(tempfile.gettempdir()) / "focal-faults")
    options = parser.parse_args()
    options.outputs.mkdir(parents=True, exist_ok=True)
    rows, schema = [], str(migrations()[-1].version)
    for name, (command, what) in DRIVERS.items():
        output = options.outputs / f"{name}.log"
        if not output.exists():
            words = shlex.split(command)
            done = subprocess.run(
                [sys.executable, "-m", f"tests.benchmarks.{words[0]}", *words[1:]],
                cwd=REPOSITORY,
                stdout=subprocess.PIPE,
                text=True,
                check=False,
            )
            output.write_text(done.stdout, encoding="utf-8")
        count, problems = outcome(output.read_text(encoding="utf-8"))
        rows.append([what, schema, f"`{command.removeprefix('faults.')}`", count, problems])
    before = RESULTS / "faults.md"
    kept = kept_rows(before.read_text(encoding="utf-8"), {(row[0], row[1]) for row in rows}) if before.exists() else []
    sys.argv = ["faults/campaign.py"]
    report = Report("faults", "Data safety under thousands of faults")
    report.text(INTRODUCTION)
    report.table("Faults and outcomes", COLUMNS, sorted(kept + rows, key=lambda row: row[0]))
    report.save()
    return 0


if __name__ == "__main__":
    sys.exit(main())
