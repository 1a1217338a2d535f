# SPDX-License-Identifier: MIT
from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import vector_store
from focal_photos.browser.operations.describing.enabled import change_enabled
from focal_photos.browser.operations.describing.networks import add_network
from focal_photos.browser.operations.describing.settings import BY_JUDGEMENTS
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.forget_folder import forget_folder
from focal_photos.browser.operations.ranking.queries.by_text import (
    judgement_share,
    text_network,
    text_relevance,
    text_weights,
)
from focal_photos.browser.operations.ranking.queries.query import TextQuery
from focal_photos.browser.operations.ranking.ranker import Ranker, Ranking
from focal_photos.browser.operations.ranking.why_near import PartKind, why_near
from tests.browser.operations.album import Album
from tests.browser.operations.colored_album import EACH, add_colors, color_entry, draw
from tests.browser.operations.own_descriptors import write_network
from tests.features.network.made_networks import COLORS

BOAT = TextQuery("a red boat")


@pytest.fixture
def colors(library: Library, album: Album, tmp_path: Path) -> Library:
    add_colors(library, album.folder, tmp_path / "networks")
    return library


def kinds(library: Library, ranking: Ranking) -> list[str]:
    return [path.parent.name for path in library.photos.paths(ranking.photo_ids)]


def photo(library: Library, name: str) -> int:
    (found,) = [one.id for one in library.photos.get(library.photos.ids().tolist()) if str(one.path).endswith(name)]
    return found


def test_a_text_ranks_matching_photos_first(colors: Library) -> None:
    ranker = Ranker(colors)
    for color in COLORS:
        ranking = ranker.rank(TextQuery(f"some {color} thing"))
        assert kinds(colors, ranking)[:EACH] == [color] * EACH
        assert ranking.focal_id is None
        assert ranking.total == len(ranking.photo_ids) == EACH * len(COLORS)
        assert (np.diff(ranking.distances) >= 0).all()
        assert ranking.distances[0] == pytest.approx(0, abs=1e-6)
    assert set(kinds(colors, ranker.rank(TextQuery("red and blue")))[: 2 * EACH]) == {"red", "blue"}


def test_the_distance_is_one_minus_the_relevance_computed_by_hand(colors: Library) -> None:
    ranking, found = Ranker(colors).rank(BOAT), text_relevance(colors, BOAT.text)
    network = text_network(colors)
    assert network.text is not None
    ids, rows = vector_store(colors, network).snapshot()
    cosines = rows @ network.text.encode(BOAT.text)
    relevance = (cosines - cosines.mean()) / (cosines.max() - cosines.mean())
    np.testing.assert_array_equal(found.ids, ids)
    np.testing.assert_allclose(found.relevance, relevance, atol=1e-5)
    order = sorted(range(len(ids)), key=lambda row: (-relevance[row], ids[row]))
    np.testing.assert_allclose(ranking.distances, 1 - relevance[order], atol=1e-5)
    assert ranking.photo_ids.tolist() == ids[order].tolist()


def test_limits_and_filters_are_reflected_in_the_counts(colors: Library) -> None:
    ranker = Ranker(colors)
    whole = ranker.rank(BOAT)
    first = ranker.rank(BOAT, limit=4)
    assert first.photo_ids.tolist() == whole.photo_ids[:4].tolist()
    assert first.total == len(whole.photo_ids)
    some = colors.photos.ids("path:blue or path:green")
    filtered = ranker.rank(BOAT, among=some)
    assert filtered.total == len(some)
    kept = np.isin(whole.photo_ids, some)
    assert filtered.photo_ids.tolist() == whole.photo_ids[kept].tolist()
    np.testing.assert_array_equal(filtered.distances, whole.distances[kept])


