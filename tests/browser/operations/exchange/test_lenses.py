# SPDX-License-Identifier: MIT
"""Lenses: a metric that one user shares ranks the photos of another."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.learning.metrics import Metrics
from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import fitted_states_of
from focal_photos.browser.operations.describing.families import space_families
from focal_photos.browser.operations.describing.settings import ANY_ROTATION, ENABLED
from focal_photos.browser.operations.exchange.lenses import lens_file
from focal_photos.browser.operations.exchange.lenses.lens_file import LensError, read_keys, read_lens
from focal_photos.browser.operations.exchange.lenses.open_lens import open_lens
from focal_photos.browser.operations.exchange.lenses.share_lens import share_lens
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.check import check
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.galleries.gallery import embedding
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training.automatic import train_automatic
from focal_photos.browser.operations.training.train import train
from focal_photos.features.base import Fitted, FittedState
from focal_photos.features.table import DESCRIPTORS as ALL
from focal_photos.learners import LEARNERS
from tests.browser.copies import copied
from tests.browser.operations.album import Album

DESCRIPTORS = ("color_moments", "gist", "dense_color_fisher")  # the last descriptor is fitted on the photos


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with closed libraries for these tests. Tests must not change it."""
    folder = tmp_path_factory.mktemp("lenses")
    own, theirs = Album(folder / "photos"), Album(folder / "theirs")
    own.draw_kinds()
    for number in range(14):
        theirs.draw(f"{number}.jpg", kind=("green", "warm", "cold")[number % 3], seed=100 + number)
    with Library.open(folder / "library") as library:
        ENABLED.set(library, DESCRIPTORS)
        finish(index(library, [own.folder]))
        ids = library.photos.ids().tolist()
        library.tags.change(ids[:6], ["cold"])
        library.tags.change(ids[6:], ["warm"])
        library.judgements.set(ids[0], ids[1:4], Verdict.SIMILAR)
        library.judgements.set(ids[0], ids[7:10], Verdict.DISSIMILAR)
        finish(train(library, "kernel"))
        share_lens(library, library.metrics.current(), folder / "mine.focal-lens")
    with Library.open(folder / "other") as library:
        ENABLED.set(library, DESCRIPTORS)
        finish(index(library, [theirs.folder]))
    return folder


@pytest.fixture
def taught(made: Path, tmp_path: Path) -> Iterator[Library]:
    """Library of twelve photos, tagged and judged, with a kernel metric."""
    with Library.open(copied(made / "library", tmp_path / "library")) as library:
        yield library


@pytest.fixture
def lens(made: Path, tmp_path: Path) -> Path:
    """Lens file of that metric."""
    return Path(shutil.copy(made / "mine.focal-lens", tmp_path))


@pytest.fixture
def other(made: Path, tmp_path: Path) -> Iterator[Library]:
    """Library of another user: other photos, and so other vocabularies."""
    with Library.open(copied(made / "other", tmp_path / "other")) as library:
        yield library


@pytest.fixture
def theirs(made: Path, other: Library, tmp_path: Path) -> Album:
    """Photos of that library in a folder that tests may change."""
    folder = copied(made / "theirs", tmp_path / "theirs")
    other.roots.relocate(other.roots.all()[0].id, Path(), folder)
    return Album(folder)


def test_a_lens_ranks_the_photos_of_another_user(taught: Library, other: Library, lens: Path, made: Path) -> None:
    own = [str(one.key) for one in space_families(other)]
    assert own != [str(one.key) for one in space_families(taught)]
    before, label = other.metrics.current(), other.journal.undo_label()
    metric = finish(open_lens(other, lens))
    assert other.metrics.current() == metric
    assert metric.title == taught.metrics.current().title
    assert (metric.judgements, metric.tagged) == (6, 12)
    # The distances equal those in the sharing library, whose vocabularies the lens carries.
    finish(index(taught, [made / "theirs"]))
    rows = {}
    for library in (taught, other):
        ids, found = finish(embedding(library, load_metric(library, library.metrics.by_name("kernel"))))
        hashes = library.photos.content_hashes(ids.tolist())
        rows[library] = {hashes[int(number)]: row for number, row in zip(ids, found, strict=True)}
    assert len(rows[other]) == 14
    for content, row in rows[other].items():
        np.testing.assert_allclose(row, rows[taught][content], rtol=0, atol=2e-3)
    ranking = Ranker(other).rank(other.photos.ids().tolist()[0])
    assert len(ranking.photo_ids) == 13  # all but the focal image
    # The library keeps its vocabularies and its feature space, and one step of undo removes the lens.
    assert [str(one.key) for one in space_families(other)] == own
    other.journal.undo()
    assert (other.metrics.current(), other.journal.undo_label()) == (before, label)


