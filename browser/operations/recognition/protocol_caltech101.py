"""The protocol of Caltech-101 on the user's own library: recognition by local distances or tags."""

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
from focal_photos.browser.operations.recognition.partner import LIKELIEST, Partner
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
"""Mean recognition in percent that the source reports for 101 classes and 15 training photos of each."""


@dataclass(frozen=True)
class Recognised:
    """What the protocol found.

    Attributes
    ----------
    classes : tuple of str
        Ascending.
    training : int
        Photos of each class that were learned from.
    tested : ndarray of int64, shape (splits, classes)
        Photos that were to be recognised.
    confusion : ndarray of int64, shape (splits, classes, classes)
        How many of class i were taken for class j.
    left_out : int
        Photos that took no part: of no class or several, of a class with too few, or without patches.
    """

    classes: tuple[str, ...]
    training: int
    tested: NDArray[np.int64]
    confusion: NDArray[np.int64]
    left_out: int

    @property
    def by_class(self) -> NDArray[np.float64]:
        """Share of each class that was recognised, float64 (splits, classes)."""
        right = np.diagonal(self.confusion, axis1=1, axis2=2)
        return np.asarray(right / self.tested, np.float64)

    @property
    def recognition(self) -> NDArray[np.float64]:
        """Mean share over classes of each split, float64 (splits,)."""
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
    """Learn some photos of each class, recognise the others, and count what was right; no metric is changed.

    By local distances, photos that lack patches are described first, as in a training, unless the library is open for
    reading only.

    In each split, the same number of photos of each class is drawn to learn from. Each learns its local distance from
    the others that were drawn; those of its class are similar. A photo that was not drawn is of the class whose focal
    images' probabilities have the largest sum. By suggestions, it is of the class that the regression on all global
    descriptors and codes says surest, as tags are suggested from 200 tagged photos on (`learners.tags.tag_ridge`).
    By both, the regression says which classes are the likeliest, only their focal images are asked, and both decide
    together (`learners.local.agreement`).

    Parameters
    ----------
    library : Library
    classes : "tags" or "folders"
        What makes the class of a photo: its only tag, or the folder it lies in. Classes need one photo more than
        `training`.
    training : int
        Photos of each class to learn from, at least 2.
    testing : int, optional
        Most photos of each class to be recognised; all others, if not given.
    splits : int
        At least 1.
    seed : int
        Of the draws.
    by : "local", "suggestions" or "both"
        What recognises.

    Yields
    ------
    Progress

    Returns
    -------
    Recognised

    Raises
    ------
    NothingToLearnError
        There are not two classes with enough photos.
    OperationError
        Photos have no patches and cannot be described now, or a number makes no sense.

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
        _grouped(library, np.sort(library.photos.ids()), classes, training)  # before photos are described for an hour
        yield from describe_patches(library)
    keys = patch_keys(library)
    ids = with_patches(library, keys) if keys else np.empty(0, np.int64)
    if not len(ids):
        raise OperationError(
            f"The photos have no patches yet: run focal descriptors --on {','.join(SOURCES)} and focal index."
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
            raise NothingToLearnError("No photo has an edge that a patch could lie on.")
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
    """Return how probable all descriptors find the classes of the rows that are tested, float64 (t, m)."""
    tags = _one_hot(labels[drawn], int(labels.max()) + 1)

    def ask(report: ProgressReport) -> NDArray[np.float64]:
        partner = Partner(library, space, codes_of_all(library, known), known[drawn], tags, report)
        return partner.probabilities(known[tested])

    try:
        return (yield from in_thread(stage, ask, keeps=False))
    except KeyError as error:
        raise OperationError("Photos were edited meanwhile: index the folders, and try again.") from error


def _one_hot(labels: NDArray[np.intp], classes: int) -> scipy.sparse.csr_array:
    """Return 1 in the column of each photo's class, (n, m)."""
    places = np.arange(len(labels)), labels
    return scipy.sparse.csr_array((np.ones(len(labels)), places), shape=(len(labels), classes))


def _with_some_patches(library: Library, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return those of the photos that are shown and have a patch, ascending."""
    rooms = ids[np.isin(ids, np.sort(library.photos.listed()))]
    counts = np.zeros(len(rooms), np.int64)
    for store in (library.patches.open(key) for key in patch_keys(library)):
        if store is not None:
            counts += store.counts(rooms)
    return rooms[counts > 0]


def _classes(
    library: Library, ids: NDArray[np.int64], kind: ClassKind, training: int
) -> tuple[NDArray[np.int64], NDArray[np.intp], list[str], int]:
    """Return the photos that take part, ascending, their classes, the classes' names, and how many photos there are."""
    known, labels, enough = _grouped(library, ids, kind, training)
    taking = enough[labels]
    renumbered = np.cumsum(enough) - 1
    everyone = len(library.photos.listed())
    return ids[taking], renumbered[labels[taking]].astype(np.intp), known[enough].tolist(), everyone


def _grouped(
    library: Library, ids: NDArray[np.int64], kind: ClassKind, training: int
) -> tuple[NDArray[np.str_], NDArray[np.intp], NDArray[np.bool_]]:
    """Return the names of all classes, the class of each photo (n,), and which classes are large enough.

    Raises NothingToLearnError unless two are.
    """
    if kind == "folders":
        texts = [str(path.parent.name) for path in library.photos.paths(ids)]
    else:
        tags = library.tags.of(ids)
        texts = [tags[i][0] if len(tags.get(i, ())) == 1 else "" for i in ids.tolist()]
    known, labels = np.unique(np.array(texts, dtype=np.str_), return_inverse=True)
    enough = (np.bincount(labels, minlength=len(known)) > training) & (known != "")
    if enough.sum() < 2:
        raise NothingToLearnError(
            f"There are not two {kind} with more than {training} photos that are described each: "
            f"{'tag more, with one tag each' if kind == 'tags' else 'take in more photos'}, or learn from fewer."
        )
    return known, labels, enough


def _draw(
    labels: NDArray[np.intp], training: int, testing: int | None, rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows to learn from and those to test, ascending."""
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
        raise OperationError(f"Nothing can be learned: {error}") from error
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
    """Return the class that each photo (t,) is given.

    `own` (F, m) is that of each focal image, `sure` (t, m) what all descriptors say, if they are heard.
    """
    given = np.empty(len(ids), np.intp)
    meter = Meter(stage, len(ids))
    for row, photo_id in enumerate(ids.tolist()):
        yield meter.state()
        patches = patches_of(library, keys, library.photos.get([photo_id])[0])
        if sure is None:
            scores = own.T @ learned.probabilities(learned.exponents(patches))
        else:
            asked = likeliest(sure[[row]], LIKELIEST)[0]
            heard = own @ asked.astype(np.float64) > 0
            votes = mean_votes(own, learned.probabilities(learned.exponents(patches, heard)), heard)
            scores = agreed(np.where(asked, sure[row], 0.0)[None], votes[None])[0]
        given[row] = scores.argmax()
        yield meter.advance()
    return given
