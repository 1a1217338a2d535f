"""The words of the library, for completion: tags, their other names, labels, cameras."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.facts.query.completion import complete
from focal_photos.browser.catalog.facts.records import Alias
from focal_photos.browser.catalog.facts.tags import ancestors
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.schema.functions import fold
from focal_photos.browser.models.sidebar.tag_tree import tag_tree
from focal_photos.browser.models.sidebar.tree_model import Node
from focal_photos.browser.tasks.runner import Runner

_MOST = 12
"""Tags that are proposed at a time."""


class Words(QObject):
    """What may be typed.

    Signals
    -------
    tags_read : list of Node
        They were read again: as trees.

    Attributes
    ----------
    tags : list of str
    aliases : list of Alias
    """

    tags_read = Signal(object)

    def __init__(self, library: Library, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library, self._runner = library, runner
        self.tags: list[str] = []
        self.aliases: list[Alias] = []
        self._labels: list[str] = []
        self._cameras: list[str] = []

    def read_tags(self) -> None:
        """Read the tags again, and their other names."""
        library = self._library

        def read() -> tuple[list[str], list[Node], list[Alias]]:
            tags = library.tags.all()
            return [tag.name for tag in tags], tag_tree(tags), library.vocabulary.aliases()

        def done(found: tuple[list[str], list[Node], list[Alias]]) -> None:
            self.tags, tree, self.aliases = found
            self.tags_read.emit(tree)

        self._runner.read("tags", read, done)

    def read_labels(self) -> None:
        """Read labels and cameras again."""
        library = self._library

        def read() -> tuple[list[str], list[str]]:
            labels, cameras = library.marks.labels(), library.information.cameras()
            return [name for name, _ in labels], [name for name, _ in cameras]

        def done(found: tuple[list[str], list[str]]) -> None:
            self._labels, self._cameras = found

        self._runner.read("labels", read, done, aside=True)

    def complete_query(self, text: str, cursor: int) -> list[str]:
        """Return whole filter texts that may be meant."""
        found = complete(
            text, cursor, self.tags, labels=self._labels, cameras=self._cameras, other_names=self._by_alias()
        )
        return [text[: each.start] + each.text + text[each.end :] for each in found]

    def complete_tag(self, text: str) -> list[str]:
        """Return the tag of that name, then those that begin with a text, then those of which a level does.

        Other names of tags count as theirs.
        """
        typed = fold(text.strip())
        if not typed:
            return []
        exact = self.tag_meant(text)
        begins = [exact] if exact else []
        begins += [name for name in self.tags if fold(name).startswith(typed)]
        begins += [tag for alias, tag in self._by_alias().items() if fold(alias).startswith(typed)]
        below = [name for name in self.tags if f"/{typed}" in fold(name)]
        return list(dict.fromkeys([*begins, *below]))[:_MOST]

    def tag_meant(self, text: str) -> str:
        """Return the tag that a text names, or one above tags, by its own name or another; empty if there is none."""
        above = {one: one for name in self.tags for one in ancestors(name)}
        known = {**self._by_alias(), **above, **{name: name for name in self.tags}}
        typed = " ".join(text.split())
        by_letters = {fold(name): tag for name, tag in known.items()}
        return known.get(typed) or by_letters.get(fold(typed), "")

    def other_names(self, tag: str) -> list[str]:
        """Return the other names of a tag."""
        return [alias.name for alias in self.aliases if alias.tag == tag]

    def _by_alias(self) -> dict[str, str]:
        return {alias.name: alias.tag for alias in self.aliases}
