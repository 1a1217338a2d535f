# SPDX-License-Identifier: MIT
"""What surrounds the questions of Review: its other pages, the chosen tags, and the keys of tags."""

from __future__ import annotations

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.scope import CurrentScope, Scope
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.review.agreement import Agreement
from focal_photos.browser.models.review.ask_next import AskNext
from focal_photos.browser.models.review.audit import Audit
from focal_photos.browser.models.review.box_frames import BoxFrames
from focal_photos.browser.models.review.check_tags import CheckTags
from focal_photos.browser.models.review.drift import Drift
from focal_photos.browser.models.review.name_proposals import NameProposals
from focal_photos.browser.models.review.photo_by_photo import PhotoByPhoto
from focal_photos.browser.models.review.question_tags import QuestionTags
from focal_photos.browser.models.review.questions.box_search import BoxSearch
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.models.review.scope_keys import ScopeKeys
from focal_photos.browser.models.review.tag_keys import TagKeys
from focal_photos.browser.models.sidebar.words import Words
from focal_photos.browser.models.tagging.pinned_tags import PinnedTags
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.models.work.naming import Naming
from focal_photos.browser.operations.ranking.queries import by_region


class ReviewPages(Model):
    """Creates these models, and limits Review to the scope and the chosen tags."""

    def __init__(
        self,
        services: Services,
        scope: CurrentScope,
        review: Review,
        words: Words,
        pinned: PinnedTags,
        editor: Editor,
        naming: Naming,
        indexing: Indexing,
    ) -> None:
        super().__init__(services)
        self._scope, self._review = scope, review
        self.question_tags = QuestionTags(services, words)
        self.photo_by_photo = PhotoByPhoto(services, editor, review, words)
        self.ask_next = AskNext(services, scope, editor)
        self.audit = Audit(services, scope, editor)
        self.check_tags = CheckTags(services, scope, editor)
        self.agreement = Agreement(services, editor)
        self._drift = Drift(services)
        self.boxes = Review(services, editor, boxes=True)
        self.frames = BoxFrames(services, self.boxes)
        self.tag_keys = TagKeys(self)
        self.box_keys = TagKeys(self)
        """The keys of the tags of boxes, on pages of all tags."""
        self._pinned = pinned
        self.proposed = NameProposals(services, review)
        self._scope_keys = ScopeKeys(services, scope, review, self.photo_by_photo, words, pinned, editor, self.tag_keys)
        indexing.described.connect(self._drift.take_described)
        scope.changed.connect(self._limit)
        scope.windows_wanted.connect(self._describe_windows)
        self.question_tags.changed.connect(self._limit)
        self.boxes.tiles.shown.connect(self._give_box_keys)
        editor.tags_made.connect(lambda new: self.box_keys.give(new) if self.boxes.active else None)
        words.tags_read.connect(lambda: self.box_keys.keep(words.tags))
        for model in (review, self.boxes, self.photo_by_photo, self.question_tags, self.tag_keys, self.box_keys):
            naming.renamed.connect(model.follow_name)
        self._indexing = indexing
        indexing.running_changed.connect(lambda: None if indexing.running else self.ask_next.ask_again())
        search = self.boxes.search
        if isinstance(search, BoxSearch):
            search.windows_wanted.connect(self._describe_windows)
            indexing.running_changed.connect(lambda: None if indexing.running else search.again())

    def _describe_windows(self) -> None:
        """Describe all photos for searches by a region, on which suggested boxes and pages about boxes depend."""
        library, attempt = self._library, self.tr("Preparing suggested boxes")
        self._runner.write(
            attempt, lambda: by_region.prepare_regions(library), lambda _: self._indexing.describe(attempt)
        )

    def _give_box_keys(self) -> None:
        """Give keys to the tags that Focal suggests boxes of; pinned ones begin with their digits."""
        names = sorted({question.tag for question in self.boxes.questions if question.tag})
        if not self.box_keys.in_order():
            self.box_keys.begin([tag if tag in names else "" for tag in self._pinned.tags])
        self.box_keys.give(names)

    def _limit(self) -> None:
        self.photo_by_photo.end()
        choice = self.question_tags
        self._review.limit(self._scope.scope, choice.left_out, new_kinds=choice.new_kinds)
        self.boxes.limit(self._scope.scope)

    @property
    def covers_reported_folder(self) -> bool:
        """Whether the scope is the folder that was reported last; see `Drift`."""
        folder = self._drift.folder
        return folder is not None and self._scope.scope == Scope(Collection(folder=folder))

    def review_new_kinds(self) -> None:
        """Review new kinds in the folder that was reported last; see `Drift`."""
        if self._drift.folder is not None:
            self._scope.choose(Scope(Collection(folder=self._drift.folder)))
            self.question_tags.choose(self.question_tags.left_out, new_kinds=True)
