# SPDX-License-Identifier: MIT
"""Trying a lens: its gain over the metric in use, on the user's own tags and judgements, before it is opened."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import fitted_states_of
from focal_photos.browser.operations.describing.settings import ENABLED
from focal_photos.browser.operations.exchange.lenses.lens_file import LensError
from focal_photos.browser.operations.exchange.lenses.open_lens import open_lens
from focal_photos.browser.operations.exchange.lenses.share_lens import share_lens
from focal_photos.browser.operations.exchange.lenses.try_lens import LensTrial, sentence, try_lens
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.training.train import train
from tests.browser.copies import copied
from tests.browser.operations.striped import KINDS, draw

DESCRIPTORS = ("color_moments", "edge_directions", "dense_color_fisher")  # the last one is fitted to the photos


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two closed libraries, and lenses of the first: by the direction of stripes, and by lot."""
    folder = tmp_path_factory.mktemp("trials")
    for name, count in (("mine", 60), ("theirs", 44)):
        draw(folder / name / "photos", count)
        with Library.open(folder / name / "library") as library:
            ENABLED.set(library, DESCRIPTORS)
            finish(index(library, [folder / name / "photos"], backend="threads", workers=1))
    with Library.open(folder / "mine" / "library") as library:
        tag_by_kind(library)
        finish(train(library, "kernel"))
        share_lens(library, library.metrics.current(), folder / "stripes.focal-lens")
        ids = library.photos.ids().tolist()
        library.tags.change(ids, [], KINDS)
        library.tags.change(np.random.default_rng(0).permutation(ids)[:30].tolist(), ["one"])
        library.tags.change([number for number in ids if not library.tags.of([number]).get(number)], ["two"])
        finish(train(library, "kernel"))
        share_lens(library, library.metrics.current(), folder / "lot.focal-lens")
    return folder


def tag_by_kind(library: Library, most: int = 100) -> None:
    for kind in KINDS:
        library.tags.change(library.photos.ids(f"path:{kind}")[:most], [kind])


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Iterator[Library]:
    """Library of another user, without tags."""
    with Library.open(copied(made / "theirs" / "library", tmp_path / "library")) as opened:
        yield opened


def state(library: Library) -> Any:
    return (
        library.metrics.all(),
        library.metrics.current(),
        library.journal.undo_label(),
        sorted(path.name for path in fitted_states_of(library).folder.iterdir()),
        sorted(path.name for path in library.metrics.folder.glob("*")),
    )


def tried(library: Library, lens: Path) -> LensTrial:
    """Try a lens, and check that the library stays as it was."""
    before = state(library)
    found = finish(try_lens(library, lens))
    assert state(library) == before
    return found


def test_a_helpful_lens_is_better_and_one_by_lot_is_not(library: Library, made: Path) -> None:
    tag_by_kind(library, 15)
    good = tried(library, made / "stripes.focal-lens")
    assert (good.tagged, good.judgements, good.is_fair) == (30, 0, True)
    assert good.found is not None
    assert good.found.photos == 30
    assert good.found.decided == 1
    assert "ranks your photos better than the metric in use, Euclidean" in str(sentence(good))
    assert f"{100 * good.found.score:.1f} % of cases" in str(sentence(good))
    bad = tried(library, made / "lot.focal-lens")
    assert bad.found is not None
    assert bad.found.gain < good.found.gain
    assert bad.found.decided < 1
    assert bad.found.other == pytest.approx(good.found.other)


def test_judgements_alone_are_enough(library: Library, made: Path) -> None:
    lying, standing = (library.photos.ids(f"path:{kind}").tolist() for kind in KINDS)
    for focal in range(6):
        library.judgements.set(lying[focal], lying[10 + focal : 13 + focal], Verdict.SIMILAR)
        library.judgements.set(lying[focal], standing[focal : focal + 3], Verdict.DISSIMILAR)
    found = tried(library, made / "stripes.focal-lens")
    assert (found.tagged, found.judgements) == (0, 36)
    assert found.found is not None
    assert found.found.gain > 0.1


def test_a_metric_trained_here_is_trained_again_without_the_photos(library: Library, made: Path) -> None:
    """Otherwise it would be compared on photos that it knows, and look better than the lens."""
    ids = library.photos.ids().tolist()
    rng = np.random.default_rng(1)
    mixed = rng.permutation(ids).tolist()
    library.tags.change(mixed[:16], ["odd"])
    library.tags.change(mixed[16:32], ["even"])  # nothing can be learned from these
    finish(train(library, "lda"))
    found = tried(library, made / "lot.focal-lens")
    assert found.found is not None
    assert found.is_fair
    assert found.found.other < 0.7, "on photos that it knows, it would be near 1"
    finish(train(library, "lmnn"))
    slow = tried(library, made / "lot.focal-lens")
    assert not slow.is_fair
    assert "looks better here than it is" in str(sentence(slow))


def test_an_opened_lens_can_be_compared_with_another(library: Library, made: Path) -> None:
    finish(open_lens(library, made / "lot.focal-lens"))
    tag_by_kind(library, 15)
    found = tried(library, made / "stripes.focal-lens")
    assert found.is_fair
    assert found.found is not None
    assert found.found.gain > 0
    same = tried(library, made / "lot.focal-lens")
    assert same.found is not None
    assert same.found.gain == pytest.approx(0, abs=1e-3)
    assert same.found.decided == 0
    assert str(sentence(same)).startswith("Too close to tell whether the lens")


def test_too_few_tags_measure_nothing(library: Library, made: Path) -> None:
    assert tried(library, made / "stripes.focal-lens").found is None
    library.tags.change(library.photos.ids()[:20], ["same"])
    found = tried(library, made / "stripes.focal-lens")
    assert found.found is None
    assert "too few tags and judgements" in str(sentence(found))
    assert "about 30 photos" in str(sentence(found))


def test_a_damaged_lens_is_refused_and_leaves_nothing(library: Library, made: Path, tmp_path: Path) -> None:
    tag_by_kind(library, 15)
    lens = Path(shutil.copy(made / "stripes.focal-lens", tmp_path))
    lens.write_bytes(lens.read_bytes()[:-2000])
    before = state(library)
    with pytest.raises(LensError):
        finish(try_lens(library, lens))
    assert state(library) == before


def test_a_tried_lens_can_be_opened(library: Library, made: Path) -> None:
    tag_by_kind(library, 15)
    tried(library, made / "stripes.focal-lens")
    metric = finish(open_lens(library, made / "stripes.focal-lens"))
    assert library.metrics.current() == metric


def test_a_metric_of_this_library_is_not_tried(library: Library, made: Path, tmp_path: Path) -> None:
    tag_by_kind(library, 15)
    finish(train(library, "rca"))
    share_lens(library, library.metrics.current(), tmp_path / "own.focal-lens")
    before = state(library)
    with pytest.raises(OperationError, match="was trained in this library"):
        finish(try_lens(library, tmp_path / "own.focal-lens"))
    assert state(library) == before