def test_a_lens_for_photos_without_an_up_ranks_an_upright_library(
    taught: Library, other: Library, tmp_path: Path
) -> None:
    own = [str(one.key) for one in space_families(other)]
    ANY_ROTATION.set(taught, True)
    finish(index(taught))
    metric = finish(train(taught, "rca"))
    share_lens(taught, metric, tmp_path / "rotated.focal-lens")
    opened = finish(open_lens(other, tmp_path / "rotated.focal-lens"))
    keys = load_metric(other, opened).keys
    assert not set(keys) & set(own)
    stores = [other.vectors.open(key) for key in keys]
    assert [len(store) for store in stores if store is not None] == [14] * len(keys)
    assert len(Ranker(other).rank(other.photos.ids().tolist()[0]).photo_ids) == 13
    assert [str(one.key) for one in space_families(other)] == own


def test_a_lens_of_the_automatic_learner_contains_the_chosen_learner(
    taught: Library, other: Library, tmp_path: Path
) -> None:
    shared = finish(train_automatic(taught)).metric
    assert shared.learner == "automatic"
    chosen = load_metric(taught, shared).learner
    share_lens(taught, shared, tmp_path / "chosen.focal-lens")
    opened = finish(open_lens(other, tmp_path / "chosen.focal-lens"))
    assert other.metrics.current() == opened
    assert type(load_metric(other, opened).learner) is type(chosen) is LEARNERS[opened.learner]
    assert len(Ranker(other).rank(other.photos.ids().tolist()[0]).photo_ids) == 13


def test_photos_added_later_are_described_for_the_lens_too(other: Library, lens: Path, theirs: Album) -> None:
    finish(open_lens(other, lens))
    theirs.draw("new.jpg", seed=7)
    finish(index(other))
    assert len(Ranker(other).rank(other.photos.ids().tolist()[0]).photo_ids) == 14
    finish(check(other))
    assert len(Ranker(other).rank(other.photos.ids().tolist()[0]).photo_ids) == 14


def test_a_lens_survives_the_loss_of_derived_data(other: Library, lens: Path) -> None:
    finish(open_lens(other, lens))
    folder = other.path
    other.close()
    shutil.rmtree(folder / "derived")
    with Library.open(folder) as again:
        finish(index(again))
        assert again.metrics.current().learner == "kernel"
        assert len(Ranker(again).rank(again.photos.ids().tolist()[0]).photo_ids) == 13


def test_a_check_retains_all_data_of_a_lens(other: Library, lens: Path) -> None:
    finish(open_lens(other, lens))
    folder = other.metrics.folder
    for path in folder.iterdir():
        os.utime(path, (0, 0))  # fresh files are never deleted
    before = sorted(path.name for path in folder.iterdir())
    assert any(name.endswith(".lens") for name in before)
    finish(check(other))
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize("manifest", ["[" * 100_000, '{"descriptors": [[1]]}', "", "{" + " " * (2 << 20) + "}"])
def test_a_damaged_lens_in_the_library_is_ignored(other: Library, lens: Path, theirs: Album, manifest: str) -> None:
    metric = finish(open_lens(other, lens))
    whole = other.metrics.folder / f"{metric.name}.lens"
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("manifest.json", manifest)
    with pytest.raises(LensError, match=r"damaged|is not a lens"):
        read_keys(whole)
    theirs.draw("new.jpg", seed=7)
    finish(index(other))
    assert len(other.photos.ids()) == 15


