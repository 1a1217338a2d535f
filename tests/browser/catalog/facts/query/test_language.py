# SPDX-License-Identifier: MIT
"""Filter results compared with a simple evaluation of the query tree photo by photo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.query.syntax import Missing, QueryError, leave_out, parse
from focal_photos.browser.catalog.facts.records import FoundFile
from focal_photos.browser.catalog.library import Library
from tests.browser.catalog.albums import enter


@dataclass(frozen=True)
class Plain:
    """A photo, as the reference evaluation uses it."""

    path: str
    size: int
    width: int | None
    height: int | None
    tags: tuple[str, ...]
    rating: int


NAMES = ["2024/Beach_01.JPG", "2024/beach (2).jpg", "2023/or.jpg", "2023/a.jpg", "b.png", "c.png", "2022/a.jpg"]
TAGS = [("sea",), ("sea", "animal/dog"), ("animal/dog",), (), ("Animal",), ("seaside",), ()]
SIZES = [None, (640, 480), (4000, 3000), (3000, 4000), (1, 1), (641, 480), None]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Library, list[int], list[Plain]]]:
    folder = tmp_path_factory.mktemp("shelf")
    with Library.open(folder / "library") as library:
        root = library.roots.add(folder)
        files = [
            FoundFile(root.id, name.encode(), 500_000 * number, 1, f"{number:032}") for number, name in enumerate(NAMES)
        ]
        ids = list(library.files.record(files).new)
        plain = []
        for number, photo in enumerate(ids):
            size = SIZES[number]
            if size is not None:
                library.photos.set_descriptions([(photo, *size, datetime(2024, 1, 1))])
            library.tags.change([photo], TAGS[number])
            rating = number % 7 - 1
            library.marks.set([photo], rating=rating)
            width, height = size or (None, None)
            plain.append(Plain(NAMES[number], 500_000 * number, width, height, TAGS[number], rating))
        yield library, ids, plain


Tree = tuple[str, Any]
LEAVES = [
    *(("word", word) for word in ("beach", "2024", "a.jpg", "or", "(2)", "png", "sea", "ANIM", "l/d", "a")),
    *(("name", word) for word in ("beach", "sea", "a")),
    *(("tag", tag) for tag in ("sea", "animal", "Animal/dog", "nothing")),
    ("flag", "tagged"),
    ("flag", "untagged"),
    *(("rating", (sign, number)) for sign in ("<", ">=", "=", ">") for number in (-1, 0, 3)),
    *(("size", (sign, number)) for sign in ("<", ">=", "<=", ">") for number in (0, 0.5, 2)),
    *(("mp", (sign, number)) for sign in ("<", ">=") for number in (0.3072, 12)),
    *(("width", (sign, number)) for sign in ("<", "<=", ">", "=") for number in (640, 3000)),
]
TREES: st.SearchStrategy[Tree] = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["all", "any"]), st.lists(inner, min_size=1, max_size=3)),
    ),
    max_leaves=8,
)
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
}


def holds(tree: Tree, photo: Plain) -> bool:
    kind, value = tree
    match kind:
        case "not":
            return not holds(value, photo)
        case "all":
            return all(holds(each, photo) for each in value)
        case "any":
            return any(holds(each, photo) for each in value)
        case "word":
            return holds(("name", value), photo) or any(value.lower() in tag.lower() for tag in photo.tags)
        case "name":
            return value.lower() in photo.path.lower()
        case "tag":
            return any((tag.lower() + "/").startswith(value.lower() + "/") for tag in photo.tags)
        case "flag":
            return bool(photo.tags) is (value == "tagged")
    sign, number = value
    if kind == "mp":
        known, number = photo.width and photo.height and photo.width * photo.height, round(number * 1e6)
    else:
        known = {"rating": photo.rating, "size": photo.size, "width": photo.width}[kind]
        number = number * 1e6 if kind == "size" else number
    return known is not None and COMPARE[sign](known, number)


def text_of(tree: Tree, brackets: bool = False) -> str:
    kind, value = tree
    match kind:
        case "not":
            inner = text_of(value, brackets=True)
            return f"-({inner})" if inner.startswith("-") else f"-{inner}"
        case "all" | "any":
            inner = (" " if kind == "all" else " or ").join(text_of(each, brackets=True) for each in value)
            return f"({inner})" if brackets else inner
        case "word":
            return f'"{value}"' if value in ("or", "(2)") else value
        case "tag" | "name":
            return f"{kind}:{value}"
        case "flag":
            return str(value)
    sign, number = value
    unit = {"mp": "mp", "size": "mb"}.get(kind, "")
    return f"{'size' if kind == 'mp' else kind}{sign}{number}{unit}"


@given(TREES)
def test_a_filter_finds_the_photos_of_its_tree(shelf: tuple[Library, list[int], list[Plain]], tree: Tree) -> None:
    library, ids, plain = shelf
    expected = {photo for photo, one in zip(ids, plain, strict=True) if holds(tree, one)}
    text = text_of(tree)
    assert set(library.photos.ids(text).tolist()) == expected, text
    assert set(library.photos.ids(f"( {text} )").tolist()) == expected
    assert set(library.photos.ids(f"-({text})").tolist()) == set(ids) - expected


@given(st.lists(TREES, min_size=1, max_size=3), st.sampled_from(LEAVES), st.integers(0, 3))
def test_few_photos_are_filtered_in_the_same_order(
    shelf: tuple[Library, list[int], list[Plain]], trees: list[Tree], leaf: Tree, place: int
) -> None:
    library, _, _ = shelf
    text = text_of(("all", [*trees[:place], leaf, *trees[place:]]))
    few = library.photos.few_listed(text)
    assert few is None or few == library.photos.listed(text).tolist(), text


@given(st.text('ab ()-or"tag:>=1', max_size=30) | st.text())
def test_any_text_is_parsed_or_refused_with_a_position(
    shelf: tuple[Library, list[int], list[Plain]], text: str
) -> None:
    library, ids, _ = shelf
    place = 0
    try:
        assert set(library.photos.ids(text).tolist()) <= set(ids)
    except QueryError as error:
        place = error.position
    assert 0 <= place <= len(text)


def test_terms_are_excluded_unless_the_query_mentions_them() -> None:
    for text in ("missing", "a or -missing", "a (b or (c missing))"):
        assert leave_out(parse(text), Missing()) == parse(text)
    assert leave_out(parse("a or b"), Missing()) == parse("(a or b) -missing")


@pytest.mark.parametrize(
    ("name", "photo"),
    [
        ("beach_01.jpg", 0),
        ("Beach_01", 0),
        ('"beach (2)"', 1),
        ("2022/a.jpg", 6),
        ("2022/A", 6),
        ("b", 4),
    ],
)
def test_photos_near_a_named_photo_are_found(
    shelf: tuple[Library, list[int], list[Plain]], name: str, photo: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, ids, _ = shelf
    asked = []

    def near(number: int) -> NDArray[np.int64]:
        asked.append(number)
        return np.array([number, ids[3], 10_000], np.int64)

    monkeypatch.setattr(library.photos, "similar", near)
    assert set(library.photos.ids(f"similar:{name}").tolist()) == {ids[photo], ids[3]}
    assert set(library.photos.ids(f"-similar:{name} png").tolist()) == {ids[4], ids[5]} - {ids[photo]}
    assert set(asked) == {ids[photo]}


def test_a_name_must_match_one_photo(shelf: tuple[Library, list[int], list[Plain]]) -> None:
    library, ids, _ = shelf
    with pytest.raises(QueryError, match="leave it out here"):
        library.photos.ids("similar:b")
    library.photos.similar = lambda photo: np.array([photo])
    try:
        whole = library.photos.paths(ids)[3]
        assert library.photos.ids(f'similar:"{whole}"').tolist() == [ids[3]]
        for name, told, position in (("a.jpg", "2 photos are called a.jpg", 10), ("jp", "No photo is called jp", 10)):
            with pytest.raises(QueryError, match=told) as caught:
                library.photos.ids(f"x similar:{name}")
            assert caught.value.position == position
    finally:
        library.photos.similar = None


def test_an_empty_library_has_no_matches(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        for text in ("a or b", "-(a)", "width>1 or -width>1"):
            assert library.photos.ids(text).tolist() == []
        enter(library, tmp_path, ["a"])
        assert library.photos.count("a or b") == 1


def test_a_full_file_name_has_priority_over_one_without_suffix(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        whole, part = enter(library, tmp_path, ["a.jpg", "b/a.jpg.png"])
        library.photos.similar = lambda photo: np.array([photo])
        assert library.photos.ids("similar:a.jpg").tolist() == [whole]
        assert library.photos.ids("similar:a.jpg.png").tolist() == [part]