def test_judged_photos_come_first_and_last_and_similar_ones_follow(colors: Library) -> None:
    ranker = Ranker(colors)
    blue, red = photo(colors, "blue/0.png"), photo(colors, "red/0.png")
    before = kinds(colors, ranker.rank(BOAT))
    colors.text_judgements.set(BOAT.text, [blue], Verdict.SIMILAR)
    colors.text_judgements.set(BOAT.text, [red], Verdict.DISSIMILAR)
    ranking = ranker.rank(TextQuery("  a red   boat"))
    assert ranking.judgements == 2
    assert (ranking.photo_ids[0], ranking.photo_ids[-1]) == (blue, red)
    after = kinds(colors, ranking)
    mean = {kind: np.mean([place for place, one in enumerate(after[1:-1]) if one == kind]) for kind in COLORS}
    was = {kind: np.mean([place for place, one in enumerate(before) if one == kind]) for kind in COLORS}
    assert mean["blue"] < was["blue"] - 3, "photos similar to the judged one come nearer"
    assert (np.diff(ranking.distances) >= 0).all()
    assert ranker.rank(TextQuery("red")).judgements == 0
    assert kinds(colors, ranker.rank(BOAT, by_judgements=False)) == before
    BY_JUDGEMENTS.set(colors, False)
    assert ranker.rank(BOAT).judgements == 0
    BY_JUDGEMENTS.set(colors, None)
    colors.journal.undo()
    colors.journal.undo()
    assert kinds(colors, ranker.rank(BOAT)) == before


