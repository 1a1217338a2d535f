# SPDX-License-Identifier: MIT
"""German texts for the generated tables of the guide that the window does not translate.

A missing translation raises `KeyError`, so the tables cannot be out of date for long.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from tests.translations import translations

_KEY_NAMES: Final = {
    "Ctrl": "Strg",
    "Shift": "Umschalt",
    "Space": "Leertaste",
    "Backspace": "Rücktaste",
    "Delete": "Entf",
    "Left": "Links",
    "Right": "Rechts",
    "arrows": "Pfeile",
    "digit": "Ziffer",
    "click": "Klick",
    "wheel": "Mausrad",
}
"""Keys as the window names them."""

_WORDS: Final = {
    "key": "Taste",
    "does": "Wirkung",
    "Hide a column": "Eine Spalte ausblenden",
    "Captions": "Namen unter den Fotos",
    "Rate, remove the rating": "Bewerten, Bewertung entfernen",
    "Reject the photo": "Foto verwerfen",
    "family": "Familie",
    "learner": "Verfahren",
    "what it does": "was es tut",
    "learns from": "lernt aus",
    "after": "nach",
    "tags": "Schlagwörtern",
    "descriptor": "Deskriptor",
    "kind": "Art",
    "values": "Werte",
    "what it is": "was er ist",
}
"""Words of the tables that are not in the window."""

_DESCRIPTORS: Final = (
    (
        "Mean, deviation and skewness of each channel in 5 x 5 cells",
        "Mittel, Streuung und Schiefe jedes Farbkanals in 5 x 5 Feldern",
    ),
    (
        "Shares of the pixels in large and in small areas of each colour",
        "Anteile der Pixel in großen und in kleinen Flächen jeder Farbe",
    ),
    (
        "Responses to 5 scales x 8 directions of Gabor filters in 8 x 8 cells",
        "Antworten auf Gabor-Filter in 5 Maßstäben x 8 Richtungen, in 8 x 8 Feldern",
    ),
    (
        "8 x 3 x 3 bins of hue, saturation and value, and 9 moments",
        "8 x 3 x 3 Klassen von Farbton, Sättigung und Helligkeit und 9 Momente",
    ),
    (
        "9 colour moments, 18 edge directions and 9 wavelet entropies",
        "9 Farbmomente, 18 Kantenrichtungen und 9 Wavelet-Entropien",
    ),
    (
        "Directions of Canny edges, and the share of pixels without",
        "Richtungen der Canny-Kanten und der Anteil der Pixel ohne Kante",
    ),
    ("Mean, deviation and skewness of the 40 Gabor responses", "Mittel, Streuung und Schiefe der 40 Gabor-Antworten"),
    ("Shares of the uniform local binary patterns", "Anteile der gleichförmigen lokalen Binärmuster"),
    (
        "The layout of directions and scales in 4 x 4 blocks",
        "Die Anordnung der Richtungen und Maßstäbe in 4 x 4 Blöcken",
    ),
    (
        "A bag of {0} visual words of {1}, learned from your own photos",
        "Häufigkeiten von {0} visuellen Wörtern aus {1}, aus Ihren eigenen Fotos gelernt",
    ),
    (
        "Gradients around the points of a grid, at four sizes: how a photo differs from the others",
        "Gradienten um die Punkte eines Rasters, in vier Größen: worin sich ein Foto von den anderen unterscheidet",
    ),
    (
        "Colours and how they vary around the points of a grid, at two sizes: how a photo differs from the others",
        "Farben und wie sie um die Punkte eines Rasters schwanken, in zwei Größen: "
        "worin sich ein Foto von den anderen unterscheidet",
    ),
    (
        "As {0}, with more weight on points that stand out from the border of the photo",
        "Wie {0}, mit mehr Gewicht auf Punkten, die sich vom Rand des Fotos abheben",
    ),
    ("The first {0} principal components of {1}", "Die ersten {0} Hauptkomponenten von {1}"),
    (
        "Geometric blur of radius {0} at up to 400 edge points",
        "Geometric Blur mit Radius {0} an bis zu 400 Kantenpunkten",
    ),
    (
        "Colours around the points that geometric blur describes",
        "Farben um die Punkte, die Geometric Blur beschreibt",
    ),
    (
        "Gradients around points of interest, without their direction",
        "Gradienten um markante Punkte, unabhängig von deren Richtung",
    ),
    ("Pairs of pixels compared around corners", "Vergleiche von Pixelpaaren um Ecken"),
    (
        "The first {0} principal components of {1}, and where in the photo each point lies",
        "Die ersten {0} Hauptkomponenten von {1} und wo im Foto jeder Punkt liegt",
    ),
    (
        "Signs of the whole of {0}, of the photo and its three bands: for suggestions",
        "Vorzeichen des ganzen {0}, vom Foto und seinen drei Streifen: für Vorschläge",
    ),
    (
        "Shapes and colours of {0} parts of a photo: for searches by a region",
        "Formen und Farben von {0} Teilen eines Fotos: für die Suche mit einem Ausschnitt",
    ),
)
"""Descriptions of descriptors; ``{0}`` and ``{1}`` are numbers and names."""


@cache
def _texts() -> dict[str, str]:
    return {source: forms[0] for source, forms in translations("de").items()} | _WORDS


def in_german(text: str) -> str:
    """Return the German of a text of the window or of the tables.

    Raises
    ------
    KeyError
        If the text has no translation.
    """
    if re.fullmatch(r"[\d,]+", text):
        return text.replace(",", ".")
    if text in _texts():
        return _texts()[text]
    for pattern, german in _DESCRIPTORS:
        filled = re.fullmatch(re.sub(r"\\{\d\\}", r"([\\w,]+)", re.escape(pattern)), text)
        if filled:
            return german.format(*(re.sub(r"(?<=\d),(?=\d)", ".", part) for part in filled.groups()))
    raise KeyError(f"{text}: translate it in focal_de.ts (a text of the window) or in {__file__}")


def keys_in_german(text: str) -> str:
    """Return keys as the German window writes them: Ctrl+Left is Strg+Links."""
    text = text.replace(" to ", " bis ").replace("double click", "Doppelklick")
    return re.sub(r"\w{3,}", lambda name: _KEY_NAMES.get(name[0], name[0]), text)


def keys_in_english(text: str) -> str:
    """Return a German text with its key names in English."""
    for english, german in _KEY_NAMES.items():
        text = re.sub(rf"\b{german}\b", english, text)
    return text