def test_a_lens_contains_neither_photos_nor_paths(taught: Library, lens: Path) -> None:
    hashes = list(taught.photos.content_hashes(taught.photos.ids().tolist()).values())
    roots = [part for root in taught.roots.all() for part in root.path.parts[1:] if len(part) > 3]
    with zipfile.ZipFile(lens) as file:
        for name in file.namelist():
            content = file.read(name)
            texts = [content]
            if name.endswith(".npz"):
                with zipfile.ZipFile(io.BytesIO(content)) as arrays:
                    texts = [arrays.read(one) for one in arrays.namelist()]
            for text in texts:
                assert not [one for one in (*hashes, *roots, "cold/", "warm/", ".jpg") if one.encode() in text], name
    document = json.loads(zipfile.ZipFile(lens).read("manifest.json"))
    assert document["descriptors"] == [str(one.key) for one in space_families(taught)]


def test_a_lens_carries_its_measured_gain(taught: Library, other: Library, tmp_path: Path) -> None:
    metric = taught.metrics.current()
    gained = {
        "measure": "precision",
        "k": 10,
        "score": 0.75,
        "euclidean": 0.5,
        "gain": 0.25,
        "error": None,
        "questions": 40,
    }
    taught.metrics.set_scores(metric.id, {"held_out": gained, "path": "/home/me"})
    share_lens(taught, metric, tmp_path / "l.focal-lens")
    opened = finish(open_lens(other, tmp_path / "l.focal-lens"))
    assert other.metrics.scores()[opened.id] == {"held_out": gained}
    again = finish(open_lens(other, tmp_path / "l.focal-lens"))
    assert again.title != opened.title  # equal titles would be ambiguous
    assert again.title.startswith(opened.title)


def test_a_metric_that_cannot_be_shared_is_refused(taught: Library, tmp_path: Path) -> None:
    path = tmp_path / "x.focal-lens"
    with pytest.raises(OperationError, match="same everywhere"):
        share_lens(taught, taught.metrics.by_name("euclidean"), path)
    photo = taught.photos.paths(taught.photos.ids().tolist()[:1])[0]
    with pytest.raises(OperationError, match="is a photo"):
        share_lens(taught, taught.metrics.current(), photo, force=True)
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(OperationError, match="another kind"):
        share_lens(taught, taught.metrics.current(), tmp_path / "letter.txt")
    states = fitted_states_of(taught)
    states.vacuum([])
    with pytest.raises(OperationError, match="can no longer be computed"):
        share_lens(taught, taught.metrics.current(), path)
    assert not path.exists()


@pytest.mark.usefixtures("theirs")
def test_a_missing_photo_does_not_prevent_opening_a_lens(other: Library, lens: Path) -> None:
    """It cannot be described for the lens and so is absent from its rankings."""
    ids = other.photos.ids().tolist()
    other.photos.paths(ids[:1])[0].unlink()
    finish(index(other))
    assert other.photos.ids("missing").tolist() == ids[:1]
    metric = finish(open_lens(other, lens))
    assert other.metrics.current() == metric
    assert set(Ranker(other).rank(ids[1]).photo_ids.tolist()) == set(ids[2:])
    other.photos.paths(ids[1:2])[0].unlink()  # described already
    finish(index(other))
    assert set(Ranker(other).rank(ids[2]).photo_ids.tolist()) == {ids[1], *ids[3:]}


# ---------------------------------------------------------------- what is refused
def changed(lens: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None]) -> None:
    """Rewrite a lens with another manifest or other parts, and with matching digests."""
    with zipfile.ZipFile(lens) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(parts.pop("manifest.json"))
    change(manifest, parts)
    manifest["members"] = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()} for name, content in parts.items()
    }
    with zipfile.ZipFile(lens, "w") as file:
        file.writestr("manifest.json", json.dumps(manifest))
        for name, content in parts.items():
            file.writestr(name, content)


