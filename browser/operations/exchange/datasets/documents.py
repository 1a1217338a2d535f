"""JSON and XML that another program wrote, read within limits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from focal_photos.browser.operations.jobs.errors import OperationError

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

LARGEST: Final = 512 << 20
"""Bytes of the largest document that is read: it is in memory as a whole, where it takes several times as much."""


def read_json(path: Path) -> Any:
    """Return what a JSON document holds; UTF-8 with or without a byte order mark.

    Raises
    ------
    OperationError
        The file cannot be read, is too large or is no JSON.
    """
    try:
        return json.loads(_bytes(path).decode("utf-8-sig", "surrogateescape"))
    except (ValueError, RecursionError) as error:
        raise wrong(path, "it is no JSON") from error


def _bytes(path: Path) -> bytes:
    from focal_photos.features.decoding.regular_file import open_regular  # here: --help must load no numpy

    try:
        with open_regular(path, LARGEST) as stream:
            return stream.read(LARGEST + 1)
    except OSError as error:
        raise OperationError(f"{path} cannot be read: {error.strerror or error}.") from error


def elements(path: Path, *names: str) -> Iterator[Element]:
    """Yield the elements of an XML document that have one of the names, each complete; they are emptied afterwards.

    Raises
    ------
    OperationError
        The file cannot be read, is no XML, or declares a document type, which no data set does.
    """
    from lxml import etree

    from focal_photos.features.decoding.regular_file import open_regular

    try:
        with closing(open_regular(path, LARGEST)) as stream:
            if stream.peek(2)[:2] == b"PK":
                raise wrong(path, "it is a zip file: unpack it, and name the XML file in it")
            events = etree.iterparse(
                stream, events=("end",), tag=names, resolve_entities=False, no_network=True, load_dtd=False
            )
            for _, element in events:
                if element.getroottree().docinfo.doctype:
                    raise wrong(path, "it declares a document type, as no data set does")
                yield element
                element.clear(keep_tail=False)
                while (before := element.getprevious()) is not None:
                    element.getparent().remove(before)
    except OSError as error:
        raise OperationError(f"{path} cannot be read: {error.strerror or error}.") from error
    except etree.XMLSyntaxError as error:
        raise wrong(path, f"it is no XML ({error.msg})") from error


def wrong(path: Path, detail: str) -> OperationError:
    """Return the error of a file that does not hold what its format wants."""
    return OperationError(f"{path} cannot be read: {detail}. Nothing was taken from it.")


def as_objects(path: Path, found: Any, what: str) -> list[dict[str, Any]]:
    """Return a list of JSON objects as it is.

    Raises
    ------
    OperationError
        It is none; `what` says in words what was looked for.
    """
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise wrong(path, f"{what} is no list of objects")
    return found


def as_text(path: Path, found: Any, what: str) -> str:
    """Return a text as it is; raises `OperationError` where it is none, or one that no name can be."""
    if not isinstance(found, str) or "\0" in found:
        raise wrong(path, f"{what} is no text")
    return found
