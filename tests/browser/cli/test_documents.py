# SPDX-License-Identifier: MIT
"""The documents of ``--json`` agree with the guide."""

from __future__ import annotations

from pathlib import Path

from focal_photos.features.metadata.xmp import merge_xmp
from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album
from tests.guide import documented, fits, shapes_in


def test_the_shape_of_a_document_is_compared() -> None:
    (shape,) = shapes_in('so: `{"a", "b": [{"c", "d": [path]}], "e": ...}` and so on')
    assert shape == {"a": None, "b": [{"c": None, "d": [None]}], "e": None}
    assert fits(shape, {"a": 1, "b": [{"c": 1, "d": ["x"]}], "e": {"f": 1}})
    others: list[object] = [
        {"a": 1, "b": [{"c": 1, "d": ["x"]}]},
        {"a": 1, "b": [{"c": 1, "d": ["x"]}], "e": 1, "f": 1},
        {"a": 1, "b": [{"c": 1}], "e": 1},
        {"a": 1, "b": [], "e": 1},
        {"a": 1, "b": {"c": 1, "d": ["x"]}, "e": 1},
        [],
    ]
    for other in others:
        assert not fits(shape, other), other


def test_documents_match_the_readme(indexed: Focal, album: Album, tmp_path: Path) -> None:
    warm = [album.path(f"warm/{i}.jpg") for i in range(5)]
    cold = [album.path(f"cold/{i}.jpg") for i in range(5)]
    album.path("broken.jpg").write_bytes(b"\xff\xd8\xff broken")
    album.path("photo.dat").write_bytes(warm[0].read_bytes())
    album.path("cold/4.jpg.xmp").write_text("no packet")
    album.path("cold/4.xmp").write_bytes(merge_xmp(None, ["x"], None, None).replace(b">x<", b">a;b<"))
    tags, pairs = tmp_path / "tags.csv", tmp_path / "pairs.csv"
    tags.write_text(f"file,tags\n{warm[0]},sun\n{warm[1]},a//b\n")
    pairs.write_text(f"focal,other,verdict\n{warm[0]},{cold[0]},dissimilar\n{warm[0]},{cold[1]},perhaps\n")

    def check(command: str, number: int, *words: str | Path) -> None:
        lines = indexed.lines(command, *words)
        assert lines
        for line in lines:
            assert fits(documented(command)[number], line), (command, words, line)

    check("index", 0, album.folder)
    check("completion", 0, "bash")
    check("descriptors", 0)
    check("settings", 0)
    check("settings", 1, "decode.seconds")
    check("tag", 0, *warm[:4], "+sun", "+sand")
    check("tag", 0, *cold[:4], "+ice")
    check("tag", 1, "--from-csv", tags)
    check("rate", 0, *warm[:2], "--rating", "4", "--label", "Red")
    check("boxes", 0, warm[0], "--add", ".1,.2,.5,.4", "--tag", "sun")
    check("judge", 0, warm[0], warm[1], "--similar")
    check("judge", 1, "--from-csv", pairs)
    check("judge", 2, warm[0], warm[1], "--similar", "--box", ".1,.2,.5,.4", "--other-box", "0,0,.5,1")
    check("judge", 3, "--list")
    warm[0].with_name("0.jpg.xmp").write_bytes(merge_xmp(None, ["rain"], 3))
    check("sidecars", 0, "--dry-run")
    check("sidecars", 0)
    check("train", 0, "--learner", "rca")
    check("rank", 0, warm[0])
    check("rank", 1, warm[0], "--why", "--limit", "2")
    check("suggest", 0, warm[4])
    check("accept", 0, warm[4], "+sun")
    check("suggest", 0, cold[4])
    check("reject", 1, cold[4])
    check("metrics", 0)
    check("metrics", 1, "--learners")
    check("tags", 0)
    check("tags", 1, "--alias", "Sonne", "sun")
    check("tags", 1, "--rename", "sun", "light/sun", "--dry-run")
    check("tags", 2, "--related", "sun")
    check("searches", 0, "--save", "Suns", "tag:sun")
    check("undo", 0)
    check("redo", 1)
    check("list", 0)
    check("export", 0, "--output", tmp_path / "out.csv")
    check("pick", 0, "--goal", "odd", "--count", "2")
    check("pick", 0, "--goal", f"near:{warm[0]}", "--count", "2")
    indexed("archive", tmp_path / "all.focal.zip")
    indexed("tag", cold[0], "+sun")
    check("agree", 0, tmp_path / "all.focal.zip")
    check("export", 1, "--what", "judgements")
    check("check", 0)


def test_the_document_of_an_evaluation_matches_the_readme(indexed: Focal, album: Album, tmp_path: Path) -> None:
    for kind, tag in (("warm", "+sun"), ("cold", "+ice")):
        indexed("tag", *(album.path(f"{kind}/{i}.jpg") for i in range(4)), tag)
    found = indexed.json("evaluate", "--learner", "rca", "--k", "1", "--folds", "2")
    assert fits(documented("evaluate")[0], found), found


def test_the_documents_of_training_match_the_readme(indexed: Focal, album: Album) -> None:
    for kind, tag in (("warm", "+sun"), ("cold", "+ice")):
        indexed("tag", *(album.path(f"{kind}/{i}.jpg") for i in range(5)), tag)
    plain, nothing_gained, held_out, families, chosen = documented("train")
    assert isinstance(plain, dict)
    assert isinstance(nothing_gained, dict)
    assert nothing_gained.keys() < plain.keys(), "without a gain, there are no keys for a metric"
    assert fits(held_out, indexed.json("train", "--learner", "rca")["held_out"])
    assert isinstance(families, dict)
    assert isinstance(chosen, dict)
    assert fits(plain | families, indexed.json("train", "--learner", "kernel-weighted"))
    found = indexed.json("train", "--learner", "automatic")
    found.pop("families", None)
    assert fits(plain | chosen, found)


def test_the_document_of_a_demo_matches_the_readme(here: Focal, tmp_path: Path) -> None:
    assert fits(documented("demo")[0], here.json("demo", tmp_path / "album", "--count", "4"))
