# SPDX-License-Identifier: MIT
"""CVAT for images 1.1, a single XML file; CVAT's tags apply to the whole image.

According to https://docs.cvat.ai/docs/manual/advanced/xml_format, *Annotation*.
"""

from __future__ import annotations

import colorsys
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from focal_photos.browser.operations.exchange.datasets import shapes
from focal_photos.browser.operations.exchange.datasets.documents import wrong
from focal_photos.browser.operations.exchange.datasets.xml_document import Elements, read_xml
from focal_photos.browser.operations.exchange.escapes import escaped, unescaped
from focal_photos.browser.operations.exchange.file_contents import ExportedPhoto, FoundBox, TaggedFile
from focal_photos.browser.operations.exchange.file_format import Media, PhotoWriter

_PARTS: Final = frozenset({"box", "polygon", "polyline", "points", "mask", "ellipse", "cuboid", "skeleton"})


def read(path: Path) -> Iterator[TaggedFile]:
    """Yield the tags of each image; the labels of its shapes are boxes.

    Raises
    ------
    OperationError
        If the file cannot be read, or is for videos or no CVAT file.
    """
    images = _Images(path)
    yield from read_xml(images)
    if not images.count:
        raise wrong(path, "it names no image")


class _Images(Elements[TaggedFile]):
    """Collects the labels of the elements in each image."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.count = 0
        self._begun: list[_Image] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Start an image, or collect the label of an element in it."""
        inside = self.open[-1] if self.open else ""
        super().start(name, attributes)
        if name == "image":
            size = shapes.size_of(attributes.get("width"), attributes.get("height"))
            self._begun.append(_Image(attributes.get("name"), size, {}, {}, []))
        elif name == "track":
            raise wrong(self.path, "it describes a video: export it as CVAT for images")
        elif inside == "image" and (name == "tag" or name in _PARTS):
            label = attributes.get("label")
            if label:
                image = self._begun[-1]
                (image.tags if name == "tag" else image.boxes)[unescaped(label)] = None
                sides = _sides(name, attributes)
                if sides is not None:
                    is_outline = name != "box" or bool(shapes.numbers([attributes.get("rotation", 0)], 1)[0])
                    image.drawn.append(FoundBox(unescaped(label), sides, image.size, is_outline))

    def end(self, name: str) -> None:
        """Finish an image."""
        super().end(name)
        if name == "image":
            image = self._begun.pop()
            self.count += 1
            if not image.name:
                raise wrong(self.path, f"image {self.count} has no name")
            files, tags, boxes = (Path(unescaped(image.name)),), tuple(image.tags), tuple(image.boxes)
            drawn = tuple(image.drawn)
            self.found.append(TaggedFile(self.count, files, tags, boxes=boxes, drawn=drawn, any_folder=True))


class _Image(NamedTuple):
    """Name and size of an image, its distinct labels, and its boxes."""

    name: str | None
    size: tuple[float, float] | None
    tags: dict[str, None]
    boxes: dict[str, None]
    drawn: list[FoundBox]


def _sides(shape: str, attributes: Mapping[str, str]) -> tuple[float, float, float, float] | None:
    """Return the sides of a shape, or of the smallest box around it; None if it has no extent."""
    match shape:
        case "box":
            sides = shapes.sides_of([attributes.get(name) for name in ("xtl", "ytl", "xbr", "ybr")])
            (degrees,) = shapes.numbers([attributes.get("rotation", 0)], 1)
            centre = ((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2)
            return shapes.around_turned(sides, degrees, centre) if degrees else sides
        case "polygon" | "polyline":
            return shapes.around([point.split(",") for point in attributes.get("points", "").split(";")])
        case "ellipse":
            x, y, width, height = shapes.numbers([attributes.get(name) for name in ("cx", "cy", "rx", "ry")])
            return x - width, y - height, x + width, y + height
        case "mask":
            return shapes.from_corner([attributes.get(name) for name in ("left", "top", "width", "height")])
    return None


class Writer(PhotoWriter):
    """Writes the labels before the images, which are therefore collected as text until the end."""

    def __init__(self, file: Path, media: Media) -> None:
        del media  # photo files are not copied
        self._stream = file.open("w", encoding="utf-8", newline="\n")
        self._images: list[str] = []
        self._tags: set[str] = set()
        self._boxed: set[str] = set()  # tags that name boxes; they are among the tags too

    def add(self, photo: ExportedPhoto) -> str:
        """Add one photo."""
        width, height = (photo.record[key] for key in ("width", "height"))
        name, tags = escaped(photo.record["file_name"]), [escaped(tag) for tag in photo.record["tags"]]
        if not _can_be_written(name) or not all(map(_can_be_written, tags)):
            return "Its name or a tag has a character that XML cannot hold."
        if width is None or height is None:
            return "Its size is unknown: it is not described yet, or cannot be decoded."
        lines = [f'  <tag label={quoteattr(tag)} source="manual"></tag>\n' for tag in tags]
        for region, tag in shapes.named(photo.boxes):
            x0, y0, x1, y1 = shapes.in_pixels(region, photo.record)
            lines.append(
                f'  <box label={quoteattr(escaped(tag))} source="manual" occluded="0" '
                f'xtl="{x0:.2f}" ytl="{y0:.2f}" xbr="{x1:.2f}" ybr="{y1:.2f}" z_order="0"></box>\n'
            )
            self._boxed.add(escaped(tag))
        head = f'id="{len(self._images)}" name={quoteattr(name)} width="{width}" height="{height}"'
        self._images.append(f"<image {head}>\n{''.join(lines)}</image>\n")
        self._tags.update(tags)
        return ""

    def finish(self) -> None:
        """Write the file."""
        kinds = {tag: "any" if tag in self._boxed else "tag" for tag in sorted(self._tags)}
        labels = "".join(
            f"<label><name>{escape(tag)}</name><color>{_color(tag)}</color><type>{kind}</type><attributes></attributes>"
            "</label>\n"
            for tag, kind in kinds.items()
        )
        self._stream.write(
            '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n<version>1.1</version>\n<meta><task>'
            f"<name>Focal</name><size>{len(self._images)}</size><mode>annotation</mode><overlap>0</overlap>\n"
            f"<labels>\n{labels}</labels></task></meta>\n"
        )
        self._stream.writelines(self._images)
        self._stream.write("</annotations>\n")

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def _color(tag: str) -> str:
    """Return a colour in CVAT's notation, which depends only on the tag."""
    red, green, blue = colorsys.hsv_to_rgb(zlib.crc32(tag.encode()) % 360 / 360, 0.6, 0.9)
    return "#" + "".join(f"{round(255 * part):02x}" for part in (red, green, blue))


def _can_be_written(text: str) -> bool:
    """Tell whether all characters of a text are valid in XML 1.0."""
    return all(
        character in "\t\n\r" or (character >= " " and not "\ud800" <= character <= "\udfff" and character < "\ufffe")
        or character > "\uffff"
        for character in text
    )  # fmt: skip
