# SPDX-License-Identifier: MIT
"""An XMP packet as an editable tree that preserves surrounding text, encoding and white space."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Any, Final
from xml.parsers import expat

from lxml import etree

from focal_photos.text import TextError

RDF: Final = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
MAX_BYTES: Final = 32 * 2**20  # the largest sidecars contain masks and previews of a few megabytes

_META: Final = "{adobe:ns:meta/}"
_ROOTS: Final = (f"{_META}xmpmeta", f"{_META}xapmeta", f"{RDF}RDF")
_CONTAINERS: Final = (f"{RDF}Bag", f"{RDF}Seq", f"{RDF}Alt")
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    ("<".encode("utf-32-le"), "utf-32-le"),
    ("<".encode("utf-32-be"), "utf-32-be"),
    ("<".encode("utf-16-le"), "utf-16-le"),
    ("<".encode("utf-16-be"), "utf-16-be"),
)
_DECLARED: Final = re.compile(rb"""\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_COMMON_ENCODINGS: Final = re.compile(
    r"utf-8|ascii|iso8859-\d+|cp125\d|koi8-[ru]|gb2312|gbk|gb18030|big5|shift_jis|euc_\w+"
)
_BEFORE_ROOT: Final = re.compile(r"(?:[\ufeff\s]++|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)  # no backtracking
_PADDING: Final = "\0 \t\r\n"

Element = Any  # lxml has no type annotations


class XmpError(TextError, ValueError):
    """Bytes that are no XMP or exceed a limit; the message gives the reason."""


class Packet:
    """An XMP packet: the content of a sidecar, or a packet embedded in a photo.

    Prolog, ``xpacket`` marks and padding around the root element are preserved to the byte. Inside it, elements,
    attributes, comments and processing instructions keep their order and prefixes.

    Parameters
    ----------
    data : bytes
        UTF-8, UTF-16 or UTF-32 with or without a byte order mark, or a common encoding named in the XML declaration.
        NULs at the end are padding.

    Attributes
    ----------
    root : lxml element
        ``x:xmpmeta`` or ``rdf:RDF``.

    Raises
    ------
    XmpError
        If it is larger than 32 MiB, not text, not well formed, has a document type (which could define entities), is
        nested too deeply, or is no XMP.
    """

    def __init__(self, data: bytes) -> None:
        if len(data) > MAX_BYTES:
            raise XmpError("It has more than {0} MB, too many for a sidecar.", MAX_BYTES // 2**20)
        text, self._codec = _decoded(data)
        start = _start_of_root(text)
        body = text[start:].rstrip(_PADDING)
        self.root: Element = _parsed(body)
        if self.root.tag not in _ROOTS:
            raise XmpError("It is XML, but not XMP.")
        self._text, self._body = text, body
        self._start = start
        self._found: tuple[dict[str, list[Element]], dict[str, list[Element]]] | None = None

    @property
    def descriptions(self) -> list[Element]:
        """The elements whose children and attributes are the properties, usually one ``rdf:Description``."""
        blocks = [self.root] if self.root.tag == f"{RDF}RDF" else self.root.iterchildren(f"{RDF}RDF")
        return [one for block in blocks for one in block.iterchildren(etree.Element)]

    def to_bytes(self) -> bytes:
        """Return the packet in its original encoding and with its original line ends."""
        end = self._start + _end_of_root(self._body)
        root: str = etree.tostring(self.root, encoding="unicode", with_tail=False)
        lines = self._body.count("\n")
        if lines and self._body.count("\r\n") == lines:  # XML parsers convert line ends to \n
            root = root.replace("\n", "\r\n")
        whole = self._text[: self._start] + root + self._text[end:]
        return whole.encode(self._codec, errors="xmlcharrefreplace")

    # ------------------------------------------------------------------ reading
    def elements(self, names: tuple[str, ...]) -> list[Element]:
        """Return the properties of any of these names written as elements."""
        elements = self._properties()[0]
        return [element for name in names for element in elements.get(name, ())]

    def attributes(self, names: tuple[str, ...]) -> list[tuple[Element, str]]:
        """Return the properties of any of these names written as attributes: (element, name)."""
        attributes = self._properties()[1]
        return [(one, name) for name in names for one in attributes.get(name, ())]

    def values(self, names: tuple[str, ...]) -> Iterator[str]:
        """Yield the values of properties of any of these names: each item, attributes first."""
        for one, name in self.attributes(names):
            yield one.get(name)
        for element in self.elements(names):
            yield from map(text_of, items(element))

    # ------------------------------------------------------------------ changing
    def add_property(self, name: str, prefix: str) -> Element:
        """Add an empty element for a property, beside others of its namespace if there are any, and return it."""
        namespace = etree.QName(name).namespace
        one = self._description_for(namespace)
        self._found = None
        known = next((key for key, uri in one.nsmap.items() if uri == namespace and key), prefix)
        element = one.makeelement(name, nsmap={known: namespace})
        append(one, element)
        return element

    def set_property(self, name: str, prefix: str, value: str) -> None:
        """Set the value of a property without items, where it is written already or as a new attribute."""
        present = self.attributes((name,))
        for one, attribute in present:
            one.set(attribute, value)
        elements = self.elements((name,))
        for element in elements:
            for child in list(element):
                element.remove(child)
            element.text = value
        if present or elements:
            return
        namespace = etree.QName(name).namespace
        one = self._description_for(namespace)
        if namespace in one.nsmap.values():
            self._found = None
            one.set(name, value)
        else:  # no namespace can be declared on an existing element
            self.add_property(name, prefix).text = value

    def remove_property(self, names: tuple[str, ...]) -> None:
        """Remove properties, written as attributes or elements."""
        for one, name in self.attributes(names):
            self.remove_attribute(one, name)
        for element in self.elements(names):
            remove(element)
        self._found = None

    def remove_element(self, element: Element) -> None:
        """Remove a property written as an element."""
        remove(element)
        self._found = None

    def remove_attribute(self, element: Element, name: str) -> None:
        """Remove a property written as an attribute."""
        del element.attrib[name]
        self._found = None

    def remove_item(self, item: Element, element: Element) -> None:
        """Remove an item of a property, and the property if it was the last one."""
        if item is not element:
            container = item.getparent()
            remove(item)
            if len(container) or len(items(element)):
                return
        remove(element)
        self._found = None

    def _properties(self) -> tuple[dict[str, list[Element]], dict[str, list[Element]]]:
        """Return, by property name, the elements of properties and the elements that have them as attributes."""
        if self._found is None:
            elements: dict[str, list[Element]] = {}
            attributes: dict[str, list[Element]] = {}
            for one in self.descriptions:
                for name in one.attrib:
                    attributes.setdefault(name, []).append(one)
                for child in one.iterchildren(etree.Element):
                    elements.setdefault(child.tag, []).append(child)
            self._found = (elements, attributes)
        return self._found

    def _description_for(self, namespace: str | None) -> Element:
        found = self.descriptions
        for one in found:
            if any(etree.QName(child).namespace == namespace for child in one.iterchildren(etree.Element)):
                return one
        for one in found:
            if namespace in one.nsmap.values():
                return one
        if found:
            return found[0]
        block = self.root if self.root.tag == f"{RDF}RDF" else next(self.root.iterchildren(f"{RDF}RDF"), None)
        if block is None:
            block = self.root.makeelement(f"{RDF}RDF", nsmap={"rdf": RDF[1:-1]})
            append(self.root, block)
        one = block.makeelement(f"{RDF}Description", {f"{RDF}about": ""})
        append(block, one)
        return one


# ---------------------------------------------------------------------- items of a property
def items(element: Element) -> list[Element]:
    """Return the items of a property's Bag, Seq or Alt, or the element itself if it has none of these."""
    containers = list(element.iterchildren(*_CONTAINERS))
    if not containers:
        return [element]
    return [item for container in containers for item in container.iterchildren(etree.Element)]


def text_of(element: Element) -> str:
    """Return the text of a property or item, without qualifiers."""
    if element.get(f"{RDF}value") is not None:
        return str(element.get(f"{RDF}value"))
    if not len(element):
        return element.text or ""
    value = next(element.iter(f"{RDF}value"), element)
    return "".join(value.xpath("text()"))


def add_item(element: Element, kind: str, text: str) -> None:
    """Add an item to a property, converting it to the given `kind`: ``Bag``, ``Seq`` or ``Alt``."""
    container = next(element.iterchildren(*_CONTAINERS), None)
    if container is None:
        single = text_of(element)
        for child in list(element):
            element.remove(child)
        element.text = None
        container = element.makeelement(RDF + kind)
        append(element, container)
        if single.strip():
            add_item(element, kind, single)
    container.tag = RDF + kind
    item = container.makeelement(f"{RDF}li")
    item.text = text
    append(container, item)


def append(parent: Element, child: Element) -> None:
    """Append a child, indented like its neighbours."""
    if len(parent):
        last = parent[-1]
        child.tail = last.tail
        if not (parent.text or "").strip() and not (last.tail or "").strip():
            last.tail = parent.text
    elif not (parent.text or "").strip():
        before, line = _line_before(parent), _line_before(parent.getparent()) if parent.getparent() is not None else ""
        if before.startswith("\n"):
            step = before[len(line) :] if line.startswith("\n") and before.startswith(line) else " "
            parent.text, child.tail = before + (step or " "), before
    parent.append(child)


def remove(element: Element) -> None:
    """Remove an element and the white space before it; text after it stays."""
    parent, before, tail = element.getparent(), element.getprevious(), element.tail
    parent.remove(element)
    last = before is not None and before.getnext() is None
    if (tail or "").strip():
        if before is None:
            parent.text = (parent.text or "") + tail
        else:
            before.tail = (before.tail or "") + tail
    elif last and not (before.tail or "").strip():
        before.tail = tail
    elif before is None and not len(parent) and not (parent.text or "").strip():
        parent.text = None


def _line_before(element: Element) -> str:
    """Return the line end and indentation before an element; empty if it does not begin a line."""
    before, parent = element.getprevious(), element.getparent()
    space = before.tail if before is not None else parent.text if parent is not None else "\n"
    return "" if space is None or "\n" not in space or space.strip() else space[space.rindex("\n") :]


# ---------------------------------------------------------------------- bytes and text
def parse_hardened(text: str) -> Element:
    """Parse untrusted XML: no document type, no entities, no network, limited depth and size."""
    start = _start_of_root(text)
    return _parsed(text[start:])


def _decoded(data: bytes) -> tuple[str, str]:
    """Return the text, including a byte order mark, and the codec."""
    codec = next((codec for mark, codec in _MARKS if data.startswith(mark)), None)
    if codec is None:
        declared = _DECLARED.match(data)
        codec = "utf-8"
        if declared is not None:
            name = declared[1].decode().lower()
            try:
                codec = codecs.lookup(name).name
            except LookupError:
                raise XmpError("It declares the encoding {0}, which is unknown.", name[:40]) from None
            if codec.startswith(("utf-16", "utf-32")):
                codec = "utf-8"  # false: every character would contain a NUL byte
            if not _COMMON_ENCODINGS.fullmatch(codec):
                raise XmpError("It declares the encoding {0}, which is not supported: save it as UTF-8.", name[:40])
    try:
        return data.decode(codec), codec
    except UnicodeDecodeError as error:
        raise XmpError("Byte {0} of it is not {1} text.", error.start + 1, codec.upper()) from None


def _start_of_root(text: str) -> int:
    found = _BEFORE_ROOT.match(text)
    start = 0 if found is None else found.end()
    if text.startswith("<!", start):
        raise XmpError("It has a document type or an unfinished comment, which sidecars do not have: not read.")
    if not text.startswith("<", start):
        raise XmpError("It is empty." if not text[start:].strip(_PADDING) else "It is not XML.")
    return start


def _parsed(body: str) -> Element:
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        recover=False,
        strip_cdata=False,
        collect_ids=False,
    )
    try:
        return etree.fromstring(body.encode(), parser)
    except (etree.XMLSyntaxError, UnicodeEncodeError) as error:
        reason = getattr(error, "msg", None) or "it holds half characters"
        raise XmpError("It is not well formed: {0}.", " ".join(str(reason).split())[:120]) from None


def _end_of_root(body: str) -> int:
    """Return the end of the root element in characters, which lxml does not report."""
    closing = "</" + re.split(r"[\s/>]", body[1:], maxsplit=1)[0]
    if body.count(closing) == 1:
        return body.index(">", body.index(closing)) + 1
    # No closing tag, or a similar text in a comment.
    encoded = body.encode()
    parser = expat.ParserCreate("utf-8")
    depth, end = 0, 0

    def begin(_name: str, _attributes: Any) -> None:
        nonlocal depth
        depth += 1

    def finish(_name: str) -> None:
        nonlocal depth, end
        depth -= 1
        if not depth:
            here = parser.CurrentByteIndex  # of the closing tag, or after an empty element
            end = encoded.index(b">", here) + 1 if encoded.startswith(b"</", here) else here

    parser.StartElementHandler = begin
    parser.EndElementHandler = finish
    try:
        parser.Parse(encoded, True)
    except expat.ExpatError as error:  # allows fewer letters in element names
        raise XmpError("It cannot be changed: {0}.", error) from None
    return len(encoded[:end].decode())
