# SPDX-License-Identifier: MIT
"""Results and messages of the commands. `test_processes` tests them as processes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.cli import main
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.learners.persistence import load
from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album


def test_commands_print_readable_text(indexed: Focal, album: Album) -> None:
    out = indexed("index", album.folder)
    assert out.startswith("10 photos, 0 new, 0 failed")
    warm = [album.path(f"warm/{i}.jpg") for i in range(5)]
    assert indexed("tag", *warm[:4], "+sun") == "Tag 4 photos: sun\n"
    assert indexed("tag", *warm[:4], "+sun") == "Nothing to change.\n"
    assert indexed("judge", warm[0], warm[1], "--dissimilar") == "Mark 1 photo as dissimilar\n"
    assert indexed("train").startswith("Kernel metric (v1) from 1 judgements and 4 tagged photos")
    assert len(indexed("rank", warm[0], "--limit", "3").splitlines()) == 3
    assert indexed("suggest", warm[4]).startswith(f"{warm[4]}: sun ")
    assert "* kernel-1" in indexed("metrics")
    assert indexed("undo") == "Undone: Train metric: Kernel metric (v1)\n"
    assert indexed("redo") == "Redone: Train metric: Kernel metric (v1)\n"
    assert indexed("check") == "Nothing is wrong.\n"


def test_tagged_photos_are_listed(indexed: Focal, album: Album) -> None:
    one, two = album.path("warm/0.jpg"), album.path("cold/0.jpg")
    indexed("tag", one, two, "+sea", "+boat")
    changed = indexed.json("tag", one, "-boat", "+sky")
    assert changed == {"photos": [str(one)], "add": ["sky"], "remove": ["boat"], "changed": 1}
    assert [line["path"] for line in indexed.lines("list", "tag:sea")] == [str(two), str(one)]
    assert [line["path"] for line in indexed.lines("list", "tag:sea", "-tag:boat")] == [str(one)]
    assert indexed.lines("list", "tag:sky")[0]["tags"] == ["sea", "sky"]
    indexed("list", "date:never", code=1)
    assert "character" in indexed.err


def test_judgements_are_given_and_cleared(indexed: Focal, album: Album) -> None:
    focal_image, one, two = (album.path(name) for name in ("warm/0.jpg", "warm/1.jpg", "cold/1.jpg"))
    assert indexed.json("judge", focal_image, one, two, "--similar")["changed"] == 2
    cleared = indexed.json("judge", focal_image, two, "--clear")
    assert (cleared["verdict"], cleared["changed"]) == (None, 1)
    lines = indexed.lines("export", "--what", "judgements")
    assert [(line["focal"], line["other"], line["verdict"]) for line in lines] == [
        (str(focal_image), str(one), "similar")
    ]


def test_looks_and_nearness_are_judged_and_cleared(indexed: Focal, album: Album) -> None:
    focal_image, one, two = (album.path(name) for name in ("warm/0.jpg", "warm/1.jpg", "cold/1.jpg"))
    assert indexed("judge", focal_image, one, two, "--looks-alike") == "Mark 2 photos as looking alike\n"
    nearer = indexed.json("judge", focal_image, one, two, "--nearer")
    assert (nearer["verdict"], nearer["images"], nearer["changed"]) == ("nearer", [str(one), str(two)], 2)
    lines = indexed.lines("export", "--what", "judgements")
    assert {(line["other"], line["verdict"], line["than"]) for line in lines[:2]} == {
        (str(one), "looks alike", None),
        (str(two), "looks alike", None),
    }
    assert (lines[2]["other"], lines[2]["verdict"], lines[2]["than"]) == (str(one), "nearer", str(two))
    indexed("judge", focal_image, one, two, album.path("warm/2.jpg"), "--nearer", code=2)
    indexed("judge", focal_image, one, "--nearer", code=2)
    indexed("judge", one, "--text", "a boat", "--looks-alike", code=2)
    indexed("judge", focal_image, one, "--clear")
    assert [line["verdict"] for line in indexed.lines("export", "--what", "judgements")] == ["looks alike", "nearer"]
    indexed("judge", focal_image, one, two, "--clear")
    assert indexed.lines("export", "--what", "judgements") == []


def test_a_photo_is_not_judged_against_itself(indexed: Focal, album: Album) -> None:
    one, two = album.path("warm/0.jpg"), album.path("warm/1.jpg")
    assert indexed.json("judge", one, one, two, "--similar")["images"] == [str(two)]
    indexed("judge", one, one, "--similar", code=1)
    assert "against itself" in indexed.err


def test_rank_takes_any_image_metric_and_query(indexed: Focal, album: Album, tmp_path: Path) -> None:
    outside = Album(tmp_path / "elsewhere").draw("x.png", kind="cold", seed=99)
    ranked = indexed.json("rank", outside, "--metric", "euclidean", "--limit", "4")
    assert (ranked["focal"], len(ranked["results"])) == (str(outside), 4)
    assert all("/cold/" in one["path"] for one in ranked["results"])
    only = indexed.json("rank", outside, "--query", "path:warm")
    assert {Path(one["path"]).parent.name for one in only["results"]} == {"warm"}
    indexed("settings", "ranking.neighbors", "off")
    plain = indexed.json("rank", outside)
    indexed("settings", "ranking.neighbors", "on")
    again = indexed.json("rank", outside)
    assert indexed.json("rank", outside, "--no-rerank")["results"] == plain["results"] != again["results"]
    indexed("rank", outside, "--metric", "smell", code=1)
    assert "no metric smell" in indexed.err
    indexed("rank", album.path("nothing.jpg"), code=1)
    assert "cannot be used as focal image" in indexed.err


def test_rank_refuses_a_box_that_is_none(indexed: Focal, album: Album) -> None:
    photo = album.path("warm/0.jpg")
    for box in ("0.5,0.5,0.6,0.2", "1,2,3", "a,b,c,d", "0,0,0,0.5", "-0.1,0,0.5,0.5", "nan,0,1,1"):
        indexed("rank", photo, f"--box={box}", code=2)
    indexed("rank", "--text", "boat", "--box", "0,0,1,1", code=2)
    indexed("rank", photo, "--why", "--box", "0,0,1,1", code=2)
    indexed("rank", photo, "--box", "0.1,0.1,0.9,0.9", code=1)
    assert "focal descriptors --on fisher_windows" in indexed.err


@pytest.mark.slow
def test_rank_by_a_box(indexed: Focal, album: Album) -> None:
    indexed("descriptors", "--on", "dense_sift_fisher,dense_color_fisher,fisher_windows")
    indexed("index")
    photo = album.path("warm/0.jpg")
    ranked = indexed.json("rank", photo, "--box", "0.1,0.1,0.5,0.5", "--limit", "3")
    assert (ranked["focal"], ranked["metric"], len(ranked["results"])) == (str(photo), "euclidean", 3)
    for one in ranked["results"]:
        x, y, width, height = one["box"]
        assert 0 <= x < x + width <= 1.0001
        assert 0 <= y < y + height <= 1.0001
    assert str(photo) not in {one["path"] for one in ranked["results"]}
    assert all("," in line for line in indexed("rank", photo, "--box", "0,0,1,1").splitlines())


def test_suggestions_are_accepted_and_rejected(indexed: Focal, album: Album) -> None:
    warm = [album.path(f"warm/{i}.jpg") for i in range(5)]
    indexed("tag", *warm[:3], "+sun", "+sand")
    lines = indexed.lines("suggest", "--untagged", "--per-photo", "1")
    assert len(lines) == 7
    assert all(len(line["suggestions"]) == 1 for line in lines)
    indexed("suggest", *warm[3:])
    assert indexed.json("accept", warm[3], "+sun") == {"accepted": [{"path": str(warm[3]), "tag": "sun"}]}
    assert indexed.lines("list", "tag:sand")[-1]["path"] == str(warm[2]), "other suggestions stay open"
    assert {one["tag"] for one in indexed.json("reject", warm[4])["rejected"]} == {"sun", "sand"}
    (line,) = indexed.lines("suggest", warm[4])
    assert line["suggestions"] == []
    assert indexed.lines("list", "tag:sun")[-1]["path"] == str(warm[3])
    indexed("accept", warm[4], code=1)
    assert "focal suggest" in indexed.err


def test_the_accuracy_of_suggestions_is_measured(indexed: Focal, album: Album) -> None:
    indexed("suggest", "--accuracy", code=1)
    assert "No indexed photo is tagged" in indexed.err
    for kind in ("warm", "cold"):
        indexed("tag", *(album.path(f"{kind}/{i}.jpg") for i in range(5)), f"+{kind}")
    found = indexed.lines("suggest", "--accuracy")
    assert [one["by"] for one in found] == ["ridge", "votes", "votes-by-rank"]
    assert {one["photos"] for one in found} == {10}
    assert all(9 <= one["right"] <= 10 for one in found)
    assert indexed("suggest", "--accuracy").startswith(f"ridge: {10 * found[0]['right']:.1f} % of 10 held-out photos")


def test_each_photo_gets_its_own_suggestions(indexed: Focal, album: Album) -> None:
    warm, cold = ([album.path(f"{kind}/{i}.jpg") for i in range(5)] for kind in ("warm", "cold"))
    indexed("tag", *warm[:4], "+sun")
    indexed("tag", *cold[:4], "+ice")
    for images in ([warm[4], cold[4]], [cold[4], warm[4]]):
        found = {line["path"]: line["suggestions"][0] for line in indexed.lines("suggest", *images)}
        assert (found[str(warm[4])]["tag"], found[str(cold[4])]["tag"]) == ("sun", "ice")
        assert set(found[str(warm[4])]["witnesses"]) <= set(map(str, warm[:4]))
        assert set(found[str(cold[4])]["witnesses"]) <= set(map(str, cold[:4]))


def test_metrics_are_listed_and_chosen(indexed: Focal, album: Album) -> None:
    indexed("tag", *(album.path(f"warm/{i}.jpg") for i in range(5)), "+sun")
    indexed("tag", *(album.path(f"cold/{i}.jpg") for i in range(5)), "+ice")
    indexed("train", "--learner", "kernel-stepwise", "--without-judgements")
    assert indexed.json("metrics")["current"] == "kernel-stepwise-1"
    assert indexed.json("metrics", "--use", "euclidean")["current"] == "euclidean"
    indexed("train", "--without-tags", code=1)
    assert "nothing to learn from" in indexed.err
    indexed("train", "--learner", "smell", code=1)
    assert "choose one of kernel" in indexed.err


@pytest.mark.parametrize(
    ("learner", "parameter"),
    [("rca", "ridge=0.3"), ("kernel-weighted", "euclidean_blend=0.25")],
)
def test_any_learner_is_trained_ranks_and_suggests(indexed: Focal, album: Album, learner: str, parameter: str) -> None:
    for kind, tag in (("warm", "+sun"), ("cold", "+ice")):
        indexed("tag", *(album.path(f"{kind}/{i}.jpg") for i in range(4)), tag)
    trained = indexed.json("train", "--learner", learner, "--parameter", parameter)
    assert (trained["metric"], trained["tagged"]) == (f"{learner}-1", 8)
    ranked = indexed.json("rank", album.path("warm/4.jpg"))
    assert ranked["metric"] == f"{learner}-1"
    assert [Path(one["path"]).parent.name for one in ranked["results"]] == ["warm"] * 4 + ["cold"] * 5
    (line,) = indexed.lines("suggest", album.path("warm/4.jpg"))
    assert line["suggestions"][0]["tag"] == "sun"
    (_, shown) = indexed.json("metrics")["metrics"]
    assert shown["metric"] == f"{learner}-1"
    if learner == "kernel-weighted":
        assert shown["families"] == trained["families"]
        assert set(shown["families"]) == {"color_moments", "color_coherence", "gabor"}
        assert "gabor 3" in indexed("metrics")
    else:
        assert "families" not in shown


def test_a_learner_is_trained_as_printed_in_its_paper(indexed: Focal, album: Album) -> None:
    for kind, tag in (("warm", "+sun"), ("cold", "+ice")):
        indexed("tag", *(album.path(f"{kind}/{i}.jpg") for i in range(4)), tag)
    indexed("train", "--paper", "--keep", "--parameter", "ridge=0.3")
    with Library.open(indexed.library) as library:
        path = library.metrics.path(library.metrics.current())
        assert path is not None
        learner = load(path)["learner"]
    printed = dict(type(learner).printed)
    assert {name: value for name, value in vars(learner).items() if name in printed} == printed
    assert learner.ridge == 0.3
    for name, message in (
        ("rca", "has no parameters of a paper"),
        ("local", "has no parameters of a paper"),
        ("automatic", "chooses its own parameters"),
    ):
        indexed("train", "--learner", name, "--paper", code=1)
        assert message in indexed.err


def test_learners_are_listed_with_their_parameters(indexed: Focal) -> None:
    listed = {one["name"]: one for one in indexed.json("metrics", "--learners")["learners"]}
    assert listed["rca"]["parameters"] == {
        "ridge": 0.1,
        "euclidean_blend": 0.25,
        "output_components": 256,
        "unit": "auto",
    }
    assert set(listed["rca"]) == {"name", "title", "family", "text", "needs", "source", "parameters"}
    text = indexed("metrics", "--learners")
    assert all(f"  {name} " in text for name in listed)


@pytest.mark.parametrize(
    ("assignment", "message"),
    [("ridge", "write NAME=VALUE"), ("ridge=much", "must be a number"), ("smell=1", "no parameter 'smell'")],
)
def test_a_wrong_parameter_is_explained(indexed: Focal, assignment: str, message: str) -> None:
    indexed("train", "--learner", "rca", "--parameter", assignment, code=1)
    assert message in indexed.err


def test_undo_and_redo_without_a_step_report_it(indexed: Focal) -> None:
    assert indexed.json("undo") == {"undone": None}
    assert indexed("redo") == "Nothing to redo.\n"


def test_check_finds_and_repairs(indexed: Focal, album: Album) -> None:
    for file in (indexed.library / "derived" / "vectors").glob("color_moments*"):
        content = bytearray(file.read_bytes())
        if len(content) > 4000:
            content[-10] ^= 0xFF
            file.write_bytes(content)
    report = indexed.json("check")
    assert report["problems"] == []
    assert report["repaired"]
    assert indexed.json("check") == {"problems": [], "repaired": [], "networks": {}}


def test_a_damaged_catalogue_is_one_line(indexed: Focal) -> None:
    file = indexed.library / "catalog.sqlite"
    content = bytearray(file.read_bytes())
    content[4096:12288] = os.urandom(8192)
    file.write_bytes(content)
    indexed("list", code=1)
    assert "damaged" in indexed.err
    assert len(indexed.err.splitlines()) == 1


@pytest.mark.slow
def test_the_demo_runs(here: Focal, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = here.json("demo", tmp_path / "album", "--count", "8")
    assert (report["photos"], report["new"], report["tagged"]) == (8, 8, 6)
    assert report["library"] == str(here.library)
    capsys.readouterr()
    assert main(["demo", str(tmp_path / "album"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["library"] == str(tmp_path / "album.library")


def test_the_demo_never_mixes_with_the_library_of_the_user(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["demo", "--count", "4", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["folder"] == str(tmp_path / "focal-demo" / "album")
    assert report["library"] == str(tmp_path / "focal-demo" / "album.library")
    assert not (tmp_path / "focal").exists()


@pytest.mark.slow
def test_a_lost_catalogue_of_a_used_library_is_one_line(indexed: Focal, album: Album) -> None:
    file = indexed.library / "catalog.sqlite"
    for lose in (file.unlink, file.touch):
        lose()
        for arguments in (["check"], ["list"], ["index", album.folder]):
            indexed(*arguments, code=1)
            assert "damaged" in indexed.err
            assert len(indexed.err.splitlines()) == 1
    assert list((indexed.library / "derived" / "vectors").glob("*.index"))


def test_rank_omits_missing_photos_and_recognises_a_copy(indexed: Focal, album: Album, tmp_path: Path) -> None:
    gone, photo = album.path("warm/4.jpg"), album.path("warm/0.jpg")
    gone.unlink()
    indexed("index")
    copy = tmp_path / "copy.jpg"
    copy.write_bytes(photo.read_bytes())
    for image in (photo, copy):
        ranked = indexed.json("rank", image)
        assert ranked["focal"] == str(photo)
        assert len(ranked["results"]) == 8
        assert not {str(gone), str(photo)} & {one["path"] for one in ranked["results"]}
    assert str(gone) not in indexed("rank", photo, "--query", "path:warm")
    assert str(gone) in indexed("rank", photo, "--query", "missing")


def test_a_limit_shortens_the_search(indexed: Focal, album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int | None] = []
    nearest = MetricGallery.nearest

    def counted(
        gallery: MetricGallery,
        query: NDArray[np.float32],
        count: int | None = None,
        *,
        own: int | None = None,
        rerank: bool = False,
        allowed: NDArray[np.bool_] | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        counts.append(count)
        return nearest(gallery, query, count, own=own, rerank=rerank, allowed=allowed)

    monkeypatch.setattr(MetricGallery, "nearest", counted)
    photo = album.path("warm/0.jpg")
    for gone in (0, 2):  # deleted photos, which may be among the nearest
        for number in range(gone):
            album.path(f"warm/{number + 1}.jpg").unlink()
        indexed("index")
        counts.clear()
        everything = indexed.json("rank", photo)["results"]
        assert len(everything) == 9 - gone
        assert indexed.json("rank", photo, "--limit", "3")["results"] == everything[:3]
        assert counts == [None, 3 + 1], "photos excluded from the ranking are masked"


def test_tags_are_echoed_as_stored_and_contradictions_refused(indexed: Focal, album: Album) -> None:
    photo = album.path("warm/0.jpg")
    report = indexed.json("tag", photo, "+ big  sea ", "- a / b")
    assert (report["add"], report["remove"]) == (["big sea"], ["a/b"])
    assert indexed("tag", photo, "+p", "-p ", code=2) == ""
    assert "+p" in indexed.err
    assert len(indexed.err.splitlines()) == 1


def test_a_ranking_of_few_neighbourhoods_is_marked(
    indexed: Focal, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed.json("rank", album.path("warm/0.jpg"))
    assert "may show another order" not in indexed.err
    for room in ("gallery", "neighbors"):
        monkeypatch.setattr(f"focal_photos.browser.operations.ranking.galleries.{room}.MAX_RERANKED", 8)
    indexed.json("rank", album.path("warm/0.jpg"))
    assert "a window, which compares all photos once, may show another order" in indexed.err
    indexed.json("rank", album.path("warm/0.jpg"), "--no-rerank")
    assert "may show another order" not in indexed.err


def test_distances_are_explained_by_family(indexed: Focal, album: Album, tmp_path: Path) -> None:
    warm = album.path("warm/0.jpg")
    found = indexed.json("rank", warm, "--why", "--limit", "3")["results"]
    assert len(found) == 3
    for result in found:
        assert sum(part["value"] for part in result["parts"]) == pytest.approx(result["distance"])
    lines = indexed("rank", warm, "--why", "--no-rerank").splitlines()
    assert len([line for line in lines if not line.startswith(" ")]) == 9  # all ten photos but the query
    assert any(line.endswith("  Colour layout") for line in lines)
    outside = Album(tmp_path / "outside").draw("x.png")
    found = indexed.json("rank", outside, "--why", "--limit", "3")["results"]
    assert len(found) == 3
    for result in found:
        assert sum(part["value"] for part in result["parts"]) == pytest.approx(result["distance"])


def test_the_history_of_metrics_is_listed(indexed: Focal, album: Album) -> None:
    for kind, tag in (("warm", "+sun"), ("cold", "+ice")):
        indexed("tag", *(album.path(f"{kind}/{i}.jpg") for i in range(5)), tag)
    trained = indexed.json("train", "--learner", "rca")
    (_, listed) = indexed.json("metrics")["metrics"]
    assert listed["scores"]["held_out"]["questions"] == trained["held_out"]["questions"]
    assert "too little data to measure improvement (n = 10)" in indexed("metrics")
    (_, renamed) = indexed.json("metrics", "--rename", "rca", "By weather")["metrics"]
    assert (renamed["metric"], renamed["title"]) == ("rca-1", "By weather")
    indexed("metrics", "--rename", "rca", "Euclidean", code=1)
    assert "already" in indexed.err
    assert indexed.json("metrics", "--delete", "rca-1") == {
        "current": "euclidean",
        "metrics": [{**indexed.json("metrics")["metrics"][0]}],
    }
    indexed("undo")
    assert indexed.json("metrics")["metrics"][1]["scores"] == listed["scores"]
    indexed("metrics", "--delete", "euclidean", code=1)
    indexed("metrics", "--learners", "--delete", "rca", code=2)
