# SPDX-License-Identifier: MIT
"""Boxes with wrong names: false alarms, precision and recall of Check tags on boxes.

The photos of `tagging/boxes.py`: objects of 12 classes of Caltech-101 in photos of Corel-5k, at 5 to 40 % of the area,
with sharp and with soft borders. Every object has a box named by its class; then 0, 1, 2 and 5 % of the boxes get the
name of another class. Everything is computed as in the program, with the descriptors of a new library.

Goals: at most one false alarm per 500 boxes without errors, and a precision of at least .7 at 2 % errors.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
from typing import Final

import numpy as np

from focal_photos.browser.catalog.facts.learning.items import box_ids_of
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.tagging.boxes.box_errors import find_box_errors
from focal_photos.features.table import STANDARD, STANDARD_CODES
from tests.benchmarks.common.photo_sets import photo_set
from tests.benchmarks.common.report import Report
from tests.benchmarks.quality.contradictions import TAG_ERRORS, Alarms, line
from tests.benchmarks.tagging.boxes import BORDERS, CLASSES, EACH, World, world

DESCRIPTORS: Final = (*STANDARD, *STANDARD_CODES)

REPEATS: Final = 3
"""Choices of the wrong boxes, for each share and draw."""


def alarms(found: World, share: float, rng: np.random.Generator) -> Alarms:
    """Give a share of the boxes wrong names, and search for them."""
    boxes = found.library.boxes
    boxes.remove([box.id for box in boxes.all()])
    things = [(photo, region, name) for photo, some in sorted(found.truth.items()) for region, name in some]
    n, m = len(things), len(found.names)
    wrong = np.zeros(n, dtype=bool)
    wrong[rng.permutation(n)[: round(share * n)]] = True
    by = rng.integers(1, m, n)
    names = [
        found.names[(found.names.index(name) + by[row]) % m] if wrong[row] else name
        for row, (*_, name) in enumerate(things)
    ]
    boxes.add((photo, region, name) for (photo, region, _), name in zip(things, names, strict=True))
    row = {box.id: place for place, box in enumerate(boxes.all())}
    reported = [row[number] for number in box_ids_of(one.photo_id for one in finish(find_box_errors(found.library)))]
    return Alarms(n, int(wrong.sum()), len(reported), int(wrong[reported].sum()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, nargs="+", default=[60, 61])
    draws = parser.parse_args().draws
    objects, scenes = photo_set("caltech101"), photo_set("corel5k")
    if objects is None or scenes is None:
        return
    counted: dict[tuple[str, float], list[Alarms]] = {}
    for border in BORDERS:
        for draw in draws:
            with world(objects, scenes, CLASSES, EACH, 0, border, draw, DESCRIPTORS) as found:
                for share in TAG_ERRORS:
                    for repeat in range(REPEATS if share else 1):
                        rng = np.random.default_rng(1000 * draw + repeat)
                        counted.setdefault((border, share), []).append(alarms(found, share, rng))
    report = Report("parts-named", "Boxes with wrong names: alarms, precision and recall")
    report.text("\n\n".join((__doc__ or "").split("\n\n")[1:]))
    seeds = ", ".join(map(str, draws))
    report.text(
        f"Draws {seeds}, each with {REPEATS} choices of the wrong boxes. The threshold was chosen on draws 50 and 51."
    )
    columns = ["borders", "errors", "boxes", "wrong", "reported", "false alarms per 500", "precision", "recall"]
    report.table("Boxes", columns, [line(border, share, some) for (border, share), some in counted.items()])
    report.save()


if __name__ == "__main__":
    main()
