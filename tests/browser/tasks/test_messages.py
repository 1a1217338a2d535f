# SPDX-License-Identifier: MIT
"""Messages of the lower floors, translated for the window."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text, counted, from_stored, to_stored
from focal_photos.browser.operations.describing.settings import MEGAPIXELS
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.training.automatic import Choice
from focal_photos.browser.operations.training.candidates import STANDARD
from focal_photos.browser.operations.training.evaluate import BASELINE
from focal_photos.browser.operations.training.held_out import figures, sentence
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.runner import describe
from focal_photos.browser.views.base import translation
from focal_photos.features.decoding.damage import (
    CONTRADICTION,
    CUT_OFF,
    NO_PALETTE,
    NO_PICTURE,
    NO_SENSE,
    NOT_DECODED,
    OUT_OF_RANGE,
    DamagedError,
    meaning,
)
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.limits import DecodeLimits, ImageError
from focal_photos.learners.evaluation.selection import HeldOut
from tests.features.damaged_files import mutated, seeds
from tests.translations import templates, texts_below


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    kept = translation.install(qapp, "de")
    yield
    translation.remove(qapp, kept)


def test_english_messages_are_unchanged(qapp: QApplication) -> None:
    for text in texts_below():
        assert in_words(text) == text


NO_MEMORY = Text("The image needs more memory than is available.")


def chosen(title: str, best: str, *gain: Any, **more: Any) -> Text:
    return Choice(*gain, kept=None, title=title, parameters={}, best=best, tried=12, **more).sentence


@pytest.mark.parametrize(
    ("text", "english", "expected"),
    [
        (
            Text("There is no tag {0}: choose an existing tag.", "sea"),
            "There is no tag sea",
            "Es gibt kein Schlagwort sea",
        ),
        (
            Text("{0} is a file: choose a folder for the library.", Path("/a/b")),
            "/a/b is a file: choose a folder for the library.",
            "/a/b ist eine Datei: Wählen Sie einen Ordner",
        ),
        (
            Text("Tag {0}: {1}", counted(2, "1 photo", "{0} photos"), "sea, sky"),
            "Tag 2 photos: sea, sky",
            "2 Fotos verschlagworten: sea, sky",
        ),
        (
            Text("{0}, {1} examples", Text("Mark {0} as similar", counted(1, "1 photo", "{0} photos")), 3),
            "Mark 1 photo as similar, 3 examples",
            "1 Foto als ähnlich markieren, 3 Beispiele",
        ),
        (
            sentence(HeldOut("precision", 10, 0.64, 0.63, 0.01, 0.03, 214)),
            "no measurable improvement; right among the first 10, held out: 63 → 64 % (n = 214, ±6).",
            "keine messbare Verbesserung; richtig unter den ersten 10, zurückgehalten: 63 → 64 % (n = 214, ±6).",
        ),
        (
            figures(HeldOut("precision", 10, 0.999, 0.996, 0.003, 0.002, 100)),
            "right among the first 10, held out: 99.6 → 99.9 % (n = 100, ±0.4).",
            "richtig unter den ersten 10, zurückgehalten: 99,6 → 99,9 % (n = 100, ±0,4).",
        ),
        (
            chosen("Tag ratio, kernel", "RCA", "precision", 10, 0.71, 0.62, 0.09, 0.02, 300, chosen=STANDARD),
            "Automatic tried 12 ways of learning, and none is clearly better than Tag ratio, kernel: right "
            "among the first 10, held out: 62 → 71 % (n = 300, ±4).",
            "12 Lernverfahren wurden probiert, und keines ist sicher besser als „Schlagwortverhältnis, Kern“: "
            "richtig unter den ersten 10, zurückgehalten: 62 → 71 % (n = 300, ±4).",
        ),
        (
            chosen("Euclidean", "RCA", "precision", 10, 0.62, 0.62, 0.0, 0.02, 300, chosen=BASELINE),
            "Automatic tried 12 ways of learning, and none improves on Euclidean, which is used. The best was "
            "RCA: right among the first 10, held out: 62 → 62 % (n = 300, ±4).",
            "12 Lernverfahren wurden probiert, und keines ist besser als der euklidische Abstand: Er wird verwendet. "
            "Das beste war „RCA“: richtig unter den ersten 10, zurückgehalten: 62 → 62 % (n = 300, ±4).",
        ),
        (
            chosen("Local distances", "RCA", "order", 0, 0.53, 0.5, 0.03, 0.02, 80, chosen="local", sample=120),
            "Automatic chose Local distances on a sample of 120 photos: an improvement, perhaps by chance; "
            "judged pairs in order, held out: 50 → 53 % (n = 80, ±4).",
            "Automatisch gewählt an einer Stichprobe von 120 Fotos: „Lokale Abstände“; eine Verbesserung, vielleicht "
            "durch Zufall; beurteilte Paare richtig geordnet, zurückgehalten: 50 → 53 % (n = 80, ±4).",
        ),
        (
            chosen("RCA", "RCA", "precision", 5, 0.53, 0.5, 0.03, 0.045, 17, chosen="rca"),
            "Automatic chose RCA: too little data to measure improvement (n = 17).",
            "Automatisch gewählt: „RCA“; zu wenige Daten, um eine Verbesserung zu messen (n = 17).",
        ),
        (
            Text("Train metric: {0}", Text("Kernel metric, stepwise (v12)")),
            "Train metric: Kernel metric, stepwise (v12)",
            "Metrik trainieren: Kernmetrik, schrittweise (v12)",
        ),
        ("Looking for sidecars", "Looking for sidecars", "Suche nach Begleitdateien"),
        ("Euclidean", "Euclidean", "Euklidisch"),
        ("something else entirely", "something else entirely", "something else entirely"),
        (
            Text("{0} cannot be used as focal image: {1}", "/a.jpg", ImageError("The file cannot be read: {0}.", "x")),
            "/a.jpg cannot be used as focal image: The file cannot be read: x.",
            "/a.jpg kann kein Fokusbild sein: Die Datei kann nicht gelesen werden: x.",
        ),
        (
            Text(
                "{0} cannot be used as focal image: {1}",
                "/a.jpg",
                Text("The image needs more memory than is available."),
            ),
            "/a.jpg cannot be used as focal image: The image needs more memory than is available.",
            "/a.jpg kann kein Fokusbild sein: Das Bild braucht mehr Speicher, als verfügbar ist.",
        ),
    ],
)
def test_texts_are_translated_with_their_arguments(
    request: pytest.FixtureRequest, text: str, english: str, expected: str
) -> None:
    assert text.startswith(english)
    request.getfixturevalue("german")
    assert in_words(text).startswith(expected)
    assert in_words(from_stored(to_stored(text))) == in_words(text)


def test_names_are_not_translated(german: None) -> None:
    text = Text("There is a tag {0} already: merge {1} into it, or choose another name.", "Learning", "{x}")
    assert in_words(text).startswith("Es gibt schon ein Schlagwort Learning: Führen Sie {x} damit zusammen")
    text = Text("Tag {0}: {1}", counted(1, "1 photo", "{0} photos"), "1 photo")
    assert in_words(text) == "1 Foto verschlagworten: 1 photo"


def test_real_errors_are_translated(german: None, tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        with pytest.raises(OperationError) as raised:
            MEGAPIXELS.set(library, -1)
        assert describe(raised.value).startswith("decode.megapixels")
        with pytest.raises(Exception, match="Nothing to save yet") as kept:
            library.trails.save("A", ())
    assert describe(kept.value) == "Noch nichts zu speichern: Wählen Sie zuerst ein Fokusbild."


def test_every_reason_for_refusing_a_file_is_translated(german: None) -> None:
    words = {NO_SENSE, CONTRADICTION, NO_PICTURE, NO_PALETTE, OUT_OF_RANGE, NOT_DECODED}
    reasons = {str(meaning(DamagedError(word))) for word in (*words, CUT_OFF)} | {str(meaning(NotImplementedError()))}
    for content in seeds().values():
        for number in range(12):
            try:
                decode(mutated(content, 5, number), limits=DecodeLimits(max_pixels=100_000))
            except ImageError as error:
                reasons.add(str(error))
    kept_in_english = {reason for reason in reasons if in_words(reason) == reason}
    assert not kept_in_english
    assert not [reason for reason in reasons if any(word in in_words(reason) for word in words)]


def test_templates_are_literals() -> None:
    """Otherwise they would not be found for translation."""
    filled = [
        ast.unparse(one)
        for one in templates()
        if isinstance(one, ast.JoinedStr | ast.BinOp) or ".format(" in ast.unparse(one)
    ]
    assert filled == []
