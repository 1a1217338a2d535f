# SPDX-License-Identifier: MIT
from __future__ import annotations

import copy
import re
import tracemalloc
import unicodedata
from collections.abc import Sequence
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.features.metadata.xmp import XmpError, can_be_written, merge_xmp, parse_xmp
from focal_photos.features.metadata.xmp_packet import MAX_BYTES, Packet
from tests.features.metadata.imitations import IMITATIONS

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_WRITTEN = (
    "{http://purl.org/dc/elements/1.1/}subject",
    "{http://ns.adobe.com/lightroom/1.0/}hierarchicalSubject",
    "{http://www.digikam.org/ns/1.0/}TagsList",
    "{http://ns.adobe.com/xap/1.0/}Rating",
    "{http://ns.adobe.com/xap/1.0/}Label",
)


def packet(properties: str, attributes: str = "", around: tuple[str, str] = ("", "")) -> bytes:
    return (
        f'{around[0]}<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="{_RDF}"><rdf:Description rdf:about="" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" '
        'xmlns:lr="http://ns.adobe.com/lightroom/1.0/" xmlns:digiKam="http://www.digikam.org/ns/1.0/" '
        'xmlns:MicrosoftPhoto="http://ns.microsoft.com/photo/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/" '
        'xmlns:mediapro="http://ns.iview-multimedia.com/mediapro/1.0/" xmlns:acdsee="http://ns.acdsee.com/iptc/1.0/" '
        'xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" '
        'xmlns:exifEX="http://cipa.jp/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" '
        f"{attributes}>{properties}</rdf:Description></rdf:RDF></x:xmpmeta>{around[1]}"
    ).encode()


def listed(name: str, names: Sequence[str], kind: str = "Bag") -> str:
    inside = "".join(f"<rdf:li>{one}</rdf:li>" for one in names)
    return f"<{name}><rdf:{kind}>{inside}</rdf:{kind}></{name}>"


CATEGORIES = (
    "&lt;Categories&gt;&lt;Category Assigned=&quot;0&quot;&gt;animal&lt;Category Assigned=&quot;1&quot;&gt;dog"
    "&lt;/Category&gt;&lt;/Category&gt;&lt;Category Assigned=&quot;1&quot;&gt;R &amp;amp; B&lt;/Category&gt;"
    "&lt;/Categories&gt;"
)


# ---------------------------------------------------------------------- reading
@pytest.mark.parametrize(
    ("properties", "tags"),
    [
        (listed("dc:subject", ["sea", "sky"]), ["sea", "sky"]),
        (listed("dc:subject", ["animal", "dog"]) + listed("lr:hierarchicalSubject", ["animal|dog"]), ["animal/dog"]),
        (listed("dc:subject", ["dog", "sea"]) + listed("lr:hierarchicalSubject", ["a|dog"]), ["a/dog", "sea"]),
        (listed("digiKam:TagsList", ["a/dog", "dog"], "Seq") + listed("dc:subject", ["dog"]), ["a/dog", "dog"]),
        (listed("lr:hierarchicalSubject", ["a|b"], "Seq") + listed("dc:subject", ["b"], "Seq"), ["a/b"]),
        (listed("dc:subject", ["sea"], "Alt"), ["sea"]),
        (listed("MicrosoftPhoto:LastKeywordXMP", ["sea", "animal/dog"]), ["animal/dog", "sea"]),
        (listed("MicrosoftPhoto:LastKeywordIPTC", ["sea"]), ["sea"]),
        (listed("mediapro:CatalogSets", ["animal|dog"]), ["animal/dog"]),
        (f"<acdsee:categories>{CATEGORIES}</acdsee:categories>", ["R & B", "animal/dog"]),
        (listed("lr:hierarchicalSubject", ["darktable|format|rw2", "darktable|changed", "sea"])
         + listed("dc:subject", ["rw2", "changed", "sea", "sun"]), ["sea", "sun"]),
        ("<dc:subject>sea</dc:subject>", ["sea"]),
        (listed("dc:subject", ["", " ", " sea  side\n"]), ["sea side"]),
        ('<dc:subject><rdf:Bag><rdf:li rdf:parseType="Resource"><rdf:value>sea</rdf:value><dc:type>x</dc:type></rdf:li>'
         '<rdf:li rdf:value="sky"/><rdf:li>s<!-- not sea -->un</rdf:li></rdf:Bag></dc:subject>', ["sea", "sky", "sun"]),
        (listed("dc:title", ["sea"], "Alt"), []),
    ],
)  # fmt: skip
def test_tags_of_all_fields_are_read(properties: str, tags: list[str]) -> None:
    assert sorted(parse_xmp(packet(properties)).tags) == sorted(tags)


