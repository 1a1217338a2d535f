# SPDX-License-Identifier: MIT
"""The models of tagging: pinned, related and target tags, suggestions, and boxes."""

from __future__ import annotations

from collections.abc import Callable

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.overview import LibraryOverview, find_untagged
from focal_photos.browser.models.photos.resting_selection import RestingSelection
from focal_photos.browser.models.tagging.photo_boxes import PhotoBoxes
from focal_photos.browser.models.tagging.photo_picking import PhotoPicking
from focal_photos.browser.models.tagging.pinned_tags import PinnedTags
from focal_photos.browser.models.tagging.related_model import RelatedModel
from focal_photos.browser.models.tagging.suggestion_method import SuggestionMethod
from focal_photos.browser.models.tagging.suggestion_model import SuggestionModel
from focal_photos.browser.models.tagging.target_tags import CurrentTargetTags
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.models.work.jobs.suggesting import Suggesting
from focal_photos.browser.models.work.naming import Naming


class Tagging(Model):
    """Creates the models of tagging."""

    def __init__(
        self,
        services: Services,
        navigator: Navigator,
        selection: RestingSelection,
        overview: LibraryOverview,
        editor: Editor,
        naming: Naming,
        suggesting: Suggesting,
    ) -> None:
        super().__init__(services)
        self._navigator, self._suggesting = navigator, suggesting
        self.pinned = PinnedTags(services, overview)
        self.target_tags = CurrentTargetTags(services, navigator, selection)
        self.related = RelatedModel(services)
        self.suggestions = SuggestionModel(services, navigator, selection, editor)
        self.boxes = PhotoBoxes(services, navigator, selection, editor, naming)
        self.method = SuggestionMethod(services, overview, suggesting)
        self.picking = PhotoPicking(services, navigator)
        self.target_tags.changed.connect(self._find_related)
        suggesting.suggested.connect(lambda photo_ids: self.suggestions.show(everywhere=not photo_ids))

    def _find_related(self) -> None:
        self.related.find_related(name for name, _ in self.target_tags.now.counts)

    def suggest(self) -> None:
        """Suggest tags for the selected photos, or for all untagged ones if none are selected."""
        navigator = self._navigator
        chosen = navigator.targets if navigator.selected or navigator.focal_selected else ()
        self._suggesting.suggest(chosen, first=navigator.grid.visible_ids)

    def next_untagged(self, after: int | None, done: Callable[[int | None], None]) -> None:
        """Find the next untagged photo of the grid after `after`, wrapping around at the end."""
        grid = self._navigator.grid

        def ask() -> None:
            ids = grid.ids
            self._runner.read("untagged", lambda: find_untagged(self._library, ids, after), done)

        grid.when_complete(ask)
