# SPDX-License-Identifier: MIT
"""Corel-5k, 20 classes: metrics from relative judgements, and from the same number of verdicts on the same photos.

The simulated user goes through the first photos of a Euclidean ranking, for random focal images of the training half,
and judges one photo of the class as nearer than one of another class. With verdicts, the user judges as many photos,
alternately of the class and of others. Measured on the other half: precision@10, and the share of random triplets of a
focal image, a photo of its class and one of another class that are in order (chance: .5).
"""

from __future__ import annotations

import argparse
from itertools import cycle
from typing import Final

import numpy as np

from focal_photos.features.table import STANDARD
from focal_photos.learners import create
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.learner.base import EmbeddingMixin
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.float_gallery import FloatGallery
from tests.benchmarks.common.described_photos import described
from tests.benchmarks.common.photo_sets import Floats, Ints
from tests.benchmarks.common.report import Report, mean_and_spread

_CLASSES: Final = 20
_SHOWN: Final = 20
_FOCAL: Final = 10  # judgements of a focal image
_LEARNERS: Final = ("kernel", "omdl-lr")


def judged(X: Floats, classes: Ints, count: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return relative judgements (count, 3) and verdicts (count, 3): focal image, photo, 1 or 0 for similar or not."""
    relative: list[tuple[int, int, int]] = []
    verdicts: list[tuple[int, int, int]] = []
    for focal in cycle(rng.permutation(len(X)).tolist()):
        if len(relative) >= count and len(verdicts) >= count:
            return np.array(relative[:count], np.intp), np.array(verdicts[:count], np.intp)
        order = np.argsort(((X - X[focal]) ** 2).sum(axis=1), kind="stable")[1 : _SHOWN + 1]
        same = classes[order] == classes[focal]
        pairs = [(int(near), int(far)) for near in order[same] for far in order[~same]]
        rng.shuffle(pairs)
        relative += [(focal, *pair) for pair in pairs[:_FOCAL]]
        mixed = [(int(one), int(is_same)) for one, is_same in zip(order, same, strict=True)]
        near, far = ([one for one in mixed if one[1] == kind][: _FOCAL // 2] for kind in (1, 0))
        verdicts += [(focal, *one) for one in near + far]
    raise AssertionError


def measured(X: Floats, classes: Ints, rng: np.random.Generator) -> tuple[float, float]:
    """Return precision@10 and triplet accuracy of coordinates."""
    rows, _ = FloatGallery(X).rank_many(X, 10, skip=np.arange(len(X)))
    precision = float((classes[rows] == classes[:, None]).mean())
    i, j, k = rng.integers(0, len(X), (3, 200_000))
    kept = (classes[i] == classes[j]) & (classes[i] != classes[k]) & (i != j)
    near, far = (((X[i[kept]] - X[other[kept]]) ** 2).sum(axis=1) for other in (j, k))
    return precision, float((near < far).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judgements", type=int, nargs="+", default=[30, 100, 300])
    parser.add_argument("--draws", type=int, default=5)
    asked = parser.parse_args()
    found = described("corel5k", STANDARD)
    if found is None:
        return
    scores: dict[tuple[str, str, int], list[tuple[float, float]]] = {}
    for draw in range(asked.draws):
        rng = np.random.default_rng(draw)
        chosen = np.flatnonzero(np.isin(found.classes, rng.permutation(found.classes.max() + 1)[:_CLASSES]))
        chosen = rng.permutation(chosen)
        train, test = np.sort(chosen[::2]), np.sort(chosen[1::2])
        space, whole = found.space(train)
        X, Y = np.asarray(whole[train], np.float32), np.asarray(whole[test], np.float32)
        families = tuple(FeatureFamily(one.name, one.start, one.stop, one.is_count) for one in space.families_)
        scores.setdefault(("none", "Euclidean", 0), []).append(measured(Y, found.classes[test], rng))
        relative, verdicts = judged(X, found.classes[train], max(asked.judgements), rng)
        for count in asked.judgements:
            pairs = verdicts[:count, :2]
            similar = verdicts[:count, 2] == 1
            sides = {
                "relative": SideInformation(relative=relative[:count]),
                "verdicts": SideInformation(pairs[similar], pairs[~similar]),
            }
            for name in _LEARNERS:
                for how, side in sides.items():
                    learner = create(name)
                    if "families" in learner.get_params():
                        learner.set_params(families=families)
                    assert isinstance(learner, EmbeddingMixin)
                    learner.fit(X, side)
                    reached = measured(learner.transform(Y), found.classes[test], rng)
                    scores.setdefault((how, name, count), []).append(reached)
    report = Report("relative-judgements", "Relative judgements")
    report.text(
        f"Corel-5k, {_CLASSES} classes, {asked.draws} draws; for the protocol see "
        "`tests/benchmarks/quality/relative_judgements.py`."
    )
    report.table(
        "Judgements",
        ("judgements", "learner", "judged as", "P@10", "triplets in order"),
        [
            (str(count or ""), name, how, *(mean_and_spread(part) for part in zip(*values, strict=True)))
            for (how, name, count), values in scores.items()
        ],
    )
    report.save()


if __name__ == "__main__":
    main()
