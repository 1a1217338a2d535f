# SPDX-License-Identifier: MIT
"""File formats of plug-ins: which are accepted, and errors that their code raises."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from focal_photos.browser.catalog.text import TextError
from focal_photos.browser.operations.exchange import file_contents
from focal_photos.browser.operations.exchange.file_format import FileFormat, Media, PhotoWriter, Reader, Saver
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.plugin_registry import PluginError

if TYPE_CHECKING:
    from focal_photos.browser.operations.exchange.file_contents import ExportedPhoto

T = TypeVar("T")

_NAME: Final = re.compile("[a-z][a-z0-9]*")
_SUFFIX: Final = re.compile(r"\.[a-z0-9.]+")


def checked(offered: object, name: str, package: str, taken: bool) -> FileFormat:
    """Return the object of an entry point if it is a format of that name that Focal can use.

    Unexpected errors of its readers and writers become `OperationError`.

    Parameters
    ----------
    taken : bool
        Whether Focal itself has a format of that name.

    Raises
    ------
    PluginError
    """
    if not isinstance(offered, FileFormat):
        raise PluginError("It offers a {0}: a FileFormat is needed.", type(offered).__name__)
    made: Any = offered  # whose fields may be of any type
    if taken:
        raise PluginError("Focal has a format {0} itself: give this one another name.", name)
    if made.name != name or not _NAME.fullmatch(name):
        raise PluginError(
            "Its name is {0!r} in the package and {1!r} in the code: use one name of small letters and digits.",
            name,
            made.name,
        )
    if not isinstance(made.title, str) or not made.title:
        raise PluginError("It needs a title, which is a text.")
    suffixes = made.suffixes
    if not isinstance(suffixes, tuple) or not all(isinstance(one, str) and _SUFFIX.fullmatch(one) for one in suffixes):
        raise PluginError("Its suffixes must be a tuple of texts such as .csv.")
    if bool(suffixes) == made.is_folder:
        raise PluginError("A file needs suffixes, and a folder has none.")
    if not (made.reads_something or made.writes_photos or made.writes_judgements):
        raise PluginError("It neither reads nor writes anything.")
    readers = (made.tags, made.judgements)
    if not all(one is None or (isinstance(one, Reader) and callable(one.read)) for one in readers):
        raise PluginError("Its readers must be of the type Reader.")
    writers = (made.write_photos, made.write_judgements, made.save_judgements)
    if not all(one is None or callable(one) for one in writers) or not isinstance(made.save_photos, Saver | None):
        raise PluginError("Its writers must be functions, and save_photos a Saver.")
    guard = _Guard(offered, package)
    return offered._replace(
        tags=guard.reader(offered.tags, file_contents.TaggedFile),
        judgements=guard.reader(offered.judgements, file_contents.JudgedPair),
        write_photos=guard.function(offered.write_photos),
        write_judgements=guard.function(offered.write_judgements),
        save_photos=offered.save_photos and guard.saver(offered.save_photos),
        save_judgements=guard.function(offered.save_judgements),
    )


class _Guard:
    """Turns unexpected errors of a plug-in's code into `OperationError`; others, such as of full disks, pass."""

    def __init__(self, form: FileFormat, package: str) -> None:
        self._form, self._package = form, package

    @contextmanager
    def __call__(self) -> Iterator[None]:
        try:
            yield
        except (TextError, OSError):
            raise
        except Exception as error:
            raise OperationError(
                "The format {0} of {1} failed ({2}: {3}): update or remove the package.",
                self._form.title,
                self._package,
                type(error).__name__,
                error,
            ) from error

    def function(self, work: Callable[..., T] | None) -> Callable[..., T] | None:
        if work is None:
            return None

        def guarded(*values: Any) -> T:
            with self():
                return work(*values)

        return guarded

    def reader(self, reader: Reader[T] | None, kind: type[T]) -> Reader[T] | None:
        if reader is None:
            return None

        def read(path: Path) -> Iterator[T]:
            with self():
                for item in reader.read(path):
                    if not isinstance(item, kind):
                        raise TypeError(f"it read a {type(item).__name__}, not a {kind.__name__}")
                    yield item

        return Reader(read, str(reader.help))

    def saver(self, saver: Saver) -> Saver:
        def begin(path: Path, media: Media) -> PhotoWriter:
            with self():
                return _GuardedWriter(saver.begin(path, media), self)

        return saver._replace(begin=begin)


class _GuardedWriter(PhotoWriter):
    def __init__(self, writer: PhotoWriter, guard: _Guard) -> None:
        self._writer, self._guard = writer, guard

    def add(self, photo: ExportedPhoto) -> str:
        with self._guard():
            return str(self._writer.add(photo) or "")

    def finish(self) -> None:
        with self._guard():
            self._writer.finish()

    def close(self) -> None:
        with self._guard():
            self._writer.close()
