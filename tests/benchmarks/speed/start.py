# SPDX-License-Identifier: MIT
"""Processor time until a command answers and until the window shows its first photos, compared with ``import numpy``.

``python -m tests.benchmarks.speed.start [--beside DIR] [--plug-ins DIR] [--photos N ...] [--rounds N]``. With
``--beside``, another checkout is measured in the same run, alternating, so that other programs affect both equally;
with ``--plug-ins``, this checkout with the packages installed in a folder (``pip install --target DIR``).

Each start is a separate process. Bytecode is available, as after the first start of any program; with
``--without-bytecode``, all Python modules are compiled at every start.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import numpy as np

from focal_photos.browser.catalog.library import Library
from tests.benchmarks.common.large_library import copied, large_library
from tests.benchmarks.common.report import Report

HERE: Final = Path(__file__).resolve().parents[3]
ROUNDS: Final = 7
_LONGEST: Final = 120  # seconds

_TEXT: Final = """
Processor seconds, medians of {rounds} alternating processes each, also as multiples of `import numpy`. {bytecode}
Libraries are those of `million.py`; the focal image is a photo of the library. "Compared": a window has compared all
photos of the library before. The window is measured offscreen. "Shell": it is painted for the first time; "first
photos": all visible tiles have their pictures; "held up": the longest time in milliseconds for which its main thread
did not answer, until a second after that.
"""

_NUMPY: Final = "import numpy, time; print(time.process_time())"

_COMMAND: Final = """
import sys, time
sys.argv[0] = "focal"
import io
from focal_photos.browser.cli import main
out, sys.stdout = sys.stdout, io.StringIO()
code = main(sys.argv[1:])
sys.stdout = out
assert code == 0, code
print(time.process_time())
"""

_COMPARE: Final = """
import sys
from pathlib import Path
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
with Library.open(Path(sys.argv[1])) as library:
    print(int(finish(Ranker(library).find_neighbors())))
"""

_WINDOW: Final = """
import os, sys, time
from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QTimer

class Watching(QtWidgets.QApplication):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.times, self.window, self.worst, self.beat, self.until = {}, None, 0.0, time.perf_counter(), None
        self.timer = QTimer(interval=2)
        self.timer.timeout.connect(self.look)
        self.timer.start()

    def eventFilter(self, watched, event):  # not notify: PySide calls that in other threads too, which may block
        if event.type() == QEvent.Type.Paint:
            self.times.setdefault("shell", time.process_time())
        return False

    def look(self):
        now = time.perf_counter()
        self.worst, self.beat = max(self.worst, now - self.beat), now
        if self.window is None:
            self.window = next((one for one in self.topLevelWidgets() if hasattr(one, "session")), None)
            if self.window is not None:
                self.window.installEventFilter(self)
                self.window.resize(1600, 1000)
            return
        session = self.window.session
        if self.until is None and "shell" in self.times and len(session.grid.ids):
            if session.grid.visible_ids and session.loader.idle:
                self.times["photos"] = time.process_time()
                self.until = now + 1
        elif self.until is not None and now > self.until:
            print(self.times["shell"], self.times["photos"], self.worst, flush=True)
            os._exit(0)

