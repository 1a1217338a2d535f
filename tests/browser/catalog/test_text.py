# SPDX-License-Identifier: MIT
"""Texts keep their template and arguments: in errors, between processes, and as arguments of other texts."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.query.syntax import QueryError
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.text import Text, counted, from_stored, to_stored
from focal_photos.features.decoding.limits import ImageError


def test_a_text_is_its_english_sentence() -> None:
    text = Text("{0} has {1:,} photos: {2!r}", Path("/a {b}"), 1234, "x")
    assert text == "/a {b} has 1,234 photos: 'x'"
    assert (text.template, text.arguments) == ("{0} has {1:,} photos: {2!r}", ("/a {b}", 1234, "x"))
    assert json.dumps(text) == "\"/a {b} has 1,234 photos: 'x'\""
    assert Text("{without} arguments") == "{without} arguments"


@pytest.mark.parametrize("kind", [LibraryError, ImageError])
def test_errors_keep_their_parts_between_processes(kind: type[LibraryError | ImageError]) -> None:
    error = pickle.loads(pickle.dumps(kind("{0} is damaged: {1}", Path("a.jpg"), kind("{0} %", 31))))
    assert str(error) == "a.jpg is damaged: 31 %"
    text = str(error)
    assert isinstance(text, Text)
    assert text.template == "{0} is damaged: {1}"
    inner = text.arguments[1]
    assert isinstance(inner, Text)
    assert (inner.template, inner.arguments) == ("{0} %", (31,))


def test_an_error_of_a_filled_text_is_not_filled_again() -> None:
    assert str(LibraryError(Text("{0}", "{1}"))) == "{1}"
    assert str(LibraryError("a {name}")) == "a {name}"


def test_an_invalid_query_names_the_place_between_processes() -> None:
    error = pickle.loads(pickle.dumps(QueryError(Text("A value is needed after {0}:", "tag"), 4)))
    assert str(error) == "A value is needed after tag: (at character 5)"
    assert (error.message.arguments, error.position) == (("tag",), 4)


def test_counts_have_a_singular() -> None:
    assert counted(1, "1 photo", "{0} photos") == "1 photo"
    assert counted(2, "1 photo", "{0} photos").arguments == (2,)


def test_stored_texts_keep_their_parts() -> None:
    text = Text("Tag {0}: {1}", counted(1, "1 photo", "{0} photos"), 'sea "x" {0}')
    found = from_stored(to_stored(text))
    assert found == text == 'Tag 1 photo: sea "x" {0}'
    assert isinstance(found, Text)
    assert (found.template, found.arguments) == (text.template, text.arguments)
    assert isinstance(found.arguments[0], Text)
    assert to_stored(Text("Add audit")) == from_stored("Add audit") == "Add audit"


@pytest.mark.parametrize(
    "text", ['["', '["a"', '["{x}", 1]', '["{0.__class__}", 1]', '["{1}", 1]', '["{0:9999999999}", 1]']
)
def test_a_stored_text_of_another_program_is_not_filled(text: str) -> None:
    assert from_stored(text) == text
