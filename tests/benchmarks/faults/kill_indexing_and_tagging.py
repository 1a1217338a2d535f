"""Kill Focal with SIGKILL at random moments of indexing and tagging, and check that no confirmed work is lost.

``python -m tests.benchmarks.faults.kill_indexing_and_tagging [--rounds 20] [--seed 0]``
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from focal_photos.browser.cli import main as main_of_focal
from focal_photos.features.table import DESCRIPTORS, STANDARD
from tests.browser.operations.album import Album

REPOSITORY = Path(__file__).parents[3]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(REPOSITORY), "OPENBLAS_NUM_THREADS": "1"}

_BYTES_PER_PHOTO = 4 * sum(DESCRIPTORS[name].dimension for name in STANDARD)

# Runs the command line once per photo in one process: the more commits per second, the likelier a kill hits one.
_TAG_ALL = """
import sys
from focal_photos.browser.cli import main
library, first = sys.argv[1], int(sys.argv[2])
for number, photo in enumerate(sys.argv[3:], first):
    if main(["tag", photo, f"+round/{number}", "--library", library, "--json"]):
        raise SystemExit(1)
"""


@dataclass(frozen=True)
class Outcome:
    """Outcome of a series of kills.

    Attributes
    ----------
    moments : list of str
        Activity at the moment of each kill.
    problems : list of str
        Deviations from the expected state; empty if there are none.
    """

    moments: list[str]
    problems: list[str]


def kill_indexing(album: Album, library: Path, rounds: int, seed: int, *, per_round: int = 200) -> Outcome:
    """Add photos to a folder, index it and kill that at a random moment, repeatedly; compare the result with the files.

    Tags given between the rounds must be present at the end.
    """
    folder = album.folder
    rng = random.Random(seed)
    moments: list[str] = []
    problems: list[str] = []
    photos: list[Path] = []
    tags: dict[str, set[str]] = {}
    for number in range(rounds):
        photos += [album.draw(f"{number}/{i}.jpg", seed=number * per_round + i) for i in range(per_round)]
        process = subprocess.Popen(
            [sys.executable, "-m", "focal_photos.browser", "index", str(folder), "--library", str(library), "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
            start_new_session=True,
        )
        _wait_for_start(library, process)
        if number % 4:  # while describing photos: after a number of vector bytes, which works on any machine
            goal = _vectors(library) + rng.uniform(0.0, 1.0) * per_round * _BYTES_PER_PHOTO
            while _vectors(library) < goal and process.poll() is None:
                time.sleep(0.002)
        time.sleep(rng.uniform(0.0, 0.1))
        process.send_signal(signal.SIGKILL)
        out, _ = process.communicate()
        listed = _list(library) if (library / "catalog.sqlite").exists() else []
        described = sum(one["width"] is not None for one in listed)
        moments.append(
            f"indexing, {len(photos)} photos, {len(listed)} known, {described} described{', ended' * bool(out)}"
        )
        if out and json.loads(out)["photos"] != len(photos):
            problems.append(f"round {number}: the report said {out!r}")
        if _survivors(process.pid):
            problems.append(f"round {number}: worker processes outlived their parent")
        problems += [f"round {number}: {problem}" for problem in _check(library)]
        if listed:
            chosen = rng.choice(listed)["path"]
            _focal(library, "tag", chosen, f"+kept/{number}")
            tags.setdefault(chosen, set()).add(f"kept/{number}")
    report = json.loads(_focal(library, "index", str(folder)))
    if report["photos"] != len(photos) or report["failed"]:
        problems.append(f"the last run reported {report}")
    ranked = json.loads(_focal(library, "rank", str(photos[0])))["results"]
    if len(ranked) != len(photos) - 1:
        problems.append(f"{len(ranked) + 1} photos are ranked, {len(photos)} are there")
    problems += _check(library) + _lost(library, tags)
    return Outcome(moments, problems)


def kill_tagging(library: Path, rounds: int, seed: int) -> Outcome:
    """Tag photos one at a time, kill that at random moments, and check that every confirmed tag is present."""
    rng = random.Random(seed)
    photos = [one["path"] for one in _list(library)]
    confirmed: dict[str, set[str]] = {}
    moments: list[str] = []
    problems: list[str] = []
    for number in range(rounds):
        first = number * len(photos)
        process = subprocess.Popen(
            [sys.executable, "-c", _TAG_ALL, str(library), str(first), *photos],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
        )
        assert process.stdout is not None
        head = process.stdout.readline()
        time.sleep(rng.uniform(0.0, 0.4))
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
        lines = [json.loads(line) for line in (head + rest).splitlines(keepends=True) if line.endswith(b"\n")]
        moments.append(f"tagging, {len(lines)} tags confirmed")
        for line in lines:
            confirmed.setdefault(line["photos"][0], set()).update(line["add"])
        problems += [f"round {number}: {problem}" for problem in _check(library) + _lost(library, confirmed)]
        given = sum(tag.startswith("round/") for one in _list(library) for tag in one["tags"])
        # The last tag of each round may be present without having been confirmed.
        if given > sum(map(len, confirmed.values())) + number + 1:
            problems.append(f"round {number}: there are more tags than were given")
    return Outcome(moments, problems)


def _focal(library: Path, *arguments: str) -> str:
    """Run the command line in this process, which reopens the library and is not killed."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = main_of_focal([*arguments, "--library", str(library), "--json"])
    for stream in (out, err):
        stream.seek(0)
    if code:
        raise RuntimeError(f"focal {' '.join(arguments)}: {err.read()}")
    return out.read()


def _list(library: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _focal(library, "list").splitlines()]


def _vectors(library: Path) -> int:
    return sum(file.stat().st_size for file in (library / "derived" / "vectors").glob("*") if file.exists())


def _check(library: Path) -> list[str]:
    if not (library / "catalog.sqlite").exists():
        return []
    try:
        report = json.loads(_focal(library, "check"))
    except RuntimeError as error:
        return [str(error)]
    return [*report["problems"], *report["repaired"]]


def _lost(library: Path, expected: dict[str, set[str]]) -> list[str]:
    found = {one["path"]: set(one["tags"]) for one in _list(library)}
    return [
        f"{path} lost {sorted(tags - found.get(path, set()))}"
        for path, tags in expected.items()
        if not tags <= found.get(path, set())
    ]


def _wait_for_start(library: Path, process: subprocess.Popen[bytes]) -> None:
    """Wait until the program has opened its library, so that the kill hits its work and not its imports."""
    while not (library / "lock.json").exists() and process.poll() is None:
        time.sleep(0.005)


def _survivors(group: int) -> bool:
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.1)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        album, library = Album(Path(place) / "photos"), Path(place) / "library"
        outcomes = [
            kill_indexing(album, library, arguments.rounds, arguments.seed),
            kill_tagging(library, arguments.rounds, arguments.seed),
        ]
    for outcome in outcomes:
        print("\n".join(outcome.moments))
    problems = [problem for outcome in outcomes for problem in outcome.problems]
    print("\n".join(problems) or "Nothing that was confirmed is lost, and every check found nothing.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
