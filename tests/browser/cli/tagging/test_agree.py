# SPDX-License-Identifier: MIT
"""``focal agree``."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album


@pytest.fixture
def colleague(indexed: Focal, album: Album, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Focal:
    """Return the library of a colleague, who has the same photos with other names and differs on one photo of four."""
    folder = tmp_path / "colleague's photos"
    for number, path in enumerate(sorted(album.folder.rglob("*.jpg"))):
        folder.mkdir(exist_ok=True)
        shutil.copy(path, folder / f"{number:02}.jpg")  # cold/0 ... cold/4, warm/0 ... warm/4
    other = Focal(tmp_path / "colleague", capsys)
    other("index", folder, "--descriptors", "color_moments")
    other("tag", folder / "00.jpg", folder / "01.jpg", "+ice")
    other("tag", folder / "02.jpg", folder / "03.jpg", "+sun")
    indexed("tag", *(album.path(f"cold/{number}.jpg") for number in range(3)), "+ice")
    indexed("tag", album.path("cold/3.jpg"), "+sun")
    return other


def test_tags_are_compared_with_a_library_and_with_its_archive(
    indexed: Focal, album: Album, colleague: Focal, tmp_path: Path
) -> None:
    found = indexed.json("agree", colleague.library)
    assert found["annotators"] == ["library", "colleague"]
    assert (found["photos"], found["statistic"]) == (10, "cohen")
    ice, sun = found["tags"]
    assert (ice["tag"], ice["photos"], ice["carried"], ice["disagreements"]) == ("ice", 4, [3, 2], 1)
    assert ice["observed"] == 0.75
    assert ice["kappa"]["value"] == pytest.approx(0.5), "by hand: (.75 - .5) / .5"
    assert ice["alpha"]["value"] == pytest.approx(1 - 7 * 2 / (64 - 25 - 9)), "by hand, from the coincidences"
    assert ice["kappa"]["low"] < 0.5 < ice["kappa"]["high"]
    assert sun["tag"] == "sun"
    path = str(album.path("cold/2.jpg"))
    assert found["disagreements"] == [
        {"path": path, "tag": "ice", "answers": [True, False], "answered": False},
        {"path": path, "tag": "sun", "answers": [False, True], "answered": False},
    ]
    archive = tmp_path / "anna.focal.zip"
    colleague("archive", archive)
    again = indexed.json("agree", archive)
    assert again.pop("annotators") == ["library", "anna"]
    assert again == {key: value for key, value in found.items() if key != "annotators"}
    assert indexed.json("agree", archive, "--tag", "sun")["tags"] == [sun]
    assert indexed("undo").startswith("Undone: Tag"), "nothing was changed"


def test_three_people_are_compared_where_all_answered(indexed: Focal, colleague: Focal, tmp_path: Path) -> None:
    archive = tmp_path / "colleague.focal.zip"
    colleague("archive", archive)
    found = indexed.json("agree", colleague.library, archive)
    assert found["annotators"] == ["library", "colleague", "colleague (2)"]
    assert found["statistic"] == "fleiss"
    assert {one["tag"]: one["photos"] for one in found["tags"]} == {"ice": 4, "sun": 4}


def test_photos_without_tags_count_on_request(indexed: Focal, colleague: Focal) -> None:
    (ice, _) = indexed.json("agree", colleague.library, "--untagged")["tags"]
    assert (ice["photos"], ice["observed"]) == (10, 0.9)


def test_the_text_shows_values_with_intervals_and_who_says_what(indexed: Focal, album: Album, colleague: Focal) -> None:
    lines = indexed("agree", colleague.library).splitlines()
    assert lines[0] == "10 photos in common: library, colleague"
    assert lines[1].startswith("ice: kappa .50 (")
    assert lines[1].endswith("75 % equal, 1 disagreement in 4 photos")
    assert f"{album.path('cold/2.jpg')}: ice: library yes, colleague no" in lines
    assert indexed("agree", colleague.library, "--limit", "1").splitlines()[-1].startswith("and 1 more disagreements")


def test_aliases_of_this_library_stand_for_their_tags(indexed: Focal, colleague: Focal) -> None:
    colleague("tags", "--rename", "ice", "Eis")
    assert indexed.json("agree", colleague.library, "--tag", "ice")["tags"][0]["carried"] == [3, 0]
    indexed("tags", "--alias", "Eis", "ice")
    assert indexed.json("agree", colleague.library, "--tag", "ice")["tags"][0]["carried"] == [3, 2]


def test_what_cannot_be_compared_is_refused(
    indexed: Focal, colleague: Focal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    indexed("agree", tmp_path / "nowhere.zip", code=1)
    assert "is not there" in indexed.err
    indexed("agree", colleague.library, "--tag", "fire", code=1)
    assert "No photo in common carries the tag fire" in indexed.err
    strange = Album(tmp_path / "strange")
    strange.draw("green.jpg", kind="green")
    other = Focal(tmp_path / "other", capsys)
    other("index", strange.folder, "--descriptors", "color_moments")
    indexed("agree", other.library, code=1)
    assert "no photo in common" in indexed.err


def test_a_recorded_comparison_is_in_the_certificate(
    indexed: Focal, album: Album, colleague: Focal, tmp_path: Path
) -> None:
    indexed("agree", colleague.library, "--record")
    table = tmp_path / "questions.csv"
    indexed("certify", "--begin", "--questions", table)
    table.write_text(table.read_text().replace(",yes,\n", ",yes,yes\n").replace(",no,\n", ",no,no\n"))
    (found,) = indexed.json("certify", "--answers", table)["certificate"]["agreements"]
    assert found["people"] == ["library", "colleague"]
    assert {one["tag"]: one["disagreements"] for one in found["tags"]} == {"ice": 1, "sun": 1}
    assert "ice: kappa 0.50 (" in indexed("certify")
    assert "between library, colleague" in indexed("certify")
    indexed("agree", colleague.library)
    assert indexed("undo").startswith("Undone: Audit"), "a comparison without --record changes nothing"
