# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.local.learner import LOCAL, SOURCES
from focal_photos.browser.operations.ranking.local.metric import local_metric
from focal_photos.browser.operations.training.automatic import train_automatic
from focal_photos.browser.operations.training.evaluate import material
from focal_photos.browser.operations.training.local_trial import LocalTrial, try_local
from focal_photos.browser.operations.training.train import same_again
from focal_photos.learners.linear.euclidean import Euclidean
from tests.browser.copies import opened_copy
from tests.browser.operations.album import Album

EACH = 15
KINDS = ("ring", "cross")


def draw(path: Path, kind: str, seed: int) -> None:
    """Draw one shape at a random position in random colours, so that colours do not reveal the kind."""
    rng = np.random.default_rng([seed, len(kind)])
    paper, ink = rng.integers(0, 256, (2, 3)).tolist()
    picture = np.full((64, 96, 3), paper, np.uint8)
    x, y, size = int(rng.integers(28, 68)), int(rng.integers(22, 42)), int(rng.integers(14, 20))
    if kind == "ring":
        cv2.circle(picture, (x, y), size, ink, 4, cv2.LINE_AA)
    else:
        cv2.line(picture, (x - size, y), (x + size, y), ink, 4, cv2.LINE_AA)
        cv2.line(picture, (x, y - size), (x, y + size), ink, 4, cv2.LINE_AA)
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(picture).save(path)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trial")
    for kind in KINDS:
        for number in range(EACH):
            draw(folder / "photos" / kind / f"{number:02}.png", kind, number)
    with Library.open(Album(folder / "photos").index(folder / "library", ("color_moments", *SOURCES))) as library:
        for kind in KINDS:
            library.tags.change(library.photos.ids(f"path:{kind}"), [kind])
    return folder / "library"


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Iterator[Library]:
    with opened_copy(made, tmp_path / "copy") as opened:
        yield opened


def tried(library: Library, measure: str = "precision") -> LocalTrial | None:
    found = finish(material(library))
    return finish(try_local(library, found, Euclidean(), measure, rerank=False))  # type: ignore[arg-type]


@pytest.mark.slow
def test_local_distances_win_if_only_patches_separate_the_kinds(library: Library) -> None:
    found = tried(library)
    assert found is not None
    assert found.wins
    assert (found.photos, found.measure, found.questions) == (2 * EACH, "precision", 2 * EACH)
    assert found.score == pytest.approx(found.euclidean + found.gain)
    assert found.gain > 2 * found.error > 0
    assert tried(library) == found, "seeds are fixed"


@pytest.mark.slow
def test_automatic_takes_winning_local_distances_and_repeats_them(library: Library) -> None:
    choice = finish(train_automatic(library))
    assert (choice.chosen, choice.metric.learner, choice.sample) == (LOCAL, LOCAL, 2 * EACH)
    assert choice.sentence.startswith("Automatic chose Local distances on a sample of 30 photos: right among the")
    assert len(local_metric(library, choice.metric).trained.focal_) == 2 * EACH
    assert same_again(library) == LOCAL


def test_local_distances_are_tried_only_on_request(library: Library) -> None:
    assert finish(train_automatic(library, by_itself=True)).chosen != LOCAL


def test_the_choice_is_made_on_a_sample_and_all_photos_are_trained(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.training.evaluate.MAX_PHOTOS", 20)
    choice = finish(train_automatic(library, by_itself=True))
    assert choice.questions <= 20
    assert choice.metric.tagged == 2 * EACH


def test_local_distances_must_also_beat_the_best_other_learner(library: Library) -> None:
    found = finish(material(library))

    class Told(Euclidean):
        """Knows the kinds of the photos."""

        def fit(self, X: object, y: object = None, **how: object) -> Told:
            return super().fit(X)  # type: ignore[arg-type]

        def transform(self, X: object) -> np.ndarray:
            return np.array([[KINDS.index(kinds[row.tobytes()])] for row in np.asarray(X)], np.float32)

    kinds = {
        point.tobytes(): path.parent.name
        for point, path in zip(found.points, library.photos.paths(found.training.ids), strict=True)
    }
    beside = finish(try_local(library, found, Told(), "precision", rerank=False))
    assert beside is not None
    assert not beside.wins
    assert beside.gain > 2 * beside.error, "gain over Euclidean distance"


def test_judgements_are_measured_by_the_order_of_pairs(library: Library) -> None:
    ids = {kind: library.photos.ids(f"path:{kind}").tolist() for kind in KINDS}
    for kind, other in (KINDS, KINDS[::-1]):
        for focal in range(6):
            alike, different = ids[kind][focal + 1 : focal + 6], ids[other][focal + 5 : focal + 10]
            library.judgements.set(ids[kind][focal], alike, Verdict.SIMILAR)
            library.judgements.set(ids[kind][focal], different, Verdict.DISSIMILAR)
    for kind in KINDS:
        library.tags.change(ids[kind], (), [kind])
    found = tried(library, "order")
    assert found is not None
    assert (found.measure, found.photos, found.questions) == ("order", 30, 120)
    assert found.score > 0.9 > found.euclidean
    assert found.wins


def test_local_distances_are_not_tried_with_few_photos_or_without_patches(library: Library, tmp_path: Path) -> None:
    library.tags.change(library.photos.ids("path:ring")[2:], [], ["ring"])
    assert tried(library) is None, "two photos per tag are too few"
    set_enabled(library, ("color_moments",))
    assert tried(library) is None


def test_photos_without_edges_take_no_part(library: Library, tmp_path: Path) -> None:
    for kind, shade in zip(KINDS, (40, 200), strict=True):
        (tmp_path / "plain").mkdir(exist_ok=True)
        Image.new("RGB", (96, 64), (shade, shade, shade)).save(tmp_path / "plain" / f"{kind}.png")
    finish(index(library, [tmp_path / "plain"], backend="threads", workers=1))
    for kind in KINDS:
        library.tags.change(library.photos.ids(f"path:plain/{kind}"), [kind])
    assert len(library.photos.ids("tagged")) == 2 * EACH + 2
    found = tried(library)
    assert found is not None
    assert found.photos == 2 * EACH


def test_the_number_of_comparisons_is_limited(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    full = tried(library)
    assert full is not None
    monkeypatch.setattr("focal_photos.browser.operations.training.local_trial._MIN_PHOTOS", 4)
    monkeypatch.setattr("focal_photos.browser.operations.training.local_trial._COMPARISONS", 500_000)
    fewer = tried(library)
    assert fewer is not None
    assert 4 <= fewer.photos < full.photos
    monkeypatch.setattr("focal_photos.browser.operations.training.local_trial._COMPARISONS", 10)
    assert tried(library) is None
