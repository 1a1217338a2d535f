# SPDX-License-Identifier: MIT
"""Names given by the user: tags, saved searches and trails. Each change is one undo step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.records import SavedStep
from focal_photos.browser.catalog.facts.tags import normalise
from focal_photos.browser.catalog.facts.vocabulary import Touched
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.navigator import Navigator, only_tag
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.tasks.messages import in_words

Report = Callable[[str], None]
"""Called with the error message, or with an empty text on success."""


class Naming(Model):
    """Renames, merges and deletes tags, and saves filters and trails by name."""

    renamed = Signal(str, str)
    """A tag was renamed or merged into another, also by undo; emitted before the change is published."""

    def __init__(self, services: Services, navigator: Navigator, editor: Editor) -> None:
        super().__init__(services)
        self._navigator, self._editor = navigator, editor
        self._renamings: dict[str, tuple[str, str]] = {}
        """By label of an undo step: the former and the new name of the renamed tag."""
        self._mergers: dict[str, tuple[list[str], str]] = {}
        """By label of an undo step: the merged tags, and the tag that remained."""
        self._deletions: dict[str, Sequence[str]] = {}
        """By label of an undo step: the deleted tags."""
        editor.undone.connect(self._take_back)
        editor.redone.connect(self._do_again)

    def read_touched(self, tags: Sequence[str], done: Callable[[Touched], None]) -> None:
        """Read the data affected by a change of tags and those below them."""
        library, names = self._library, list(tags)
        self._runner.read("touched", lambda: library.vocabulary.touched(names), done)

    def edit_tag(self, tag: str, name: str, aliases: Sequence[str], report: Report | None = None) -> None:
        """Rename a tag if the name is new, and replace its aliases."""
        vocabulary, others = self._library.vocabulary, list(aliases)
        self._write(self.tr("Renaming a tag"), lambda: vocabulary.edit(tag, name, others), report, {tag: name})

    def rename_tag(self, tag: str, name: str, report: Report | None = None) -> None:
        """Rename a tag; a name with a slash moves it below another tag."""
        vocabulary = self._library.vocabulary
        self._write(self.tr("Renaming a tag"), lambda: vocabulary.rename(tag, name), report, {tag: name})

    def merge_tags(self, tags: Sequence[str], into: str, report: Report | None = None) -> None:
        """Merge tags into one."""
        vocabulary, names = self._library.vocabulary, list(tags)
        renamed = dict.fromkeys(names, into)
        self._write(self.tr("Merging tags"), lambda: vocabulary.merge(names, into), report, renamed, merges=True)

    def delete_tags(self, tags: Sequence[str]) -> None:
        """Remove tags, and the tags below them, from all photos."""
        vocabulary, names = self._library.vocabulary, list(tags)
        self._write(self.tr("Deleting a tag"), lambda: vocabulary.delete(names), deleted=names)

    def _take_back(self, step: ChangeSet) -> None:
        """Follow the name changes that an undone step caused."""
        if step.label in self._renamings:
            old, new = self._renamings[step.label]
            self._follow_name(new, old)
        if step.label in self._mergers:
            self._show_parted(*self._mergers[step.label])

    def _do_again(self, step: ChangeSet) -> None:
        """Follow the name changes that a redone step caused."""
        if step.label in self._renamings:
            self._follow_name(*self._renamings[step.label])
        if step.label in self._mergers:
            merged, into = self._mergers[step.label]
            for tag in merged:
                self._follow_name(tag, into)
        if step.label in self._deletions:
            self._leave_tags(self._deletions[step.label])

    def save_search(self, name: str, query: str, report: Report | None = None) -> None:
        """Save a filter under a name; an existing one of that name is replaced."""
        searches = self._library.searches
        self._write(self.tr("Saving a search"), lambda: searches.save(name, query), report)

    def rename_search(self, name: str, new: str, report: Report | None = None) -> None:
        """Rename a saved search."""
        searches = self._library.searches
        self._write(self.tr("Renaming a search"), lambda: searches.rename(name, new), report)

    def delete_search(self, name: str) -> None:
        """Delete a saved search."""
        searches = self._library.searches
        self._write(self.tr("Deleting a search"), lambda: searches.delete([name]))

    def save_trail(self, name: str, steps: Sequence[SavedStep], report: Report | None = None) -> None:
        """Save a trail under a name; an existing one of that name is replaced."""
        trails = self._library.trails
        self._write(self.tr("Saving a trail"), lambda: trails.save(name, steps), report)

    def rename_trail(self, name: str, new: str, report: Report | None = None) -> None:
        """Rename a trail."""
        trails = self._library.trails
        self._write(self.tr("Renaming a trail"), lambda: trails.rename(name, new), report)

    def delete_trail(self, name: str) -> None:
        """Delete a saved trail."""
        trails = self._library.trails
        self._write(self.tr("Deleting a trail"), lambda: trails.delete(name))

    def publish(
        self, changes: ChangeSet, renamed: Mapping[str, str], *, merges: bool = False, deleted: Sequence[str] = ()
    ) -> None:
        """Follow a written change, and publish it.

        Parameters
        ----------
        renamed : mapping of str to str
            The new names of tags by the former ones.
        merges : bool
            Whether the tags were merged into existing ones.
        """
        if deleted:
            self._deletions[changes.label] = deleted
            self._leave_tags(deleted)
        moved = {old: normalise(new) for old, new in renamed.items() if normalise(new) != old}
        for old, new in moved.items():
            if merges:
                self._mergers[changes.label] = list(moved), new
            else:
                self._renamings[changes.label] = old, new
            self._follow_name(old, new)
        self._editor.publish(changes)

    def _follow_name(self, old: str, new: str) -> None:
        """Keep showing the photos of a tag after a renaming or a merger."""
        if self._navigator.shown_tag == old:
            self._navigator.show_tag(new)
        elif self._navigator.shown_tag == new:
            self._navigator.again()
        self.renamed.emit(old, new)

    def _show_parted(self, tags: Sequence[str], into: str) -> None:
        """Show one of the tags again, or the tag that they had been merged into, after a merger was undone."""
        navigator = self._navigator
        if navigator.shown_tag == into:
            before = navigator.trail.steps[: navigator.trail.at]
            former = only_tag(before[-1].collection) if before else None
            if former is not None and former in tags:
                navigator.show_tag(former)
            else:
                navigator.again()

    def _leave_tags(self, deleted: Sequence[str]) -> None:
        """Stop showing the photos of a deleted tag."""
        shown = self._navigator.shown_tag
        if shown is not None and any(shown == tag or shown.startswith(f"{tag}/") for tag in deleted):
            self._navigator.set_query("")

    def _write(
        self,
        attempt: str,
        function: Callable[[], ChangeSet],
        report: Report | None = None,
        renamed: Mapping[str, str] | None = None,
        *,
        merges: bool = False,
        deleted: Sequence[str] = (),
    ) -> None:
        def done(changes: ChangeSet) -> None:
            self.publish(changes, renamed or {}, merges=merges, deleted=deleted)
            if report is not None:
                report("")

        def failed(error: Exception) -> bool:
            if report is None or not isinstance(error, LibraryError):
                return False
            report(in_words(str(error)))
            return True

        self._runner.write(attempt, function, done, failed)
