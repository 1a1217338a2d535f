"""The complete workflow on Corel-5k in a real library: index, judge, train and rank; tag, train and suggest.

Pairs: 300 similar and 300 dissimilar pairs are drawn at random by class. Precision@20 by class is measured before and
after training, on 500 query photos that are in no pair.
Tags: those of the 4,500 training photos are imported; 5 tags are suggested for each of the 499 test photos.

The learners use their default hyper-parameters. Seeds are fixed.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.formats import CSV
from focal_photos.browser.operations.exchange.import_file import import_tags
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.suggest import suggest
from focal_photos.browser.operations.training.train import train
from tests.benchmarks.common.measures import annotation_scores
from tests.benchmarks.common.photo_sets import data_folder

Ints = NDArray[np.int64]


def class_of(paths: Sequence[Path]) -> NDArray[np.str_]:
    """Return the class of each photo, the name of its folder."""
    return np.array([path.parent.name for path in paths])


def precision_at_20(ranker: Ranker, metric: str, queries: Ints, ids: Ints, classes: NDArray[np.str_]) -> float:
    """Return the mean share of the query's class among the first 20 of the whole library."""
    label = dict(zip(ids.tolist(), classes.tolist(), strict=True))
    shares = []
    for query in queries.tolist():
        found = ranker.rank(query, metric, limit=20).photo_ids.tolist()
        shares.append(np.mean([label[photo] == label[query] for photo in found]))
    return float(np.mean(shares))


def draw_pairs(
    rng: np.random.Generator, ids: Ints, classes: NDArray[np.str_], count: int
) -> list[tuple[int, int, Verdict]]:
    """Draw `count` similar and `count` dissimilar pairs of different photos."""
    pairs: dict[tuple[int, int], Verdict] = {}
    wanted = {Verdict.SIMILAR: count, Verdict.DISSIMILAR: count}
    while any(wanted.values()):
        a, b = rng.integers(len(ids), size=2)
        if wanted[Verdict.SIMILAR]:
            b = rng.choice(np.flatnonzero(classes == classes[a]))
        verdict = Verdict.SIMILAR if classes[a] == classes[b] else Verdict.DISSIMILAR
        pair = int(ids[a]), int(ids[b])
        if a != b and pair not in pairs and wanted[verdict]:
            pairs[pair] = verdict
            wanted[verdict] -= 1
    return [(a, b, verdict) for (a, b), verdict in pairs.items()]


def pairs_protocol(library: Library, draws: int, queries: int = 500, pairs: int = 300) -> None:
    """Print precision@20 before and after training on judged pairs."""
    ids = library.photos.ids()
    classes = class_of(library.photos.paths(ids))
    before, after, seconds = [], [], []
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(ids))
        asked, rest = ids[order[:queries]], order[queries:]
        with library.journal.action("Judge drawn pairs"):
            for focal, other, verdict in draw_pairs(rng, ids[rest], classes[rest], pairs):
                library.judgements.set(focal, [other], verdict)
        ranker = Ranker(library)
        before.append(precision_at_20(ranker, "euclidean", asked, ids, classes))
        start = time.perf_counter()
        metric = finish(train(library, "kernel", use_tags=False))
        seconds.append(time.perf_counter() - start)
        after.append(precision_at_20(ranker, metric.name, asked, ids, classes))
        print(f"  draw {seed}: euclidean {before[-1]:.4f}  kernel {after[-1]:.4f}  (trained in {seconds[-1]:.1f} s)")
        library.journal.undo()  # undo the training
        library.journal.undo()  # undo the judgements
    gain = np.subtract(after, before)
    for name, values in (("euclidean", before), ("kernel", after), ("gain", gain)):
        print(f"  precision@20 {name:10s} {np.mean(values):.4f} +- {np.std(values, ddof=1):.4f}")


def tags_protocol(library: Library, folder: Path) -> None:
    """Print the annotation scores of 5 suggested tags per test photo."""
    with (folder / "split.csv").open(encoding="utf-8") as stream:
        split = {row["file"]: row["split"] for row in csv.DictReader(stream)}
    with (folder / "tags.csv").open(encoding="utf-8") as stream:
        tags = {row["file"]: [t for t in row["tags"].split(";") if t] for row in csv.DictReader(stream)}
    with tempfile.TemporaryDirectory() as scratch:
        table = Path(scratch) / "training_tags.csv"
        with table.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["file", "tags"])
            writer.writerows([file, ";".join(tags[file])] for file in tags if split.get(file) == "train")
        start = time.perf_counter()
        imported = finish(import_tags(library, table, CSV, folder))
        print(f"  {imported.lines} lines of tags imported in {time.perf_counter() - start:.1f} s")
    names = sorted({name for words in tags.values() for name in words})
    column = {name: j for j, name in enumerate(names)}
    test = [file for file in tags if split.get(file) == "test"]
    taught = {name for file in tags if split.get(file) == "train" for name in tags[file]}
    asked_for = {name for file in test for name in tags[file]}
    words = np.array([column[name] for name in sorted(taught & asked_for)])  # as in the published evaluation
    truth = sp.lil_array((len(test), len(names)))
    photo = {}
    for i, file in enumerate(test):
        found = library.photos.by_path(folder / file)
        assert found is not None
        photo[found.id] = i
        for name in tags[file]:
            truth[i, column[name]] = 1
    trained = finish(train(library, "kernel", use_judgements=False))
    ranker = Ranker(library)
    for metric in ("euclidean", trained.name):
        start = time.perf_counter()
        report = finish(suggest(library, ranker, list(photo), per_photo=5, metric=metric))
        seconds = time.perf_counter() - start
        guess = sp.lil_array(truth.shape)
        for photo_id, suggestions in report.by_photo.items():
            for each in suggestions:
                guess[photo[photo_id], column[each.tag]] = 1
        scores = annotation_scores(sp.csr_array(guess), sp.csr_array(truth), words)
        per_photo = guess.sum() / len(test)
        print(
            f"  {metric:12s} {json.dumps(vars(scores), default=float)}  {per_photo:.2f} tags a photo, {seconds:.1f} s"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=data_folder() / "corel5k")
    parser.add_argument("--library", type=Path, help="folder to keep the library in (default: a temporary folder)")
    parser.add_argument("--draws", type=int, default=5)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"Skipped: there is no folder {arguments.data}. Set FOCAL_DATA to the folder of the photo sets.")
        return 0
    with (
        tempfile.TemporaryDirectory() as scratch,
        Library.open(arguments.library or Path(scratch) / "library") as library,
    ):
        report = finish(index(library, [arguments.data]))
        stages = ", ".join(f"{name} {ms:.2f}" for name, ms in report.stages.items())
        print(f"indexed {report.photos} photos in {report.seconds:.1f} s ({report.photos / report.seconds:.0f}/s)")
        print(f"milliseconds of processor time a photo: {stages}\n\npairs")
        pairs_protocol(library, arguments.draws)
        print("\ntags")
        tags_protocol(library, arguments.data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
