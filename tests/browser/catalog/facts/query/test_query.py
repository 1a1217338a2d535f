# SPDX-License-Identifier: MIT
from __future__ import annotations

from datetime import datetime
from math import inf, nextafter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.catalog.facts.query.completion import Completion, complete
from focal_photos.browser.catalog.facts.query.selection import selection
from focal_photos.browser.catalog.facts.query.syntax import (
    AllOf,
    AnyOf,
    Failed,
    InPath,
    Judged,
    Labelled,
    Measure,
    Missing,
    Named,
    Not,
    Query,
    QueryError,
    Rated,
    Similar,
    Suggested,
    Tagged,
    Taken,
    TakenWith,
    Word,
    parse,
    quote,
)
from focal_photos.browser.catalog.facts.records import (
    FoundFile,
    Information,
    Reading,
    Suggestion,
    SuggestionState,
    Verdict,
    Written,
)
from focal_photos.browser.catalog.library import Library
from tests.browser.catalog.albums import enter, names_of


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", ()),
        ("  \t ", ()),
        ("beach sun", (Word("beach"), Word("sun"))),
        ('"two words" "tagged"', (Word("two words"), Word("tagged"))),
        ("-beach", (Not(Word("beach")),)),
        ("re-take", (Word("re-take"),)),
        ("tag:animal/dog", (Tagged("animal/dog"),)),
        ("TAG:Sea -tag:sky", (Tagged("Sea"), Not(Tagged("sky")))),
        ('tag:" two   words /  x "', (Tagged("two words/x"),)),
        ("tagged untagged UNTAGGED", (Tagged(), Not(Tagged()), Not(Tagged()))),
        ('path:"a b" path:c', (InPath("a b"), InPath("c"))),
        ('name:"a b" -name:c', (Named("a b"), Not(Named("c")))),
        ("suggested:sea suggested", (Suggested("sea"), Suggested())),
        ("judged failed missing -missing", (Judged(), Failed(), Missing(), Not(Missing()))),
        ("date:2024 date:2024-05 date:2024-05-31", (Taken("2024"), Taken("2024-05"), Taken("2024-05-31"))),
        (r'"say \"hi\" \\ there"', (Word(r'say "hi" \ there'),)),
        (r"C\D", (Word(r"C\D"),)),
        ('tag:"a:b"', (Tagged("a:b"),)),
        ('pre"mid dle"post', (Word("premid dlepost"),)),
        ("3:2", (Word("3:2"),)),
        ("rating:4 rating=4 RATING:=4", (Rated(4, 4),) * 3),
        ("rating>=3 rating>3 -rating<=2", (Rated(3, 5), Rated(4, 5), Not(Rated(-1, 2)))),
        ("rating<3 rating:<3 rating<0 rating>5", (Rated(-1, 2), Rated(-1, 2), Rated(-1, -1), Rated(6, 5))),
        ("rating:rejected rating:-1 rating>rejected", (Rated(-1, -1), Rated(-1, -1), Rated(0, 5))),
        ("rating ratings=3 a<b", (Word("rating"), Word("ratings=3"), Word("a<b"))),
        ('label:red label:" to  do"', (Labelled("red"), Labelled("to do"))),
        ('camera:canon camera:"eos 5d"', (TakenWith("canon"), TakenWith("eos 5d"))),
        ("a or b", (AnyOf((Word("a"), Word("b"))),)),
        ("a b OR c d", (AnyOf((AllOf((Word("a"), Word("b"))), AllOf((Word("c"), Word("d"))))),)),
        ("a (b or c) and d", (Word("a"), AnyOf((Word("b"), Word("c"))), Word("d"))),
        ("-(a b) -(-tagged)", (Not(AllOf((Word("a"), Word("b")))), Not(Not(Tagged())))),
        ("((a))", (Word("a"),)),
        ("(tag:a/b(1) or photo(1).jpg)", (AnyOf((Tagged("a/b(1)"), Word("photo(1).jpg"))),)),
        ('"or" or oran "(" a) :)', (AnyOf((Word("or"), AllOf((Word("oran"), Word("("), Word("a)"), Word(":)"))))),)),
        ("NOT tag:face not (a or b)", (Not(Tagged("face")), Not(AnyOf((Word("a"), Word("b")))))),
        ("a or not -b", (AnyOf((Word("a"), Not(Not(Word("b"))))),)),
        ('"not" -not tag:not note', (Word("not"), Not(Word("not")), Tagged("not"), Word("note"))),
        ("-or tag:or", (Not(Word("or")), Tagged("or"))),
        ("size>=2MB size<12.5mp", (Measure("bytes", 2e6, inf), Measure("pixels", -inf, nextafter(12.5e6, -inf)))),
        ("width:640 height>480px", (Measure("width", 640, 640), Measure("height", nextafter(480, inf), inf))),
        ('similar:"a b.jpg"', (Similar("a b.jpg"),)),
    ],
)
def test_queries_are_parsed(text: str, terms: tuple[object, ...]) -> None:
    assert parse(text) == Query(terms)  # type: ignore[arg-type]  # object stands for any term


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ('beach "open', 6, "quote"),
        ('tag:"open', 4, "quote"),
        ("beach -", 6, "minus"),
        ('""', 0, "quotes"),
        ("beach tag:", 10, "value is needed after tag"),
        ('tag:"  "', 4, "value is needed"),
        ("tag:/", 4, "value is needed"),
        ("colour:red", 0, "There is no key colour"),
        ("x date:May", 7, "2024-05"),
        ("date:2024-5", 5, "2024-05"),
        ("date:2024-13", 5, "2024-05"),
        ("date:2024-00", 5, "2024-05"),
        ("date:2024-05-32", 5, "2024-05"),
        ("x rating:6", 9, "0 to 5 or rejected"),
        ("rating>=", 6, "0 to 5 or rejected"),
        ("rating:-2", 7, "0 to 5 or rejected"),
        ("rating:33", 7, "0 to 5 or rejected"),
        ("label:", 6, "value is needed after label"),
        ("a or", 2, "or needs a term after it"),
        ("or a", 0, "or needs a term before it"),
        ("a or or b", 5, "or needs a term before it"),
        ("a and or b", 6, "or needs a term before it"),
        ("a not", 2, "not needs a term after it"),
        ("not or a", 0, "not needs a term after it"),
        ("(not )", 1, "not needs a term after it"),
        ("x (a", 2, "bracket is not closed"),
        ("x ()", 2, "brackets are empty"),
        ("(a or )", 3, "or needs a term after it"),
        ("(" * 101, 99, "More than 100 brackets"),
        ("size>2", 4, "kb, mb or gb"),
        ("size:2mb", 5, "compared"),
        ("x width>=2mb", 7, "pixels"),
        ("height>tall", 6, "pixels"),
        ("similar:", 8, "value is needed after similar"),
    ],
)
def test_errors_have_a_position_and_a_reason(text: str, position: int, message: str) -> None:
    with pytest.raises(QueryError, match=message) as caught:
        parse(text)
    assert caught.value.position == position
    assert str(caught.value).endswith(f"(at character {position + 1})")


