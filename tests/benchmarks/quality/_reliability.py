"""Suggestions as the program makes them, and whether their confidence keeps what it promises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from browser.catalog.library import Library
from browser.catalog.store import timestamps
from browser.models.work.jobs import LEAST_CONFIDENCE
from browser.operations.exchange.csv_format import read_tags
from browser.operations.jobs.progress import finish
from browser.operations.library.demo import demo
from browser.operations.ranking.rank import Ranker
from browser.operations.ranking.space import coordinates
from browser.operations.tagging.out_of_fold import Again, read_again
from browser.operations.tagging.voters import Voters, rows_by_id, voters_of
from browser.operations.tagging.voting import Lessons, lessons_of
from browser.operations.training.train import train
from browser.operations.training.training_set import TrainingSet
from learners import create
from learners.core.base import no_report
from learners.core.feature_space import FeatureSpace
from learners.core.side_information import SideInformation
from learners.galleries.row_gallery import gallery_rows, row_gallery
from tests.benchmarks._photo_sets import Floats, Ints

SHOWN = 5


@dataclass(frozen=True)
class Asked:
    """A library with some tagged photos, and others to suggest tags for.

    Attributes
    ----------
    lessons : Lessons
    rows, points : ndarray of float32, shape (q, r) and (q, p)
        Of the others, under the metric and in its space.
    truth : csr_array, shape (q, m)
        Their tags, of those that the tagged photos carry.
    """

    lessons: Lessons
    rows: Floats
    points: Floats
    truth: sp.csr_array

    def outcomes(self, *, crossed: bool) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the confidence of the suggestions shown, and which are right; crossed: as the program learns it."""
        lessons = self.lessons if crossed else replace(self.lessons, again=None)
        voting = lessons.learn(no_report)
        neighbors, distances = lessons.voters.gallery.rank_many(self.rows, voting.propagation.k)
        evidence = None if voting.ridge is None else voting.ridge.scores(self.points)
        votes = voting.propagate(neighbors, distances, lessons.voters, evidence)
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
    voters = Voters(
        place.astype(np.int64),
        sp.csr_array(tags[tagged][:, occurring]),
        sp.csr_array((len(tagged), len(occurring))),
        [str(column) for column in occurring],
        row_gallery(metric, np.ascontiguousarray(rows[tagged])),
        at,
    )
    again = Again(metric, TrainingSet(np.arange(len(every)), side, timestamps.now()), X[every], X[tagged], len(tagged))
    lessons = lessons_of(voters, rows[tagged], X[tagged], space.groups_, again)
    return Asked(lessons, rows[others], X[others], sp.csr_array(tags[others][:, occurring]))


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
    voters = voters_of(library, gallery, set())
    points = coordinates(library, space, voters.ids)
    again = read_again(library, gallery.loaded, points)
    lessons = lessons_of(voters, np.ascontiguousarray(gallery.rows[voters.places]), points, space.groups_, again)
    others = np.setdiff1d(every, voters.ids)
    column = {name: j for j, name in enumerate(voters.names)}
    right = np.array(
        [(i, column[tag]) for i, photo_id in enumerate(others.tolist()) for tag in truth[photo_id] if tag in column]
    )
    carried = sp.csr_array((np.ones(len(right)), right.T), shape=(len(others), len(column)))
    rows = np.ascontiguousarray(gallery.rows[rows_by_id(gallery)[others]])
    return Asked(lessons, rows, coordinates(library, space, others), carried)


def gap(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the expected calibration error: the mean gap between confidence and share right, by tenths."""
    tenth = np.minimum((10 * confidence).astype(int), 9)
    return float(sum(abs((confidence - right)[tenth == t].sum()) for t in range(10)) / max(len(tenth), 1))
