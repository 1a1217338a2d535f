# SPDX-License-Identifier: MIT
"""Export a selection of photos as copies or as a table."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.exchange.export_data_set import SaveReport
from focal_photos.browser.operations.exchange.export_file import output_file
from focal_photos.browser.operations.exchange.file_format import FileFormat
from focal_photos.browser.operations.exchange.overwriting import require_folder_outside, require_replaceable
from focal_photos.browser.operations.exchange.records import records_of
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.photos.frames import is_dicom_file, shown_picture
from focal_photos.features.decoding.regular_file import open_regular

_BLOCK: Final = 200


def export_table(library: Library, photo_ids: Sequence[int], file: Path, form: FileFormat) -> Job[SaveReport]:
    """Write the data of some photos as a table, in order.

    Parameters
    ----------
    file : pathlib.Path
        An existing table is replaced: the user has confirmed it.

    Raises
    ------
    OperationError
        If the format is no table, or the file may not or cannot be written.
    UnknownPhotoError
    """
    if form.write_photos is None:
        raise OperationError("{0} is not a table of photos: choose another format.", form.title)
    require_replaceable(library, file, (*form.suffixes, ".json", ".txt"))
    meter = Meter(Text("Exporting"), len(photo_ids))
    yield meter.state()
    records: list[Mapping[str, Any]] = []
    for start in range(0, len(photo_ids), _BLOCK):
        block = photo_ids[start : start + _BLOCK]
        records += records_of(library, block)
        yield meter.advance(len(block))
    with output_file(file) as stream:
        saved = form.write_photos(stream, records)
    return SaveReport(file, saved)


def copy_photos(library: Library, photo_ids: Sequence[int], folder: Path) -> Job[SaveReport]:
    """Copy the files of some photos to a folder without replacing existing files.

    A copy whose name is taken gets a number: ``a (2).jpg``. DICOM files, which may identify patients, are copied as
    images of the display: ``a.dcm.png``. After cancellation, finished copies stay.

    Parameters
    ----------
    folder : pathlib.Path
        Outside the library and its photo folders; created if needed.

    Raises
    ------
    OperationError
        If the folder may not or cannot be written.
    UnknownPhotoError
    """
    require_folder_outside(library, folder)
    report = SaveReport(folder)
    meter = Meter(Text("Copying photos"), len(photo_ids))
    yield meter.state()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OperationError("{0} cannot be created: {1}.", folder, error.strerror or error) from error
    for photo in library.photos.get(list(photo_ids)):
        try:
            if is_dicom_file(photo.path):
                _copy(io.BytesIO(shown_picture(library, photo.path)), folder / f"{photo.path.name}.png")
            else:
                with open_regular(photo.path) as stream:
                    copy = _copy(stream, folder / photo.path.name)
                with suppress(OSError):  # not every drive stores dates and permissions
                    shutil.copystat(photo.path, copy)
        except OSError as error:
            report.left_out.append((photo.path, error.strerror or str(error)))
        except OperationError as error:
            report.left_out.append((photo.path, str(error)))
        else:
            report.saved += 1
        yield meter.advance(1, str(photo.path))
    return report


def _copy(stream: BinaryIO, wanted: Path) -> Path:
    """Write a file under a name, adding a number if it is taken; return the name."""
    for target in _names(wanted):
        try:
            copy = target.open("xb")
        except FileExistsError:
            continue
        try:
            with copy:
                shutil.copyfileobj(stream, copy)
        except BaseException:
            target.unlink(missing_ok=True)  # no truncated photo
            raise
        return target
    raise AssertionError("There is always one more number.")


def _names(path: Path) -> Iterator[Path]:
    yield path
    number = 2
    while True:
        yield path.with_name(f"{path.stem} ({number}){path.suffix}")
        number += 1
