# SPDX-License-Identifier: MIT
"""Sidecars in the documented formats of other programs, with their expected content. None is a copy of a real file."""

from __future__ import annotations

from typing import NamedTuple

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


class Imitation(NamedTuple):
    """Sidecar with its expected tags, rating and label."""

    packet: bytes
    tags: frozenset[str]
    rating: int | None
    label: str | None


def _bag(name: str, *items: str, kind: str = "Bag") -> str:
    lines = "".join(f"     <rdf:li>{item}</rdf:li>\n" for item in items)
    return f"   <{name}>\n    <rdf:{kind}>\n{lines}    </rdf:{kind}>\n   </{name}>\n"


def _packet(spaces: dict[str, str], attributes: str, properties: str, toolkit: str) -> str:
    declared = "".join(f'\n    xmlns:{prefix}="{uri}"' for prefix, uri in spaces.items())
    return (
        f'<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="{toolkit}">\n <rdf:RDF xmlns:rdf="{_RDF}">\n'
        f'  <rdf:Description rdf:about=""{declared}\n   {attributes}>\n{properties}  </rdf:Description>\n'
        " </rdf:RDF>\n</x:xmpmeta>"
    )


_DC, _XMP = "http://purl.org/dc/elements/1.1/", "http://ns.adobe.com/xap/1.0/"
_LR, _DIGIKAM = "http://ns.adobe.com/lightroom/1.0/", "http://www.digikam.org/ns/1.0/"
_MICROSOFT = "http://ns.microsoft.com/photo/1.0/"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

DIGIKAM = Imitation(
    (
        _DECLARATION
        + _packet(
            {
                "digiKam": _DIGIKAM,
                "MicrosoftPhoto": _MICROSOFT,
                "lr": _LR,
                "mediapro": "http://ns.iview-multimedia.com/mediapro/1.0/",
                "acdsee": "http://ns.acdsee.com/iptc/1.0/",
                "dc": _DC,
                "xmp": _XMP,
            },
            'digiKam:PickLabel="3" digiKam:ColorLabel="1" MicrosoftPhoto:Rating="75"\n'
            '   xmp:CreatorTool="digiKam" xmp:Rating="4" xmp:Label="Green"\n'
            '   acdsee:categories="&lt;Categories&gt;&lt;Category Assigned=&quot;0&quot;&gt;Places&lt;Category '
            'Assigned=&quot;1&quot;&gt;Lisbon&lt;/Category&gt;&lt;/Category&gt;&lt;/Categories&gt;"',
            _bag("digiKam:TagsList", "Places/Lisbon", "sea &amp; sky", kind="Seq")
            + _bag("MicrosoftPhoto:LastKeywordXMP", "Places/Lisbon", "sea &amp; sky")
            + _bag("lr:hierarchicalSubject", "Places|Lisbon", "sea &amp; sky")
            + _bag("mediapro:CatalogSets", "Places|Lisbon", "sea &amp; sky")
            + _bag("dc:subject", "Lisbon", "sea &amp; sky"),
            "XMP Core 4.4.0-Exiv2",
        )
        + "\n"
    ).encode(),
    frozenset({"Places/Lisbon", "sea & sky"}),
    4,
    "Green",
)

LIGHTROOM = Imitation(
    _packet(
        {
            "xmp": _XMP,
            "photoshop": "http://ns.adobe.com/photoshop/1.0/",
            "crs": "http://ns.adobe.com/camera-raw-settings/1.0/",
            "dc": _DC,
            "lr": _LR,
        },
        'xmp:Rating="3" xmp:Label="Red" photoshop:SidecarForExtension="CR2"\n'
        '   crs:Version="14.0" crs:Exposure2012="+0.35" crs:HasSettings="True"',
        _bag("dc:subject", "Animals", "Dog", "beach")
        + _bag("lr:hierarchicalSubject", "Animals|Dog", "beach")
        + _bag("crs:ToneCurvePV2012", "0, 0", "255, 255", kind="Seq"),
        "Adobe XMP Core 7.0",
    ).encode(),
    frozenset({"Animals/Dog", "beach"}),
    3,
    "Red",
)

DARKTABLE = Imitation(
    (
        _DECLARATION
        + _packet(
            {"xmp": _XMP, "darktable": "http://darktable.sf.net/", "dc": _DC, "lr": _LR},
            'xmp:Rating="-1" darktable:xmp_version="5" darktable:raw_params="0"',
            _bag("darktable:colorlabels", "0", kind="Seq")
            + '   <darktable:history>\n    <rdf:Seq>\n     <rdf:li darktable:num="0" darktable:operation="exposure" '
            'darktable:params="gz02eJxjYGBgkGAAAAAqAAY="/>\n    </rdf:Seq>\n   </darktable:history>\n'
            + _bag("dc:subject", "changed", "rw2", "Lisbon", "Places", kind="Seq")
            + _bag("lr:hierarchicalSubject", "Places|Lisbon", "darktable|changed", "darktable|format|rw2", kind="Seq"),
            "XMP Core 4.4.0-Exiv2",
        )
        + "\n"
    ).encode(),
    frozenset({"Places/Lisbon"}),
    -1,
    None,
)

WINDOWS = Imitation(
    (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        + _packet(
            {"MicrosoftPhoto": _MICROSOFT, "dc": _DC},
            'MicrosoftPhoto:Rating="50"',
            _bag("dc:subject", "beach", "Grüße") + _bag("MicrosoftPhoto:LastKeywordXMP", "beach", "Grüße"),
            "Windows",
        )
        + "\n"
        + (" " * 99 + "\n") * 20
        + '<?xpacket end="w"?>'
    ).encode(),
    frozenset({"beach", "Grüße"}),
    3,
    None,
)

MEDIA_PRO = Imitation(
    _packet(
        {"mp": "http://ns.iview-multimedia.com/mediapro/1.0/", "xap": _XMP},
        'mp:People="Ana"',
        "   <xap:Rating>5</xap:Rating>\n" + _bag("mp:CatalogSets", "Trips|Rome", "Trips|Rome|Forum"),
        "MediaPro",
    ).encode(),
    frozenset({"Trips/Rome", "Trips/Rome/Forum"}),
    5,
    None,
)

ACDSEE = Imitation(
    _packet(
        {"acdsee": "http://ns.acdsee.com/iptc/1.0/", "dc": _DC},
        'acdsee:tagged="False"',
        "   <acdsee:categories>&lt;Categories&gt;&lt;Category Assigned=&quot;0&quot;&gt;People&lt;Category Assigned="
        "&quot;1&quot;&gt;Ana&lt;/Category&gt;&lt;/Category&gt;&lt;Category Assigned=&quot;1&quot;&gt;Album"
        "&lt;/Category&gt;&lt;/Categories&gt;</acdsee:categories>\n" + _bag("dc:subject", "garden"),
        "ACDSee",
    ).encode(),
    frozenset({"People/Ana", "Album", "garden"}),
    None,
    None,
)

IMITATIONS = {
    "digiKam": DIGIKAM,
    "Lightroom": LIGHTROOM,
    "darktable": DARKTABLE,
    "Windows": WINDOWS,
    "Media Pro": MEDIA_PRO,
    "ACDSee": ACDSEE,
}
