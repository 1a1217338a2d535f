# SPDX-License-Identifier: MIT
"""The protocol of Caltech-101 on the user's library: recognition by local distances or tag regression."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.codes import codes_of_all
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.local.candidates import Candidates
from focal_photos.browser.operations.ranking.local.focal_gallery import FocalImageGallery
from focal_photos.browser.operations.ranking.local.focal_image import learn_focal_image
from focal_photos.browser.operations.ranking.local.learner import PARAMETERS, SOURCES
from focal_photos.browser.operations.ranking.local.patches import PhotoPatches, patches_of, with_patches
from focal_photos.browser.operations.ranking.local.training_sets import FocalTrainingSet
from focal_photos.browser.operations.ranking.space import described, prepare_space
from focal_photos.browser.operations.recognition.partner import COMPARED_CLASSES, Partner
from focal_photos.browser.operations.training.local_train import describe_patches, patch_keys
from focal_photos.browser.operations.workers.threads import completed
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.local.agreement import agreed, likeliest, mean_votes
from focal_photos.learners.local.local_distances import FocalImage, FocalImages

ClassKind = Literal["tags", "folders"]
Way = Literal["local", "suggestions", "both"]

PAPER: Final = 60.3
"""Mean recognition rate in percent in the paper, for 101 classes with 15 training photos each."""


@dataclass(frozen=True)
class Recognised:
    """Result of the protocol."""

    classes: tuple[str, ...]
    """Ascending."""
    training: int
    tested: NDArray[np.int64]
    """Number of test photos; shape (splits, classes)."""
    confusion: NDArray[np.int64]
    """Number of photos of class i recognised as class j; shape (splits, classes, classes)."""
    left_out: int
    """Number of unused photos: without or with several classes, of a too small class, or without patches."""

    @property
    def by_class(self) -> NDArray[np.float64]:
        """Recognised share of each class, float64 (splits, classes)."""
        right = np.diagonal(self.confusion, axis1=1, axis2=2)
        return np.asarray(right / self.tested, np.float64)

    @property
    def recognition(self) -> NDArray[np.float64]:
        """Mean share over classes in each split, float64 (splits,)."""
        return np.asarray(self.by_class.mean(axis=1), np.float64)


def protocol_caltech101(
    library: Library,
    *,
    classes: ClassKind = "tags",
    training: int = 15,
    testing: int | None = None,
    splits: int = 2,
    seed: int = 0,
    by: Way = "local",
) -> Job[Recognised]:
    """Train on some photos of each class and recognise the others; no metric is changed.

    For local distances, photos that lack patches are described first, as in a training, unless the library is
    read-only.

    In each split, the same number of training photos is drawn from each class. Each learns its local distance from the
    other training photos; those of its class are similar. A test photo is assigned to the class whose focal images'
    probabilities have the largest sum. With "suggestions", it is assigned to the class that the regression on all
    global descriptors and codes finds most probable, as for suggestions from 200 tagged photos on
    (`learners.tags.tag_ridge`). With "both", the regression selects the likeliest classes, only their focal images are
    used, and both are combined (`learners.local.agreement`).

    Parameters
    ----------
    classes : "tags" or "folders"
        Definition of a photo's class: its only tag, or its folder. Classes need at least `training` + 1 photos.
    training : int
        Number of training photos per class, at least 2.
    testing : int, optional
        Maximum number of test photos per class; default: all others.
    splits : int
        At least 1.

    Raises
    ------
    NothingToLearnError
        If there are no two classes with enough photos.
    OperationError
        If photos have no patches and cannot be described now, or a number is invalid.

    References
    ----------
    A. Frome, Y. Singer and J. Malik, "Image retrieval and classification using local distance functions", NIPS 2006,
    section 5.
    """
    if training < 2 or splits < 1 or (testing is not None and testing < 1):
        raise OperationError("The protocol needs at least 2 photos of a class to learn from, 1 to test, and 1 split.")
    if by == "suggestions":
        return (yield from _by_suggestions(library, classes, training, testing, splits, seed))
    if not library.read_only:
        _grouped(library, np.sort(library.photos.ids()), classes, training)  # before describing photos for an hour
        yield from describe_patches(library)
    keys = patch_keys(library)
    ids = with_patches(library, keys) if keys else np.empty(0, np.int64)
    if not len(ids):
        raise OperationError(
            "The photos have no patches yet: run focal descriptors --on {0} and focal index.", ",".join(SOURCES)
        )
    ids = _with_some_patches(library, ids)
    space = None
    if by == "both":
        space = yield from prepare_space(library, wide=True)
        ids = ids[np.isin(ids, described(library))]
    known, labels, names, everyone = _classes(library, ids, classes, training)
    like = FocalImages(**{name: PARAMETERS[name] for name in ("C", "K", "tolerance")}, sources=keys)
    confusion = np.zeros((splits, len(names), len(names)), np.int64)
    for split in range(splits):
        drawn, tested = _draw(labels, training, testing, np.random.default_rng([seed, split]))
        candidates = Candidates(library, keys, known[drawn])
        stage = f"Split {split + 1} of {splits}"
        models = yield from _learn(library, candidates, labels[drawn], like, f"{stage}: learning local distances")
        learned = FocalImageGallery(candidates, models)
        if not len(learned.ids):
            raise NothingToLearnError("No photo has an edge on which to place a patch.")
        sure = None
        if space is not None:
            learning = f"{stage}: learning from all descriptors"
            sure = yield from _by_all(library, space, known, labels, drawn, tested, learning)
        own = _one_hot(labels[np.searchsorted(known, learned.ids)], len(names))
        given = yield from _recognise(library, keys, learned, own, known[tested], sure, f"{stage}: recognising")
        np.add.at(confusion[split], (labels[tested], given), 1)
    return Recognised(tuple(names), training, confusion.sum(axis=2), confusion, everyone - len(known))


def _by_suggestions(
    library: Library, classes: ClassKind, training: int, testing: int | None, splits: int, seed: int
) -> Job[Recognised]:
    """Recognise as suggestions do; the space is the library's own, fitted to a sample of all its photos."""
    space = yield from prepare_space(library, wide=True)
    ids = np.sort(described(library))
    known, labels, names, everyone = _classes(library, ids[np.isin(ids, library.photos.listed())], classes, training)
    confusion = np.zeros((splits, len(names), len(names)), np.int64)
    for split in range(splits):
        drawn, tested = _draw(labels, training, testing, np.random.default_rng([seed, split]))
        stage = f"Split {split + 1} of {splits}: recognising"
        sure = yield from _by_all(library, space, known, labels, drawn, tested, stage)
        np.add.at(confusion[split], (labels[tested], sure.argmax(axis=1)), 1)
    return Recognised(tuple(names), training, confusion.sum(axis=2), confusion, everyone - len(known))