def test_namespaces_matter_and_prefixes_do_not() -> None:
    found = parse_xmp(
        f'<q:RDF xmlns:q="{_RDF}"><q:Description xmlns:lr="http://purl.org/dc/elements/1.1/" lr:subject="sea"/>'
        '<q:Description xmlns:lr="http://ns.adobe.com/lightroom/1.0/"><lr:hierarchicalSubject><q:Bag><q:li>a|b</q:li>'
        '</q:Bag></lr:hierarchicalSubject></q:Description><q:Description><subject xmlns="http://purl.org/dc/elements/1.1/">'
        "<q:Bag><q:li>sky</q:li></q:Bag></subject></q:Description></q:RDF>".encode()
    )
    assert found.tags == ("a/b", "sea", "sky")


def test_attributes_are_read_like_elements() -> None:
    as_attributes = parse_xmp(packet("", 'xmp:Rating="3" xmp:Label="Red" tiff:Model="A  1" dc:subject="sea"'))
    elements = "<xmp:Rating>3</xmp:Rating><xmp:Label> Red </xmp:Label><tiff:Model>A 1</tiff:Model>"
    as_elements = parse_xmp(packet(elements + "<dc:subject>sea</dc:subject>"))
    assert as_attributes == as_elements
    assert (as_elements.rating, as_elements.label, as_elements.camera, as_elements.tags) == (3, "Red", "A 1", ("sea",))


@pytest.mark.parametrize(
    ("attributes", "rating"),
    [
        ('xmp:Rating="-1"', -1),
        ('xmp:Rating="-1.0"', -1),
        ('xmp:Rating="0"', 0),
        ('xmp:Rating="3.5"', 4),
        ('xmp:Rating="3.4"', 3),
        ('xmp:Rating="7"', 5),
        ('xmp:Rating="nan"', None),
        ('xmp:Rating="inf"', None),
        ('xmp:Rating=""', None),
        ('xmp:Rating="1/0"', None),
        ('MicrosoftPhoto:Rating="0"', 0),
        ('MicrosoftPhoto:Rating="1"', 1),
        ('MicrosoftPhoto:Rating="12"', 1),
        ('MicrosoftPhoto:Rating="13"', 2),
        ('MicrosoftPhoto:Rating="25"', 2),
        ('MicrosoftPhoto:Rating="50"', 3),
        ('MicrosoftPhoto:Rating="75"', 4),
        ('MicrosoftPhoto:Rating="87"', 4),
        ('MicrosoftPhoto:Rating="88"', 5),
        ('MicrosoftPhoto:Rating="99"', 5),
        ('xmp:Rating="2" MicrosoftPhoto:Rating="99"', 2),
        ('xmp:Rating="x" MicrosoftPhoto:Rating="99"', 5),
    ],
)
def test_ratings_are_read(attributes: str, rating: int | None) -> None:
    assert parse_xmp(packet("", attributes)).rating == rating


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("2020-05-01T12:30:01.25+02:00", datetime(2020, 5, 1, 12, 30, 1, 250000)),
        ("2020-05-01T12:30:01Z", datetime(2020, 5, 1, 12, 30, 1)),
        ("2020:05:01 12:30:01", datetime(2020, 5, 1, 12, 30, 1)),
        ("2020-05-01", datetime(2020, 5, 1)),
        ("2020-05", None),
        ("2020", None),
        ("2020-13-01", None),
        ("0000:00:00 00:00:00", None),
    ],
)
def test_dates_are_read(text: str, taken: datetime | None) -> None:
    assert parse_xmp(packet("", f'exif:DateTimeOriginal="{text}"')).taken == taken


def test_the_capture_date_takes_precedence_over_the_creation_date() -> None:
    assert parse_xmp(
        packet("<photoshop:DateCreated>2001-01-01</photoshop:DateCreated>", 'xmp:CreateDate="2002-01-01"')
    ).taken == datetime(2001, 1, 1)


