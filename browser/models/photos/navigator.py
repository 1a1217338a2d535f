# SPDX-License-Identifier: MIT
"""The state of the browser and the navigation through it: collection, focal image, ranking, trail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.order import Order
from focal_photos.browser.catalog.facts.query.syntax import QueryError, Tagged, parse, quote
from focal_photos.browser.catalog.facts.records import Relation, Verdict
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction, Severity
from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.navigation.arrangement import Arrangement, JudgedAgainst, judged_against
from focal_photos.browser.models.photos.navigation.step_arranger import Request, StepArranger
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards, image_title, shown
from focal_photos.browser.models.photos.trail import Collection, GridPosition, Step, Trail
from focal_photos.browser.operations.ranking.queries.by_judgements import judgements_against, relations_against
from focal_photos.browser.operations.ranking.queries.query import (
    Example,
    Examples,
    Query,
    RegionQuery,
    TextQuery,
)
from focal_photos.browser.operations.ranking.sure_distance import Evidence, SureDistance


class Navigator(Model):
    """Manages the trail and arranges the grid accordingly."""

    arranged = Signal(object)
    """The grid has new rows; the view scrolls to this position (GridPosition)."""
    focal_changed = Signal()
    """`focal` is another photo, or its card has changed."""
    trail_changed = Signal()
    marks_changed = Signal()
    selection_changed = Signal()

    def __init__(self, services: Services, grid: GridModel, overview: LibraryOverview) -> None:
        super().__init__(services)
        self.grid = grid
        self.trail = Trail()
        self.focal: PhotoCard | None = None
        self.focal_id: int | None = None
        self.shown = Arrangement()
        """The photos that the grid shows, with their metric; of a large ranking, the first ones."""
        self.marks: dict[int, Verdict] = {}
        self.relations: dict[int, frozenset[Relation]] = {}
        """Photos that look like the focal image or are nearer to it than others, with these relations."""
        self.selected: tuple[int, ...] = ()
        self.focal_selected = False
        """Whether the focal image, which is not in the grid, is selected too."""
        self.position: Callable[[], GridPosition] = GridPosition
        """Set by the view: returns the user's position in the grid."""
        self.in_hand: int | None = None
        """The photo that key commands act on while another page shows it."""
        self._last_focal: int | None = None
        self._arranged: Step = self.trail.current  # the displayed step; the trail may be ahead of it
        self._edit = 0
        self._edited: tuple[int, Step] | None = None
        self._overview = overview
        self.arranger = StepArranger(services)
        self.arranger.arrived.connect(self._arrived)
        self.arranger.rest_arrived.connect(self._rest_arrived)
        self.arranger.outdated.connect(self.again)
        self._feed.subscribe(self._take_changes)

    # ------------------------------------------------------------------ current place
    @property
    def collection(self) -> Collection:
        """The shown photos, before any ranking."""
        return self.trail.current.collection

    @property
    def latest(self) -> Step:
        """The step requested last, shown or not; the next action starts from it."""
        pending = self.arranger.pending
        return self.trail.current if pending is None else pending.step

    @property
    def arranging(self) -> bool:
        """Whether a step is being arranged, so that the grid does not show it yet."""
        return self.arranger.pending is not None

    @property
    def targets(self) -> tuple[int, ...]:
        """Photos to tag: the one given to `hold`, else the selected ones, else the focal image.

        The focal image comes first if it is selected.
        """
        if self.in_hand is not None:
            return (self.in_hand,)
        if self.focal_id is None or (self.selected and not self.focal_selected):
            return self.selected
        return (self.focal_id, *(photo_id for photo_id in self.selected if photo_id != self.focal_id))

    def select(self, photo_ids: Sequence[int]) -> None:
        """Set the selection of the view."""
        selected = tuple(photo_ids)
        if selected != self.selected:
            if self.selected and not set(selected) & set(self.selected):
                self.focal_selected = False
            self.selected = selected
            self.selection_changed.emit()

    def hold(self, photo_id: int | None) -> None:
        """Let key commands act on one photo that another page shows; None: on the selection again."""
        if photo_id != self.in_hand:
            self.in_hand = photo_id
            self.selection_changed.emit()

    def select_focal(self, select: bool) -> None:
        """Add the focal image to the selection, or remove it."""
        if select != self.focal_selected and (self.focal_id is not None or not select):
            self.focal_selected = select
            self.selection_changed.emit()

    # ------------------------------------------------------------------ navigation
    def focus(self, photo_id: int) -> None:
        """Make a photo the focal image and rank the rest of the collection by distance to it."""
        card = self.grid.card(photo_id)
        if card is not None and card.photo.failure is not None:
            text = self.tr("{0} cannot be read: {1}").format(card.name, card.photo.failure)
            self._notices.post(text, Severity.WARNING, MessageAction.SHOW_FAILURES)
        else:
            self._go(Step(self.latest.collection, photo_id, card.name if card else ""))

    def rank_by(self, query: Query, name: str) -> None:
        """Rank the collection by a query that need not be in the library: an image, its file, or a text."""
        self._go(Step(self.latest.collection, None, name, query=query))

    def rank_by_text(self, text: str) -> None:
        """Rank the collection by a text; do nothing if it is empty."""
        query = TextQuery(text)
        if query.text:
            quoted = self.tr("\N{LEFT DOUBLE QUOTATION MARK}{0}\N{RIGHT DOUBLE QUOTATION MARK}")
            self.rank_by(query, quoted.format(query.text))

    @property
    def examples(self) -> Examples | None:
        """The examples, or the image from outside the library, that replace the focal image."""
        query = self.trail.current.query
        if isinstance(query, bytes | Path):
            return Examples((query,))
        return query if isinstance(query, Examples) else None

    @property
    def judged_against(self) -> JudgedAgainst:
        """The query that judgements refer to: the focal image, the positive examples, a text, or part of a photo."""
        return judged_against(self._arranged)

    @property
    def part(self) -> RegionQuery | None:
        """The region that replaces the focal image."""
        query = self.trail.current.query
        return query if isinstance(query, RegionQuery) else None

    def rank_by_examples(self, like: Sequence[Example], unlike: Sequence[Example] = ()) -> None:
        """Rank the collection by examples; a single positive example becomes an ordinary focal image."""
        like, unlike = tuple(dict.fromkeys(like)), tuple(dict.fromkeys(unlike))
        if not like:
            return
        first = like[0]
        if len(like) > 1 or unlike:
            self.rank_by(Examples(like, unlike), self._examples_name(like, unlike))
        elif isinstance(first, int):
            self.focus(first)
        else:
            self.rank_by(first, self._example_name(first))

    def add_examples(self, some: Sequence[Example], *, like: bool) -> None:
        """Add examples to the current ones; an example of the other sign changes its sign."""
        latest = self.latest
        query = latest.focal_id if latest.focal_id is not None else latest.query
        likes: tuple[Example, ...] = query.like if isinstance(query, Examples) else ()
        unlikes: tuple[Example, ...] = query.unlike if isinstance(query, Examples) else ()
        if isinstance(query, RegionQuery):
            query = query.source  # examples are whole photos
        if isinstance(query, int | bytes | Path):
            likes = (query,)
        remaining = [tuple(one for one in group if one not in some) for group in (likes, unlikes)]
        likes, unlikes = (
            (*remaining[0], *some) if like else remaining[0],
            remaining[1] if like else (*remaining[1], *some),
        )
        self.rank_by_examples(likes, unlikes)

    def drop_example(self, example: Example) -> None:
        """Remove one of the examples; the last positive one stays."""
        examples = self.examples
        if examples is not None:
            like = [one for one in examples.like if one != example]
            self.rank_by_examples(like, [one for one in examples.unlike if one != example])

    def _example_name(self, example: Example) -> str:
        if isinstance(example, int):
            card = self.focal if example == self.focal_id else self.grid.card(example)
            return card.name if card is not None else ""
        return image_title(example)

    def _examples_name(self, like: Sequence[Example], unlike: Sequence[Example]) -> str:
        text = self.tr("like these {0}").format(len(like)) if len(like) > 1 else self._example_name(like[0])
        return text + (self.tr(", not like {0}").format(len(unlike)) if unlike else "")

    @property
    def ranked(self) -> bool:
        """Whether photos are ranked, by a focal image or another query."""
        return self.focal_id is not None or self.trail.current.ranked

    def leave_ranking(self) -> None:
        """Leave the ranking and return to the last position in the unranked collection."""
        if self.ranked:
            earlier = [
                step.position
                for step in self.trail.steps[: self.trail.at]
                if step.shows == (self.collection, None, None)
            ]
            position = earlier[-1] if earlier else GridPosition(self.focal_id, 0, self.focal_id)
            self._go(Step(self.collection, None, self._name(self.collection), position))

    def show_collection(self, collection: Collection = Collection()) -> None:  # noqa: B008
        """Show a folder, a tag or all photos, in the current sort order."""
        latest = self.latest.collection
        collection = replace(collection, order=latest.order, seed=latest.seed)
        self._go(Step(collection, None, self._name(collection)))

    def sort(self, order: Order) -> None:
        """Sort the shown photos without a focal image; a random order is a new one each time."""
        latest = self.latest
        seed = latest.collection.seed + (order is Order.RANDOM)
        collection = replace(latest.collection, order=order, seed=seed)
        if latest.ranked or collection != latest.collection:
            self._go(Step(collection, None, self._name(collection)))

    def show_selected(self, photo_ids: Sequence[int]) -> None:
        """Show all photos in their own order, with some of them selected."""
        ids = tuple(photo_ids)
        if not ids:
            return
        position = GridPosition(ids[0], 0, ids[0], ids, at_selected=True)
        everything = replace(self.collection, query="", folder=None)
        if self.focal_id is None and everything == self.collection:
            self.arranged.emit(position)
        else:
            self._go(Step(everything, None, self._name(everything), position))

    def begin_filter(self) -> None:
        """Let the next `set_query` add a step; later ones replace that step."""
        self._edit += 1

    def set_query(self, query: str) -> None:
        """Filter the shown photos; the focal image and the selection stay, and its ranking is filtered."""
        latest = self.latest
        collection = replace(latest.collection, query=" ".join(query.split()))
        if collection != latest.collection:
            label = latest.label if latest.ranked else self._name(collection)
            place = GridPosition(selected=self.selected)
            self._go(replace(latest, collection=collection, label=label, position=place), self._edit)

    def show_folder(self, folder: Path | None) -> None:
        """Show one folder without any filter; None for all photos."""
        self.show_collection(Collection("", folder))

    def show_tag(self, tag: str) -> None:
        """Show the photos that carry a tag or a tag below it."""
        self.show_collection(Collection(f"tag:{quote(tag)}"))

    @property
    def shown_tag(self) -> str | None:
        """The tag whose photos are shown, if the filter is just that tag."""
        return only_tag(self.collection)

    def back(self) -> None:
        """Go one step back in the trail, to the same position."""
        if self.trail.can_go_back:
            self.go(self.trail.at - 1)

    def forward(self) -> None:
        """Go one step forward in the trail."""
        if self.trail.can_go_forward:
            self.go(self.trail.at + 1)

    def go(self, number: int) -> None:
        """Go to a step of the trail."""
        if number == self.trail.at:
            return
        self.trail.leave(self.position())
        self.arranger.find(Request(self.trail.go(number), first=True))

    def take_branch(self, number: int, branch: int) -> None:
        """Go to the first step of a branch that starts at a step of the trail; see `Trail.take`."""
        self.trail.leave(self.position())
        self.arranger.find(Request(self.trail.take(number, branch)))

    def open_way(self, steps: Sequence[Step]) -> None:
        """Show the last of other steps; see `Trail.open`."""
        self.trail.leave(self.position())
        self.arranger.find(Request(self.trail.open(steps), first=True))

    def restore(self, steps: Sequence[Step], at: int) -> None:
        """Show a step of an earlier session at its position, with its trail; on failure, show all photos."""

        def refused() -> None:
            self.trail.restore((), 0)
            self._go(Step(Collection(), None, self._name(Collection())))

        self.arranger.find(Request(self.trail.restore(steps, at), first=True), refused)

    def again(self) -> None:
        """Arrange the current step again at the same position, because there are new photos.

        If a ranking waits for the first photos to be described, it is tried instead.
        """
        if self.arranger.pending is None:
            self.trail.leave(self.position())
        self.arranger.find(self.arranger.pending or self.arranger.waiting or Request(self.trail.current))

    def reorder(self) -> None:
        """Arrange the current step again from the top, because its order has changed, and keep the selection."""
        if self.arranger.pending is None:
            self.trail.leave(GridPosition(selected=self.position().selected))
        self.arranger.find(self.arranger.pending or Request(self.trail.current))

    def follow_judgements(self, photo_ids: frozenset[int] = frozenset()) -> None:
        """Arrange the ranking again because its order follows judgements, without moving the view.

        The scroll position stays, the selection stays with its photos, and arrow keys go on from the former place of
        the current photo if it was judged (`GridModel.place_of`).
        """
        if not self.ranked:
            return
        request = self.arranger.pending or Request(self.trail.current, judged=photo_ids)
        if request.judged is not None:
            request = replace(request, judged=request.judged | photo_ids)
        self.arranger.find(request)

    # ------------------------------------------------------------------ changes of the library
    def _take_changes(self, changes: ChangeSet) -> None:
        """Arrange the photos again if their order has changed, and refresh their tiles and the focal image."""
        kinds, photo_ids = changes.kinds, changes.photo_ids
        if Kind.METRICS in kinds and self.ranked:
            self.reorder()
        elif kinds & {Kind.PHOTOS, Kind.ROOTS}:
            self.again()
        if Kind.FILES in kinds:
            self.grid.reload_pictures()
        if Kind.ROTATIONS in kinds and photo_ids:
            self._follow_rotations(photo_ids)
        elif Kind.BOXES in kinds:
            self._loader.renew(())
        if kinds & {Kind.TAGS, Kind.BOXES, Kind.SUGGESTIONS, Kind.MARKS, Kind.ROTATIONS, Kind.PHOTOS}:
            self.grid.refresh(photo_ids or None)
        if kinds & {Kind.TAGS, Kind.JUDGEMENTS, Kind.ROTATIONS, Kind.FILES}:
            self.refresh_focal()
        if Kind.JUDGEMENTS in kinds and self._overview.now.by_judgements:
            self.follow_judgements(photo_ids)

    def _follow_rotations(self, photo_ids: frozenset[int]) -> None:
        """Show photos in their new rotation."""
        grid, photos, ids = self.grid, self._library.photos, self.grid.ids
        grid.renew_pictures(photo_ids)
        self._runner.read("turns", lambda: photos.aspects(ids), lambda aspects: grid.show_aspects(ids, aspects))

    def refresh_focal(self) -> None:
        """Read the focal image's card and judgements again."""
        focal_id, judged, library = self.focal_id, self.judged_against, self._library
        if not judged:
            return

        def read() -> tuple[PhotoCard | None, dict[int, Verdict], dict[int, frozenset[Relation]]]:
            card = None if focal_id is None else fetch_cards(library, [focal_id]).get(focal_id)
            return card, judgements_against(library, judged), relations_against(library, judged)

        def done(found: tuple[PhotoCard | None, dict[int, Verdict], dict[int, frozenset[Relation]]]) -> None:
            if self.focal_id == focal_id and self.judged_against == judged:
                self._set_focal(focal_id, *found)

        self._runner.read("focal", read, done)

    # ------------------------------------------------------------------ private
    def _go(self, step: Step, edit: int | None = None) -> None:
        self.trail.leave(self.position())
        self.arranger.find(Request(step, True, edit, first=True))

    def _push(self, step: Step, edit: int | None) -> None:
        if edit is not None and self._edited is not None:
            number, earlier = self._edited
            shown_now = self.trail.current
            if number == edit and earlier.shows == shown_now.shows:
                self.trail.drop()
        before = self.trail.at
        self.trail.push(step)
        self._edited = (edit, step) if edit is not None and self.trail.at > before else None

    def _arrived(self, request: Request, found: Arrangement) -> None:
        step, former = request.step, self.grid.ids
        if request.push:
            self._push(step, request.edit)
        self._arranged = step
        position = step.position if request.judged is None else self.position()
        if found.focal is not None:
            self.trail.label(found.focal.name)
        self.shown = found
        # In the order of the folders, the last focal image stays marked, since the user came from there. It is not the
        # focal image of rankings by several examples, a text or an image from outside the library.
        focal_id = step.focal_id if step.ranked else self.focal_id or self._last_focal
        left = position.current if position.current in (request.judged or ()) else None
        self.grid.show_folded(found.folded)
        self.grid.weak_tip = self._weak_tip(found.sure)
        moved = self.grid.arrange(
            found.ids,
            found.scores,
            focal_id,
            left=left,
            total=found.total,
            aspects=found.aspects,
            weak_from=found.weak_from,
            windows=found.windows,
        )
        self._set_focal(step.focal_id, found.focal, found.marks or {}, found.relations or {})
        self.trail_changed.emit()
        if moved:
            if request.judged is not None:
                position = replace(position, anchor=_in_its_place(position.anchor, former, found.ids))
            self.arranged.emit(position)

    def _rest_arrived(self, rest: Arrangement) -> None:
        self.shown = replace(self.shown, unranked=rest.unranked)
        self.grid.show_folded(rest.folded)
        self.grid.extend(rest.ids, rest.scores, rest.aspects, rest.windows)

    def _set_focal(
        self,
        focal_id: int | None,
        card: PhotoCard | None,
        marks: dict[int, Verdict],
        relations: dict[int, frozenset[Relation]],
    ) -> None:
        if (focal_id, card) != (self.focal_id, self.focal):
            moved = focal_id != self.focal_id
            self._last_focal = self.focal_id if self.focal_id is not None else self._last_focal
            self.focal_id, self.focal = focal_id, card
            self.focal_selected &= not moved
            self.focal_changed.emit()
            if moved:
                self.selection_changed.emit()
        if (marks, relations) != (self.marks, self.relations):
            self.marks, self.relations = marks, relations
            self.marks_changed.emit()
        self.grid.set_marks(marks, relations)

    def _weak_tip(self, sure: SureDistance | None) -> str:
        """Return the explanation of the line above the weak matches."""
        if sure is None:
            return ""
        shares = [f"{share:.0%}" for share in (sure.within, sure.beyond) if share is not None]
        if len(shares) == 2 and sure.evidence is Evidence.TAGS:
            text = self.tr("Of your tagged photos, {0} above this line share a tag and {1} below it.")
            return text.format(*shares)
        if len(shares) == 2 and sure.evidence is Evidence.JUDGEMENTS:
            text = self.tr("Of the photos you judged, {0} above this line were similar and {1} below it.")
            return text.format(*shares)
        if sure.evidence is Evidence.NEIGHBORS:
            return self.tr(
                "Photos below share no neighbours with the focal image. The line follows your tags and judgements."
            )
        return self.tr("Weak matches: photos below are probably different.")

    def _name(self, collection: Collection) -> str:
        name = collection_name(collection)
        if collection.among is not None:
            among = self.tr("{0} of the map").format(photos_in_words(len(collection.among)))
            name = " ".join(part for part in (among, name) if part)
        return name or self.tr("All photos")


def _in_its_place(photo_id: int | None, former: NDArray[np.int64], now: NDArray[np.int64]) -> int | None:
    """Return the photo that is now in the former row of another."""
    rows = np.flatnonzero(former == photo_id) if photo_id is not None else former[:0]
    return int(now[rows[0]]) if len(rows) and rows[0] < len(now) else photo_id


def only_tag(collection: Collection) -> str | None:
    """Return the tag whose photos a collection holds, if its filter is just that tag."""
    if collection.folder is not None or collection.among is not None:
        return None
    try:
        terms = parse(collection.query).terms
    except QueryError:
        return None
    return terms[0].name if len(terms) == 1 and isinstance(terms[0], Tagged) else None


def collection_name(collection: Collection) -> str:
    """Return a collection in a few words; empty for all photos."""
    folder = "" if collection.folder is None else shown(collection.folder.name) or str(collection.folder)
    return " ".join(part for part in (folder, collection.query) if part)
