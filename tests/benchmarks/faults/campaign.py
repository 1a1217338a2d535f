"""Run all fault benchmarks with their full counts and write a table of the outcomes.

``python -m tests.benchmarks.faults.campaign [--outputs FOLDER]``: takes hours. The output of each benchmark is saved to
a file in the folder. Benchmarks with a saved output are not run again, so the campaign can be interrupted and resumed.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.benchmarks.common.report import Report
from tests.benchmarks.common.shim import REPOSITORY

DRIVERS: Final = {
    "kill-commands": (
        "faults.kills --commands 750 --window 0 --review 0 --audit 0 --workers 0 --seed 1",
        "SIGKILL of commands",
    ),
    "kill-window": ("faults.kills --commands 0 --window 260 --review 0 --audit 0 --workers 0", "SIGKILL of the window"),
    "kill-review": (
        "faults.kills --commands 0 --window 0 --review 60 --audit 0 --workers 0",
        "SIGKILL of the window in Review",
    ),
    "kill-audit": (
        "faults.kills --commands 0 --window 0 --review 0 --audit 60 --workers 0",
        "SIGKILL of the window in an audit",
    ),
    "kill-workers": (
        "faults.kills --commands 0 --window 0 --review 0 --audit 0 --workers 300",
        "SIGKILL of single workers",
    ),
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

_TELLING: Final = re.compile(r"problem|silent|agree|sessions|processor time")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--outputs", type=Path, default=Path(tempfile.gettempdir()) / "focal-faults")
    options = parser.parse_args()
    options.outputs.mkdir(parents=True, exist_ok=True)
    rows = []
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
        told = [line for line in output.read_text(encoding="utf-8").splitlines() if _TELLING.search(line)]
        rows.append([what, f"`{command}`", "; ".join(told[-5:]) or "ended without a word"])
    sys.argv = ["faults/campaign.py"]
    report = Report("faults", "Data safety under thousands of faults")
    report.text(
        "`tests/browser/test_faults.py` has short versions. All faults found are fixed and covered by tests. "
        "For benchmarks run several times, with other seeds or counts, the outcomes are listed one after another."
    )
    report.table("Faults and outcomes", ["what", "command", "outcome"], rows)
    report.save()
    return 0


if __name__ == "__main__":
    sys.exit(main())
