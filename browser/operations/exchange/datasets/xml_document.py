"""XML documents that another program wrote, read element by element: no tree of them is in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Generic, TypeVar

from focal_photos.browser.operations.exchange.datasets.documents import opened, wrong

_PIECE: Final = 1 << 16  # bytes that are parsed at a time
_LONGEST: Final = 4 << 20  # bytes between the beginnings or ends of two elements: the parser may hold them all
_DEEPEST: Final = 256  # elements within each other
_MOST_NAMES: Final = 10_000  # of elements and attributes: the parser keeps them as long as the program runs

T = TypeVar("T")


class Elements(Generic[T]):
    """Takes from the elements of a document, as they begin and end, what a format wants.

    A subclass puts it into `found`; what it overrides calls this class first.

    Attributes
    ----------
    found : list of T
        Emptied after each piece of the document.
    open : list of str
        The names of the elements that have begun and not ended, the innermost last.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: list[T] = []
        self.open: list[str] = []
        self.is_new = False
        self._names: set[str] = set()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        self.is_new = True
        self.open.append(name)
        self._names.add(name)
        self._names.update(attributes)
        if len(self.open) > _DEEPEST:
            raise wrong(self.path, f"it has more than {_DEEPEST} elements within each other")
        if len(self._names) > _MOST_NAMES:
            raise wrong(self.path, f"its elements have more than {_MOST_NAMES:,} different names")

    def end(self, name: str) -> None:  # noqa: ARG002 - as the parser calls it
        """End the innermost element."""
        self.is_new = True
        self.open.pop()

    def doctype(self, *_names: str | None) -> None:
        """Refuse entities, and what lies elsewhere: no data set declares any."""
        raise wrong(self.path, "it declares a document type, as no data set does")

    def close(self) -> None:
        """End the document."""


def read_xml(elements: Elements[T]) -> Iterator[T]:
    """Yield what is found in the elements of a document.

    Raises
    ------
    OperationError
        The file cannot be read, is no XML, or declares a document type; elements are nested too deep, an element has
        too much text, or there are too many names.
    """
    from lxml import etree

    path = elements.path
    # Only a document type can declare entities, and it is refused as soon as it begins. No tree is built. (With
    # resolve_entities=False, libxml2 hands attributes over with &#38; in the place of &.)
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
                if waiting > _LONGEST:
                    raise wrong(path, f"an element has more than {_LONGEST:,} bytes of text or attributes")
            parser.close()
    except etree.XMLSyntaxError as error:
        raise wrong(path, f"it is no XML ({error.msg or 'it is empty'})") from error
