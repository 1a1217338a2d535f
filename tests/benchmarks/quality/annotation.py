"""Suggested tags on Corel-5k: precision and recall by word, and whether the confidence keeps what it promises.

5 tags are suggested to each of the 499 test photos of the published split from the 4,500 others; the words scored are
those that occur in both parts. Metrics, votes and confidence are learned from the training photos alone; which families
of features, which evidence and how much rare words count is chosen on parts of 500 held out of them.

Reliability: suggestions as the program shows them, and the share that is right, with a metric that the tags taught.
"Before": the confidence is learned from the photos that taught the metric; "now": from photos that did not. 6 minutes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from browser.catalog.library import Library
from browser.catalog.store import timestamps
from browser.models.work.jobs import LEAST_CONFIDENCE
from browser.operations.exchange.csv_format import read_tags
from browser.operations.jobs.progress import finish
from browser.operations.library.demo import demo
from browser.operations.ranking.ranker import Ranker
from browser.operations.ranking.space import coordinates
from browser.operations.tagging.annotated import AnnotatedPhotos, read_annotated, rows_by_id
from browser.operations.tagging.learn_voting import VotingTrainingSet, voting_training_set
from browser.operations.tagging.out_of_fold import Relearning, read_relearning
from browser.operations.training.train import train
from browser.operations.training.training_set import TrainingSet
from features import STANDARD
from learners import create
from learners.core.base import EmbeddingMixin, no_report
from learners.core.feature_space import FeatureSpace
from learners.core.side_information import SideInformation
from learners.evaluation.out_of_fold import out_of_fold_neighbors
from learners.galleries.float_gallery import FloatGallery
from learners.galleries.row_gallery import gallery_rows, row_gallery
from learners.tags.tag_propagation import TagVotes
from learners.tags.tag_ridge import TagRidge
from learners.tags.weighted_tag_propagation import WeightedTagPropagation
from tests.benchmarks.common.described_photos import Described
from tests.benchmarks.common.measures import AnnotationScores, annotation_scores
from tests.benchmarks.common.photo_sets import Floats, Ints
from tests.benchmarks.common.report import Curve, Report, mean_and_spread
from tests.benchmarks.common.tagged_photos import by_embedding, tagged_corel5k

SHOWN = 5


@dataclass(frozen=True)
class Asked:
    """A library with some tagged photos, and others to suggest tags for.

    Attributes
    ----------
    training_set : VotingTrainingSet
    rows, points : ndarray of float32, shape (q, r) and (q, p)
        Of the others, under the metric and in its space.
    truth : csr_array, shape (q, m)
        Their tags, of those that the tagged photos carry.
    """

    training_set: VotingTrainingSet
    rows: Floats
    points: Floats
    truth: sp.csr_array

    def outcomes(self, *, crossed: bool) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the confidence of the suggestions shown, and which are right; crossed: as the program learns it."""
        training_set = self.training_set if crossed else replace(self.training_set, relearning=None)
        voting = training_set.learn(no_report)
        neighbors, distances = training_set.annotated.gallery.rank_many(self.rows, voting.propagation.k)
        evidence = None if voting.ridge is None else voting.ridge.scores(self.points)
        votes = voting.propagate(neighbors, distances, training_set.annotated, evidence)
        shown = [
            (i, tag, sure) for i, best in enumerate(votes.top(SHOWN, minimum=LEAST_CONFIDENCE)) for tag, sure in best
        ]
        i, tag, sure = (np.array(column) for column in zip(*shown, strict=True))
        return sure, np.asarray(self.truth[i, tag]).ravel() > 0


