# SPDX-License-Identifier: MIT
"""Read XML documents element by element without a tree, so that long documents need little memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Generic, TypeVar

from focal_photos.browser.operations.exchange.datasets.documents import opened, wrong

_PIECE: Final = 1 << 16  # bytes parsed at once
_MAX_PIECE_BYTES: Final = 4 << 20  # bytes without the start or end of an element, which the parser may hold in memory
_MAX_DEPTH: Final = 256  # nested elements
_MOST_NAMES: Final = 10_000  # names of elements and attributes, which the parser caches until the program ends

T = TypeVar("T")


class Elements(Generic[T]):
    """Collects data from the elements of a document, as a parser target of lxml.

    Subclasses override `start`, `end` and ``data``, call the methods of this class first, and append to `found`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: list[T] = []
        """Emptied by `read_xml` after each piece of the document."""
        self.open: list[str] = []
        """Names of the open elements, innermost last."""
        self.is_new = False
        """Whether an element started or ended in this piece of the document."""
        self._names: set[str] = set()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Start an element."""
        self.is_new = True
        self.open.append(name)
        self._names.add(name)
        self._names.update(attributes)
        if len(self.open) > _MAX_DEPTH:
            raise wrong(self.path, f"its elements are nested more than {_MAX_DEPTH} deep")
        if len(self._names) > _MOST_NAMES:
            raise wrong(self.path, f"its elements have more than {_MOST_NAMES:,} different names")

    def end(self, name: str) -> None:  # noqa: ARG002 - as the parser calls it
        """End the innermost element."""
        self.is_new = True
        self.open.pop()

    def doctype(self, *_names: str | None) -> None:
        """Reject a document type: only there can entities and external files be declared."""
        raise wrong(self.path, "it declares a document type, which data sets do not have")

    def close(self) -> None:
        """End the document."""


def read_xml(elements: Elements[T]) -> Iterator[T]:
    """Yield the items that `elements` finds in its document.

    Raises
    ------
    OperationError
        If the file cannot be read, is not XML, declares a document type, is nested too deeply, or has too long texts or
        too many names.
    """
    from lxml import etree

    path = elements.path
    # Entities need a document type, which `Elements.doctype` rejects. With resolve_entities=False, attributes would
    # contain &#38; instead of &.
    parser = etree.XMLParser(target=elements, resolve_entities="internal", no_network=True, load_dtd=False)
    waiting = 0
    try:
        with opened(path) as stream:
            if stream.peek(2)[:2] == b"PK":
                raise wrong(path, "it is a zip file: unpack it, and name the XML file in it")
            while piece := stream.read(_PIECE):
                elements.is_new = False
                parser.feed(piece)
                yield from elements.found
                elements.found.clear()
                waiting = 0 if elements.is_new else waiting + len(piece)
                if waiting > _MAX_PIECE_BYTES:
                    raise wrong(path, f"an element has more than {_MAX_PIECE_BYTES:,} bytes of text or attributes")
            parser.close()
            yield from elements.found
    except etree.XMLSyntaxError as error:
        raise wrong(path, f"it is no XML ({error.msg or 'it is empty'})") from error