@given(st.text().filter(str.strip))
def test_quote_turns_any_text_into_a_value(text: str) -> None:
    assert parse("path:" + quote(text)) == Query((InPath(text),))


@pytest.fixture
def shelf(library: Library, tmp_path: Path) -> dict[str, int]:
    folder = tmp_path / "Holiday Shots"
    folder.mkdir()
    names = ["2024/Beach_01.JPG", "2024/beach 02.jpg", "2023/Größe 100%.png", "2023/a_b.jpg", "2023/axb.jpg"]
    ids = enter(library, folder, names)
    library.photos.set_descriptions(
        [(photo, 1, 1, datetime(2020 + n, 1 + n, 3, 23, 59)) for n, photo in enumerate(ids[:4])]
    )
    library.tags.change(ids[:2], ["sea"])
    library.tags.change(ids[1:3], ["Animal/Dog"])
    library.tags.change(ids[3:4], ["animals"])
    library.vocabulary.add_alias("Beastly", "Animal")
    library.vocabulary.add_alias("Köter", "Animal/Dog")
    library.suggestions.replace_open([Suggestion(ids[4], "Animal/Dog", 0.5, SuggestionState.OPEN, ())], 1)
    library.judgements.set(ids[0], [ids[4]], Verdict.SIMILAR)
    library.photos.set_failures([(ids[4], "broken")])
    library.files.mark_missing(library.roots.all()[0].id, [b"2023/a_b.jpg"])
    return dict(zip(["one", "two", "size", "a_b", "axb"], ids, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("beach", "one two"),
        ("BEACH .jpg", "one two"),
        ("name:beach", "one two"),
        ("name:holiday -name:2023", "one two"),
        ("animal", "two size a_b"),  # finds tags, their ancestors, and substrings of both
        ("name:animal", ""),
        ("DOG", "two size"),
        ("mal/d", "two size"),
        ("-animal", "one axb"),
        ("sea or name:axb", "one two axb"),
        ("beast", "two size"),  # an alias of the parent tag
        ("Köter 2024", "two"),
        ("animal 2024", "two"),  # the words may match in different places
        ("größe", "size"),
        ("GRÖSSE", "size"),  # the capital form of ß has two letters
        ("Gro\u0308ße", "size"),
        ("100%", "size"),
        ("a_b", "a_b"),
        ("2023 -beach -größe", "a_b axb"),
        ("holiday", "one two size a_b axb"),
        ("shots/2024", ""),
        ('path:"shots/2024"', "one two"),
        ('path:"HOLIDAY SHOTS"', "one two size a_b axb"),
        ("path:ö", "size"),
        ("tag:sea", "one two"),
        ("tag:animal", "two size"),
        ("tag:ANIMAL/dog", "two size"),
        ("tag:animals", "a_b"),
        ("tag:dog", ""),
        ("tag:sea tag:animal", "two"),
        ("-tag:sea -tag:animal", "a_b axb"),
        ("tagged", "one two size a_b"),
        ("untagged", "axb"),
        ("-untagged -tagged", ""),
        ("suggested", "axb"),
        ("suggested:animal", "axb"),
        ("suggested:sea", ""),
        ("judged", "one axb"),
        ("failed", "axb"),
        ("missing", "a_b"),
        ("-missing -failed", "one two size"),
        ("removed", ""),
        ("-removed failed", "axb"),
        ("date:2021", "two"),
        ("date:2021-02-03", "two"),
        ("date:2021-03", ""),
        ("-date:2021", "one size a_b axb"),
        ("it's;--", ""),
        ("\udcff", ""),
        ("tag:\ud800 \udcff", ""),
        ("path:\ud800", ""),
        ("\0", ""),
        ("tag:\0", ""),
        ("x" * 60_000, ""),
        ("path:" + "ö" * 60_000, ""),
    ],
)
def test_queries_find_photos(library: Library, shelf: dict[str, int], text: str, expected: str) -> None:
    found = set(library.photos.ids(text).tolist())
    assert found == {shelf[name] for name in expected.split()}
    assert library.photos.count(text) == len(found)
    # Few photos are missing or have been moved, so `few_listed` covers these filters too.
    few = library.photos.few_listed(text)
    assert few is None or few == library.photos.listed(text).tolist()