@pytest.mark.parametrize(
    ("latitude", "longitude", "place"),
    [
        ("48,51.3N", "2,21.0W", (48.855, -2.35)),
        ("48,51,18N", "2,21,0E", (48.855, 2.35)),
        ("48,51.3S", "2,21.0E", (-48.855, 2.35)),
        ("-0,30.0", "0.5", (-0.5, 0.5)),
        ("48.855", "-2.35", (48.855, -2.35)),
        ("4855/100,0N", "2,0E", (48.55, 2.0)),
        ("91,0N", "2,0E", None),
        ("48,60N", "2,0E", None),
        ("48,0E", "2,0E", None),
        ("48,0N", "", None),
        ("north", "2,0E", None),
    ],
)
def test_places_are_read(latitude: str, longitude: str, place: tuple[float, float] | None) -> None:
    found = parse_xmp(packet("", f'exif:GPSLatitude="{latitude}" exif:GPSLongitude="{longitude}"'))
    got = None if found.latitude is None else (found.latitude, found.longitude)
    assert got == (None if place is None else pytest.approx(place))


def test_exposure_data_are_read() -> None:
    found = parse_xmp(
        packet(
            listed("exif:ISOSpeedRatings", ["400"], "Seq"),
            'exif:ExposureTime="1/250" exif:FNumber="28/10" aux:Lens="50 mm" exifEX:LensModel="Fifty"',
        )
    )
    assert (found.exposure, found.lens) == ("1/250 s  f/2.8  ISO 400", "Fifty")
    assert parse_xmp(packet("", 'exif:ExposureTime="2/1" exif:FNumber="0/0"')).exposure == "2 s"


# ---------------------------------------------------------------------- merging
def _is_name(text: str) -> bool:
    try:
        return normalise(text) == text and can_be_written(text)
    except TagNameError:
        return False


_ODD = st.sampled_from(
    [*"&<>|/,\"'éab ", "]]>", "שלום", "\N{SOFT HYPHEN}", "\u202e", "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}", "dog"]
)
_NAMES = (
    st.one_of(st.lists(_ODD, min_size=1, max_size=5).map("".join), st.text(min_size=1, max_size=8))
    .map(lambda text: "/".join(" ".join(part.split()) for part in text.split("/")))
    .filter(_is_name)
)
_SETS = st.lists(_NAMES, max_size=6, unique=True)


@given(_SETS, st.none() | st.integers(-1, 5), st.none() | st.sampled_from(["", "Red", "Sehr gut & <schön>", "👍"]))
def test_written_tags_are_read_back(tags: list[str], rating: int | None, label: str | None) -> None:
    merged = merge_xmp(None, tags, rating, label)
    if not tags and not rating and not label:
        assert merged == b""
        return
    found = parse_xmp(merged)
    assert set(found.tags) == set(tags)
    assert found.rating == (rating or None)
    assert found.label == (label or None)
    assert merge_xmp(merged, tags, rating, label) is merged


_ITEMS = st.lists(
    _NAMES | st.sampled_from(["Smith, John", "animal|dog", "animal", "dog", "darktable|x", "a||b"]), max_size=5
)


@st.composite
def packets(draw: st.DrawFn) -> bytes:
    def escaped(items: list[str]) -> list[str]:
        return [one.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for one in items]

    fields = ["dc:subject", "lr:hierarchicalSubject", "digiKam:TagsList", "mediapro:CatalogSets"]
    fields += ["MicrosoftPhoto:LastKeywordXMP", "MicrosoftPhoto:LastKeywordIPTC"]
    text = ""
    for field in draw(st.permutations(fields)):
        if draw(st.booleans()):
            text += draw(st.sampled_from(["", "\n   "]))
            text += listed(field, escaped(draw(_ITEMS)), draw(st.sampled_from(["Bag", "Seq", "Alt"])))
            text += draw(st.sampled_from(["", "<!-- here -->", "<dc:title>t</dc:title>", "<?odd one?>"]))
    if draw(st.booleans()):
        text += f"<acdsee:categories>{CATEGORIES}</acdsee:categories>"
    attributes = draw(st.sampled_from(["", 'xmp:Rating="3"', 'xmp:Label="Blue" tiff:Model="C"', 'dc:subject="one"']))
    around = draw(
        st.sampled_from([("", ""), ('<?xpacket begin="\ufeff"?>', "\n  \n<?xpacket end='w'?>\n"), ("<!-- a -->", "")])
    )
    return packet(text, attributes, around)


