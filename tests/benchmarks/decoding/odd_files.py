"""Reports the outcome of every file in the collection of odd files: decoded, or the reason for refusing it.

``python -m tests.benchmarks.decoding.odd_files [FOLDER] [--list]``: the default folder is ``odd_files`` in FOCAL_DATA.
Each file is decoded in a worker process, as in the program. The exit code is 1 if a file kills the process or takes too
long.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.worker_process import EndedProcessError, TookTooLongError
from focal_photos.features.decoding.decode import decode, probe
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.decoding.limits import ImageError
from tests.benchmarks.common.photo_sets import data_folder

SECONDS = 60.0
DECODED = "decoded"


@dataclass(frozen=True)
class Result:
    path: Path
    kind: str
    outcome: str
    reason: str
    seconds: float


def look_at(path: Path) -> WorkingImage:
    """Decode a file whose header and pixels agree; runs in a worker process."""
    image = decode(path)
    if image.header != probe(path):
        raise AssertionError(f"{path.name}: {probe(path)} before decoding, {image.header} after")
    return image


def account(folder: Path) -> list[Result]:
    """Decode every file under a folder."""
    pool = ProcessPool(size=1)
    results = []
    try:
        for path in sorted(file for file in folder.rglob("*") if file.is_file()):
            start = time.perf_counter()
            kind, reason, outcome = path.suffix.lower().lstrip("."), "", DECODED
            try:
                image = pool.call(look_at, path, seconds=SECONDS)
                kind, reason = image.header.format, f"{image.header.width} x {image.header.height}"
            except (EndedProcessError, TookTooLongError) as error:
                outcome, reason = "KILLED" if isinstance(error, EndedProcessError) else "HANGS", str(error)
            except ImageError as error:
                outcome, reason = type(error).__name__.removesuffix("Error"), str(error)
            results.append(Result(path.relative_to(folder), kind, outcome, reason, time.perf_counter() - start))
    finally:
        pool.close()
    return results


def table(results: list[Result]) -> str:
    """Return counts by outcome and format, and by reason."""
    outcomes = sorted({result.outcome for result in results}, key=lambda name: (name != DECODED, name))
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        name = result.kind if result.outcome == DECODED else f".{result.kind}"
        counts[name][result.outcome] += 1
    lines = [f"{'format':12}" + "".join(f"{name:>20}" for name in outcomes)]
    lines += [
        f"{name:12}" + "".join(f"{counts[name][outcome] or '':>20}" for outcome in outcomes)
        for name in sorted(counts, key=lambda name: (name.startswith("."), name))
    ]
    total = Counter(result.outcome for result in results)
    lines.append(f"{'all':12}" + "".join(f"{total[outcome]:>20}" for outcome in outcomes))
    lines += ["", "reasons"]
    reasons = Counter(re.sub(r"\d[\d,]*", "N", r.reason) for r in results if r.outcome != DECODED)
    lines += [f"{count:5}  {reason}" for reason, count in reasons.most_common()]
    slowest = max(results, key=lambda result: result.seconds)
    lines += ["", f"{len(results)} files; the slowest, {slowest.path}, took {slowest.seconds:.2f} s."]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    default = data_folder() / "odd_files"
    parser.add_argument("folder", nargs="?", type=Path, default=default)
    parser.add_argument("--list", action="store_true", help="also print a line per file")
    options = parser.parse_args()
    if not options.folder.is_dir():
        print(f"{options.folder} is not here: set FOCAL_DATA to the folder that holds odd_files.")
        return 0
    results = account(options.folder)
    if options.list:
        for result in results:
            print(f"{result.outcome:20} {result.kind:6} {result.seconds:6.2f} s  {result.path}  {result.reason}")
        print()
    print(table(results))
    return int(any(result.outcome in {"KILLED", "HANGS"} for result in results))


if __name__ == "__main__":
    # Imported by its full name: worker processes have another `__main__`.
    from tests.benchmarks.decoding import odd_files

    sys.exit(odd_files.main())