def test_judgements_of_the_most_relevant_photos_count_if_there_are_very_many(
    colors: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.ranking.queries.by_text.MAX_JUDGED", 3)
    ranker = Ranker(colors)
    order = ranker.rank(BOAT).photo_ids.tolist()
    verdicts = dict.fromkeys(order, Verdict.SIMILAR)
    gallery, found = ranker.gallery(), text_relevance(colors, BOAT.text)
    rows, _ = text_weights(found, gallery, verdicts)
    by_relevance = sorted(range(len(found.ids)), key=lambda place: (-found.relevance[place], place))[:3]
    assert set(gallery.ids[rows].tolist()) == set(found.ids[by_relevance].tolist())


def test_judgements_survive_closing_and_another_network(colors: Library, tmp_path: Path) -> None:
    blue = photo(colors, "blue/0.png")
    colors.text_judgements.set(BOAT.text, [blue], Verdict.SIMILAR)
    before = Ranker(colors).rank(BOAT).photo_ids.tolist()
    colors.close()
    with Library.open(colors.path) as again:
        assert Ranker(again).rank(BOAT).photo_ids.tolist() == before
        add_network(again, color_entry(tmp_path / "others", "others"))
        change_enabled(again, off=["colors"])
        finish(index(again, [root.path for root in again.roots.all()], backend="threads", workers=1))
        assert text_network(again).name == "others"
        assert Ranker(again).rank(BOAT).photo_ids.tolist() == before


def test_why_near_names_the_family_and_the_judgement(colors: Library) -> None:
    ranker = Ranker(colors)
    blue, other = photo(colors, "blue/0.png"), photo(colors, "blue/1.png")
    plain = why_near(colors, ranker, BOAT, blue)
    (part,) = plain.parts
    assert (part.kind, part.name, part.title) == (PartKind.FAMILY, "colors", "Network colors")
    assert part.value == plain.distance
    assert part.usual == pytest.approx(1)
    assert (plain.focal_id, plain.judgements) == (None, ())
    colors.text_judgements.set(BOAT.text, [blue], Verdict.SIMILAR)
    ranking = ranker.rank(BOAT)
    for photo_id, distance in zip(ranking.photo_ids.tolist(), ranking.distances.tolist(), strict=True):
        why = why_near(colors, ranker, BOAT, photo_id)
        assert why.distance == pytest.approx(distance, abs=1e-6)
        assert sum(part.value for part in why.parts) == pytest.approx(distance, abs=1e-5)
    why = why_near(colors, ranker, BOAT, other)
    assert [part.kind for part in why.parts] == [PartKind.FAMILY, PartKind.JUDGEMENTS]
    assert why.parts[1].value < 0
    assert why.judgements[0].photo_id == blue
    assert why.judgements[0].value == pytest.approx(why.parts[1].value, abs=1e-4)


def test_photos_without_the_vectors_of_the_network_are_not_ranked(colors: Library, album: Album) -> None:
    ids = colors.photos.ids()
    vector_store(colors, text_network(colors)).forget(ids[:2])
    ranker = Ranker(colors)
    assert ranker.unranked(BOAT, ids).tolist() == ids[:2].tolist()
    assert not np.isin(ids[:2], ranker.rank(BOAT).photo_ids).any()
    with pytest.raises(OperationError, match="not described by the network colors yet"):
        why_near(colors, ranker, BOAT, int(ids[0]))


def test_a_library_without_text_encoder_reports_what_to_do(indexed: Library, tmp_path: Path) -> None:
    ranker = Ranker(indexed)
    with pytest.raises(OperationError, match="add one with focal networks --add"):
        ranker.rank(BOAT)
    add_network(indexed, {"name": "plain", "file": str(write_network(tmp_path / "plain.onnx"))})
    with pytest.raises(OperationError, match="The network plain cannot encode texts"):
        ranker.rank(BOAT)
    add_network(indexed, color_entry(tmp_path / "networks"))
    with pytest.raises(OperationError, match="No photo is described by the network colors yet: run focal index"):
        ranker.rank(BOAT)
    change_enabled(indexed, off=["colors"])
    with pytest.raises(OperationError, match="encodes texts, is switched off: focal descriptors --on colors"):
        ranker.rank(BOAT)


@pytest.mark.slow
def test_a_missing_file_of_the_text_encoder_is_reported(colors: Library, tmp_path: Path) -> None:
    (tmp_path / "networks" / "tokenizer.json").unlink()
    network = text_network(colors)
    assert network.text is not None
    from focal_photos.browser.operations.workers.sandbox import sandbox

    sandbox().release()  # otherwise a process has it in memory
    with pytest.raises(OperationError, match=r"no file tokenizer\.json"):
        Ranker(colors).rank(BOAT)
    with pytest.raises(OperationError, match="There is no text"):
        Ranker(colors).rank(TextQuery("  "))


def test_photos_of_a_removed_folder_are_left_out(colors: Library, tmp_path: Path) -> None:
    more = tmp_path / "more"
    draw(more, ("red",), 1, seed=1)
    finish(index(colors, [more], backend="threads", workers=1))
    assert Ranker(colors).rank(BOAT).total == EACH * len(COLORS) + 1
    forget_folder(colors, more)
    assert Ranker(colors).rank(BOAT).total == EACH * len(COLORS)


def test_judgements_do_not_move_a_photo_described_only_by_the_network(colors: Library) -> None:
    whole = Ranker(colors).gallery()
    rows = np.arange(len(whole.ids) - 1)
    gallery = dataclasses.replace(whole, ids=whole.ids[:-1], rows=whole.rows[:-1], gallery=whole.among(rows))
    lacking, judged = int(whole.ids[-1]), int(gallery.ids[-1])
    found = text_relevance(colors, BOAT.text)
    share = judgement_share(found, gallery, {judged: Verdict.SIMILAR})
    assert share[found.ids == lacking] == 0
    assert share[found.ids == judged] != 0


def test_vectors_of_any_length_are_compared_by_their_angle(library: Library, album: Album, tmp_path: Path) -> None:
    draw(album.folder)
    network = add_network(library, {**color_entry(tmp_path / "networks"), "unit_length": False, "framing": "squeeze"})
    finish(index(library, [album.folder], backend="threads", workers=1))
    assert network.text is not None
    _, rows = vector_store(library, network).snapshot()
    lengths = np.linalg.norm(rows, axis=1)
    assert lengths.min() < 0.95
    cosines = rows @ network.text.encode(BOAT.text) / lengths
    relevance = (cosines - cosines.mean()) / (cosines.max() - cosines.mean())
    np.testing.assert_allclose(text_relevance(library, BOAT.text).relevance, relevance, atol=1e-5)


def test_different_texts_give_different_vectors(colors: Library) -> None:
    first, second = (text_relevance(colors, text).relevance for text in ("red", "blue"))
    assert not np.allclose(first, second)
    np.testing.assert_array_equal(text_relevance(colors, "red").relevance, first)
