# SPDX-License-Identifier: MIT
"""Read-only access to a library as arrays: photos, tags, judgements, vectors and rankings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import cv2
import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library, LibraryError, default_path
from focal_photos.browser.operations.describing.codes import codes_of_all
from focal_photos.browser.operations.describing.descriptors import complete, name_of, vector_store
from focal_photos.browser.operations.describing.enabled import all_descriptors
from focal_photos.browser.operations.describing.families import space_families
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.similar_photos import let_filter_rank
from focal_photos.browser.operations.ranking.space import shows_foreground, stores, unfitted_space
from focal_photos.features.base import GlobalDescriptor
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.side_information import SideInformation


class RankedPhotos(NamedTuple):
    """Photos ranked by distance.

    Attributes
    ----------
    ids : ndarray of int64, shape (n,)
        Photo ids, nearest first, without the focal image.
    distances : ndarray of float32, shape (n,)
        Distances, ascending.
    """

    ids: NDArray[np.int64]
    distances: NDArray[np.float32]


class LibraryView:
    """A library opened for reading by `focal_photos.open`. It never writes or locks anything.

    The window or ``focal index`` may work on the library meanwhile; the next call sees their committed changes. Photos
    are identified by ids, int64, which may have gaps.

    Attributes
    ----------
    name : str
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._ranker = Ranker(library)
        let_filter_rank(library, self._ranker)
        self.path = library.path
        self.name = library.name

    # ---------------------------------------------------------------- photos

    def photos(self, query: str = "") -> NDArray[np.int64]:
        """Return the ids of photos, sorted by path.

        Parameters
        ----------
        query : str
            Query as in the window's filter, such as ``tag:sea -tag:boat rating>=3``; empty: all photos. Missing photos
            are included unless the query contains ``-missing``; those of removed folders are not.

        Returns
        -------
        ndarray of int64, shape (n,)

        Raises
        ------
        LibraryError
            If the query is invalid; the message says where.
        """
        return self._library.photos.listed(query)

    def paths(self, ids: ArrayLike | None = None) -> list[Path]:
        """Return the absolute paths of photos in the order of `ids`; default: all photos."""
        return self._library.photos.paths(self._wanted(ids).tolist())

    def tags(
        self, ids: ArrayLike | None = None, *, with_ancestors: bool = False
    ) -> tuple[scipy.sparse.csr_array, list[str]]:
        """Return the tags of photos as a matrix, a target that every learner accepts.

        Parameters
        ----------
        ids : array_like of int, shape (n,), optional
            Distinct photo ids; default: all photos.
        with_ancestors : bool
            Whether a photo of animal/dog counts for animal too.

        Returns
        -------
        csr_array of float32, shape (n, m)
            1 where photo i carries tag j.
        list of str
            The m tags of these photos, sorted.
        """
        matrix, names = self._library.tags.matrix(self._wanted(ids).tolist(), with_ancestors=with_ancestors)
        return scipy.sparse.csr_array(matrix), names

    def judgements(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return all judgements as pairs, oldest first.

        Returns
        -------
        pairs : ndarray of int64, shape (j, 2)
            Ids of the focal image and of the judged photo. With `vectors` as preprocessor, every learner accepts them:
            ``learner.fit(pairs, y, preprocessor=lambda ids: library.vectors(ids)[0])``.
        y : ndarray of int64, shape (j,)
            1 for similar, -1 for dissimilar.
        """
        every = self._library.judgements.all()
        pairs = np.array([(one.focal_id, one.other_id) for one in every], np.int64).reshape(-1, 2)
        return pairs, np.array([1 if one.verdict is Verdict.SIMILAR else -1 for one in every], np.int64)

    def relative_judgements(self) -> NDArray[np.int64]:
        """Return all relative judgements as triplets, oldest first.

        Returns
        -------
        ndarray of int64, shape (t, 3)
            Ids of the focal image, of the nearer photo and of the other photo. Every learner accepts them as `fit`
            accepts pairs (`judgements`), without y.
        """
        return np.array(self._library.judged_relations.relative(), np.int64).reshape(-1, 3)

    def visual_pairs(self) -> NDArray[np.int64]:
        """Return the pairs of a focal image and a photo that look alike, oldest first: ids, int64 (v, 2)."""
        return np.array(self._library.judged_relations.visual(), np.int64).reshape(-1, 2)

    def boxes(self) -> tuple[NDArray[np.int64], NDArray[np.float64], list[str | None]]:
        """Return the boxes on photos, in the order in which they were drawn.

        Returns
        -------
        ndarray of int64, shape (n,)
            Ids of their photos.
        ndarray of float64, shape (n, 4)
            Left, top, right and bottom, in fractions 0..1 of the photo's width and height after EXIF orientation.
        list of str or None
            The tags that name them; None: no name.
        """
        every = self._library.boxes.all()
        sides = [(box.region.x0, box.region.y0, box.region.x1, box.region.y1) for box in every]
        photos = np.array([box.photo_id for box in every], np.int64)
        return photos, np.array(sides, np.float64).reshape(-1, 4), [box.tag for box in every]

    def side_information(self, ids: ArrayLike) -> SideInformation:
        """Return the user's judgements and tags of photos, by their indices in `ids`.

        Parameters
        ----------
        ids : array_like of int, shape (n,)
            Distinct photo ids.
        """
        wanted = self._wanted(ids)
        place = {number: at for at, number in enumerate(wanted.tolist())}
        pairs, verdicts = self.judgements()

        def rows(groups: NDArray[np.int64]) -> NDArray[np.intp]:
            inside = [[place[number] for number in one] for one in groups.tolist() if place.keys() >= set(one)]
            return np.array(inside, np.intp).reshape(-1, groups.shape[1])

        tags, _ = self.tags(wanted, with_ancestors=True)
        groups = SideInformation.from_tags(tags) if tags.shape[1] else SideInformation()
        return SideInformation(
            rows(pairs[verdicts == 1]),
            rows(pairs[verdicts == -1]),
            groups.tags,
            rows(self.relative_judgements()),
            rows(self.visual_pairs()),
        )

    # ---------------------------------------------------------------- vectors

    def described(self, descriptors: Sequence[str] | None = None) -> NDArray[np.int64]:
        """Return the ids of listed photos that have vectors of all descriptors, ascending; see `vectors`."""
        ids = self._library.photos.listed()
        for one in self._descriptors(descriptors):
            ids = np.setdiff1d(ids, vector_store(self._library, one).missing(ids), assume_unique=True)
        return np.sort(ids)

    def vectors(
        self, ids: ArrayLike | None = None, descriptors: Sequence[str] | None = None
    ) -> tuple[NDArray[np.float32], tuple[FeatureFamily, ...]]:
        """Return the vectors of photos.

        Parameters
        ----------
        ids : array_like of int, shape (n,), optional
            Photo ids; default: `described`.
        descriptors : sequence of str, optional
            Names; default: those that the library ranks by.

        Returns
        -------
        ndarray of float32, shape (n, d)
            Concatenated descriptors, in the order of their names.
        columns : tuple of FeatureFamily
            Columns of each descriptor, as in `focal_photos.describe`.

        Raises
        ------
        ValueError
            If a photo lacks a vector, or a descriptor is unknown or not fitted in this library.
        """
        chosen = self._descriptors(descriptors)
        wanted = self.described(descriptors) if ids is None else self._wanted(ids)
        vector_stores = [vector_store(self._library, one) for one in chosen]
        for one, store in zip(chosen, vector_stores, strict=True):
            if len(lacking := store.missing(wanted)):
                raise ValueError(f"Photo {lacking[0]} has no vector {one.name}: ask for photos of `described`.")
        rows = np.array(self._library.vectors.matrix(vector_stores, wanted))
        names = [one.name for one in chosen]
        return rows, unfitted_space(chosen, names, foreground=shows_foreground(chosen, rows)).families

    def codes(self, ids: ArrayLike | None = None) -> NDArray[np.uint8]:
        """Return the packed signs of photos, uint8 (n, c), which `TagClassifier` accepts beside vectors.

        Parameters
        ----------
        ids : array_like of int, shape (n,), optional
            Photo ids; default: `described`.

        Raises
        ------
        ValueError
            If a photo has no codes.
        """
        wanted = self.described() if ids is None else self._wanted(ids)
        found = codes_of_all(self._library, wanted)
        if found is None:
            raise ValueError(
                "Not all of these photos have codes: index the folders with a descriptor of the kind signs."
            )
        return found.of(wanted)

    # ---------------------------------------------------------------- rankings

    def metrics(self) -> list[str]:
        """Return the names of the metrics, oldest first; the first is the Euclidean distance, which is not trained."""
        return [metric.name for metric in self._library.metrics.all()]

    def rank(
        self,
        focal: int | str | os.PathLike[str] | NDArray[np.generic],
        metric: str | None = None,
        *,
        limit: int | None = None,
        among: ArrayLike | None = None,
        rerank: bool | None = None,
        by_judgements: bool | None = None,
    ) -> RankedPhotos:
        """Rank photos by their distance to a focal image, as in the window.

        Parameters
        ----------
        focal : int, path or ndarray
            Photo id, path of any image file, pixels (uint8 (h, w, 3) in sRGB, or (h, w) in grey), or a vector
            (float (d,)) of the metric's descriptors, as from `vectors`; a vector is ranked by the metric alone.
        metric : str, optional
            Name of a metric (``kernel-3``), or of a learner for its latest metric; default: the current metric.
        limit : int, optional
            Largest number of photos; default: all.
        among : array_like of int, optional
            Ids of the photos to rank.
        rerank, by_judgements : bool, optional
            Whether shared neighbours, and judgements against the focal image, affect the ranking; default: as in the
            window.

        Returns
        -------
        RankedPhotos

        Raises
        ------
        OperationError
            If the image cannot be decoded, no photo is described, or the metric cannot be used; the message says why.
        LibraryError
            If there is no such metric.
        ValueError
            If an array is neither pixels nor such a vector.
        """
        chosen = None if among is None else self._wanted(among)
        if isinstance(focal, np.ndarray) and focal.ndim:
            if focal.dtype != np.uint8:
                return self._rank_vector(focal, self._ranker.gallery(metric), limit, chosen)
            query: int | Path | bytes = _content(focal)
        elif isinstance(focal, str | os.PathLike):
            query = Path(focal).absolute()
        else:
            query = int(focal)
        found = self._ranker.rank(query, metric, limit=limit, among=chosen, rerank=rerank, by_judgements=by_judgements)
        return RankedPhotos(np.array(found.photo_ids), np.array(found.distances))

    def _rank_vector(
        self,
        vector: NDArray[np.generic],
        gallery: MetricGallery,
        limit: int | None,
        among: NDArray[np.int64] | None,
    ) -> RankedPhotos:
        loaded = gallery.loaded
        width = stores_width(self._library, loaded.keys)
        if vector.shape != (width,) or not np.issubdtype(vector.dtype, np.floating):
            names = ", ".join(map(name_of, loaded.keys))
            raise ValueError(
                f"The metric {loaded.metric.name} ranks vectors of shape ({width},), those of {names}; "
                f"this is {vector.dtype} of shape {vector.shape}. Pixels are uint8."
            )
        listed = self._library.photos.listed() if among is None else among
        query = loaded.embed(loaded.space.transform(vector[None].astype(np.float32)))[0]
        ids, distances = gallery.nearest(query, limit, allowed=gallery.mask(listed))
        return RankedPhotos(np.array(ids), np.array(distances))

    # ---------------------------------------------------------------- closing

    def close(self) -> None:
        """Close the library; safe to call repeatedly."""
        self._library.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"LibraryView({str(self.path)!r})"

    def _wanted(self, ids: ArrayLike | Iterable[int] | None) -> NDArray[np.int64]:
        if ids is None:
            return self.photos()
        wanted = np.asarray(ids)
        if wanted.ndim != 1 or (len(wanted) and not np.issubdtype(wanted.dtype, np.integer)):
            raise ValueError(
                f"Photos are named by their ids, integers of shape (n,), not {wanted.dtype} {wanted.shape}."
            )
        return wanted.astype(np.int64)

    def _descriptors(self, names: Sequence[str] | None) -> list[GlobalDescriptor]:
        """Return descriptors as fitted in the library."""
        if names is None:
            return list(space_families(self._library))
        every = all_descriptors(self._library, names)
        found = []
        for name in names:
            one = complete(self._library, every[name]) if name in every else None
            if not isinstance(one, GlobalDescriptor):
                raise ValueError(
                    f"There is no global descriptor {name!r}; there are: {', '.join(every)}."
                    if name not in every or one is not None
                    else f"The descriptor {name} is not fitted to this library: focal descriptors --on {name}."
                )
            found.append(one)
        return found


def stores_width(library: Library, keys: Sequence[str]) -> int:
    """Return the total number of columns of the descriptors' vectors."""
    return sum(store.dimension for store in stores(library, keys))


def open(path: str | os.PathLike[str] | None = None) -> LibraryView:
    """Open a library for reading, even if the window or another program has it open.

    Parameters
    ----------
    path : path, optional
        Folder of the library; default: the user's own library.

    Returns
    -------
    LibraryView
        The library, also a context manager.

    Raises
    ------
    LibraryError
        If there is no library, or it is damaged or of a later version.

    Examples
    --------
    ::

        with focal_photos.open() as library:
            ids = library.described()
            vectors, columns = library.vectors(ids)
            nearest = library.rank(ids[0], limit=10)
    """
    place = default_path() if path is None else Path(path)
    if not (place / "catalog.sqlite").exists():
        raise LibraryError(
            "There is no library in {0}: run focal index on a folder with photos first.", place.absolute()
        )
    return LibraryView(Library.open(place, read_only=True))


def _content(pixels: NDArray[np.generic]) -> bytes:
    """Encode pixels losslessly as an image file."""
    if not (pixels.ndim == 2 or (pixels.ndim == 3 and pixels.shape[2] == 3)) or 0 in pixels.shape:
        raise ValueError(f"Pixels are uint8 of shape (h, w, 3), or (h, w) in grey, not {pixels.shape}.")

    in_order = np.ascontiguousarray(pixels if pixels.ndim == 2 else pixels[:, :, ::-1], dtype=np.uint8)
    done, content = cv2.imencode(".png", in_order)
    if not done:
        raise OperationError("The pixels cannot be handed on.")
    return content.tobytes()