def corel(space: FeatureSpace, X: Floats, tags: sp.csr_array, tagged: Ints, others: Ints, learner: str) -> Asked:
    """Return a library of these photos in which some are tagged, with a metric that their tags taught."""
    every = np.union1d(tagged, others)
    occurring = np.flatnonzero(np.asarray(tags[tagged].sum(axis=0)).ravel())
    given = sp.lil_array((len(every), len(occurring)))
    place = np.searchsorted(every, tagged)
    given[place] = tags[tagged][:, occurring].tolil()
    side = SideInformation(tags=sp.csr_array(given))
    metric = create(learner).fit(X[every], side)
    rows = gallery_rows(metric, X)
    at = np.arange(len(tagged))
    annotated = AnnotatedPhotos(
        place.astype(np.int64),
        sp.csr_array(tags[tagged][:, occurring]),
        sp.csr_array((len(tagged), len(occurring))),
        [str(column) for column in occurring],
        row_gallery(metric, np.ascontiguousarray(rows[tagged])),
        at,
    )
    photos = TrainingSet(np.arange(len(every)), side, timestamps.now())
    relearning = Relearning(metric, photos, X[every], X[tagged], len(tagged))
    training_set = voting_training_set(annotated, rows[tagged], X[tagged], space.families_, relearning)
    return Asked(training_set, rows[others], X[others], sp.csr_array(tags[others][:, occurring]))


def with_demo_album(count: int, learners: Sequence[str], use: Callable[[str, Asked], None]) -> None:
    """Tag `count` photos of the demo album, train metrics, and use what is to be asked about the others under each."""
    with TemporaryDirectory() as folder, Library.open(Path(folder) / "library") as library:
        album = Path(folder) / "album"
        finish(demo(library, album))
        named = {line.files[0].as_posix(): list(line.tags) for line in read_tags(album / "tags.csv")}
        every = library.photos.ids("")
        files = dict(zip(every.tolist(), library.photos.paths(every), strict=True))
        truth = {i: named[file.relative_to(album).as_posix()] for i, file in files.items()}
        for photo_id, carried in library.tags.of(every).items():
            library.tags.change([photo_id], remove=carried)
        for photo_id in np.random.default_rng(0).permutation(every)[:count].tolist():
            library.tags.change([photo_id], truth[photo_id])
        for learner in learners:
            finish(train(library, learner))
            use(learner, _asked(library, every, truth))


def _asked(library: Library, every: NDArray[np.int64], truth: dict[int, list[str]]) -> Asked:
    gallery = Ranker(library).gallery()
    space = gallery.loaded.space
    annotated = read_annotated(library, gallery, set())
    points = coordinates(library, space, annotated.ids)
    relearning = read_relearning(library, gallery.loaded, points)
    own_rows = np.ascontiguousarray(gallery.rows[annotated.places])
    training_set = voting_training_set(annotated, own_rows, points, space.families_, relearning)
    others = np.setdiff1d(every, annotated.ids)
    column = {name: j for j, name in enumerate(annotated.names)}
    right = np.array(
        [(i, column[tag]) for i, photo_id in enumerate(others.tolist()) for tag in truth[photo_id] if tag in column]
    )
    carried = sp.csr_array((np.ones(len(right)), right.T), shape=(len(others), len(column)))
    rows = np.ascontiguousarray(gallery.rows[rows_by_id(gallery)[others]])
    return Asked(training_set, rows, coordinates(library, space, others), carried)