QtWidgets.QApplication = Watching
from focal_photos.browser.cli import main
main(["--library", sys.argv[1]])
"""


class Starts:
    """Starts of one checkout.

    Parameters
    ----------
    checkout : Path
    scratch : Path
        Folder for its bytecode and settings.
    bytecode : bool
    packages : Path, optional
        Folder with more packages.
    """

    def __init__(self, checkout: Path, scratch: Path, bytecode: bool, packages: Path | None = None) -> None:
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, filter(None, (checkout, packages)))),
            "PYTHONPYCACHEPREFIX": str(scratch),
            "QT_QPA_PLATFORM": "offscreen",
            "OPENBLAS_NUM_THREADS": "1",
            "XDG_CONFIG_HOME": str(scratch),  # the user's own settings are neither used nor changed
        }
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        if not bytecode:
            self.environment["PYTHONDONTWRITEBYTECODE"] = "1"

    def run(self, script: str, *arguments: str) -> list[float]:
        """Run a script and return the numbers in its last line of output."""
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments],
            env=self.environment,
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            timeout=_LONGEST,
        )
        if done.returncode:
            raise RuntimeError(done.stderr)
        return [float(number) for number in done.stdout.split("\n")[-2].split()]


def commands(library: Path, photos: list[str], turn: int) -> dict[str, list[str]]:
    """Return the measured commands, with two photos of a library; each `turn` assigns a new tag."""
    one, other = photos
    where = ["--library", str(library)]
    return {
        "focal tag IMAGE +new": ["tag", one, f"+new {turn}", *where],
        "focal judge FOCAL IMAGE --similar": ["judge", one, other, "--similar", *where],
        "focal list tag:sky": ["list", "tag:sky", *where],
        "focal rank IMAGE --limit 20": ["rank", other, "--limit", "20", *where],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beside", type=Path, help="another checkout, labelled before")
    parser.add_argument("--plug-ins", type=Path, help="a folder with installed plug-ins, labelled with plug-ins")
    parser.add_argument("--photos", type=int, nargs="*", default=[10_000])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--without-bytecode", action="store_true")
    options = parser.parse_args()
    found: dict[tuple[str, str], list[list[float]]] = {}
    with tempfile.TemporaryDirectory(prefix="focal-start-") as name:
        scratch = Path(name)
        checkouts = {"after": HERE} if options.beside is None else {"before": options.beside.resolve(), "after": HERE}
        starts = {key: Starts(path, scratch / key, not options.without_bytecode) for key, path in checkouts.items()}
        if options.plug_ins is not None:
            packages = options.plug_ins.resolve()
            starts["with plug-ins"] = Starts(HERE, scratch / "plug-ins", not options.without_bytecode, packages)
        libraries: dict[int, dict[str, Path]] = {}
        compared: dict[int, dict[str, Path]] = {}
        photos: dict[int, list[str]] = {}
        for count in options.photos:
            made = large_library(count)
            if made is not None:  # a separate library for each checkout, which may upgrade its schema
                libraries[count] = {key: copied(made, scratch / f"{key}-{count}").library for key in starts}
                compared[count] = {key: copied(made, scratch / f"{key}-{count}-compared").library for key in starts}
                for key, path in compared[count].items():
                    starts[key].run(_COMPARE, str(path))
                with Library.open(libraries[count]["after"]) as opened:
                    photos[count] = [str(path) for path in opened.photos.paths(opened.photos.ids("tag:sky")[:2])]
        for turn in range(options.rounds + 1):  # the first round makes the bytecode and is not counted
            for key, start in starts.items():
                one: dict[str, list[float]] = {
                    "import numpy": start.run("import numpy, time; print(time.process_time())")
                }
                for count, paths in libraries.items():
                    for what, words in commands(paths[key], photos[count], turn).items():
                        one[f"{count:,}: {what}"] = start.run(_COMMAND, *words)
                    words = commands(compared[count][key], photos[count], turn)["focal rank IMAGE --limit 20"]
                    one[f"{count:,}: focal rank IMAGE --limit 20, compared"] = start.run(_COMMAND, *words)
                    one[f"{count:,}: window"] = start.run(_WINDOW, str(paths[key]))
                if turn:
                    for what, numbers in one.items():
                        found.setdefault((what, key), []).append(numbers)
            print(f"round {turn} of {options.rounds}", flush=True)
        shutil.rmtree(scratch, ignore_errors=True)
    report(found, list(starts), options.rounds, not options.without_bytecode)


def report(found: dict[tuple[str, str], list[list[float]]], keys: list[str], rounds: int, bytecode: bool) -> None:
    part = Report("start" if bytecode else "start-without-bytecode", "Start-up times")
    said = "Bytecode is available." if bytecode else "Without bytecode: all modules are compiled at each start."
    part.text(_TEXT.format(rounds=rounds, bytecode=said))
    rows = []
    # One value for all: importing numpy does not depend on the checkout, and its time varies with the load.
    numpy = float(np.median([numbers[0] for key in keys for numbers in found["import numpy", key]]))
    for what in dict.fromkeys(what for what, _ in found):
        names = ["shell", "first photos", "held up, ms"] if what.endswith("window") else [""]
        for place, name in enumerate(names):
            row = [f"{what}, {name}" if name else what]
            for key in keys:
                median = float(np.median([numbers[place] for numbers in found[what, key]]))
                row += [f"{1000 * median:.0f}", ""] if "held" in name else [f"{median:.3f}", f"{median / numpy:.2f}"]
            rows.append(row)
    part.table("Processor time of starts", ["", *(head for key in keys for head in (f"{key}, s", "x numpy"))], rows)
    part.save()


if __name__ == "__main__":
    main()
