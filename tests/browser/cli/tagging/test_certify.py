# SPDX-License-Identifier: MIT
"""``focal certify``: an audit by means of a table, and its certificate."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album


@pytest.fixture
def tagged(indexed: Focal, album: Album) -> Focal:
    """Return a library with tagged warm and cold photos, one of them with a wrong tag."""
    indexed("tag", *[album.path(f"warm/{i}.jpg") for i in range(4)], "+warm")
    indexed("tag", *[album.path(f"cold/{i}.jpg") for i in range(4)], album.path("warm/4.jpg"), "+cold")
    return indexed


def answered(table: Path) -> None:
    """Answer all questions by the folders of the photos."""
    with table.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        row["present"] = "yes" if Path(row["file"]).parent.name == row["tag"] else "no"
    with table.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_an_audit_runs_from_the_draw_to_the_certificate(tagged: Focal, album: Album, tmp_path: Path) -> None:
    assert "--begin" in tagged("certify")
    assert tagged.json("certify") == {"drawn": 0, "certificate": None}
    table = tmp_path / "questions.csv"
    begun = tagged.json("certify", "--begin", "--questions", table)
    assert begun["questions"] == begun["drawn"] > 0
    assert begun["certificate"] is None
    assert f"of {begun['drawn']} that were drawn" in tagged("certify")
    answered(table)
    found = tagged.json("certify", "--answers", table)["certificate"]
    assert [one["tag"] for one in found["tags"]] == ["cold", "warm"]
    assert found["answered"] == begun["drawn"]
    assert found["tags"][0]["wrong_found"] == 1
    exact = pytest.approx(0.6)  # by hand: (.8 - .5) / (1 - .5), with all photos answered
    assert found["tags"][0]["agreement"] == {"value": exact, "low": exact, "high": exact}
    assert found["tags"][0]["precision"] == {"value": 1, "low": 1, "high": 1}, "the answer corrected the tag"
    assert tagged.lines("list", "tag:cold", "path:warm") == []
    text = tagged("certify", "--export", tmp_path / "page.html")
    assert "and at least 90 % of the tags that photos should have are given." in text
    assert re.search(r"^warm: .*\(80.100\) found", text, re.M), "the wrongly tagged photo may be warm"
    assert "cold: 100 % (100\N{EN DASH}100) right" in text
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    tagged("certify", "--export", tmp_path / "certificate.json")
    assert json.loads((tmp_path / "certificate.json").read_text()) == found
    assert tagged("undo").startswith("Undone: Audit cold, warm")
    assert len(tagged.lines("list", "tag:cold", "path:warm")) == 1
    assert tagged.json("certify")["certificate"] is None
    tagged("redo")
    assert not tagged.json("certify")["certificate"]["out_of_date"]
    tagged("tag", album.path("cold/0.jpg"), "+warm")
    assert [one["out_of_date"] for one in tagged.json("certify")["certificate"]["tags"]] == [False, True]
    assert "Out of date" in tagged("certify")


def test_wrong_tags_are_retained_on_request(tagged: Focal, tmp_path: Path) -> None:
    table = tmp_path / "questions.csv"
    tagged("certify", "--begin", "+cold", "--questions", table)
    answered(table)
    found = tagged.json("certify", "--answers", table, "--keep-tags")["certificate"]
    assert [one["tag"] for one in found["tags"]] == ["cold"]
    assert found["tags"][0]["precision"]["value"] == pytest.approx(0.8)
    assert len(tagged.lines("list", "tag:cold", "path:warm")) == 1


def test_wrong_arguments_are_refused(tagged: Focal, tmp_path: Path) -> None:
    tagged("certify", "--per-tag", "20", code=2)
    assert "--begin" in tagged.err
    tagged("certify", "--export", tmp_path / "a.html", code=2)
    assert "answer" in tagged.err
    tagged("certify", "--begin", "+nothing", code=1)
    assert "nothing" in tagged.err
    tagged("certify", "--accept-rest", code=1)
    assert "audit" in tagged.err


def test_the_rest_is_accepted_and_undone(tagged: Focal, tmp_path: Path) -> None:
    table = tmp_path / "questions.csv"
    tagged("certify", "--begin", "--per-tag", "20", "--questions", table)
    answered(table)
    tagged("certify", "--answers", table)
    assert tagged.json("certify", "--accept-rest")["accepted"] == 0, "no photo is left to accept"


def test_an_audit_is_limited_to_a_query(tagged: Focal, tmp_path: Path) -> None:
    table = tmp_path / "questions.csv"
    tagged("certify", "--begin", "--query", "path:cold", "--questions", table)
    with table.open(newline="") as stream:
        assert {Path(row["file"]).parent.name for row in csv.DictReader(stream)} == {"cold"}
    answered(table)
    assert tagged.json("certify", "--answers", table)["certificate"]["scope"] == "path:cold"


def test_a_blind_second_pass_measures_self_agreement(tagged: Focal, tmp_path: Path) -> None:
    table = tmp_path / "questions.csv"
    tagged("certify", "--begin", "--per-tag", "10", "--questions", table, "--blind")
    with table.open(newline="") as stream:
        assert {(row["tagged"], row["present"]) for row in csv.DictReader(stream)} == {("", "")}
    answered(table)
    found = tagged.json("certify", "--answers", table, "--keep-tags")["certificate"]
    agreements = {one["tag"]: one["agreement"]["value"] for one in found["tags"]}
    assert set(agreements) == {"cold", "warm"}
    assert all(0.5 < value < 1 for value in agreements.values()), "one photo of ten was tagged otherwise"
    assert len(tagged.lines("list", "tag:cold", "path:warm")) == 1, "the tags are kept"
    assert "cold: kappa 0." in tagged("certify")
    tagged("certify", "--questions", table, "--blind")
    with table.open(newline="") as stream:
        assert {row["present"] for row in csv.DictReader(stream)} == {""}, "earlier answers are not shown either"
    tagged("certify", "--blind", code=2)
    assert "add --questions" in tagged.err


def test_a_blind_audit_hides_the_tags_and_keeps_them(tagged: Focal, tmp_path: Path) -> None:
    table = tmp_path / "questions.csv"
    tagged("certify", "--begin", "--blind", "--per-tag", "10", "--questions", table)
    with table.open(newline="") as stream:
        assert {(row["tagged"], row["present"]) for row in csv.DictReader(stream)} == {("", "")}
    answered(table)
    found = tagged.json("certify", "--answers", table)["certificate"]
    assert found["blind"]
    assert len(tagged.lines("list", "tag:cold", "path:warm")) == 1, "the answers correct no tags"
    assert "self-agreement" in tagged("certify")
    tagged("certify", "--begin")
    tagged("undo")
    assert tagged.json("certify")["certificate"]["blind"], "undo brings back the blind audit"
    tagged("certify", "--begin", "--questions", table)
    answered(table)
    assert not tagged.json("certify", "--answers", table)["certificate"]["blind"]
    assert tagged.lines("list", "tag:cold", "path:warm") == [], "an audit that shows the tags corrects them"


def test_planted_photos_measure_the_person(tagged: Focal, album: Album, tmp_path: Path) -> None:
    known = tmp_path / "known.jsonl"
    rows = [{"path": str(album.path(f"{kind}/{i}.jpg")), "tags": [kind]} for kind in ("warm", "cold") for i in (2, 3)]
    known.write_text("\n".join(map(json.dumps, rows)))
    table = tmp_path / "questions.csv"
    tagged("certify", "--begin", "--blind", "--planted", known, "--questions", table)
    answered(table)
    tagged("certify", "--answers", table)
    (person,) = tagged.json("certify")["certificate"]["people"]
    assert person["answers"] == {"found": 4, "missed": 0, "wrong": 0, "refused": 4}
    assert person["recall"]["low"] < person["recall"]["value"] == 1
    assert f"{person['person']}: 100 % (" in tagged("certify")
    tagged("certify", "--planted", known, code=2)
    assert "--begin" in tagged.err