def test_photos_in_several_files_are_found(library: Library, shelf: dict[str, int]) -> None:
    root = library.roots.all()[0]
    assert library.photos.count("copied") == 0
    content = library.photos.content_hashes([shelf["two"]])[shelf["two"]]
    (one,) = library.photos.get([shelf["two"]])
    library.files.record([FoundFile(root.id, b"2020/again.jpg", one.bytes, 1, content)])
    assert library.photos.ids("copied").tolist() == [shelf["two"]]
    assert library.photos.few_listed("tag:sea copied") == [shelf["two"]]
    assert shelf["two"] not in library.photos.ids("-copied")
    library.files.mark_missing(root.id, [b"2020/again.jpg"])
    assert library.photos.count("copied") == 0


def test_results_keep_the_order_of_the_paths(library: Library, shelf: dict[str, int]) -> None:
    assert names_of(library, library.photos.ids("-failed").tolist()) == [
        "Größe 100%.png",
        "a_b.jpg",
        "Beach_01.JPG",
        "beach 02.jpg",
    ]


@given(st.text())
def test_text_reaches_sql_only_as_a_value(text: str) -> None:
    for term in (TakenWith, Labelled, Suggested):
        sql, parameters = selection(term(text))
        assert sql == selection(term("x"))[0]
        assert len(parameters) == 1