@given(packets(), _SETS, _SETS, st.data())
def test_a_merge_adds_and_removes_exactly_the_given_tags(
    before: bytes, tags: list[str], removed: list[str], data: st.DataObject
) -> None:
    had = [composed(tag) for tag in parse_xmp(before).tags]
    removed += data.draw(st.lists(st.sampled_from(had), unique=True)) if had else []
    merged = merge_xmp(before, tags, removed=removed)
    now = {composed(tag) for tag in parse_xmp(merged).tags}
    assert now == set(had) - set(removed) | set(tags)
    assert unknown(merged) == unknown(before)
    assert merge_xmp(merged, tags, removed=removed) is merged
    if set(tags) <= set(had) and not (set(had) & set(removed) - set(tags)):
        assert merged is before


def composed(tag: str) -> str:
    """Compose a name as Focal does, also if Focal would refuse it."""
    return unicodedata.normalize("NFC", tag)


def unknown(data: bytes) -> tuple[bytes, str, str]:
    """Return the packet without the tag fields in canonical form, and the text before and after the root."""
    root = copy.deepcopy(Packet(data).root)
    for element in list(root.iter()):
        if isinstance(element.tag, str) and re.search(
            "subject$|hierarchicalSubject|TagsList|CatalogSets|LastKeyword|categories", element.tag
        ):
            tail = (element.tail or "").strip()
            assert not tail
            element.getparent().remove(element)
    for element in root.iter():
        element.tail = (element.tail or "").strip() or None
        if isinstance(element.tag, str):
            element.text = (element.text or "").strip() or None
            element.attrib.pop("{http://purl.org/dc/elements/1.1/}subject", None)
    etree.cleanup_namespaces(root)
    text = data.decode()
    start, end = text.index("<x:xmpmeta"), text.rindex("</x:xmpmeta>") + len("</x:xmpmeta>")
    return etree.tostring(root, method="c14n"), text[:start], text[end:]


def test_a_merge_preserves_unknown_elements_prefixes_comments_instructions_and_padding() -> None:
    before = (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\r\n<!-- top -->\r\n'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Other 1.0">\r\n'
        f' <rdf:RDF xmlns:rdf="{_RDF}">\r\n'
        '  <rdf:Description rdf:about="uuid:1" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"\r\n'
        '    xmlns:k="http://purl.org/dc/elements/1.1/" crs:Exposure="+0.50">\r\n'
        "   <crs:ToneCurve><rdf:Seq><rdf:li>0, 0</rdf:li><rdf:li>255, 255</rdf:li></rdf:Seq></crs:ToneCurve>\r\n"
        "   <!-- between -->\r\n   <?keep this?>\r\n"
        "   <crs:Script><![CDATA[a < b && c]]></crs:Script>\r\n"
        "   <k:subject>\r\n    <rdf:Bag>\r\n     <rdf:li>sea</rdf:li>\r\n    </rdf:Bag>\r\n   </k:subject>\r\n"
        "  </rdf:Description>\r\n </rdf:RDF>\r\n</x:xmpmeta>\r\n" + " " * 2048 + '\r\n<?xpacket end="w"?>'
    ).encode()
    merged = merge_xmp(before, ["sky"], 4, "Red", removed=["sea"])
    text = merged.decode()
    assert text.count("\r\n") == text.count("\n")
    for kept in (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\r\n<!-- top -->\r\n<x:xmpmeta ',
        "<crs:ToneCurve><rdf:Seq><rdf:li>0, 0</rdf:li><rdf:li>255, 255</rdf:li></rdf:Seq></crs:ToneCurve>\r\n"
        "   <!-- between -->\r\n   <?keep this?>\r\n   <crs:Script><![CDATA[a < b && c]]></crs:Script>\r\n",
        'crs:Exposure="+0.50"',
        "   <k:subject>\r\n    <rdf:Bag>\r\n     <rdf:li>sky</rdf:li>\r\n    </rdf:Bag>\r\n   </k:subject>\r\n",
        "</x:xmpmeta>\r\n" + " " * 2048 + '\r\n<?xpacket end="w"?>',
    ):
        assert kept in text
    assert parse_xmp(merged).rating == 4
    assert merge_xmp(merged, ["sky"], 4, "Red") is merged


