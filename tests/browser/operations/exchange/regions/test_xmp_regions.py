# SPDX-License-Identifier: MIT
"""Regions of photos in XMP, as digiKam, Picasa and Lightroom write them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from PIL import Image

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.operations.exchange.import_file import ImportReport, import_tags
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.features.metadata.xmp_regions import XmpRegion, parse_regions
from tests.browser.operations.album import Album

PACKET = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
 xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#" xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
 xmlns:digiKam="http://www.digikam.org/ns/1.0/">{}</rdf:Description></rdf:RDF></x:xmpmeta>"""

# Attributes of structures, as digiKam (exiv2) writes them.
DIGIKAM = """<digiKam:TagsList><rdf:Seq><rdf:li>People/Anna Lee</rdf:li></rdf:Seq></digiKam:TagsList>
<mwg-rs:Regions rdf:parseType="Resource">
 <mwg-rs:AppliedToDimensions stDim:w="{width}" stDim:h="{height}" stDim:unit="pixel"/>
 <mwg-rs:RegionList><rdf:Bag>
  <rdf:li><rdf:Description mwg-rs:Name="Anna Lee" mwg-rs:Type="Face">
   <mwg-rs:Area stArea:x="0.5" stArea:y="0.25" stArea:w="0.5" stArea:h="0.25" stArea:unit="normalized"/>
  </rdf:Description></rdf:li>
 </rdf:Bag></mwg-rs:RegionList>
</mwg-rs:Regions>"""

# Elements, and descriptions inside, as Lightroom and Picasa write them.
LIGHTROOM = """<mwg-rs:Regions><rdf:Description>
 <mwg-rs:AppliedToDimensions rdf:parseType="Resource"><stDim:w>200</stDim:w><stDim:h>100</stDim:h>
  <stDim:unit>pixel</stDim:unit></mwg-rs:AppliedToDimensions>
 <mwg-rs:RegionList><rdf:Seq>
  <rdf:li rdf:parseType="Resource"><mwg-rs:Name>Ben</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type>
   <mwg-rs:Area rdf:parseType="Resource"><stArea:x>0.25</stArea:x><stArea:y>0.5</stArea:y>
    <stArea:w>0.25</stArea:w><stArea:h>0.5</stArea:h></mwg-rs:Area></rdf:li>
  <rdf:li rdf:parseType="Resource"><mwg-rs:Type>Focus</mwg-rs:Type>
   <mwg-rs:Area stArea:x="0.5" stArea:y="0.5" stArea:d="0.5"/></rdf:li>
  <rdf:li rdf:parseType="Resource"><mwg-rs:Name>Point</mwg-rs:Name>
   <mwg-rs:Area stArea:x="0.5" stArea:y="0.5"/></rdf:li>
  <rdf:li rdf:parseType="Resource"><mwg-rs:Name>Odd</mwg-rs:Name>
   <mwg-rs:Area stArea:x="left" stArea:y="0.5" stArea:w="0.1" stArea:h="0.1"/></rdf:li>
 </rdf:Seq></mwg-rs:RegionList></rdf:Description></mwg-rs:Regions>"""


def packet(content: str) -> bytes:
    return PACKET.format(content).encode()


def test_both_forms_of_structures_are_read() -> None:
    assert parse_regions(packet(DIGIKAM.format(width=640, height=480))) == [
        XmpRegion("People/Anna Lee", (160.0, 60.0, 480.0, 180.0), (640.0, 480.0))
    ]
    ben, focus, odd = parse_regions(packet(LIGHTROOM))
    assert ben == XmpRegion("Ben", (25.0, 25.0, 75.0, 75.0), (200.0, 100.0))
    assert focus == XmpRegion("", (75.0, 25.0, 125.0, 75.0), (200.0, 100.0)), "a circle"
    assert (odd.name, math.isnan(odd.sides[0])) == ("Odd", True)
    without_size = packet(DIGIKAM.replace("AppliedToDimensions", "Other").format(width=1, height=1))
    assert parse_regions(without_size) == [XmpRegion("People/Anna Lee", (0.25, 0.125, 0.75, 0.375), None)]
    assert parse_regions(packet("")) == []


def take_in(library: Library, folder: Path, *, boxes: bool = True) -> ImportReport:
    return finish(import_tags(library, folder, FORMATS["xmpregions"], boxes=boxes))


def test_regions_of_sidecars_and_files_become_boxes(indexed: Library, album: Album) -> None:
    ids = indexed.photos.ids().tolist()
    by_name = dict(zip(("/".join(path.parts[-2:]) for path in indexed.photos.paths(ids)), ids, strict=True))
    (photo,) = indexed.photos.get([by_name["cold/0.jpg"]])
    regions = packet(DIGIKAM.format(width=photo.width, height=photo.height))
    album.path("cold/0.jpg").with_suffix(".xmp").write_bytes(regions)
    rotated = packet(DIGIKAM.format(width=100, height=1000))
    album.path("warm/1.jpg").with_name("1.jpg.xmp").write_bytes(rotated)
    album.path("warm/0.jpg").with_name("0.jpg.xmp").write_text("no packet")
    report = take_in(indexed, album.folder, boxes=False)
    assert (report.lines, report.boxed, indexed.boxes.all()) == (2, 2, [])
    report = take_in(indexed, album.folder)
    assert (report.boxes, report.invalid, report.unknown) == (1, 1, [])
    (box,) = indexed.boxes.all()
    sides = (box.region.x0, box.region.y0, box.region.x1, box.region.y1)
    assert (box.photo_id, box.tag) == (by_name["cold/0.jpg"], "People/Anna Lee")
    assert sides == pytest.approx((0.25, 0.125, 0.75, 0.375))
    assert not take_in(indexed, album.folder).changes
    # The same packet in the file: a JPEG segment behind the start of the image.
    file = album.path("cold/1.jpg")
    content = file.read_bytes()
    body = b"http://ns.adobe.com/xap/1.0/\0" + regions
    file.write_bytes(content[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + content[2:])
    take_in(indexed, album.folder)
    assert [one.photo_id for one in indexed.boxes.all()] == [by_name["cold/0.jpg"], by_name["cold/1.jpg"]]


def test_a_folder_without_regions_is_refused(indexed: Library, album: Album) -> None:
    with pytest.raises(OperationError, match="has regions"):
        take_in(indexed, album.folder)


@pytest.mark.parametrize("size", ["64x48", "none", "48x64"])
def test_regions_of_a_rotated_photo_are_turned(library: Library, album: Album, size: str) -> None:
    path = album.path("turned.jpg")
    image = Image.effect_noise((64, 48), 40).convert("RGB")
    exif = image.getexif()
    exif[0x0112] = 6  # upright, its size is 48 x 64
    image.save(path, exif=exif)
    finish(index(library, [album.folder]))
    width, height = (1, 1) if size == "none" else map(int, size.split("x"))
    content = DIGIKAM.format(width=width, height=height)
    if size == "none":
        content = content.replace("AppliedToDimensions", "Other")
    path.with_suffix(".xmp").write_bytes(packet(content))
    take_in(library, album.folder)
    (box,) = library.boxes.all()
    sides = (box.region.x0, box.region.y0, box.region.x1, box.region.y1)
    # The region is in the upper half of the stored pixels, and so in the right half of the upright photo.
    assert sides == pytest.approx((0.25, 0.125, 0.75, 0.375) if size == "48x64" else (0.625, 0.25, 0.875, 0.75))