@pytest.mark.parametrize(
    ("text", "cursor", "proposed"),
    [
        ("", 0, []),
        ("t", 1, ['tag:"two words"', "tag:", "tagged"]),
        ("an", 2, ["tag:animal/dog"]),
        ("x DO", 4, ["tag:animal/dog"]),
        ("-hou", 4, ["tag:animal/dog"]),  # an alias
        ('"two w', 6, ['tag:"two words"']),
        ("20", 2, ["date:2024", "date:2023"]),
        ("2024", 4, ["date:2024", "date:2024-06", "date:2024-05"]),
        ("date:2023", 9, ["date:2023", "date:2023-12"]),
        ("date:", 5, ["date:2024", "date:2023"]),
        ("star", 4, [*(f"rating>={stars}" for stars in range(5, 0, -1)), "rating:0", "rating:rejected"]),
        ("-rating:3", 9, ["rating>=3"]),
        ("rating:re", 9, ["rating:rejected"]),
        ("beach un", 8, ["untagged"]),
        ("-un", 3, []),
        ("-t", 2, ['tag:"two words"', "tag:", "tagged"]),
        ("tagged", 6, []),
        ("tag:", 4, ["sea", "animal/dog", '"two words"']),
        ("tag:S", 5, ["sea"]),
        ("tag:d", 5, ["animal/dog"]),
        ('tag:"two', 8, ['"two words"']),
        ("suggested:an", 12, ["animal/dog"]),
        ("path:x", 6, []),
        ("name:x", 6, []),
        ('"tag', 4, []),
        ("tag:s beach", 5, ["sea"]),
        ("x ", 2, []),
        ("r", 1, ["rating:", "removed"]),
        ("label:", 6, ["Red", '"To Do"']),
        ("label:d", 7, []),
        ("camera:e", 8, ['"Canon EOS 5D"']),
    ],
)
def test_words_are_completed(text: str, cursor: int, proposed: list[str]) -> None:
    names = ["sea", "animal/dog", "two words"]
    found = complete(
        text,
        cursor,
        names,
        labels=["Red", "To Do"],
        cameras=["Canon EOS 5D", "X100"],
        other_names={"hound": "animal/dog"},
        months=["2024-06", "2024-05", "2023-12"],
    )
    assert [completion.text for completion in found] == proposed


def test_a_completion_replaces_the_whole_word() -> None:
    assert complete("x -tag:seashore y", 10, ["sea"]) == [Completion(7, 15, "sea", "tag", "sea")]
    assert complete("x -seashore y", 6, ["sea"]) == [Completion(3, 11, "tag:sea", "tag", "sea")]
    assert complete("x -tog", 4, []) == [Completion(3, 6, "tag:"), Completion(3, 6, "tagged")]
    assert complete("x -date:202", 11, [], months=["2024-05"])[0] == Completion(3, 11, "date:2024", "date", "2024")
    assert complete("x -rating:4", 11, []) == [Completion(3, 11, "rating>=4", "rating", "4")]
    assert complete("x rating:4", 10, []) == [Completion(2, 10, "rating>=4", "rating", "4")]


@given(st.text(), st.integers(0, 50))
def test_complete_accepts_any_text(text: str, cursor: int) -> None:
    for completion in complete(text, min(cursor, len(text)), ["sea"]):
        assert 0 <= completion.start <= completion.end <= len(text)


def test_a_library_completes_tags_in_use(library: Library, shelf: dict[str, int]) -> None:
    assert [completion.text for completion in library.photos.complete("tag:an", 6)] == ["Animal/Dog", "animals"]


@pytest.fixture
def marked(library: Library, tmp_path: Path) -> Library:
    (tmp_path / "album").mkdir()
    names = ["rejected", "none", "one", "three", "five", "labelled"]
    ids = enter(library, tmp_path / "album", [f"{name}.jpg" for name in names])
    for number, rating in zip(ids, (-1, None, 1, 3, 5, None), strict=True):
        library.marks.set([number], rating=rating)
    library.marks.set([ids[-1], ids[4]], label="To Do")
    cameras = ("Canon EOS 5D", "NIKON D750", None)
    library.information.record(
        Reading(photo.id, photo.content_hash, "", Written(), Information(camera))
        for photo, camera in zip(library.photos.get(ids[:3]), cameras, strict=True)
    )
    return library


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rating:3", "three"),
        ("rating>=3", "five three"),
        ("rating>3", "five"),
        ("rating>5", ""),
        ("rating:0", "labelled none"),
        ("-rating:0", "five one rejected three"),
        ("rating<3", "labelled none one rejected"),
        ("rating<=0", "labelled none rejected"),
        ("rating<0", "rejected"),
        ("rating>=-1", "five labelled none one rejected three"),
        ("rating:rejected", "rejected"),
        ("rating>=0", "five labelled none one three"),
        ('label:"to do"', "five labelled"),
        ("label:to", ""),
        ("-label:'x", "five labelled none one rejected three"),
        ("camera:CANON", "rejected"),
        ("camera:5d", "rejected"),
        ("camera:7", "none"),
        ("-camera:canon rating<1", "labelled none"),
    ],
)
def test_photos_are_found_by_rating_label_and_camera(marked: Library, text: str, expected: str) -> None:
    found = names_of(marked, marked.photos.ids(text).tolist())
    assert sorted(name.removesuffix(".jpg") for name in found) == expected.split()


def test_a_library_completes_labels_and_cameras(marked: Library) -> None:
    assert [one.text for one in marked.photos.complete("label:", 6)] == ['"To Do"']
    assert [one.text for one in marked.photos.complete("camera:d", 8)] == ['"NIKON D750"']
