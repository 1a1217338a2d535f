# SPDX-License-Identifier: MIT
"""Tags fitted also on the codes of photos, if all photos have codes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.codes import codes_of_all
from focal_photos.browser.operations.describing.descriptors import ready_descriptors
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import LearnedTags, learn_tags
from focal_photos.features import table
from focal_photos.features.base import CodeDescriptor
from focal_photos.learners.tags.confidence.tag_confidence import TYPICAL_TEMPERATURE, typical_temperature
from focal_photos.learners.tags.sign_kernel import agreement
from focal_photos.learners.tags.tag_ridge import SIGNS, TagRidge
from tests.browser.operations.album import Album
from tests.browser.operations.describing.test_codes import FISHER
from tests.browser.operations.describing.test_codes import SIGNS as CODES
from tests.browser.operations.small_table import small_table


@pytest.fixture
def library(tmp_path: Path, album: Album) -> Iterator[Library]:
    """Return a library of 24 photos of three kinds, with the first five of each tagged."""
    with small_table():
        table.DESCRIPTORS[FISHER.name] = FISHER
        table.CODE_DESCRIPTORS[CODES.name] = CODES
        with Library.open(tmp_path / "library") as opened:
            set_enabled(opened, ["mean", FISHER.name, CODES.name])
            album.draw_kinds(("warm", "cold", "green"), 8)
            finish(index(opened, [album.folder], backend="threads", workers=1))
            for kind in ("warm", "cold", "green"):
                paths = [album.folder / kind / f"{i}.jpg" for i in range(5)]
                opened.tags.change([photo.id for path in paths if (photo := opened.photos.by_path(path))], [kind])
            yield opened


def code_key(library: Library) -> str:
    (found,) = (one for one in ready_descriptors(library) if isinstance(one, CodeDescriptor))
    return str(found.key)


def learn(library: Library, ranker: Ranker, by: str = "ridge") -> LearnedTags:
    gallery = ranker.gallery()
    return finish(learn_tags(library, gallery, read_annotated(library, gallery, set()), by=by))


def test_the_regression_uses_the_codes_of_the_photos(library: Library) -> None:
    learned = learn(library, Ranker(library))
    assert isinstance(learned.learner, TagRidge)
    assert learned.learner.signs_ == SIGNS[0]
    assert learned.confidence.typical == typical_temperature(learned.learner)
    assert learned.confidence.typical < TYPICAL_TEMPERATURE
    store = library.codes.open(code_key(library))
    assert store is not None
    assert learned.codes is not None
    np.testing.assert_array_equal(learned.codes.of(learned.ids), store.rows(learned.ids))
    asked = np.setdiff1d(library.photos.ids(), learned.ids)
    assert len(asked) == 9
    shared = None if learned.shared is None else learned.shared[:, learned.looks.rows_of(asked)].T.tocsr()
    expected = learned.learner.scores(learned.coordinates(asked), shared, store.rows(asked))
    mixed = expected.tags
    if learned.spread is not None:
        mixed = learned.spread.mixed(mixed, learned.spread.terms[learned.looks.rows_of(asked)])
    np.testing.assert_allclose(learned.scores(asked).tags, mixed)


def test_codes_are_not_used_if_a_photo_lacks_its_code(library: Library) -> None:
    store = library.codes.open(code_key(library))
    assert store is not None
    store.forget(library.photos.ids()[:1])
    learned = learn(library, Ranker(library))
    assert isinstance(learned.learner, TagRidge)
    assert (learned.learner.signs_, learned.codes, learned.confidence.typical) == (0, None, TYPICAL_TEMPERATURE)
    learned.scores(library.photos.ids())


def test_a_few_missing_photos_without_codes_do_not_disable_the_codes(library: Library, album: Album) -> None:
    """They cannot be described again, as in a library older than codes."""

    def lose(name: str) -> int:
        photo = library.photos.by_path(album.folder / name)
        assert photo is not None
        (album.folder / name).unlink()
        finish(index(library, backend="threads", workers=1))
        store = library.codes.open(code_key(library))
        assert store is not None
        store.forget([photo.id])
        return photo.id

    lost = lose("warm/7.jpg")
    learned = learn(library, Ranker(library))
    assert learned.codes is not None
    assert learned.codes.lacking.tolist() == [lost]
    ids = np.sort(library.photos.ids())
    codes, store = learned.codes.of(ids), library.codes.open(code_key(library))
    assert store is not None
    np.testing.assert_array_equal(codes[ids != lost], store.rows(ids[ids != lost]))
    assert not codes[ids == lost].any()
    assert np.isfinite(learned.scores(ids).tags).all()
    lose("warm/0.jpg")  # one of fifteen tagged photos
    assert learn(library, Ranker(library)).codes is None


def test_codes_added_by_indexing_are_used_immediately(library: Library) -> None:
    store = library.codes.open(code_key(library))
    assert store is not None
    store.forget(library.photos.ids())
    ranker = Ranker(library)
    before = learn(library, ranker)
    assert before.codes is None
    assert learn(library, ranker) is before
    finish(index(library, backend="threads", workers=1))
    after = learn(library, ranker)
    assert after.looks is before.looks  # nothing else has changed
    assert after.codes is not None


def test_votes_use_only_distances(library: Library) -> None:
    learned = learn(library, Ranker(library), by="votes")
    assert learned.codes is None
    learned.scores(library.photos.ids())


def test_only_new_photos_are_compared_and_the_counts_cover_all(library: Library) -> None:
    codes = codes_of_all(library, library.photos.ids())
    assert codes is not None
    every = np.sort(library.photos.ids())
    for ids in (every[:10], every[2:14], every, every[::2], every[:1]):
        np.testing.assert_array_equal(codes.agreement(ids, codes.of(ids)), agreement(codes.of(ids)))
    # A photo described again has another code under the same id.
    (store,) = codes.stores
    store.append(every[:1], 255 - codes.of(every[:1]))
    np.testing.assert_array_equal(codes.agreement(every, codes.of(every)), agreement(codes.of(every)))


def test_a_code_lost_during_the_fit_disables_the_codes(library: Library) -> None:
    ranker = Ranker(library)
    gallery = ranker.gallery()
    job = learn_tags(library, gallery, read_annotated(library, gallery, set()))
    next(job)  # at this point all photos are known to have codes
    store = library.codes.open(code_key(library))
    assert store is not None
    store.forget(library.photos.ids())
    assert finish(job).codes is None


def test_codes_are_used_only_if_all_photos_have_them(library: Library) -> None:
    ids = library.photos.ids()
    found = codes_of_all(library, ids)
    assert found is not None
    assert found.keys == (code_key(library),)
    assert codes_of_all(library, ids[:0]) is None
    (store,) = found.stores
    store.forget(ids[-1:])
    assert codes_of_all(library, ids) is None
    assert codes_of_all(library, ids[:-1]) is not None


def test_a_changed_code_is_counted_again(library: Library) -> None:
    ids = np.sort(library.photos.ids())
    codes = codes_of_all(library, ids)
    assert codes is not None
    before = codes.agreement(ids, codes.of(ids))
    (store,) = codes.stores
    store.append(ids[:1], ~store.rows(ids[:1]))  # the photo was edited
    now = codes.of(ids)
    found = codes.agreement(ids, now)
    np.testing.assert_array_equal(found, agreement(now))
    np.testing.assert_array_equal(found[0, 1:], -before[0, 1:])