def _by_all(
    library: Library,
    space: FeatureSpace,
    known: NDArray[np.int64],
    labels: NDArray[np.intp],
    drawn: NDArray[np.intp],
    tested: NDArray[np.intp],
    stage: str,
) -> Job[NDArray[np.float64]]:
    """Return the class probabilities of the test rows by all descriptors, float64 (t, m)."""
    tags = _one_hot(labels[drawn], int(labels.max()) + 1)

    def ask(report: ProgressReport) -> NDArray[np.float64]:
        partner = Partner(library, space, codes_of_all(library, known), known[drawn], tags, report)
        return partner.probabilities(known[tested])

    try:
        return (yield from in_thread(stage, ask, keeps=False))
    except KeyError as error:
        raise OperationError("Photos were edited meanwhile: index the folders, and try again.") from error


def _one_hot(labels: NDArray[np.intp], classes: int) -> scipy.sparse.csr_array:
    """Return one-hot rows of the photos' classes, (n, m)."""
    places = np.arange(len(labels)), labels
    return scipy.sparse.csr_array((np.ones(len(labels)), places), shape=(len(labels), classes))


def _with_some_patches(library: Library, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the listed photos with at least one patch, ascending."""
    rooms = ids[np.isin(ids, np.sort(library.photos.listed()))]
    counts = np.zeros(len(rooms), np.int64)
    for store in (library.patches.open(key) for key in patch_keys(library)):
        if store is not None:
            counts += store.counts(rooms)
    return rooms[counts > 0]


def _classes(
    library: Library, ids: NDArray[np.int64], kind: ClassKind, training: int
) -> tuple[NDArray[np.int64], NDArray[np.intp], list[str], int]:
    """Return the photos used, ascending, their classes, the class names, and the number of all listed photos."""
    known, labels, enough = _grouped(library, ids, kind, training)
    taking = enough[labels]
    renumbered = np.cumsum(enough) - 1
    everyone = len(library.photos.listed())
    return ids[taking], renumbered[labels[taking]].astype(np.intp), known[enough].tolist(), everyone


def _grouped(
    library: Library, ids: NDArray[np.int64], kind: ClassKind, training: int
) -> tuple[NDArray[np.str_], NDArray[np.intp], NDArray[np.bool_]]:
    """Return all class names, each photo's class (n,), and which classes are large enough; raises unless two are."""
    if kind == "folders":
        texts = [str(path.parent.name) for path in library.photos.paths(ids)]
    else:
        tags = library.tags.of(ids)
        texts = [tags[i][0] if len(tags.get(i, ())) == 1 else "" for i in ids.tolist()]
    known, labels = np.unique(np.array(texts, dtype=np.str_), return_inverse=True)
    enough = (np.bincount(labels, minlength=len(known)) > training) & (known != "")
    if enough.sum() < 2:
        raise NothingToLearnError(
            "Fewer than two {0} have more than {1} described photos each: {2}, or learn from fewer.",
            kind,
            training,
            Text("tag more photos, with one tag each") if kind == "tags" else Text("index more photos"),
        )
    return known, labels, enough


def _draw(
    labels: NDArray[np.intp], training: int, testing: int | None, rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the training and the test rows, ascending."""
    drawn, tested = [], []
    for number in range(int(labels.max()) + 1):
        rows = rng.permutation(np.flatnonzero(labels == number))
        drawn.append(rows[:training])
        tested.append(rows[training:][:testing])
    return np.sort(np.concatenate(drawn)), np.sort(np.concatenate(tested))


def _learn(
    library: Library, candidates: Candidates, labels: NDArray[np.intp], like: FocalImages, stage: str
) -> Job[dict[int, FocalImage]]:
    side = SideInformation.from_labels(labels)
    photos = library.photos.get(candidates.ids)

    def work(row: int) -> FocalImage:
        patches: PhotoPatches = patches_of(library, like.sources, photos[row])
        return learn_focal_image(
            FocalTrainingSet(candidates.ids, row, side, bytes(8)), patches, candidates.distances(patches), like
        )

    tasks: list[tuple[int, Callable[[], Any]]] = [
        (photo_id, partial(work, row)) for row, photo_id in enumerate(candidates.ids.tolist())
    ]
    models: dict[int, FocalImage] = {}
    meter = Meter(stage, len(tasks))
    yield meter.state()
    results = completed(tasks)
    try:
        with closing(results):
            for found in results:
                models.update(found)
                yield meter.advance(len(found))
    except LearnerError as error:
        raise OperationError("Nothing can be learned: {0}", error) from error
    return models


def _recognise(
    library: Library,
    keys: tuple[str, ...],
    learned: FocalImageGallery,
    own: scipy.sparse.csr_array,
    ids: NDArray[np.int64],
    sure: NDArray[np.float64] | None,
    stage: str,
) -> Job[NDArray[np.intp]]:
    """Return the assigned class of each photo (t,).

    `own` (F, m) contains the class of each focal image, `sure` (t, m) the probabilities by all descriptors, if used.
    """
    given = np.empty(len(ids), np.intp)
    meter = Meter(stage, len(ids))
    for row, photo_id in enumerate(ids.tolist()):
        yield meter.state()
        patches = patches_of(library, keys, library.photos.get([photo_id])[0])
        if sure is None:
            scores = own.T @ learned.probabilities(learned.exponents(patches))
        else:
            likely = likeliest(sure[[row]], COMPARED_CLASSES)[0]
            heard = own @ likely.astype(np.float64) > 0
            votes = mean_votes(own, learned.probabilities(learned.exponents(patches, heard)), heard)
            scores = agreed(np.where(likely, sure[row], 0.0)[None], votes[None])[0]
        given[row] = scores.argmax()
        yield meter.advance()
    return given