def gap(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the expected calibration error: the mean gap between confidence and share right, by tenths."""
    tenth = np.minimum((10 * confidence).astype(int), 9)
    return float(sum(abs((confidence - right)[tenth == t].sum()) for t in range(10)) / max(len(tenth), 1))


METRIC = "tag-ratio-kernel"
RARITIES = (0.4, 0.5, 0.6, 0.7)


@dataclass(frozen=True)
class Setting:
    """One way to suggest.

    Attributes
    ----------
    families : tuple of str
    evidence : tuple of str
        "rbf": a ridge with one kernel of all families; "families": with the mean of their kernels. The mean of what
        they say is heard.
    folds : int
        Votes are learned from photos that did not teach the metric, in this many of three folds; 0: from
        those that did.
    exact : int
        Up to this many photos the metric's kernel map is exact.
    """

    families: tuple[str, ...] = STANDARD
    evidence: tuple[str, ...] = ()
    folds: int = 0
    exact: int = 2000


SETTINGS = {
    "votes, 8 families": Setting(),
    "votes and evidence from one kernel": Setting(evidence=("rbf",)),
    "the same, learned from one fold held out": Setting(evidence=("rbf",), folds=1),
    "evidence from a kernel a family": Setting(evidence=("families",), folds=1),
    "the same, three folds": Setting(evidence=("families",), folds=3),
    "both kinds of evidence, three folds": Setting(evidence=("rbf", "families"), folds=3),
}
EXACT = {"the same, exact kernel map": Setting(STANDARD, ("rbf", "families"), 3, 5000)}
"""Two minutes more; takes the rarity of the setting before it."""

LITERATURE = (
    ("TagProp ML, one weight a distance (Guillaumin 2009)", "31", "37", "0.337", "146"),
    ("TagProp sigma-ML (Guillaumin 2009), 15 descriptors of larger photos", "33", "42", "0.370", "160"),
    ("2PKNN (Verma 2012), the same descriptors", "39", "40", "0.395", "177"),
    ("2PKNN+ML (Verma 2012)", "44", "46", "0.450", "191"),
)


class Part:
    """Photos with known tags, and others for which tags are suggested."""

    def __init__(self, photos: Described, known: Ints, asked: Ints) -> None:
        assert photos.tags is not None
        self.photos, self.known, self.asked = photos, known, asked
        self.tags = photos.tags
        self.taught, self.truth = sp.csr_array(self.tags[known]), sp.csr_array(self.tags[asked])
        self._kept: dict[Any, Any] = {}

    def space(self, families: tuple[str, ...]) -> Any:
        """Return the feature space of the known photos, and all photos in it."""
        if families not in self._kept:
            self._kept[families] = self.photos.space(self.known, families)
        return self._kept[families]

    def ridge(self, setting: Setting) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return what looks say of the known photos, each left out, and of those asked about."""
        for kind in setting.evidence:
            if (setting.families, kind) not in self._kept:
                space, X = self.space(setting.families)
                ridge = TagRidge(families=space.families_ if kind == "families" else (), exact=5000)
                ridge.fit(X[self.known], self.taught)
                self._kept[setting.families, kind] = ridge.left_out_, ridge.scores(X[self.asked])
        every = [self._kept[setting.families, kind] for kind in setting.evidence]
        return np.mean([one[0] for one in every], axis=0), np.mean([one[1] for one in every], axis=0)

    def neighbors(self, setting: Setting, k: int) -> Any:
        """Return the neighbours of photos to learn from, with their rows, and of the photos asked about."""
        key = setting.families, setting.exact, setting.folds
        if key not in self._kept:
            _, X = self.space(setting.families)

            def embed(rows: Ints | None = None) -> Floats:
                some = self.known if rows is None else self.known[rows]
                learner = create(METRIC, exact=setting.exact)
                learner.fit(X[some], SideInformation(tags=sp.csr_array(self.tags[some])))
                assert isinstance(learner, EmbeddingMixin)
                Z: Floats = learner.transform(X)
                return Z

            Z = embed()
            gallery, n = FloatGallery(np.ascontiguousarray(Z[self.known])), len(self.known)
            learned: tuple[Ints, Ints, NDArray[np.floating]]
            if setting.folds:
                learn = by_embedding(lambda rows: embed(rows)[self.known])
                learned = out_of_fold_neighbors(learn, n, k, folds=3, parts=setting.folds)
            else:
                rows = np.sort(np.random.default_rng(0).choice(n, 1500, replace=False))
                learned = (rows, *gallery.rank_many(Z[self.known[rows]], k, skip=rows))
            self._kept[key] = learned, gallery.rank_many(Z[self.asked], k)
        return self._kept[key]

    def votes(self, setting: Setting, rarities: Sequence[float]) -> dict[float, TagVotes]:
        """Suggest, with each of these values of `rarity`."""
        voting = WeightedTagPropagation()
        (rows, near, far), (nearest, distances) = self.neighbors(setting, voting.k)
        heard, said = self.ridge(setting) if setting.evidence else (None, None)
        voting.fit(near, far, self.taught, rows, evidence=None if heard is None else heard[rows])
        return {
            rarity: voting.set_params(rarity=rarity).propagate(nearest, distances, self.taught, evidence=said)
            for rarity in rarities
        }

    def score(self, votes: TagVotes) -> tuple[AnnotationScores, float]:
        """Return the scores by word, and the share of all tags found."""
        i, j = np.array([(i, tag) for i, row in enumerate(votes.top(SHOWN)) for tag, _ in row]).T
        suggested = sp.csr_array((np.ones(len(i)), (i, j)), shape=self.truth.shape)
        occurring = [np.asarray((some != 0).sum(axis=0)).ravel() > 0 for some in (self.taught, self.truth)]
        scores = annotation_scores(suggested, self.truth, np.flatnonzero(occurring[0] & occurring[1]))
        return scores, float(suggested.multiply(self.truth).sum() / self.truth.sum())


def published(photos: Described, parts: int, *, exact: bool) -> None:
    """Write the part about the published benchmark."""
    assert photos.test is not None
    train, test = np.flatnonzero(~photos.test), np.flatnonzero(photos.test)
    report = Report("qi2009-corel5k", "Qi 2009: the published annotation benchmark of Corel-5k, 5 tags")
    report.text((__doc__ or "").split("\n\n")[1])
    chosen: dict[str, float] = {}
    found: dict[str, dict[float, list[tuple[AnnotationScores, float]]]] = {}
    for number in range(parts):
        order = np.random.default_rng(number).permutation(train)
        part = Part(photos, np.sort(order[500:]), order[:500])
        for name, setting in SETTINGS.items():
            for rarity, votes in part.votes(setting, RARITIES).items():
                found.setdefault(name, {}).setdefault(rarity, []).append(part.score(votes))
            print(f"part {number}: {name} {found[name][0.5][-1][0].f1:.3f}", flush=True)
    rows = []
    for name, by_rarity in found.items():
        means = {rarity: float(np.mean([scores.f1 for scores, _ in all_])) for rarity, all_ in by_rarity.items()}
        chosen[name] = max(means, key=lambda rarity: means[rarity])
        share = float(np.mean([one for _, one in by_rarity[chosen[name]]]))
        rows.append([name, *(f"{means[r]:.3f}" for r in RARITIES), f"{chosen[name]}", f"{100 * share:.0f} %"])
    report.table(
        f"F1 by word on {parts} parts of 500 held out of the training photos, by `rarity`",
        ["setting", *map(str, RARITIES), "chosen", "tags found"],
        rows,
    )
    final = Part(photos, train, test)
    rows = []
    rarity = 0.5
    for name, setting in (SETTINGS | (EXACT if exact else {})).items():
        rarity = chosen.get(name, rarity)
        start = time.process_time()
        scores, share = final.score(final.votes(setting, [rarity])[rarity])
        seconds = time.process_time() - start
        by_word = f"{100 * scores.precision:.1f}", f"{100 * scores.recall:.1f}", f"{scores.f1:.3f}"
        rows.append([name, *by_word, str(scores.n_plus), f"{100 * share:.0f} %", f"{seconds:.0f}"])
        print(rows[-1], flush=True)
    report.table(
        "The 499 test photos, each setting with the rarity chosen above",
        ["setting", "P %", "R %", "F1", "N+", "tags found", "processor s, what is shared counted once"],
        [*rows, *([*line, "", ""] for line in LITERATURE)],
    )
    report.save()


def libraries(photos: Described, seeds: int) -> Iterator[tuple[str, list[Asked]]]:
    """Yield libraries in which few or many photos are tagged."""
    assert photos.tags is not None
    assert photos.test is not None
    train, test = np.flatnonzero(~photos.test), np.flatnonzero(photos.test)
    space, X = photos.space(train, STANDARD)
    for count in (50, 200, 500):
        orders = [np.random.default_rng(seed).permutation(train) for seed in range(seeds)]
        yield (
            f"Corel-5k, {count} tagged",
            [
                corel(space, X, photos.tags, np.sort(o[:count]), np.sort(o[count : count + 1000]), METRIC)
                for o in orders
            ],
        )
    yield "Corel-5k, 4,500 tagged", [corel(space, X, photos.tags, train, test, METRIC)]


def reliability(photos: Described, seeds: int) -> None:
    """Write the part about the confidence."""
    report = Report("annotation-reliability", "Of the suggestions shown at 0.8, how many are right?")
    report.text((__doc__ or "").split("\n\n")[2])
    summary: list[list[str]] = []
    curves: dict[str, Curve] = {}
    tenths: dict[str, list[str]] = {}

    def take(name: str, libraries: list[Asked]) -> None:
        gaps: dict[bool, list[float]] = {False: [], True: []}
        shares: dict[bool, list[float]] = {False: [], True: []}
        both = {}
        seconds = 0.0
        for crossed in (False, True):
            sure, right = [], []
            for library in libraries:
                start = time.process_time()
                confidence, hit = library.outcomes(crossed=crossed)
                seconds = time.process_time() - start
                gaps[crossed].append(gap(confidence, hit))
                shares[crossed].append(float(hit.sum() / library.truth.sum()))
                sure.append(confidence)
                right.append(hit)
            both[crossed] = np.concatenate(sure), np.concatenate(right)
        near = []
        for sure_, right_ in both.values():
            shown = (sure_ >= 0.75) & (sure_ < 0.85)
            near.append(f"{100 * right_[shown].mean():.0f} % of {shown.sum()}" if shown.any() else "none shown")
        errors, found = ([mean_and_spread(both_[crossed]) for crossed in (False, True)] for both_ in (gaps, shares))
        summary.append([name, *errors, *near, *found, f"{seconds:.1f}"])
        sure_, right_ = both[True]
        tenth = np.minimum((10 * sure_).astype(int), 9)
        tenths[name] = [
            f"{sure_[tenth == t].mean():.2f}: {right_[tenth == t].mean():.2f} ({(tenth == t).sum()})"
            if (tenth == t).any()
            else ""
            for t in range(10)
        ]
        many = [t for t in range(10) if (tenth == t).sum() >= 20]
        curves[name] = Curve(
            [float(sure_[tenth == t].mean()) for t in many], [float(right_[tenth == t].mean()) for t in many]
        )
        print(summary[-1], flush=True)

    for name, some in libraries(photos, seeds):
        take(name, some)
    with_demo_album(48, (METRIC, "kernel"), lambda learner, asked: take(f"demo album, 48 tagged, {learner}", [asked]))
    report.table(
        "Expected calibration error by tenths, before and now",
        ["library", "error before", "now", "right at 0.75-0.85 before", "now", "tags found before", "now", "s"],
        summary,
    )
    report.table(
        "Confidence: share right (suggestions), by tenths, now",
        ["library", *(f"{t / 10:.1f}-" for t in range(10))],
        [[name, *cells] for name, cells in tenths.items()],
    )
    curves["as promised"] = Curve([0.0, 1.0], [0.0, 1.0])
    report.curves("Reliability now (tenths of at least 20)", curves, x="confidence", y="share right", name="now")
    report.save()


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="*", choices=("corel5k", "reliability"), default=["corel5k", "reliability"])
    parser.add_argument("--held-out", type=int, default=2, help="parts held out of the training photos")
    parser.add_argument("--seeds", type=int, default=2, help="draws of the tagged photos")
    parser.add_argument("--exact", action="store_true", help="with the exact kernel map too: two minutes more")
    arguments = parser.parse_args()
    photos = tagged_corel5k(STANDARD)
    if photos is None:
        return
    if "reliability" in arguments.parts:
        reliability(photos, arguments.seeds)
    if "corel5k" in arguments.parts:
        published(photos, arguments.held_out, exact=arguments.exact)


if __name__ == "__main__":
    main()
