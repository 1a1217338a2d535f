# SPDX-License-Identifier: MIT
"""Make one write, sync, open, rename, truncation or deletion of a command fail, in the library or its output folder.

``python -m tests.benchmarks.faults.failing_commands [--count 12] [--seed 0] [--only NAME,...]``: for each command and
kind of fault, `--count` random calls fail, each in a separate library. The command reports the problem and a remedy,
never a fault of the program. The library is as before or after the command and undamaged, and no output file for other
programs is incomplete.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any, Final

import focal_photos.learners.galleries.inverted_file as inverted_file
from focal_photos.browser.catalog.library import Library, LibraryError
from focal_photos.browser.cli import main as main_of_focal
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.check import check
from tests.benchmarks.common.shim import Shim, fast_folder, in_child, run_benchmark
from tests.benchmarks.faults.failing_calls import FAULTS
from tests.benchmarks.faults.kills import Place, contents

_DERIVED: Final = frozenset({"index", "index of rows", "train", "lens open", "networks"})
"""Commands that may leave partial results, because these are derived data and made again."""


def main_in_place(place: Place, words: list[str], shim: Shim, fault: tuple[str, int, int, bool], number: int) -> Any:
    """Run a command with a failing call; return its exit code, its output and the number of calls."""
    _, calls, error, goes_on = fault
    said = place.folder.with_name("said")
    stream = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for number_of_stream in (1, 2):
        os.dup2(stream, number_of_stream)
    shim.fail(place.folder, calls, number, error, goes_on=goes_on)
    try:
        code = main_of_focal(words if "--library" in words else [*words, "--library", str(place.library)])
    except SystemExit as ended:
        code = int(ended.code or 0)
    seen = shim.end()
    sys.stdout.flush()
    sys.stderr.flush()
    return {"code": code, "said": said.read_text("utf-8", "replace"), "seen": seen}


def commands(place: Place) -> dict[str, list[str]]:
    """Return the arguments of the tested commands by name."""
    samples = place.samples(random.Random(0), 0)
    network = str(place.folder / "network" / "images.onnx")
    texts = [
        *("--text", str(place.folder / "network" / "texts.onnx")),
        *("--tokenizer", str(place.folder / "network" / "tokenizer.json")),
    ]
    names = ("index", "tag", "train", "import everything", "export everything", "frames", "lens export", "lens open")
    others = ("merge", "archive", "unpack", "relocate", "searches", "sidecars", "certify")
    parts = ("boxes", "boxes suggest", "judge parts", "judge found parts", "pick", "agree")
    return {
        **{name: samples[name] for name in (*names, *others, *parts)},
        "networks": ["networks", "--add", network, "--name", "other", *texts],
        "networks --rename": ["networks", "--rename", "mine", "My network"],
        "networks --remove": ["networks", "--remove", "mine"],
        "index of rows": ["index"],
        "export": ["export", "--format", "imagefolder", "--output", str(place.folder / "set")],
        "sidecars --write": ["sidecars", "--write"],
    }


def judge(place: Place, kind: str, found: dict[str, Any], states: list[dict[str, Any]]) -> list[str]:
    """Return the problems after a command."""
    if "fault" in found:
        return [found["fault"].strip().splitlines()[-1]]
    problems = []
    if "fault of the program" in found["said"] or "Traceback" in found["said"]:
        problems.append(found["said"].strip().splitlines()[-1])
    if found["code"] and len(found["said"].strip()) < 20:
        problems.append(f"it ended with {found['code']} and said {found['said']!r}")
    try:
        with Library.open(place.library) as library:
            problems += library.database.check()
            problems += finish(check(library)).problems if not found["code"] else []
        now = contents(place.library)
    except LibraryError as error:
        return [*problems, f"it does not open again: {error}"]
    allowed = states[-1:] if not found["code"] else states
    if kind in _DERIVED:
        same = (
            "tags",
            "judgements",
            "texts",
            "marks",
            "rejected",
            "trails",
            "regions",
            "turns",
            "audits",
            "confirmed",
            "searches",
        )
        allowed = [{key: one[key] for key in same} for one in allowed]
        now = {key: now[key] for key in same}
    if now not in allowed:
        problems += [f"{key} is {now[key]}" for key in now if now[key] not in [one[key] for one in allowed]][:2]
    confirmed = not found["code"]
    match kind:
        case "frames":
            problems += place.framed(confirmed)
        case "export everything":
            problems += place.told(confirmed, states[0])
        case "lens export":
            problems += place.exported(confirmed)
        case "export":
            written = len(list((place.folder / "set").rglob("*.jpg")))
            told = re.search(r"(\d+) photos in .*, (\d+) left out", found["said"])  # unreadable photos are counted
            saved, left_out = map(int, told.groups()) if told else (0, 0)
            if written != saved or saved + left_out != len(place.photos) * confirmed:
                problems.append(f"{written} photos exist, {saved} were reported, and {left_out} left out")
    parts = [path for path in place.folder.rglob(".*.part") if not path.is_relative_to(place.library)]
    if parts and found["lasting"] is False:
        problems.append(f"left behind: {parts[0].name}")
    return problems


def try_all(shim: Shim, count: int, seed: int, only: frozenset[str]) -> tuple[dict[str, Counter[str]], list[str]]:
    """Make calls fail; return counts of runs per command that reported failure or succeeded, and the problems."""
    chance, wrong = random.Random(seed), []
    every_tried: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
        place, made = Place(Path(folder) / "place"), Path(folder) / "made"
        place.folder.mkdir()
        inverted_file.MIN_POINTS = 2  # type: ignore[misc]  # so that twelve photos can have an index
        place.prepare()
        if place.run(["settings", "ranking.index_from", "5"]):
            raise RuntimeError("the index of rows cannot be asked for")
        every = {kind: words for kind, words in commands(place).items() if not only or kind in only}
        place.folder.rename(made)
        for kind, words in every.items():
            tried = every_tried[kind] = Counter[str]()
            for fault in FAULTS:
                shutil.copytree(made, place.folder, symlinks=True)
                before = contents(place.library)
                quiet = (fault[0], fault[1], fault[2], False)
                whole = in_child(partial(main_in_place, place, words, shim, quiet, 10**9))
                after = contents(place.library)
                shutil.rmtree(place.folder)
                if whole.get("code"):
                    wrong.append(f"{kind}: without a fault it ended with {whole['code']}: {whole['said']}")
                    break
                seen = whole.get("seen", 0)
                for number in sorted(chance.sample(range(seen), min(count, seen))):
                    shutil.copytree(made, place.folder, symlinks=True)
                    found = in_child(partial(main_in_place, place, words, shim, fault, number))
                    found["lasting"] = fault[3]
                    tried["failed" if found.get("code") else "done"] += 1
                    problems = judge(place, kind, found, [before, after])
                    wrong += [f"{kind}, {fault[0]}, call {number} of {seen}: {problem}" for problem in problems]
                    shutil.rmtree(place.folder)
            print(f"{kind}: {tried['failed']} failed, {tried['done']} were done all the same", flush=True)
    return every_tried, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=12, help="number of calls per command and kind of fault")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", metavar="NAME,...", help="commands, by their names in the output")
    options = parser.parse_args()
    begun = time.perf_counter()
    tried, wrong = try_all(Shim(), options.count, options.seed, frozenset(filter(None, options.only.split(","))))
    print("\n".join(wrong[:40]))
    runs, failed = sum(map(Counter.total, tried.values())), sum(one["failed"] for one in tried.values())
    print(
        f"{runs} runs of {len(tried)} commands ({', '.join(tried)}), {failed} said that they failed: "
        f"{len(wrong)} problems; {time.perf_counter() - begun:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(run_benchmark("failing_commands", main))