def test_the_three_tag_fields_have_the_expected_types() -> None:
    before = packet(listed("lr:hierarchicalSubject", ["a|b"], "Seq") + "<dc:subject>b</dc:subject>")
    root = etree.fromstring(merge_xmp(before, ["sea"]))
    kinds = {
        element.tag: [etree.QName(element[0]).localname, *(item.text for item in element[0])] for element in root[0][0]
    }
    assert kinds == {
        _WRITTEN[1]: ["Bag", "a|b", "sea"],
        _WRITTEN[2]: ["Seq", "a/b", "sea"],
        _WRITTEN[0]: ["Bag", "b", "sea"],
    }


def test_a_flat_tag_is_not_hidden_by_a_new_hierarchy() -> None:
    merged = merge_xmp(packet(listed("dc:subject", ["dog"])), ["animal/dog"])
    assert set(parse_xmp(merged).tags) == {"dog", "animal/dog"}


def test_a_removed_tag_is_removed_from_all_fields() -> None:
    everywhere = packet(
        listed("dc:subject", ["animal", "dog", "sea"])
        + listed("lr:hierarchicalSubject", ["animal|dog", "sea"])
        + listed("digiKam:TagsList", ["animal/dog", "sea"], "Seq")
        + listed("MicrosoftPhoto:LastKeywordXMP", ["animal/dog", "sea"])
        + listed("MicrosoftPhoto:LastKeywordIPTC", ["dog", "animal", "sea"])
        + listed("mediapro:CatalogSets", ["animal|dog", "sea"])
        + f"<acdsee:categories>{CATEGORIES}</acdsee:categories>"
    )
    without = merge_xmp(everywhere, removed=["animal/dog"])
    assert b"dog" not in without
    assert b"animal" not in without
    assert set(parse_xmp(without).tags) == {"sea", "R & B"}
    bare = merge_xmp(without, removed=["sea", "R & B"])
    assert parse_xmp(bare).tags == ()
    assert b"categories>" not in bare
    assert b"Bag" not in bare


def test_a_removed_category_with_subcategories_stays_as_their_parent() -> None:
    before = packet(
        "<acdsee:categories>&lt;Categories&gt;&lt;Category Assigned=&quot;1&quot;&gt;a&lt;Category "
        "Assigned=&quot;1&quot;&gt;b&lt;/Category&gt;&lt;/Category&gt;&lt;/Categories&gt;</acdsee:categories>"
    )
    assert parse_xmp(before).tags == ("a", "a/b")
    assert parse_xmp(merge_xmp(before, removed=["a"])).tags == ("a/b",)
    left = merge_xmp(before, removed=["a/b"])
    assert parse_xmp(left).tags == ("a",)
    (categories,) = Packet(left).values(("{http://ns.acdsee.com/iptc/1.0/}categories",))
    assert categories == '<Categories><Category Assigned="1">a</Category></Categories>'


@pytest.mark.parametrize(
    ("attributes", "rating", "expected"),
    [
        ("", 0, ""),
        ("", -1, 'xmp:Rating="-1"'),
        ('xmp:Rating="3.0"', 3, 'xmp:Rating="3.0"'),
        ('xmp:Rating="3"', 0, 'xmp:Rating="0"'),
        ('xmp:Rating="3"', None, 'xmp:Rating="3"'),
        ('MicrosoftPhoto:Rating="50"', 3, 'MicrosoftPhoto:Rating="50"'),
        ('MicrosoftPhoto:Rating="50"', 4, 'MicrosoftPhoto:Rating="75" xmp:Rating="4"'),
        ('MicrosoftPhoto:Rating="50"', 0, ""),
        ('xmp:Rating="3" MicrosoftPhoto:Rating="50"', 5, 'xmp:Rating="5" MicrosoftPhoto:Rating="99"'),
        ('xmp:Rating="3" MicrosoftPhoto:Rating="50"', -1, 'xmp:Rating="-1"'),
    ],
)
def test_ratings_are_written(attributes: str, rating: int | None, expected: str) -> None:
    before = packet("", attributes)
    merged = merge_xmp(before, (), rating)
    assert re.findall(r'\w+:Rating="[^"]*"', merged.decode()) == expected.split()
    assert (merged is before) == (attributes == expected)


