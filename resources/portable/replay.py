# SPDX-License-Identifier: MIT
"""Train a metric again from the tags and judgements with which Focal trained it.

This script needs Focal's Python package, and neither the library nor the photos. Beside it are the files ``replay.npz``
(the learner with its parameters, and the feature space), ``data.npz`` (coordinates, judgements, tags) and
``replay.json`` (names of photos and tags).

Usage::

    python replay.py                     trains the metric, and compares its rankings with the original ones
    python replay.py --metric FILE.npz   also writes the metric, to be read by focal_photos.load
    python replay.py --ranks FILE.npz    also writes the nearest photos of every training photo

It ends with 1 if the rankings differ.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

import focal_photos

MIN_SHARE_SAME = 0.99
"""Share of photos whose nearest ones must be the same: the last digits differ between processors."""

TIE = 1e-4
"""Photos whose distances differ by at most this share may change places."""


def trained(folder: Path) -> tuple[Any, Any, Any]:
    """Train the metric in a folder; return the learner, the feature space and the arrays of ``data.npz``."""
    parts = focal_photos.load(folder / "replay.npz")
    with np.load(folder / "data.npz", allow_pickle=False) as file:
        data = {name: file[name] for name in file.files}
    tags = None
    if "tag_rows" in data:
        ones = np.ones(len(data["tag_rows"]))
        places = (data["tag_rows"], data["tag_columns"])
        tags = scipy.sparse.csr_array((ones, places), shape=tuple(data["tag_shape"]))
    side = focal_photos.SideInformation(data["similar"], data["dissimilar"], tags, data["relative"], data["visual"])
    return parts["learner"].fit(data["points"], side), parts["space"], data


def nearest(learner: Any, points: Any, rows: Any, count: int) -> Any:
    """Return the nearest photos of some photos, without these themselves: int (k, count)."""
    found = []
    for row in rows:
        distances = learner.distances_from(points[row], points).astype(np.float32)
        order = np.argsort(distances, kind="stable")
        found.append(order[order != row][:count])
    return np.array(found).reshape(len(rows), -1)


def is_same(distances: Any, before: Any, after: Any) -> bool:
    """Tell whether two orders of the nearest photos are the same, except for photos at practically equal distances."""
    return bool(np.allclose(distances[before], distances[after], rtol=TIE, atol=0))


def main() -> int:
    """Run the script; return its exit code."""
    parser = argparse.ArgumentParser(description="Train a metric of Focal again.")
    parser.add_argument("--metric", metavar="FILE", help="write the metric to this .npz file")
    parser.add_argument("--ranks", metavar="FILE", help="write the nearest photos of all training photos to this file")
    arguments = parser.parse_args()
    folder = Path(__file__).parent
    facts = json.loads((folder / "replay.json").read_text(encoding="utf-8"))
    learner, space, data = trained(folder)
    count = data["nearest"].shape[1]
    again = nearest(learner, data["points"], data["probes"], count)
    same = sum(
        is_same(learner.distances_from(data["points"][row], data["points"]), before, after)
        for row, before, after in zip(data["probes"], data["nearest"], again, strict=True)
    )
    document = {
        "metric": facts["metric"],
        "learner": facts["learner"],
        "photos": len(data["points"]),
        "judgements": facts["judgements"],
        "tagged": facts["tagged"],
        "compared": len(data["probes"]),
        "same": same,
    }
    if arguments.metric:
        focal_photos.save(arguments.metric, space=space, learner=learner)
    if arguments.ranks:
        every = np.arange(len(data["points"]))
        ranks = nearest(learner, data["points"], every, count)
        np.savez(arguments.ranks, ranks=ranks, photos=np.array(facts["photos"], dtype=np.str_))
    print(json.dumps(document))
    return 0 if same >= MIN_SHARE_SAME * len(data["probes"]) else 1


if __name__ == "__main__":
    sys.exit(main())
