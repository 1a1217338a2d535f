# SPDX-License-Identifier: MIT
"""The display of a local metric: the heat map of the focal image, and its matching patches on another photo."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage

from focal_photos.browser.catalog.facts.records import Metric, Region
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction, Severity
from focal_photos.browser.models.local.heat_map import HeatMap, make_heat_map
from focal_photos.browser.models.local.patch_matches import Matches, matched_pairs
from focal_photos.browser.models.photos.formatting import metric_title
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.models.photos.tiles import fetch_cards
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.models.work.jobs.training import Training
from focal_photos.browser.operations.ranking.local import explain
from focal_photos.browser.operations.ranking.local.learner import KINDS, LOCAL, is_local, newest_local
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.pictures import rotated


class LocalView(Model):
    """The switches of the heat map and the matching patches, and their content.

    Both switches stay unchanged when the focal image or the metric changes.
    """

    heat_changed = Signal()
    """The switch, the kind, the map or its availability has changed."""
    matches_changed = Signal()
    """The switch, the other photo or its matches have changed."""

    def __init__(
        self, services: Services, navigator: Navigator, overview: LibraryOverview, editor: Editor, training: Training
    ) -> None:
        super().__init__(services)
        self._navigator = navigator
        self._overview, self._editor, self._training = overview, editor, training
        self.kinds = KINDS
        self.kind = 0
        """Number of the shown map: 0 for all patches, k + 1 for those of kind k."""
        self.heat_on = False
        self.matching = False
        self.other_id: int | None = None
        self.heat_map: HeatMap | None = None
        self.matches: Matches | None = None
        self.region: Region | None = None
        """The region of the focal image that the user has drawn."""
        self.failure = ""
        """Reason why there is no map or no matches."""
        self._focal_id = navigator.focal_id
        self._requested: tuple[int, int] | None = None
        self._requested_pairs: tuple[int, int, int] | None = None
        navigator.trail_changed.connect(self._arranged)
        navigator.selection_changed.connect(self._selected)
        training.metric_updated.connect(self.refresh)
        self._feed.subscribe(self._take_changes, Kind.MARKS, Kind.ROTATIONS)

    # ------------------------------------------------------------------ content
    @property
    def metric(self) -> Metric | None:
        """The metric of the ranking, if it is local."""
        metric = self._navigator.shown.metric
        ranked = self._navigator.focal_id is not None and metric is not None
        return metric if ranked and metric is not None and is_local(metric) else None

    @property
    def shown_map(self) -> QImage | None:
        """The map to paint over the focal image; None if there is none."""
        if not self.heat_on or self.heat_map is None or not self.heat_map.learned:
            return None
        return rotated(self.heat_map.maps[self.kind], self._quarters)

    @property
    def shown_region(self) -> Region | None:
        """The important region of the focal image as displayed; None if all of it counts the same."""
        return None if self.region is None else rotated_region(self.region, self._quarters)

    @property
    def _quarters(self) -> int:
        """Number of quarter turns by which the display of the focal image is rotated."""
        card = self._navigator.focal
        return 0 if card is None else card.quarters

    @property
    def computing(self) -> bool:
        """Whether the weights of the focal image are being computed."""
        return self._requested is not None and self.heat_map is None and not self.failure

    def can_show(self) -> bool:
        """Return whether a heat map or matching patches can be shown; if not, offer the missing step."""
        overview = self._overview.now
        if self.metric is not None:
            return True
        if overview.metric is not None and is_local(overview.metric):
            text = self.tr("Double-click a photo first: heat map and matching patches need a focal image.")
            self._notices.post(text, Severity.WARNING)
        elif (trained := newest_local(overview.metrics)) is not None:
            text = self.tr("Heat map and matching patches need “{0}”, which is not in use.")
            self._notices.post(text.format(metric_title(trained)), Severity.WARNING, MessageAction.USE_LOCAL)
        elif self._training.running:
            text = self.tr(
                "Heat map and matching patches need local distances. A metric is being trained: wait for it."
            )
            self._notices.post(text, Severity.WARNING)
        else:
            text = self.tr("Heat map and matching patches need local distances, which are not trained yet.")
            action = MessageAction.NONE if self._library.read_only else MessageAction.TRAIN_LOCAL
            self._notices.post(text, Severity.WARNING, action)
        return False

    def use_local_distances(self) -> None:
        """Rank by the newest metric of local distances, or train one if there is none, and show the heat map."""
        trained = newest_local(self._overview.now.metrics)
        self.show_heat(True)
        if trained is None:
            self._training.retrain(LOCAL)
        else:
            self._editor.choose_metric(trained.id)

    # ------------------------------------------------------------------ switches
    def show_heat(self, on: bool) -> None:
        """Switch the heat map on or off."""
        if on != self.heat_on:
            self.heat_on = on
            self._want_weights()
            self.heat_changed.emit()

    def choose_kind(self, kind: int) -> None:
        """Show the map of all patches (0) or of one kind, and switch the heat map on."""
        self.kind = kind
        self.show_heat(True)
        self.heat_changed.emit()

    def next_kind(self) -> None:
        """Show the map of the next kind of patch; if the heat map is off, switch it on with its former kind."""
        self.choose_kind((self.kind + 1) % (len(self.kinds) + 1) if self.heat_on else self.kind)

    def show_matches(self, photo_id: int) -> None:
        """Show the best-matching patches of the focal image and this photo, and then follow the selection."""
        self.matching, self.other_id = True, photo_id
        self._want_weights()
        self.matches_changed.emit()

    def leave_matches(self) -> bool:
        """Stop showing the matches; return whether they were shown."""
        was, self.matching = self.matching, False
        if was:
            self.other_id = self.matches = self._requested_pairs = None
            self._runner.forget("matches")
            self.matches_changed.emit()
        return was

    def refresh(self) -> None:
        """Compute the shown data again, because the current metric has learned more."""
        self._requested = self._requested_pairs = None
        self._want_weights()

    def teach_region(self, region: Region | None) -> None:
        """Set the important region of the displayed focal image, in one undo step; None: all of it."""
        library, focal_id = self._library, self._navigator.focal_id
        region = None if region is None else rotated_region(region, -self._quarters)
        if focal_id is not None and not library.read_only:
            self._editor.teach_region(focal_id, region)

    def _take_changes(self, changes: ChangeSet) -> None:
        """Read the region again and update ranking and map, if that of the focal image may have changed."""
        if Kind.MARKS in changes.kinds and self._navigator.focal_id in changes.photo_ids:
            self._read_region(self._rank_again)
        if Kind.ROTATIONS in changes.kinds and self.matching and {self._focal_id, self.other_id} & changes.photo_ids:
            self._requested_pairs = None
            self._want_pairs()

    def _rank_again(self) -> None:
        if self.metric is not None:
            self.heat_map = self.matches = None
            self.refresh()
            self._navigator.reorder()

    def _read_region(self, then: Callable[[], None] | None = None) -> None:
        library, focal_id = self._library, self._navigator.focal_id

        def done(region: Region | None) -> None:
            if focal_id == self._navigator.focal_id:
                before, self.region = self.region, region
                if then is not None and before != region:
                    then()
                self.heat_changed.emit()

        self._runner.read("region", lambda: None if focal_id is None else library.regions.of(focal_id), done)

    # ------------------------------------------------------------------ navigation
    def _arranged(self) -> None:
        """Follow the focal image and the metric."""
        focal_id, before = self._navigator.focal_id, self._focal_id
        self._focal_id = focal_id
        if before != focal_id:
            self.region = None
            self._read_region()
        if self._requested is not None and (self.metric is None or self._requested != (self.metric.id, focal_id)):
            self.heat_map = None
        if self.matching and self.metric is None:
            self.leave_matches()
        elif self.matching and before != focal_id:
            self._compare_nearest()
        self._want_weights()
        self.heat_changed.emit()

    def _compare_nearest(self) -> None:
        """Compare a new focal image with the photo nearest to it, until the user selects another."""
        ids = self._navigator.grid.ids
        self.other_id = int(ids[0]) if len(ids) else None
        self.matches = None
        self.matches_changed.emit()

    def _selected(self) -> None:
        """Follow the selection."""
        chosen = self._navigator.selected
        if self.matching and chosen and chosen[0] not in (self.other_id, self._navigator.focal_id):
            self.other_id = chosen[0]
            self._want_pairs()

    # ------------------------------------------------------------------ requests
    def _want_weights(self) -> None:
        """Request the weights of the focal image; the matches wait for them, so that nothing is learned twice."""
        metric, focal_id, library = self.metric, self._navigator.focal_id, self._library
        if metric is None or focal_id is None or not (self.heat_on or self.matching):
            self._runner.forget("heat")
            self._requested, self.failure = None, ""
            return
        if self._requested == (metric.id, focal_id):
            if self.heat_map is not None:
                self._want_pairs()
            return
        self._requested, self.failure = (metric.id, focal_id), ""

        def read() -> HeatMap:
            (photo,) = library.photos.get([focal_id])
            aspect = photo.width / photo.height if photo.width and photo.height else 1.0
            return make_heat_map(explain.focal_patches(library, metric.name, focal_id), aspect)

        def done(found: HeatMap) -> None:
            self.heat_map = found
            self.heat_changed.emit()
            self._want_pairs()

        self._runner.read("heat", read, done, self.tr("The heat map"), self._failed)

    def _want_pairs(self) -> None:
        metric, focal_id, other_id, library = self.metric, self._navigator.focal_id, self.other_id, self._library
        if not self.matching or metric is None or focal_id is None or other_id is None:
            return
        if self._requested_pairs == (metric.id, focal_id, other_id):
            return
        self._requested_pairs = metric.id, focal_id, other_id

        def read() -> Matches:
            found = explain.patch_matches(library, metric.name, focal_id, other_id)
            cards = fetch_cards(library, [focal_id, other_id])
            return Matches(cards[focal_id], cards[other_id], matched_pairs(found))

        def done(found: Matches) -> None:
            self.matches, self.failure = found, ""
            self.matches_changed.emit()

        self._runner.read("matches", read, done, self.tr("Matching the patches"), self._failed)

    def _failed(self, error: Exception) -> bool:
        """Store the error for display beside the picture; the message is shown as well."""
        self.failure = in_words(str(error))
        self.matches = None
        self.heat_changed.emit()
        self.matches_changed.emit()
        return False
