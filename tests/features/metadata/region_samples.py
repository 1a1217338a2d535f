# SPDX-License-Identifier: MIT
"""Sidecars with regions in the style of other programs, written by hand from their documented formats.

The layouts follow *Guidelines for Handling Image Metadata 2.0* (5.9), the XMP specification (part 1, 7.9, for the forms
of structures), and the documentation of the programs: digiKam writes structures with attributes and a copy of the
regions in Microsoft's format, Picasa elements with a contact in its own namespace, Lightroom elements with a rotation
and extensions.
"""

from __future__ import annotations

from typing import Final

_PACKET: Final = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="{program}">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:digiKam="http://www.digikam.org/ns/1.0/"
    xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
    xmlns:MP="http://ns.microsoft.com/photo/1.2/"
    xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#"
    xmlns:MPReg="http://ns.microsoft.com/photo/1.2/t/Region#"
    xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
    xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
    xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#">
{content}
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
"""

_DIGIKAM: Final = """   <digiKam:TagsList>
    <rdf:Seq>
     <rdf:li>People/Anna Lee</rdf:li>
     <rdf:li>sea</rdf:li>
    </rdf:Seq>
   </digiKam:TagsList>
   <dc:subject>
    <rdf:Bag>
     <rdf:li>Anna Lee</rdf:li>
     <rdf:li>sea</rdf:li>
    </rdf:Bag>
   </dc:subject>
   <mwg-rs:Regions rdf:parseType="Resource">
    <mwg-rs:AppliedToDimensions
     stDim:w="{width}"
     stDim:h="{height}"
     stDim:unit="pixel"/>
    <mwg-rs:RegionList>
     <rdf:Bag>
      <rdf:li>
       <rdf:Description
        mwg-rs:Name="Anna Lee"
        mwg-rs:Type="Face">
       <mwg-rs:Area
        stArea:x="0.5"
        stArea:y="0.25"
        stArea:w="0.5"
        stArea:h="0.25"
        stArea:unit="normalized"/>
       </rdf:Description>
      </rdf:li>
     </rdf:Bag>
    </mwg-rs:RegionList>
   </mwg-rs:Regions>
   <MP:RegionInfo rdf:parseType="Resource">
    <MPRI:Regions>
     <rdf:Bag>
      <rdf:li
       MPReg:PersonDisplayName="Anna Lee"
       MPReg:Rectangle="0.25, 0.125, 0.5, 0.25"/>
     </rdf:Bag>
    </MPRI:Regions>
   </MP:RegionInfo>"""

_PICASA: Final = """   <mwg-rs:Regions rdf:parseType="Resource">
    <mwg-rs:AppliedToDimensions rdf:parseType="Resource">
     <stDim:w>{width}</stDim:w>
     <stDim:h>{height}</stDim:h>
     <stDim:unit>pixel</stDim:unit>
    </mwg-rs:AppliedToDimensions>
    <mwg-rs:RegionList>
     <rdf:Bag>
      <rdf:li rdf:parseType="Resource">
       <mwg-rs:Type>Face</mwg-rs:Type>
       <mwg-rs:Name>Ben</mwg-rs:Name>
       <mwg-rs:Area rdf:parseType="Resource">
        <stArea:x>0.5</stArea:x>
        <stArea:y>0.25</stArea:y>
        <stArea:w>0.5</stArea:w>
        <stArea:h>0.25</stArea:h>
       </mwg-rs:Area>
       <mwg-rs:Extensions xmlns:google="http://ns.google.com/photos/1.0/people/" rdf:parseType="Resource">
        <google:ContactId>17</google:ContactId>
       </mwg-rs:Extensions>
      </rdf:li>
     </rdf:Bag>
    </mwg-rs:RegionList>
   </mwg-rs:Regions>"""

_LIGHTROOM: Final = """   <lr:hierarchicalSubject>
    <rdf:Bag>
     <rdf:li>Family|Carl</rdf:li>
    </rdf:Bag>
   </lr:hierarchicalSubject>
   <mwg-rs:Regions>
    <rdf:Description>
     <mwg-rs:AppliedToDimensions stDim:w="{width}" stDim:h="{height}" stDim:unit="pixel"/>
     <mwg-rs:RegionList>
      <rdf:Seq>
       <rdf:li>
        <rdf:Description mwg-rs:Rotation="0.02" mwg-rs:Name="Carl" mwg-rs:Type="Face" mwg-rs:Description="left">
         <mwg-rs:Area stArea:h="0.25" stArea:w="0.5" stArea:x="0.5" stArea:y="0.25"/>
         <mwg-rs:Extensions><rdf:Description><xmp:Note>kept</xmp:Note></rdf:Description></mwg-rs:Extensions>
        </rdf:Description>
       </rdf:li>
       <rdf:li>
        <rdf:Description mwg-rs:Type="Focus" mwg-rs:FocusUsage="EvaluatedUsed">
         <mwg-rs:Area stArea:d="0.1" stArea:x="0.8" stArea:y="0.8" stArea:unit="normalized"/>
        </rdf:Description>
       </rdf:li>
      </rdf:Seq>
     </mwg-rs:RegionList>
    </rdf:Description>
   </mwg-rs:Regions>"""

_CONTENTS: Final = {"digiKam": _DIGIKAM, "Picasa": _PICASA, "Lightroom": _LIGHTROOM}

PROGRAMS: Final = tuple(_CONTENTS)
NAMES: Final = {"digiKam": "Anna Lee", "Picasa": "Ben", "Lightroom": "Carl"}
"""The name of the first region in the sidecar of each program; its area is always the same."""
SIDES: Final = (0.25, 0.125, 0.75, 0.375)
"""Sides of the first region."""


def sidecar_of(program: str, width: int, height: int) -> bytes:
    """Return a sidecar in the style of a program for an image of this size."""
    content = _CONTENTS[program].format(width=width, height=height)
    return _PACKET.format(program=program, content=content).encode()