def test_existing_ratings_and_labels_are_written_in_place() -> None:
    before = packet("<xmp:Rating>3</xmp:Rating><xmp:Label>Red</xmp:Label>")
    merged = merge_xmp(before, (), 5, "Blue")
    assert b"<xmp:Rating>5</xmp:Rating><xmp:Label>Blue</xmp:Label>" in merged
    assert merge_xmp(before, (), 3, "Red") is before
    assert b"Label" not in merge_xmp(before, (), 3, "")


def test_a_packet_without_a_description_gets_one() -> None:
    for empty in ('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>', f'<r:RDF xmlns:r="{_RDF}"/>'):
        merged = merge_xmp(empty.encode(), ["sea"], 2)
        assert (parse_xmp(merged).tags, parse_xmp(merged).rating) == (("sea",), 2)


@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "iso8859-1", "cp1252"]
)
def test_encodings_are_preserved(codec: str) -> None:
    text = packet(listed("dc:subject", ["Grün"])).decode()
    if codec in ("iso8859-1", "cp1252"):
        text = f'<?xml version="1.0" encoding="{codec}"?>\n' + text
    before = text.encode(codec)
    assert parse_xmp(before).tags == ("Grün",)
    merged = merge_xmp(before, ["Öl", "אור"])
    assert set(parse_xmp(merged).tags) == {"Grün", "Öl", "אור"}
    merged.decode(codec)
    assert merged[:4] == before[:4]


def test_nul_padding_is_preserved() -> None:
    before = packet(listed("dc:subject", ["sea"])) + b"\0" * 100
    assert merge_xmp(before, ["sky"]).endswith(b">" + b"\0" * 100)


# ---------------------------------------------------------------------- hostile packets
_BOMB = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10 if i else "ha" * 10}">' for i in range(10))


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (f"<!DOCTYPE x [{_BOMB}]>".encode() + packet(listed("dc:subject", ["&e9;"])), "document type"),
        (
            b'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>' + packet("<dc:subject>&f;</dc:subject>"),
            "document type",
        ),
        (b'<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">' + packet(""), "document type"),
        (b'<?xml version="1.0"?><!-- x --><!DOCTYPE x>' + packet(""), "document type"),
        (packet("<dc:subject>&f;</dc:subject>"), "not well formed"),
        (packet("<a>" * 100_000 + "</a>" * 100_000), "not well formed"),
        (packet("", 'dc:title="' + "x" * 11_000_000 + '"'), "not well formed"),
        (packet("")[:-5], "not well formed"),
        (packet("<dc:subject>se\0a</dc:subject>"), "not well formed"),
        (packet("<dc:subject>\x01</dc:subject>"), "not well formed"),
        (packet("<nope:subject>x</nope:subject>"), "not well formed"),
        (packet("") + packet(""), "not well formed"),
        (packet("").replace(b"rdf:about", b"\xed\xa0\x80"), "not UTF-8"),
        (b"\xff" + packet(""), "not UTF-8"),
        (packet("").decode().encode("utf-16")[:-1], "not UTF-16"),
        (b'<?xml version="1.0" encoding="utf-7"?>' + packet(""), "not supported"),
        (b'<?xml version="1.0" encoding="rot13"?>' + packet(""), "not supported"),
        (b'<?xml version="1.0" encoding="made-up"?>' + packet(""), "unknown"),
        (b"<html><body/></html>", "not XMP"),
        (b"", "empty"),
        (b"\0" * 50, "empty"),
        (b"\xff\xd8\xff\xe0 a JPEG", "not UTF-8"),
        (b"hello", "not XML"),
        (packet(listed("dc:subject", [f"x{i}" for i in range(10_001)])), "10,000"),
        (b" " * (MAX_BYTES + 1), "32 MB"),
    ],
)
def test_hostile_and_broken_packets_are_refused_with_a_message(data: bytes, word: str) -> None:
    with pytest.raises(XmpError, match=word):
        parse_xmp(data)
    with pytest.raises(XmpError, match=word):
        merge_xmp(data, ["sea"])