def refused(library: Library, lens: Path, match: str) -> None:
    metrics: Metrics = library.metrics
    before = (metrics.all(), library.journal.undo_label(), sorted(fitted_states_of(library).folder.iterdir()))
    with pytest.raises(LensError, match=match):
        finish(open_lens(library, lens))
    after = (metrics.all(), library.journal.undo_label(), sorted(fitted_states_of(library).folder.iterdir()))
    assert after == before
    assert list(metrics.folder.iterdir()) == []


def arrays_of(content: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(content)) as found:
        return {name: found[name] for name in found.files}


def packed(arrays: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def with_array(change: Callable[[Any], Any]) -> Callable[[dict[str, Any], dict[str, bytes]], None]:
    """Return a function that changes the largest array of the metric."""

    def apply(_: dict[str, Any], parts: dict[str, bytes]) -> None:
        arrays = arrays_of(parts["metric.npz"])
        largest = max((name for name in arrays if name != "description"), key=lambda name: arrays[name].size)
        arrays[largest] = change(arrays[largest])
        parts["metric.npz"] = packed(arrays)

    return apply


def rename_key(old: str, new: str) -> Callable[[dict[str, Any], dict[str, bytes]], None]:
    def apply(manifest: dict[str, Any], parts: dict[str, bytes]) -> None:
        key = next(one for one in manifest["descriptors"] if one.startswith(old))
        text = json.dumps(manifest).replace(key, key.replace(old, new))
        manifest.clear()
        manifest.update(json.loads(text))
        parts["metric.npz"] = packed({
            name: np.frombuffer(array.tobytes().replace(key.encode(), key.replace(old, new).encode()), np.uint8)
            if name == "description" else array
            for name, array in arrays_of(parts["metric.npz"]).items()
        })  # fmt: skip

    return apply


def drop_fitted(manifest: dict[str, Any], parts: dict[str, bytes]) -> None:
    for key in list(manifest["fitted"]):
        del parts[f"fitted/{key}.npz"]
    manifest["fitted"] = {}


def short_vocabulary(manifest: dict[str, Any], parts: dict[str, bytes]) -> None:
    """Truncate the state of a descriptor with matching keys and digests: only describing a photo can find it."""
    (name,) = (one for one in parts if one.startswith("fitted/"))
    arrays = arrays_of(parts.pop(name))
    largest = max(arrays, key=lambda one: arrays[one].size)
    arrays[largest] = arrays[largest][..., :1]
    old = name.removeprefix("fitted/").removesuffix(".npz")
    bare = ALL[old.rsplit("-", 2)[0]]
    assert isinstance(bare, Fitted)
    new = str(bare.with_state(FittedState(arrays)).key)
    parts[f"fitted/{new}.npz"] = packed(arrays)
    text = json.dumps(manifest).replace(old, new)
    manifest.clear()
    manifest.update(json.loads(text))
    parts["metric.npz"] = packed({
        one: np.frombuffer(array.tobytes().replace(old.encode(), new.encode()), np.uint8)
        if one == "description" else array
        for one, array in arrays_of(parts["metric.npz"]).items()
    })  # fmt: skip


def test_a_repacked_part_with_other_contents_is_refused(other: Library, lens: Path) -> None:
    """The checksum of the ZIP file is right; only the digest in the manifest differs."""
    with zipfile.ZipFile(lens) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    with_array(lambda array: array + 1)({}, parts)
    with zipfile.ZipFile(lens, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content)
    refused(other, lens, r"metric\.npz is not as it was written")


REFUSED: dict[str, tuple[Callable[[dict[str, Any], dict[str, bytes]], None], str]] = {
    "vocabulary": (drop_fitted, "another vocabulary than this library has"),
    "network": (rename_key("gist-2", "mynet-1"), "needs mynet, which this library lacks: if it is a network"),
    "later version of a descriptor": (
        rename_key("gist-2", "gist-9"),
        "version 9 of gist, this is version 2: update Focal",
    ),
    "parameters": (rename_key("gist-2-e8fe61fe", "gist-2-00000000"), "needs gist with other parameters"),
    "other descriptors": (lambda m, _: m.update(descriptors=m["descriptors"][:2]), "no metric that gives distances"),
    "later format": (lambda m, _: m.update(version=2), "later version of Focal"),
    "no version": (lambda m, _: m.update(version=0), "no version"),
    "another format": (lambda m, _: m.update(format="x"), "is not a lens"),
    "learner": (lambda m, _: m.update(learner="magic"), "learned by magic"),
    "another learner": (lambda m, _: m.update(learner="rca"), "no metric that gives distances"),
    "title": (lambda m, _: m.update(title="a\x1b[2J"), "a name in it is none"),
    "counts": (lambda m, _: m.update(tagged=-1), "a number in it is none"),
    "gain": (lambda m, _: m.update(held_out={"score": "high"}), "not numeric"),
    "path": (lambda _, parts: parts.update({"../../evil": b"x"}), "do not match its list"),
    "no metric": (lambda _, parts: parts.clear(), "do not match its list"),
    "not a number": (with_array(lambda a: np.full_like(a, np.nan)), "holds what is no number"),
    "shape": (with_array(lambda a: a[:1]), "no metric that gives distances"),
    "objects": (with_array(lambda _: np.array([{"run": 1}], dtype=object)), "arrays that no lens has"),
    "zeros": (lambda _, parts: parts.update({"metric.npz": bytes(100)}), "not a lens file"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_an_unsuitable_lens_is_refused_with_the_reason(other: Library, lens: Path, what: str) -> None:
    change, match = REFUSED[what]
    changed(lens, change)
    refused(other, lens, match)


def test_an_unusable_vocabulary_is_refused(other: Library, lens: Path) -> None:
    changed(lens, short_vocabulary)
    before = (other.metrics.all(), other.journal.undo_label(), other.photos.ids("failed").tolist())
    with pytest.raises(LensError, match=r"14 photos cannot be described as the lens .* requires"):
        finish(open_lens(other, lens))
    assert (other.metrics.all(), other.journal.undo_label(), other.photos.ids("failed").tolist()) == before
    assert list(other.metrics.folder.iterdir()) == []


def test_broken_files_are_refused(other: Library, lens: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = lens.read_bytes()
    for content in (b"", b"PK\3\4", whole[:-100], whole[:5000] + b"\xff" + whole[5001:]):
        lens.write_bytes(content)
        refused(other, lens, "damaged|is not a lens")
    refused(other, tmp_path / "none", "cannot be read")
    lens.write_bytes(whole)
    monkeypatch.setattr(lens_file, "_MOST_BYTES", 1000)
    refused(other, lens, "more than the allowed 1,000")


def test_a_duplicate_part_is_refused(other: Library, lens: Path) -> None:
    """Readers could disagree on which of the two to use."""
    with zipfile.ZipFile(lens, "a") as file, pytest.warns(UserWarning, match="Duplicate name"):
        file.writestr("metric.npz", file.read("metric.npz"))
    refused(other, lens, "one twice")


def test_a_decompression_bomb_is_refused_before_unpacking(
    other: Library, lens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blow(_: dict[str, Any], parts: dict[str, bytes]) -> None:
        buffer = io.BytesIO()
        np.savez_compressed(buffer, a=np.zeros(1 << 20))
        parts["metric.npz"] = buffer.getvalue()

    changed(lens, blow)
    monkeypatch.setattr(lens_file, "_MOST_NUMBERS", 1 << 19)
    refused(other, lens, "arrays that no lens has")


def test_a_cancelled_lens_changes_nothing(other: Library, lens: Path) -> None:
    before = other.metrics.all()
    job = open_lens(other, lens)
    for _ in range(2):
        next(job)
    job.close()
    assert other.metrics.all() == before
    assert list(other.metrics.folder.iterdir()) == []


def test_every_changed_byte_is_found_or_harmless(lens: Path) -> None:
    whole = lens.read_bytes()
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(whole), 40):
        broken = bytearray(whole)
        broken[place] ^= 1 << int(rng.integers(8))
        lens.write_bytes(broken)
        try:
            read_lens(lens)
        except LensError:
            continue
