# SPDX-License-Identifier: MIT
"""Save photos or judgements as a data set of another program: a binary file or a folder."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from focal_photos.browser.catalog.facts.records import SuggestionState
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import replacing
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing import descriptors
from focal_photos.browser.operations.exchange.certificates.certificate_file import save_beside
from focal_photos.browser.operations.exchange.file_contents import ExportedJudgements, ExportedPhoto, ScoredTag
from focal_photos.browser.operations.exchange.file_format import FileFormat, Media, PhotoWriter
from focal_photos.browser.operations.exchange.overwriting import new_folder, require_replaceable
from focal_photos.browser.operations.exchange.records import records_of
from focal_photos.browser.operations.jobs.errors import OperationError, not_written
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.photos.frames import is_dicom_file, shown_picture
from focal_photos.browser.operations.ranking import space
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.features import base

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK: Final = 1000  # photos looked up at once
SPACE: Final = "space"
METRIC: Final = "metric"
DESCRIPTORS: Final = "descriptors"
"""All descriptors of the metric in use; followed by a colon and a name: of that metric."""


@dataclass
class SaveReport:
    """Result of saving a data set."""

    place: Path
    saved: int = 0
    """Number of photos or judgements in it."""
    left_out: list[tuple[Path, str]] = field(default_factory=list)
    """Photos left out, with the reasons."""
    certificate: bool = False
    """Whether it contains the certificate of the tags."""
    unnamed: int = 0
    """Number of boxes left out because they have no name."""


def save_photos(
    library: Library,
    target: Path,
    form: FileFormat,
    *,
    query: str = "",
    media: Media = Media.COPY,
    vectors: str = SPACE,
    force: bool = False,
) -> Job[SaveReport]:
    """Save photos with their tags.

    The target is replaced only when everything is written. If the job is cancelled or fails, or all photos are left
    out, nothing changes. If a certificate of the tags exists, folder formats include it.

    Parameters
    ----------
    target : pathlib.Path
        A file; for folder formats, a new or empty folder.
    query : str
        Only matching photos are saved.
    media : Media
        Whether photo files are copied or linked, in formats that include them. DICOM files are copied as PNG images of
        the display, because the files may identify patients.
    vectors : str
        Vectors for formats that contain them: ``"space"``, the coordinates on which all metrics are based, with
        Euclidean distances; ``"metric"``, those of the metric in use; ``"descriptors"``, the descriptors of the metric
        in use side by side, or ``"descriptors:NAME"``, those of another metric; or the name of a descriptor.
    force : bool
        Whether to replace files of other kinds too.

    Raises
    ------
    QueryError
        If the query is invalid.
    OperationError
        If the format cannot contain photos, the target may not or cannot be written, or there are no such vectors.
    """
    if form.save_photos is None:
        raise OperationError("{0} cannot be written for photos: choose another format.", form.title)
    saver = form.save_photos
    ids = library.photos.listed(query).tolist()
    rows = _Vectors(library, vectors) if saver.with_vectors else None
    report = SaveReport(target.absolute())
    meter = Meter(Text("Saving photos"), len(ids))
    with (
        suppress(_NothingSavedError),
        _new(library, target, form, force=force) as part,
        closing(saver.begin(part, media)) as writer,
    ):
        for block in _blocks(ids):
            for photo in _exported(library, block, rows, with_suggestions=saver.with_suggestions):
                if saver.with_media and photo.file is not None and is_dicom_file(photo.file):
                    problem = _add_as_picture(library, writer, photo, media)
                else:
                    problem = writer.add(photo)
                if problem:
                    report.left_out.append((Path(photo.record["path"]), problem))
                else:
                    report.saved += 1
                    report.unnamed += saver.with_boxes * sum(box.tag is None for box in photo.boxes)
                yield meter.advance(1, photo.record["path"])
        if report.left_out and not report.saved:
            raise _NothingSavedError
        writer.finish()
        if form.is_folder:
            report.certificate = save_beside(library, part)
    return report


class _NothingSavedError(Exception):
    """All photos were left out: the existing target stays, and no new one is written."""


def _add_as_picture(library: Library, writer: PhotoWriter, photo: ExportedPhoto, media: Media) -> str:
    """Write the displayed image of a DICOM file, which may identify the patient; return as `PhotoWriter.add` does."""
    assert photo.file is not None
    if media is Media.LINK:
        return "A DICOM file may contain the patient's name, so it is not linked: choose copies, which are pictures."
    try:
        content = shown_picture(library, photo.file)
    except OperationError as error:
        return str(error)
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "picture.png"
        picture.write_bytes(content)
        name = f"{photo.record['file_name']}.png"
        return writer.add(replace(photo, record={**photo.record, "file_name": name}, file=picture))


def save_judgements(
    library: Library, target: Path, form: FileFormat, *, vectors: str = SPACE, force: bool = False
) -> Job[SaveReport]:
    """Save all judgements with the vectors of their photos; otherwise like `save_photos`."""
    if form.save_judgements is None:
        raise OperationError("{0} cannot contain judgements: choose another format.", form.title)
    said = library.judgements.all()
    pairs = [(one.focal_id, one.other_id) for one in said]
    relative, visual = library.judged_relations.relative(), library.judged_relations.visual()
    ids = sorted({number for one in (*pairs, *relative, *visual) for number in one})
    rows = _Vectors(library, vectors)
    photos: dict[int, ExportedPhoto] = {}
    meter = Meter(Text("Saving judgements"), len(ids))
    for block in _blocks(ids):
        photos.update(zip(block, _exported(library, block, rows, with_suggestions=False), strict=True))
        yield meter.advance(len(block))
    order = sorted(photos, key=lambda number: photos[number].record["path"])
    places = {number: place for place, number in enumerate(order)}

    def indices(groups: Sequence[tuple[int, ...]], width: int) -> NDArray[np.int64]:
        return np.array([[places[number] for number in one] for one in groups], dtype=np.int64).reshape(-1, width)

    judgements = ExportedJudgements(
        [photos[number] for number in order],
        indices(pairs, 2),
        np.array([one.verdict == "similar" for one in said], dtype=bool),
        indices(relative, 3),
        indices(visual, 2),
    )
    report = SaveReport(target.absolute())
    with _new(library, target, form, force=force) as part:
        report.saved = form.save_judgements(part, judgements)
    lacking = [one for one in judgements.photos if one.vector is None]
    report.left_out = [(Path(one.record["path"]), "It is not described.") for one in lacking]
    return report


def _blocks(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(ids), _BLOCK):
        yield ids[start : start + _BLOCK]


def _exported(
    library: Library, ids: Sequence[int], vectors: _Vectors | None, *, with_suggestions: bool
) -> Iterator[ExportedPhoto]:
    """Yield photos in the order of the ids."""
    suggested = library.suggestions.of(ids, SuggestionState.OPEN) if with_suggestions else {}
    metrics = {one.id: one.name for one in library.metrics.all()} if with_suggestions else {}
    rows = vectors.of(ids) if vectors is not None else {}
    boxes = library.boxes.of(ids)
    for number, record in zip(ids, records_of(library, ids), strict=True):
        file = None if record["missing"] else Path(record["path"])
        scored = tuple(
            ScoredTag(one.tag, one.confidence, metrics.get(one.metric_id or 0)) for one in suggested.get(number, ())
        )
        yield ExportedPhoto(record, file, scored, rows.get(number), tuple(boxes.get(number, ())))


class _Vectors:
    """The vectors of one kind, fetched in blocks of photos; raises OperationError if there is no such kind."""

    def __init__(self, library: Library, kind: str) -> None:
        self._library = library
        self._keys: list[str] | None = None
        if kind == SPACE:
            self._space = space.current_space(library)
            self._embed = None
        elif kind == METRIC:
            loaded = load_metric(library, library.metrics.current())
            if loaded.learner is not None and not hasattr(loaded.learner, "transform"):
                raise OperationError(
                    "The metric {0} has no vectors: choose {1}, or another metric.", loaded.metric.name, SPACE
                )
            self._space, self._embed = loaded.space, loaded.embed
        elif kind == DESCRIPTORS or kind.startswith(f"{DESCRIPTORS}:"):
            name = kind.partition(":")[2]
            chosen = library.metrics.by_name(name) if name else library.metrics.current()
            self._keys = load_metric(library, chosen).keys
        else:
            named = {
                one.name: one
                for one in descriptors.ready_descriptors(library)
                if isinstance(one, base.GlobalDescriptor)
            }
            if kind not in named:
                names = ", ".join((SPACE, METRIC, DESCRIPTORS, *named))
                raise OperationError("There are no vectors {0!r} of all photos: choose one of {1}.", kind, names)
            self._keys = [str(named[kind].key)]

    def of(self, ids: Sequence[int]) -> Mapping[int, NDArray[np.float32]]:
        """Return the vectors of the described photos, by id."""
        keys = self._keys or [family.name for family in self._space.families]
        chosen = np.array(ids, dtype=np.int64)
        chosen = chosen[np.isin(chosen, space.described(self._library, keys))]
        if not len(chosen):
            return {}
        if self._keys is not None:
            rows = self._library.vectors.matrix(space.stores(self._library, keys), chosen)
        else:
            rows = space.coordinates(self._library, self._space, chosen)
            rows = rows if self._embed is None else self._embed(rows)
        return dict(zip(chosen.tolist(), np.asarray(rows, dtype=np.float32), strict=True))


@contextmanager
def _new(library: Library, target: Path, form: FileFormat, *, force: bool) -> Iterator[Path]:
    """Provide a path to write to, which is renamed to `target` at the end."""
    try:
        if form.is_folder:
            with new_folder(library, target) as part:
                yield part
        else:
            require_replaceable(library, target, form.suffixes, force=force)
            with replacing(target, follow_link=True) as part:
                yield part
    except OSError as error:
        raise not_written(target, error) from error
