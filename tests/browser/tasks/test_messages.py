"""Messages of the lower floors, translated for the window."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.settings import MEGAPIXELS
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.tasks.messages import MESSAGES, in_words
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
from tests.features.damaged_files import mutated, seeds

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    kept = translation.install(qapp, "de")
    yield
    translation.remove(qapp, kept)


def test_english_messages_are_unchanged(qapp: QApplication) -> None:
    for text in MESSAGES:
        assert in_words(text) == text


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("There is no tag sea: choose an existing tag.", "Es gibt kein Schlagwort sea: Wählen Sie"),
        (
            "Your library was moved to /a b/c but is not there: connect its drive, or move the library back "
            "there. To start a new library, delete /d/focal.moved.",
            "Ihre Bibliothek wurde nach /a b/c verschoben und ist jetzt nicht dort",
        ),
        ("/a/b is a file: choose a folder for the library.", "/a/b ist eine Datei: Wählen Sie einen Ordner"),
        ("Tag 2 photos: sea, sky", "2 Fotos verschlagworten: sea, sky"),
        ("Mark 1 photo as similar, 3 examples", "1 Foto als ähnlich markieren, 3 Beispiele"),
        ("Looking for sidecars", "Suche nach Begleitdateien"),
        (
            "no measurable improvement; right among the first 10, held out: 63 → 64 % (n = 214, ±6).",
            "keine messbare Verbesserung; richtig unter den ersten 10, zurückgehalten: 63 → 64 % (n = 214, ±6).",
        ),
        (
            "right among the first 10, held out: 99.6 → 99.9 % (n = 100, ±0.4).",
            "richtig unter den ersten 10, zurückgehalten: 99,6 → 99,9 % (n = 100, ±0,4).",
        ),
        (
            "Automatic tried 12 ways of learning, and none is clearly better than Tag ratio, kernel: right "
            "among the first 10, held out: 62 → 71 % (n = 300, ±4).",
            "12 Lernverfahren wurden probiert, und keines ist sicher besser als „Schlagwortverhältnis, Kern“: "
            "richtig unter den ersten 10, zurückgehalten: 62 → 71 % (n = 300, ±4).",
        ),
        (
            "Automatic tried 12 ways of learning, and none improves on Euclidean, which is used. The best was "
            "RCA: right among the first 10, held out: 62 → 62 % (n = 300, ±4).",
            "12 Lernverfahren wurden probiert, und keines ist besser als der euklidische Abstand: Er wird verwendet. "
            "Das beste war „RCA“: richtig unter den ersten 10, zurückgehalten: 62 → 62 % (n = 300, ±4).",
        ),
        (
            "Automatic chose Local distances on a sample of 120 photos: an improvement, perhaps by chance; "
            "judged pairs in order, held out: 50 → 53 % (n = 80, ±4).",
            "Automatisch gewählt an einer Stichprobe von 120 Fotos: „Lokale Abstände“; eine Verbesserung, vielleicht "
            "durch Zufall; beurteilte Paare richtig geordnet, zurückgehalten: 50 → 53 % (n = 80, ±4).",
        ),
        (
            "Automatic chose RCA: too little data to measure improvement; right among the first 5, held out: "
            "50 → 53 % (n = 17, ±9).",
            "Automatisch gewählt: „RCA“; zu wenige Daten, um eine Verbesserung zu messen; richtig unter den ersten 5, "
            "zurückgehalten: 50 → 53 % (n = 17, ±9).",
        ),
        ("Train metric: Kernel metric, stepwise (v12)", "Metrik trainieren: Kernmetrik, schrittweise (v12)"),
        ("Euclidean", "Euklidisch"),
        ("something else entirely", "something else entirely"),
        (
            "/a, a folder of the library, is in /b: name the folder that contains the photos.",
            "/a, ein Ordner der Bibliothek, liegt in /b: Nennen Sie",
        ),
        (
            "/a.jpg cannot be used as focal image: /a.jpg cannot be read: No such file.",
            "/a.jpg kann kein Fokusbild sein: /a.jpg kann nicht gelesen werden: No such file.",
        ),
        (
            "/a.jpg cannot be used as focal image: The image needs more memory than is available.",
            "/a.jpg kann kein Fokusbild sein: Das Bild braucht mehr Speicher, als verfügbar ist.",
        ),
    ],
)
def test_arguments_of_messages_are_kept(german: None, message: str, expected: str) -> None:
    assert in_words(message).startswith(expected)


def test_names_are_not_translated(german: None) -> None:
    assert in_words("There is a tag Learning already: merge {x} into it, or choose another name.").startswith(
        "Es gibt schon ein Schlagwort Learning: Führen Sie {x} damit zusammen"
    )
    assert in_words("Tag 1 photo: best photos") == "1 Foto verschlagworten: best photos"


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


@pytest.mark.slow
def test_every_translated_message_occurs_in_the_code() -> None:
    """Otherwise, the pattern of a reworded message would translate nothing."""
    written: set[str] = set()
    for folder in ("browser", "features", "learners"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.name != "messages.py":
                written |= set(_texts(ast.parse(path.read_text("utf-8"))))
    whole = "\0".join(written)
    lost = []
    for text in MESSAGES:
        for part in re.split(
            r"\{\d(?::n)?\}|(?<=A )(?:search|trail)|(?<=of a )(?:search|trail)|(?:dis)?similar$", text
        ):
            words = part.strip(" :.,()")
            if words.lower() not in whole.lower():
                lost.append(f"{text!r}: nothing says {words!r}")
    assert not lost


def _texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