def test_hostile_categories_are_ignored() -> None:
    bomb = f"<!DOCTYPE x [{_BOMB}]><Categories><Category Assigned='1'>&e9;</Category></Categories>"
    escaped = bomb.replace("&", "&amp;").replace("<", "&lt;")
    before = packet(f"<acdsee:categories>{escaped}</acdsee:categories>")
    assert parse_xmp(before).tags == ()
    assert unknown(merge_xmp(before, ["sea"])) == unknown(before)


def test_text_that_xml_cannot_hold_is_not_written() -> None:
    assert not can_be_written("a\ufffe")
    assert not can_be_written("darktable/x")
    assert not can_be_written("a//b")
    with pytest.raises(XmpError, match="cannot be written"):
        merge_xmp(None, ["a\uffff"])
    with pytest.raises(XmpError, match="cannot be written"):
        merge_xmp(None, label="a\uffff")


@pytest.mark.parametrize("program", IMITATIONS)
def test_sidecars_of_other_programs_are_read_and_merged(program: str) -> None:
    one = IMITATIONS[program]
    found = parse_xmp(one.packet)
    assert (frozenset(found.tags), found.rating, found.label) == (one.tags, one.rating, one.label)
    merged = merge_xmp(one.packet, ["new/one"], 1, "Purple", removed=sorted(one.tags)[:1])
    found = parse_xmp(merged)
    assert set(found.tags) == one.tags - {min(one.tags)} | {"new/one"}
    assert (found.rating, found.label) == (1, "Purple")
    bare = parse_xmp(merge_xmp(merged, (), 0, "", removed=[*one.tags, "new/one"]))
    assert (bare.tags, bare.rating or 0, bare.label) == ((), 0, None)


def test_composed_and_decomposed_names_are_equal() -> None:
    before = packet(listed("dc:subject", ["e\u0301te\u0301"]))
    assert merge_xmp(before, ["\u00e9t\u00e9"]) is before
    merged = merge_xmp(before, ["sea"])
    assert merged.count(b"<dc:subject") == 1
    assert list(Packet(merged).values((_WRITTEN[0],))) == ["e\u0301te\u0301", "sea"]


def test_text_between_elements_survives_the_removal_of_an_element() -> None:
    before = packet("<xmp:Label>Red</xmp:Label>stray<dc:title>t</dc:title><xmp:Rating>3</xmp:Rating>last")
    merged = merge_xmp(before, (), None, "")
    assert b">stray<dc:title>t</dc:title><xmp:Rating>3</xmp:Rating>last<" in merged


@pytest.mark.parametrize("tail", ["", "\n<!-- </x:xmpmeta> -->\n", "\n<?end </x:xmpmeta> ?>\n   "])
def test_the_end_of_the_packet_is_found_despite_similar_text(tail: str) -> None:
    before = packet("<dc:title><!-- </x:xmpmeta> --><![CDATA[</x:xmpmeta>]]></dc:title>", "", ("", tail))
    merged = merge_xmp(before, ["sea"])
    assert parse_xmp(merged).tags == ("sea",)
    assert merged.decode().endswith("</x:xmpmeta>" + tail)
    assert b"<dc:title><!-- </x:xmpmeta> --><![CDATA[</x:xmpmeta>]]></dc:title>" in merged
    again = merge_xmp(merged, removed=["sea"])
    assert unknown(again)[0] == unknown(before)[0]


def test_mixed_line_ends_become_line_feeds() -> None:
    before = packet("\n<dc:title>\n</dc:title>\r\n")
    assert b"\r" not in merge_xmp(before, ["sea"])


def test_white_space_before_a_packet_needs_little_memory() -> None:
    data = b" " * 2_000_000 + packet(listed("dc:subject", ["sea"]))
    tracemalloc.start()
    try:
        assert parse_xmp(data).tags == ("sea",)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10 * len(data)


@pytest.mark.slow
def test_as_many_tags_as_can_be_read_can_be_written() -> None:
    many = [f"top/tag {number}" for number in range(9_999)]
    merged = merge_xmp(None, many)
    assert len(parse_xmp(merged).tags) == 9_999
    assert len(parse_xmp(merge_xmp(merged, ["one more"])).tags) == 10_000
    with pytest.raises(XmpError, match="10,000"):
        merge_xmp(merged, ["one more", "and another"])
