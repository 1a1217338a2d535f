"""Of wrong tags and wrong judgements that were put in, how many are listed first?

Fifteen classes of a set, 40 photos of each, all tagged by their class; 2 % and 5 % carry the tag of another class
instead. The list is that of the program: tags by how sure they are when the photo's own are left out. Judgements: 60
focal images, of the first 20 shown up to five of the class and five of others are judged; 2 % and 5 % of the verdicts
are turned round.

Precision is the share of wrong ones among the first as many as there are wrong ones, which is their recall there too;
then the recall among the first twice and four times as many, and the share that is listed at all. Five draws.
"""

from __future__ import annotations

import argparse

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from focal_photos.features.table import STANDARD, STANDARD_CODES
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import ReciprocalNeighbors, build
from focal_photos.learners.tags.doubts import judgement_doubts, left_out_relevance, tag_doubts
from focal_photos.learners.tags.tag_confidence import TagConfidence
from focal_photos.learners.tags.tag_ridge import MOST_WITH_NEIGHBORS, TagRidge
from tests.benchmarks.common.described_photos import Described, described
from tests.benchmarks.common.report import Report, mean_and_spread

CLASSES = 15
PHOTOS = 40
FOCAL = 60
SHOWN = 20
EACH = 5
LISTED = 0.5


def drawn(photos: Described, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows of a draw, ascending, and their classes 0..14."""
    rng = np.random.default_rng(seed)
    counts = np.bincount(photos.classes)
    chosen = np.sort(rng.choice(np.flatnonzero(counts >= PHOTOS), CLASSES, replace=False))
    rows = np.concatenate([rng.permutation(np.flatnonzero(photos.classes == one))[:PHOTOS] for one in chosen])
    rows = np.sort(rows)
    return rows, np.searchsorted(chosen, photos.classes[rows])


def tags(photos: Described, share: float, seed: int) -> NDArray[np.bool_]:
    """Return of the listed tags, the most doubtful first, which are wrong; the rest of the wrong ones is not listed."""
    rows, classes = drawn(photos, seed)
    n, rng = len(rows), np.random.default_rng(1000 + seed)
    wrong = np.zeros(n, dtype=bool)
    wrong[rng.permutation(n)[: round(share * n)]] = True
    given = np.where(wrong, (classes + rng.integers(1, CLASSES, n)) % CLASSES, classes)
    _, X = photos.space(rows, STANDARD)
    wide, coordinates = photos.space(rows, STANDARD, wide=True)
    shared = None
    if n <= MOST_WITH_NEIGHBORS:
        shared = sp.csr_array(build(FloatGallery(np.ascontiguousarray(X[rows]))).shared(np.arange(n)))
    carried = sp.csr_array((np.ones(n), (np.arange(n), given)), shape=(n, CLASSES))
    ridge = TagRidge(exact=5000, families=wide.families_).fit(
        coordinates[rows], carried, shared=shared, codes=None if photos.codes is None else photos.codes[rows]
    )
    learned = TagConfidence().fit(ridge.left_out_, carried, kinds=ridge.kind_left_out_)
    found = tag_doubts(learned.confidences(ridge.left_out_).tags, carried.toarray(), exclusive=learned.exclusive_)
    order = found.photo[found.doubt > LISTED]
    return np.concatenate([wrong[order], np.zeros(n - len(order), bool)])


def judgements(photos: Described, share: float, seed: int) -> NDArray[np.bool_]:
    """Return of the listed judgements, the most doubtful first, which are wrong."""
    rows, classes = drawn(photos, seed)
    rng = np.random.default_rng(2000 + seed)
    _, X = photos.space(rows, STANDARD)
    gallery = FloatGallery(np.ascontiguousarray(X[rows]))
    neighbors: ReciprocalNeighbors = build(gallery)
    judged: list[tuple[NDArray[np.intp], NDArray[np.bool_]]] = []
    for focal in rng.permutation(len(rows))[:FOCAL]:
        shown = neighbors.rank(gallery, gallery.rows[focal], own=int(focal), k=SHOWN + 1)[0][1:]
        alike = classes[shown] == classes[focal]
        others = np.concatenate([shown[alike][:EACH], shown[~alike][:EACH]])
        judged.append((np.concatenate([[focal], others]), classes[others] == classes[focal]))
    count = sum(len(right) for _, right in judged)
    wrong = np.zeros(count, dtype=bool)
    wrong[rng.permutation(count)[: round(share * count)]] = True
    verdicts = np.concatenate([right for _, right in judged]) ^ wrong
    relevance, start = [], 0
    for known, right in judged:
        own = verdicts[start : start + len(right)]
        start += len(right)
        K = neighbors.similarities(gallery, known, known)
        relevance.append(left_out_relevance(K, np.append(True, own)))
    doubts = judgement_doubts(np.concatenate(relevance), np.zeros(count), verdicts)
    order = np.argsort(-doubts, kind="stable")
    return wrong[order] & (doubts[order] > LISTED)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    seeds = parser.parse_args().seeds
    report = Report("contradictions", "Wrong tags and judgements that were put in: how many are listed first?")
    report.text("\n\n".join((__doc__ or "").split("\n\n")[1:]))
    for title, listed in (("Tags", tags), ("Judgements", judgements)):
        lines = []
        for name in ("corel5k", "caltech101"):
            photos = described(name, STANDARD, STANDARD_CODES)
            if photos is None:
                continue
            for share in (0.02, 0.05):
                found = [(listed(photos, share, seed), share) for seed in range(seeds)]
                numbers = []
                for wrong, part in found:
                    total = max(round(part * len(wrong)), 1)
                    numbers.append([wrong[: times * total].sum() / total for times in (1, 2, 4, len(wrong))])
                cells = [mean_and_spread([row[column] for row in numbers]) for column in range(4)]
                lines.append([name, f"{100 * share:.0f} %", *cells])
                print(title, lines[-1], flush=True)
        report.table(
            title, ["set", "wrong", "precision = recall", "recall, twice", "recall, four times", "listed at all"], lines
        )
    report.save()


if __name__ == "__main__":
    main()
