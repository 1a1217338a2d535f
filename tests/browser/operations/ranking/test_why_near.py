# SPDX-License-Identifier: MIT
"""The parts of a distance add up to the distance in the ranking, for every kind of metric."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.settings import RERANK
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.why_near import PartKind, WhyNear, _subject, by_subject, compare, why_near
from focal_photos.browser.operations.training.train import train
from focal_photos.features.table import DESCRIPTORS
from focal_photos.learners import LEARNERS
from tests.browser.catalog.albums import id_of
from tests.browser.operations import striped
from tests.browser.operations.album import Album


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("why")
    striped.make(folder / "library", folder / "photos")
    with Library.open(folder / "library") as library:
        striped.judge_some(library, 8)
    return folder / "library"


def every(
    library: Library, ranker: Ranker, focal: int, metric: str | None = None, *, rerank: bool | None = None
) -> list[WhyNear]:
    """Explain every fifth photo of a ranking, and check that the parts add up to the distance shown."""
    ranking = ranker.rank(focal, metric, rerank=rerank)
    found = []
    for photo_id, distance in list(zip(ranking.photo_ids.tolist(), ranking.distances.tolist(), strict=True))[::5]:
        why = why_near(library, ranker, focal, photo_id, metric, distance=distance, rerank=rerank)
        assert why.distance == distance
        assert sum(part.value for part in why.parts) == pytest.approx(distance, abs=1e-9)
        found.append(why)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, kind in LEARNERS.items() if kind.family])
def test_the_parts_add_up_for_every_learner(made: Path, name: str) -> None:
    with Library.open(made) as library:
        metric = finish(train(library, name))
        ranker, focal = Ranker(library), library.photos.ids("path:lying").tolist()[-1]
        for rerank in (True, False):
            for place, why in enumerate(every(library, ranker, focal, metric.name, rerank=rerank)):
                kinds = [part.kind for part in why.parts]
                assert kinds[:3] == [PartKind.FAMILY] * 3
                # Only the first photos of a ranking may differ from the order of distances.
                assert place == 0 or PartKind.ORDER not in kinds


def test_the_parts_add_up_without_judgements_and_without_neighbours(indexed: Library, album: Album) -> None:
    ranker, focal = Ranker(indexed), id_of(indexed, album.path("warm/2.jpg"))
    (plain, *_), (shared, *rest) = every(indexed, ranker, focal, rerank=False), every(indexed, ranker, focal)
    assert [part.kind for part in plain.parts] == [PartKind.FAMILY] * 3
    assert {part.subject for part in plain.parts} == {"color", "texture"}
    assert all(part.value > 0 and part.usual is not None for part in plain.parts)
    assert plain.is_sum
    assert shared.is_sum
    neighbors = [part for part in rest[-1].parts if part.kind is PartKind.NEIGHBORS]
    assert neighbors[0].value == pytest.approx(0.7)  # a photo of the other kind has no common neighbour
    RERANK.set(indexed, False)
    photo = int(ranker.rank(focal).photo_ids[3])
    assert [part.kind for part in why_near(indexed, ranker, focal, photo).parts] == [PartKind.FAMILY] * 3


def test_the_parts_of_the_families_come_from_their_coordinates(indexed: Library, album: Album) -> None:
    ranker, focal = Ranker(indexed), id_of(indexed, album.path("warm/2.jpg"))
    gallery = ranker.gallery()
    why = every(indexed, ranker, focal, rerank=False)[1]
    own, other = gallery.row_of(focal), gallery.row_of(why.photo_id)
    assert own is not None
    assert other is not None
    delta = np.square(gallery.rows[own].astype(float) - gallery.rows[other])
    for part, family in zip(why.parts, gallery.loaded.space.families_, strict=True):
        assert part.value == pytest.approx(delta[family.start : family.stop].sum() / why.distance, rel=1e-4)


def test_the_effect_of_judgements_is_a_separate_part(indexed: Library, album: Album) -> None:
    ranker, focal = Ranker(indexed), id_of(indexed, album.path("warm/2.jpg"))
    similar, different = (id_of(indexed, album.path(f"cold/{one}.jpg")) for one in (0, 1))
    near = id_of(indexed, album.path("cold/2.jpg"))
    before = why_near(indexed, ranker, focal, near)
    indexed.judgements.set(focal, [similar], Verdict.SIMILAR)
    indexed.judgements.set(focal, [different], Verdict.DISSIMILAR)
    after = {why.photo_id: why for why in every(indexed, ranker, focal)}
    why = after.get(near) or why_near(indexed, ranker, focal, near)
    moved = [part for part in why.parts if part.kind is PartKind.JUDGEMENTS]
    assert moved[0].value < -0.01
    assert why.distance == pytest.approx(before.distance + moved[0].value, abs=1e-5)
    told = {part.photo_id: part for part in why.judgements}
    assert told[similar].verdict is Verdict.SIMILAR
    assert told[similar].value < 0
    assert told[different].verdict is Verdict.DISSIMILAR
    assert told[different].value > 0
    without = why_near(indexed, ranker, focal, near, by_judgements=False)
    assert without.parts == before.parts
    assert not without.judgements


def test_two_explanations_can_be_compared(indexed: Library, album: Album) -> None:
    ranker, focal = Ranker(indexed), id_of(indexed, album.path("warm/2.jpg"))
    one = why_near(indexed, ranker, focal, id_of(indexed, album.path("warm/3.jpg")))
    other = why_near(indexed, ranker, focal, id_of(indexed, album.path("cold/3.jpg")))
    found = compare(other, one)
    assert found == compare(one, other)
    assert (found.nearer, found.farther) == (one, other)
    assert sum(gain for _, gain in found.differences) == pytest.approx(other.distance - one.distance)
    for title, gain in found.differences:
        assert (title in found.decisive) == (other.without(title) < one.without(title))
        assert gain == pytest.approx(one.without(title) - other.without(title) + other.distance - one.distance)
    grouped = by_subject(one.parts)
    assert sum(part.value for part in grouped) == pytest.approx(one.distance)
    assert [part.title for part in grouped][:2] == ["Colour", "Texture"]


def test_a_photo_cannot_be_compared_with_itself_or_an_unknown_one(indexed: Library, album: Album) -> None:
    focal = id_of(indexed, album.path("warm/2.jpg"))
    with pytest.raises(OperationError, match="both indexed"):
        why_near(indexed, Ranker(indexed), focal, focal)
    with pytest.raises(OperationError, match="both indexed"):
        why_near(indexed, Ranker(indexed), focal, 10_000)


def test_a_fisher_vector_has_the_subject_of_its_patches() -> None:
    names = ("dense_sift_fisher", "dense_color_fisher", "dense_sift_salient", "dense_color_salient", "gist")
    assert [_subject(DESCRIPTORS[name]) for name in names] == ["shape", "color", "shape", "color", "shape"]
    assert _subject(None) == "other"


@pytest.mark.parametrize(("name", "is_sum"), [("rca", True), ("kernel", False), ("bdm", False), ("oasis", False)])
def test_only_some_metrics_are_sums(made: Path, name: str, is_sum: bool) -> None:
    with Library.open(made) as library:
        metric = finish(train(library, name, parameters={"unit": False} if name == "rca" else {}))
        ranker, focal = Ranker(library), library.photos.ids("path:lying").tolist()[-1]
        photo_id = int(ranker.rank(focal, metric.name).photo_ids[20])
        assert why_near(library, ranker, focal, photo_id, metric.name).is_sum is is_sum


@pytest.mark.parametrize("rerank", [True, False])
def test_a_ranking_by_an_outside_image_can_be_explained(indexed: Library, tmp_path: Path, rerank: bool) -> None:
    ranker = Ranker(indexed)
    new = Album(tmp_path / "elsewhere").draw("new.jpg", kind="warm", seed=77)
    ranking = ranker.rank(new, rerank=rerank)
    assert ranking.focal_id is None
    for row in (1, 4, 9):
        photo_id = int(ranking.photo_ids[row])
        why = why_near(indexed, ranker, new, photo_id, rerank=rerank)
        assert why.distance == pytest.approx(float(ranking.distances[row]), abs=1e-6)
        assert sum(part.value for part in why.parts) == pytest.approx(why.distance, abs=1e-5)
        kinds = {part.kind for part in why.parts}
        assert kinds == ({PartKind.FAMILY, PartKind.NEIGHBORS} if rerank else {PartKind.FAMILY})
        assert why.focal_id is None
        assert why_near(indexed, ranker, new.read_bytes(), photo_id, rerank=rerank).parts == why.parts


def test_a_photo_of_a_removed_folder_has_no_explanation(indexed: Library, album: Album, tmp_path: Path) -> None:
    other = Album(tmp_path / "other")
    inside = [other.draw(f"{each}.jpg", kind="warm", seed=50 + each) for each in range(3)]
    finish(index(indexed, [other.folder], backend="threads", workers=1))
    taken_out = id_of(indexed, album.path("warm/0.jpg"))
    (root,) = [one for one in indexed.roots.all() if one.path == album.folder]
    indexed.roots.remove(root.id)
    outside = Album(tmp_path / "outside").draw("new.jpg", kind="warm", seed=77)
    for query in (outside, id_of(indexed, inside[0])):
        with pytest.raises(OperationError, match="its folder was removed from the library"):
            why_near(indexed, Ranker(indexed), query, taken_out)


def test_a_file_with_the_content_of_a_photo_counts_as_the_photo(indexed: Library, album: Album, tmp_path: Path) -> None:
    ranker = Ranker(indexed)
    copy = tmp_path / "copy.jpg"
    copy.write_bytes(album.path("warm/0.jpg").read_bytes())
    focal, other = id_of(indexed, album.path("warm/0.jpg")), id_of(indexed, album.path("cold/2.jpg"))
    assert why_near(indexed, ranker, copy, other) == why_near(indexed, ranker, focal, other)
